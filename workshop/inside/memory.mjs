// The memory of an interpreter that has started, kept on this device: the next start goes on from there instead of beginning
// anew. It lies in the cache that keeps this version of the site, and goes when that goes. Of the memory only the pages that
// hold something are kept, behind a table of where they belong. Knows no Python.

const PAGE = 65_536; // bytes
const HASH = 32; // bytes of a SHA-256
const WORD = 4; // bytes of a number in the table: how long the memory is, how many pages follow, the index of each

/** @param {string} version the address of the interpreter's module, which names all that the memory was made from */
const addressOf = (version) => `${version}?memory`;

/** @param {Uint8Array} page */
const isBlank = (page) => new BigUint64Array(page.buffer, page.byteOffset, page.byteLength >> 3).every((word) => word === 0n);

/**
 * `memory` without its blank pages, behind the hash of what is left.
 * @param {Uint8Array<ArrayBuffer>} memory
 */
export async function packed(memory) {
  const pages = Array.from({ length: Math.ceil(memory.length / PAGE) }, (_, index) => index);
  const at = (/** @type {number} */ index) => memory.subarray(index * PAGE, (index + 1) * PAGE);
  const kept = pages.filter((index) => !isBlank(at(index)));
  const content = await new Blob([new Uint32Array([memory.length, kept.length, ...kept]), ...kept.map(at)]).arrayBuffer();
  return new Blob([await crypto.subtle.digest("SHA-256", content), content]);
}

/**
 * The memory that `packed` was made from. Throws `RangeError` where a bit of it is another.
 * @param {ArrayBuffer} bytes
 */
export async function unpacked(bytes) {
  const [hash, content] = [new Uint8Array(bytes, 0, HASH), new Uint8Array(bytes, HASH)];
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (found.some((byte, index) => byte !== hash[index])) throw new RangeError("not the memory that was kept");
  const [length, count] = new Uint32Array(bytes, HASH, 2);
  const memory = new Uint8Array(length);
  let from = HASH + (2 + count) * WORD;
  for (const index of new Uint32Array(bytes, HASH + 2 * WORD, count)) {
    const page = new Uint8Array(bytes, from, Math.min(PAGE, length - index * PAGE));
    memory.set(page, index * PAGE);
    from += page.length;
  }
  return memory;
}

/**
 * The memory kept for `version`; nothing where there is none.
 * @param {string} version
 */
export async function keptMemory(version) {
  const response = await globalThis.caches?.match(addressOf(version)).catch(() => undefined); // a browser may keep nothing
  if (!response) return undefined;
  try {
    return await unpacked(await response.arrayBuffer());
  } catch {
    await forget(version);
    return undefined; // Python starts anew, which takes longer and is as good
  }
}

/**
 * Keeps `memory` for `version`; false where the site itself is not kept.
 * @param {string} version
 * @param {Uint8Array<ArrayBuffer>} memory
 */
export async function keep(version, memory) {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    if (!(await cache.match(version))) continue;
    await cache.put(addressOf(version), new Response(await packed(memory)));
    return true;
  }
  return false;
}

/**
 * Deletes what was kept for `version`.
 * @param {string} version
 */
export async function forget(version) {
  for (const name of await caches.keys()) await (await caches.open(name)).delete(addressOf(version));
}
