// Sums of many multiples of ristretto255 points, for checking proofs. VARIABLE TIME: public scalars and points only.
//
// Points come and go as libsodium encodes them (RFC 9496) and must have passed its validity check. Long sums use buckets
// (Pippenger), short ones share their doublings (Straus). `curve.js` does the arithmetic.

import { ELEMENT, POINT, NIELS, ZERO } from "./curve.js";
import { startPoints } from "./points.js";

const SCALAR_BITS = 253;
const SHORT = 4; // sums of up to so many terms share their doublings
const DIGIT = 5; // width of their digits: odd, below 2^4 in size
const ODDS = 1 << (DIGIT - 2);

/**
 * Resolves to `combine`. `start`: what gives it the curve; tests listen there.
 * @param {typeof startPoints} [start]
 */
export async function startMultiScalar(start = startPoints) {
  const curve = await start();
  const { allocate, identity } = curve;
  const fixed = curve.mark();

  /**
   * The non-adjacent form of a scalar: odd digits, −15 … 15, at least `DIGIT` places apart (the last place is the highest).
   * @param {Uint8Array} scalars
   * @param {number} from
   */
  function nonAdjacentForm(scalars, from) {
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

  /**
   * A table of 1, 3, 5, … 15 times a point, then −1, −3, … −15 times it.
   * @param {number} point
   */
  function oddMultiples(point) {
    const table = allocate(2 * ODDS * POINT);
    const twice = allocate(POINT);
    curve.doublePoint(twice, point);
    for (let k = 0; k < ODDS; k++) {
      const entry = table + k * POINT;
      if (k) curve.addPoints(entry, entry - POINT, twice);
      else for (let e = 0; e < 4; e++) curve.minus(entry + e * ELEMENT, point + e * ELEMENT, ZERO);
      const opposite = entry + ODDS * POINT;
      for (let e = 0; e < 4; e++) {
        const turned = e === 0 || e === 3;
        curve.minus(opposite + e * ELEMENT, turned ? ZERO : entry + e * ELEMENT, turned ? entry + e * ELEMENT : ZERO);
      }
    }
    return table;
  }

  /**
   * out = Σ scalar · point by shared doublings. `terms`: offset of the scalar, table of its point.
   * @param {number} out
   * @param {Uint8Array} scalars
   * @param {[number, number][]} terms
   */
  function straus(out, scalars, terms) {
    const digits = terms.map(([from]) => nonAdjacentForm(scalars, from));
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

  /**
   * Signed digits of `width` bits, lowest first, of the scalar at `from`.
   * @param {Uint8Array} scalars
   * @param {number} from
   * @param {number} width
   * @param {number} count
   */
  function signedDigits(scalars, from, width, count) {
    const digits = new Int16Array(count);
    let carry = 0;
    for (let k = 0; k < count; k++) {
      const bit = k * width;
      const byte = from + (bit >> 3);
      const end = from + 32;
      let window = 0;
      for (let i = 2; i >= 0; i--) window = (window << 8) | (byte + i < end ? scalars[byte + i] : 0);
      const digit = ((window >> (bit & 7)) & ((1 << width) - 1)) + carry;
      carry = digit > 1 << (width - 1) ? 1 : 0;
      digits[k] = digit - (carry << width);
    }
    return digits;
  }

  /**
   * out = Σ scalar · point by buckets. `terms`: offset of the scalar, its point in Niels form.
   * @param {number} out
   * @param {Uint8Array} scalars
   * @param {[number, number][]} terms
   */
  function pippenger(out, scalars, terms) {
    const width = Math.max(3, Math.min(12, Math.round(Math.log2(terms.length)) - 2));
    const count = Math.ceil((SCALAR_BITS + 1) / width);
    const digits = terms.map(([from]) => signedDigits(scalars, from, width, count));
    const half = 1 << (width - 1);
    const mark = curve.mark();
    const buckets = allocate((half + 1) * POINT);
    const running = allocate(POINT);
    identity(out);
    for (let k = count - 1; k >= 0; k--) {
      for (let i = 0; i < width && k < count - 1; i++) curve.doublePoint(out, out);
      for (let b = 1; b <= half; b++) identity(buckets + b * POINT);
      for (let i = 0; i < terms.length; i++) {
        const digit = digits[i][k];
        const bucket = buckets + Math.abs(digit) * POINT;
        if (digit > 0) curve.addNiels(bucket, bucket, terms[i][1]);
        else if (digit < 0) curve.subtractNiels(bucket, bucket, terms[i][1]);
      }
      identity(running);
      for (let b = half; b > 0; b--) {
        curve.addPoints(running, running, buckets + b * POINT);
        curve.addPoints(out, out, running);
      }
    }
    curve.release(mark);
  }

  /**
   * One encoded point for each sum. `layout`: Uint32Array of the number of terms of each. `scalars`: 32 bytes a term,
   * below the order. `which`: Uint32Array, the index of each term's point in `points`, 32 bytes each; 0 is the base,
   * whatever stands there.
   * @param {Uint32Array} layout
   * @param {Uint8Array} scalars
   * @param {Uint32Array} which
   * @param {Uint8Array} points
   */
  function combine(layout, scalars, which, points) {
    curve.release(fixed);
    const encoded = curve.copyIn(points);
    const result = allocate(POINT);
    const output = allocate(32);
    /** @type {number[]} */
    const nielsPoints = [];
    /** @type {number[]} */
    const tables = [];
    const place = (/** @type {number} */ index) => (index ? encoded + 32 * index : null);

    /** @param {number} index */
    function nielsOf(index) {
      if (nielsPoints[index] === undefined) {
        nielsPoints[index] = allocate(NIELS);
        curve.niels(nielsPoints[index], place(index));
      }
      return nielsPoints[index];
    }

    /** @param {number} index */
    function tableOf(index) {
      if (tables[index] === undefined) {
        curve.point(result, place(index));
        tables[index] = oddMultiples(result);
      }
      return tables[index];
    }

    const results = new Uint8Array(32 * layout.length);
    let term = 0;
    layout.forEach((size, row) => {
      const [prepared, add] = size > SHORT ? [nielsOf, pippenger] : [tableOf, straus];
      /** @type {[number, number][]} */
      const terms = Array.from({ length: size }, (_, k) => [32 * (term + k), prepared(which[term + k])]);
      term += size;
      add(result, scalars, terms);
      curve.encode(output, result);
      results.set(curve.copyOut(output, 32), 32 * row);
    });
    return results;
  }

  return { combine };
}
