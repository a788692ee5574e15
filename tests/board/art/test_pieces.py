"""Every piece of every family: well-formed, without ids, small, unlike every other, with a name in words."""

from __future__ import annotations

import re
from inspect import signature
from types import ModuleType
from xml.etree import ElementTree

import pytest

from tabletin.board.svg import LID, PAINTS, num, regular, standalone, words_in
from tabletin.registry import GAMES, HOMES, rules_of
from tabletin.words import SOURCE, languages
from tests.support.examples import USUAL_ART_BYTES, declared

FAMILIES = [family for family in HOMES.values() if family.has("art")]


@pytest.fixture(params=FAMILIES, ids=lambda family: family.name)
def art(request: pytest.FixtureRequest) -> ModuleType:
    found: ModuleType = request.param.module("art")
    return found


def spoken(art: ModuleType, face: str) -> str:
    """A face's alternative text, its parameters that are keys put into words."""
    catalogue = words_in()
    key, params = art.name(face)
    return catalogue.text(key, **{slot: catalogue.text(v) if v in catalogue else v for slot, v in params.items()})


def drawings(art: ModuleType) -> dict[str, str]:
    return {**{face: art.front(face) for face in art.FACES}, "(back)": art.back()}


def family(art: ModuleType) -> str:
    return art.__name__.split(".")[-2]


def test_well_formed_and_within_its_viewbox(art: ModuleType) -> None:
    for face, markup in drawings(art).items():
        width, height = art.VIEWBOX
        root = ElementTree.fromstring(standalone(width, height, markup))
        for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
            if not any("transform" in parent.attrib for parent in root.iter()):
                assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= art.VIEWBOX[0], face


def test_no_ids_and_only_known_paints(art: ModuleType) -> None:
    for face, markup in drawings(art).items():
        assert not re.search(r"\bid=|url\(|<style|<image|href", markup), face
        for token, fallback in re.findall(r"var\(--([\w-]+),(#\w+)\)", markup):
            assert PAINTS[token] == fallback, face
        assert not re.search(r'(fill|stroke)="#', markup), face


def test_no_two_faces_draw_the_same(art: ModuleType) -> None:
    drawn = drawings(art)
    assert len(set(drawn.values())) == len(drawn) == len(art.FACES) + 1


def test_small(art: ModuleType) -> None:
    limit = declared(family(art), "ART_BYTES", USUAL_ART_BYTES)
    heavy = {face: len(markup) for face, markup in drawings(art).items() if len(markup) > limit}
    assert not heavy


def test_names_are_in_the_catalogue_and_tell_faces_apart(art: ModuleType) -> None:
    names = {face: spoken(art, face) for face in art.FACES}
    assert len(set(names.values())) == len(art.FACES)
    assert all(art.name(face)[0].startswith((f"{family(art)}.art.", "deck52.")) for face in art.FACES)
    assert not [said for said in names.values() if "{" in said or "." in said]


def test_unknown_faces_are_refused(art: ModuleType) -> None:
    for wrong in ("", "zz9", "joker of clubs"):
        with pytest.raises(KeyError):
            art.front(wrong)


def test_every_lid_is_unlike_the_others() -> None:
    lids = {game: entry.module("art").lid(game) for game, entry in GAMES.items() if entry.has("art")}
    assert len(lids) == len(set(lids.values()))
    for game, markup in lids.items():
        ElementTree.fromstring(standalone(*LID, markup))
        assert not re.search(r"\bid=", markup) and len(markup) < 12_000, game


@pytest.mark.parametrize("language", [language for language in languages() if language != SOURCE])
def test_lids_have_the_letters_of_their_language(language: str) -> None:
    """What is lettered on the cards of a lid is what stands on the same cards at the table."""
    other = set()
    for game, entry in GAMES.items():
        if not entry.has("art"):
            continue
        art = entry.module("art")
        lid = art.lid(game, language)
        lettered = {face: art.front(face, language) for face in art.FACES if "language" in signature(art.front).parameters}
        foreign = [face for face, drawn in lettered.items() if art.front(face) != drawn and art.front(face) in lid]
        assert not foreign, (game, foreign)
        if lid != art.lid(game):
            assert any(drawn in lid for drawn in lettered.values()), game
            other.add(entry.family)
    assert len(other) >= 2, "two families have words on their lids"


def test_coordinates_are_short() -> None:
    assert [num(v) for v in (1, 1.25, -0.01, -2.0, 3.96)] == ["1", "1.2", "0", "-2", "4"]


def test_regular_figures_stand_on_a_side() -> None:
    for sides in range(3, 9):
        lowest = sorted((round(y, 6) for _, y in regular(sides, 0, 0, 10)), reverse=True)
        assert lowest[0] == lowest[1] and (sides == 3 or lowest[1] > lowest[2])


@pytest.mark.parametrize("game", [game for game, entry in GAMES.items() if entry.has("art")])
def test_every_card_of_every_deck_is_drawn(game: str) -> None:
    rules = rules_of(game)
    deck = rules(rules.seat_counts.start).deck()
    assert deck and set(deck) <= set(GAMES[game].module("art").FACES)
