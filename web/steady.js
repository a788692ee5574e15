// Sums of multiples for the randomness a peer makes up for one shuffle and then forgets. In step, whatever the scalars:
// which functions run, in what order and on what places follows from how many terms the sums have, from which points are
// the same and from the points alone, never from a scalar. Scalars are copied in as bytes; nothing here looks at them.
//
// Digits of four bits, −8 … 7. A point in many sums gets a table for each of its 64 digits, so that it needs no
// doublings; other points get one table each and share the doublings of their sum. `curve.js` does the arithmetic and
// says what that is worth; docs/sealed.md says what may come here (a peer's key may not).

import { ELEMENT, ENTRY, POINT, READY, TABLE, ZERO } from "./curve.js";
import { startPoints } from "./points.js";

const DIGITS = 64;
const MANY = 8; // multiples of a point that are worth tables of its own: they cost as much as so many rows of doublings
const KEPT = 6; // points whose tables are kept: the base, h_0, the last keys

// How a term enters its sum; the same numbers stand in group_js.py.
const TIMES = 0;
const PLUS = 2;
const MINUS = 3;

/** Resolves to `combine`. `start`: what gives it the curve; tests listen there. */
export async function startSteady(start = startPoints) {
  const curve = await start();
  const { room } = curve;
  const empty = curve.mark();
  const wide = new Map(); // from points as text to their tables
  let kept = empty; // behind the tables that are kept

  /** Entries of `count` extended points in a row, all with one inversion. */
  function makeEntries(out, points, count) {
    const mark = curve.mark();
    const products = room(count * ELEMENT);
    const [inverse, own] = [room(ELEMENT), room(ELEMENT)];
    const z = (k) => points + k * POINT + 2 * ELEMENT;
    curve.minus(products, z(0), ZERO);
    for (let k = 1; k < count; k++) curve.multiply(products + k * ELEMENT, products + (k - 1) * ELEMENT, z(k));
    curve.invert(inverse, products + (count - 1) * ELEMENT);
    for (let k = count - 1; k > 0; k--) {
      curve.multiply(own, inverse, products + (k - 1) * ELEMENT);
      curve.multiply(inverse, inverse, z(k));
      curve.makeEntry(out + k * ENTRY, points + k * POINT, own);
    }
    curve.makeEntry(out, points, inverse);
    curve.giveBack(mark);
  }

  /** 2 … 8 times an extended point, behind it. */
  function multiples(first) {
    for (let k = 1; k < 8; k++) {
      const out = first + k * POINT;
      if (k % 2) curve.doublePoint(out, first + ((k - 1) / 2) * POINT);
      else curve.addPoints(out, out - POINT, first);
    }
  }

  /** The tables of a point, one for each digit. */
  function wideTables(bytes) {
    const tables = room(DIGITS * TABLE);
    const mark = curve.mark();
    const points = room((8 * DIGITS + 1) * POINT);
    curve.point(points, bytes && curve.put(bytes));
    for (let k = 0; k < DIGITS; k++) {
      const first = points + 8 * k * POINT;
      multiples(first);
      curve.doublePoint(first + 8 * POINT, first + 7 * POINT);
    }
    makeEntries(tables, points, 8 * DIGITS);
    curve.giveBack(mark);
    return tables;
  }

  /** One table for each of these points, null for the base; a map from the points' indices. */
  function narrowTables(places) {
    const tables = room(places.size * TABLE);
    const mark = curve.mark();
    const points = room(places.size * 8 * POINT);
    const found = new Map();
    for (const [index, at] of places) {
      const first = points + found.size * 8 * POINT;
      curve.point(first, at);
      multiples(first);
      found.set(index, tables + found.size * TABLE);
    }
    if (found.size) makeEntries(tables, points, 8 * found.size);
    curve.giveBack(mark);
    return found;
  }

  /** The tables of these points, [index, bytes], are made if they are not kept; a map from the points' indices. */
  function keptTables(points) {
    const named = points.map(([index, bytes]) => [index, bytes, String(bytes)]);
    if (wide.size + named.filter(([, , name]) => !wide.has(name)).length > KEPT) {
      wide.clear();
      kept = empty;
    }
    curve.giveBack(kept);
    for (const [, bytes, name] of named) if (!wide.has(name)) wide.set(name, wideTables(bytes));
    kept = curve.mark();
    return new Map(named.map(([index, , name]) => [index, wide.get(name)]));
  }

  /**
   * One encoded point for each sum. `layout`: Uint32Array of the number of terms of each. `kinds`: one byte a term.
   * `scalars`: 32 bytes, below the order, for each term that is a multiple. `which`: Uint32Array, the index of each
   * term's point in `points`, 32 bytes each; 0 is the base, whatever stands there. A sum of nothing is the identity.
   */
  function combine(layout, kinds, scalars, which, points) {
    const uses = new Uint32Array(points.length / 32);
    kinds.forEach((kind, term) => (uses[which[term]] += kind === TIMES));
    const bytesOf = (index) => (index ? points.slice(32 * index, 32 * index + 32) : null);
    const used = Array.from(uses.keys());
    const often = keptTables(used.filter((index) => uses[index] >= MANY).map((index) => [index, bytesOf(index)]));
    const encoded = curve.put(points);
    const place = (index) => (index ? encoded + 32 * index : null);
    const seldom = used.filter((index) => uses[index] && uses[index] < MANY);
    const narrow = narrowTables(new Map(seldom.map((index) => [index, place(index)])));
    const factors = curve.put(scalars);
    for (let at = 0; at < scalars.length; at += 32) curve.raiseDigits(factors + at);

    const sum = room(POINT);
    const ready = room(READY);
    const output = room(32 * layout.length);
    const digit = (tables, factor, k) => curve.addDigit(sum, tables, factor + 8 * (k >> 4), 4 * (k & 15));
    let term = 0;
    let factor = factors;
    layout.forEach((size, row) => {
      const [doubled, straight] = [[], []];
      curve.identity(sum);
      for (const end = term + size; term < end; term++) {
        const index = which[term];
        if (kinds[term] === TIMES) {
          if (often.has(index)) straight.push([often.get(index), factor]);
          else doubled.push([narrow.get(index), factor]);
          factor += 32;
        } else if (kinds[term] !== PLUS && kinds[term] !== MINUS) throw new RangeError("not a kind of term");
      }
      if (doubled.length) {
        for (let k = DIGITS - 1; k >= 0; k--) {
          if (k < DIGITS - 1) curve.doubleFourTimes(sum, sum);
          for (const [table, scalar] of doubled) digit(table, scalar, k);
        }
      }
      for (const [tables, scalar] of straight) {
        for (let k = 0; k < DIGITS; k++) digit(tables + k * TABLE, scalar, k);
      }
      for (let at = term - size; at < term; at++) {
        if (kinds[at] === TIMES) continue;
        curve.ready(ready, place(which[at]));
        if (kinds[at] === PLUS) curve.addReady(sum, sum, ready);
        else curve.subtractReady(sum, sum, ready);
      }
      curve.encode(output + 32 * row, sum);
    });
    curve.wipe(factors, scalars.length);
    return curve.take(output, 32 * layout.length);
  }

  return { combine };
}
