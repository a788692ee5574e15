// What is seen while something waits for Python: the table's cloth, one sentence, and how much of Python is here.

import { byId, clearBusy, show } from "./elements.js";

const root = document.documentElement;
const MEGABYTE = 1_000_000;
let [here, whole] = [0, 0]; // bytes

/**
 * Covers the page until Python paints. `what`: "table" where a match is about to begin, "screen" for anything else.
 * @param {"table" | "screen"} what
 */
export function cover(what) {
  root.dataset.laying = what;
  show("laying", true);
  requestAnimationFrame(() => setTimeout(write)); // the cloth is seen first
  const titles = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#laying h1"));
  for (const title of titles) if (title.offsetParent) title.focus({ preventScroll: true });
}

/** What was waited for is there: takes the cloth away, and no link looks tapped any more. */
export function uncover() {
  clearBusy();
  delete root.dataset.laying;
  show("laying", false);
}

/** @type {Map<string, Intl.NumberFormat>} by language; to make one costs a slow phone some hundredths of a second */
const formats = new Map();

/** @param {string} lang */
function formatOf(lang) {
  const known = formats.get(lang) ?? new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  formats.set(lang, known);
  return known;
}

/** Writes the amounts out, in the language that is seen. */
function write() {
  const bar = byId("laying")?.querySelector("progress");
  if (!bar || !whole || !root.dataset.laying) return;
  bar.max = whole;
  bar.value = here;
  const lines = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#laying [data-bytes] [lang]"));
  for (const line of lines) {
    if (!line.offsetParent) continue;
    const amounts = formatOf(line.lang);
    for (const [name, bytes] of Object.entries({ b: here, i: whole })) {
      const place = line.querySelector(name);
      if (place) place.textContent = amounts.format(bytes / MEGABYTE);
    }
  }
}

/**
 * Says how many bytes are here.
 * @param {number} done
 * @param {number} all
 */
export function sayProgress(done, all) {
  [here, whole] = [done, all];
  root.toggleAttribute("data-fetched", done >= all);
  write();
}
