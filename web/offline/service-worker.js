// Stores the whole site for use without a network, and answers from what it stored: a page and all it loads later are of
// one version. A new version is stored beside the old one and waits until a page lets it take over; docs/offline.md says
// when a page may. The build fills in the version and the files.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const VERSION = "VERSION";
/** @type {Record<string, string>} address → hash of its content, or "" where the address itself holds the hash */
// @ts-expect-error: the build puts the list in place of this text
const FILES = "FILES";
/** @type {string[]} what only a device needs on which Python cannot go on from its memory */
// @ts-expect-error: the build puts the list in place of this text
const SPARE = "SPARE";
const CACHE = `tabletin ${VERSION}`;
const ROOT = new URL("./", location.href).href;
const HOME = new URL("index.html", ROOT).href;
const ADDRESSES = new Set([...Object.keys(FILES), ...SPARE].map((name) => new URL(name, ROOT).href));

/**
 * One file of this version, from the network or from the version before.
 * @param {string} name
 */
async function load(name) {
  const address = new URL(name, ROOT).href;
  const isHashed = FILES[name] === "";
  const stored = isHashed && (await caches.match(address));
  if (stored) return stored;
  const response = await fetch(address, isHashed ? {} : { cache: "no-cache" });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

async function storeAll() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.keys(FILES).map(async (name) => cache.put(new URL(name, ROOT).href, await load(name))));
}

/** Keeps what a start anew needs, too. */
async function storeSpare() {
  const cache = await caches.open(CACHE);
  for (const name of SPARE) {
    const address = new URL(name, ROOT).href;
    if (!(await cache.match(address))) await cache.add(address);
  }
}

/** Deletes old versions, except the one before this: a tab that was opened under it may still ask for its files. */
async function deleteOld() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("tabletin "));
  const old = ours.filter((name) => name !== CACHE);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function answer(request) {
  const url = new URL(request.url);
  url.hash = "";
  url.search = "";
  const address = request.mode === "navigate" || url.href === ROOT ? HOME : url.href;
  if (ADDRESSES.has(address)) {
    const stored = await (await caches.open(CACHE)).match(address);
    if (stored) return stored;
  }
  return (await caches.match(address)) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(storeAll()));
worker.addEventListener("activate", (event) => event.waitUntil(deleteOld().then(() => worker.clients.claim())));
worker.addEventListener("message", (event) => {
  if (event.data === "activate") event.waitUntil(worker.skipWaiting());
  if (event.data === "keep spare") event.waitUntil(storeSpare());
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openAgain(String(event.notification.data)));
});
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(ROOT)) event.respondWith(answer(event.request));
});

/**
 * Shows the page that called somebody back; where it was closed meanwhile, opens it again.
 * @param {string} address
 */
async function openAgain(address) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => one.url === address) ?? pages[0];
  await (page ? page.focus() : worker.clients.openWindow(address));
}
