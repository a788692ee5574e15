// One instance of the curve's module with its memory: rooms in it, points going in and coming out as libsodium encodes
// them. For `msm.js` and `steady.js`, which have one each. It decides nothing and compares nothing.

import { BASE, ELEMENT, HEAP, ONE, POINT, startCurve, ZERO } from "./curve.js";

const PAGE = 65536;

/** Resolves to the functions of `curve.js` and these. */
export async function startPoints() {
  const curve = await startCurve();
  let bytes = new Uint8Array(curve.memory.buffer);
  let free = HEAP;
  const [x, y, mask] = [room(ELEMENT), room(ELEMENT), room(8)];

  /** Room for `size` bytes, until `giveBack` is called with where it began. */
  function room(size) {
    const start = free;
    free += size;
    const missing = free - bytes.length;
    if (missing > 0) {
      curve.memory.grow(Math.ceil(missing / PAGE) + 16);
      bytes = new Uint8Array(curve.memory.buffer);
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

  /** Where x and y stand of the encoded point at `at`, until the next is asked for; the base's, if `at` is null. */
  function affine(at) {
    if (at === null) return BASE;
    curve.decode(x, y, mask, at);
    if (!bytes[mask]) throw new RangeError("not a point");
    return [x, y];
  }

  /** out, extended, of an encoded point or the base. */
  function point(out, at) {
    curve.makePoint(out, ...affine(at));
  }

  /** out, ready to be added, of an encoded point or the base. */
  function ready(out, at) {
    curve.makeReady(out, ...affine(at));
  }

  return { ...curve, room, giveBack, put, take, wipe, identity, point, ready, mark: () => free, POINT };
}
