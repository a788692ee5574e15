"""What all games are tested for, tried on the worked example.

A game of the tin needs no such file: the shared tests take it from the registry.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from tabletin import cli
from tabletin.app.ui.rulebook import rulebook_of
from tabletin.bots.decision import Position
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES
from tabletin.words import load
from tests.example.example import EXAMPLES
from tests.support import invariants
from tests.support.board_tables import LAYOUTS, board_of, moments, sight
from tests.support.cases import Case
from tests.support.closed_cards import closed_card_faults
from tests.support.completeness import lacking
from tests.support.random_matches import begin, played
from tests.support.scene_checks import check_faces, check_form, check_reach, drawn, walk

CASES: list[Case] = [("doubt", seats, dict(options)) for seats, options in EXAMPLES["doubt"].option_sets]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{json.dumps(case[2])}")


@each_case
@pytest.mark.parametrize("holds", [
    invariants.state_is_a_function_of_the_log, invariants.public_part_needs_no_knowledge,
    invariants.events_name_no_unknown_face, invariants.every_card_is_in_one_zone,
    invariants.illegal_moves_change_nothing, invariants.proposed_moves_are_legal])
def test_invariants(holds: Callable[[Case], None], case: Case) -> None:
    holds(case)


@each_case
def test_matches_end_and_audit(case: Case) -> None:
    for seed in range(10):
        invariants.ends_and_audits(case, seed)


@each_case
def test_no_closed_card_can_be_followed(case: Case) -> None:
    assert closed_card_faults(played(case)) == []


@each_case
@pytest.mark.parametrize("level", LEVELS)
def test_bots_play_whole_matches_legally_and_say_why(case: Case, level: str) -> None:
    table, words, rng = begin(case, 3), load(), Random(4)
    match = table.match
    for _ in range(60):
        for seat in match.rules.to_act(match.state):
            decision = GAMES["doubt"].module("bot").choose(Position(match.view((seat,)), seat, level, rng))
            assert decision.why in words
            table.move(seat, decision.move)


@pytest.mark.parametrize("seats", [2, 6])
def test_scenes_and_drafts(seats: int) -> None:
    board, rng = board_of("doubt"), Random(3)
    for step, table in enumerate(moments("doubt", seats, seed=seats, most=25)):
        for seat in (None, *range(seats)):
            seen = sight(table, seat, LAYOUTS[step % len(LAYOUTS)])
            scene = drawn(board, seen)
            check_faces(scene, seen, table.match.knowledge)
            check_form(scene, seen)
            check_reach(scene, seen)
            if seen.may_act:
                walk(board.draft(seen), board, seen, rng, 40)


def test_both_languages_are_whole() -> None:
    assert [line for line in lacking("doubt", ("en", "de")) if "words" in line] == []
    own = {language: [key for key in set(load(language).keys()) if key.startswith("doubt.")] for language in ("en", "de")}
    assert sorted(own["en"]) == sorted(own["de"])


def test_all_it_lacks_is_a_guide() -> None:
    assert GAMES["doubt"].lacking() == ("guide",)


def test_its_rulebook_is_a_page_with_an_anchor_a_ruling() -> None:
    page = rulebook_of("doubt", load())
    assert {f"DB-{number}" for number in range(1, 5)} <= {anchor for _, anchor, _ in page.headings}


def test_bots_play_it_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "doubt", "--seats", "hard,medium,easy"]) == 0
    assert "won" in capsys.readouterr().out
