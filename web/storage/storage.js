// The storage of this device as Python calls it: `globalThis.tabletinStore` (web/types.d.ts says how it looks).

import { keep, kept, persist, secret, swap } from "./device.js";
import { append, clear, read, records, remove } from "./matches.js";
import { announce, claim, claimRoom, listen, release, releaseRoom, wait } from "./tabs.js";
import { awake } from "./wake_lock.js";

globalThis.tabletinStore = {
  append, read, records, remove, clear, secret, keep, kept, swap, persist, awake, claim, wait, release, claimRoom, releaseRoom, announce,
  listen,
};
