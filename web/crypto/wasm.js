// Writes a WebAssembly module byte by byte, with only the instructions that arithmetic of fixed shape needs.
//
// Addresses and loop counters are i32; values are i64. No instruction leads from an i64 to an i32, and none loads an i32.
// So no branch and no address in such a module can depend on what memory holds: values only pass through additions,
// multiplications, masks and shifts. tests/peers/sealed/constant_time.mjs reads the finished bytes back and checks that
// nothing else is among them.

export const op = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  call: 0x10,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  load: 0x29,
  store: 0x37,
  i32: 0x41,
  i64: 0x42,
  isZero: 0x45, // of an i32, as are the next two
  addAddress: 0x6a,
  subAddress: 0x6b,
  add: 0x7c, // these are all on i64
  sub: 0x7d,
  mul: 0x7e,
  and: 0x83,
  or: 0x84,
  xor: 0x85,
  shl: 0x86,
  shrSigned: 0x87, // copies of the sign come in
  shr: 0x88,
  extend: 0xad, // i32 to i64, the only way between the two
};
export const I32 = 0x7f;
export const I64 = 0x7e;
export const NOTHING = 0x40; // what a block leaves behind

/** @typedef {(number | {call: string})[]} Code bytes, and calls by name that `assemble` resolves */
/** @typedef {{parameters: number, locals: number, code: Code}} Body one function */

// LEB128, the variable-length integers of the format.

/** @param {number} value */
function unsigned(value) {
  const bytes = [];
  do {
    const more = value > 0x7f;
    bytes.push((value & 0x7f) | (more ? 0x80 : 0));
    value >>>= 7;
  } while (value);
  return bytes;
}

/** @param {bigint} value */
function signed(value) {
  const bytes = [];
  for (;;) {
    const byte = Number(value & 0x7fn);
    value >>= 7n;
    if ((value === 0n && !(byte & 0x40)) || (value === -1n && byte & 0x40)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

/**
 * @param {number} local
 * @returns {Code}
 */
export const get = (local) => [op.get, ...unsigned(local)];
/**
 * @param {number} local
 * @returns {Code}
 */
export const set = (local) => [op.set, ...unsigned(local)];
/**
 * @param {bigint | number} value
 * @returns {Code}
 */
export const constant = (value) => [op.i64, ...signed(BigInt(value))];
/** @param {number} value */
const i32 = (value) => [op.i32, ...signed(BigInt(value))];
/** @type {(value: number) => Code} */
export const address = i32;
/**
 * Reads the i64 that stands `offset` bytes behind an address.
 * @param {Code} where
 * @param {number} [offset]
 * @returns {Code}
 */
export const load = (where, offset = 0) => [...where, op.load, 3, ...unsigned(offset)];
/**
 * Writes the i64 on the stack `offset` bytes behind the address below it on the stack.
 * @param {number} [offset]
 * @returns {Code}
 */
export const store = (offset = 0) => [op.store, 3, ...unsigned(offset)];
/**
 * A call with addresses, in order.
 * @param {string} name
 * @param {...Code} addresses
 * @returns {Code}
 */
export const call = (name, ...addresses) => [...addresses.flat(), { call: name }];

/**
 * One function: parameters are addresses or counts, i32; all other locals are i64. It returns nothing.
 * @param {number} parameters
 * @param {number} locals
 * @param {Code} code
 * @returns {Body}
 */
export const body = (parameters, locals, code) => ({ parameters, locals, code });

/** @param {number[][]} items */
const vector = (items) => [...unsigned(items.length), ...items.flat()];
/**
 * @param {number} id
 * @param {number[]} content
 */
const section = (id, content) => [id, ...unsigned(content.length), ...content];
/** @param {string} text */
const name = (text) => vector([...new TextEncoder().encode(text)].map((byte) => [byte]));

/**
 * The bytes of a module: these functions under their names, one memory, and in it `data`, [address, bytes] each.
 * @param {Record<string, Body>} functions
 * @param {[number, number[]][]} data
 */
export function assemble(functions, data) {
  const names = Object.keys(functions);
  const arities = [...new Set(Object.values(functions).map(({ parameters }) => parameters))];
  const types = arities.map((count) => [0x60, ...vector(Array.from({ length: count }, () => [I32])), 0]);
  const codes = Object.values(functions).map(({ locals, code }) => {
    /** @type {number[]} */
    const content = locals ? [1, ...unsigned(locals), I64] : [0];
    for (const part of code) {
      if (typeof part === "number") content.push(part);
      else content.push(op.call, ...unsigned(names.indexOf(part.call)));
    }
    content.push(op.end);
    return [...unsigned(content.length), ...content];
  });
  const exports = names.map((key, index) => [...name(key), 0, ...unsigned(index)]);
  const segments = data.map(([where, bytes]) => [0, ...i32(where), op.end, ...vector(bytes.map((byte) => [byte]))]);
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(3, vector(Object.values(functions).map(({ parameters }) => [arities.indexOf(parameters)]))),
    ...section(5, vector([[0, 1]])),
    ...section(7, vector([[...name("memory"), 2, 0], ...exports])),
    ...section(10, vector(codes)),
    ...section(11, vector(segments)),
  ]);
}
