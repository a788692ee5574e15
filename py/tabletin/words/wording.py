"""Puts events, refusals and cards into words for one reader. It names only the faces that this reader knows.

Pure: the page, the announcer and the command line use it alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Setup
from tabletin.kernel.state import Event
from tabletin.kernel.user_text import is_nameless, visible
from tabletin.registry import GAMES
from tabletin.words import Catalogue

SEAT_PARAMETERS = ("seat", "other", "target", "to_seat")
"""What sentences call a seat: a number under one of these names becomes the seat's name."""


def seat_name(catalogue: Catalogue, name: str, seat: int) -> str:
    """How to call ``seat``, which is set up with ``name``: somebody far away may have given none."""
    if not name:
        return catalogue.text("kernel.seat", n=seat + 1)
    return catalogue.text("room.person_name", n=seat + 1) if is_nameless(name) else name


def name_apart(catalogue: Catalogue, names: Sequence[str], seat: int) -> str:
    """How to call ``seat`` of a table whose seats are set up with ``names``. Where another one reads the same, or the reader
    would be meant by it, the number stands beside it: names come from others, and none of them may pass for somebody else at the
    table, nor for the reader."""
    others = [seat_name(catalogue, name, number) for number, name in enumerate(names)]
    name = others.pop(seat)
    if visible(name) not in map(visible, (catalogue.text("kernel.you"), *others)):
        return name
    return catalogue.text("kernel.named_seat", name=name, seat=catalogue.text("kernel.seat", n=seat + 1))


class Wording:
    """Words for the match of ``setup`` in ``catalogue``'s language; ``me``: the seat spoken to as "you", if any."""

    def __init__(self, catalogue: Catalogue, setup: Setup, me: int | None = None) -> None:
        self.catalogue = catalogue
        self.setup = setup
        self.me = me
        self._art = GAMES[setup.game].module("art")
        self._short_name = getattr(self._art, "short_name", self._art.name)

    def seat(self, seat: int) -> str:
        """The name of ``seat``, told apart from the others'."""
        if seat == self.me:
            return self.catalogue.text("kernel.you")
        return name_apart(self.catalogue, [player.name for player in self.setup.seats], seat)

    def face(self, face: Face) -> str:
        """A face's name, as in an alternative text."""
        return self.phrase(*self._art.name(face))

    def card(self, card: Card, faces: Faces) -> str:
        return self.face(faces[card]) if card in faces else self._piece("a", "kernel.a_card")

    def cards(self, cards: Iterable[Card], faces: Faces) -> str:
        """Known cards by their short names, which keep apart in a list, unknown ones counted: "red circle 1, blue square 2 and
        2 cards"."""
        cards = list(cards)
        named = [self.phrase(*self._short_name(faces[card])) for card in cards if card in faces]
        closed = len(cards) - len(named)
        if closed:
            named.append(self._piece("closed", "kernel.closed_cards", n=closed))
        return self.catalogue.join_names(named)

    def count(self, pieces: int) -> str:
        """So many cards, or whatever the family plays with."""
        return self._piece("count", "table.cards", n=pieces)

    def _piece(self, form: str, otherwise: str, **params: int) -> str:
        """The family's own word for what it plays with, where it has one (``<family>.piece``); else that for cards."""
        own = f"{GAMES[self.setup.game].family}.piece"
        return self.catalogue.text(f"{own}.{form}" if f"{own}.a" in self.catalogue else otherwise, **params)

    def phrase(self, key: str, params: Mapping[str, Any]) -> str:
        """The words of ``key``. A seat's number becomes its name, a text that is a key of the catalogue its words, several
        phrases, each a key with its parameters, what they say, joined by the language's own "and".

        What is said of the reader is said to the reader where the catalogue has such a form: ``<key>_you`` where ``seat`` is
        the reader, ``<key>_<parameter>_you`` where another parameter is.
        """
        words = self.catalogue
        filled, form = {name: words.join_names(self.phrase(*phrase) for phrase in value) if isinstance(value, tuple) else value
                        for name, value in params.items()}, key
        for name in SEAT_PARAMETERS:
            seat = params.get(name)
            if type(seat) is int and seat in range(len(self.setup.seats)):
                filled[name] = self.seat(seat)
                to_me = f"{key}_you" if name == "seat" else f"{key}_{name}_you"
                if seat == self.me and form == key and to_me in words and words.language_of(to_me) == words.language_of(key):
                    form = to_me
        return words.text(form, **words.spell(filled))

    def event(self, event: Event, faces: Faces) -> str:
        """One sentence for the log and the announcer, naming only what ``faces`` know."""
        params = dict(event.params)
        if event.seat is not None:
            params["seat"] = event.seat
        if event.cards:
            params["cards"] = self.cards(event.cards, faces)
        return self.phrase(event.key, params)

    def refusal(self, refusal: Refusal) -> str:
        return self.phrase(refusal.key, refusal.params)

    def outcome(self, outcome: Outcome) -> str:
        """Who won, in one sentence; the reader comes first, so that "You" begins it."""
        winners = [self.seat(seat) for seat in sorted(outcome.winners, key=lambda seat: seat != self.me)]
        if not winners:
            return self.catalogue.text("kernel.nobody_won")
        if len(winners) == 1:
            return self.phrase("kernel.won", {"seat": outcome.winners[0]})
        return self.catalogue.text("kernel.shared", seat=self.catalogue.join_names(winners))

    def ending(self, outcome: Outcome) -> str:
        """Why it ended so, in one sentence; "" where there is none."""
        return self.phrase(outcome.reason, outcome.params) if outcome.reason in self.catalogue else ""
