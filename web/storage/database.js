// The databases of this device. Each opens on first need, and again after a newer version of the page or the browser
// closed it.

import { openDB } from "idb";

/**
 * A function that gives the database `name`. It rejects where the browser forbids databases.
 * @template {import("idb").DBSchema} Schema
 * @param {string} name
 * @param {number} version
 * @param {(database: import("idb").IDBPDatabase<Schema>, oldVersion: number) => void} upgrade
 * @returns {() => Promise<import("idb").IDBPDatabase<Schema>>}
 */
function opener(name, version, upgrade) {
  /** @type {Promise<import("idb").IDBPDatabase<Schema>> | undefined} */
  let opened;
  const forget = () => {
    opened = undefined;
  };
  return () => {
    const { storage } = document.documentElement.dataset; // set by page/early.js where databases are forbidden
    if (storage) return Promise.reject(new DOMException("No database may be opened.", storage));
    opened ??= openDB(name, version, {
      upgrade,
      blocking(_current, _blocked, event) {
        /** @type {IDBDatabase} */ (event.target).close();
        forget();
      },
      terminated: forget,
    }).catch((error) => {
      forget();
      throw error;
    });
    return opened;
  };
}

/**
 * Matches: their records, their entries by [match, place], and what this device is (its seed, small texts).
 * @typedef {object} MatchSchema
 * @property {{key: string, value: object}} records
 * @property {{key: [string, number], value: unknown}} entries
 * @property {{key: string, value: string}} device
 */

/** @type {() => Promise<import("idb").IDBPDatabase<MatchSchema & import("idb").DBSchema>>} */
export const openMatches = opener("tabletin", 2, (database, oldVersion) => {
  if (oldVersion < 1) {
    database.createObjectStore("records");
    database.createObjectStore("entries");
  }
  if (oldVersion < 2) database.createObjectStore("device");
});

export const WIRE = "tabletin-wire";

/**
 * What links between devices need after a reload: the certificate, and texts by name.
 * @typedef {object} WireSchema
 * @property {{key: string, value: any}} kept
 */

/** @type {() => Promise<import("idb").IDBPDatabase<WireSchema & import("idb").DBSchema>>} */
export const openWire = opener(WIRE, 1, (database) => {
  database.createObjectStore("kept");
});
