// While Python starts: shows which link was tapped, and says when nothing comes through. Where it cannot succeed, page/early.js
// has said so, and links lead nowhere.
//
// Links change the address, so the address itself remembers the tap until Python reads it.

import { forgetMemory } from "../offline/start_memory.js";
import { tryAgain } from "./delivery.js";
import { show } from "./elements.js";

const PATIENCE = 20_000; // ms that Python may take to start from what is kept on this device

const root = document.documentElement;
const isReady = () => root.dataset.python === "ready";
const isTooOld = () => "tooOld" in root.dataset;

function clearBusy() {
  for (const link of document.querySelectorAll("[aria-busy]")) link.removeAttribute("aria-busy");
}

/**
 * Says that nothing comes through, or no longer.
 * @param {boolean} failing
 */
export const sayTrouble = (failing) => show("slow", failing && !isReady() && !isTooOld());

/** Listens until Python is there. */
export function watchStartup() {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || isReady()) return;
    if (event.target.closest("#try-again")) tryAgain();
    const link = event.target.closest("a[href^='#/']");
    if (!link) return;
    if (isTooOld()) {
      event.preventDefault();
      return;
    }
    clearBusy();
    link.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", clearBusy);
  addEventListener("online", tryAgain);

  const giveUp = () => {
    sayTrouble(true);
    forgetMemory();
  };
  const timer = navigator.serviceWorker?.controller ? setTimeout(giveUp, PATIENCE) : undefined;
  addEventListener("py:done", () => {
    clearTimeout(timer);
    show("slow", false);
  }, { once: true });
}
