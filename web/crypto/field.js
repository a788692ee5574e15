// Arithmetic modulo p = 2^255 − 19 as WebAssembly functions, for `curve.js`. No branch and no address depends on a value;
// see `wasm.js`.
//
// An element is nine limbs of 29 bits, each in 64 bits of memory. Products and differences are "reduced": no limb is above
// 2^29. Sums are not, but may be multiplied while nine products of limbs stay below 2^64. The most that occurs is three
// reduced elements on one side and two on the other, 54 · 2^58. A mask is 64 bits: all set for yes, none for no.

import { address, body, call, constant, get, load, NOTHING, op, set, store } from "./wasm.js";

/** @typedef {import("./wasm.js").Code} Code */

export const P = 2n ** 255n - 19n;
export const LIMBS = 9;
export const ELEMENT = 8 * LIMBS;
export const WORDS = 4; // of 64 bits, in an element's 32 bytes
const BITS = 29n;
const MASK = (1n << BITS) - 1n;
const FOLD = 1216n; // 2^261 mod p
const TOP = 23n; // bits of p in the last limb

/**
 * The limbs of a number as they stand in memory.
 * @param {bigint} value
 */
export function limbsOf(value) {
  const limbs = Array.from({ length: LIMBS }, (_, k) => (value >> (BITS * BigInt(k))) & MASK);
  return limbs.flatMap((limb) => Array.from({ length: 8 }, (_, k) => Number((limb >> BigInt(8 * k)) & 0xffn)));
}

/**
 * Limb `limb` of the element at parameter `parameter`.
 * @param {number} parameter
 * @param {number} limb
 */
const limbAt = (parameter, limb) => load(get(parameter), 8 * limb);
/**
 * The code for 0 … count − 1, one after the other.
 * @param {(k: number) => Code} make
 * @param {number} [count]
 * @returns {Code}
 */
const each = (make, count = LIMBS) => Array.from({ length: count }, (_, k) => make(k)).flat();

/**
 * Moves what is above `bits` in local `from` to local `to`, `times` over.
 * @param {number} from
 * @param {number} to
 * @param {bigint} [times]
 * @param {bigint} [bits]
 * @returns {Code}
 */
function carry(from, to, times = 1n, bits = BITS) {
  const over = [...get(from), ...constant(bits), op.shr, ...(times === 1n ? [] : [...constant(times), op.mul])];
  return [...get(to), ...over, op.add, ...set(to), ...get(from), ...constant((1n << bits) - 1n), op.and, ...set(from)];
}

/**
 * Carries from each of `count` locals to the next.
 * @param {number} first
 * @param {number} [count]
 */
const carryThrough = (first, count = LIMBS) => each((k) => carry(first + k, first + k + 1), count - 1);

/**
 * Stores locals first … first + 8 at parameter 0.
 * @param {number} first
 */
const storeLimbs = (first) => each((k) => [...get(0), ...get(first + k), ...store(8 * k)]);

/**
 * Carries through locals first … first + 8, folds what falls out at the top, and stores them at parameter 0.
 * @param {number} first
 * @returns {Code}
 */
function settle(first) {
  const fold = [...carry(first + LIMBS - 1, first, FOLD), ...carry(first, first + 1)];
  return [...carryThrough(first), ...fold, ...storeLimbs(first)];
}

/**
 * Reduces the 17 column sums in locals first … first + 17 (the last starts at 0) and stores the result.
 * @param {number} first
 */
function reduceProduct(first) {
  const code = carryThrough(first, 2 * LIMBS);
  for (let k = 0; k < LIMBS; k++) {
    const high = [...get(first + k + LIMBS), ...constant(FOLD), op.mul];
    code.push(...get(first + k), ...high, op.add, ...set(first + k));
  }
  return [...code, ...settle(first)];
}

/** out = a · b */
function multiply() {
  const f = 3;
  const g = f + LIMBS;
  const sums = g + LIMBS;
  const code = each((k) => [...limbAt(1, k), ...set(f + k), ...limbAt(2, k), ...set(g + k)]);
  for (let k = 0; k < 2 * LIMBS - 1; k++) {
    let terms = 0;
    for (let i = Math.max(0, k - LIMBS + 1); i <= Math.min(k, LIMBS - 1); i++) {
      code.push(...get(f + i), ...get(g + k - i), op.mul, ...(terms++ ? [op.add] : []));
    }
    code.push(...set(sums + k));
  }
  return body(3, 4 * LIMBS, [...code, ...reduceProduct(sums)]);
}

/** out = a² */
function square() {
  const f = 2;
  const sums = f + LIMBS;
  const code = each((k) => [...limbAt(1, k), ...set(f + k)]);
  for (let k = 0; k < 2 * LIMBS - 1; k++) {
    let terms = 0;
    for (let i = Math.max(0, k - LIMBS + 1); i < k - i; i++) {
      code.push(...get(f + i), ...get(f + k - i), op.mul, ...(terms++ ? [op.add] : []));
    }
    if (terms) code.push(...constant(2), op.mul);
    if (k % 2 === 0) code.push(...get(f + k / 2), ...get(f + k / 2), op.mul, ...(terms ? [op.add] : []));
    code.push(...set(sums + k));
  }
  return body(2, 3 * LIMBS, [...code, ...reduceProduct(sums)]);
}

/** out = a squared `times` times over; at least once. */
function squareTimes() {
  const again = [...get(2), ...address(1), op.subAddress, op.tee, 2, op.isZero, op.branchIf, 1]; // leaves both blocks
  const once = [...again, ...call("square", get(0), get(0)), op.branch, 0];
  const loop = [op.block, NOTHING, op.loop, NOTHING, ...once, op.end, op.end];
  return body(3, 0, [...call("square", get(0), get(1)), ...loop]);
}

/** out = a + b, limb by limb: both must be reduced, the sum is not. */
function plus() {
  return body(3, 0, each((k) => [...get(0), ...limbAt(1, k), ...limbAt(2, k), op.add, ...store(8 * k)]));
}

/**
 * 256p less a limb: what stands for the limb's opposite without falling below zero.
 * @param {number} k
 */
export const lifted = (k) => 4n * (k ? MASK : MASK + 1n - FOLD);

/** out = a − b, reduced. */
function minus() {
  const limbs = each((k) => [...limbAt(1, k), ...constant(lifted(k)), op.add, ...limbAt(2, k), op.sub, ...set(3 + k)]);
  return body(3, LIMBS, [...limbs, ...settle(3)]);
}

/** out = a, below p, for limbs up to 2^32. */
function canonical() {
  const [first, last, over] = [2, 2 + LIMBS - 1, 2 + LIMBS];
  const fold = [...carry(last, first, 19n, TOP), ...carryThrough(first)];
  /** @type {(k: number, bits: bigint) => Code} */
  const step = (k, bits) => [...get(first + k), ...get(over), op.add, ...constant(bits), op.shr, ...set(over)];
  return body(2, LIMBS + 1, [
    ...each((k) => [...limbAt(1, k), ...set(first + k)]),
    ...carryThrough(first),
    ...fold, // now below 2^255 and a little
    ...fold, // now below 2^255
    ...[...constant(19), ...set(over)],
    ...each((k) => step(k, k < LIMBS - 1 ? BITS : TOP)), // 1 if p is in it
    ...[...get(first), ...get(over), ...constant(19), op.mul, op.add, ...set(first)],
    ...carryThrough(first),
    ...[...get(last), ...constant((1n << TOP) - 1n), op.and, ...set(last)],
    ...storeLimbs(first),
  ]);
}

/** out = a where the mask is set, b where it is not. */
function choose() {
  /** @type {(k: number) => Code} */
  const limb = (k) => [...limbAt(1, k), ...limbAt(2, k), op.xor, ...load(get(3)), op.and, ...limbAt(2, k), op.xor];
  return body(4, 0, each((k) => [...get(0), ...limb(k), ...store(8 * k)]));
}

/** The mask at parameter 0: whether the lowest bit of a is set. */
function isNegative() {
  return body(2, 0, [
    ...call("canonical", address(SPARE), get(1)),
    ...[...get(0), ...constant(0), ...load(address(SPARE)), ...constant(1), op.and, op.sub, ...store()],
  ]);
}

/** The mask at parameter 0: whether a = b. */
function isSame() {
  const difference = each((k) => [...load(address(SPARE), 8 * k), ...(k ? [op.or] : [])]);
  return body(3, 0, [
    ...call("minus", address(SPARE), get(1), get(2)),
    ...call("canonical", address(SPARE), address(SPARE)),
    ...[...get(0), ...difference, ...constant(1), op.sub, ...constant(63), op.shrSigned, ...store()],
  ]);
}

/** out = −a where the mask is set, else a. */
function negateIf() {
  return body(3, 0, [
    ...call("minus", address(SPARE), address(ZERO), get(1)),
    ...call("choose", get(0), address(SPARE), get(1), get(2)),
  ]);
}

/**
 * Limb k out of locals first … first + 3, an element's four words.
 * @param {number} first
 * @param {number} k
 * @returns {Code}
 */
export function limbOfWords(first, k) {
  const [word, shift] = [Math.floor((29 * k) / 64), (29 * k) % 64];
  const low = [...get(first + word), ...constant(shift), op.shr];
  const next = [...get(first + word + 1), ...constant(64 - shift), op.shl, op.or];
  return [...low, ...(shift > 35 && word < WORDS - 1 ? next : []), ...constant(MASK), op.and];
}

/** out = the element in 32 bytes, little-endian, below p. */
function fromBytes() {
  return body(2, WORDS, [
    ...each((k) => [...load(get(1), 8 * k), ...set(2 + k)], WORDS),
    ...each((k) => [...get(0), ...limbOfWords(2, k), ...store(8 * k)]),
  ]);
}

/** The 32 bytes at parameter 0: a, below p. */
function toBytes() {
  const word = (/** @type {number} */ j) => {
    /** @type {Code} */
    const code = [];
    for (let k = 0; k < LIMBS; k++) {
      const shift = 29 * k - 64 * j;
      if (shift <= -29 || shift >= 64) continue;
      const shifted = [...constant(Math.abs(shift)), shift < 0 ? op.shr : op.shl];
      code.push(...load(address(SPARE), 8 * k), ...shifted, ...(code.length ? [op.or] : []));
    }
    return code;
  };
  return body(2, 0, [
    ...call("canonical", address(SPARE), get(1)),
    ...each((j) => [...get(0), ...word(j), ...store(8 * j)], WORDS),
  ]);
}

/** out = a^((p − 5) / 8) = a^(2^252 − 3); not in place. */
function power() {
  const [x, y, z] = [0, 1, 2].map((k) => address(POWERS + k * ELEMENT));
  /** @type {(out: Code, a: Code, times: number) => Code} */
  const squared = (out, a, times) => call("squareTimes", out, a, address(times));
  /** @type {(out: Code, a: Code, b: Code) => Code} */
  const times = (out, a, b) => call("multiply", out, a, b);
  return body(2, 0, [
    ...squared(x, get(1), 1), // 2
    ...squared(y, x, 2), // 8
    ...times(y, get(1), y), // 9
    ...times(x, x, y), // 11
    ...squared(x, x, 1), // 22
    ...times(x, y, x), // 2^5 − 1
    ...squared(y, x, 5),
    ...times(x, y, x), // 2^10 − 1
    ...squared(y, x, 10),
    ...times(y, y, x), // 2^20 − 1
    ...squared(z, y, 20),
    ...times(y, z, y), // 2^40 − 1
    ...squared(y, y, 10),
    ...times(x, y, x), // 2^50 − 1
    ...squared(y, x, 50),
    ...times(y, y, x), // 2^100 − 1
    ...squared(z, y, 100),
    ...times(y, z, y), // 2^200 − 1
    ...squared(y, y, 50),
    ...times(x, y, x), // 2^250 − 1
    ...squared(x, x, 2),
    ...times(get(0), x, get(1)),
  ]);
}

/** out = 1/a, or 0 for 0; not in place: a^(p − 2) is a^8 to the power above, times a³. */
function invert() {
  return body(2, 0, [
    ...call("power", get(0), get(1)),
    ...call("squareTimes", get(0), get(0), address(3)),
    ...call("multiply", get(0), get(0), get(1)),
    ...call("multiply", get(0), get(0), get(1)),
    ...call("multiply", get(0), get(0), get(1)),
  ]);
}

/**
 * Addresses of `count` elements in a row.
 * @param {number} count
 * @param {number} from
 */
const places = (count, from) => Array.from({ length: count }, (_, k) => from + k * ELEMENT);

/** Constants in memory, and one element and three that only the functions of this file write to. */
export const [ZERO, ONE, SPARE, POWERS] = places(4, 0);
/** The first byte behind them. */
export const FIELD_END = POWERS + 3 * ELEMENT;
/** @type {[number, number[]][]} */
export const FIELD_DATA = [[ONE, limbsOf(1n)]];

export const FIELD = {
  multiply: multiply(),
  square: square(),
  squareTimes: squareTimes(),
  plus: plus(),
  minus: minus(),
  canonical: canonical(),
  choose: choose(),
  isNegative: isNegative(),
  isSame: isSame(),
  negateIf: negateIf(),
  fromBytes: fromBytes(),
  toBytes: toBytes(),
  power: power(),
  invert: invert(),
};
