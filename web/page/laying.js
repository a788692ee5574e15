// What is seen while something waits for Python: the table's cloth, one sentence, and how much of Python is here.

import { byId, show } from "./elements.js";

const root = document.documentElement;
const MEGABYTE = 1_000_000;

/**
 * Covers the page until Python paints. `what`: "table" where a match is about to begin, "screen" for anything else.
 * @param {"table" | "screen"} what
 */
export function cover(what) {
  root.dataset.laying = what;
  show("laying", true);
  const titles = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#laying h1"));
  for (const title of titles) if (title.offsetParent) title.focus({ preventScroll: true });
}

/** Takes the cloth away. */
export function uncover() {
  delete root.dataset.laying;
  show("laying", false);
}

/**
 * Says how many bytes are here.
 * @param {number} done
 * @param {number} all
 */
export function sayProgress(done, all) {
  const bar = byId("laying")?.querySelector("progress");
  if (!bar) return;
  bar.max = all;
  bar.value = done;
  root.toggleAttribute("data-fetched", done >= all);
  for (const line of document.querySelectorAll("#laying [data-bytes] [lang]")) {
    const write = (/** @type {string} */ name, /** @type {number} */ bytes) => {
      const place = line.querySelector(name);
      const style = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
      if (place) place.textContent = (bytes / MEGABYTE).toLocaleString(/** @type {HTMLElement} */ (line).lang, style);
    };
    write("b", done);
    write("i", all);
  }
}
