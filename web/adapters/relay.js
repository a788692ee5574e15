// Hands sealed texts to public relays and takes those of others, for people who switched relays on. Several relays at once:
// one that is dead is not missed. The relays see random bytes under a random word. Loaded only when used.

import { createEvent, subscribe } from "trystero";

const PAD = 512; // bytes: lengths tell nothing
const NONCE = 12; // bytes
const RETRY = [500, 2000, 5000, 15_000, 30_000]; // ms until a relay is tried again
const BEGIN = 3000; // ms for a relay to say that what it kept has been sent
const ANSWER = 6000; // ms for a relay to say that it took an event, or anything; twice as long after each time in vain …
const LONGEST_ANSWER = 48_000; // … up to this: a slow line would get no answer through if each socket were given up alike
const BUSY = 500; // ms by which a timer is late in a page that was busy, and has not read what came meanwhile
const OWED = 8000; // ms, more than ANSWER, for which an event that no relay has taken yet goes to each one that is opened
const REMEMBERED = 4000; // events that were seen, so that the same one from another relay is not read twice
const LONGEST = 8000; // characters of an event's content

/** One relay: its socket is opened again whenever it is closed. */
class Relay {
  /** @type {WebSocket | undefined} */ #socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */ #unanswered = new Map();
  #listening = new AbortController();
  #heardAt = 0;
  #tries = 0;
  #answer = ANSWER;
  #sentAt = 0;
  #closed = false;

  /**
   * @param {string} url
   * @param {string} request that is sent whenever the socket is open
   * @param {(content: unknown) => void} onEvent
   * @param {(id: unknown) => void} onTaken called with each event that it says to have
   * @param {(relay: Relay) => void} onState called when it is open, and when it no longer is
   */
  constructor(url, request, onEvent, onTaken, onState) {
    this.url = url;
    this.request = request;
    this.onEvent = onEvent;
    this.onTaken = onTaken;
    this.onState = onState;
    this.isOpen = false;
    this.open();
  }

  open() {
    clearTimeout(this.#timer);
    this.#drop();
    if (this.#closed) return;
    const socket = (this.#socket = new WebSocket(this.url));
    const { signal } = (this.#listening = new AbortController());
    socket.addEventListener("open", () => {
      this.#tries = 0;
      socket.send(this.request);
      this.#timer = setTimeout(() => this.#begin(), BEGIN);
    }, { signal });
    socket.addEventListener("message", (event) => this.#read(String(event.data)), { signal });
    socket.addEventListener("close", () => {
      this.#drop();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.open(), RETRY[Math.min(this.#tries, RETRY.length - 1)]);
      this.#tries += 1;
    }, { signal });
  }

  /** From now on events are new ones. Some relays keep what they need not keep, and send that first. */
  #begin() {
    clearTimeout(this.#timer);
    if (this.isOpen) return;
    this.isOpen = true;
    this.onState(this);
  }

  /** @param {string} text */
  #read(text) {
    this.#heardAt = performance.now();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (!Array.isArray(message)) return;
    if (message[0] === "EOSE") this.#begin();
    else if (message[0] === "EVENT" && this.isOpen) this.onEvent(message[2]?.content);
    else if (message[0] === "OK") {
      if (performance.now() - this.#sentAt < ANSWER) this.#answer = ANSWER;
      if (message[2] === true) this.onTaken(message[1]);
      clearTimeout(this.#unanswered.get(message[1]));
      this.#unanswered.delete(message[1]);
    }
  }

  /**
   * @param {string} event
   * @param {string} id
   */
  send(event, id) {
    if (!this.isOpen) return;
    this.#socket?.send(event);
    this.#sentAt = performance.now();
    this.#expectAnswer(id, performance.now());
  }

  /**
   * A socket that only seems open, on which nothing was heard since, is opened anew.
   * @param {string} id
   * @param {number} sentAt
   */
  #expectAnswer(id, sentAt) {
    const due = performance.now() + this.#answer;
    this.#unanswered.set(id, setTimeout(() => {
      if (this.#heardAt > sentAt) this.#unanswered.delete(id);
      else if (performance.now() > due + BUSY) this.#expectAnswer(id, sentAt);
      else {
        this.#answer = Math.min(LONGEST_ANSWER, this.#answer * 2);
        this.open();
      }
    }, this.#answer));
  }

  #drop() {
    for (const timer of this.#unanswered.values()) clearTimeout(timer);
    this.#unanswered.clear();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#listening.abort();
    socket?.close();
    if (this.isOpen) {
      this.isOpen = false;
      this.onState(this);
    }
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }
}

/**
 * Joins those who have the same key, at all the relays.
 * @param {string} topic
 * @param {Uint8Array<ArrayBuffer>} secret 32 bytes
 * @param {string[]} urls
 * @param {(text: string) => void} onText called with what others publish
 * @param {(open: number) => void} onState called with how many relays are open
 */
export async function join(topic, secret, urls, onText, onState) {
  const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"]);
  const additionalData = new TextEncoder().encode(topic);
  const asked = JSON.parse(subscribe(topic.slice(0, 16), topic));
  delete asked[2].since; // people's clocks differ, and relays keep nothing of this kind
  const request = JSON.stringify(asked);
  /** @type {Set<unknown>} */
  const seen = new Set();
  let closed = false;

  /** @param {unknown} content */
  const take = async (content) => {
    if (closed || typeof content !== "string" || content.length > LONGEST || seen.has(content)) return;
    seen.add(content);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
    try {
      const data = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      const iv = data.subarray(0, NONCE);
      const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, data.subarray(NONCE));
      if (!closed) onText(new TextDecoder().decode(plain).trimEnd());
    } catch {
      // not sealed with our key: anybody may write under any word
    }
  };

  /** @type {Map<unknown, { event: string, at: number }>} events that no relay has taken yet, by id */
  const owed = new Map();
  /** @type {Relay[]} */
  const relays = [];
  const forget = () => {
    for (const [id, { at }] of owed) if (performance.now() - at > OWED) owed.delete(id);
  };
  /** @param {Relay} changed */
  const report = (changed) => {
    if (closed) return;
    forget();
    for (const [id, { event }] of owed) changed.send(event, String(id));
    onState(relays.filter((relay) => relay.isOpen).length);
  };
  for (const url of urls) relays.push(new Relay(url, request, take, (id) => owed.delete(id), report));

  return {
    /** @param {string} text */
    async publish(text) {
      const size = new TextEncoder().encode(text).length;
      const plain = new TextEncoder().encode(text + " ".repeat((PAD - (size % PAD)) % PAD));
      const iv = crypto.getRandomValues(new Uint8Array(NONCE));
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plain));
      const content = btoa(String.fromCharCode(...iv, ...sealed));
      seen.add(content);
      const event = await createEvent(topic, content);
      const id = JSON.parse(event)[1].id;
      forget();
      owed.set(id, { event, at: performance.now() });
      for (const relay of relays) relay.send(event, id);
    },
    /** Opens all sockets anew: the network has changed. */
    renew() {
      for (const relay of relays) relay.open();
    },
    close() {
      closed = true;
      for (const relay of relays) relay.close();
    },
  };
}
