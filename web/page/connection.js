// Says that the network is gone, and when it is back.

import { show } from "./elements.js";

const update = () => show("offline-state", !navigator.onLine);

/** Shows the state now and whenever it changes. */
export function watchConnection() {
  update();
  addEventListener("online", update);
  addEventListener("offline", update);
}
