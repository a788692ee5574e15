"""The catalogue: every word a person reads. Code knows keys and parameters only.

The words of the application stand here, one file a language; those of a family of games in its own folder, as
``words.<language>.json``. A value is a text with ``{parameters}``, or forms chosen by the parameter ``n``:
``{"one": …, "other": …}``, with the categories of the language (``plurals``); "other" stands in for a form that is not
there. ``{number:a.section}`` says a number by the words that the catalogue has for it in that section, else in figures. A
sentence about a seat may have a second form, said to that seat: its key ends in ``_you``. A key that a language lacks is taken
from English. A key of the application that English lacks is a defect and raises; one of a family stands for its words until
they are written, and is noted in ``MISSING``. A new language is one more file here, which says its own name and plural rules
under ``language``, and one in each family's folder; nothing else names it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Malformed
from tabletin.kernel.user_text import clean
from tabletin.registry import HOMES, text_of
from tabletin.words.plurals import CATEGORIES, OTHER, category

SOURCE: Final = "en"
INDEX: Final = "languages.json"  # what the build writes: the own name of each language, by its code
ENGLISH_PLURALS: Final[Mapping[str, str]] = MappingProxyType({"one": "i = 1 and v = 0"})  # where a language states no rules
MOST_QUOTED: Final = 400  # characters of what a refusal quotes: it may come from anybody
MISSING: Final[set[str]] = set()
"""The keys of families that were asked for and have no words yet, or words that ask for another parameter than the rules
give. Tests fail on any; a page shows the key."""


def figure(number: int | str, *, plus: bool = False) -> str:
    """A number as people read it: with a minus sign as wide as a plus, not with a hyphen.

    >>> figure(-30), figure(5, plus=True), figure("-30 ★")
    ('−30', '+5', '−30 ★')
    """
    written = f"{number:+d}" if plus and isinstance(number, int) else str(number)
    return f"−{written[1:]}" if written.startswith("-") else written


class _Number:
    """A number in a text: in figures, or with the section behind its colon, in the words that stand there for it."""

    def __init__(self, number: int, catalogue: Catalogue) -> None:
        self._number = number
        self._catalogue = catalogue

    def __format__(self, section: str) -> str:
        key = f"{section}.{self._number}"
        return self._catalogue.text(key) if section and key in self._catalogue else figure(self._number)


class Catalogue:
    """The words of one language.

    >>> Catalogue({"cards": {"one": "{n} card", "other": "{n} cards"}}).text("cards", n=2)
    '2 cards'
    """

    def __init__(self, words: Mapping[str, Any], fallback: Catalogue | None = None, language: str = SOURCE) -> None:
        self.language = language
        self.findings: list[str] = []
        """Why the words of a family are not here, one sentence each: its keys stand for them."""
        self._words: dict[str, Any] = {}
        self._fallback = fallback
        self._owners: dict[str, str] = {}
        self._plurals: dict[str, str] = {}
        self._take(words, "")

    def add(self, words: Mapping[str, Any], owner: str, file: str) -> None:
        """Add the sections of ``owner``, a package, which stand in ``file``.

        Raises ``Malformed`` for a section of another owner, in this language or in the one behind it, and for what is no
        text. Then nothing is added.
        """
        for section in words:
            holder = self._owner(section)
            if holder not in (None, owner):
                raise Malformed(f'{file}: the section "{section}" belongs to {holder}. Name yours after the family or its games.')
        self._take(words, file)
        self._owners |= dict.fromkeys(words, owner)

    def _take(self, words: Mapping[str, Any], file: str) -> None:
        """Add ``words``; they may bring the language's plural rules. Raises ``Malformed``, and then nothing is added."""
        found = _flat("", words, file)
        plurals = {one: found[f"language.plural.{one}"] for one in CATEGORIES if f"language.plural.{one}" in found}
        for rule in plurals.values():
            category(0, {"one": rule})  # a rule that cannot be read is told now
        self._words |= found
        self._plurals = plurals or self._plurals

    def _owner(self, section: str) -> str | None:
        behind = None if self._fallback is None else self._fallback._owner(section)
        return self._owners.get(section, behind)

    def __contains__(self, key: str) -> bool:
        return key in self._words or (self._fallback is not None and key in self._fallback)

    def own_key(self, section: str, key: str) -> str:
        """``key`` as a family has it below its ``section`` of the catalogue; ``key`` itself where it says nothing of its own."""
        own = f"{section}.{key}"
        return own if own in self else key

    def keys(self) -> list[str]:
        return sorted(self._words)

    def language_of(self, key: str) -> str:
        """The language in which ``key`` is said: this one, or that behind it. Raises ``KeyError``."""
        if key in self._words:
            return self.language
        if self._fallback is None:
            raise KeyError(key)
        return self._fallback.language_of(key)

    def text(self, key: str, /, **params: Any) -> str:
        """The words of ``key`` with ``params`` filled in; the key itself where a family has no words for it that fit.

        Raises ``KeyError`` for another unknown key and for an unknown parameter, ``ValueError`` for braces that do not match.
        """
        if key not in self._words:
            if self._fallback is not None:
                return self._fallback.text(key, **params)
            if not _of_a_family(key):
                raise KeyError(key)
            MISSING.add(key)
            return key
        value = self._words[key]
        if isinstance(value, Mapping):
            number = params.get("n")
            value = value.get(category(number, self._plurals or ENGLISH_PLURALS) if type(number) is int else OTHER, value[OTHER])
        try:
            return str(value).format(**{name: _Number(one, self) if type(one) is int else one for name, one in params.items()})
        except (LookupError, ValueError, AttributeError):
            if not _of_a_family(key):
                raise
            MISSING.add(key)
            return key

    def spell(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """``params`` with words in place of those that are keys of the catalogue.

        A word takes the form that goes with another one: "círculo rojo", but "cruz roja" in Spanish.
        """
        keys = {name: value for name, value in params.items() if isinstance(value, str) and value in self}
        return {**params, **{name: self.text(self._beside(key, keys.values())) for name, key in keys.items()}}

    def _beside(self, word: str, others: Iterable[str]) -> str:
        """The key of the form that ``word`` takes beside one of ``others``, in its own language."""
        forms = (f"{word}_{other.rpartition('.')[2]}" for other in others)
        return next((form for form in forms if form in self and self.language_of(form) == self.language_of(word)), word)

    def join_names(self, names: Iterable[str]) -> str:
        """Names joined by the language's own "and": "Ada", "Ada and Bo", "Ada, Bo and Cleo"; "" for none.

        A language may say it otherwise before some sounds, as Spanish does: "Ana y Leo", "Ana e Inés".
        """
        *first, last = list(names) or [""]
        sounds = self._words.get("language.and.before", "")
        key = "language.and.text" if sounds and re.match(sounds, last, re.IGNORECASE) else "kernel.and"
        return self.text(key, first=", ".join(first), last=last) if first else last

    def reason(self, refusal: Refusal, who: str = "") -> str:
        """Why something was not accepted, in a sentence, led by the entry and the seat that its parameters name, and by ``who``
        did it."""
        params = {name: clean(one, MOST_QUOTED) if type(one) is str else one for name, one in refusal.params.items()}
        said = self.text(refusal.key, **params) if refusal.key in self else clean(str(refusal), MOST_QUOTED)
        entry = refusal.params.get("entry")
        where = [self.text("kernel.file.where", entry=entry)] if type(entry) is int else []
        seat = refusal.params.get("at_seat")
        where += [who] if who else [self.text("kernel.seat", n=seat + 1)] if type(seat) is int else []
        return self.text("kernel.file.at", where=", ".join(where), what=said) if where else said


def _flat(prefix: str, words: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Each text of ``words`` by its whole key. Raises ``Malformed``, which names ``file`` and key, for what is no text."""
    found: dict[str, Any] = {}
    for key, value in words.items():
        if isinstance(value, Mapping) and OTHER not in value:
            found |= _flat(f"{prefix}{key}.", value, file)
        elif isinstance(value, str) or (isinstance(value, Mapping) and set(value) <= set(CATEGORIES)
                                        and all(isinstance(form, str) for form in value.values())):
            found[prefix + key] = value
        else:
            raise Malformed(f'{file}: "{prefix}{key}" is to be a text, a section of texts, or the forms of a text with a '
                            'number, "one" and "other" for example. No key of a section may be called "other".')
    return found


def _of_a_family(key: str) -> bool:
    """Whether ``key`` is in a section that a registered family may own: its name, or that of one of its games."""
    section = key.partition(".")[0]
    return any(section in (family.name, *family.games, *(game.replace("-", "_") for game in family.games))
               for family in HOMES.values())


def load(language: str = SOURCE) -> Catalogue:
    """The catalogue of ``language`` with the words of every registered family; English behind it.

    Where a family's file is no catalogue or has a reserved key, that family has no words here, and the catalogue's
    ``findings`` name file and key. Raises ``Malformed`` for a file of the application.
    """
    catalogue = Catalogue({}, None if language == SOURCE else load(SOURCE), language)
    catalogue.add(_read(__name__, f"{language}.json"), __name__, f"words/{language}.json")
    for package, family in HOMES.items():
        file = f"words.{language}.json"
        try:
            catalogue.add(_read(package, file), package, f"{family.name}/{file}")
        except Malformed as error:
            catalogue.findings.append(str(error))
    return catalogue


def application_sections() -> frozenset[str]:
    """The sections of the application's own words, which no family may have."""
    return frozenset(_read(__name__, f"{SOURCE}.json"))


def languages() -> list[str]:
    """The languages there are words for, English first."""
    return list(language_names())


@cache
def language_names() -> Mapping[str, str]:
    """The own name of each language there are words for, by its code, English first.

    Every file here is a language. A page has the build's index in their place, and the words of the chosen language alone.
    """
    names = _read(__name__, INDEX)
    if not names:
        here = sys.modules[__name__].__path__[0]
        codes = [file.removesuffix(".json") for file in sorted(os.listdir(here)) if file.endswith(".json")]
        names = {code: _read(__name__, f"{code}.json").get("language", {}).get("name", code) for code in codes}
    return {SOURCE: names[SOURCE], **names}


def is_here(language: str) -> bool:
    """Whether the words of ``language`` can be read: a page fetches those of a language that was not chosen on first need."""
    return text_of(__name__, f"{language}.json") is not None


@cache
def _read(package: str, file: str) -> dict[str, Any]:
    """The words in ``file`` of ``package``; none where there is no such file. Raises ``Malformed``."""
    text = text_of(package, file)
    try:
        words: object = {} if text is None else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{file} of {package} is not JSON: {error}") from error
    if not isinstance(words, dict):
        raise Malformed(f"{file} of {package} is to be an object of sections")
    return words
