// Sums of many multiples of ristretto255 points, for checking proofs. VARIABLE TIME: public scalars and points only.
//
// Points come and go as libsodium encodes them (RFC 9496) and must have passed its validity check. Long sums go by
// buckets (Pippenger), short ones share their doublings (Straus). `curve.js` does the arithmetic; nothing is decided here.

import { ELEMENT, HEAP, LIMBS, POINT, READY, startCurve, TWO_D } from "./curve.js";

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752n;
const INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578n;
const BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
const BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960n;

const SCALAR_BITS = 253;
const SHORT = 4; // sums of up to so many terms share their doublings
const DIGIT = 5; // width of their digits: odd, below 2^4 in size
const ODDS = 1 << (DIGIT - 2);

/** Resolves to `combine`. */
export async function startSums() {
  const curve = await startCurve();
  let words = new Uint32Array(curve.memory.buffer);
  let free = HEAP;

  /** Room for `size` bytes until `free` is set back. */
  function room(size) {
    const start = free;
    free += size;
    const missing = free - curve.memory.buffer.byteLength;
    if (missing > 0) {
      curve.memory.grow(Math.ceil(missing / 65536) + 16);
      words = new Uint32Array(curve.memory.buffer);
    }
    return start;
  }

  function putNumber(address, value) {
    value = ((value % P) + P) % P;
    for (let k = 0; k < LIMBS; k++) {
      words[address / 4 + 2 * k] = Number((value >> BigInt(29 * k)) & 0x1fffffffn);
      words[address / 4 + 2 * k + 1] = 0;
    }
  }

  /** Limbs out of 32 bytes, little-endian, below p. */
  function putBytes(address, bytes, from) {
    for (let k = 0; k < LIMBS; k++) {
      const bit = 29 * k;
      const byte = from + (bit >> 3);
      let window = 0;
      for (let i = 4; i >= 0; i--) window = window * 256 + (byte + i < from + 32 ? bytes[byte + i] : 0);
      words[address / 4 + 2 * k] = Math.floor(window / 2 ** (bit & 7)) % 2 ** 29;
      words[address / 4 + 2 * k + 1] = 0;
    }
  }

  /** The canonical limbs of a reduced element, below p. */
  function canonical(address) {
    const limbs = new Array(LIMBS);
    for (let k = 0; k < LIMBS; k++) limbs[k] = words[address / 4 + 2 * k];
    for (let round = 0; round < 2; round++) {
      const over = limbs[LIMBS - 1] >>> 23; // bit 255 and above
      limbs[LIMBS - 1] &= 0x7fffff;
      limbs[0] += 19 * over;
      for (let k = 0; k < LIMBS - 1; k++) {
        limbs[k + 1] += limbs[k] >>> 29;
        limbs[k] &= 0x1fffffff;
      }
    }
    let full = limbs[0] >= 0x1fffffff - 18 && limbs[LIMBS - 1] === 0x7fffff;
    for (let k = 1; k < LIMBS - 1; k++) full &&= limbs[k] === 0x1fffffff;
    if (full) {
      limbs.fill(0, 1);
      limbs[0] -= 0x1fffffff - 18;
    }
    return limbs;
  }

  const isNegative = (address) => (canonical(address)[0] & 1) === 1;
  const isZero = (address) => canonical(address).every((limb) => limb === 0);
  const same = (a, b) => {
    curve.minus(spare, a, b);
    return isZero(spare);
  };
  const negate = (address) => curve.minus(address, zero, address);

  const [zero, one, minusOne, d, root, minusRoot, invsqrt] = [0n, 1n, -1n, D, SQRT_M1, -SQRT_M1, INVSQRT_A_MINUS_D].map(
    (value) => {
      const address = room(ELEMENT);
      putNumber(address, value);
      return address;
    },
  );
  putNumber(TWO_D, 2n * D);
  const spare = room(ELEMENT);
  const t = Array.from({ length: 16 }, () => room(ELEMENT));

  /** out = a^((p − 5) / 8) = a^(2^252 − 3). Uses t[0…2]. */
  function power(out, a) {
    const [x, y, z] = t;
    curve.square(x, a); // 2
    curve.squareTimes(y, x, 2); // 8
    curve.multiply(y, a, y); // 9
    curve.multiply(x, x, y); // 11
    curve.square(x, x); // 22
    curve.multiply(x, y, x); // 2^5 − 1
    curve.squareTimes(y, x, 5);
    curve.multiply(x, y, x); // 2^10 − 1
    curve.squareTimes(y, x, 10);
    curve.multiply(y, y, x); // 2^20 − 1
    curve.squareTimes(z, y, 20);
    curve.multiply(y, z, y); // 2^40 − 1
    curve.squareTimes(y, y, 10);
    curve.multiply(x, y, x); // 2^50 − 1
    curve.squareTimes(y, x, 50);
    curve.multiply(y, y, x); // 2^100 − 1
    curve.squareTimes(z, y, 100);
    curve.multiply(y, z, y); // 2^200 − 1
    curve.squareTimes(y, y, 50);
    curve.multiply(x, y, x); // 2^250 − 1
    curve.squareTimes(x, x, 2);
    curve.multiply(out, x, a);
  }

  /** out = 1/√v, non-negative; true if v is a square. SQRT_RATIO_M1(1, v) of RFC 9496. Uses t[0…4]. */
  function inverseRoot(out, v) {
    const [, , , v3, r] = t;
    curve.square(v3, v);
    curve.multiply(v3, v3, v);
    curve.square(r, v3);
    curve.multiply(r, r, v); // v^7
    power(r, r);
    curve.multiply(r, r, v3);
    curve.square(t[0], r);
    curve.multiply(t[0], t[0], v);
    const flipped = same(t[0], minusOne);
    if (flipped || same(t[0], minusRoot)) curve.multiply(r, r, root);
    const square = flipped || same(t[0], one);
    if (isNegative(r)) negate(r);
    curve.plus(out, r, zero);
    return square;
  }

  /** Decodes into x and y, affine. RFC 9496, 4.3.1, of an encoding that is known to be valid. */
  function decode(x, y, bytes, from) {
    const [, , , , , s, ss, u1, u2, u2s, v, i, dx] = t;
    putBytes(s, bytes, from);
    curve.square(ss, s);
    curve.minus(u1, one, ss);
    curve.plus(u2, one, ss);
    curve.square(u2s, u2);
    curve.square(v, u1);
    curve.multiply(v, v, d);
    curve.plus(v, v, u2s);
    curve.minus(v, zero, v);
    curve.multiply(i, v, u2s);
    if (!inverseRoot(i, i)) throw new RangeError("not a point");
    curve.multiply(dx, i, u2);
    curve.multiply(i, i, dx);
    curve.multiply(i, i, v); // den_y
    curve.plus(s, s, s);
    curve.multiply(x, s, dx);
    if (isNegative(x)) negate(x);
    curve.multiply(y, u1, i);
  }

  /** An affine point as the addition wants it. */
  function makeReady(out, x, y) {
    curve.minus(out, y, x);
    curve.plus(spare, y, x);
    curve.minus(out + ELEMENT, spare, zero);
    curve.multiply(out + 2 * ELEMENT, x, y);
    curve.multiply(out + 2 * ELEMENT, out + 2 * ELEMENT, TWO_D);
  }

  function makePoint(out, x, y) {
    curve.minus(out, x, zero);
    curve.minus(out + ELEMENT, y, zero);
    curve.minus(out + 2 * ELEMENT, one, zero);
    curve.multiply(out + 3 * ELEMENT, x, y);
  }

  /** The encoding of an extended point. RFC 9496, 4.3.2. */
  function encode(bytes, to, point) {
    const [X, Y, Z, T] = [0, 1, 2, 3].map((k) => point + k * ELEMENT);
    const [, , , , , u1, u2, i, den1, den2, zInverse, x, y] = t;
    curve.plus(u1, Z, Y);
    curve.minus(u2, Z, Y);
    curve.multiply(u1, u1, u2);
    curve.multiply(u2, X, Y);
    curve.square(i, u2);
    curve.multiply(i, i, u1);
    inverseRoot(i, i);
    curve.multiply(den1, i, u1);
    curve.multiply(den2, i, u2);
    curve.multiply(zInverse, den1, den2);
    curve.multiply(zInverse, zInverse, T);
    curve.multiply(spare, T, zInverse);
    if (isNegative(spare)) {
      curve.multiply(x, Y, root);
      curve.multiply(y, X, root);
      curve.multiply(den2, den1, invsqrt);
    } else {
      curve.minus(x, X, zero);
      curve.minus(y, Y, zero);
    }
    curve.multiply(spare, x, zInverse);
    if (isNegative(spare)) negate(y);
    curve.minus(y, Z, y);
    curve.multiply(y, y, den2);
    if (isNegative(y)) negate(y);
    const limbs = canonical(y);
    bytes.fill(0, to, to + 32);
    for (let bit = 0; bit < 255; bit++) {
      bytes[to + (bit >> 3)] |= ((limbs[Math.floor(bit / 29)] >>> bit % 29) & 1) << (bit & 7);
    }
  }

  const identity = (out) => makePoint(out, zero, one);
  const base = [room(ELEMENT), room(ELEMENT)];
  putNumber(base[0], BASE_X);
  putNumber(base[1], BASE_Y);
  const basePoint = room(POINT);
  makePoint(basePoint, ...base);
  const fixed = free;

  /** Odd digits of a scalar, −15 … 15, at least `DIGIT` places apart (the last place is the highest). */
  function sparse(scalars, from) {
    const bits = new Int8Array(SCALAR_BITS + DIGIT + 1);
    for (let k = 0; k < 256 && k < bits.length; k++) bits[k] = (scalars[from + (k >> 3)] >> (k & 7)) & 1;
    for (let k = 0; k < SCALAR_BITS + 1; k++) {
      if (!bits[k]) continue;
      let digit = 0;
      for (let i = DIGIT - 1; i >= 0; i--) digit = 2 * digit + bits[k + i];
      bits.fill(0, k, k + DIGIT);
      if (digit >= 1 << (DIGIT - 1)) {
        digit -= 1 << DIGIT;
        let carry = k + DIGIT;
        while (bits[carry]) bits[carry++] = 0;
        bits[carry] = 1;
      }
      bits[k] = digit;
    }
    return bits;
  }

  /** A table of 1, 3, 5, … 15 times a point, then −1, −3, … −15 times it. */
  function oddMultiples(point) {
    const table = room(2 * ODDS * POINT);
    const twice = room(POINT);
    curve.doublePoint(twice, point);
    for (let k = 0; k < ODDS; k++) {
      const entry = table + k * POINT;
      if (k) curve.addPoints(entry, entry - POINT, twice);
      else for (let e = 0; e < 4; e++) curve.minus(entry + e * ELEMENT, point + e * ELEMENT, zero);
      const opposite = entry + ODDS * POINT;
      for (let e = 0; e < 4; e++) {
        const turned = e === 0 || e === 3;
        curve.minus(opposite + e * ELEMENT, turned ? zero : entry + e * ELEMENT, turned ? entry + e * ELEMENT : zero);
      }
    }
    return table;
  }

  /** out = Σ scalar · point by shared doublings. `terms`: offset of the scalar, table of its point. */
  function straus(out, scalars, terms) {
    const digits = terms.map(([from]) => sparse(scalars, from));
    identity(out);
    let started = false;
    for (let k = SCALAR_BITS + DIGIT; k >= 0; k--) {
      if (started) curve.doublePoint(out, out);
      for (let i = 0; i < terms.length; i++) {
        const digit = digits[i][k];
        if (!digit) continue;
        started = true;
        curve.addPoints(out, out, terms[i][1] + (digit > 0 ? digit >> 1 : ODDS + (-digit >> 1)) * POINT);
      }
    }
  }

  /** Signed digits of `width` bits, lowest first, of the scalar at `from`. */
  function digitsOf(scalars, from, width, count) {
    const digits = new Int16Array(count);
    let carry = 0;
    for (let k = 0; k < count; k++) {
      const bit = k * width;
      const byte = from + (bit >> 3);
      const end = from + 32;
      let window = 0;
      for (let i = 2; i >= 0; i--) window = (window << 8) | (byte + i < end ? scalars[byte + i] : 0);
      let digit = ((window >> (bit & 7)) & ((1 << width) - 1)) + carry;
      carry = digit > 1 << (width - 1) ? 1 : 0;
      digits[k] = digit - (carry << width);
    }
    return digits;
  }

  /** out = Σ scalar · point by buckets. `terms`: offset of the scalar, ready point. */
  function pippenger(out, scalars, terms) {
    const width = Math.max(3, Math.min(12, Math.round(Math.log2(terms.length)) - 2));
    const count = Math.ceil((SCALAR_BITS + 1) / width);
    const digits = terms.map(([from]) => digitsOf(scalars, from, width, count));
    const half = 1 << (width - 1);
    const mark = free;
    const buckets = room((half + 1) * POINT);
    const running = room(POINT);
    identity(out);
    for (let k = count - 1; k >= 0; k--) {
      for (let i = 0; i < width && k < count - 1; i++) curve.doublePoint(out, out);
      for (let b = 1; b <= half; b++) identity(buckets + b * POINT);
      for (let i = 0; i < terms.length; i++) {
        const digit = digits[i][k];
        const bucket = buckets + Math.abs(digit) * POINT;
        if (digit > 0) curve.addReady(bucket, bucket, terms[i][1]);
        else if (digit < 0) curve.subtractReady(bucket, bucket, terms[i][1]);
      }
      identity(running);
      for (let b = half; b > 0; b--) {
        curve.addPoints(running, running, buckets + b * POINT);
        curve.addPoints(out, out, running);
      }
    }
    free = mark;
  }

  /**
   * One encoded point for each sum. `layout`: Uint32Array of the number of terms of each. `scalars`: 32 bytes a term,
   * below the order. `which`: Uint32Array, the index of each term's point in `points`, 32 bytes each; 0 is the base,
   * whatever stands there.
   */
  function combine(layout, scalars, which, points) {
    free = fixed;
    const count = points.length / 32;
    const x = room(ELEMENT);
    const y = room(ELEMENT);
    const result = room(POINT);
    const ready = new Array(count);
    const tables = new Array(count);

    function affine(index) {
      if (!index) return base;
      decode(x, y, points, 32 * index);
      return [x, y];
    }

    function readyPoint(index) {
      if (ready[index] === undefined) {
        ready[index] = room(READY);
        makeReady(ready[index], ...affine(index));
      }
      return ready[index];
    }

    function tableOf(index) {
      if (tables[index] === undefined) {
        makePoint(result, ...affine(index));
        tables[index] = oddMultiples(result);
      }
      return tables[index];
    }

    const results = new Uint8Array(32 * layout.length);
    let term = 0;
    layout.forEach((size, row) => {
      const [prepared, add] = size > SHORT ? [readyPoint, pippenger] : [tableOf, straus];
      const terms = Array.from({ length: size }, (_, k) => [32 * (term + k), prepared(which[term + k])]);
      term += size;
      add(result, scalars, terms);
      encode(results, 32 * row, result);
    });
    return results;
  }

  return { combine };
}
