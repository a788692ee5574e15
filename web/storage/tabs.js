// The tabs of one device: which of them plays a match (Web Locks), and news between them (BroadcastChannel).
//
// The tab that plays a match holds the lock "tabletin match <name>". Every tab that has a match open, if only to watch,
// shares the lock "tabletin-match": a new version of the page waits for it (docs/offline.md).

const OPEN = "tabletin-match";

/** @type {Map<string, () => void>} by match: what frees its lock */
const claims = new Map();
/** @type {Map<string, AbortController>} by match: what ends waiting for its lock */
const queue = new Map();
/** @type {Map<string, () => void>} by match: what frees its share of the common lock */
const shares = new Map();

/**
 * Resolves to whether this tab got the lock of the match.
 * @param {string} name
 * @param {LockOptions} options
 * @returns {Promise<boolean>}
 */
function acquire(name, options) {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`tabletin match ${name}`, options, (lock) => {
        resolve(Boolean(lock));
        return lock ? new Promise((free) => claims.set(name, () => free(undefined))) : undefined;
      })
      .catch(reject);
  });
}

/** @param {string} name */
function share(name) {
  if (shares.has(name)) return;
  shares.set(name, () => {});
  navigator.locks.request(OPEN, { mode: "shared" }, () =>
    shares.has(name) ? new Promise((free) => shares.set(name, () => free(undefined))) : undefined);
}

/** @param {string} name */
function unshare(name) {
  const free = shares.get(name);
  shares.delete(name);
  free?.();
}

/**
 * Claims a match for this tab; whether it succeeded. Without Web Locks every tab may try: the storage refuses the second
 * entry for one place.
 * @param {string} name
 */
export async function claim(name) {
  if (!navigator.locks) return true;
  share(name);
  return claims.has(name) ? false : acquire(name, { ifAvailable: true });
}

/**
 * Waits for a match that another tab plays. Resolves to true when this tab has it, to false after `release`.
 * @param {string} name
 */
export async function wait(name) {
  const abort = new AbortController();
  queue.set(name, abort);
  try {
    return await acquire(name, { signal: abort.signal });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return false;
    throw error;
  } finally {
    queue.delete(name);
  }
}

/**
 * Gives a match up, or stops waiting for it.
 * @param {string} name
 */
export function release(name) {
  queue.get(name)?.abort();
  claims.get(name)?.();
  claims.delete(name);
  unshare(name);
}

const channel = globalThis.BroadcastChannel ? new BroadcastChannel("tabletin") : null;

/**
 * Tells the other tabs that a match has changed.
 * @param {string} name
 */
export function announce(name) {
  channel?.postMessage(name);
}

/**
 * Calls `listener` with the name of each match that another tab announces.
 * @param {(name: string) => void} listener
 */
export function listen(listener) {
  channel?.addEventListener("message", (event) => listener(event.data));
}
