// Downloads what Python is made of, away from the page's thread: its files one after another, each until all of it is here, the
// WebAssembly compiled while it arrives. A worker of the page (web/page/delivery.js); where none starts, the page imports this
// module and does the same by itself. Knows files and no page.

import { steadyFetch, tryAgain } from "../page/steady_fetch.js";

/** @typedef {import("../page/inventory.js").SiteFile} SiteFile */

/**
 * @typedef {object} Order
 * @property {SiteFile[]} scripts what is only to lie in the browser's cache
 * @property {SiteFile[]} parts what is handed over, in this order
 */

/**
 * What is told on the way: `progress`, bytes that are here and all, as they travel; `trouble`, whether nothing comes through;
 * `scripts`, that all of them are here; `part`, the address of one with what it holds.
 * @typedef {{progress: [number, number]} | {trouble: boolean} | {scripts: true} | {part: string, content: ArrayBuffer | WebAssembly.Module}
 *   | {failure: string}} News
 */

const NEARLY = 0.9; // the part of a file after which the next is begun
const BETWEEN = 100; // ms between two amounts that are told
const WEBASSEMBLY = { headers: { "Content-Type": "application/wasm" } };
const EMPTY_MODULE = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** @typedef {AsyncGenerator<Uint8Array<ArrayBuffer>, void>} Pieces */

/** @param {Pieces} pieces */
async function join(pieces) {
  const list = [];
  for await (const piece of pieces) list.push(piece);
  const whole = new Uint8Array(list.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of list) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole.buffer;
}

/** @param {Pieces} pieces */
const streamOf = (pieces) => new ReadableStream({
  async pull(controller) {
    const { done, value } = await pieces.next();
    if (done) controller.close();
    else controller.enqueue(value);
  },
});

/** Whether this browser compiles WebAssembly from a stream that a script fills; not every browser does. */
function compilesStreams() {
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  writer.write(EMPTY_MODULE);
  writer.close();
  return WebAssembly.compileStreaming(new Response(readable, WEBASSEMBLY)).then(() => true, () => false);
}

/** @param {Pieces} pieces */
async function compile(pieces) {
  if (await compilesStreams()) return WebAssembly.compileStreaming(new Response(streamOf(pieces), WEBASSEMBLY));
  return WebAssembly.compile(await join(pieces));
}

/**
 * Downloads all that is ordered, and tells how it goes.
 * @param {Order} order
 * @param {(news: News) => void} tell
 */
export async function download({ scripts, parts }, tell) {
  const files = [...scripts, ...parts];
  const travelling = files.reduce((sum, { packed }) => sum + packed, 0);
  /** @type {Map<SiteFile, number>} bytes that are here */
  const here = new Map();
  /** @type {Set<SiteFile>} what does not come through at the moment */
  const failing = new Set();
  let told = -BETWEEN;

  const report = () => {
    const done = files.reduce((sum, file) => sum + file.packed * Math.min(1, (here.get(file) ?? 0) / file.size), 0);
    const now = performance.now();
    if (now - told < BETWEEN && done < travelling) return;
    told = now;
    tell({ progress: [done, travelling] });
  };

  /**
   * @param {SiteFile} file
   * @param {() => void} [onNearly]
   * @returns {Pieces}
   */
  async function* piecesOf(file, onNearly) {
    const say = (/** @type {boolean} */ isFailing) => {
      if (isFailing) failing.add(file);
      else failing.delete(file);
      tell({ trouble: failing.size > 0 });
    };
    for await (const piece of steadyFetch(file, say, "low")) {
      const have = (here.get(file) ?? 0) + piece.length;
      here.set(file, have);
      yield piece;
      report();
      if (have >= NEARLY * file.size) onNearly?.();
    }
    here.set(file, file.size);
    report();
  }

  async function keepScripts() {
    await Promise.all(scripts.map((script) => join(piecesOf(script)))); // what is read lies in the browser's cache
    tell({ scripts: true });
  }

  /**
   * Begins with one part. Resolves when it is nearly here, so that the next may begin.
   * @param {SiteFile} part
   */
  function begin(part) {
    return new Promise((/** @type {(handedOver: {end: Promise<void>}) => void} */ resolve, reject) => {
      const pieces = piecesOf(part, () => resolve({ end }));
      const content = part.address.endsWith(".wasm") ? compile(pieces) : join(pieces);
      const end = content.then((whole) => tell({ part: part.address, content: whole }));
      end.then(() => resolve({ end }), reject);
    });
  }

  async function handOver() {
    const ends = [];
    for (const part of parts) ends.push((await begin(part)).end);
    await Promise.all(ends);
  }

  report();
  await Promise.all([keepScripts(), handOver()]);
}

/** @param {News} news */
function post(news) {
  postMessage(news, { transfer: "content" in news && news.content instanceof ArrayBuffer ? [news.content] : [] });
}

/** @param {MessageEvent<Order | "again">} event */
async function hear({ data }) {
  if (data === "again") {
    tryAgain();
    return;
  }
  try {
    await download(data, post);
  } catch (error) {
    post({ failure: String(error) });
  }
  close();
}

if (!globalThis.document) addEventListener("message", hear);
export { tryAgain };
