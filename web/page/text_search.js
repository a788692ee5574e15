// Search in a rulebook: marks the words that are looked for, and lets Enter go from one place to the next.

/**
 * The texts inside `element`, without those of its drawings.
 * @param {Element} element
 */
function textsOf(element) {
  /** @type {Text[]} */
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest("svg") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  return texts;
}

/** @param {Element} element */
function clearMarks(element) {
  for (const old of element.querySelectorAll("mark")) {
    const parent = old.parentNode;
    old.replaceWith(...old.childNodes);
    parent?.normalize();
  }
}

/**
 * Marks `words` in the text of `element` and scrolls to the first if `go`; returns how often they stand there.
 * @param {Element} element
 * @param {string} words
 * @param {boolean} go
 */
export function mark(element, words, go) {
  const wanted = words.trim().toLocaleLowerCase();
  clearMarks(element);
  if (!wanted) return 0;
  /** @type {HTMLElement[]} */
  const marks = [];
  for (let text of textsOf(element)) {
    for (;;) {
      const at = text.data.toLocaleLowerCase().indexOf(wanted);
      if (at < 0) break;
      const found = text.splitText(at);
      text = found.splitText(wanted.length);
      const marked = document.createElement("mark");
      found.replaceWith(marked);
      marked.append(found);
      marks.push(marked);
    }
  }
  if (go) marks[0]?.scrollIntoView({ block: "center" });
  return marks.length;
}

/**
 * The marks in the rulebook in which `field` searches.
 * @param {Element} field
 */
const marksOf = (field) => [...(field.closest(".rulebook")?.querySelectorAll("article mark") ?? [])];

/** Enter in a search field goes to the next mark, Shift+Enter to the one before. */
export function listenForEnter() {
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || !(field instanceof HTMLInputElement) || field.type !== "search") return;
    const { length } = marksOf(field);
    if (!length) return;
    const before = field.dataset.for === field.value ? Number(field.dataset.at) : -1;
    const at = (before + (event.shiftKey ? length - 1 : 1)) % length;
    Object.assign(field.dataset, { for: field.value, at });
    setTimeout(() => { // a change of the words marks them anew first
      const marks = marksOf(field);
      for (const [index, one] of marks.entries()) one.classList.toggle("current", index === at);
      marks[at]?.scrollIntoView({ block: "center" });
    });
  });
}
