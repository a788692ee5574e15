// Shows which link was tapped while Python starts, and which tin was at any time; says when nothing comes through. Where Python
// cannot succeed, page/early.js has said so, and links lead nowhere.
//
// Links change the address, so the address itself remembers the tap until Python reads it.

import { tryAgain } from "./delivery.js";
import { clearBusy, show } from "./elements.js";
import { inventory } from "./inventory.js";
import { afterQuiet, filesHere } from "./stall_timer.js";

const PATIENCE = 20_000; // ms in which nothing goes on while Python starts from what is kept on this device

const root = document.documentElement;
const isReady = () => root.dataset.python === "ready";
const isTooOld = () => "tooOld" in root.dataset;

/**
 * Says that nothing comes through, or no longer.
 * @param {boolean} failing
 */
export const sayTrouble = (failing) => show("slow", failing && !isReady() && !isTooOld());

/** Lets the next start begin anew: this one does not come to its end. */
async function refuseMemory() {
  const interpreter = new URL(inventory.interpreter, document.baseURI).href;
  const { refuse } = await import(new URL("memory.mjs", interpreter).href);
  await refuse(interpreter);
}

/** Listens from now on. */
export function watchStartup() {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest("#try-again")) tryAgain();
    const link = event.target.closest(isReady() ? ".tin .open" : "a[href^='#/']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return; // the last three open it elsewhere
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
    refuseMemory();
  };
  const end = navigator.serviceWorker?.controller ? afterQuiet(PATIENCE, giveUp, filesHere) : () => {};
  addEventListener("py:done", () => {
    end();
    show("slow", false);
  }, { once: true });
}
