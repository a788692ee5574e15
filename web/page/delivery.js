// Brings Python to a page on its first visit: its scripts and parts are fetched after the first paint, in an order that starves
// nothing that is seen, and counted on the way. Once the site is kept on the device (offline/service-worker.js), Python fetches
// them by itself.

import { inventory } from "./inventory.js";
import { languageOf } from "./startup_language.js";
import { steadyFetch } from "./steady_fetch.js";

/** @typedef {import("./inventory.js").SiteFile} SiteFile */

const PATIENCE = 2000; // ms that Python waits for the first paint, and for what is seen
const LOOK = 8000; // ms that a home page nobody touches is left to be looked at
const NEARLY = 0.9; // the part of a file after which the next is begun

/** @type {Map<string, Promise<Response>>} by address, what is on its way */
const deliveries = new Map();
/** @type {Map<SiteFile, number>} bytes that are here */
const here = new Map();
/** @type {Set<SiteFile>} what does not come through at the moment */
const failing = new Set();
/** @type {(done: number, all: number) => void} */
let onProgress = () => {};
/** @type {(failing: boolean) => void} */
let onTrouble = () => {};

/** What Python is made of here, the words of the reader's language included. */
function parts() {
  const words = inventory.words[languageOf(Object.keys(inventory.screens)) ?? ""];
  return words ? [...inventory.parts, words] : inventory.parts;
}

const files = () => [...inventory.scripts, ...parts()];

function report() {
  let [done, all] = [0, 0];
  for (const file of files()) {
    all += file.packed;
    done += file.packed * Math.min(1, (here.get(file) ?? 0) / file.size);
  }
  onProgress(done, all);
}

/**
 * @param {SiteFile} file
 * @param {(piece: Uint8Array<ArrayBuffer>) => void} use
 * @param {() => void} [onNearly]
 */
async function fetchFile(file, use, onNearly) {
  const tell = (/** @type {boolean} */ isFailing) => {
    if (isFailing) failing.add(file);
    else failing.delete(file);
    onTrouble(failing.size > 0);
  };
  for await (const piece of steadyFetch(file, tell, "low")) {
    const have = (here.get(file) ?? 0) + piece.length;
    here.set(file, have);
    use(piece);
    report();
    if (have >= NEARLY * file.size) onNearly?.();
  }
  here.set(file, file.size);
  report();
  onNearly?.();
}

/**
 * Begins to fetch a part; resolves when it is nearly here, so that the next may begin.
 * @param {SiteFile} file
 * @param {(response: Response) => void} give
 */
function begin(file, give) {
  return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    const body = new ReadableStream({
      async start(controller) {
        await fetchFile(file, (piece) => controller.enqueue(piece), resolve);
        controller.close();
      },
    });
    const type = file.address.endsWith(".wasm") ? "application/wasm" : "application/zip";
    give(new Response(body, { headers: { "Content-Type": type } }));
  });
}

/** Fetches the parts one after another. */
async function fetchParts() {
  /** @type {((response: Response) => void)[]} */
  const givers = [];
  const all = parts();
  for (const { address } of all) {
    deliveries.set(new URL(address, document.baseURI).href, new Promise((give) => givers.push(give)));
  }
  for (const [index, part] of all.entries()) await begin(part, givers[index]);
}

/** Starts PyScript; again, where its script does not come. */
function startPython(attempt = 0) {
  const script = document.createElement("script");
  script.type = "module";
  script.src = inventory.core + (attempt ? `?${attempt}` : "");
  script.addEventListener("error", () => setTimeout(startPython, 1000, attempt + 1));
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

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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

const WEBASSEMBLY = { headers: { "Content-Type": "application/wasm" } };
const EMPTY_MODULE = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** Whether this browser compiles WebAssembly from a stream that a script fills; not every browser does. */
function compilesStreams() {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(EMPTY_MODULE);
      controller.close();
    },
  });
  return WebAssembly.compileStreaming(new Response(stream, WEBASSEMBLY)).then(() => true, () => false);
}

/** @param {Promise<Response>} given */
async function compilable(given) {
  const response = await given;
  return (await compilesStreams()) ? response : new Response(await response.arrayBuffer(), WEBASSEMBLY);
}

/**
 * The part at `address` while it is delivered to this page; undefined where Python is to fetch it. Each is given once.
 * @param {string} address
 */
export function deliver(address) {
  const given = deliveries.get(address);
  deliveries.delete(address);
  return given && address.endsWith(".wasm") ? compilable(given) : given;
}

/**
 * Brings Python here.
 * @param {object} hooks
 * @param {(done: number, all: number) => void} hooks.progress told how many bytes of all are here
 * @param {(failing: boolean) => void} hooks.trouble told when nothing comes through, and when it does again
 * @param {Promise<unknown>} hooks.seen what is to be fetched before
 */
export async function bringPython({ progress, trouble, seen }) {
  [onProgress, onTrouble] = [progress, trouble];
  if (navigator.serviceWorker?.controller) {
    preload();
    startPython();
    return;
  }
  const touched = wanted();
  await Promise.race([Promise.all([painted(), seen, document.fonts.ready]), sleep(PATIENCE)]);
  fetchParts();
  await Promise.all(inventory.scripts.map((file) => fetchFile(file, () => {})));
  await touched;
  startPython();
}
