// Offers to install the page as an app, where the browser allows it.

import { show } from "./elements.js";

/** @typedef {Event & {prompt(): void, userChoice: Promise<unknown>}} InstallPrompt as Chromium has it */

/** @type {InstallPrompt | undefined} */
let prompt;

/** Shows the button while installation is possible, and asks the browser when it is pressed. */
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
}
