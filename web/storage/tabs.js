// The tabs of one device: which of them plays a match (Web Locks), and news between them (BroadcastChannel).
//
// The tab that plays a match holds the lock "tabletin match <name>". Every tab that has a match open, if only to watch,
// shares the lock "tabletin-match": a new version of the page waits for it (docs/offline.md). The tab that has the links of a room
// holds the lock "tabletin room <id>".

const OPEN = "tabletin-match";
const PATIENCE = 2000; // ms in which a page that is loaded anew has given up what it had …
const LONGEST = 20_000; // … and in which it has on a slow device, where no other tab says that it has the room

/** @type {Map<string, () => void>} by lock: what frees it */
const claims = new Map();
/** @type {Map<string, AbortController>} by lock: what ends waiting for it */
const queue = new Map();
/** @type {Map<string, () => void>} by match: what frees its share of the common lock */
const shares = new Map();

/** @param {string} name */
const ofMatch = (name) => `tabletin match ${name}`;
/** @param {string} room */
const ofRoom = (room) => `tabletin room ${room}`;

/**
 * Resolves to whether this tab got the lock, to false where waiting for it was ended.
 * @param {string} name
 * @param {LockOptions} options
 * @returns {Promise<boolean>}
 */
function acquire(name, options) {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, options, (lock) => {
        resolve(Boolean(lock));
        return lock ? new Promise((free) => claims.set(name, () => free(undefined))) : undefined;
      })
      .catch((error) => (error instanceof DOMException && error.name === "AbortError" ? resolve(false) : reject(error)));
  });
}

/**
 * Frees a lock that this tab has, or waits for.
 * @param {string} name
 */
function liberate(name) {
  queue.get(name)?.abort();
  claims.get(name)?.();
  claims.delete(name);
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
  return claims.has(ofMatch(name)) ? false : acquire(ofMatch(name), { ifAvailable: true });
}

/**
 * Waits for a match that another tab plays. Resolves to true when this tab has it, to false after `release`.
 * @param {string} name
 */
export async function wait(name) {
  const abort = new AbortController();
  queue.set(ofMatch(name), abort);
  try {
    return await acquire(ofMatch(name), { signal: abort.signal });
  } finally {
    queue.delete(ofMatch(name));
  }
}

/**
 * Gives a match up, or stops waiting for it.
 * @param {string} name
 */
export function release(name) {
  liberate(ofMatch(name));
  unshare(name);
}

const rooms = globalThis.BroadcastChannel ? new BroadcastChannel("tabletin rooms") : null;
rooms?.addEventListener("message", ({ data: [what, room] }) => {
  if (what === "whose" && claims.has(ofRoom(room))) rooms.postMessage(["mine", room]);
});

/**
 * Claims the links of a room for this tab; whether it succeeded. Without Web Locks every tab may have them. A page that is being
 * left holds its lock for a moment, and answers no more; another tab answers.
 * @param {string} room
 */
export async function claimRoom(room) {
  if (!navigator.locks) return true;
  const abort = new AbortController();
  let isTaken = !rooms;
  let isLate = false;
  const judge = () => {
    if (isTaken && isLate) abort.abort();
  };
  /** @param {MessageEvent<[string, string]>} event */
  const hear = ({ data: [what, name] }) => {
    if (what !== "mine" || name !== room) return;
    isTaken = true;
    judge();
  };
  const timers = [
    setTimeout(() => {
      isLate = true;
      judge();
    }, PATIENCE),
    setTimeout(() => abort.abort(), LONGEST),
  ];
  queue.set(ofRoom(room), abort);
  rooms?.addEventListener("message", hear);
  rooms?.postMessage(["whose", room]);
  try {
    return await acquire(ofRoom(room), { signal: abort.signal });
  } finally {
    timers.forEach(clearTimeout);
    rooms?.removeEventListener("message", hear);
    queue.delete(ofRoom(room));
  }
}

/**
 * Gives the links of a room up, or stops waiting for them.
 * @param {string} room
 */
export function releaseRoom(room) {
  liberate(ofRoom(room));
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
