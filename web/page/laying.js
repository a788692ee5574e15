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
  write();
  const titles = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#laying h1"));
  for (const title of titles) if (title.offsetParent) title.focus({ preventScroll: true });
}

/** What was waited for is there: takes the cloth away, and no link looks tapped any more. */
export function uncover() {
  clearBusy();
  delete root.dataset.laying;
  show("laying", false);
}

/** Writes the amounts out, which costs the more the less a browser wrote numbers before: only where they are seen. */
function write() {
  const bar = byId("laying")?.querySelector("progress");
  if (!bar || !whole || !root.dataset.laying) return;
  bar.max = whole;
  bar.value = here;
  for (const line of document.querySelectorAll("#laying [data-bytes] [lang]")) {
    const style = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    const amounts = new Intl.NumberFormat(/** @type {HTMLElement} */ (line).lang, style);
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
