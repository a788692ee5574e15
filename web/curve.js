// Point arithmetic on the twisted Edwards curve behind ristretto255, as a WebAssembly module written here byte by byte.
//
// libsodium gives no way to add points without encoding each sum, which makes sums of many multiples four times dearer
// than they need be. This is for CHECKING ONLY: its time depends on what it works on, so no secret may come near it.
// Keys, shares and shuffles of one's own stay with libsodium. `msm.js` builds on it; tests hold both against libsodium.
//
// A field element is nine limbs of 29 bits, each in 64 bits of memory. Products and differences are "reduced": no limb
// above 2^29. Sums are not, but may be multiplied while nine products of limbs stay below 2^64: three reduced elements
// on one side and two on the other, 54 · 2^58, are the most that occurs.

export const LIMBS = 9;
export const ELEMENT = 8 * LIMBS;
const BITS = 29n;
const MASK = (1n << BITS) - 1n;
const FOLD = 1216n; // 2^261 mod p, for p = 2^255 − 19

/** A point in extended coordinates: X, Y, Z, T one after the other. */
export const POINT = 4 * ELEMENT;
/** An affine point made ready to be added: Y − X, Y + X, 2d·X·Y. */
export const READY = 3 * ELEMENT;

/** Where the constant 2d must be put; in front of it the point functions have their scratch elements. */
export const TWO_D = 8 * ELEMENT;
/** The first free byte. */
export const HEAP = 9 * ELEMENT;

// WebAssembly's codes for what is used of it, all on i64 but the first three.
const op = {
  get: 0x20,
  set: 0x21,
  call: 0x10,
  load: 0x29,
  store: 0x37,
  add: 0x7c,
  sub: 0x7d,
  mul: 0x7e,
  and: 0x83,
  shr: 0x88,
};
const I32 = 0x7f;
const I64 = 0x7e;

function unsigned(value) {
  const bytes = [];
  do {
    const more = value > 0x7f;
    bytes.push((value & 0x7f) | (more ? 0x80 : 0));
    value >>>= 7;
  } while (value);
  return bytes;
}

function signed(value) {
  const bytes = [];
  for (;;) {
    const byte = Number(value & 0x7fn);
    value >>= 7n;
    if ((value === 0n && !(byte & 0x40)) || (value === -1n && byte & 0x40)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

const get = (local) => [op.get, ...unsigned(local)];
const set = (local) => [op.set, ...unsigned(local)];
const constant = (value) => [0x42, ...signed(BigInt(value))];
const load = (address, limb) => [...get(address), op.load, 3, ...unsigned(8 * limb)];
const vector = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, content) => [id, ...unsigned(content.length), ...content];

/** One function: parameters are i32 addresses, all other locals i64. */
function body(parameters, locals, code) {
  const content = [...(locals ? [1, ...unsigned(locals), I64] : [0]), ...code, 0x0b];
  return { parameters, bytes: [...unsigned(content.length), ...content] };
}

/** Moves what is above 29 bits in local `from` to local `to`, `times` over. */
function carry(from, to, times = 1n) {
  const over = [...get(from), ...constant(BITS), op.shr, ...(times === 1n ? [] : [...constant(times), op.mul])];
  return [...get(to), ...over, op.add, ...set(to), ...get(from), ...constant(MASK), op.and, ...set(from)];
}

/** Carries through locals first … first + 8, folds what falls out at the top, and stores them at parameter 0. */
function settle(first) {
  const code = [];
  for (let k = 0; k < LIMBS - 1; k++) code.push(...carry(first + k, first + k + 1));
  code.push(...carry(first + LIMBS - 1, first, FOLD), ...carry(first, first + 1));
  for (let k = 0; k < LIMBS; k++) code.push(...get(0), ...get(first + k), op.store, 3, ...unsigned(8 * k));
  return code;
}

/** Reduces the 17 column sums in locals first … first + 17 (the last starts at 0) and stores the result. */
function reduceProduct(first) {
  const code = [];
  for (let k = 0; k < 2 * LIMBS - 1; k++) code.push(...carry(first + k, first + k + 1));
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
  const code = [];
  for (let k = 0; k < LIMBS; k++) code.push(...load(1, k), ...set(f + k), ...load(2, k), ...set(g + k));
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
  const code = [];
  for (let k = 0; k < LIMBS; k++) code.push(...load(1, k), ...set(f + k));
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

/** out = a + b, limb by limb: both must be reduced, the sum is not. */
function plus() {
  const code = [];
  for (let k = 0; k < LIMBS; k++) {
    code.push(...get(0), ...load(1, k), ...load(2, k), op.add, op.store, 3, ...unsigned(8 * k));
  }
  return body(3, 0, code);
}

/** out = a − b, reduced; 256p is added so that no limb falls below zero. */
function minus() {
  const code = [];
  for (let k = 0; k < LIMBS; k++) {
    const lift = 4n * (k ? MASK : MASK + 1n - FOLD);
    code.push(...load(1, k), ...constant(lift), op.add, ...load(2, k), op.sub, ...set(3 + k));
  }
  return body(3, LIMBS, [...code, ...settle(3)]);
}

/** out = a squared `times` times over; at least once. */
function squareTimes() {
  const again = [...get(2), 0x41, 1, 0x6b, 0x22, 2, 0x45, 0x0d, 1]; // leave both blocks when the count reaches 0
  const loop = [0x02, 0x40, 0x03, 0x40, ...again, ...call("square", get(0), get(0)), 0x0c, 0, 0x0b, 0x0b];
  return body(3, 0, [...call("square", get(0), get(1)), ...loop]);
}

/** An address: element `element` of what parameter `base` points to, or a scratch element. */
const at = (base, element) => [...get(base), 0x41, ...signed(BigInt(element * ELEMENT)), 0x6a];
const constantAt = (address) => [0x41, ...signed(BigInt(address))];
const [A, B, C, D, E, F, G, H] = Array.from({ length: 8 }, (_, k) => constantAt(k * ELEMENT));

/** The end of every addition: out = (E·F, G·H, F·G, E·H). F, G and H may be sums of up to three reduced elements. */
const finish = () => [
  ...call("multiply", at(0, 0), E, F),
  ...call("multiply", at(0, 1), G, H),
  ...call("multiply", at(0, 2), F, G),
  ...call("multiply", at(0, 3), E, H),
];

/** out = p + q, all extended. */
function addPoints() {
  return body(3, 0, [
    ...call("minus", A, at(1, 1), at(1, 0)),
    ...call("minus", B, at(2, 1), at(2, 0)),
    ...call("multiply", A, A, B),
    ...call("plus", B, at(1, 1), at(1, 0)),
    ...call("plus", C, at(2, 1), at(2, 0)),
    ...call("multiply", B, B, C),
    ...call("multiply", C, at(1, 3), at(2, 3)),
    ...call("multiply", C, C, constantAt(TWO_D)),
    ...call("multiply", D, at(1, 2), at(2, 2)),
    ...call("plus", D, D, D),
    ...call("minus", E, B, A),
    ...call("minus", F, D, C),
    ...call("plus", G, D, C),
    ...call("plus", H, B, A),
    ...finish(),
  ]);
}

/** out = p + q, or p − q if `negated`; p extended, q ready. */
function addReady(negated) {
  return body(3, 0, [
    ...call("minus", A, at(1, 1), at(1, 0)),
    ...call("multiply", A, A, at(2, negated ? 1 : 0)),
    ...call("plus", B, at(1, 1), at(1, 0)),
    ...call("multiply", B, B, at(2, negated ? 0 : 1)),
    ...call("multiply", C, at(1, 3), at(2, 2)),
    ...call("plus", D, at(1, 2), at(1, 2)),
    ...call("minus", E, B, A),
    ...call("minus", negated ? G : F, D, C),
    ...call("plus", negated ? F : G, D, C),
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
    ...call("plus", D, at(1, 0), at(1, 1)),
    ...call("square", D, D),
    ...call("plus", H, A, B),
    ...call("minus", E, H, D),
    ...call("minus", G, A, B),
    ...call("plus", F, C, G),
    ...finish(),
  ]);
}

const FUNCTIONS = {
  multiply,
  square,
  plus,
  minus,
  squareTimes,
  addPoints,
  addReady: () => addReady(false),
  subtractReady: () => addReady(true),
  doublePoint,
};
const INDEX = Object.fromEntries(Object.keys(FUNCTIONS).map((name, index) => [name, index]));

function call(name, ...addresses) {
  return [...addresses.flat(), op.call, INDEX[name]];
}

/** The bytes of the module: one memory, and the functions above under their names. */
function assemble() {
  const functions = Object.values(FUNCTIONS).map((make) => make());
  const arities = [2, 3];
  const types = arities.map((count) => [0x60, ...vector(Array(count).fill([I32])), 0]);
  const name = (text) => vector([...new TextEncoder().encode(text)].map((byte) => [byte]));
  const exports = Object.keys(FUNCTIONS).map((key, index) => [...name(key), 0, index]);
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(3, vector(functions.map(({ parameters }) => [arities.indexOf(parameters)]))),
    ...section(5, vector([[0, 1]])),
    ...section(7, vector([[...name("memory"), 2, 0], ...exports])),
    ...section(10, vector(functions.map(({ bytes }) => bytes))),
  ]);
}

/** The module's functions and its memory; addresses are bytes, results are written to the first. */
export async function startCurve() {
  const { instance } = await WebAssembly.instantiate(assemble());
  return instance.exports;
}
