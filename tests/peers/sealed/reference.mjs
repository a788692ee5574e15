// What the tests of the browser's sums share: random points and scalars, the awkward ones, and libsodium's own answer.

Object.assign(globalThis, { self: globalThis }); // libsodium looks for its randomness there

const { default: startSodium } = await import("libsodium-sumo");
export const sodium = await startSodium();

export const scratch = sodium._malloc(256);
/** @type {(from: number, length: number) => Uint8Array} */
export const bytes = (from, length) => sodium.HEAPU8.slice(from, from + length);
/** @param {Uint8Array} data */
export const hex = (data) => Buffer.from(data).toString("hex");

// A small generator of our own, so that a failure can be seen again.
let seed = 20261121;
export const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8) & 0xff;
/** @param {number} count */
const randomBytes = (count) => Uint8Array.from({ length: count }, random);

/** @type {Uint8Array} */
export const BASE = Buffer.from("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76", "hex");
const ORDER = Buffer.from("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010", "hex");

/** @returns {Uint8Array} */
export function point() {
  sodium.HEAPU8.set(randomBytes(64), scratch);
  sodium._crypto_core_ristretto255_from_hash(scratch + 64, scratch);
  return bytes(scratch + 64, 32);
}

/** @returns {Uint8Array} */
export function scalar() {
  sodium.HEAPU8.set(randomBytes(64), scratch);
  sodium._crypto_core_ristretto255_scalar_reduce(scratch + 64, scratch);
  return bytes(scratch + 64, 32);
}

/**
 * The order less `less`: the largest scalars.
 * @param {number} less
 */
export function below(less) {
  const value = Buffer.from(ORDER);
  value[0] -= less;
  return value;
}

/** @param {number} value */
export const small = (value) => Uint8Array.from({ length: 32 }, (_, k) => (k ? 0 : value));
/** @param {number} exponent */
export const power = (exponent) => Uint8Array.from({ length: 32 }, (_, k) => (k === exponent >> 3 ? 1 << (exponent & 7) : 0));
/** @type {Uint8Array[]} */
export const awkward = [0, 1, 2, 15, 16, 17, 31, 255].map(small);
awkward.push(below(1), below(2), below(16), below(237), power(252), power(128), power(5));

/**
 * The sum of these multiples, [scalar, point], term by term, by libsodium.
 * @param {[Uint8Array, Uint8Array][]} terms
 * @returns {Uint8Array}
 */
export function referenceSum(terms) {
  /** @type {Uint8Array} */
  let total = new Uint8Array(32);
  for (const [factor, at] of terms) {
    sodium.HEAPU8.set(factor, scratch);
    sodium.HEAPU8.set(at, scratch + 32);
    const failed = sodium._crypto_scalarmult_ristretto255(scratch + 64, scratch, scratch + 32);
    if (failed) sodium.HEAPU8.fill(0, scratch + 64, scratch + 96); // the identity is an error to it
    sodium.HEAPU8.set(total, scratch + 96);
    sodium._crypto_core_ristretto255_add(scratch + 128, scratch + 96, scratch + 64);
    total = bytes(scratch + 128, 32);
  }
  return total;
}
