// A database of this device that opens on first need and again after a newer version of the page or the browser closed it.

import { openDB } from "idb";

/** A function that gives the database `name`; it fails where the browser forbids databases. `upgrade` as idb's. */
export function database(name, version, upgrade) {
  let opened;
  const forget = () => {
    opened = undefined;
  };
  return () => {
    const { storage } = document.documentElement.dataset; // set where the browser forbids databases
    if (storage) return Promise.reject(new DOMException("No database may be opened.", storage));
    opened ??= openDB(name, version, {
      upgrade,
      blocking(_current, _blocked, event) {
        event.target.close();
        forget();
      },
      terminated: forget,
    }).catch((error) => {
      forget();
      throw error;
    });
    return opened;
  };
}
