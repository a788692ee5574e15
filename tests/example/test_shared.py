"""The tests that all games share, run on the worked example. A game of the tin needs no such file: they find it by themselves."""

from __future__ import annotations

import json

import pytest

from tabletin import cli
from tabletin.app.ui.rulebook import read
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES
from tabletin.words import load
from tests.board import test_scenes
from tests.example.example import EXAMPLES
from tests.games import test_bots, test_properties
from tests.support.cases import Case
from tests.support.closed_cards import closed_card_faults
from tests.support.completeness import lacking

CASES: list[Case] = [("doubt", seats, dict(options)) for seats, options in EXAMPLES["doubt"].option_sets]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{json.dumps(case[2])}")


@each_case
@pytest.mark.parametrize("name", [name for name in dir(test_properties) if name.startswith("test_invariant")])
def test_invariants(name: str, case: Case) -> None:
    getattr(test_properties, name)(case)


@each_case
def test_matches_end_and_audit(case: Case) -> None:
    test_properties.test_matches_end_and_audit((case, range(10)))


@each_case
def test_no_closed_card_can_be_followed(case: Case) -> None:
    assert closed_card_faults(test_properties.played(case)) == []


@each_case
@pytest.mark.parametrize("level", LEVELS)
def test_bots_decide_from_their_own_view(case: Case, level: str) -> None:
    test_bots.test_invariant_7_bots_decide_from_their_own_view_alone_and_in_any_time(case, level)


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("name", [name for name in dir(test_scenes) if name.startswith("test_")])
def test_scenes_and_drafts(name: str, seats: int) -> None:
    getattr(test_scenes, name)("doubt", seats)


def words_of(language: str) -> list[str]:
    return load(language).keys()


def test_every_key_and_parameter_of_english_is_there_in_german() -> None:
    assert [line for line in lacking("doubt", ("en", "de")) if "words" in line] == []
    own = {language: [key for key in words_of(language) if key.startswith("doubt.")] for language in ("en", "de")}
    assert own["en"] == own["de"]


def test_what_it_leaves_out_is_named() -> None:
    """What is optional: a guide, measured levels, and data for pictures, goldens and stored logs."""
    assert GAMES["doubt"].lacking() == ("guide",)


def test_its_rulebook_is_a_page_with_an_anchor_a_ruling() -> None:
    text = GAMES["doubt"].home.text("rulebook.md")
    assert text is not None
    page = read(text, GAMES["doubt"].module("art"), load(), "doubt")
    assert {f"DB-{number}" for number in range(1, 5)} <= {anchor for _, anchor, _ in page.headings}


def test_bots_play_it_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "doubt", "--seats", "hard,medium,easy"]) == 0
    assert "won" in capsys.readouterr().out
