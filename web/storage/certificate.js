// What the links between devices must find again after a reload: this device's certificate, which only a browser can keep
// (its key never leaves it), and small texts beside it.

import { database } from "./database.js";

const DAY = 86_400_000;
const CERTIFICATE = { name: "ECDSA", namedCurve: "P-256" };

const open = database("tabletin-wire", 1, (db) => {
  db.createObjectStore("kept");
});

const fresh = () => RTCPeerConnection.generateCertificate({ ...CERTIFICATE, expires: 365 * DAY });

/** This device's certificate; where nothing can be kept, one for as long as the page lives. */
export async function certificate() {
  let kept;
  try {
    kept = await (await open()).get("kept", "certificate");
  } catch {
    return fresh();
  }
  if (kept && kept.expires > Date.now() + 30 * DAY) return kept;
  const made = await fresh();
  try {
    await put(made, "certificate");
  } catch {
    // a browser that cannot store certificates: the way back after a reload is a fresh code
  }
  return made;
}

export async function keep(name, text) {
  await put(text, name);
}

/** What is said to be kept outlives the browser being ended the moment after. */
async function put(value, name) {
  const transaction = (await open()).transaction("kept", "readwrite", { durability: "strict" });
  transaction.store.put(value, name);
  await transaction.done;
}

export async function kept(name) {
  return (await (await open()).get("kept", name)) ?? "";
}
