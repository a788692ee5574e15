// One instance of the curve's module with its memory: it allocates, and copies points in and out as libsodium encodes them.
// `multi_scalar.js` and `constant_time.js` have one each. Decoding costs a square root, and a deck comes again and again,
// so the last few thousand points are remembered. How long that takes depends on the points alone.

import { BASE, ELEMENT, HEAP, ONE, startCurve, ZERO } from "./curve.js";

const PAGE = 65536;
const ENCODED = 32;
const REMEMBERED = 4096;
const SLOT = 2 * ELEMENT + ENCODED; // x, y and what they are the decoding of

/** Resolves to the functions of `curve.js` and these. */
export async function startPoints() {
  const curve = await startCurve();
  let bytes = new Uint8Array(curve.memory.buffer);
  let words = new Uint32Array(curve.memory.buffer);
  let free = HEAP;
  const mask = allocate(8);
  const slots = allocate(REMEMBERED * SLOT);
  /** @type {Map<number, number>} */
  const known = new Map(); // from the first 48 bits of a point to its slot

  /**
   * Allocates `size` bytes; `release` of their address frees them.
   * @param {number} size
   */
  function allocate(size) {
    const start = free;
    free += size;
    const missing = free - bytes.length;
    if (missing > 0) {
      curve.memory.grow(Math.ceil(missing / PAGE) + 16);
      bytes = new Uint8Array(curve.memory.buffer);
      words = new Uint32Array(curve.memory.buffer);
    }
    return start;
  }

  /**
   * Frees everything from there on.
   * @param {number} start
   */
  function release(start) {
    free = start;
  }

  /**
   * Copies bytes into newly allocated memory.
   * @param {Uint8Array} data
   */
  function copyIn(data) {
    const start = allocate(data.length);
    bytes.set(data, start);
    return start;
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  const copyOut = (at, length) => bytes.slice(at, at + length);
  /**
   * @param {number} at
   * @param {number} length
   */
  const wipe = (at, length) => bytes.fill(0, at, at + length);
  /** @param {number} out */
  const identity = (out) => curve.makePoint(out, ZERO, ONE);
  /** @param {number} at */
  const nameOf = (at) => words[at / 4] + (words[at / 4 + 1] & 0xffff) * 2 ** 32;

  /**
   * @param {number} slot
   * @param {number} at
   */
  function isIn(slot, at) {
    for (let k = 0; k < ENCODED; k += 4) {
      if (words[(slot + 2 * ELEMENT + k) / 4] !== words[(at + k) / 4]) return false;
    }
    return true;
  }

  /**
   * A slot for what the encoded point at `at` is: its x and y are the caller's to fill in.
   * @param {number} at
   */
  function slotFor(at) {
    if (known.size === REMEMBERED) known.clear();
    const slot = known.get(nameOf(at)) ?? slots + known.size * SLOT;
    known.set(nameOf(at), slot);
    bytes.copyWithin(slot + 2 * ELEMENT, at, at + ENCODED);
    return slot;
  }

  /**
   * Where x and y stand of the encoded point at `at`, until the next is asked for; the base's, if `at` is null.
   * @param {number | null} at
   */
  function affine(at) {
    if (at === null) return BASE;
    let slot = known.get(nameOf(at));
    if (slot === undefined || !isIn(slot, at)) {
      slot = slotFor(at);
      curve.decode(slot, slot + ELEMENT, mask, at);
      if (!bytes[mask]) {
        known.clear();
        throw new RangeError("not a point");
      }
    }
    return [slot, slot + ELEMENT];
  }

  /**
   * Remembers an extended point that is encoded at `at`, by the inverse of its Z.
   * @param {number} at
   * @param {number} extended
   * @param {number} inverse
   */
  function remember(at, extended, inverse) {
    const slot = slotFor(at);
    curve.multiply(slot, extended, inverse);
    curve.multiply(slot + ELEMENT, extended + ELEMENT, inverse);
  }

  /**
   * out, extended, of an encoded point or the base.
   * @param {number} out
   * @param {number | null} at
   */
  function point(out, at) {
    curve.makePoint(out, ...affine(at));
  }

  /**
   * out, in Niels form, of an encoded point or the base.
   * @param {number} out
   * @param {number | null} at
   */
  function niels(out, at) {
    curve.makeNiels(out, ...affine(at));
  }

  return { ...curve, allocate, release, mark: () => free, copyIn, copyOut, wipe, identity, remember, point, niels };
}
