// What links between devices need after a reload: the certificate of this device, which only a browser can store (its key
// never leaves it), and small texts beside it. Python loads this module by name.

import { openWire } from "./database.js";

const DAY = 86_400_000; // ms
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };

const generate = () =>
  RTCPeerConnection.generateCertificate(/** @type {EcKeyGenParams} */ ({ ...ALGORITHM, expires: 365 * DAY }));

/**
 * The certificate of this device; where nothing can be stored, one for as long as the page lives.
 * @returns {Promise<RTCCertificate>}
 */
export async function certificate() {
  /** @type {RTCCertificate | undefined} */
  let stored;
  try {
    stored = await (await openWire()).get("kept", "certificate");
  } catch {
    return generate();
  }
  if (stored && stored.expires > Date.now() + 30 * DAY) return stored;
  const made = await generate();
  try {
    await put(made, "certificate");
  } catch {
    // this browser cannot store certificates: after a reload people need a new code
  }
  return made;
}

/**
 * Stores a text; it is on the disk when this resolves.
 * @param {string} name
 * @param {string} text
 */
export async function keep(name, text) {
  await put(text, name);
}

/**
 * @param {unknown} value
 * @param {string} name
 */
async function put(value, name) {
  const transaction = (await openWire()).transaction("kept", "readwrite", { durability: "strict" });
  transaction.store.put(value, name);
  await transaction.done;
}

/**
 * The text that `keep` stored; "" for none.
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function kept(name) {
  return (await (await openWire()).get("kept", name)) ?? "";
}
