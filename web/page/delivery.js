// Brings Python to a page on its first visit: its scripts and parts are downloaded after the first paint, in an order that starves
// nothing that is seen, and counted on the way. A worker does it (web/workers/downloads.js), so that the page's thread is free;
// where none starts, the page does the same by itself. Once the site is kept on the device (offline/service-worker.js), Python
// fetches its parts by itself.

import { inventory } from "./inventory.js";
import { languageOf } from "./startup_language.js";

/** @typedef {import("../workers/downloads.js").News} News */
/** @typedef {import("../workers/downloads.js").Order} Order */
/** @typedef {import("./inventory.js").SiteFile} SiteFile */

const PATIENCE = 2000; // ms that Python waits for the first paint, and for what is seen
const LOOK = 8000; // ms that a home page nobody touches is left to be looked at
const SILENCE = 15_000; // ms that a worker may say nothing before its first word
const AGAIN = 1000; // ms before a script is asked for again

/** @typedef {ArrayBuffer | WebAssembly.Module} Content */
/** @type {Map<string, Promise<Content>>} by address, what is on its way */
const deliveries = new Map();
/** @type {Map<string, (content: Content) => void>} by address, what resolves it */
const givers = new Map();
/** Begins the next attempts at once. */
let again = () => {};

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} address */
const absolute = (address) => new URL(address, document.baseURI).href;

/** What Python is made of here, the words of the reader's language included. */
function parts() {
  const words = inventory.words[languageOf(Object.keys(inventory.screens)) ?? ""];
  return words ? [...inventory.parts, words] : inventory.parts;
}

/** What is to be downloaded: the parts are awaited from now on. */
function order() {
  const whole = (/** @type {SiteFile} */ file) => ({ ...file, address: absolute(file.address) });
  const found = { scripts: inventory.scripts.map(whole), parts: parts().map(whole) };
  for (const { address } of found.parts) deliveries.set(address, new Promise((give) => givers.set(address, give)));
  return found;
}

const downloads = () => /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="x-downloads"]')).href;

/**
 * Starts a worker at once, and has it download what is ordered. Calls `instead` where it does not.
 * @param {Promise<Order>} ordering
 * @param {(news: News) => void} hear
 * @param {(ordered: Order) => void} instead
 */
async function haveDownloaded(ordering, hear, instead) {
  /** @type {Worker | null} */
  let worker = null;
  const stop = () => {
    if (worker) ordering.then(instead);
    worker?.terminate();
    worker = null;
  };
  const giveUp = (/** @type {Event} */ event) => {
    event.preventDefault();
    stop();
  };
  try {
    worker = new Worker(downloads(), { type: "module" });
  } catch {
    instead(await ordering);
    return;
  }
  worker.addEventListener("error", giveUp, { once: true });
  worker.addEventListener("messageerror", giveUp, { once: true });
  const ordered = await ordering;
  const timer = setTimeout(stop, SILENCE);
  worker?.addEventListener("message", ({ data }) => {
    clearTimeout(timer);
    if (data.failure) stop();
    else hear(data);
  });
  worker?.postMessage(ordered);
  again = () => worker?.postMessage("again");
}

/**
 * Downloads what is ordered on the page's own thread.
 * @param {Order} ordered
 * @param {(news: News) => void} hear
 * @returns {Promise<void>}
 */
async function downloadHere(ordered, hear, attempt = 0) {
  /** @type {typeof import("../workers/downloads.js")} */
  let module;
  try {
    module = await import(downloads() + (attempt ? `?${attempt}` : ""));
  } catch {
    hear({ trouble: attempt > 0 });
    await sleep(AGAIN);
    return downloadHere(ordered, hear, attempt + 1);
  }
  again = module.tryAgain;
  hear({ trouble: false });
  return module.download(ordered, hear);
}

/** Begins the next attempts at what does not come through at once. */
export const tryAgain = () => again();

/** Begins with the module that PyScript will ask for: what it brings is then on its way while PyScript's own script starts. */
function beginInterpreter() {
  import(new URL(inventory.interpreter, document.baseURI).href).catch(() => {}); // PyScript asks for it again, and says so
}

/** Starts PyScript; again, where its script does not come. */
function startPython(attempt = 0) {
  const script = document.createElement("script");
  script.type = "module";
  script.src = inventory.core + (attempt ? `?${attempt}` : "");
  script.addEventListener("error", () => setTimeout(startPython, AGAIN, attempt + 1));
  document.head.append(script);
}

function preload() {
  for (const { address } of inventory.scripts) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = address;
    document.head.append(link);
  }
}

/** When something was painted; at once in a tab that nobody sees. */
function painted() {
  return document.hidden ? undefined : new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/**
 * When Python is wanted: at the first touch, or once the home page was looked at for a moment. Its start keeps a slow phone busy for
 * seconds, in which nothing scrolls well. Any other screen wants it at once.
 */
function wanted() {
  if (!["", "#/"].includes(location.hash)) return undefined;
  return Promise.race([sleep(LOOK), ...["pointerdown", "pointermove", "wheel", "keydown", "hashchange"].map(
    (type) => new Promise((resolve) => addEventListener(type, resolve, { once: true, capture: true, passive: true })))]);
}

/**
 * The part at `address` while it is delivered to this page, compiled where it is WebAssembly; undefined where Python is to fetch it.
 * Each is given once.
 * @param {string} address
 */
export function deliver(address) {
  const given = deliveries.get(address);
  deliveries.delete(address);
  return given;
}

/**
 * Brings Python here.
 * @param {object} hooks
 * @param {(done: number, all: number) => void} hooks.progress told how many bytes of all are here
 * @param {(failing: boolean) => void} hooks.trouble told when nothing comes through, and when it does again
 * @param {Promise<unknown>} hooks.seen what is to be fetched before
 */
export async function bringPython({ progress, trouble, seen }) {
  if (navigator.serviceWorker?.controller) {
    preload();
    beginInterpreter();
    startPython();
    return;
  }
  const touched = wanted();
  const ordering = Promise.race([Promise.all([painted(), seen, document.fonts.ready]), sleep(PATIENCE)]).then(order);
  await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    const hear = (/** @type {News} */ news) => {
      if ("progress" in news) progress(...news.progress);
      else if ("trouble" in news) trouble(news.trouble);
      else if ("part" in news) givers.get(news.part)?.(news.content);
      else if ("scripts" in news) resolve();
    };
    haveDownloaded(ordering, hear, (ordered) => downloadHere(ordered, hear));
  });
  await touched;
  preload();
  beginInterpreter();
  startPython();
}
