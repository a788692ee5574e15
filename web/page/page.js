// The page before Python is there, and what Python lets it do: dress in the chosen theme, list unfinished matches from
// memory, remember what was tapped, offer installation, say that the network is gone.
//
// Taps on the home page are links, so the address itself remembers them; the one last tapped shows that it was heard.

const root = document.documentElement;
const by = (id) => document.getElementById(id);

/** Theme, motion and size of text as settings (JSON text) say. The same lines stand in index.html's head, before paint. */
function dress(text) {
  const settings = JSON.parse(text ?? "{}");
  for (const [name, usual] of [["theme", "auto"], ["motion", "auto"]]) {
    if (settings[name] && settings[name] !== usual) root.dataset[name] = settings[name];
    else delete root.dataset[name];
  }
  root.style.fontSize = settings.text && settings.text !== "100" ? `${settings.text}%` : "";
}

/** The list of unfinished matches, from JSON text [{to, game, title, line, label}]. */
function fill(text) {
  const matches = JSON.parse(text ?? "[]");
  const section = by("unfinished");
  const items = matches.map(({ to, game, title, line, label }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = to;
    const picture = document.querySelector(`[data-tin="${CSS.escape(game)}"] .lid`)?.cloneNode(true);
    const words = document.createElement("span");
    words.className = "words";
    for (const [name, said] of [["name", title], ["quiet", line]]) {
      const span = document.createElement("span");
      span.className = name;
      span.textContent = said;
      words.append(span);
    }
    const go = document.createElement("span");
    go.className = "go";
    go.textContent = label;
    link.append(...[picture, words, go].filter(Boolean));
    item.append(link);
    return item;
  });
  const list = document.createElement("ul");
  list.append(...items);
  match(section.querySelector("ul"), list);
  section.hidden = items.length === 0;
}

/** What tells an element from its like: a control that means something else is another one. */
function kind(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
  const said = ["id", "name", "type", "href"].map((name) => node.getAttribute(name));
  return JSON.stringify([node.nodeName, said, node.type === "radio" && node.value, node.dataset]);
}

/** The inside of `have` becomes that of `wanted`. What is there already stays: the same button under a finger, the same field. */
function match(have, wanted) {
  const left = new Map();
  for (const node of have.childNodes) left.set(kind(node), [...(left.get(kind(node)) ?? []), node]);
  const pairs = [...wanted.childNodes].map((node) => [left.get(kind(node))?.shift(), node]);
  for (const node of [...left.values()].flat()) node.remove();
  let at = have.firstChild;
  for (const [node, next] of pairs) {
    if (node && node === at) at = at.nextSibling;
    else have.insertBefore(node ?? next, at);
    if (node) dressAs(node, next);
  }
}

/** `node` gets the words, the attributes and the inside of `next`; a field in which somebody writes keeps what stands in it. */
function dressAs(node, next) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.data !== next.data) node.data = next.data;
    return;
  }
  const writing = node === document.activeElement && node.matches("[type=text], [type=search], textarea")
    && node.getAttribute("value") === next.getAttribute("value");
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && !(name === "open" && node.nodeName === "DETAILS")) node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  match(node, next);
  if (node.type === "checkbox" || node.type === "radio") node.checked = next.checked;
  else if ("value" in next && !writing && node.value !== next.value) node.value = next.value;
}

/** Puts `html` into `element`, and keeps whatever of it is there. */
function renew(element, html) {
  const wanted = document.createElement("template");
  wanted.innerHTML = html;
  match(element, wanted.content);
}

/** Marks `words` in the text of `element`, and goes to the first if `go`; how often they stand there. */
function mark(element, words, go) {
  const wanted = words.trim().toLocaleLowerCase();
  for (const old of element.querySelectorAll("mark")) {
    const parent = old.parentNode;
    old.replaceWith(...old.childNodes);
    parent.normalize();
  }
  if (!wanted) return 0;
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest("svg") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  let count = 0;
  let first;
  for (let text of texts) {
    for (;;) {
      const at = text.data.toLocaleLowerCase().indexOf(wanted);
      if (at < 0) break;
      const found = text.splitText(at);
      text = found.splitText(wanted.length);
      const marked = document.createElement("mark");
      found.replaceWith(marked);
      marked.append(found);
      first ??= marked;
      count += 1;
    }
  }
  if (go) first?.scrollIntoView({ block: "center" });
  return count;
}

/** Enter in a search field goes from one place found to the next, Shift+Enter to the one before. */
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || field.type !== "search") return;
  const marks = [...(field.closest(".rulebook")?.querySelectorAll("article mark") ?? [])];
  if (!marks.length) return;
  const before = field.dataset.for === field.value ? Number(field.dataset.at) : -1;
  const at = (before + (event.shiftKey ? marks.length - 1 : 1)) % marks.length;
  Object.assign(field.dataset, { for: field.value, at });
  setTimeout(() => { // a change of the words marks them anew first
    const now = [...field.closest(".rulebook").querySelectorAll("article mark")];
    for (const [index, mark] of now.entries()) mark.classList.toggle("current", index === at);
    now[at]?.scrollIntoView({ block: "center" });
  });
});

/** Escape inside something that names the button it was opened with presses that button, and comes back to it. */
document.addEventListener("keydown", (event) => {
  const inside = event.key === "Escape" && event.target.closest?.("[data-escape]");
  if (!inside) return;
  event.stopPropagation(); // before the table hears it and closes something of its own
  const button = by(inside.dataset.escape);
  button?.click();
  button?.focus();
}, { capture: true });

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // blocked: nothing was kept
  }
}

function offline() {
  const state = by("offline-state");
  if (state) state.hidden = navigator.onLine;
}

let audio;

/** The sound of a piece put down on wood: a short breath of noise without its highs. */
function knock() {
  audio ??= new AudioContext();
  const length = Math.round(audio.sampleRate * 0.06);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const dull = new BiquadFilterNode(audio, { type: "lowpass", frequency: 700 });
  source.connect(dull).connect(new GainNode(audio, { gain: 0.5 })).connect(audio.destination);
  source.start();
}

/** Scrolls to the end once the next frame is laid out anyway: to ask for the height now would lay the page out twice. */
function toEnd(element) {
  requestAnimationFrame(() => {
    element.scrollTop = element.scrollHeight;
  });
}

globalThis.tabletin = { ...globalThis.tabletin, dress, fill, mark, knock, renew, toEnd };

try {
  const { language, html } = JSON.parse(remembered("tabletin.home") ?? "{}"); // as it was last said here, in another language
  if (html) {
    by("home").innerHTML = html;
    root.lang = language;
  }
  fill(remembered("tabletin.waiting"));
} catch (error) {
  console.info("What this page remembered was not readable:", error.message);
}

offline();
addEventListener("online", offline);
addEventListener("offline", offline);

// ---- what is tapped before Python is there ----

const ready = () => root.dataset.python === "ready";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#/']");
  if (!link || ready()) return;
  for (const other of document.querySelectorAll("[aria-busy]")) other.removeAttribute("aria-busy");
  link.setAttribute("aria-busy", "true");
});

addEventListener("pageshow", () => {
  for (const other of document.querySelectorAll("a[aria-busy]")) other.removeAttribute("aria-busy");
});

const PATIENCE = 20_000;
const started = setTimeout(() => {
  if (!ready()) by("slow").hidden = false;
}, PATIENCE);
addEventListener("py:done", () => clearTimeout(started), { once: true });
if (typeof WebAssembly !== "object") by("too-old").hidden = false;

// ---- installing ----

let prompt;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt = event;
  const button = by("install");
  if (button) button.hidden = false;
});

document.addEventListener("click", async (event) => {
  if (!event.target.closest("[data-do='install']") || !prompt) return;
  prompt.prompt();
  await prompt.userChoice;
  prompt = undefined;
  const button = by("install");
  if (button) button.hidden = true;
});

addEventListener("appinstalled", () => {
  const button = by("install");
  if (button) button.hidden = true;
});
