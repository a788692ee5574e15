"""Every game's rules page: figures of its real pieces, and a place for every rule that a refusal can name."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tabletin.app.ui.rulebook import rulebook_of
from tabletin.board.figures import FigurePiece, picture
from tabletin.registry import GAMES, HOMES
from tabletin.words import SOURCE, Catalogue, languages, load
from tests.support.examples import example_of, having
from workshop.paths import PACKAGE

WORDS = load()
RULE = re.compile(rf'"((?:{"|".join(family.rulings[0] for family in HOMES.values() if family.rulings)})-\d+)"')
TRANSLATED = [(language, game) for game, entry in GAMES.items() for language in languages()
              if language != SOURCE and entry.home.has_file(f"rulebook.{language}.md")]


def test_every_translated_rulebook_is_compared() -> None:
    """Each ``rulebook.<language>.md`` that lies in a family's folder, by its name."""
    found = {(path.name.split(".")[1], path.parent.name) for path in (PACKAGE / "games").glob("*/rulebook.*.md")}
    assert found == {(language, GAMES[game].family) for language, game in TRANSLATED}


@pytest.mark.parametrize("game", having("rulebook"))
def test_figures_show_real_pieces(game: str) -> None:
    page = rulebook_of(game, WORDS)
    figures = re.findall(r"<figure>.*?</figure>", page.html)
    for figure in figures:
        label = re.search(r'role="img" aria-label="([^"]+)"', figure)
        assert label is not None and len(label.group(1)) > 3, "pieces are named for those who do not see them"
        caption = re.search(r"<figcaption>(.*?)</figcaption>", figure)
        assert caption is not None and len(caption.group(1)) > 5


@pytest.mark.parametrize("game", having("rulebook"))
def test_whatever_a_refusal_names_can_be_read(game: str) -> None:
    """A refusal's rule opens the rulebook there: the place must be on the page of this very game."""
    family = GAMES[game].family
    named = {rule for entry in files(f"tabletin.games.{family}").iterdir() if entry.name.endswith(".py")
             for rule in RULE.findall(entry.read_text("utf-8"))}
    places = set(re.findall(r' id="([^"]+)"', rulebook_of(game, WORDS).html))
    assert named - places <= example_of(game).silent_rulings


def test_places_are_on_a_page_once() -> None:
    for game in having("rulebook"):
        places = re.findall(r' id="([^"]+)"', rulebook_of(game, WORDS).html)
        assert len(places) == len(set(places)), game


def test_a_picture_is_as_large_as_what_lies_there() -> None:
    _, wide, high = picture([FigurePiece("a", "<i/>", 50, 100), FigurePiece("b", "<i/>", 300, 100, 90)], (100, 200))
    assert (round(wide), round(high)) == (408, 208)


def test_a_rulebook_says_which_language_it_is_in() -> None:
    for language, game in TRANSLATED:
        assert rulebook_of(game, WORDS).language == SOURCE
        assert rulebook_of(game, load(language)).language == language


def test_a_rulebook_that_nobody_has_translated_is_shown_in_english() -> None:
    game = having("rulebook")[0]
    assert rulebook_of(game, Catalogue({}, WORDS, "xx")).language == SOURCE


@pytest.mark.parametrize(("language", "game"), TRANSLATED)
def test_a_translated_rulebook_has_the_same_places_and_figures(language: str, game: str) -> None:
    own, english = rulebook_of(game, load(language)), rulebook_of(game, WORDS)
    assert (own.language, english.language) == (language, SOURCE)
    points = re.compile("[A-Z]{2}-[0-9]+")
    assert [(level, anchor if points.fullmatch(anchor) else "") for level, anchor, _ in own.headings] == \
        [(level, anchor if points.fullmatch(anchor) else "") for level, anchor, _ in english.headings]
    assert len(re.findall("<figure>", own.html)) == len(re.findall("<figure>", english.html))
    assert re.findall(r"<strong>(\d+)</strong>", own.html) == re.findall(r"<strong>(\d+)</strong>", english.html)
