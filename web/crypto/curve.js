// Point arithmetic on the twisted Edwards curve behind ristretto255, and its encoding, as a WebAssembly module that is
// written here; `field.js` has the arithmetic of its elements.
//
// libsodium cannot add points without encoding each sum, which makes sums of many multiples four times slower than they
// need be. No function here branches on its values or uses them as an address. (`wasm.js` says why the module is sure to
// keep that; what an engine makes of it is another matter.) The calls may still reveal something: `multi_scalar.js` adds
// public multiples as fast as it can, `constant_time.js` makes the same calls whatever the secret. Tests compare both with
// libsodium.

import { ELEMENT, FIELD, FIELD_DATA, FIELD_END, lifted, LIMBS, limbOfWords, limbsOf, ONE, P, WORDS, ZERO } from "./field.js";
import { address, assemble, body, call, constant, get, load, op, set, store } from "./wasm.js";

/** @typedef {import("./wasm.js").Code} Code */

export { ELEMENT, LIMBS, ONE, ZERO };

const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752n;
const INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578n;
const BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
const BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960n;

/** A point in extended coordinates: X, Y, Z, T one after the other. */
export const POINT = 4 * ELEMENT;
/** An affine point in Niels form, ready to be added: Y − X, Y + X, 2d·X·Y. */
export const NIELS = 3 * ELEMENT;
/** The same, its three elements as 32 bytes each. */
export const ENTRY = 3 * 8 * WORDS;

/** @typedef {{bits: number, count: number, sizes: number, table: number}} Digits */

/**
 * Digits of some bits each, lowest first, of a scalar below 2^253. A table has an entry for each size of digit but 0.
 * @param {number} bits
 */
const digitsOf = (bits) => ({ bits, count: Math.ceil(254 / bits), sizes: 1 << (bits - 1), table: ENTRY << (bits - 1) });
export const NARROW = digitsOf(4);
export const WIDE = digitsOf(5);

// What stands where: constants, the base, then what the functions below write to.
let free = FIELD_END;
/** @param {number} size */
const allocate = (size) => (free += size) - size;
/** @type {[number, bigint][]} */
const CONSTANTS = [2n * D, D, SQRT_M1, P - SQRT_M1, P - 1n, INVSQRT_A_MINUS_D]
  .map((value) => [allocate(ELEMENT), value]);
const [TWO_D, ONE_D, ROOT, MINUS_ROOT, MINUS_ONE, INVSQRT] = CONSTANTS.map(([where]) => where);
export const BASE = [BASE_X, BASE_Y].map((value) => {
  CONSTANTS.push([allocate(ELEMENT), value]);
  return free - ELEMENT;
});
const [A, B, C, E, F, G, H, I] = Array.from({ length: 8 }, () => address(allocate(ELEMENT)));
const [R0, R1, R2] = Array.from({ length: 3 }, () => address(allocate(ELEMENT))); // of inverseRoot
const T = Array.from({ length: 9 }, () => address(allocate(ELEMENT))); // of decode and encode
const PICKED = allocate(NIELS);
const [MASK, OTHER] = [allocate(8), allocate(8)];
/** The first free byte. */
export const HEAP = free;

const [m, o] = [address(MASK), address(OTHER)];
const [zero, one] = [address(ZERO), address(ONE)];

/**
 * An address: element `element` of what parameter `base` points to.
 * @param {number} base
 * @param {number} element
 * @returns {Code}
 */
const at = (base, element) => [...get(base), ...address(element * ELEMENT), op.addAddress];

/** The end of every addition: out = (E·F, G·H, F·G, E·H). F, G and H may be sums of up to three reduced elements. */
const finish = () => [
  ...call("multiply", at(0, 0), E, F),
  ...call("multiply", at(0, 1), G, H),
  ...call("multiply", at(0, 2), F, G),
  ...call("multiply", at(0, 3), E, H),
];

/** out = p + q, all extended. Complete, as all here: no pair of points is an exception. */
function addPoints() {
  return body(3, 0, [
    ...call("minus", A, at(1, 1), at(1, 0)),
    ...call("minus", B, at(2, 1), at(2, 0)),
    ...call("multiply", A, A, B),
    ...call("plus", B, at(1, 1), at(1, 0)),
    ...call("plus", C, at(2, 1), at(2, 0)),
    ...call("multiply", B, B, C),
    ...call("multiply", C, at(1, 3), at(2, 3)),
    ...call("multiply", C, C, address(TWO_D)),
    ...call("multiply", I, at(1, 2), at(2, 2)),
    ...call("plus", I, I, I),
    ...call("minus", E, B, A),
    ...call("minus", F, I, C),
    ...call("plus", G, I, C),
    ...call("plus", H, B, A),
    ...finish(),
  ]);
}

/**
 * out = p + q, or p − q if `negated`; p extended, q in Niels form.
 * @param {boolean} negated
 */
function addNiels(negated) {
  return body(3, 0, [
    ...call("minus", A, at(1, 1), at(1, 0)),
    ...call("multiply", A, A, at(2, negated ? 1 : 0)),
    ...call("plus", B, at(1, 1), at(1, 0)),
    ...call("multiply", B, B, at(2, negated ? 0 : 1)),
    ...call("multiply", C, at(1, 3), at(2, 2)),
    ...call("plus", I, at(1, 2), at(1, 2)),
    ...call("minus", E, B, A),
    ...call("minus", negated ? G : F, I, C),
    ...call("plus", negated ? F : G, I, C),
    ...call("plus", H, B, A),
    ...finish(),
  ]);
}

/** out = 2p, both extended. */
function doublePoint() {
  return body(2, 0, [
    ...call("square", A, at(1, 0)),
    ...call("square", B, at(1, 1)),
    ...call("square", C, at(1, 2)),
    ...call("plus", C, C, C),
    ...call("plus", I, at(1, 0), at(1, 1)),
    ...call("square", I, I),
    ...call("plus", H, A, B),
    ...call("minus", E, H, I),
    ...call("minus", G, A, B),
    ...call("plus", F, C, G),
    ...finish(),
  ]);
}

/** out = 16p, both extended. */
function doubleFourTimes() {
  const again = call("doublePoint", get(0), get(0));
  return body(2, 0, [...call("doublePoint", get(0), get(1)), ...again, ...again, ...again]);
}

/** out, in Niels form, of x and y. */
function makeNiels() {
  return body(3, 0, [
    ...call("minus", at(0, 0), get(2), get(1)),
    ...call("plus", A, get(2), get(1)),
    ...call("minus", at(0, 1), A, zero),
    ...call("multiply", A, get(1), get(2)),
    ...call("multiply", at(0, 2), A, address(TWO_D)),
  ]);
}

/** out, extended, of x and y. */
function makePoint() {
  return body(3, 0, [
    ...call("minus", at(0, 0), get(1), zero),
    ...call("minus", at(0, 1), get(2), zero),
    ...call("minus", at(0, 2), one, zero),
    ...call("multiply", at(0, 3), get(1), get(2)),
  ]);
}

/** out, an entry, of an extended point and the inverse of its Z. */
function makeEntry() {
  /** @type {(k: number) => Code} */
  const place = (k) => [...get(0), ...address(8 * WORDS * k), op.addAddress];
  return body(3, 0, [
    ...call("multiply", T[0], get(1), get(2)),
    ...call("multiply", T[1], at(1, 1), get(2)),
    ...call("makeNiels", address(PICKED), T[0], T[1]),
    ...[0, 1, 2].flatMap((k) => call("toBytes", place(k), address(PICKED + k * ELEMENT))),
  ]);
}

/**
 * The scalar at parameter 0, so that each of its digits is too large by half of what it may be, and none below zero.
 * @param {Digits} digits
 */
function raiseDigits({ bits, count, sizes }) {
  const [sum, over] = [1, 2];
  let halves = 0n;
  for (let k = 0; k < count; k++) halves |= BigInt(sizes) << BigInt(bits * k);
  /** @type {Code} */
  const code = [];
  for (let k = 0; k < WORDS; k++) {
    const word = load(get(0), 8 * k);
    const half = constant(BigInt.asIntN(64, halves >> BigInt(64 * k)));
    const either = [...word, ...half, op.or, ...get(sum), ...constant(-1), op.xor, op.and]; // a carry goes out
    code.push(...word, ...half, op.add, ...get(over), op.add, ...set(sum));
    code.push(...word, ...half, op.and, ...either, op.or, ...constant(63), op.shr, ...set(over));
    code.push(...get(0), ...get(sum), ...store(8 * k));
  }
  return body(1, 2, code);
}

/**
 * Adds to the extended point at parameter 0 its table's (parameter 1) multiple by a digit: that of the raised scalar
 * whose lowest bit is bit parameter 3 of the word at parameter 2. Every entry is read; masks keep the one that is wanted.
 * @param {Digits} digits
 */
function addDigit({ bits, sizes }) {
  const [digit, negative, mask, entry] = [4, 5, 6, 7];
  const words = 3 * WORDS;
  const swap = (/** @type {number} */ k) => [
    ...[...get(entry + k), ...get(entry + WORDS + k), op.xor, ...get(negative), op.and, ...set(mask)],
    ...[...get(entry + k), ...get(mask), op.xor, ...set(entry + k)],
    ...[...get(entry + WORDS + k), ...get(mask), op.xor, ...set(entry + WORDS + k)],
  ];
  const code = [
    ...[...load(get(2)), ...get(3), op.extend, op.shr, ...constant(2 * sizes - 1), op.and, ...set(digit)],
    ...[...get(digit), ...constant(bits - 1), op.shr, ...constant(1), op.sub, ...set(negative)],
    ...[...get(digit), ...constant(sizes), op.sub, ...get(negative), op.xor, ...get(negative), op.sub, ...set(digit)],
    ...[...get(digit), ...constant(1), op.sub, ...constant(63), op.shrSigned, ...constant(1), op.and, ...set(entry)],
    ...[...get(entry), ...set(entry + WORDS)], // none of it: Y − X = Y + X = 1
  ];
  for (let size = 1; size <= sizes; size++) {
    const unlike = [...get(digit), ...constant(size), op.xor];
    code.push(...unlike, ...constant(1), op.sub, ...constant(63), op.shrSigned, ...set(mask));
    for (let k = 0; k < words; k++) {
      const word = load(get(1), (size - 1) * ENTRY + 8 * k);
      code.push(...get(entry + k), ...word, ...get(mask), op.and, op.or, ...set(entry + k));
    }
  }
  for (let k = 0; k < WORDS; k++) code.push(...swap(k)); // the opposite point has X turned round
  for (let part = 0; part < 3; part++) {
    for (let k = 0; k < LIMBS; k++) {
      const limb = limbOfWords(entry + part * WORDS, k);
      const opposite = [...constant(lifted(k)), ...get(mask), op.sub];
      const turned = [...get(mask), ...opposite, op.xor, ...get(negative), op.and, ...get(mask), op.xor];
      const kept = part < 2 ? limb : [...limb, ...set(mask), ...turned];
      code.push(...address(PICKED + part * ELEMENT), ...kept, ...store(8 * k));
    }
  }
  return body(4, 3 + words, [...code, ...call("addNiels", get(0), get(0), address(PICKED))]);
}

/**
 * Where digit k of a raised scalar is: so many bytes in stands a word in which it begins at that bit.
 * @param {Digits} digits
 * @param {number} k
 */
export const placeOf = ({ bits }, k) => [(bits * k) >> 3, (bits * k) & 7];

/** Adds to the extended point at parameter 0 its multiple by the raised scalar at parameter 2, a table for each digit. */
function addWide() {
  /** @type {Code} */
  const code = [];
  for (let k = 0; k < WIDE.count; k++) {
    const [byte, bit] = placeOf(WIDE, k);
    const table = [...get(1), ...address(k * WIDE.table), op.addAddress];
    code.push(...call("addWideDigit", get(0), table, [...get(2), ...address(byte), op.addAddress], address(bit)));
  }
  return body(3, 0, code);
}

/** out = 1/√v, non-negative; the mask at parameter 1: whether v is a square. SQRT_RATIO_M1(1, v) of RFC 9496. */
function inverseRoot() {
  return body(3, 0, [
    ...call("square", R0, get(2)),
    ...call("multiply", R0, R0, get(2)), // v^3
    ...call("square", R1, R0),
    ...call("multiply", R1, R1, get(2)), // v^7
    ...call("power", R2, R1),
    ...call("multiply", R0, R2, R0),
    ...call("square", R1, R0),
    ...call("multiply", R1, R1, get(2)), // 1, −1, √−1 or −√−1; 0 for 0
    ...call("isSame", m, R1, address(MINUS_ONE)),
    ...call("isSame", o, R1, one),
    ...[...get(1), ...load(m), ...load(o), op.or, ...store()],
    ...call("isSame", o, R1, address(MINUS_ROOT)),
    ...[...m, ...load(m), ...load(o), op.or, ...store()],
    ...call("multiply", R1, R0, address(ROOT)),
    ...call("choose", R0, R1, R0, m),
    ...call("isNegative", m, R0),
    ...call("negateIf", get(0), R0, m),
  ]);
}

/** x and y, affine, of 32 bytes; the mask at parameter 2: whether they encode a point. RFC 9496, 4.3.1, s < p. */
function decode() {
  const [s, ss, u1, u2, u2s, v, i, dx] = T;
  return body(4, 0, [
    ...call("fromBytes", s, get(3)),
    ...call("square", ss, s),
    ...call("minus", u1, one, ss),
    ...call("plus", u2, one, ss),
    ...call("square", u2s, u2),
    ...call("square", v, u1),
    ...call("multiply", v, v, address(ONE_D)),
    ...call("plus", v, v, u2s),
    ...call("minus", v, zero, v),
    ...call("multiply", i, v, u2s),
    ...call("inverseRoot", i, get(2), i),
    ...call("multiply", dx, i, u2),
    ...call("multiply", i, i, dx),
    ...call("multiply", i, i, v), // den_y
    ...call("plus", s, s, s),
    ...call("multiply", s, s, dx),
    ...call("isNegative", m, s),
    ...call("negateIf", get(0), s, m),
    ...call("multiply", get(1), u1, i),
  ]);
}

/** The 32 bytes of an extended point. RFC 9496, 4.3.2. */
function encode() {
  const [X, Y, Z, W] = [0, 1, 2, 3].map((k) => at(1, k));
  const [u1, u2, i, den1, den2, inverse, x, y, s] = T;
  return body(2, 0, [
    ...call("plus", u1, Z, Y),
    ...call("minus", u2, Z, Y),
    ...call("multiply", u1, u1, u2),
    ...call("multiply", u2, X, Y),
    ...call("square", i, u2),
    ...call("multiply", i, i, u1),
    ...call("inverseRoot", i, o, i),
    ...call("multiply", den1, i, u1),
    ...call("multiply", den2, i, u2),
    ...call("multiply", inverse, den1, den2),
    ...call("multiply", inverse, inverse, W),
    ...call("multiply", s, W, inverse),
    ...call("isNegative", m, s), // then its other representative
    ...call("multiply", x, Y, address(ROOT)),
    ...call("choose", x, x, X, m),
    ...call("multiply", y, X, address(ROOT)),
    ...call("choose", y, y, Y, m),
    ...call("multiply", s, den1, address(INVSQRT)),
    ...call("choose", den2, s, den2, m),
    ...call("multiply", s, x, inverse),
    ...call("isNegative", m, s),
    ...call("negateIf", y, y, m),
    ...call("minus", y, Z, y),
    ...call("multiply", s, y, den2),
    ...call("isNegative", m, s),
    ...call("negateIf", s, s, m),
    ...call("toBytes", get(0), s),
  ]);
}

const CURVE = {
  addPoints: addPoints(),
  addNiels: addNiels(false),
  subtractNiels: addNiels(true),
  doublePoint: doublePoint(),
  doubleFourTimes: doubleFourTimes(),
  makeNiels: makeNiels(),
  makePoint: makePoint(),
  makeEntry: makeEntry(),
  raiseNarrow: raiseDigits(NARROW),
  raiseWide: raiseDigits(WIDE),
  addDigit: addDigit(NARROW),
  addWideDigit: addDigit(WIDE),
  addWide: addWide(),
  inverseRoot: inverseRoot(),
  decode: decode(),
  encode: encode(),
};

/** The module's bytes. */
export function moduleOfTheCurve() {
  const data = CONSTANTS.map(([where, value]) => /** @type {[number, number[]]} */ ([where, limbsOf(value)]));
  return assemble({ ...FIELD, ...CURVE }, [...FIELD_DATA, ...data]);
}

/** @typedef {Record<keyof typeof FIELD | keyof typeof CURVE, (...parameters: number[]) => void>} Functions */
/** @typedef {Functions & {memory: WebAssembly.Memory}} Curve */

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/**
 * The module's functions, under their names, and a memory of its own; addresses are bytes, out comes first.
 * @returns {Promise<Curve>}
 */
export async function startCurve() {
  compiled ??= WebAssembly.compile(moduleOfTheCurve());
  const { exports } = await WebAssembly.instantiate(await compiled);
  return /** @type {Curve} */ (/** @type {unknown} */ (exports));
}
