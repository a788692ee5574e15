// Sums of multiples whose scalars are secret: the randomness that a peer makes up for one shuffle and then forgets.
// CONSTANT TIME: which functions run, in what order and on what addresses depends on the number of terms and on the points,
// never on a scalar. Scalars are copied in as bytes; nothing here reads them.
//
// A point in many sums gets a table for each of 51 digits of five bits, −16 … 15, and needs no doublings. Other points get
// one table each, for digits of four bits, and share the doublings of their sum. `curve.js` does the arithmetic and says
// what its guarantee is worth. docs/sealed.md says which scalars may come here (a peer's key may not).

import { ELEMENT, ENTRY, NARROW, placeOf, POINT, NIELS, WIDE, ZERO } from "./curve.js";
import { startPoints } from "./points.js";

const MANY = 8; // multiples of a point that are worth tables of its own: they cost as much as so many rows of doublings
const KEPT = 6; // points whose tables are kept: the base, h_0, the last keys

// How a term enters its sum; the same numbers stand in group_js.py.
const TIMES = 0;
const PLUS = 2;
const MINUS = 3;

/**
 * Resolves to `combine`. `start`: what gives it the curve; tests listen there.
 * @param {typeof startPoints} [start]
 */
export async function startConstantTime(start = startPoints) {
  const curve = await start();
  const { allocate } = curve;
  const empty = curve.mark();
  /** @type {Map<string, number>} from points as text to their tables */
  const wide = new Map();
  let kept = empty; // behind the tables that are kept

  /**
   * Calls `use` with the places of extended points and of the inverses of their Z, all with one inversion.
   * @param {number[]} points
   * @param {(k: number, inverse: number) => void} use
   */
  function withInverses(points, use) {
    if (!points.length) return;
    const mark = curve.mark();
    const products = allocate(points.length * ELEMENT);
    const [inverse, own] = [allocate(ELEMENT), allocate(ELEMENT)];
    /** @param {number} k */
    const z = (k) => points[k] + 2 * ELEMENT;
    curve.minus(products, z(0), ZERO);
    for (let k = 1; k < points.length; k++) {
      curve.multiply(products + k * ELEMENT, products + (k - 1) * ELEMENT, z(k));
    }
    curve.invert(inverse, products + (points.length - 1) * ELEMENT);
    for (let k = points.length - 1; k > 0; k--) {
      curve.multiply(own, inverse, products + (k - 1) * ELEMENT);
      curve.multiply(inverse, inverse, z(k));
      use(k, own);
    }
    use(0, inverse);
    curve.release(mark);
  }

  /**
   * Entries of `count` extended points in a row.
   * @param {number} out
   * @param {number} points
   * @param {number} count
   */
  function makeEntries(out, points, count) {
    const places = Array.from({ length: count }, (_, k) => points + k * POINT);
    withInverses(places, (k, inverse) => curve.makeEntry(out + k * ENTRY, places[k], inverse));
  }

  /**
   * 2 … `sizes` times an extended point, behind it.
   * @param {number} first
   * @param {number} sizes
   */
  function multiples(first, sizes) {
    for (let k = 1; k < sizes; k++) {
      const out = first + k * POINT;
      if (k % 2) curve.doublePoint(out, first + ((k - 1) / 2) * POINT);
      else curve.addPoints(out, out - POINT, first);
    }
  }

  /**
   * The tables of a point, one for each digit.
   * @param {Uint8Array | null} bytes
   */
  function wideTables(bytes) {
    const { count, sizes, table } = WIDE;
    const tables = allocate(count * table);
    const mark = curve.mark();
    const points = allocate((sizes * count + 1) * POINT);
    curve.point(points, bytes && curve.copyIn(bytes));
    for (let k = 0; k < count; k++) {
      const first = points + sizes * k * POINT;
      const next = first + sizes * POINT;
      multiples(first, sizes);
      curve.doublePoint(next, next - POINT);
    }
    makeEntries(tables, points, sizes * count);
    curve.release(mark);
    return tables;
  }

  /**
   * One table for each of these points, null for the base; a map from the points' indices.
   * @param {Map<number, number | null>} places
   */
  function narrowTables(places) {
    const { sizes, table } = NARROW;
    const tables = allocate(places.size * table);
    const mark = curve.mark();
    const points = allocate(places.size * sizes * POINT);
    /** @type {Map<number, number>} */
    const found = new Map();
    for (const [index, at] of places) {
      const first = points + found.size * sizes * POINT;
      curve.point(first, at);
      multiples(first, sizes);
      found.set(index, tables + found.size * table);
    }
    makeEntries(tables, points, sizes * found.size);
    curve.release(mark);
    return found;
  }

  /**
   * The tables of these points, [index, bytes], are made if they are not kept; a map from the points' indices.
   * @param {[number, Uint8Array | null][]} points
   */
  function keptTables(points) {
    const named = points.map(([index, bytes]) => ({ index, bytes, name: String(bytes) }));
    if (wide.size + named.filter(({ name }) => !wide.has(name)).length > KEPT) {
      wide.clear();
      kept = empty;
    }
    curve.release(kept);
    for (const { bytes, name } of named) if (!wide.has(name)) wide.set(name, wideTables(bytes));
    kept = curve.mark();
    return new Map(named.map(({ index, name }) => [index, /** @type {number} */ (wide.get(name))]));
  }

  /**
   * sum = Σ scalar · point, with shared doublings. `terms`: the points' tables and the scalars.
   * @param {number} sum
   * @param {[number, number][]} terms
   */
  function addShared(sum, terms) {
    for (const [, scalar] of terms) curve.raiseNarrow(scalar);
    for (let k = NARROW.count - 1; k >= 0 && terms.length; k--) {
      const [byte, bit] = placeOf(NARROW, k);
      if (k < NARROW.count - 1) curve.doubleFourTimes(sum, sum);
      for (const [table, scalar] of terms) curve.addDigit(sum, table, scalar + byte, bit);
    }
  }

  /**
   * One encoded point for each sum. `layout`: Uint32Array of the number of terms of each. `kinds`: one byte a term.
   * `scalars`: 32 bytes, below the order, for each term that is a multiple. `which`: Uint32Array, the index of each
   * term's point in `points`, 32 bytes each; 0 is the base, whatever stands there. A sum of nothing is the identity.
   * @param {Uint32Array} layout
   * @param {Uint8Array} kinds
   * @param {Uint8Array} scalars
   * @param {Uint32Array} which
   * @param {Uint8Array} points
   */
  function combine(layout, kinds, scalars, which, points) {
    const uses = new Uint32Array(points.length / 32);
    kinds.forEach((kind, term) => (uses[which[term]] += Number(kind === TIMES)));
    const bytesOf = (/** @type {number} */ index) => (index ? points.slice(32 * index, 32 * index + 32) : null);
    const used = Array.from(uses.keys());
    const frequent = keptTables(used.filter((index) => uses[index] >= MANY).map((index) => [index, bytesOf(index)]));
    const encoded = curve.copyIn(points);
    const place = (/** @type {number} */ index) => (index ? encoded + 32 * index : null);
    const rare = used.filter((index) => uses[index] && uses[index] < MANY);
    const narrow = narrowTables(new Map(rare.map((index) => [index, place(index)])));
    const factors = curve.copyIn(scalars);
    allocate(8); // the last digits are read as part of a whole word

    const sums = allocate(layout.length * POINT);
    const niels = allocate(NIELS);
    const output = allocate(32 * layout.length);
    /** @type {number[]} */
    const again = []; // rows with a card in them: it may well come again, as the proof follows the deck
    let term = 0;
    let factor = factors;
    layout.forEach((size, row) => {
      const sum = sums + row * POINT;
      /** @type {[number, number][]} tables and scalars */
      const shared = [];
      /** @type {[number, number][]} */
      const alone = [];
      /** @type {[typeof curve.addNiels, number][]} */
      const added = [];
      for (const end = term + size; term < end; term++) {
        const index = which[term];
        if (kinds[term] === PLUS) added.push([curve.addNiels, index]);
        else if (kinds[term] === MINUS) added.push([curve.subtractNiels, index]);
        else if (kinds[term] !== TIMES) throw new RangeError("not a kind of term");
        else {
          const tables = frequent.get(index);
          if (tables === undefined) shared.push([/** @type {number} */ (narrow.get(index)), factor]);
          else alone.push([tables, factor]);
          factor += 32;
        }
      }
      curve.identity(sum);
      addShared(sum, shared);
      for (const [tables, scalar] of alone) {
        curve.raiseWide(scalar);
        curve.addWide(sum, tables, scalar);
      }
      for (const [add, index] of added) {
        curve.niels(niels, place(index));
        add(sum, sum, niels);
      }
      curve.encode(output + 32 * row, sum);
      if (added.length) again.push(row);
    });
    withInverses(again.map((row) => sums + row * POINT), (k, inverse) => {
      curve.remember(output + 32 * again[k], sums + again[k] * POINT, inverse);
    });
    curve.wipe(factors, scalars.length);
    return curve.copyOut(output, 32 * layout.length);
  }

  return { combine };
}
