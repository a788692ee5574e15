// The screens before Python is there: shows those that the build prepared, by the address, and notes what is done on them.
// Python takes them over where they stand and does what was noted.

import { patchChildren } from "./dom_patch.js";
import { byId, clearBusy, show } from "./elements.js";
import { inventory } from "./inventory.js";
import { cover, uncover } from "./laying.js";
import { NewMatch, remembered } from "./new_match.js";
import { languageOf } from "./startup_language.js";
import { mark } from "./text_search.js";

/** @typedef {{html: string, title: string}} Preview */
/**
 * @typedef {object} Screens
 * @property {string} language
 * @property {string} home
 * @property {import("./new_match.js").SeatWords} seats
 * @property {Record<string, Preview & {plan: import("./new_match.js").PlanFacts}>} new
 * @property {Record<string, Preview>} guide
 */
/** @typedef {["do" | "change" | "input", string, unknown]} Act what was done: an act with its data, or a control with its value */

const root = document.documentElement;
const LATE = 1000; // ms after which a screen on its way is covered, so that a tap is not answered by nothing
const STALL = 15_000; // ms until a screen that does not come is asked for again
const LINKS = ["#/", "#meet=", "#join=", "#reply="];

const language = languageOf(Object.keys(inventory.screens)) ?? Object.keys(inventory.screens)[0];
const isTooOld = () => "tooOld" in root.dataset;

let isTaken = false;
/** @type {Act[]} */
let acts = [];
/** @type {NewMatch | undefined} */
let form;
/** The address of the prepared screen that was shown last. */
let shown = "";
/** @type {Map<string, {content: DocumentFragment, acts: Act[], form: NewMatch}>} by address, forms that were left as they stood */
const left = new Map();
/** @type {Promise<Screens> | undefined} */
let screens;

/**
 * @param {string} address
 * @param {RequestCache} cache
 * @returns {Promise<any>}
 */
async function readJson(address, cache) {
  const response = await fetch(address, { priority: "high", cache, signal: AbortSignal.timeout?.(STALL) });
  if (!response.ok) throw new TypeError(`${response.url}: ${response.status}`);
  return response.json();
}

/**
 * Asks a second time past the browser's cache, which may hold half a file.
 * @param {string} address
 */
const fetchJson = (address) => readJson(address, "default").catch(() => readJson(address, "reload"));

/** The prepared screens, fetched once. */
export function fetchScreens() {
  screens ??= fetchJson(inventory.screens[language]);
  screens.catch(() => (screens = undefined)); // whoever waits says so; the next may have more luck
  return screens;
}

/**
 * What an address asks for: "home", a prepared screen with its game, or "" for one that only Python can make.
 * @param {string} address
 */
function asked(address) {
  const [path, query] = address.slice(1).split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const [game = "", screen = "new"] = parts[0] === "rules" ? [parts[1], ...parts.slice(0, 1), ...parts.slice(2)] : parts;
  if (!parts.length) return { screen: "home", game, query };
  const hasPreview = parts.length < 3 && game in inventory.rules[language] && ["new", "rules", "guide"].includes(screen);
  return { screen: hasPreview && !(screen === "new" && query) ? screen : "", game, query };
}

/** @param {Element} element */
function hold(element) {
  const names = [...element.children].map((child) => `${child.id} ${child.className}`).join(" ");
  for (const holder of [element, document.body]) /** @type {HTMLElement} */ (holder).dataset.holds = names;
}

/** Puts a form aside as it stands, for whoever comes back to it: the rules are read while something is chosen. */
function leaveForm() {
  if (!form) return;
  const content = document.createDocumentFragment();
  content.append(...(byId("screen")?.childNodes ?? []));
  left.set(shown, { content, acts, form });
  [acts, form] = [[], undefined];
}

/**
 * Shows a prepared screen.
 * @param {string} name as Python calls it
 * @param {Preview} preview
 * @param {string} address
 */
function paint(name, { html, title }, address) {
  const [home, screen] = [byId("home"), byId("screen")];
  if (!home || !screen) return;
  leaveForm();
  uncover();
  root.dataset.screen = name;
  root.lang = language;
  window.scrollTo(0, 0);
  home.hidden = true;
  screen.hidden = false;
  const content = left.get(address)?.content;
  if (content) screen.replaceChildren(content);
  else screen.innerHTML = html;
  screen.dataset.preview = shown = address;
  hold(screen);
  document.title = title;
  screen.querySelector("h1")?.focus({ preventScroll: true });
}

function showHome() {
  const screen = byId("screen");
  leaveForm();
  shown = "";
  root.dataset.screen = "home";
  show("home", true);
  show("screen", false);
  screen?.replaceChildren();
  delete screen?.dataset.preview;
  if (screen) hold(screen);
  document.title = byId("home")?.querySelector("h1")?.textContent ?? document.title;
}

/** @param {string | undefined} query */
function pointAt(query) {
  const place = byId(new URLSearchParams(query).get("at") ?? "");
  place?.scrollIntoView();
  place?.focus({ preventScroll: true });
}

/**
 * Shows what stands at `address`, if the build prepared it.
 * @param {string} address
 */
async function open(address) {
  const { screen, game, query } = asked(address);
  if (screen === "rules") {
    const page = await fetchJson(inventory.rules[language][game]);
    if (isTaken || location.hash !== address) return;
    paint("rules", page, address);
    pointAt(query);
    return;
  }
  const found = screen && (await fetchScreens());
  if (isTaken || location.hash !== address) return;
  if (found && screen === "new") {
    const kept = remembered(game, inventory.version, language);
    if (kept === undefined) return cover("screen"); // what was played last is for Python to read
    paint("new_match", { ...found.new[game], ...(kept && { html: kept }) }, address);
    form = left.get(address)?.form ?? new NewMatch(found.new[game].plan, found.seats);
    acts = left.get(address)?.acts ?? [];
    left.delete(address);
  } else if (found && found.guide[game]) {
    paint("guide", found.guide[game], address);
  } else {
    cover(address.startsWith("#/match/") ? "table" : "screen");
  }
}

function follow() {
  const address = location.hash;
  if (isTaken || isTooOld() || (address && !LINKS.some((link) => address.startsWith(link)))) return;
  const before = byId("screen")?.dataset.preview;
  const { screen, game, query } = asked(address);
  if (screen === "rules" && before && asked(before).screen === "rules" && asked(before).game === game) {
    if (byId("screen")) /** @type {HTMLElement} */ (byId("screen")).dataset.preview = shown = address;
    pointAt(query);
    return;
  }
  acts = form ? acts.filter(([, name]) => name !== "play") : []; // whoever goes away does not want to begin any more
  uncover();
  if (screen === "home") {
    if (before) showHome();
    clearBusy();
    return;
  }
  const coverHere = () => {
    if (!isTaken && location.hash === address) cover("screen");
  };
  const late = setTimeout(coverHere, LATE);
  open(address).catch(coverHere).finally(() => {
    clearTimeout(late);
    clearBusy();
  });
}

// ---- what is done on them ----

/** @param {Event} event */
const isHere = ({ target }) => !isTaken && target instanceof Element && Boolean(target.closest("#screen[data-preview]"));

/** @param {Act} act */
function note(act) {
  acts.push(act);
  form?.apply(act);
}

/** @param {Event} event */
function clicked(event) {
  if (!isHere(event)) return;
  const target = /** @type {Element} */ (event.target).closest("[data-do]");
  if (!(target instanceof HTMLElement) || target.tagName === "FORM") return;
  note(["do", target.dataset.do ?? "", { ...target.dataset }]);
  if (!form) cover("screen"); // only Python can do it; a second tap would be a second act
}

/** @param {Event} event */
function submitted(event) {
  if (!isHere(event) || !(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  note(["do", event.target.dataset.do ?? "", {}]);
  cover("table");
}

/** @param {Event} event */
function changed(event) {
  const control = event.target;
  if (!isHere(event) || !(control instanceof HTMLInputElement || control instanceof HTMLSelectElement
    || control instanceof HTMLTextAreaElement)) return;
  if (event.type === "input" && control.type !== "search") return;
  if (control.type === "search") {
    acts = acts.filter(([, name]) => name !== control.name);
    mark(/** @type {Element} */ (byId("rulebook")), control.value, event.type === "change");
  }
  const value = control instanceof HTMLInputElement && control.type === "checkbox" ? String(Number(control.checked)) : control.value;
  note([/** @type {"change" | "input"} */ (event.type), control.name, value]);
}

// ---- Python ----

/**
 * Puts Python's own `html` into `element` without drawing anew what stands there; what is searched for stays.
 * @param {Element} element
 * @param {string} html
 */
export function adopt(element, html) {
  const searched = [...element.querySelectorAll("[type=search]")].map((field) => [field.id, /** @type {HTMLInputElement} */ (field).value]);
  const next = document.createElement("template");
  next.innerHTML = html;
  patchChildren(element, next.content);
  for (const [id, value] of searched) if (byId(id)) /** @type {HTMLInputElement} */ (byId(id)).value = value;
}

/** Python is here: from now on it does all. Returns what was done before, by address, JSON text. */
export function takeOver() {
  isTaken = true;
  const done = new Map([...left].map(([address, found]) => [address, found.acts]));
  return JSON.stringify(Object.fromEntries(done.set(shown, acts)));
}

/** Shows prepared screens until Python is there. Resolves when what the page shows at first is here. */
export async function showPreviews() {
  document.addEventListener("click", clicked);
  document.addEventListener("submit", submitted);
  document.addEventListener("change", changed);
  document.addEventListener("input", changed);
  addEventListener("hashchange", follow);
  follow();
  const found = await fetchScreens().catch(() => undefined);
  const home = byId("home");
  if (isTaken || !home || !found?.home || root.lang === language) return;
  root.lang = language;
  adopt(home, found.home);
}
