// Registers the service worker once Python has started, and says when a new version waits. It never reloads while a match
// is open in any tab: open matches hold the Web Lock "tabletin-match", shared; see docs/offline.md.

const MATCH_LOCK = "tabletin-match";

async function isMatchOpen() {
  if (!navigator.locks) return true; // nobody can tell
  const { held = [], pending = [] } = await navigator.locks.query();
  return [...held, ...pending].some((lock) => lock.name === MATCH_LOCK);
}

/** @type {ServiceWorkerRegistration | null} */
let registration = null;
let reloading = false;

const update = {
  waiting: false,
  async apply() {
    if (!registration?.waiting || (await isMatchOpen())) return false;
    registration.waiting.postMessage("activate");
    return true;
  },
};

function announce() {
  if (!registration?.waiting || !navigator.serviceWorker.controller) return;
  update.waiting = true;
  dispatchEvent(new CustomEvent("tabletin:update"));
}

/** Where Python could not go on from its memory, it will start anew without a network, too. */
async function keepSpare() {
  if (document.documentElement.dataset.memory === "used") return;
  (await navigator.serviceWorker.ready).active?.postMessage("keep spare");
}

async function register() {
  // A page that was loaded from the network is of this version; only a page under an older service worker must reload.
  const isControlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", async () => {
    if (!isControlled || reloading || (await isMatchOpen())) return;
    reloading = true;
    location.reload();
  });
  registration = await navigator.serviceWorker.register("./service-worker.js");
  announce();
  keepSpare();
  registration.addEventListener("updatefound", () => {
    registration?.installing?.addEventListener("statechange", announce);
  });
}

Object.assign((globalThis.tabletin ??= {}), { update });
if ("serviceWorker" in navigator && isSecureContext) {
  // Fetching the site a second time must not slow down its first start.
  const start = () => register().catch((error) => console.info("Not kept for offline use:", error.message));
  if (document.documentElement.dataset.python === "ready") start();
  else addEventListener("py:done", start, { once: true });
}
