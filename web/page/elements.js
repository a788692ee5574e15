// Elements by id, and showing or hiding them where they are.

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/**
 * Shows the element with this id, or hides it; nothing where there is none.
 * @param {string} id
 * @param {boolean} shown
 */
export function show(id, shown) {
  const element = byId(id);
  if (element) element.hidden = !shown;
}

/** No link looks tapped any more. */
export function clearBusy() {
  for (const link of document.querySelectorAll("a[aria-busy]")) link.removeAttribute("aria-busy");
}
