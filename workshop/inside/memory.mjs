// The memory of an interpreter that has started, as the build made it (make_memory.mjs): a start puts it back and goes on from
// there instead of beginning anew. Written are the runs of words in which it differs from the memory that the WebAssembly's own
// data make. Some words are left out, because they can be worked out again: distances stand in place of addresses that are near, and
// marks in place of the hashes of texts and of the tables by which dictionaries find their entries. Knows no page.

/**
 * The numbers at the beginning of the file, 32 bits each as all that follows: `sum` of what follows it; `head`, how long Pyodide's
 * own head of a memory is in bytes; `data`, where the WebAssembly's data end; `heap`, where the heap begins, and `end` of what is in
 * it; `text`, the address of Python's type of texts; `near`, the number that means distance 0; `runs`, how many there are.
 * Then come Pyodide's head, for each run how many words lie between it and the one before and how many it has, and their words.
 */
export const NUMBERS = /** @type {const} */ (["sum", "head", "data", "heap", "end", "text", "near", "runs"]);
export const NEAREST = 256; // words: nearer addresses are written as distances
export const HASH_MARK = 0x7e57_ba5e; // stands for a text's hash
export const TABLE_MARK = 0x7ab1_eba5; // stands at the beginning of a dictionary's table, the rest of which is 0

const SLICE = 200_000; // words between two pauses
const SOME = 2000; // hashes or tables between two pauses
const FACTOR = 0x0100_0193; // of FNV-1a
const WORD = 4; // bytes

/** @typedef {Record<typeof NUMBERS[number], number>} Numbers */

/** @param {Uint32Array} words */
export const numbersOf = (words) => /** @type {Numbers} */ (Object.fromEntries(NUMBERS.map((name, index) => [name, words[index]])));

/**
 * The sum of `words`, begun with that of what came before.
 * @param {Uint32Array} words
 */
export function sumOf(words, sum = 0x811c_9dc5) {
  let found = sum;
  for (const word of words) found = Math.imul(found ^ word, FACTOR);
  return found >>> 0;
}

const MULTIPLIER = 1_000_003;

/**
 * The hash that Python gives the `length` bytes from `at` on with PYTHONHASHSEED=0, 32 bits: its FNV, which is what WebAssembly's has.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} length
 */
export function hashOf(bytes, at, length) {
  if (length === 0) return 0;
  const end = at + length;
  const single = end - (length % WORD || WORD); // the last bytes are taken one by one, the others as words
  let hash = bytes[at] << 7;
  for (let place = at; place < single; place += WORD) {
    hash = Math.imul(hash, MULTIPLIER)
      ^ (bytes[place] | (bytes[place + 1] << 8) | (bytes[place + 2] << 16) | (bytes[place + 3] << 24));
  }
  for (let place = single; place < end; place += 1) hash = Math.imul(hash, MULTIPLIER) ^ bytes[place];
  hash = (hash ^ length) >>> 0;
  return hash === 0xffff_ffff ? 0xffff_fffe : hash;
}

/**
 * The hash of the text whose type stands at the word `type`; undefined where no text's bytes follow.
 * @param {Uint8Array} bytes
 * @param {Uint32Array} words the same memory
 * @param {number} type
 */
export function textHash(bytes, words, type) {
  const [length, state] = [words[type + 1], words[type + 3]];
  const [kind, isCompact, isAscii] = [(state >> 2) & 7, (state >> 5) & 1, (state >> 6) & 1];
  const at = (type + (isAscii ? 4 : 6)) * WORD; // behind length, hash, state, and what only other texts have
  if (!isCompact || ![1, 2, 4].includes(kind) || at + length * kind > bytes.length) return undefined;
  return hashOf(bytes, at, length * kind);
}

/**
 * The table of a dictionary, whose first word is at `at`: where each of its entries is found, from their order and hashes, as Python
 * fills a new one. Undefined where there is no dictionary, or an entry was deleted.
 * @param {Uint8Array} bytes
 * @param {Uint32Array} words the same memory
 * @param {number} at
 */
export function dictionaryTable(bytes, words, at) {
  const [slotBits, tableBits, kind] = bytes.subarray((at - 4) * WORD); // logarithms: of its slots, and of the table's bytes
  const count = words[at - 1];
  const width = tableBits - slotBits;
  if (slotBits < 3 || slotBits > 20 || width < 0 || width > 2 || kind > 2 || count > 2 ** slotBits) return undefined;
  const Numbers = [Uint8Array, Uint16Array, Uint32Array][width];
  const empty = 2 ** (8 << width) - 1;
  const table = new Numbers(2 ** slotBits).fill(empty);
  const mask = table.length - 1;
  const entryWords = kind === 0 ? 3 : 2; // hash, key, value; where all keys are texts, they know their hashes
  let entry = at + 2 ** tableBits / WORD;
  if (entry + count * entryWords > words.length) return undefined;
  for (let index = 0; index < count; index += 1, entry += entryWords) {
    const key = words[entry + (kind === 0 ? 1 : 0)];
    if (key === 0) return undefined;
    const hash = kind === 0 ? words[entry] : words[key / WORD + 3];
    let slot = hash & mask;
    for (let rest = hash; table[slot] !== empty;) {
      rest >>>= 5;
      slot = (slot * 5 + rest + 1) & mask;
    }
    table[slot] = index;
  }
  return new Uint32Array(table.buffer);
}

/** @param {Uint8Array} file */
const isGzip = (file) => file[0] === 0x1f && file[1] === 0x8b;

/**
 * What a host that packs nothing gives out of a memory is packed in itself.
 * @param {Uint8Array<ArrayBuffer>} file
 */
export async function unpacked(file) {
  if (!isGzip(file)) return file;
  const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A memory as its file has it. Throws `RangeError` where a bit of it is another.
 * @param {Uint8Array<ArrayBuffer>} file unpacked
 * @param {() => Promise<void>} pause
 */
export async function read(file, pause) {
  if (file.length % WORD || file.length < NUMBERS.length * WORD) throw new RangeError("not a whole memory");
  const words = new Uint32Array(file.buffer, file.byteOffset, file.length / WORD);
  const numbers = numbersOf(words);
  let sum;
  for (let at = 1; at < words.length; at += SLICE) {
    sum = sumOf(words.subarray(at, at + SLICE), sum);
    await pause();
  }
  if (sum !== numbers.sum) throw new RangeError("not the memory that was made");
  const first = NUMBERS.length + numbers.head / WORD;
  return {
    numbers, head: file.subarray(NUMBERS.length * WORD, first * WORD),
    table: words.subarray(first, first + 2 * numbers.runs), words: words.subarray(first + 2 * numbers.runs),
  };
}

/**
 * Puts a memory back, with pauses.
 * @param {Awaited<ReturnType<typeof read>>} memory
 * @param {Uint8Array} bytes the interpreter's memory
 * @param {Uint8Array} data what stood there up to `data` before anything ran
 * @param {() => Promise<void>} pause
 */
export async function putBack({ numbers, table, words }, bytes, data, pause) {
  const into = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD);
  bytes.set(data);
  bytes.fill(0, numbers.heap, numbers.end);
  await pause();
  const nearest = numbers.near - NEAREST;
  let [to, from, pauseAt] = [0, 0, SLICE];
  const [marked, tables] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let run = 0; run < table.length; run += 2) {
    to += table[run];
    for (const end = to + table[run + 1]; to < end; to += 1, from += 1) {
      const word = words[from];
      const distance = word - nearest;
      if (distance >= 0 && distance <= 2 * NEAREST) into[to] = (to + distance - NEAREST) * WORD;
      else {
        into[to] = word;
        if (word === HASH_MARK && into[to - 2] === numbers.text) marked.push(to - 2);
        else if (word === TABLE_MARK) tables.push(to);
      }
    }
    if (from > pauseAt) {
      await pause();
      pauseAt = from + SLICE;
    }
  }
  for (const [index, type] of marked.entries()) {
    into[type + 2] = /** @type {number} */ (textHash(bytes, into, type));
    if (index % SOME === 0) await pause();
  }
  for (const [index, at] of tables.entries()) {
    into.set(/** @type {Uint32Array} */ (dictionaryTable(bytes, into, at)), at);
    if (index % SOME === 0) await pause();
  }
}

/** @param {string} version the address of the interpreter's module, which names all that the memory was made from */
const markOf = (version) => `${version}?anew`;

/**
 * Whether this device starts `version` anew, because it could not go on from the memory.
 * @param {string} version
 */
export async function isRefused(version) {
  try {
    return Boolean(await globalThis.caches?.match(markOf(version)));
  } catch {
    return false; // a browser may keep nothing
  }
}

/**
 * Lets later starts of `version` begin anew, once the site is kept on this device.
 * @param {string} version
 */
export async function refuse(version) {
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    const cache = await caches.open(name);
    if (await cache.match(version)) await cache.put(markOf(version), new Response());
  }
}
