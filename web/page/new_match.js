// A new match before Python is there: seats come and go, presets fill the options, numbers step. It changes the form as Python
// would and knows no rule: whether a plan can be played Python says. app/screens/previews.py writes what it must know.

import { byId } from "./elements.js";

/**
 * @typedef {object} SeatWords what is written when seats change; "{n}" stands for a number or a name
 * @property {string[]} names of bots
 * @property {Record<string, string>} portraits SVG, by name of a bot
 * @property {string} me
 * @property {string} person
 * @property {string} far
 * @property {string} who
 * @property {string} name
 * @property {string} remove
 * @property {string[]} levels of bots
 * @property {string} usual the level of a bot where there is none yet
 * @property {string} off
 * @property {string} own what options are called that are no preset
 * @property {[string, string]} play icon and label
 * @property {[string, string]} invite icon and label
 * @property {string} hands the switch for open hands
 */
/**
 * @typedef {object} PlanFacts
 * @property {number} fewest
 * @property {number} largest
 * @property {Record<string, {about: string, options: Record<string, string>, seats: number[]}>} presets
 * @property {Record<string, [low: number, high: number, step: number, off: boolean]>} numbers
 * @property {Record<string, string>} habits what is said of a bot, by its name
 * @property {string} own what is said of options that are no preset
 */
const OWN = "own";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/**
 * The form of `game` as it stood when it was played last, in this version and language; null where it never was, undefined
 * where it was and only Python knows how.
 * @param {string} game
 * @param {string} version
 * @param {string} language
 * @returns {string | null | undefined}
 */
export function remembered(game, version, language) {
  try {
    if (!localStorage.getItem(`tabletin.plan.${game}`)) return null;
    const form = JSON.parse(localStorage.getItem(`tabletin.form.${game}`) ?? "{}");
    return form.version === version && form.language === language ? form.html : undefined;
  } catch {
    return null; // storage is forbidden, so nothing was kept
  }
}

/** @param {string} name */
const controls = (name) => /** @type {Control[]} */ ([...document.querySelectorAll(`#screen [name="${CSS.escape(name)}"]`)]);

/**
 * What the control `name` says, spelled as in a link; undefined where there is none.
 * @param {string} name
 */
function read(name) {
  const [first, ...others] = controls(name);
  if (first instanceof HTMLInputElement && first.type === "radio") {
    return [first, ...others].find((one) => /** @type {HTMLInputElement} */ (one).checked)?.value;
  }
  return first instanceof HTMLInputElement && first.type === "checkbox" ? String(Number(first.checked)) : first?.value;
}

/**
 * Lets the control `name` say `value`.
 * @param {string} name
 * @param {string} value
 */
function write(name, value) {
  for (const control of controls(name)) {
    if (control instanceof HTMLInputElement && control.type === "radio") control.checked = control.value === value;
    else if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = value === "1";
    else control.value = value;
  }
}

export class NewMatch {
  /**
   * @param {PlanFacts} facts
   * @param {SeatWords} words
   */
  constructor(facts, words) {
    this.facts = facts;
    this.words = words;
    const row = this.#rows()[0];
    this.row = row?.cloneNode(true);
    if (this.row instanceof HTMLElement) this.row.querySelector(".sitters")?.remove(); // no bot is picked by its face
    this.add = byId("add-seat");
    this.drop = document.querySelector("#seats [data-do=drop]")?.cloneNode(true);
  }

  #rows() {
    return /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#seats ol > li")]);
  }

  #who() {
    return this.#rows().map((row) => /** @type {HTMLSelectElement} */ (row.querySelector("select")).value);
  }

  /**
   * Shows what an act changes.
   * @param {import("./previews.js").Act} act
   */
  apply([kind, name, more]) {
    const [part, ...rest] = name.split("-");
    const key = rest.join("-");
    if (kind === "do" && name === "add") this.#addSeat();
    else if (kind === "do" && name === "drop") this.#dropSeat(Number(/** @type {DOMStringMap} */ (more).seat));
    else if (kind === "do" && name === "step") this.#step(/** @type {DOMStringMap} */ (more));
    else if (part === "who") this.#put(Number(key), String(more));
    else if (part === "preset") this.#take(String(more));
    else if (part === "option") this.#judgePreset();
    if (["add", "drop", "who", "name"].includes(kind === "do" ? name : part)) this.#renewSeats();
  }

  // ---- seats ----

  #addSeat() {
    const rows = this.#rows();
    if (rows.length >= this.facts.largest || !this.row) return;
    const row = /** @type {HTMLElement} */ (this.row.cloneNode(true));
    const levels = this.#who().filter((who) => this.words.levels.includes(who));
    rows.at(-1)?.after(row);
    /** @type {HTMLInputElement} */ (row.querySelector("input")).value = "";
    /** @type {HTMLSelectElement} */ (row.querySelector("select")).value = levels.at(-1) ?? this.words.usual;
  }

  /** @param {number} seat */
  #dropSeat(seat) {
    const rows = this.#rows();
    if (rows.length > this.facts.fewest) rows[seat]?.remove();
  }

  /**
   * "me" can sit on one seat only.
   * @param {number} seat
   * @param {string} who
   */
  #put(seat, who) {
    for (const [index, row] of this.#rows().entries()) {
      const select = /** @type {HTMLSelectElement} */ (row.querySelector("select"));
      if (who === "me" && index !== seat && select.value === "me") select.value = "person";
    }
  }

  /** Numbers, names and buttons of the seats as they are now. */
  #renewSeats() {
    const { words, facts } = this;
    const rows = this.#rows();
    const who = this.#who();
    const isShared = who.filter((one) => one === "me" || one === "person").length > 1;
    const own = rows.map((row) => /** @type {HTMLInputElement} */ (row.querySelector("input")).value.trim());
    const stock = words.names.filter((name) => !own.includes(name));
    let people = who.includes("me") ? 1 : 0; // I am the first of them
    const called = [];
    for (const [seat, row] of rows.entries()) {
      if (who[seat] === "person") people += 1;
      const number = String(who[seat] === "me" ? 1 : people);
      const person = words.person.replace("{n}", number);
      const usual = { me: isShared ? person : words.me, person, far: words.far }[who[seat]];
      called[seat] = own[seat] || (usual ?? stock.shift() ?? "");
      this.#renewRow(row, seat, called[seat], rows.length > facts.fewest);
    }
    const isFull = rows.length >= facts.largest;
    if (isFull) this.add?.remove();
    else if (this.add && !this.add.isConnected) document.querySelector("#seats ol")?.after(this.add);
    this.#renewHabits(called.map((name, seat) => (words.levels.includes(who[seat]) ? name : "")));
    if (!who.includes("adapts")) byId("adapts")?.remove();
    this.#renewRest(isShared, who.includes("far"));
  }

  /**
   * The people behind the bots' stock names, where they have habits.
   * @param {string[]} bots by seat; "" where none sits
   */
  #renewHabits(bots) {
    byId("habits")?.remove();
    const list = document.createElement("ul");
    [list.className, list.id] = ["characters help", "habits"];
    for (const [seat, name] of bots.entries()) {
      const habit = this.facts.habits[name];
      if (!habit) continue;
      const item = document.createElement("li");
      const said = document.createElement("span");
      item.className = `seat-${seat}`;
      item.innerHTML = this.words.portraits[name];
      said.textContent = habit;
      item.append(said);
      list.append(item);
    }
    if (list.childElementCount) document.querySelector("#seats ol")?.after(list);
  }

  /**
   * @param {HTMLElement} row
   * @param {number} seat
   * @param {string} name
   * @param {boolean} canGo
   */
  #renewRow(row, seat, name, canGo) {
    const number = String(seat + 1);
    row.dataset.seat = String(seat);
    const disc = row.querySelector(".disc");
    if (disc) [disc.className, disc.textContent] = [`disc seat-${seat}`, number];
    const field = /** @type {HTMLInputElement} */ (row.querySelector("input"));
    field.id = field.name = `name-${seat}`;
    field.placeholder = name;
    field.setAttribute("aria-label", this.words.name.replace("{n}", number));
    const select = /** @type {HTMLSelectElement} */ (row.querySelector("select"));
    select.id = select.name = `who-${seat}`;
    select.setAttribute("aria-label", this.words.who.replace("{n}", number));
    for (const face of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-do=sit]"))) face.dataset.seat = String(seat);
    let button = /** @type {HTMLElement | null} */ (row.querySelector("[data-do=drop]"));
    if (!canGo) return button?.remove();
    if (!button) {
      button = /** @type {HTMLElement} */ (this.drop?.cloneNode(true) ?? this.#dropButton());
      row.append(button);
    }
    button.id = `drop-${seat}`;
    button.dataset.seat = String(seat);
    button.setAttribute("aria-label", this.words.remove.replace("{n}", name));
  }

  #dropButton() {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet square";
    button.dataset.do = "drop";
    button.innerHTML = '<svg class="icon" aria-hidden="true" focusable="false"><use href="#icon-x"/></svg>';
    return button;
  }

  /**
   * @param {boolean} isShared
   * @param {boolean} isFar
   */
  #renewRest(isShared, isFar) {
    const hands = byId("open_hands")?.closest(".field");
    if (!isShared) hands?.remove();
    else if (!hands) byId("seats")?.insertAdjacentHTML("beforeend", this.words.hands);
    const play = byId("play");
    const [picture, label] = isFar ? this.words.invite : this.words.play;
    if (!play || play.textContent === label) return;
    const said = document.createElement("span");
    said.textContent = label;
    play.innerHTML = picture;
    play.append(said);
  }

  // ---- options ----

  /** @param {string} key */
  #take(key) {
    const preset = this.facts.presets[key];
    if (!preset) return;
    for (const [option, value] of Object.entries(preset.options)) {
      write(`option-${option}`, value === "off" && option in this.facts.numbers ? this.words.off : value);
    }
    this.#say(preset.about);
    this.#offerOwn(false);
  }

  /** Which preset the options are now, if any. */
  #judgePreset() {
    if (!controls("preset").length) return;
    const found = Object.entries(this.facts.presets).find(([, { options }]) =>
      Object.entries(options).every(([option, value]) => (this.#optionOf(option) ?? value) === value));
    this.#offerOwn(!found);
    write("preset", found?.[0] ?? OWN);
    this.#say(found?.[1].about ?? this.facts.own);
  }

  /**
   * "Your own" stands beside the presets while it is what is chosen.
   * @param {boolean} isOwn
   */
  #offerOwn(isOwn) {
    const own = controls("preset").find((one) => one.value === OWN)?.closest("label");
    const last = controls("preset").at(-1)?.closest("label");
    if (!isOwn) own?.remove();
    if (!isOwn || own || !last) return;
    const label = /** @type {HTMLElement} */ (last.cloneNode(true));
    const said = label.querySelector("span");
    /** @type {HTMLInputElement} */ (label.querySelector("input")).value = OWN;
    if (said) said.textContent = this.words.own;
    last.after(label);
  }

  /** @param {string} option */
  #optionOf(option) {
    const said = read(`option-${option}`);
    return said === this.words.off && option in this.facts.numbers ? "off" : said;
  }

  /** @param {string} sentence */
  #say(sentence) {
    const about = byId("preset-about");
    if (about) about.textContent = sentence;
  }

  /** @param {DOMStringMap} data */
  #step({ option = "", by = "0" }) {
    const [low, high, , canBeOff] = this.facts.numbers[option] ?? [0, 0, 1, false];
    const said = this.#optionOf(option);
    const next = said === "off" ? (Number(by) > 0 ? low : undefined) : Number(said) + Number(by);
    const isOff = next === undefined || (next < low && canBeOff);
    write(`option-${option}`, isOff ? this.words.off : String(Math.min(high, Math.max(low, next ?? low))));
    this.#judgePreset();
  }
}
