// The screen stays on while a hand is played among peers.

import { persist } from "./device.js";

/** @type {{lock?: WakeLockSentinel} | null} */
let request = null; // while the screen shall stay on; with the lock once the browser gave it

async function acquire() {
  if (!request || document.visibilityState !== "visible" || !navigator.wakeLock) return;
  try {
    const lock = await navigator.wakeLock.request("screen");
    if (request) request.lock = lock;
    else lock.release();
  } catch {
    // low battery, or not allowed here: the screen goes off as usual
  }
}

/**
 * Keeps the screen on from now on, or no longer. The first time, the browser is also asked to keep what is stored.
 * @param {boolean} wanted
 */
export function awake(wanted) {
  if (!wanted) {
    request?.lock?.release();
    request = null;
    return;
  }
  persist(); // refused: it is kept as long as anything else
  if (request) return;
  request = {};
  acquire();
}

document.addEventListener("visibilitychange", acquire); // a hidden page loses the lock
