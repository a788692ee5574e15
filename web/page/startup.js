// While Python starts: shows which link was tapped, and says when starting takes long. Where it cannot succeed, page/early.js
// has said so, and links lead nowhere.
//
// Links of the home page change the address, so the address itself remembers the tap until Python reads it.

import { show } from "./elements.js";

const PATIENCE = 20_000; // ms until the page says that starting takes long

const root = document.documentElement;
const isReady = () => root.dataset.python === "ready";
const isTooOld = () => "tooOld" in root.dataset;

function clearBusy() {
  for (const link of document.querySelectorAll("[aria-busy]")) link.removeAttribute("aria-busy");
}

/** Listens until Python is there. */
export function watchStartup() {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href^='#/']");
    if (!link || isReady()) return;
    if (isTooOld()) {
      event.preventDefault();
      return;
    }
    clearBusy();
    link.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", clearBusy);

  const timer = setTimeout(() => {
    if (!isReady() && !isTooOld()) show("slow", true);
  }, PATIENCE);
  addEventListener("py:done", () => {
    clearTimeout(timer);
    show("slow", false);
  }, { once: true });
}
