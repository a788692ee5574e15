// A tap is answered before Python's start goes on: each slice of that start asks here whether somebody has just tapped.

const JUST = 200; // ms after a touch in which what it does is still to be seen
const LONGEST = 100; // ms to wait for a frame; a page that is not seen has none

let touchedAt = -Infinity;

/** Listens from now on. */
export function watchTouches() {
  const touched = () => {
    touchedAt = performance.now();
  };
  for (const kind of ["pointerdown", "click", "keydown"]) addEventListener(kind, touched, { capture: true, passive: true });
}

/** Resolves at once, or after the next frame where somebody has just touched the page. */
export async function answered() {
  if (performance.now() - touchedAt > JUST || document.visibilityState !== "visible") return;
  await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    setTimeout(resolve, LONGEST);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
