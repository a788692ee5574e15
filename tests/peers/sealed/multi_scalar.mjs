// Holds web/crypto/multi_scalar.js against libsodium: random sums of every length that matters, and the awkward scalars and points.
// Run by test_sums.py; prints how many sums agreed, fails loudly otherwise.

import { awkward, BASE, below, bytes, hex, point, random, scalar, scratch, referenceSum, small, sodium } from "./reference.mjs";

const { startMultiScalar } = await import("../../../web/crypto/multi_scalar.js");
const { openGroup } = await import("../../../web/crypto/sodium.js");
const sums = await startMultiScalar();
const group = await openGroup();

/** @typedef {[Uint8Array, number][]} Row scalars, and the indices of their points */

let agreed = 0;

/**
 * Compares these sums, all in one call.
 * @param {string} name
 * @param {Uint8Array[]} points
 * @param {Row[]} rows
 */
function compare(name, points, rows) {
  const layout = Uint32Array.from(rows, (row) => row.length);
  const terms = rows.flat();
  const scalars = Buffer.concat(terms.map(([factor]) => factor));
  const which = Uint32Array.from(terms, ([, index]) => index);
  const got = sums.combine(layout, scalars, which, Buffer.concat(points));
  rows.forEach((row, k) => {
    const want = hex(referenceSum(row.map(([factor, index]) => [factor, points[index]])));
    const have = hex(got.slice(32 * k, 32 * k + 32));
    if (have !== want) throw new Error(`${name}, row ${k} of ${row.length} terms: ${have} is not ${want}`);
    agreed++;
  });
}

for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 9, 17, 40, 130, 700]) {
  const points = [BASE, ...Array.from({ length: Math.max(1, length) }, point)];
  const index = () => (random() * 256 + random()) % points.length;
  /** @type {Row[]} */
  const rows = Array.from({ length: length > 100 ? 1 : 6 }, () => Array.from({ length }, () => [scalar(), index()]));
  compare("random", points, rows);
  compare("awkward scalars", points, [Array.from({ length }, (_, k) => [awkward[k % awkward.length], index()])]);
  compare("one point only", points, [Array.from({ length }, (_, k) => [k % 2 ? scalar() : awkward[k % 15], 1])]);
}

for (const factor of awkward) compare("each alone", [BASE, point()], [[[factor, 0]], [[factor, 1]]]);

for (const length of [1, 3, 20]) {
  const points = [BASE, ...Array.from({ length }, point)];
  /** @type {Row} */
  const row = points.slice(1).map((_, k) => [scalar(), k + 1]);
  /** @type {Row} */
  const opposite = row.map(([factor, k]) => {
    sodium.HEAPU8.set(factor, scratch);
    sodium._crypto_core_ristretto255_scalar_negate(scratch + 32, scratch);
    return [bytes(scratch + 32, 32), k];
  });
  compare("cancels", points, [[...row, ...opposite]]);
  if (hex(referenceSum([...row, ...opposite].map(([f, k]) => [f, points[k]]))) !== "00".repeat(32)) throw new Error("no zero");
}

// Points near the identity and of every small multiple, whose coordinates are the likeliest to meet a corner.
let multiple = BASE;
const multiples = [BASE];
for (let k = 0; k < 40; k++) {
  sodium.HEAPU8.set(multiple, scratch);
  sodium.HEAPU8.set(BASE, scratch + 32);
  sodium._crypto_core_ristretto255_add(scratch + 64, scratch, scratch + 32);
  multiples.push((multiple = bytes(scratch + 64, 32)));
}
compare("small multiples", multiples, multiples.map((_, k) => [[small(1), k]]));
compare("all small multiples", multiples, [multiples.map((_, k) => [below(k + 1), k])]);

// The constant-time half agrees as well: one row of every kind of term, against the same by this half.
const [p, q] = [point(), point()];
const [x, y] = [scalar(), scalar()];
const mixed = group.combine(
  Uint32Array.of(4, 0, 1),
  Uint8Array.of(0, 1, 2, 3, 1),
  Buffer.concat([x, p, y, p, q, x]),
);
/** @type {Row[]} */
const expected = [[[x, 1], [y, 0], [small(1), 1], [below(1), 2]], [], [[x, 0]]];
const layout = Uint32Array.of(4, 0, 1);
const flat = expected.flat();
const public_ = group.combinePublic(
  layout,
  Buffer.concat(flat.map(([factor]) => factor)),
  Uint32Array.from(flat, ([, k]) => k),
  Buffer.concat([BASE, p, q]),
);
if (hex(mixed) !== hex(public_)) throw new Error("the halves differ");
if (!group.arePoints(Buffer.concat([p, q])) || group.arePoints(Buffer.concat([p, below(0)]))) throw new Error("points");
console.log(agreed);
