// Group arithmetic and signatures for sealed matches in the replica's worker: a whole batch a call.
//
// py/tabletin/peers/sealed/group_js.py packs the points and scalars of many sums into one buffer and gets one buffer of
// points back, so that Python and JavaScript meet once for a hundred multiplications. It works on libsodium's own memory,
// without the copies of its wrappers. Sums over public values, which check the proofs of others, go to `multi_scalar.js`;
// sums over the randomness of one shuffle go to `constant_time.js`; a key, and anything that would reveal it, stays with
// libsodium. Strict decoding happens before this module and judging after it.

import startSodium from "libsodium-sumo";

import { startMultiScalar } from "./multi_scalar.js";
import { startConstantTime } from "./constant_time.js";

const POINT = 32;

// How a term enters its sum; the same numbers stand in group_js.py.
const TIMES = 0; // scalar · point
const BASE = 1; // scalar · base
const PLUS = 2; // + point
const MINUS = 3; // − point

/** Resolves to the batch operations, once libsodium is ready. */
export async function openGroup() {
  const [sodium, multiScalar, constantTime] = await Promise.all([
    startSodium(), startMultiScalar(), startConstantTime(),
  ]);
  const scratch = sodium._malloc(POINT);
  let buffer = 0;
  let size = 0;

  /**
   * Copies bytes into libsodium's memory and leaves `extra` bytes behind them; the place, valid until the next call.
   * @param {Uint8Array} bytes
   * @param {number} extra
   */
  function put(bytes, extra) {
    const need = bytes.length + extra;
    if (need > size) {
      if (buffer) sodium._free(buffer);
      size = 2 * need;
      buffer = sodium._malloc(size);
    }
    sodium.HEAPU8.set(bytes, buffer);
    return buffer;
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  function take(at, length) {
    return sodium.HEAPU8.slice(at, at + length);
  }

  /** @param {number} code */
  function must(code) {
    if (code !== 0) throw new RangeError("not a point");
  }

  /**
   * Adds or subtracts into the sum at `total`; the first term is simply copied. `empty` says whether it is the first.
   * @param {number} total
   * @param {number} point
   * @param {boolean} empty
   */
  function add(total, point, empty) {
    if (empty) sodium.HEAPU8.copyWithin(total, point, point + POINT);
    else must(sodium._crypto_core_ristretto255_add(total, total, point));
  }

  return {
    /**
     * One point for each sum. `layout`: Uint32Array of the number of terms of each sum. `kinds`: one byte a term.
     * `values`: the terms' scalars and points, 32 bytes each, in order: a scalar before its point.
     * A sum of nothing is the identity, 32 zero bytes. Scalars are neither 0 nor such that a product is the identity.
     * @param {Uint32Array} layout
     * @param {Uint8Array} kinds
     * @param {Uint8Array} values
     */
    combine(layout, kinds, values) {
      const start = put(values, POINT * layout.length);
      const results = start + values.length;
      let at = start;
      let term = 0;
      let total = results;
      for (const count of layout) {
        sodium.HEAPU8.fill(0, total, total + POINT);
        for (let i = 0; i < count; i++, term++) {
          const kind = kinds[term];
          if (kind === TIMES) {
            must(sodium._crypto_scalarmult_ristretto255(scratch, at, at + POINT));
            add(total, scratch, i === 0);
            at += 2 * POINT;
          } else if (kind === BASE) {
            must(sodium._crypto_scalarmult_ristretto255_base(scratch, at));
            add(total, scratch, i === 0);
            at += POINT;
          } else if (kind === PLUS) {
            add(total, at, i === 0);
            at += POINT;
          } else if (kind === MINUS) {
            must(sodium._crypto_core_ristretto255_sub(total, total, at));
            at += POINT;
          } else {
            throw new RangeError("not a kind of term");
          }
        }
        total += POINT;
      }
      return take(results, POINT * layout.length);
    },

    /** As `multi_scalar.js` has it. */
    combinePublic: multiScalar.combine,

    /** As `constant_time.js` has it. */
    combineEphemeral: constantTime.combine,

    /**
     * The one-way map from 64 bytes each to a point each.
     * @param {Uint8Array} digests
     */
    fromDigests(digests) {
      const count = digests.length / 64;
      const start = put(digests, POINT * count);
      const results = start + digests.length;
      for (let i = 0; i < count; i++) {
        must(sodium._crypto_core_ristretto255_from_hash(results + POINT * i, start + 64 * i));
      }
      return take(results, POINT * count);
    },

    /**
     * The 64 secret bytes of the Ed25519 key that 32 seed bytes make; the last 32 are its public half.
     * @param {Uint8Array} seed
     */
    signingKey(seed) {
      const start = put(seed, POINT + 64);
      sodium._crypto_sign_seed_keypair(start + POINT, start + 2 * POINT, start);
      return take(start + 2 * POINT, 64);
    },

    /**
     * The 64-byte signature of a message under such a key.
     * @param {Uint8Array} message
     * @param {Uint8Array} key
     */
    sign(message, key) {
      const start = put(message, 128);
      const at = start + message.length;
      sodium.HEAPU8.set(key, at + 64);
      sodium._crypto_sign_detached(at, 0, start, message.length, 0, at + 64);
      return take(at, 64);
    },

    /**
     * Whether a message is signed. `signed`: its author's public half (32 bytes), the signature (64), the message.
     * @param {Uint8Array} signed
     */
    verify(signed) {
      if (signed.length < 3 * POINT) return false;
      const at = put(signed, 0);
      return sodium._crypto_sign_verify_detached(at + POINT, at + 3 * POINT, signed.length - 3 * POINT, 0, at) === 0;
    },

    /**
     * Whether all are encodings of points.
     * @param {Uint8Array} points
     */
    arePoints(points) {
      const start = put(points, 0);
      for (let at = start; at < start + points.length; at += POINT) {
        if (sodium._crypto_core_ristretto255_is_valid_point(at) !== 1) return false;
      }
      return true;
    },
  };
}
