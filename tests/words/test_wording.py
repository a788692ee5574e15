"""Who is called what: names come from others, and none of them passes for somebody else at the table."""

from __future__ import annotations

import pytest

from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Seat, Setup
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.examples import ONE_DEAL


def called(*names: str, me: int | None = None, language: str = "en") -> list[str]:
    setup = Setup(ONE_DEAL, 1, {}, tuple(Seat("person", "a" * 64, name) for name in names))
    wording = Wording(load(language), setup, me)
    return [wording.seat(seat) for seat in range(len(names))]


def test_names_that_differ_stand_as_they_are() -> None:
    assert called("Ada", "Bo", "") == ["Ada", "Bo", "Seat 3"]


@pytest.mark.parametrize(("names", "expected"), [
    (("Ada", "Ada", "Bo"), ["Ada (Seat 1)", "Ada (Seat 2)", "Bo"]),
    (("Ada", "Ada\ufe0f"), ["Ada (Seat 1)", "Ada\ufe0f (Seat 2)"]),
    (("", "Seat 1"), ["Seat 1 (Seat 1)", "Seat 1 (Seat 2)"]),
    (("You", "Bo"), ["You (Seat 1)", "Bo"]),
], ids=["another's", "another's, with what nobody sees", "another's number", "the reader's"])
def test_one_that_reads_like_another_has_its_number_beside_it(names: tuple[str, ...], expected: list[str]) -> None:
    assert called(*names) == expected


def test_the_reader_is_you_and_whoever_has_the_same_name_is_not() -> None:
    assert called("Ada", "Ada", "Bo", me=0) == ["You", "Ada (Seat 2)", "Bo"]
    assert called("Ada", "Du", me=0, language="de") == ["Du", "Du (Platz 2)"]


def test_of_those_who_share_the_win_the_reader_comes_first() -> None:
    setup = Setup(ONE_DEAL, 1, {}, tuple(Seat("person", "a" * 64, name) for name in ("Ada", "Bo", "Cleo")))
    outcome = Outcome((3, 1, 3), (0, 2), "")
    assert Wording(load("en"), setup, 2).outcome(outcome) == "You and Ada share the win."
    assert Wording(load("en"), setup).outcome(outcome) == "Ada and Cleo share the win."
