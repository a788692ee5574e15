// The shelf in the browser: matches in IndexedDB, one claim a match through Web Locks, news between tabs.
//
// It keeps text and hands text back, so that Python and JavaScript exchange nothing but strings; what the text means is
// known in py/tabletin/page alone. Entries are only ever added: a place that is taken refuses the whole write.

import { deleteDB } from "idb";

import { database } from "./database.js";

const VERSION = 2;

const open = database("tabletin", VERSION, (db, old) => {
  if (old < 1) {
    db.createObjectStore("records");
    db.createObjectStore("entries");
  }
  if (old < 2) db.createObjectStore("device"); // what this device is among peers: its secret seed
});

const range = (name) => IDBKeyRange.bound([name, 0], [name, Infinity]);

/** Adds rows (JSON text: [[line, faces], …]) from place `at`; "" or why not: "occupied", "full", "blocked". */
async function append(name, at, rows, record) {
  let transaction;
  try {
    const db = await open();
    transaction = db.transaction(["records", "entries"], "readwrite", { durability: "strict" });
    const entries = transaction.objectStore("entries");
    const writes = JSON.parse(rows).map((row, i) => entries.add(row, [name, at + i]));
    writes.push(transaction.objectStore("records").put(JSON.parse(record), name));
    writes.push(transaction.done);
    transaction.commit(); // nothing more is to come: the disk need not wait for word of each write
    const failed = (await Promise.allSettled(writes)).find((write) => write.status === "rejected");
    if (failed) throw transaction.error ?? failed.reason;
    return "";
  } catch (error) {
    if (error?.name === "ConstraintError") return "occupied";
    return error?.name === "QuotaExceededError" ? "full" : "blocked";
  }
}

/** A match as JSON text {record, rows}, or null. */
async function read(name) {
  const db = await open();
  const transaction = db.transaction(["records", "entries"]);
  const [record, rows] = await Promise.all([
    transaction.objectStore("records").get(name),
    transaction.objectStore("entries").getAll(range(name)),
  ]);
  return record ? JSON.stringify({ record, rows }) : null;
}

/** All records as JSON text. */
async function records() {
  return JSON.stringify(await (await open()).getAll("records"));
}

async function remove(name) {
  const transaction = (await open()).transaction(["records", "entries"], "readwrite");
  transaction.objectStore("records").delete(name);
  transaction.objectStore("entries").delete(range(name));
  await transaction.done;
}

async function clear() {
  const transaction = (await open()).transaction(["records", "entries", "device"], "readwrite");
  transaction.objectStore("records").clear();
  transaction.objectStore("entries").clear();
  transaction.objectStore("device").clear();
  await transaction.done;
  await deleteDB("tabletin-wire"); // web/storage/certificate.js: the certificate, and whom a room has met
}

const SEED_BYTES = 32;

/** This device's secret seed among peers, 64 hexadecimal digits; made when it is first asked for, and kept before it is told. */
async function secret() {
  const transaction = (await open()).transaction("device", "readwrite", { durability: "strict" });
  let seed = await transaction.store.get("seed");
  if (!seed) {
    const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
    seed = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    await transaction.store.put(seed, "seed");
  }
  await transaction.done;
  return seed;
}

const TEXT = (name) => `text ${name}`;

/** Keeps a small text (null: none) so that it is on the disk when this returns: localStorage is written down seconds later. */
async function keep(name, text) {
  const transaction = (await open()).transaction("device", "readwrite", { durability: "strict" });
  transaction.store.put(text ?? "", TEXT(name)); // "": it is known that there is none
  await transaction.done;
}

/** What `keep` kept, "" if nothing; null where it was never asked to. */
async function kept(name) {
  return (await (await open()).get("device", TEXT(name))) ?? null;
}

/** Asks the browser never to clear what is kept here by itself; whether it agreed. */
async function persist() {
  return Boolean(await navigator.storage?.persist?.());
}

// ---- the screen stays on while a hand is played among peers, and what is kept stays kept ----

let awake = null; // the lock, while it is held or asked for
let asked = false;

async function keepAwake() {
  if (!awake || document.visibilityState !== "visible" || !navigator.wakeLock) return;
  try {
    const lock = await navigator.wakeLock.request("screen");
    if (awake) awake.lock = lock;
    else lock.release();
  } catch {
    // low battery, or not allowed here: the screen goes off as usual
  }
}

/** Keeps the screen on from now on, or no more. The first time the browser is asked to keep what is stored, too. */
function stayAwake(wanted) {
  if (!wanted) {
    awake?.lock?.release();
    awake = null;
    return;
  }
  if (!asked) {
    asked = true;
    persist().catch(() => {}); // it is kept as long as anything else
  }
  if (awake) return;
  awake = {};
  keepAwake();
}

document.addEventListener("visibilitychange", keepAwake);

// ---- claims: the lock "tabletin match <name>" is held by the tab that plays ----

const held = new Map();
const queued = new Map();

function hold(name, options) {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`tabletin match ${name}`, options, (lock) => {
        if (!lock) return resolve(false);
        resolve(true);
        return new Promise((free) => held.set(name, free));
      })
      .catch(reject);
  });
}

// Beside it every tab that has a match open, if only to look on, shares one lock: a new version waits for it (offline.js).
const OPEN = "tabletin-match";
const shared = new Map();

function share(name) {
  if (shared.has(name)) return;
  shared.set(name, () => {});
  navigator.locks.request(OPEN, { mode: "shared" }, () =>
    shared.has(name) ? new Promise((free) => shared.set(name, free)) : undefined);
}

function unshare(name) {
  const free = shared.get(name);
  shared.delete(name);
  free?.();
}

/** Whether the match is this tab's now. Without Web Locks every tab may try: places that are taken refuse the second. */
async function claim(name) {
  if (!navigator.locks) return true;
  share(name);
  return held.has(name) ? false : hold(name, { ifAvailable: true });
}

/** Resolves to true when the match has become this tab's, to false when it was given up before. */
async function wait(name) {
  const giveUp = new AbortController();
  queued.set(name, giveUp);
  try {
    return await hold(name, { signal: giveUp.signal });
  } catch (error) {
    if (error?.name === "AbortError") return false;
    throw error;
  } finally {
    queued.delete(name);
  }
}

function release(name) {
  queued.get(name)?.abort();
  held.get(name)?.();
  held.delete(name);
  unshare(name);
}

// ---- news between tabs ----

const channel = globalThis.BroadcastChannel ? new BroadcastChannel("tabletin") : null;

function announce(name) {
  channel?.postMessage(name);
}

function listen(listener) {
  channel?.addEventListener("message", (event) => listener(event.data));
}

globalThis.tabletinStore = {
  append, read, records, remove, clear, secret, keep, kept, persist, awake: stayAwake, claim, wait, release, announce, listen,
};
