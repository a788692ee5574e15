"""Presets on the page of a new match: the numbers they were made for, and what own options do to them."""

from __future__ import annotations

from tabletin.app.session.plan import Place, Plan


def test_other_options_are_ones_own_and_a_preset_fills_them_again() -> None:
    plan = Plan.usual("dominoes")
    assert plan.preset == "as_printed"
    plan.set_text("target", "70")
    assert plan.preset == ""
    plan.take("family")
    assert plan.options == {"set": 6}


def test_presets_are_those_for_the_players_there_are() -> None:
    plan = Plan.usual("dominoes")
    plan.take("quick")
    plan.places += [Place("easy")] * 3
    assert [preset.key for preset in plan.presets()] == ["as_printed"]
    assert plan.preset == ""
