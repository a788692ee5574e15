// Sockets of the page. The page's own policy lets it fetch from nothing but its own server; a socket to a relay that a player
// switched on is opened in a worker (web/workers/sockets.js), which starts with the first one.

/** @type {Worker | undefined} */
let worker;
/** @type {Map<number, RemoteSocket>} */
const sockets = new Map();
let last = 0;

/** @param {MessageEvent<[number, string, any]>} event */
function hear({ data: [id, type, more] }) {
  sockets.get(id)?.hear(type, more);
}

function started() {
  if (!worker) {
    const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="x-sockets"]'));
    worker = new Worker(link.href, { type: "module" });
    worker.addEventListener("message", hear);
  }
  return worker;
}

/** A WebSocket that lives in the worker. */
class RemoteSocket extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  #id = (last += 1);
  readyState = RemoteSocket.CONNECTING;
  /** @type {((event: Event) => void) | null} */ onopen = null;
  /** @type {((event: MessageEvent) => void) | null} */ onmessage = null;
  /** @type {((event: Event) => void) | null} */ onerror = null;
  /** @type {((event: CloseEvent) => void) | null} */ onclose = null;

  /** @param {string | URL} url */
  constructor(url) {
    super();
    this.url = new URL(url).href;
    if (!/^wss?:/.test(this.url)) throw new DOMException(`${this.url} is no address of a socket`, "SyntaxError");
    sockets.set(this.#id, this);
    started().postMessage([this.#id, "open", this.url]);
  }

  /**
   * @param {string} type
   * @param {{ data?: unknown; code?: number; reason?: string; wasClean?: boolean }} more
   */
  hear(type, more) {
    if (type === "open") {
      this.readyState = RemoteSocket.OPEN;
      this.#tell(new Event(type), this.onopen);
    } else if (type === "message") this.#tell(new MessageEvent(type, { data: more.data }), this.onmessage);
    else if (type === "error") this.#tell(new Event(type), this.onerror);
    else {
      this.readyState = RemoteSocket.CLOSED;
      sockets.delete(this.#id);
      this.#tell(new CloseEvent(type, more), this.onclose);
    }
  }

  /**
   * @template {Event} T
   * @param {T} event
   * @param {((event: T) => void) | null} handler
   */
  #tell(event, handler) {
    handler?.call(this, event);
    this.dispatchEvent(event);
  }

  /** @param {unknown} data */
  send(data) {
    if (this.readyState === RemoteSocket.CONNECTING) throw new DOMException("still connecting", "InvalidStateError");
    if (this.readyState === RemoteSocket.OPEN) started().postMessage([this.#id, "send", data]);
  }

  close() {
    if (this.readyState >= RemoteSocket.CLOSING) return;
    this.readyState = RemoteSocket.CLOSING;
    started().postMessage([this.#id, "close", null]);
  }
}

/** From now on `new WebSocket` on the page opens its socket in the worker. */
export function moveSockets() {
  Object.assign(globalThis, { WebSocket: RemoteSocket });
}
