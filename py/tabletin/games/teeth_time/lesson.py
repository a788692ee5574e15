"""Learn the teeth: the whole mouth, and of the chosen tooth its names, its partner and when it comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.lesson import Lesson, Picture, Topic
from tabletin.games.teeth_time import art
from tabletin.games.teeth_time.anatomy import TEETH, Tooth
from tabletin.words import Catalogue

COLOURS: Final = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}


def mouth(words: Catalogue, face: str) -> Picture:
    """The whole mouth, the tooth ``face`` and its partner marked."""
    markup = art.mouth(words.language)
    for one, tooth in TEETH.items():
        mark = "picked" if one == face else "related" if tooth.partner == face else ""
        markup = markup.replace(f'data-tooth="{one}"', f'data-item="{one}" class="{mark}"', 1)
    return Picture(markup, *art.MOUTH_VIEWBOX, words.text("teethpage.mouth", tooth=_name(words, TEETH[face])))


def topic(words: Catalogue, face: str) -> Topic:
    """What there is to know about a tooth."""
    tooth = TEETH[face]
    dentition, age = ("primary", "months") if tooth.primary else ("permanent", "years")
    low, high = tooth.erupts
    facts = {"in_the_game": _card(words, tooth), "dentition": words.text(f"teethpage.{dentition}"),
             "dentists": str(tooth.fdi), "comes": words.text(f"teethpage.{age}", low=low, high=high)}
    if tooth.sheds is not None:
        facts["goes"] = words.text("teethpage.years", low=tooth.sheds[0], high=tooth.sheds[1])
    return Topic(_name(words, tooth), Picture(art.front(face, words.language), *art.VIEWBOX),
                 tuple((words.text(f"teethpage.fact.{key}"), value) for key, value in facts.items()),
                 _partner(words, tooth), words.text("teethpage.alone"))


def _name(words: Catalogue, tooth: Tooth) -> str:
    """Its plain name with its quadrant: "upper right canine"."""
    return words.text("teethpage.named", quadrant=words.text(tooth.quadrant_key), name=words.text(tooth.name_key))


def _card(words: Catalogue, tooth: Tooth) -> str:
    """Its name in the game: "red 3"."""
    return words.text("teethpage.played", colour=words.text(f"teeth_time.art.colour.{COLOURS[tooth.colour]}"), rank=tooth.face[1])


def _partner(words: Catalogue, tooth: Tooth) -> tuple[str, str] | None:
    """The tooth that it replaces, or that replaces it, and the words that lead there."""
    if tooth.partner is None:
        return None
    other = TEETH[tooth.partner]
    key = "teethpage.replaced_by" if tooth.primary else "teethpage.replaces"
    return other.face, words.text(key, tooth=_card(words, other), name=words.text(other.name_key))


LESSONS: Final[Mapping[str, tuple[Lesson, ...]]] = {
    "teeth-time": (Lesson("teeth", "teethpage", tuple(TEETH), mouth, topic),),  # quadrant after quadrant, primary teeth first
}
