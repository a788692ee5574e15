// Fetches a file until all of it is here, whatever the network does: a fetch that stalls, drops or ends early is begun again.
// A page cannot ask for a part of what travels packed, so all of it comes once more, and what is new of it is handed on. It never
// gives up; it says when nothing comes through.

/** @typedef {import("./inventory.js").SiteFile} SiteFile */

const STALL = 15_000; // ms without a byte until a fetch is given up; twice as long after each that brought nothing …
const LONGEST_STALL = 120_000; // … up to this: what takes longer than that to begin would be begun anew for ever
const PAUSES = [300, 1000, 3000, 10_000]; // ms before the next attempt, the last for all that follow
const QUIET = 1; // drops in a row that are not worth a sentence

// The browser's own. While Python starts, another one stands in its place, which would hand over what is fetched here: a file would
// wait for itself.
const { fetch } = globalThis;

/** @type {Set<() => void>} what ends the pauses under way */
const pauses = new Set();

/** Begins the next attempts at once. */
export function tryAgain() {
  for (const end of pauses) end();
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    const end = () => {
      clearTimeout(timer);
      pauses.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    pauses.add(end);
  });
}

/**
 * The pieces of one attempt. Throws where it stalls, drops, or is no file of ours.
 * @param {string} address
 * @param {RequestInit} options
 * @param {number} stall
 */
async function* attempt(address, options, stall) {
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), stall);
  try {
    const response = await fetch(address, { ...options, signal: stop.signal });
    const type = response.headers.get("Content-Type") ?? "";
    if (!response.ok || !response.body || type.startsWith("text/html")) throw new TypeError(`${address}: ${response.status} ${type}`);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), stall);
      yield value;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/**
 * All bytes of `file`, piece by piece.
 * @param {SiteFile} file
 * @param {(failing: boolean) => void} tell is told when nothing comes through, and when something does again
 * @param {RequestPriority} [priority]
 */
export async function* steadyFetch(file, tell, priority = "auto") {
  let have = 0;
  let failures = 0;
  let stalls = 0;
  let isTold = false;
  const say = (/** @type {boolean} */ failing) => {
    if (failing !== isTold) tell(failing);
    isTold = failing;
  };
  while (have < file.size) {
    let at = 0;
    let isStalled = false;
    try {
      const stall = Math.min(LONGEST_STALL, STALL * 2 ** stalls);
      for await (const piece of attempt(file.address, { cache: failures ? "reload" : "default", priority }, stall)) {
        const fresh = piece.subarray(Math.max(0, have - at));
        at += piece.length;
        if (!fresh.length) continue;
        have += fresh.length;
        failures = 0;
        stalls = 0;
        say(false);
        yield fresh;
      }
    } catch (error) {
      isStalled = /** @type {Error} */ (error).name === "AbortError";
    }
    if (have >= file.size || have === file.plain) return;
    failures += 1;
    if (isStalled) stalls += 1;
    if (isStalled || failures > QUIET) say(true);
    await pause(PAUSES[Math.min(failures, PAUSES.length) - 1]);
  }
}
