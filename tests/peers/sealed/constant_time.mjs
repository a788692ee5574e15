// Holds web/crypto/constant_time.js against libsodium over random and awkward sums, and shows that what it does is the same whatever
// the scalars: the module has no instruction by which a value could reach a branch or an address, and the functions it
// calls, with all their arguments, are the same for other scalars. Run by test_sums.py; prints three counts.

import { awkward, BASE, below, bytes, hex, point, random, scalar, scratch, referenceSum, small, sodium } from "./reference.mjs";

const { startConstantTime } = await import("../../../web/crypto/constant_time.js");
const { startPoints } = await import("../../../web/crypto/points.js");
const { startMultiScalar } = await import("../../../web/crypto/multi_scalar.js");
const { moduleOfTheCurve } = await import("../../../web/crypto/curve.js");
const { assemble, body, get, op } = await import("../../../web/crypto/wasm.js");

const [TIMES, PLUS, MINUS] = [0, 2, 3];
/** @typedef {Awaited<ReturnType<typeof startConstantTime>>["combine"]} Combine */
/** @typedef {[number, number, Uint8Array?][]} Row terms: their kind, the index of their point, the scalar of a multiple */

const IDENTITY = new Uint8Array(32);
const constantTime = await startConstantTime();
let agreed = 0;

/** @param {Row} terms */
const scalarsOf = (terms) => Buffer.concat(terms.map(([, , factor]) => factor ?? small(0)));

/**
 * Rows as `combine` takes them.
 * @param {Uint8Array[]} points
 * @param {Row[]} rows
 * @returns {Parameters<Combine>}
 */
function packed(points, rows) {
  const terms = rows.flat();
  return [
    Uint32Array.from(rows, (row) => row.length),
    Uint8Array.from(terms, ([kind]) => kind),
    scalarsOf(terms.filter(([kind]) => kind === TIMES)),
    Uint32Array.from(terms, ([, index]) => index),
    Buffer.concat(points),
  ];
}

/**
 * @param {string} name
 * @param {Uint8Array[]} points
 * @param {Row[]} rows
 */
function compare(name, points, rows) {
  const got = constantTime.combine(...packed(points, rows));
  rows.forEach((row, k) => {
    const factorOf = (/** @type {Row[0]} */ [kind, , by]) => (kind === TIMES && by) || (kind === PLUS ? small(1) : below(1));
    const want = hex(referenceSum(row.map((term) => [factorOf(term), points[term[1]]])));
    const have = hex(got.slice(32 * k, 32 * k + 32));
    if (have !== want) throw new Error(`${name}, row ${k} of ${row.length} terms: ${have} is not ${want}`);
    agreed++;
  });
}

/** @param {Uint8Array} at */
const opposite = (at) => {
  sodium.HEAPU8.set(IDENTITY, scratch);
  sodium.HEAPU8.set(at, scratch + 32);
  sodium._crypto_core_ristretto255_sub(scratch + 64, scratch, scratch + 32);
  return bytes(scratch + 64, 32);
};

// The same digit at all places, and the awkward scalars; below, every digit at every place.
/** @type {Uint8Array[]} */
const digits = [0x77, 0x88, 0x78, 0x87, 0xff, 0x0f, 0xf0].map((value) => {
  const every = new Uint8Array(32).fill(value);
  every[31] = 0x0f;
  return every;
});
digits.push(...awkward);
const placed = [];
for (const bits of [4, 5]) {
  for (let bit = 0; bit < 252; bit += bits) {
    for (let digit = 1; digit < 1 << bits && digit < 2 ** (252 - bit); digit++) {
      const value = BigInt(digit) << BigInt(bit);
      placed.push(Uint8Array.from({ length: 32 }, (_, k) => Number((value >> BigInt(8 * k)) & 0xffn)));
    }
  }
}

// Few rows: tables made for the call, doublings. Many: tables that are kept, of the base as of other points.
for (const many of [1, 3, 20]) {
  for (const length of [0, 1, 2, 3, 7, 30]) {
    const points = [BASE, ...Array.from({ length: Math.max(1, length) }, point)];
    /** @type {() => Row[0]} */
    const term = () => [[TIMES, TIMES, PLUS, MINUS][random() % 4], random() % points.length, scalar()];
    compare("random", points, Array.from({ length: many }, () => Array.from({ length }, term)));
  }
  const points = [BASE, point(), point()];
  /** @type {Row[]} */
  const both = Array.from({ length: many }, () => [[TIMES, 0, scalar()], [TIMES, 1, scalar()], [PLUS, 2]]);
  compare("two and a card", points, both);
}
for (const points of [[BASE, point()], [BASE, BASE], [BASE, opposite(BASE)]]) {
  compare("awkward, kept tables", points, digits.flatMap((factor) => [[[TIMES, 0, factor]], [[TIMES, 1, factor]]]));
  for (const factor of digits) compare("awkward, alone", points, [[[TIMES, 0, factor], [TIMES, 1, factor]]]);
}

compare("placed, kept tables", [BASE, point()], placed.map((factor) => [[TIMES, 1, factor]]));
for (let at = 0; at < placed.length; at += 50) {
  const points = [BASE, ...Array.from({ length: 50 }, point)];
  compare("placed, shared doublings", points, [placed.slice(at, at + 50).map((factor, k) => [TIMES, k + 1, factor])]);
}

// The identity, equal and opposite points, sums that vanish on the way.
const p = point();
const special = [BASE, p, opposite(p), IDENTITY, p, opposite(BASE)];
for (const factor of [...awkward, scalar()]) {
  /** @type {Row[]} */
  const rows = special.map((_, index) => [[TIMES, index, factor], [PLUS, index], [MINUS, index]]);
  rows.push([[TIMES, 1, factor], [TIMES, 2, factor]], [[TIMES, 1, factor], [TIMES, 4, factor]]);
  rows.push([[TIMES, 0, factor], [TIMES, 5, factor]], [[TIMES, 3, factor], [TIMES, 0, small(0)]]);
  rows.push([[PLUS, 1], [PLUS, 2]], [[PLUS, 1], [PLUS, 4]], [[MINUS, 1], [MINUS, 2], [PLUS, 3]], []);
  compare("special points", special, rows);
  for (const row of rows) compare("special points, alone", special, [row]);
}
// More points with tables of their own than are kept.
for (let round = 0; round < 3; round++) {
  const points = [BASE, ...Array.from({ length: 8 }, point)];
  /** @type {Row[]} */
  const rows = Array.from({ length: 8 }, () => points.map((_, index) => [TIMES, index, scalar()]));
  compare("many tables", points, rows);
  compare("and fewer again", [BASE, points[1]], rows.map((row) => row.slice(0, 2)));
}

// What the module is made of.
const WITHOUT = new Set([op.isZero, op.addAddress, op.subAddress, op.add, op.sub, op.mul, op.and, op.or, op.xor, op.shl, op.shrSigned,
  op.shr, op.extend]);
const ALL_I64 = 0x7e;

/**
 * Reads a module's code and throws unless it holds nothing but what `wasm.js` names; how many instructions it has.
 * @param {Uint8Array} module
 */
function checkInstructions(module) {
  if (!WebAssembly.validate(new Uint8Array(module))) throw new Error("not a module");
  let at = 8;
  let count = 0;
  function number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++];
      value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
  }
  function instruction() {
    const code = module[at++];
    count++;
    if (code === op.block || code === op.loop) {
      if (module[at++] !== 0x40) throw new Error("a block with a value");
    } else if (code === op.load || code === op.store) {
      number();
      number();
    } else if ([op.get, op.set, op.tee, op.call, op.branch, op.branchIf, op.i32, op.i64].includes(code)) {
      while (module[at++] & 0x80);
    } else if (code !== op.end && !WITHOUT.has(code)) throw new Error(`instruction 0x${code.toString(16)}`);
  }
  while (at < module.length) {
    const section = module[at++];
    const end = number() + at;
    if (![1, 3, 5, 7, 10, 11].includes(section)) throw new Error(`section ${section}`);
    if (section === 10) {
      for (let functions = number(); functions; functions--) {
        const last = number() + at;
        for (let groups = number(); groups; groups--) {
          number();
          if (module[at++] !== ALL_I64) throw new Error("a local that is not i64");
        }
        while (at < last) instruction();
        if (at !== last) throw new Error("a function does not end where it says");
      }
    }
    at = end;
  }
  return count;
}

const instructions = checkInstructions(moduleOfTheCurve());
/** @type {[string, import("../../../web/crypto/wasm.js").Code][]} */
const FORBIDDEN = [
  ["i64 to i32", [...get(0), 0x29, 3, 0, 0xa7, 0x1a]],
  ["comparison", [...get(0), 0x29, 3, 0, 0x50, 0x1a]],
  ["load of an i32", [...get(0), 0x28, 2, 0, 0x1a]],
  ["division", [...get(0), ...get(0), 0x29, 3, 0, ...get(0), 0x29, 3, 0, 0x80, 0x37, 3, 0]],
];
for (const [name, code] of FORBIDDEN) {
  const module = assemble({ f: body(1, 0, code) }, []);
  if (!WebAssembly.validate(new Uint8Array(module))) throw new Error(`${name} is not a module at all`);
  let passed = true;
  try {
    checkInstructions(module);
  } catch {
    passed = false;
  }
  if (passed) throw new Error(`${name} was not seen`);
}

/**
 * Points whose every call is written down, with its arguments.
 * @param {string[]} trace
 */
function watched(trace) {
  return async () => {
    const points = await startPoints();
    /** @type {(entry: [string, any]) => [string, unknown]} */
    const watch = ([name, value]) => {
      if (typeof value !== "function") return [name, value];
      return [name, (/** @type {unknown[]} */ ...given) => {
        trace.push(`${name} ${given.map((part) => (part instanceof Uint8Array ? part.length : part))}`);
        return value(...given);
      }];
    };
    return /** @type {typeof points} */ (Object.fromEntries(Object.entries(points).map(watch)));
  };
}

/**
 * What `combine` of something started with watched points calls, for each list of arguments.
 * @template {any[]} Arguments
 * @param {(points: typeof startPoints) => Promise<{combine: (...given: Arguments) => unknown}>} start
 * @param {Arguments[]} calls
 */
async function traces(start, calls) {
  const found = [];
  for (const call of calls) {
    /** @type {string[]} */
    const trace = [];
    const { combine } = await start(watched(trace));
    combine(...call);
    found.push(trace.join("\n"));
  }
  return found;
}

const cards = Array.from({ length: 20 }, point);
const shape = [
  ...cards.flatMap((_, k) => [[[TIMES, 0], [PLUS, 2 + k]], [[TIMES, 0], [TIMES, 1]]]),
  [[TIMES, 0], ...cards.map((_, k) => [TIMES, 2 + k])],
];
/**
 * @param {() => Uint8Array} next
 * @returns {Row[]}
 */
const filled = (next) => shape.map((row) => row.map(([kind, index]) => [kind, index, next()]));
let turn = 0;
const fillings = [scalar, scalar, () => small(0), () => below(1), () => awkward[turn++ % awkward.length]].map(filled);
const on = [BASE, point(), ...cards];
const secretTraces = await traces(startConstantTime, fillings.map((rows) => packed(on, rows)));
if (new Set(secretTraces).size !== 1) throw new Error("what is called depends on the scalars");
// The same watch does see it where it is so.
const publicTraces = await traces(startMultiScalar, fillings.map((rows) => {
  const [layout, , , which, points] = packed(on, rows);
  return [layout, scalarsOf(rows.flat()), which, points];
}));
if (new Set(publicTraces).size === 1) throw new Error("the watch sees nothing");
console.log(agreed, instructions, secretTraces[0].split("\n").length);
