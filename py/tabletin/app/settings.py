"""What a person may set, kept on this device: read before anything is drawn, never asked for. Pure.

The page's own script (web/page/appearance.js) reads the same text before Python is there: theme, cloth, motion and size of text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final

from tabletin.app.kept_text import kept_object

KEPT_AS: Final = "tabletin.settings"
NEWEST_KEPT_AS: Final = "tabletin.settings.newest"
"""A copy that is on the disk at once: ``KEPT_AS`` gets there up to a minute later, and a browser may be ended before."""

THEMES: Final = ("auto", "light", "dark")
CLOTHS: Final = ("linen", "gingham", "slate", "garden")
MOTIONS: Final = ("auto", "full", "reduced")
SIZES: Final = ("100", "125", "150", "200")
PACES: Final[Mapping[str, float]] = MappingProxyType({"calm": 2.4, "usual": 1.2, "quick": 0.4, "instant": 0.0})
"""Seconds that pass at least before something happens that nobody tapped, as a bot's move."""
TALKS: Final = ("words", "signs", "off")
LONGEST_TEXT: Final = 500
SERVER_FORMS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType({
    "stun": re.compile(r"(stuns?:\S+)?", re.ASCII), "turn": re.compile(r"(turns?:\S+)?", re.ASCII),
    "turn_user": re.compile(r".*"), "turn_password": re.compile(r".*"),
    "relay_url": re.compile(r"(wss?://\S+(\s+wss?://\S+)*)?", re.ASCII)})
"""Servers of others that help devices find each other, and the form of each; none is used unless it is named."""
USUAL_STUN: Final = "stun:stun.cloudflare.com:3478"


def as_address(name: str, typed: str) -> str:
    """What was typed as the address of "stun" or "turn", with the scheme in front that people leave out."""
    bare = name in ("stun", "turn") and typed and not typed.startswith((f"{name}:", f"{name}s:"))
    return f"{name}:{typed}" if bare else typed


@dataclass(frozen=True, slots=True)
class Settings:
    """``text``: the size of text in per cent of the browser's. ``language``: a catalogue's, or "" for the browser's. ``cloth``:
    of the table, with which the backs of the cards go.

    ``sound``: sounds, and touch where the device has it; ``sound_offered``: whether a table has asked for it, ``sound_asked``:
    whether none asks any more; ``hurry_tips``: how often it may still be said that a tap hurries.
    ``own_taps``: the person taps what is no choice, too. ``read_aloud``: a voice reads what happens at the table. ``notify``: the
    device tells of one's turn where the page is not seen. ``talk``: what is heard of friends far away. ``stun``, ``turn``,
    ``relay_url``: addresses of servers, "" for none (for the public ones, where ``relay`` is on); ``relay_url`` may name several.
    ``changes``: how often they were changed, which tells the newer one of two copies.
    """

    theme: str = "auto"
    motion: str = "auto"
    sound: bool = False
    text: str = "100"
    language: str = ""
    pace: str = "usual"
    own_taps: bool = False
    read_aloud: bool = False
    notify: bool = False
    sound_offered: bool = False
    sound_asked: bool = False
    hurry_tips: int = 2
    talk: str = "words"
    stun: str = ""
    turn: str = ""
    turn_user: str = ""
    turn_password: str = ""
    relay: bool = False
    relay_url: str = ""
    cloth: str = "linen"
    changes: int = field(default=0, compare=False)

    @property
    def seconds(self) -> float:
        return PACES[self.pace]

    def with_value(self, name: str, value: str | bool | int) -> Settings:
        """These settings with ``value`` for ``name``; unchanged where that is none of its values."""
        return Settings.from_json(json.dumps({**asdict(self), name: value}))

    def changed_from(self, before: Settings) -> Settings:
        """These settings, as those that take the place of ``before``."""
        return replace(self, changes=before.changes + 1)

    def is_newer_than(self, kept: str | None) -> bool:
        """Whether ``kept``, the text under ``KEPT_AS``, is an older copy. A text without a count stands: it was never copied."""
        return self.changes > Settings.from_json(kept).changes and (not kept or '"changes"' in kept)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | None) -> Settings:
        """Whatever of ``text`` can be used; the rest as it comes."""
        found = kept_object(text)
        given = {name: value for name, value in found.items() if name in ALLOWED and value in ALLOWED[name]
                 and type(value) is type(ALLOWED[name][0])}
        if type(found.get("changes")) is int:
            given["changes"] = found["changes"]
        if isinstance(found.get("language"), str):
            given["language"] = found["language"][:20]
        for name, form in SERVER_FORMS.items():
            text = found.get(name)
            if isinstance(text, str) and len(text) <= LONGEST_TEXT and form.fullmatch(text):
                given[name] = text
        return cls(**given)


ALLOWED: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "theme": THEMES, "cloth": CLOTHS, "motion": MOTIONS, "sound": (False, True), "text": SIZES, "pace": tuple(PACES),
    "sound_offered": (False, True), "sound_asked": (False, True), "hurry_tips": (0, 1, 2), "own_taps": (False, True),
    "read_aloud": (False, True), "notify": (False, True), "talk": TALKS, "relay": (False, True)})

assert {field.name for field in fields(Settings)} == {*ALLOWED, *SERVER_FORMS, "language", "changes"}
