// The clock of a table where styles cannot count: Firefox before 128, which does not register properties.

/** @param {number} seconds */
const written = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function tick() {
  for (const clock of document.querySelectorAll(".label.clock")) {
    const [running] = clock.getAnimations({ subtree: true });
    if (!running?.effect) continue;
    const since = Number(running.currentTime) - (running.effect.getTiming().delay ?? 0); // ms
    clock.setAttribute("data-time", written(Math.floor(since / 1000)));
  }
}

/** Writes the time on every clock, each second, where the browser cannot by itself. */
export function runClocks() {
  if (!("registerProperty" in CSS)) setInterval(tick, 500);
}
