// One instance of the curve's module with its memory: rooms in it, points going in and coming out as libsodium encodes
// them. For `msm.js` and `steady.js`, which have one each. It decides nothing. Decoding costs a square root, and a deck
// comes again and again, so the last few thousand points are remembered; how long that takes follows from the points alone.

import { BASE, ELEMENT, HEAP, ONE, POINT, startCurve, ZERO } from "./curve.js";

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
  const mask = room(8);
  const slots = room(REMEMBERED * SLOT);
  const known = new Map(); // from the first 48 bits of a point to its slot

  /** Room for `size` bytes, until `giveBack` is called with where it began. */
  function room(size) {
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

  /** Frees everything from there on. */
  function giveBack(start) {
    free = start;
  }

  /** Copies bytes into a room of their own. */
  function put(data) {
    const start = room(data.length);
    bytes.set(data, start);
    return start;
  }

  const take = (at, length) => bytes.slice(at, at + length);
  const wipe = (at, length) => bytes.fill(0, at, at + length);
  const identity = (out) => curve.makePoint(out, ZERO, ONE);
  const nameOf = (at) => words[at / 4] + (words[at / 4 + 1] & 0xffff) * 2 ** 32;

  function isIn(slot, at) {
    for (let k = 0; k < ENCODED; k += 4) {
      if (words[(slot + 2 * ELEMENT + k) / 4] !== words[(at + k) / 4]) return false;
    }
    return true;
  }

  /** A slot for what the encoded point at `at` is: its x and y are the caller's to fill in. */
  function slotFor(at) {
    if (known.size === REMEMBERED) known.clear();
    const slot = known.get(nameOf(at)) ?? slots + known.size * SLOT;
    known.set(nameOf(at), slot);
    bytes.copyWithin(slot + 2 * ELEMENT, at, at + ENCODED);
    return slot;
  }

  /** Where x and y stand of the encoded point at `at`, until the next is asked for; the base's, if `at` is null. */
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

  /** Remembers an extended point that is encoded at `at`, by the inverse of its Z. */
  function remember(at, point, inverse) {
    const slot = slotFor(at);
    curve.multiply(slot, point, inverse);
    curve.multiply(slot + ELEMENT, point + ELEMENT, inverse);
  }

  /** out, extended, of an encoded point or the base. */
  function point(out, at) {
    curve.makePoint(out, ...affine(at));
  }

  /** out, ready to be added, of an encoded point or the base. */
  function ready(out, at) {
    curve.makeReady(out, ...affine(at));
  }

  return { ...curve, room, giveBack, mark: () => free, put, take, wipe, identity, remember, point, ready };
}
