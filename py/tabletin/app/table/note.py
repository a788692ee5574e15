"""The one sentence beside the hand: why the last thing was refused, what a hint says, else what the board has to say.

Knows words and the line they stand in. It never decides what is said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabletin.app.table.dom import Listeners, Node, button, node
from tabletin.words import Catalogue


class Note:
    """A line in ``root``. ``read_rules`` is called with a rulebook's point when its button is tapped; ``interject`` gets what is
    said, for those who do not see it; ``size_of`` says in which size so many letters keep to the line."""

    def __init__(self, root: Node, listeners: Listeners, words: Catalogue, read_rules: Callable[[str], None],
                 interject: Callable[[str], None], size_of: Callable[[int], str]) -> None:
        self._interject = interject
        self._size_of = size_of
        self._words = words
        self._read_rules = read_rules
        self._said = ""  # stands until something else happens
        self._is_wrong = False
        self._rule = ""
        self._shown = ("", "")
        self._kind = ""
        self._line = node("p", "note")
        self._text = node("span")
        self._line.append(self._text)
        root.append(self._line)
        listeners.listen(self._line, "click", self._tapped)

    def say(self, sentence: str, *, wrong: bool = False, rule: str = "", spoken: str = "") -> None:
        """Show ``sentence`` until ``clear``; ``rule``: the rulebook's point behind it; ``spoken``: what is said instead to who
        does not see what it is about."""
        if sentence != self._said:
            self._interject(spoken or sentence)
        self._said, self._is_wrong, self._rule = sentence, wrong, rule
        self.show()

    @property
    def sentence(self) -> str:
        """What was said and still stands, or ""."""
        return self._said

    def clear(self) -> None:
        """What was said holds no longer; the line is written anew by the next ``show``."""
        self._said, self._is_wrong, self._rule = "", False, ""

    def show(self, otherwise: str = "", *, warning: bool = False) -> None:
        """Write what was said, or ``otherwise`` where nothing was; ``warning``: as something that is wrong."""
        words = self._said or otherwise
        rule = self._rule if self._said else ""
        rule_words = self._words.text("table.rule") if rule else ""
        is_wrong = self._is_wrong if self._said else warning
        kind = f"note {self._size_of(len(words) + len(rule_words))}" + (" wrong" if is_wrong else "")
        if kind != self._kind:
            self._kind = self._line.className = kind
        if self._shown == (words, rule):
            return
        self._shown = words, rule
        self._text.textContent = words
        if rule:
            self._text.append(" ", button("rule", rule_words, data_rule=rule))

    def _tapped(self, event: Any) -> None:
        rule = event.target.closest("[data-rule]")
        if rule:
            self._read_rules(str(rule.dataset.rule))
