// The home page before Python is there: its words as they were last shown on this device, and the unfinished matches.

import { patchChildren } from "./dom_patch.js";
import { byId } from "./elements.js";

/** @typedef {{to: string, game: string, title: string, line: string, label: string}} UnfinishedMatch */

/**
 * A span of text.
 * @param {string} className
 * @param {string} text
 * @param {...Node} inside
 */
function span(className, text, ...inside) {
  const element = document.createElement("span");
  element.className = className;
  element.append(text, ...inside);
  return element;
}

/**
 * One line of the list, with the picture of the game's tin.
 * @param {UnfinishedMatch} match
 */
function lineOf({ to, game, title, line, label }) {
  const link = document.createElement("a");
  link.href = to;
  const picture = document.querySelector(`[data-tin="${CSS.escape(game)}"] .lid`)?.cloneNode(true);
  if (picture) link.append(picture);
  link.append(span("words", "", span("name", title), span("quiet", line)), span("go", label));
  const item = document.createElement("li");
  item.append(link);
  return item;
}

/**
 * Shows the list of unfinished matches, JSON text of `UnfinishedMatch[]`; null: none.
 * @param {string | null} text
 */
export function fill(text) {
  /** @type {UnfinishedMatch[]} */
  const matches = JSON.parse(text ?? "[]");
  const section = byId("unfinished");
  const list = document.createElement("ul");
  list.append(...matches.map(lineOf));
  const shown = section?.querySelector("ul");
  if (!section || !shown) return;
  patchChildren(shown, list);
  section.hidden = matches.length === 0;
}

/**
 * Shows how today's puzzle stood when that was last written, unless it is another day.
 * @param {string | null} text JSON text of a day and the line, which is HTML
 */
function fillPuzzle(text) {
  const { day, line } = JSON.parse(text ?? "{}");
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const place = byId("puzzle-line");
  if (place && line && day === today) place.innerHTML = line;
}

/** @param {string} key */
function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is forbidden
  }
}

/** Shows the home page in the language of the last visit, with the matches that were unfinished then. */
export function restoreHome() {
  try {
    /** @type {{language?: string, html?: string}} */
    const { language, html } = JSON.parse(remembered("tabletin.home") ?? "{}");
    const home = byId("home");
    if (html && home) {
      home.innerHTML = html;
      document.documentElement.lang = language ?? "";
    }
    fill(remembered("tabletin.waiting"));
    fillPuzzle(remembered("tabletin.puzzle.line"));
  } catch (error) {
    console.info("What this page remembered was not readable:", error);
  }
}
