"""Screens as they first look, for the files that a page shows before Python is there: new matches, rulebooks, guides.

The build opens each screen with a shell that knows nothing of any device, and keeps what it paints. The page's own script
shows it (web/page/previews.js) and lets people choose (web/page/new_match.js). Pure, and never loaded by a page.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, cast

from tabletin.app.routes import Route
from tabletin.app.screens.guide import GuideScreen
from tabletin.app.screens.home import static_page
from tabletin.app.screens.new_match import OWN, NewMatchScreen
from tabletin.app.screens.rules import RulesScreen
from tabletin.app.session.guided_session import GuidedSession
from tabletin.app.session.plan import BOTS, FAR, ME, PERSON, presets_of, spell_value
from tabletin.app.settings import Settings
from tabletin.app.ui.html import game_name, icon, switch
from tabletin.app.ui.screen import Screen, Shell
from tabletin.board.guide import guide_for
from tabletin.board.portraits import portrait
from tabletin.bots.characters import habit_of_name, stock_names
from tabletin.kernel.options import Number
from tabletin.kernel.setup import USUAL_LEVEL
from tabletin.registry import GAMES
from tabletin.words import Catalogue

SLOT: Final = "{n}"  # where the page's script puts a number or a name


@dataclass(frozen=True, slots=True)
class Preview:
    """A screen that was painted: its HTML and the window's title."""

    html: str
    title: str


class NoShell:
    """A shell on no device. ``preview``: what was painted last."""

    version = came_from = ""
    rooms_if_any = None

    def __init__(self, words: Catalogue) -> None:
        self.words = words
        self.settings = Settings()
        self.preview = Preview("", "")
        self.document = self
        self.texts = SimpleNamespace(recall=lambda key: None)

    def paint(self, html: str, title: str) -> None:
        words = self.words
        self.preview = Preview(html, words.text("shell.window", title=title, name=words.text("shell.name")))

    def prepare(self, game: str = "", *, bots: bool = False) -> None:
        """There is nothing to load."""


def open_screen(kind: type[Screen], route: Route, words: Catalogue) -> tuple[Screen, Preview]:
    """The screen of ``route``, and what it painted when it was opened."""
    shell = NoShell(words)
    screen = kind(cast(Shell, shell), route)
    asyncio.run(screen.open())
    return screen, shell.preview


def new_match(game: str, words: Catalogue) -> dict[str, Any]:
    """The new-match screen of ``game`` with the usual plan, and what the page's script must know to change it."""
    screen, preview = open_screen(NewMatchScreen, Route("new_match", game), words)
    assert isinstance(screen, NewMatchScreen)
    return {"html": preview.html, "title": preview.title, "plan": facts(screen)}


def facts(screen: NewMatchScreen) -> dict[str, Any]:
    """Seats, presets and numbers of a game as the page's script reads them (``PlanFacts`` in web/page/new_match.js)."""
    plan, words = screen.plan, screen.words
    options = {option.key: option for option in plan.rules.options}

    def spelled(chosen: dict[str, Any]) -> dict[str, str]:
        return {key: spell_value(option, chosen.get(key, option.default)) for key, option in options.items()}

    presets = {}
    for preset in presets_of(plan.game):
        presets[preset.key] = {"about": screen.preset_about(preset.key), "options": spelled(dict(preset.options)),
                               "seats": list(preset.seats or ())}
    numbers = {key: [option.low, option.high, option.step, option.off] for key, option in options.items()
               if isinstance(option, Number)}
    knows = plan.game in GAMES[plan.game].declaration("habits", "WITH_HABITS", ())
    habits = {name: words.text(f"newmatch.habits.{habit}", name=name) for name, number in stock_names(words).items()
              if knows and (habit := habit_of_name(number))}
    return {"fewest": plan.fewest, "largest": plan.largest, "presets": presets, "numbers": numbers, "habits": habits,
            "own": words.text(f"newmatch.presets.about.{OWN}")}


def seat_words(words: Catalogue) -> dict[str, Any]:
    """What the page's script writes when seats change, the same for every game (``SeatWords`` in web/page/new_match.js)."""
    def text(key: str, **params: Any) -> str:
        return words.text(f"newmatch.{key}", **params)

    return {
        "names": list(stock_names(words)), "portraits": {name: portrait(one) for name, one in stock_names(words).items()},
        ME: text("me_name"), PERSON: text("person_name", n=SLOT), FAR: text("far_name"),
        "who": text("who", n=SLOT), "name": text("name_of", n=SLOT), "remove": text("remove", name=SLOT),
        "levels": list(BOTS), "usual": USUAL_LEVEL, "off": text("off"), "own": text(f"presets.{OWN}"),
        "play": [icon("play"), text("play")], "invite": [icon("users"), text("invite")],
        "hands": switch("open_hands", text("open_hands.label"), False, text("open_hands.help")),
    }


def guide_page(game: str, words: Catalogue) -> dict[str, Any] | None:
    """The first step of the guide of ``game``, its table still empty; None where there is no guide."""
    guide = guide_for(game)
    if guide is None:
        return None
    shell = NoShell(words)
    screen = GuideScreen(cast(Shell, shell), Route("guide", game))
    screen.session = asyncio.run(GuidedSession.begin_guide(guide, words))
    title = words.text("guide.title", game=game_name(words, game))
    shell.paint(screen.page(title, screen.sentence_now()), title)
    return {"html": shell.preview.html, "title": shell.preview.title}


def screens(words: Catalogue) -> dict[str, Any]:
    """Home, every game's new match and every guide's first step in the language of ``words``, by what their addresses say."""
    guides = {game: page for game in GAMES if (page := guide_page(game, words)) is not None}
    return {"language": words.language, "home": static_page(words), "seats": seat_words(words),
            "new": {game: new_match(game, words) for game in GAMES}, "guide": guides}


def rulebook(game: str, words: Catalogue) -> dict[str, Any]:
    """The rules page of ``game``."""
    _, preview = open_screen(RulesScreen, Route("rules", game), words)
    return {"html": preview.html, "title": preview.title}
