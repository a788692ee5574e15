// Keeps the whole site for use without a network. Cache first: what the page got once, it gets again, the same version
// throughout. A new version is fetched beside the old one and waits until a page says that it may take over; see
// docs/offline.md for who may say so and when. The build fills in the version and the files.

const VERSION = "VERSION";
const FILES = "FILES"; // address → hash of its content, or "" where the address itself holds the hash
const CACHE = `tabletin ${VERSION}`;
const HOME = new URL("index.html", location).href;
const ADDRESSES = new Set(Object.keys(FILES).map((name) => new URL(name, location).href));

async function fetched(name) {
  const address = new URL(name, location).href;
  if (FILES[name] === "") {
    const known = await caches.match(address);
    if (known) return known;
  }
  const response = await fetch(address, FILES[name] === "" ? {} : { cache: "no-cache" });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

async function keep() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    Object.keys(FILES).map(async (name) => cache.put(new URL(name, location).href, await fetched(name))),
  );
}

// The version before this one stays: a tab that was opened under it may still ask for one of its files.
async function forget() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("tabletin "));
  const old = ours.filter((name) => name !== CACHE);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

async function answer(request) {
  const url = new URL(request.url);
  url.hash = "";
  url.search = "";
  const address = request.mode === "navigate" || url.href === new URL("./", location).href ? HOME : url.href;
  if (ADDRESSES.has(address)) {
    const kept = await (await caches.open(CACHE)).match(address);
    if (kept) return kept;
  }
  return (await caches.match(address)) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forget().then(() => clients.claim())));
addEventListener("message", (event) => {
  if (event.data === "activate") event.waitUntil(skipWaiting());
});
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(new URL("./", location).href)) event.respondWith(answer(event.request));
});
