// A timer that a slow device does not set off: only time counts in which nothing went on here.

const TICK = 1000; // ms between two looks
const LATE = 500; // ms; a look that comes later than that found the page's thread at work, the device asleep, or the page unseen

/**
 * Calls `act` once, after `ms` in which the page's thread was free and `progress` stood still. Returns what ends the waiting.
 * @param {number} ms
 * @param {() => void} act
 * @param {() => number} progress
 */
export function afterQuiet(ms, act, progress) {
  let left = ms;
  let looked = performance.now();
  let reached = progress();
  const timer = setInterval(() => {
    const passed = performance.now() - looked;
    looked += passed;
    const now = progress();
    if (now !== reached) {
      reached = now;
      left = ms;
    } else if (passed < TICK + LATE) {
      left -= passed;
    }
    if (left > 0) return;
    clearInterval(timer);
    act();
  }, TICK);
  return () => clearInterval(timer);
}

let files = 0;
// Counted as they come: a browser keeps the entries of the first few hundred only, but tells of all.
new PerformanceObserver((list) => {
  files += list.getEntries().length;
}).observe({ type: "resource", buffered: true });

/** How many files this page has fetched. */
export const filesHere = () => files;
