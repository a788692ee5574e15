// Theme, cloth, motion and size of text: applied before the first paint (early.js) and again when the settings change.

const root = document.documentElement;
const USUAL = new Set(["auto", "linen"]); // what needs no attribute

/**
 * Applies the settings, JSON text as they are stored; null: none were stored.
 * @param {string | null} stored
 */
export function applyAppearance(stored) {
  /** @type {{theme?: string, motion?: string, text?: string, cloth?: string}} */
  const { theme, motion, text, cloth } = JSON.parse(stored ?? "{}");
  for (const [name, value] of Object.entries({ theme, motion, cloth })) {
    if (value && !USUAL.has(value)) root.dataset[name] = value;
    else delete root.dataset[name];
  }
  root.style.setProperty("--text-size", text && text !== "100" ? `${text}%` : "");
}
