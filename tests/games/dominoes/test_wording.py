"""What is said of dominoes: doubles and blanks by the names that people use, in every language."""

from __future__ import annotations

import re

import pytest

from tabletin.games.dominoes.tiles import key_about, words_of
from tabletin.words import Catalogue, languages, load

SENTENCES = (
    *(f"dominoes.refuse.{key}" for key in ("while_leading", "not_asked", "no_match", "holds_asked", "must_play")),
    *(f"dominoes.audit.{key}" for key in ("none", "draw", "pass")),
    "dominoes.log.none", "dominoes.board.fits_nowhere", "dominoes.puzzle.refuted", "matador.refuse.neither_way",
    "matador.refuse.fits_nowhere",
)
ENDS = ("dominoes.log.laid", "dominoes.board.place", "dominoes.board.do.lay", "dominoes.board.do.to", "dominoes.why.nobody",
        "dominoes.board.end", "dominoes.board.place_leaving", "dominoes.board.do.to_leaving")


def said(words: Catalogue, key: str, **params: object) -> str:
    given = {"seat": "Ann", "other": "Ben", "number": 3, "total": 10, "card": "X", "cards": "X", "tile": "Y"}
    return words.text(key, **{**given, **params})


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", SENTENCES)
def test_a_double_is_called_by_its_name_and_a_domino_by_its_halves(language: str, key: str) -> None:
    words = load(language)
    nine, blank = words.text("dominoes.art.number.9"), words.text("dominoes.art.number.0")
    double = words.text("dominoes.art.double", number=nine).lower()
    assert double in said(words, key_about(key, "9-9"), **words_of("9-9")).lower()
    other = said(words, key_about(key, "9-0"), **words_of("9-0"))
    assert re.search(f"{nine}.{blank}", other) and key_about(key, "9-0") == key
    assert not re.search(r"\d[–-]\d", other)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", ENDS)
def test_a_blank_end_is_called_so_and_not_nought(language: str, key: str) -> None:
    words = load(language)
    blank = said(words, key, number=0, outer=0)
    assert any(words.text(f"dominoes.art.{form}.0") in blank for form in ("half", "open")) and "0" not in blank
    assert "6" in said(words, key, number=6, outer=6)
