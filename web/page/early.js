// Runs before the first paint, inlined into the page. It says where this browser cannot run Python and which language is
// read here, applies the stored appearance, marks whether the address leads elsewhere than home, watches whether the page's own
// scripts come, and replaces the databases that PyScript opens where the browser forbids databases.

import { applyAppearance } from "./appearance.js";
import { watchEssentials } from "./essentials.js";
import { runsWebAssembly, tryModules } from "./requirements.js";
import { chooseLanguage, languageOf } from "./startup_language.js";

const root = document.documentElement;

const tellTooOld = () => root.setAttribute("data-too-old", "");
if (runsWebAssembly()) tryModules(tellTooOld);
else tellTooOld();
document.addEventListener("DOMContentLoaded", chooseLanguage);
watchEssentials();
globalThis.tabletin = { languageOf }; // the interpreter's module fetches the words of that language

try {
  applyAppearance(localStorage.getItem("tabletin.settings"));
} catch {
  // storage is forbidden, or what it holds is not readable: the usual appearance
}

root.dataset.screen = /^#(\/.|meet=|join=|reply=)/.test(location.hash) ? "elsewhere" : "home";

/**
 * PyScript opens databases while it starts, on the page and in workers, and does not start without them. Where opening
 * throws, this gives it one that is empty and stores nothing. web/storage refuses to store anything then, and says so.
 *
 * The text of this function also runs in PyScript's workers: it must not use anything outside itself.
 * @param {(error: DOMException) => void} onForbidden
 */
function replaceForbiddenDatabases(onForbidden) {
  const answer = (/** @type {unknown} */ result) => {
    const request = /** @type {EventTarget & {onsuccess?: (event: object) => void}} */ (new EventTarget());
    setTimeout(() => request.onsuccess?.({ target: { result } }));
    return /** @type {IDBOpenDBRequest} */ (/** @type {unknown} */ (request));
  };
  const empty = new Proxy({}, { get: (_, name) => () => answer(String(name).startsWith("getAll") ? [] : undefined) });
  const database = { close() {}, transaction: () => ({ objectStore: () => empty }) };
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...args) {
    try {
      return open.apply(this, args);
    } catch (error) {
      onForbidden(/** @type {DOMException} */ (error));
      return answer(database);
    }
  };
}

replaceForbiddenDatabases((error) => {
  if (root.dataset.storage) return;
  root.dataset.storage = error.name;
  globalThis.Blob = class extends Blob {
    /**
     * @param {BlobPart[]} [parts]
     * @param {BlobPropertyBag} [options]
     */
    constructor(parts = [], options = {}) {
      const isWorker = String(parts[0]).startsWith("/*@*/"); // how the script of PyScript's workers begins
      super(isWorker ? [`(${replaceForbiddenDatabases})(() => {});`, ...parts] : parts, options);
    }
  };
});
