"""The catalogue: every word a person reads, one file a language. Code knows keys and parameters only.

A value is a text with ``{parameters}``, or an object chosen by the parameter ``n``: ``{"one": …, "other": …}``. A key that
a language lacks is taken from English; a key that English lacks is a defect and raises. Another language is one more file,
and its name in ``settings.language``; it may add to a sentence about somebody the form to be said to them, ``…_you``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, Final

SOURCE: Final = "en"


def figure(number: int | str, *, plus: bool = False) -> str:
    """A number as people read it: with a minus sign as wide as a plus, not with a hyphen.

    >>> figure(-30), figure(5, plus=True), figure("-30 ★")
    ('−30', '+5', '−30 ★')
    """
    written = f"{number:+d}" if plus and isinstance(number, int) else str(number)
    return f"−{written[1:]}" if written.startswith("-") else written


class Catalogue:
    """The words of one language.

    >>> Catalogue({"cards": {"one": "{n} card", "other": "{n} cards"}}).text("cards", n=2)
    '2 cards'
    """

    def __init__(self, words: Mapping[str, Any], fallback: Catalogue | None = None, language: str = SOURCE) -> None:
        self.language = language
        self._words: dict[str, Any] = {}
        self._fallback = fallback
        self._flatten("", words)

    def _flatten(self, prefix: str, words: Mapping[str, Any]) -> None:
        for key, value in words.items():
            if isinstance(value, Mapping) and "other" not in value:
                self._flatten(f"{prefix}{key}.", value)
            else:
                self._words[prefix + key] = value

    def __contains__(self, key: str) -> bool:
        return key in self._words or (self._fallback is not None and key in self._fallback)

    def keys(self) -> list[str]:
        return sorted(self._words)

    def language_of(self, key: str) -> str:
        """The language in which ``key`` is said: this one, or that behind it. Raises ``KeyError``."""
        if key in self._words:
            return self.language
        if self._fallback is None:
            raise KeyError(key)
        return self._fallback.language_of(key)

    def text(self, key: str, **params: Any) -> str:
        """The words of ``key`` with ``params`` filled in. Raises ``KeyError`` for an unknown key or parameter."""
        if key not in self._words:
            if self._fallback is None:
                raise KeyError(key)
            return self._fallback.text(key, **params)
        value = self._words[key]
        if isinstance(value, Mapping):
            value = value["one"] if params.get("n") == 1 and "one" in value else value["other"]
        return str(value).format(**{name: figure(one) if type(one) is int else one for name, one in params.items()})

    def listed(self, names: Iterable[str]) -> str:
        """Names joined by the language's own "and": "Ada", "Ada and Bo", "Ada, Bo and Cleo"; "" for none."""
        *first, last = list(names) or [""]
        return self.text("kernel.and", first=", ".join(first), last=last) if first else last


def load(language: str = SOURCE) -> Catalogue:
    """The catalogue of ``language``, English behind it."""
    fallback = None if language == SOURCE else load(SOURCE)
    return Catalogue(json.loads(files(__package__).joinpath(f"{language}.json").read_text("utf-8")), fallback, language)


def languages() -> list[str]:
    """The languages there is a file for, English first."""
    found = sorted(entry.name.removesuffix(".json") for entry in files(__package__).iterdir() if entry.name.endswith(".json"))
    return [SOURCE, *(code for code in found if code != SOURCE)]
