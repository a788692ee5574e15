// What the build made for the time before Python, as index.html lists it: sizes to measure progress by, and prepared screens.

/**
 * A file: its bytes as they are, and as they travel; `plain`: as they are from a host that gives out no packed copies.
 * @typedef {{address: string, size: number, packed: number, plain?: number}} SiteFile
 */

/**
 * @typedef {object} Inventory
 * @property {string} version
 * @property {string} core PyScript, whose start is Python's
 * @property {string} interpreter the module that starts Python
 * @property {SiteFile[]} scripts what Python's start imports
 * @property {SiteFile[]} parts what it is made of
 * @property {Record<string, SiteFile>} words by language: its words, where they are not among the parts
 * @property {Record<string, string>} screens by language: the file of the prepared screens
 * @property {Record<string, Record<string, string>>} rules by language and game: the file of the rules page
 */

/** @type {Inventory} */
export const inventory = JSON.parse(document.getElementById("inventory")?.textContent ?? "null");
