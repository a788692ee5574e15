"""What a person may set, kept on this device: read before anything is drawn, never asked for. Pure.

The page's own script (web/shell.js) reads the same text before Python is there: theme, motion and size of text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Final

KEPT_AS: Final = "tabletin.settings"

THEMES: Final = ("auto", "light", "dark")
MOTIONS: Final = ("auto", "full", "reduced")
SIZES: Final = ("100", "125", "150", "200")
PACES: Final[Mapping[str, float]] = MappingProxyType({"calm": 1.8, "usual": 0.9, "quick": 0.25})
"""Seconds that a bot lets pass at least before it acts."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``text``: the size of text in per cent of the browser's. ``language``: a catalogue's, or "" for the browser's."""

    theme: str = "auto"
    motion: str = "auto"
    sound: bool = False
    text: str = "100"
    language: str = ""
    pace: str = "usual"

    @property
    def seconds(self) -> float:
        return PACES[self.pace]

    def changed(self, name: str, value: str | bool) -> Settings:
        """These settings with another value of ``name``, if it is one that can be."""
        return Settings.from_json(json.dumps({**asdict(self), name: value}))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | None) -> Settings:
        """Whatever of ``text`` can be used; the rest as it comes."""
        try:
            found: Any = json.loads(text) if text else {}
        except ValueError:
            found = {}
        if not isinstance(found, dict):
            return cls()
        given = {name: value for name, value in found.items() if name in ALLOWED and value in ALLOWED[name]
                 and type(value) in (str, bool)}
        if isinstance(found.get("language"), str):
            given["language"] = found["language"][:20]
        return cls(**given)


ALLOWED: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "theme": THEMES, "motion": MOTIONS, "sound": (False, True), "text": SIZES, "pace": tuple(PACES)})

assert {field.name for field in fields(Settings)} == {*ALLOWED, "language"}
