// Escape inside an element that names its button (`data-escape`, an id) presses that button and gives it the focus.

import { byId } from "./elements.js";

/** Listens before the table does, which would close something of its own. */
export function listenForEscape() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !(event.target instanceof Element)) return;
    const inside = event.target.closest("[data-escape]");
    if (!(inside instanceof HTMLElement)) return;
    event.stopPropagation();
    const button = byId(inside.dataset.escape ?? "");
    button?.click();
    button?.focus();
  }, { capture: true });
}
