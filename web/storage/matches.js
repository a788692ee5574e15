// Matches in IndexedDB: a record each, and their entries. Entries are added: a place that is taken refuses the whole write. The
// last ones may fall away in the same write that puts others in their places.
//
// Texts go in and text comes out, so that Python and JavaScript exchange nothing but strings and lists of them. What a text
// means is known in py/tabletin/app/storage alone.

import { deleteDB } from "idb";

import { openMatches, WIRE } from "./database.js";
import { persist } from "./device.js";

/**
 * The keys of all entries of a match.
 * @param {string} name
 */
const entriesOf = (name) => IDBKeyRange.bound([name, 0], [name, Infinity]);

/**
 * Adds entries and replaces the record, all or nothing. Returns "", or why it was refused. When the first match is stored, the
 * browser is asked to keep what is stored.
 * @param {string} name
 * @param {number} at the place of the first entry
 * @param {string[][]} rows two texts an entry: its line, and what is stored beside it
 * @param {string} record JSON text
 * @param {number} end how many entries there are; those from `at` on fall away
 * @returns {Promise<"" | "occupied" | "full" | "blocked">}
 */
export async function append(name, at, rows, record, end = at) {
  try {
    const database = await openMatches();
    const transaction = database.transaction(["records", "entries"], "readwrite", { durability: "strict" });
    const entries = transaction.objectStore("entries");
    if (end > at) {
      if ((await entries.count(entriesOf(name))) !== end) return "occupied";
      entries.delete(IDBKeyRange.bound([name, at], [name, end], false, true));
    }
    /** @type {Promise<unknown>[]} */
    const writes = rows.map((row, i) => entries.add(row, [name, at + i]));
    writes.push(transaction.objectStore("records").put(JSON.parse(record), name));
    writes.push(transaction.done);
    transaction.commit(); // the disk need not wait until every write was confirmed
    const failure = (await Promise.allSettled(writes)).find((write) => write.status === "rejected");
    if (failure) throw transaction.error ?? failure.reason;
    if (at === 0 && (await database.count("records")) === 1) persist(); // the first match of this device: now there is something
    return "";
  } catch (error) {
    const { name: kind } = /** @type {Error} */ (error);
    if (kind === "ConstraintError") return "occupied";
    return kind === "QuotaExceededError" ? "full" : "blocked";
  }
}

/**
 * A match as JSON text {record, rows}; null where there is none.
 * @param {string} name
 */
export async function read(name) {
  const transaction = (await openMatches()).transaction(["records", "entries"]);
  const [record, rows] = await Promise.all([
    transaction.objectStore("records").get(name),
    transaction.objectStore("entries").getAll(entriesOf(name)),
  ]);
  return record ? JSON.stringify({ record, rows }) : null;
}

/** All records, JSON text. */
export async function records() {
  return JSON.stringify(await (await openMatches()).getAll("records"));
}

/** @param {string} name */
export async function remove(name) {
  const transaction = (await openMatches()).transaction(["records", "entries"], "readwrite");
  transaction.objectStore("records").delete(name);
  transaction.objectStore("entries").delete(entriesOf(name));
  await transaction.done;
}

/** Deletes everything in the databases of this device. */
export async function clear() {
  const transaction = (await openMatches()).transaction(["records", "entries", "device"], "readwrite");
  transaction.objectStore("records").clear();
  transaction.objectStore("entries").clear();
  transaction.objectStore("device").clear();
  await transaction.done;
  await deleteDB(WIRE);
}
