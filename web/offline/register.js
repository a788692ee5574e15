// Registers the service worker once the page stands, and tells when a new version waits. It never reloads by itself while
// a match is open in any tab: open matches hold the Web Lock "tabletin-match" (shared); see docs/offline.md.
//
// On the window: `tabletin.update` is {waiting, apply()}; event "tabletin:update" when `waiting` becomes true.

const MATCH_LOCK = "tabletin-match";

async function matchIsOpen() {
  if (!navigator.locks) return true; // nobody can tell
  const { held, pending } = await navigator.locks.query();
  return [...held, ...pending].some((lock) => lock.name === MATCH_LOCK);
}

let registration = null;
let reloading = false;

const update = {
  waiting: false,
  /** Lets the waiting version take over and reloads. Resolves to false, and does nothing, while a match is open anywhere. */
  async apply() {
    if (!registration?.waiting || (await matchIsOpen())) return false;
    registration.waiting.postMessage("activate");
    return true;
  },
};

function announce() {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  update.waiting = true;
  dispatchEvent(new CustomEvent("tabletin:update"));
}

async function register() {
  // The page that was loaded from the network is this version's already; only a page under an old worker has to reload.
  const controlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", async () => {
    if (!controlled || reloading || (await matchIsOpen())) return;
    reloading = true;
    location.reload();
  });
  registration = await navigator.serviceWorker.register("./service-worker.js");
  announce();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", announce);
  });
}

globalThis.tabletin = { ...globalThis.tabletin, update };
if ("serviceWorker" in navigator && isSecureContext) {
  // Fetching the site a second time must not slow down its first start.
  const start = () => register().catch((error) => console.info("Not kept for offline use:", error.message));
  if (document.documentElement.dataset.python === "ready") start();
  else addEventListener("py:done", start, { once: true });
}
