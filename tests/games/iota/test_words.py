"""Iota's sentences, to whom they are about and to others."""

from __future__ import annotations

import pytest

from tabletin.bots.characters import stock_names
from tabletin.games.iota.board import drawing
from tabletin.games.iota.grid import FACES
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import Event
from tabletin.words import languages, load
from tabletin.words.wording import Wording

ROOM = 30  # letters: FEW_WORDS of app/table/presentation.py


def test_a_sentence_about_me_is_said_to_me() -> None:
    setup = Setup("iota", 1, {}, (Seat("person", "x", "Mia"), Seat("bot", "x", "Ada", "easy")))
    event = Event("iota.log.played", 0, {"n": 3}, (1,))
    card = Faces({1: FACES[0]})
    mine = Wording(load("de"), setup, 0).event(event, card)
    theirs = Wording(load("de"), setup, 1).event(event, card)
    assert mine.startswith("Du hast") and mine.endswith("für 3 Punkte gelegt.")
    assert theirs.startswith("Mia legte") and theirs.endswith("für 3 Punkte.")


@pytest.mark.parametrize("language", languages())
def test_the_line_over_the_table_has_room_for_how_many_cards_somebody_traded(language: str) -> None:
    words = load(language)
    name = max(stock_names(words), key=len)
    setup = Setup("iota", 1, {}, (Seat("person", "x", "Mia"), Seat("bot", "x", name, "easy")))
    said = Wording(words, setup, 0).event(Event("iota.log.traded", 1, {"n": 4}), Faces())
    assert said.startswith(name) and len(said.rstrip(".")) <= ROOM


@pytest.mark.parametrize(("language", "expected"), [
    ("es", {"círculo rojo 1", "cruz roja 1", "triángulo amarillo 4", "cruz amarilla 4", "cruz azul 2"}),
    ("fr", {"cercle vert 1", "croix verte 1", "carré bleu 4", "croix bleue 4", "croix rouge 2"})])
def test_the_colour_of_a_card_agrees_with_its_shape(language: str, expected: set[str]) -> None:
    wording = Wording(load(language), Setup("iota", 1, {}, (Seat("person", "x", "Ana"), Seat("person", "y", "Leo"))))
    said = {wording.face(face) for face in FACES}
    assert expected <= said
    assert len(said) == len(FACES)


@pytest.mark.parametrize(("language", "mark"), [("en", "Y"), ("de", "Ge"), ("fr", "J")])
def test_a_card_on_the_table_has_its_letter_in_the_readers_language(language: str, mark: str) -> None:
    yellow = next(face for face in FACES if face.startswith("y"))
    assert f">{mark}<" in drawing(yellow, language).markup
