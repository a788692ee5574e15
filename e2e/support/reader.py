"""What a screen reader meets: the page's accessibility tree in browse order, a line a thing, and what live regions say, in order.

The tree is Chromium's own, so what ``aria-owns`` moves stands where it is read.
"""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

LISTENING: Final = """() => {
    window.heard = [];
    window.ears = new MutationObserver((changes) => changes.forEach(({ target, addedNodes }) =>
        addedNodes.forEach((node) => window.heard.push(`${target.matches(".asked") ? "?" : "·"} ${node.textContent}`))));
    for (const region of document.querySelectorAll(".spoken, .asked")) window.ears.observe(region, { childList: true });
}"""
TOLD_AT_ONCE: Final = frozenset({"button", "link", "heading", "image"})  # what stands inside is their name
PLAIN: Final = frozenset({"image", "StaticText"})  # a reader says no more than the name
STATES: Final = ("pressed", "expanded", "disabled")


def listen(page: Page) -> None:
    """From now on ``heard`` knows what is said at the table of ``page``."""
    page.evaluate(LISTENING)


def heard(page: Page) -> list[str]:
    """What was said since it was last asked for: "· " before what happened, "? " before what is asked or who won."""
    said: list[str] = page.evaluate("window.heard.splice(0)")
    return said


def tree(page: Page) -> list[str]:
    """Everything with a name, in the order in which it is read, but what live regions have said."""
    devtools = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in devtools.send("Accessibility.getFullAXTree")["nodes"]}
    devtools.detach()
    lines: list[str] = []

    def read(node: dict[str, Any]) -> None:
        role, properties = _of(node, "role"), {one["name"]: one["value"]["value"] for one in node.get("properties", ())}
        if role == "InlineTextBox" or "live" in properties:
            return
        name = _of(node, "name")
        if not node["ignored"] and name and role != "RootWebArea":
            states = [state if properties[state] in (True, "true") else f"not {state}" for state in STATES
                      if state in properties and not (state == "disabled" and not properties[state])]
            told = ", ".join((name, *([] if role in PLAIN else [role]), *states))
            lines.append(f"{told} – {_of(node, 'description')}" if _of(node, "description") else told)
            if role in TOLD_AT_ONCE:
                return
        for child in node.get("childIds", ()):
            if child in nodes:
                read(nodes[child])

    read(next(node for node in nodes.values() if "parentId" not in node))
    return lines


def _of(node: dict[str, Any], what: str) -> str:
    return str(node.get(what, {}).get("value", "")).strip()
