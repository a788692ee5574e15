// Patches the inside of an element so that it becomes that of new HTML. What is there already stays the same element: the
// button under a finger, the field in which somebody writes, the details that lie open.

const KEYS = new Set(["id", "name", "type", "href"]);

/**
 * What tells a node from its siblings. A control that means something else is another control, and is never reused.
 * @param {Node} node
 */
function keyOf(node) {
  if (!(node instanceof Element)) return node.nodeName;
  const parts = [node.nodeName];
  for (const { name, value } of node.attributes) {
    if (KEYS.has(name) || name.startsWith("data-")) parts.push(`${name}=${value}`);
  }
  if (parts.includes("type=radio")) parts.push(`value=${node.getAttribute("value")}`);
  return parts.sort().join("\n");
}

/**
 * Puts `node` in front of `before`. Where the browser can, a node that moves keeps its focus and what is selected in it.
 * @param {Node} parent
 * @param {Node} node
 * @param {Node | null} before
 */
function place(parent, node, before) {
  if (node.isConnected && parent instanceof Element && "moveBefore" in parent) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}

/**
 * Makes the children of `current` those of `next`. Nodes that are in both stay; their order becomes that of `next`.
 * @param {Node} current
 * @param {Node} next
 */
export function patchChildren(current, next) {
  /** @type {Map<string, ChildNode[]>} */
  const unused = new Map();
  for (const node of current.childNodes) {
    const key = keyOf(node);
    const same = unused.get(key);
    if (same) same.push(node);
    else unused.set(key, [node]);
  }
  /** @type {[ChildNode | undefined, ChildNode][]} */
  const pairs = [...next.childNodes].map((node) => [unused.get(keyOf(node))?.shift(), node]);
  for (const node of [...unused.values()].flat()) node.remove();
  let at = current.firstChild;
  for (const [node, wanted] of pairs) {
    if (node && node === at) at = at.nextSibling;
    else place(current, node ?? wanted, at);
    if (node) patchNode(node, wanted);
  }
}

/**
 * Gives `node` the text, the attributes and the children of `next`. A field in which somebody writes keeps its text.
 * @param {Node} node
 * @param {Node} next
 */
function patchNode(node, next) {
  if (!(node instanceof Element && next instanceof Element)) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
    return;
  }
  const isWritten = node === document.activeElement && node.matches("[type=text], [type=search], textarea")
    && node.getAttribute("value") === next.getAttribute("value");
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && !(name === "open" && node.nodeName === "DETAILS")) node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  patchChildren(node, next);
  const [field, wanted] = /** @type {[HTMLInputElement, HTMLInputElement]} */ ([node, next]);
  if (field.type === "checkbox" || field.type === "radio") field.checked = wanted.checked;
  else if ("value" in next && !isWritten && field.value !== wanted.value) field.value = wanted.value;
}

/**
 * Puts `html` into `element` and keeps whatever of it is there.
 * @param {Element} element
 * @param {string} html
 */
export function renew(element, html) {
  const next = document.createElement("template");
  next.innerHTML = html;
  patchChildren(element, next.content);
}
