// Run by curves.py, which names the folder of packages: what a multiplication costs in our arithmetic, in libsodium and in two
// libraries in JavaScript, all in one run. Prints rows of a table. Every library must find the same point.
import { pathToFileURL } from "node:url";

import { BASE, point, referenceSum, scalar } from "../tests/peers/sealed/reference.mjs";

const [folder] = process.argv.slice(2);
const load = (/** @type {string} */ path) => import(pathToFileURL(`${folder}/${path}`).href);
const { ristretto255 } = await load("@noble/curves/ed25519.js");
const { pippenger } = await load("@noble/curves/abstract/curve.js");
const nacl = (await load("ristretto255/dist/ristretto255.min.js")).default;
const { startMultiScalar } = await import("../web/crypto/multi_scalar.js");
const { startConstantTime } = await import("../web/crypto/constant_time.js");
const [sums, secret] = [await startMultiScalar(), await startConstantTime()];

const TURNS = 7; // the median is told
const { Point } = ristretto255;

/** @param {Uint8Array} data */
const hex = (data) => Buffer.from(data).toString("hex");
/** @param {Uint8Array} data */
const numberOf = (data) => BigInt(`0x${hex(Uint8Array.from(data).reverse())}`);

/**
 * Microseconds of processor time a term that `act` takes, in the median.
 * @param {number} terms
 * @param {() => unknown} act
 */
function cost(terms, act) {
  act();
  const times = Array.from({ length: TURNS }, () => {
    const { user } = process.cpuUsage();
    act();
    return (process.cpuUsage().user - user) / terms;
  }).sort((a, b) => a - b);
  return times[TURNS >> 1];
}

for (const terms of [1, 20, 123, 700]) {
  const points = Array.from({ length: terms }, point);
  const factors = Array.from({ length: terms }, scalar);
  const indices = Uint32Array.from(points, (_, index) => index + 1); // the base stands before them
  const numbers = factors.map(numberOf);
  const layout = Uint32Array.of(terms);
  const [allPoints, allFactors] = [Buffer.concat([BASE, ...points]), Buffer.concat(factors)];
  const products = /** @type {[Uint8Array, Uint8Array][]} */ (factors.map((factor, index) => [factor, points[index]]));
  const decoded = () => points.map((one) => Point.fromBytes(one));
  const noble = () => (terms === 1 ? decoded()[0].multiply(numbers[0]) : pippenger(Point, decoded(), numbers)).toBytes();
  const tweet = () => points
    .map((one, index) => nacl.scalarMult(factors[index], one))
    .reduce((/** @type {Uint8Array} */ sum, /** @type {Uint8Array} */ one) => nacl.add(sum, one));
  const ours = () => sums.combine(layout, allFactors, indices, allPoints);
  const kinds = Uint8Array.from(points, () => 0);
  /** @type {[string, () => Uint8Array][]} */
  const ways = [
    ["libsodium, constant time", () => referenceSum(products)],
    ["ours, public values", ours],
    ["ours, constant time", () => secret.combine(layout, kinds, allFactors, indices, allPoints)],
    ["@noble/curves", noble],
    ["ristretto255 (TweetNaCl)", tweet],
  ];
  const right = hex(referenceSum(products));
  for (const [name, way] of ways) {
    const found = hex(way());
    if (found !== right) throw new Error(`${name}: ${found} is not ${right}`);
    console.log(`| ${terms} | ${name} | ${cost(terms, way).toFixed(1)} |`);
  }
}
