"""The teeth are right (TT-17): quadrants, kinds, roots, partners, figures; the whole mouth shows each once."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from tabletin.board.svg import standalone
from tabletin.games.teeth_time import tooth_shapes
from tabletin.games.teeth_time.anatomy import TEETH
from tabletin.games.teeth_time.art import FACES, VIEWBOX, figure, front, small_front, smile
from tabletin.games.teeth_time.board_pieces import CELL, LETTER, badge
from tabletin.games.teeth_time.cards import FACE_CARDS
from tabletin.games.teeth_time.cards import TEETH as TOOTH_CARDS
from tabletin.games.teeth_time.face_cards import NAME
from tabletin.games.teeth_time.mouth import MOUTH_VIEWBOX, mouth
from tabletin.words import languages, load


@pytest.mark.parametrize("language", languages())
def test_small_cards_are_as_different_as_large_ones_and_their_words_are_larger(language: str) -> None:
    for named in (True, False):
        assert len({small_front(face, language, named=named) for face in FACES}) == len(FACES)
    words = re.compile(r'<text x="125" y="([\d.]+)" font-size="([\d.]+)"[^>]*>([^<]+)<')
    for face in FACES:
        small, large = (words.findall(draw(face, language)) for draw in (small_front, front))
        assert not words.findall(small_front(face, language, named=False))
        assert min(float(size) for _, size, _ in small) > min(float(size) for _, size, _ in large), face
        assert all(float(y) <= VIEWBOX[1] - 12 and len(text) * float(size) <= NAME for y, size, text in small), face


def test_every_card_of_the_deck_has_a_face() -> None:
    assert set(FACES) == {*TOOTH_CARDS, *FACE_CARDS} and len(TEETH) == 52


@pytest.mark.parametrize(("face", "jaw", "side", "kind", "fdi"), [
    ("rA", "upper", "right", "central_incisor", 51), ("r1", "upper", "right", "central_incisor", 11),
    ("b3", "upper", "left", "canine", 23), ("bE", "upper", "left", "second_molar", 65),
    ("y4", "lower", "left", "first_premolar", 34), ("yD", "lower", "left", "first_molar", 74),
    ("g8", "lower", "right", "third_molar", 48), ("gB", "lower", "right", "lateral_incisor", 82),
])
def test_places(face: str, jaw: str, side: str, kind: str, fdi: int) -> None:
    tooth = TEETH[face]
    assert (tooth.jaw, tooth.side, tooth.kind, tooth.fdi) == (jaw, side, kind, fdi)


def test_partners_are_mutual_and_grown_molars_have_none() -> None:
    for tooth in TEETH.values():
        if tooth.partner is None:
            assert tooth.face[1] in "678"
        else:
            other = TEETH[tooth.partner]
            assert (other.partner, other.place, other.primary) == (tooth.face, tooth.place, not tooth.primary)
            assert figure(tooth.place, "red") == figure(other.place, "red")


def test_a_milk_tooth_falls_out_when_its_partner_comes() -> None:
    for tooth in TEETH.values():
        if tooth.sheds and tooth.partner:
            comes = TEETH[tooth.partner].erupts
            assert tooth.sheds[0] <= comes[1] and comes[0] <= tooth.sheds[1], tooth.face


def roots(face: str) -> int:
    tooth = TEETH[face]
    measures = (tooth_shapes.UPPER if tooth.jaw == "upper" else tooth_shapes.LOWER)[face[1]]
    return len(measures.apexes) + bool(measures.palatal)


@pytest.mark.parametrize(("ranks", "upper", "lower"), [
    ("123ABC", 1, 1), ("4", 2, 1), ("5", 1, 1), ("678", 3, 2), ("DE", 3, 2)])
def test_roots(ranks: str, upper: int, lower: int) -> None:
    assert {roots(f"r{rank}") for rank in ranks} == {upper} and {roots(f"y{rank}") for rank in ranks} == {lower}


def cusps(jaw: str, rank: str) -> int:
    """Peaks of the biting edge, and the cusps behind it."""
    measures = tooth_shapes.UPPER if jaw == "upper" else tooth_shapes.LOWER
    form = tooth_shapes.FORMS[measures[rank].form]
    heights = [y for _, y in form.edge]
    peaks = sum(a < b > c for a, b, c in zip(heights, heights[1:], heights[2:], strict=False))
    return peaks + len(form.back_roots)


@pytest.mark.parametrize(("rank", "upper", "lower"), [
    ("3", 1, 1), ("C", 1, 1), ("4", 2, 2), ("5", 2, 3), ("6", 4, 5), ("7", 4, 4), ("8", 3, 5), ("D", 3, 4),
    ("E", 4, 5)])
def test_cusps(rank: str, upper: int, lower: int) -> None:
    assert (cusps("upper", rank), cusps("lower", rank)) == (upper, lower)


@pytest.mark.parametrize("place", range(3, 9))
def test_a_figure_has_as_many_sides_as_its_place(place: int) -> None:
    found = re.search(r'points="([^"]+)"', figure(place, "red"))
    assert found and len(found[1].split()) == place


def test_upper_teeth_have_their_roots_up_and_sides_mirror() -> None:
    flips = {face: re.findall(r"scale\((-?1) (-?1)\)", front(face))[0] for face in ("r3", "b3", "y3", "g3")}
    assert flips == {"r3": ("1", "1"), "b3": ("-1", "1"), "y3": ("-1", "-1"), "g3": ("1", "-1")}


def test_the_smile_marks_the_place_as_seen_from_in_front() -> None:
    def mark(face: str) -> tuple[float, float]:
        found = re.search(r'<circle cx="(-?[\d.]+)" cy="(-?[\d.]+)"', smile(TEETH[face]))
        assert found
        return float(found[1]), float(found[2])

    assert mark("r8")[0] < mark("r1")[0] < 0 < mark("b1")[0] < mark("b8")[0]
    for side, below in (("r", "g"), ("b", "y")):
        for rank in "12345678ABCDE":
            assert mark(side + rank)[1] < mark(below + rank)[1]


def test_the_mouth_shows_every_tooth_once_and_whole() -> None:
    root = ElementTree.fromstring(standalone(*MOUTH_VIEWBOX, mouth()))
    shown = Counter(node.get("data-tooth") for node in root.iter() if node.get("data-tooth"))
    assert shown == Counter(TEETH.keys())
    for found in re.finditer(r"translate\((-?[\d.]+) (-?[\d.]+)\)", mouth()):
        assert 0 < float(found[1]) < MOUTH_VIEWBOX[0] and 0 < float(found[2]) < MOUTH_VIEWBOX[1]


@pytest.mark.parametrize("language", languages())
def test_the_words_on_a_card_fit_it_in_every_language(language: str) -> None:
    for face in FACES:
        for text in ElementTree.fromstring(standalone(*VIEWBOX, front(face, language))).iter("{http://www.w3.org/2000/svg}text"):
            assert len(text.text or "") * float(text.attrib["font-size"]) <= NAME, (face, text.text)


@pytest.mark.parametrize("language", languages())
def test_the_words_of_the_contract_end_before_its_places_in_every_language(language: str) -> None:
    words = load(language)
    said = [words.text(f"teeth_time.board.badge.{kind}") for kind in ("set", "run")]
    drawing = badge(tuple((word, 3, (("5", "tooth"),)) for word in said))
    root = ElementTree.fromstring(standalone(int(drawing.width), int(drawing.height), drawing.markup))
    places = list(root.iter("{http://www.w3.org/2000/svg}rect"))[1:]
    assert len(places) == 6
    first, last = min(float(node.attrib["x"]) for node in places), max(float(node.attrib["x"]) for node in places)
    assert first >= 12 + max(map(len, said)) * LETTER
    assert last + CELL <= drawing.width
