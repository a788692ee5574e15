// Starts in Node the interpreter of a page, has it import what every start of a page needs, and writes its memory as memory.mjs
// reads it: {python, library, application, memory, held} as JSON on standard input are the folder of its scripts, the two archives,
// and the files to write: the memory, and the names of the modules in it.
//
// The memory is the same whenever and wherever it is made: what differs is left out or set. Nothing of this machine is in it.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  dictionaryTable, HASH_MARK, NEAREST, NUMBERS, putBack, read, sumOf, TABLE_MARK, textHash,
} from "./memory.mjs";

const WORD = 4; // bytes
const STACK = 10_485_760; // bytes of the WebAssembly's stack, which ends where its heap begins
const GAP = 8; // words: as many that are alike between two runs travel with them
const FLAGS = 3; // of the lowest bits of an address in the list of Python's garbage collector, and of a piece's size in the heap
const IN_USE = 2;
const LINKS = 4; // words at the beginning of a free piece of the heap that say where others are; more in a large one
const LARGE_LINKS = 8;
const LARGE = 256; // bytes

// What differs from start to start goes: random numbers, what modules remember of archives and patterns. Everything that is left
// stays for good, so no collection has to look at it again.
const IMPORT = "from tabletin.app.main.beginning import import_plain; import_plain()";
const PREPARE = `
import gc, linecache, random, re, sys, zipimport
random.seed(0)
zipimport._zip_directory_cache.clear()
linecache.clearcache()
re.purge()
sys._clear_internal_caches()
for _ in range(3):
    gc.collect()
gc.freeze()
`;
const HELD = `
import json, sys
json.dumps(sorted(sys.modules))
`;
const ADDRESSES = `
import json, sys
json.dumps({"text": id(str), "tracked": id(sys.modules)})
`;

/** @typedef {{_module: {HEAPU8: Uint8Array, ___heap_base: number}, makeMemorySnapshot(): Uint8Array, runPython(code: string): string,
 *   FS: {writeFile(path: string, data: Uint8Array): void}}} Interpreter */

/**
 * A memory that has begun, and what stood in it before anything ran.
 * @param {{python: string, library: string, application: string}} made
 */
async function begin({ python, library, application }) {
  const { loadPyodide } = await import(pathToFileURL(`${python}/pyodide.mjs`).href);
  const { default: create } = await import(pathToFileURL(`${python}/pyodide.asm.mjs`).href);
  /** @type {Uint8Array} */
  let data = new Uint8Array();
  /** @param {any} settings Pyodide's own */
  const createPyodideModule = (settings) => {
    const complete = settings.instantiateWasm;
    settings.instantiateWasm = (/** @type {any} */ imports, /** @type {Function} */ receive) =>
      complete(imports, (/** @type {any} */ instance, /** @type {any} */ module) => {
        data = new Uint8Array(instance.exports.memory.buffer).slice();
        receive(instance, module);
      });
    return create(settings);
  };
  const lockFileContents = JSON.stringify({ info: JSON.parse(readFileSync(`${python}/info.json`, "utf8")), packages: {} });
  /** @type {Interpreter} */
  const py = await loadPyodide({
    indexURL: python, packageBaseUrl: "./", lockFileContents, stdLibURL: library, createPyodideModule, _makeSnapshot: true,
    env: { LANG: "en_US.UTF-8", PYTHONHASHSEED: "0" }, _sysExecutable: "./this.program",
  });
  py.FS.writeFile("/lib/tabletin.zip", readFileSync(application));
  py.runPython("import sys; sys.path.insert(0, '/lib/tabletin.zip')");
  return { py, data };
}

/**
 * The pieces of the heap that are used, or those that are free: where each begins, and its bytes. Each has two words before what it
 * holds: the size of the piece before, where that is free, and its own with flags.
 * @param {Uint32Array} words the memory
 * @param {number} heap where the heap begins
 * @param {number} end
 * @returns {Generator<[number, number]>}
 */
function* pieces(words, heap, end, used = IN_USE) {
  for (let at = heap; at < end;) {
    const head = words[at / WORD + 1];
    const size = head & ~7;
    if (size === 0) return;
    if ((head & IN_USE) === used) yield [at, size];
    at += size;
  }
}

/**
 * Where what the heap holds ends.
 * @param {Uint32Array} words the memory
 * @param {number} heap where the heap begins
 */
function endOf(words, heap) {
  let at = heap;
  while (words[at / WORD + 1] & ~7) at += words[at / WORD + 1] & ~7;
  return at + 2 * WORD;
}

/**
 * Fills what nothing uses with zeros: the stack, the free pieces of the heap, and what texts leave over.
 * @param {Uint32Array} words the memory
 * @param {Uint8Array} bytes the same
 * @param {number} heap
 * @param {number} end
 * @param {number} text the address of the type of texts
 */
function clear(words, bytes, heap, end, text) {
  words.fill(0, (heap - STACK) / WORD, heap / WORD);
  for (const [at, size] of pieces(words, heap, end, 0)) {
    words.fill(0, at / WORD + (size < LARGE ? LINKS : LARGE_LINKS), (at + size) / WORD);
  }
  for (const [at, size] of pieces(words, heap, end)) {
    const type = at / WORD + 3;
    if (words[type] !== text || words[type + 2] !== textHash(bytes, words, type)) continue;
    words[type + 3] &= 0xff; // of the word with its kind, the rest is never written
    const state = words[type + 3];
    const kind = (state >> 2) & 7;
    const from = (type + ((state >> 6) & 1 ? 4 : 6)) * WORD + (words[type + 1] + 1) * kind;
    bytes.fill(0, from, at + size + WORD);
  }
}

/**
 * Puts the garbage collector's list of what it need not look at into the order of addresses.
 * @param {Uint32Array} words
 * @param {number} tracked the address of an object in it
 */
function sortTracked(words, tracked) {
  const first = tracked / WORD - 2;
  const found = [];
  let at = first;
  do {
    found.push(at);
    at = (words[at] & ~FLAGS) / WORD;
  } while (at !== first);
  found.sort((one, other) => one - other);
  for (const [index, place] of found.entries()) {
    const [before, after] = [found.at(index - 1) ?? 0, found[(index + 1) % found.length]];
    words[place] = (after * WORD) | (words[place] & FLAGS);
    words[place + 1] = (before * WORD) | (words[place + 1] & FLAGS);
  }
  return found.length;
}

/**
 * Writes marks for the hashes of texts into `words`; how many.
 * @param {Uint32Array} words
 * @param {Uint8Array} bytes the same memory
 * @param {number} text the address of the type
 */
function markHashes(words, bytes, text) {
  const found = [];
  for (let at = 1; at < words.length - 6; at += 1) {
    if (words[at] === text && words[at + 1] < words.length && words[at + 2] === textHash(bytes, words, at)) found.push(at + 2);
  }
  for (const at of found) words[at] = HASH_MARK;
  return found.length;
}

/**
 * Writes marks for the tables of dictionaries into `words`.
 * @param {Uint32Array} words
 * @param {Uint8Array} bytes the same memory, without marks
 * @param {number} heap
 * @param {number} end
 */
function markTables(words, bytes, heap, end) {
  const before = new Uint32Array(bytes.buffer);
  for (const [at, size] of pieces(before, heap, end)) {
    const place = at / WORD + 7; // behind what the heap says, references, sizes, version, room and count
    const table = size > 8 * WORD ? dictionaryTable(bytes, before, place) : undefined;
    if (!table || table.some((word, index) => word !== before[place + index])) continue;
    words.fill(0, place, place + table.length);
    words[place] = TABLE_MARK;
  }
}

/**
 * The first of some numbers that no word of `words` is near.
 * @param {Uint32Array} words
 */
function findNear(words) {
  for (let near = 0x7f00_0000; near > 0x7000_0000; near -= 0x10_0000) {
    if (!words.some((word) => Math.abs(word - near) <= NEAREST)) return near;
  }
  throw new Error("Every number is taken.");
}

/**
 * `memory` as a file.
 * @param {{head: Uint8Array, memory: Uint8Array, data: Uint8Array, heap: number, end: number, text: number}} made
 */
function written({ head, memory, data, heap, end, text }) {
  const words = new Uint32Array(memory.slice().buffer);
  const before = new Uint32Array(data.buffer);
  const hashes = markHashes(words, memory, text);
  markTables(words, memory, heap, end);
  const near = findNear(words);
  for (let at = heap / WORD; at < end / WORD; at += 1) {
    const distance = words[at] / WORD - at;
    if (words[at] && Number.isInteger(distance) && Math.abs(distance) <= NEAREST) words[at] = near + distance;
  }
  const [table, runs] = [/** @type {number[]} */ ([]), /** @type {Uint32Array[]} */ ([])];
  let done = 0;
  for (let at = 0; at < end / WORD; at += 1) {
    if (words[at] === before[at]) continue;
    let [last, next] = [at, at + 1];
    for (; next <= last + GAP && next < end / WORD; next += 1) if (words[next] !== before[next]) last = next;
    table.push(at - done, last + 1 - at);
    runs.push(words.subarray(at, last + 1));
    done = last + 1;
    at = last;
  }
  let dataEnd = before.length * WORD;
  while (before[dataEnd / WORD - 1] === 0) dataEnd -= WORD;
  const numbers = { sum: 0, head: head.length, data: dataEnd, heap, end, text, near, runs: runs.length };
  const file = Buffer.concat([
    new Uint32Array(NUMBERS.map((name) => numbers[name])), head, new Uint32Array(table), ...runs,
  ].map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
  const whole = new Uint32Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  whole[0] = sumOf(whole.subarray(1));
  return { file: new Uint8Array(whole.buffer), hashes };
}

try {
  const order = JSON.parse(readFileSync(0, "utf8"));
  const { py, data } = await begin(order);
  py.runPython(IMPORT);
  const { text, tracked } = JSON.parse(py.runPython(ADDRESSES));
  const held = py.runPython(HELD);
  py.runPython(PREPARE);
  const snapshot = py.makeMemorySnapshot();
  const start = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1];
  const memory = snapshot.slice(start);
  const words = new Uint32Array(memory.buffer);
  const heap = py._module.___heap_base;
  const end = endOf(words, heap);
  clear(words, memory, heap, end, text);
  const listed = sortTracked(words, tracked);
  const { file, hashes } = written({ head: snapshot.slice(0, start), memory, data, heap, end, text });
  const again = data.slice();
  const pause = () => Promise.resolve();
  const known = await read(file, pause);
  await putBack(known, again, data.slice(0, known.numbers.data), pause);
  if (Buffer.compare(again.subarray(0, end), memory.subarray(0, end))) throw new Error("What is read back is another memory.");
  if (Math.min(listed, hashes) < 10_000) throw new Error(`Too little was found in the memory: ${listed}, ${hashes}`);
  writeFileSync(order.memory, file);
  writeFileSync(order.held, held);
  process.exit(0); // the interpreter would go on waiting
} catch (error) {
  console.error(String(/** @type {Error} */ (error).stack ?? error).slice(-2000));
  process.exit(1);
}
