"""Presets: each is a legal set of options for just the numbers of players it is for, differs from the others, has a sentence."""

from __future__ import annotations

import pytest

from tabletin.app.session.plan import Plan, presets_of
from tabletin.app.ui.html import game_key
from tabletin.kernel.options import Refused, fill
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tests.support.examples import having

WORDS = load()
PRESETS = [(game, preset) for game in GAMES for preset in presets_of(game)]
NAMED = pytest.mark.parametrize(("game", "preset"), PRESETS, ids=[f"{game}-{preset.key}" for game, preset in PRESETS])


@NAMED
def test_a_preset_is_legal_for_just_the_seats_it_is_for(game: str, preset: object) -> None:
    preset = next(one for name, one in PRESETS if name == game and one is preset)
    for seats in rules_of(game).seat_counts:
        if preset.seats is None or seats in preset.seats:
            chosen = rules_of(game)(seats, preset.options).option_values
            assert {key: chosen[key] for key in preset.options} == dict(preset.options)
        else:
            with pytest.raises(Refused):
                rules_of(game)(seats, preset.options)


@pytest.mark.parametrize("game", having("presets"))
def test_presets_differ_and_each_has_a_sentence(game: str) -> None:
    presets = presets_of(game)
    filled = [fill(rules_of(game).options, preset.options) for preset in presets]
    assert all(one != other for at, one in enumerate(filled) for other in filled[:at])
    for preset in presets:
        assert f"newmatch.presets.{preset.key}" in WORDS
        own = game_key(WORDS, game, f"presets.{preset.key}")
        assert own in WORDS or (preset.key == "as_printed" and f"newmatch.presets.about.{preset.key}" in WORDS)


@pytest.mark.parametrize("game", list(GAMES))
def test_what_was_taken_is_chosen_and_comes_back_next_time(game: str) -> None:
    plan = Plan.usual(game)
    for preset in plan.presets():
        plan.take(preset.key)
        assert plan.preset == preset.key
        assert plan.refusal() is None
        assert Plan.from_text(game, plan.to_json()).preset == preset.key
