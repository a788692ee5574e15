// Once the site is kept on this device and the page has been open for a while, a worker starts Python a second time and keeps the
// memory it has then (workshop/inside/memory.mjs): later starts go on from there. It is done once for each version.

import { inventory } from "../page/inventory.js";

const AFTER = 60_000; // ms from Python's start: who only looks in shall not pay for it
const ROOM = 50_000_000; // bytes that must be free: the memory, and as much again

async function hasRoom() {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return quota - usage > ROOM;
}

const interpreter = () => new URL(inventory.interpreter, document.baseURI).href;

/** Lets the next start begin anew: this one does not come to its end. */
export async function forgetMemory() {
  const { forget } = await import(new URL("memory.mjs", interpreter()).href);
  await forget(interpreter());
}

async function keepMemory() {
  await navigator.serviceWorker.ready;
  if (!(await hasRoom())) return;
  const worker = new Worker(inventory.keeper, { type: "module" });
  worker.addEventListener("error", (event) => {
    event.preventDefault(); // the next start is as it was
    console.info("Not kept for quicker starts:", event.message);
  });
  worker.postMessage(interpreter());
}

/** Waits for Python, and then for a while. */
export function watchMemory() {
  if (!("serviceWorker" in navigator && isSecureContext)) return;
  const wait = () => setTimeout(keepMemory, AFTER);
  if (document.documentElement.dataset.python === "ready") wait();
  else addEventListener("py:done", wait, { once: true });
}
