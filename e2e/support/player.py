"""A player for every table. It knows no game: it sees what the page offers, tries the likeliest, and nothing three times in one
position. It plays by mouse, finger or keyboard; what it wants to press must be there to be hit, or to be reached by key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from playwright.sync_api import Page

MOST_STEPS: Final = 500
FEW: Final = 5  # things tried out in one turn before something plain is done
STAY: Final = frozenset({"look", "clear", "keep", "trade", "state", "past"})  # lead nowhere by themselves
HELPFUL: Final = ("best_show", "best")
LOOKS: Final = 50  # ms between two looks at the page: looking at every frame draws frames that nobody asked for
WATCHED: Final = """() => {
    for (const kind of ["pointerdown", "click"]) document.addEventListener(kind, (event) => {
        window.pressed = event.target.closest("[data-key]")?.dataset.key;
    }, true);
    document.addEventListener("click", () => {  // a button that has just come takes no tap: it leads nowhere
        if (window.pressed === "result" && !location.hash.startsWith("#/result/")) window.pressed = undefined;
    });
}"""
OFFERED: Final = """() => {
    if (window.pressed === "result" || !document.querySelector(".table-screen"))  // the last tap met what leads to the result
        return document.querySelector("article.result") && { answers: [], controls: [{key: "result"}] };
    const button = (each) => ({key: each.dataset.key, primary: each.classList.contains("primary"),
        off: each.getAttribute("aria-disabled") === "true", letter: each.getAttribute("aria-keyshortcuts") ?? ""});
    const asking = document.querySelector(".prompt:not([hidden])");
    const controls = [...document.querySelectorAll(".table-foot > .actions .button")].map(button);
    const answers = asking ? [...asking.querySelectorAll(".button")].map(button) : [];
    const mine = document.querySelector(".my-turn") !== null;
    const pieces = [...document.querySelectorAll(".over > .piece.can-tap[data-key]")].map((each) => ({key: each.dataset.key,
        legal: each.classList.contains("is-legal"), chosen: each.matches(".is-chosen, .is-tentative")}));
    const spots = [...document.querySelectorAll(".spot:not([data-key=look])")].map((each) => each.dataset.key);
    const some = pieces.length || spots.length;
    const useful = answers.length || controls.some((each) => !each.off && each.key !== "look") || (mine && some);
    return useful && { at: inside.at(), answers, controls, pieces: mine ? pieces : [], spots: mine ? spots : [] };
}"""
POINT: Final = """(key) => {
    for (const found of document.querySelectorAll(`[data-key="${key}"]`)) {
        const box = found.getBoundingClientRect();
        for (const down of [0.5, 0.2, 0.85, 0.35, 0.65]) for (const right of [0.5, 0.12, 0.88, 0.3, 0.7]) {
            const x = box.left + box.width * right, y = box.top + box.height * down;
            if (document.elementFromPoint(x, y)?.closest("[data-key]") === found) return [x, y];
        }
    }
    const button = document.querySelector(`.button[data-key="${key}"]`);
    if (button === null || button.offsetParent === null) return null;
    const box = button.getBoundingClientRect();
    const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return `covered by ${over?.outerHTML.slice(0, 120)}`;
}"""
SHEET: Final = """() => {  // where a panel closes that lies over the table, as on a phone
    const [stage, close] = [".stage", ".panel:not([hidden]) .panel-bar .button"].map((each) => document.querySelector(each));
    if (stage === null || close === null) return null;
    const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
    const over = document.elementFromPoint(...middle(stage.getBoundingClientRect()));
    return over?.closest(".panel") ? middle(close.getBoundingClientRect()) : null;
}"""
# Not every driver knows `:visible`.
IN_USE: Final = "(css) => [...document.querySelectorAll(css)].some((each) => each.checkVisibility())"
HERE: Final = """() => {
    const stage = document.querySelector(".stage"), active = document.activeElement;
    return [stage?.contains(active) ?? false, active?.closest("[data-key]")?.dataset.key ?? ""];
}"""


class Hands(Protocol):
    """How something on the table is pressed; False where it is there no more."""

    def press(self, page: Page, key: str, letter: str) -> bool: ...


@dataclass
class Pointer:
    """By mouse, or by ``touch``."""

    touch: bool = False

    def press(self, page: Page, key: str, letter: str) -> bool:
        close = page.evaluate(SHEET)
        if close is not None:  # a tap met the seat that had come to lie where a card was
            self._at(page, close)
            return False
        point = page.evaluate(POINT, key)
        assert not isinstance(point, str), f"the button {key} cannot be hit: {point}"
        if point is None:  # it is there no more, or out of the window
            return False
        self._at(page, point)
        return True

    def _at(self, page: Page, point: list[float]) -> None:
        if self.touch:
            page.touchscreen.tap(*point)
        else:
            page.mouse.click(*point)


@dataclass
class Keyboard:
    """Letters for buttons that have one, Tab to the others; arrows' Page Down from thing to thing on the table, and Enter."""

    def press(self, page: Page, key: str, letter: str) -> bool:
        if letter:
            page.keyboard.press(letter.lower())
            return True
        button = page.locator(f".button[data-key='{key}']").count() > 0
        for _ in range(60):
            in_stage, here = page.evaluate(HERE)
            if here == key:
                page.keyboard.press("Enter")
                return True
            if not page.evaluate(IN_USE, f"[data-key='{key}']:is(.can-tap, .spot, .button)"):
                return False  # somebody acted meanwhile or a question has lapsed, and it is of no use any more
            page.keyboard.press("PageDown" if in_stage and not button else "Tab")
        raise AssertionError(f"the keyboard does not reach {key}")


@dataclass
class Player:
    """Sits at ``page`` and presses with ``hands``. ``steps``: what was pressed, in order."""

    page: Page
    hands: Hands
    steps: list[str] = field(default_factory=list)
    _at: int = -1
    _tried: dict[str, int] = field(default_factory=dict)

    def play(self) -> None:
        """Until the match is over: at the result, or where the button stands that leads there."""
        self.page.evaluate(WATCHED)
        for _ in range(MOST_STEPS):
            offered = self.page.wait_for_function(OFFERED, polling=LOOKS).json_value()
            if any(control["key"] == "result" for control in offered["controls"]):
                return
            self.step(offered)
        raise AssertionError(f"the hand does not end: {self.steps[-30:]}")

    def act(self) -> None:
        """Until something that was pressed stands in the log."""
        before = self.page.evaluate("inside.at()")
        for _ in range(MOST_STEPS):
            offered = self.page.wait_for_function(OFFERED, polling=LOOKS).json_value()
            if offered.get("at", -1) != before:
                return
            self.step(offered)
        raise AssertionError(f"nothing comes of it: {self.steps[-30:]}")

    def step(self, offered: dict[str, Any]) -> None:
        """One press."""
        if offered["at"] != self._at:
            self._at, self._tried = offered["at"], {}
        for key, letter in self.likely(offered):
            if self._tried.get(key, 0) < 2:
                self._tried[key] = self._tried.get(key, 0) + 1
                if self.hands.press(self.page, key, letter):
                    self.steps.append(key)
                return
        self._tried = {}  # everything was tried: begin anew
        self.page.wait_for_timeout(50)

    def likely(self, offered: dict[str, Any]) -> list[tuple[str, str]]:
        """Everything that can be pressed now, the likeliest first, with its letter."""
        if offered["answers"]:
            answers = [answer for answer in offered["answers"] if not answer["off"] and answer["key"] != "never"]
            return [(answer["key"], "") for answer in sorted(answers, key=lambda answer: not answer["primary"])]
        controls = [control for control in offered["controls"] if not control["off"]]
        letters = {control["key"]: control["letter"] for control in controls}
        primary = [control["key"] for control in controls if control["primary"]]
        plain = [control["key"] for control in controls if not control["primary"] and control["key"] not in (*STAY, *HELPFUL)]
        back = [control["key"] for control in controls if not control["primary"] and control["key"] in STAY]
        helpful = [key for key in HELPFUL if key in letters]
        legal = [piece["key"] for piece in offered["pieces"] if piece["legal"] and not piece["chosen"]]
        others = [piece["key"] for piece in offered["pieces"] if not piece["legal"] and not piece["chosen"]]
        chosen = any(piece["chosen"] for piece in offered["pieces"])
        spots = list(offered["spots"])
        if sum(self._tried.values()) > FEW:
            order = [*primary, *plain, *back, *spots, *legal, *others, *helpful]
        elif (chosen or self._at % 3 == 0) and spots:
            order = [*spots, *primary, *legal, *helpful, *plain, *others, *back]
        else:
            order = [*primary, *helpful, *legal, *spots, *plain, *others, *back]
        return [(key, letters.get(key, "")) for key in order]
