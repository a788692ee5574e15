// Where the page's own scripts or its styles did not come, or came damaged: fetches them again and begins the page anew. What was
// asked for stands in the address, and nothing else could be done yet. Runs before they do.

import { byId, show } from "./elements.js";
import { afterQuiet, filesHere } from "./stall_timer.js";

const PATIENCE = 20_000; // ms without anything until it is said that nothing comes through
const LONGEST = 120_000; // ms that a fetch may bring nothing at most, once shorter times were not enough
const PAUSE = 1000; // ms before the next attempt
const TIMES = 3; // that the page begins anew by itself, so that it does not do so for ever
const COUNT = "tabletin.begun_anew";

const isWhole = () =>
  Boolean(globalThis.tabletin?.deliver && globalThis.tabletinStore) &&
  [...document.querySelectorAll("link[rel='stylesheet']")].every((link) => /** @type {HTMLLinkElement} */ (link).sheet);

/** The scripts and styles that were asked for, by address. */
function addresses() {
  const named = [...document.querySelectorAll("head script[src], link[rel='stylesheet']")].map(
    (one) => one.getAttribute("src") ?? one.getAttribute("href") ?? "");
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\.(css|js)$/.test(name));
  return [...new Set([...named, ...fetched].map((name) => new URL(name, document.baseURI).href))];
}

/** Counts that the page begins anew by itself; false where it did so too often, or where nothing can be counted. */
function mayBeginAgain() {
  try {
    const times = Number(sessionStorage.getItem(COUNT)) + 1;
    sessionStorage.setItem(COUNT, String(times));
    return times <= TIMES;
  } catch {
    return false;
  }
}

let stall = PATIENCE;

/**
 * Fetches all of `address` past the browser's cache, which may hold half a file. Throws where it fails, or brings nothing for `stall`
 * ms; as long as something comes, a slow line may take its time.
 * @param {string} address
 */
async function fetchAnew(address) {
  const stop = new AbortController();
  const wait = () => setTimeout(() => stop.abort(), stall);
  let timer = wait();
  try {
    const response = await fetch(address, { cache: "reload", signal: stop.signal });
    if (!response.ok) throw new TypeError(`${address}: ${response.status}`);
    const reader = response.body?.getReader();
    while (reader && !(await reader.read()).done) {
      clearTimeout(timer);
      timer = wait();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches all of it, and begins the page anew once it is here. */
async function beginAnew() {
  try {
    for (const address of addresses()) await fetchAnew(address);
  } catch {
    stall = Math.min(LONGEST, 2 * stall);
    show("slow", true);
    setTimeout(beginAnew, PAUSE);
    return;
  }
  location.reload();
}

/** Listens until the page's own scripts are there. */
export function watchEssentials() {
  const say = () => {
    if (isWhole() || "tooOld" in document.documentElement.dataset) return;
    show("slow", true);
    byId("try-again")?.addEventListener("click", beginAnew, { once: true });
  };
  const end = afterQuiet(PATIENCE, say, filesHere);
  addEventListener("load", () => {
    end();
    if (isWhole() || "tooOld" in document.documentElement.dataset) return;
    if (mayBeginAgain()) beginAnew();
    else say();
  });
}
