"""The screens that stand in files before Python is there are those that Python paints."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.new_match import NewMatchScreen
from tabletin.app.screens.previews import NoShell, new_match, rulebook, screens
from tabletin.app.session.plan import Plan
from tabletin.app.ui.html import ICONS, esc, game_name
from tabletin.app.ui.screen import Shell
from tabletin.board.guide import guide_for
from tabletin.registry import GAMES
from tabletin.words import languages, load


@pytest.mark.parametrize("language", languages())
def test_every_game_has_its_screens_in_every_language(language: str) -> None:
    words = load(language)
    found = screens(words)
    assert found["language"] == language
    assert list(found["new"]) == list(GAMES)
    assert list(found["guide"]) == [game for game in GAMES if guide_for(game) is not None]
    for page in [*found["new"].values(), *found["guide"].values(), *(rulebook(game, words) for game in GAMES)]:
        assert "<h1" in page["html"]
        assert page["title"].endswith(words.text("shell.name"))
        assert set(re.findall(r"#icon-([\w-]+)", page["html"])) <= set(ICONS)
    for game in GAMES:
        assert esc(game_name(words, game)) in found["new"][game]["html"]
    json.dumps(found)


@pytest.mark.parametrize("game", GAMES)
def test_the_presets_that_a_script_fills_in_are_those_of_the_plan(game: str) -> None:
    facts = new_match(game, load())["plan"]
    for preset in Plan.usual(game).presets():
        plan = Plan.usual(game)
        for key, text in facts["presets"][preset.key]["options"].items():
            plan.set_text(key, text)
        assert plan.preset == preset.key
        plan.take(preset.key)
        assert plan.refusal() is None


def test_the_form_is_kept_as_it_was_played() -> None:
    """It names every choice, and neither says that it is dealing nor offers the guide again."""
    game = next(iter(GAMES))
    shell = NoShell(load())
    shell.version = "7"
    screen = NewMatchScreen(cast(Shell, shell), Route("new_match", game))
    screen.plan = Plan.usual(game)
    screen.plan.add()
    screen.plan.places[1].name = "Zoe & Co"
    screen.starting = True
    kept: dict[str, Any] = json.loads(screen.as_now())
    assert (kept["version"], kept["language"]) == ("7", "en")
    assert kept["html"].count("<li data-seat=") == len(screen.plan.places)
    assert 'value="Zoe &amp; Co"' in kept["html"]
    assert "aria-busy" not in kept["html"] and "first-time" not in kept["html"]
    shell.texts = SimpleNamespace(recall=lambda key: screen.plan.to_json() if "plan" in key else "1")
    assert Plan.from_text(game, shell.texts.recall("plan")).places == screen.plan.places
