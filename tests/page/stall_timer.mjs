// Holds web/page/stall_timer.js against a clock of its own. Run by test_stall_timer.py; prints in which second each wait ended.

let now = 0;
/** @type {(() => void) | null} */
let look = null;
globalThis.performance = /** @type {any} */ ({ now: () => now });
globalThis.setInterval = /** @type {any} */ ((/** @type {() => void} */ act) => { look = act; return 1; });
globalThis.clearInterval = /** @type {any} */ (() => { look = null; });

/** @type {(files: number) => void} */
let fetch = () => {};
globalThis.PerformanceObserver = /** @type {any} */ (class {
  /** @param {(list: { getEntries: () => unknown[] }) => void} told */
  constructor(told) {
    fetch = (count) => told({ getEntries: () => Array.from({ length: count }, () => ({})) });
  }
  observe() {}
});

const { afterQuiet, filesHere } = await import("../../web/page/stall_timer.js");

/**
 * The second in which a patience of 20 s ended, of 300; or -1.
 * @param {(second: number) => number} takes ms from one look to the next
 * @param {(second: number) => number} files how many files are here
 * @param {number} endsAt the second in which the waiting is ended from outside
 */
function ended(takes, files, endsAt = 1000) {
  let second = 0;
  let found = -1;
  now = 0;
  const end = afterQuiet(20_000, () => { found = second; }, () => files(second));
  for (; second < 300 && look; ) {
    second += 1;
    now += takes(second);
    if (second === endsAt) end();
    else /** @type {() => void} */ (look)();
  }
  return found;
}

console.log(
  ended(() => 1000, () => 0), // nothing goes on
  ended((second) => (second <= 60 ? 4000 : 1000), () => 0), // 60 looks come late: the thread is at work
  ended(() => 1000, (second) => Math.min(second, 50)), // a file a second, fifty of them
  ended(() => 4000, () => 0), // at work for ever
  ended(() => 1000, () => 0, 10), // it was ended
);
fetch(250);
fetch(60);
console.log(filesHere()); // more than a browser keeps

