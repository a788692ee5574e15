// Offers to install the page as an app: by a button where the browser has one to give, else by showing how it is done by hand.
// What was put away is not shown again.

import { show } from "./elements.js";

/** @typedef {Event & {prompt(): void, userChoice: Promise<unknown>}} InstallPrompt as Chromium has it */

const HIDDEN = "tabletin.install";
const root = document.documentElement;

/** @type {InstallPrompt | undefined} */
let prompt;

function isHidden() {
  try {
    return localStorage.getItem(HIDDEN) !== null;
  } catch {
    return true; // storage is forbidden: what is put away would come back
  }
}

/** How this page is installed by hand: "share", "dock" or "menu"; "" where it is already, or where there is no such way. */
function wayByHand() {
  if (matchMedia("(display-mode: standalone)").matches) return "";
  if ("standalone" in navigator) return navigator.standalone ? "" : "share"; // every browser of iOS
  if ("GestureEvent" in window) return CSS.supports("text-wrap", "balance") ? "dock" : ""; // Safari on a Mac, from 17.5 on
  return "mozInnerScreenX" in window && /Android/.test(navigator.userAgent) ? "menu" : "";
}

function offerByHand() {
  const way = wayByHand();
  if (!way || isHidden()) return;
  root.dataset.install = way;
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-do='hide_install']"))) return;
    delete root.dataset.install;
    localStorage.setItem(HIDDEN, "hidden");
  });
}

/** Shows the button while installation is possible, and asks the browser when it is pressed; else the way by hand. */
export function offerInstallation() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = /** @type {InstallPrompt} */ (event);
    show("install", true);
  });
  document.addEventListener("click", async (event) => {
    if (!prompt || !(event.target instanceof Element && event.target.closest("[data-do='install']"))) return;
    prompt.prompt();
    await prompt.userChoice;
    prompt = undefined;
    show("install", false);
  });
  addEventListener("appinstalled", () => show("install", false));
  offerByHand();
}
