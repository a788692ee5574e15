// What this device remembers of itself: its secret seed among peers, and small texts that must be on the disk at once.
// (The browser writes localStorage down seconds later.)

import { openMatches } from "./database.js";

const SEED_BYTES = 32;

/** The secret seed of this device, 64 hexadecimal digits. It is stored before it is returned for the first time. */
export async function secret() {
  const transaction = (await openMatches()).transaction("device", "readwrite", { durability: "strict" });
  let seed = await transaction.store.get("seed");
  if (!seed) {
    const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
    seed = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    await transaction.store.put(seed, "seed");
  }
  await transaction.done;
  return seed;
}

/** @param {string} name */
const keyOfText = (name) => `text ${name}`;

/**
 * Stores a small text; it is on the disk when this resolves. null stores that there is none.
 * @param {string} name
 * @param {string | null} text
 */
export async function keep(name, text) {
  const transaction = (await openMatches()).transaction("device", "readwrite", { durability: "strict" });
  transaction.store.put(text ?? "", keyOfText(name));
  await transaction.done;
}

/**
 * Stores a small text as `keep` does, if `before` is what is stored; whether it was. Where `keep` was never called, whatever is said
 * to stand there stands elsewhere, and is replaced.
 * @param {string} name
 * @param {string} before "" for none
 * @param {string} text "" for none
 */
export async function swap(name, before, text) {
  const transaction = (await openMatches()).transaction("device", "readwrite", { durability: "strict" });
  const done = ((await transaction.store.get(keyOfText(name))) ?? before) === before;
  if (done) transaction.store.put(text, keyOfText(name));
  await transaction.done;
  return done;
}

/**
 * The text that `keep` stored, "" for none; null where `keep` was never called.
 * @param {string} name
 */
export async function kept(name) {
  return (await (await openMatches()).get("device", keyOfText(name))) ?? null;
}

/** @type {Promise<boolean> | undefined} */
let persistent;

/**
 * Asks the browser never to delete by itself what is stored here, once a page and only where it has not agreed before;
 * returns whether it agreed.
 */
export function persist() {
  persistent ??= (async () => {
    const { storage } = navigator;
    return Boolean((await storage?.persisted?.()) || (await storage?.persist?.()));
  })().catch(() => false);
  return persistent;
}
