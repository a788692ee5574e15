"""Putting events, refusals and cards into words for one reader: only faces that reader knows are named.

Pure: used by the page, the announcer and the command line alike. A parameter that is itself a catalogue key (names of
colours, ranks) is replaced by its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Setup
from tabletin.kernel.state import Event
from tabletin.registry import GAMES
from tabletin.words import Catalogue

SEAT_PARAMETERS = ("seat", "other", "target", "to_seat")  # of events and refusals: they hold a seat's number


class Wording:
    """Words for the match of ``setup`` in ``catalogue``'s language; ``me``: the seat spoken to as "you", if any."""

    def __init__(self, catalogue: Catalogue, setup: Setup, me: int | None = None) -> None:
        self.catalogue = catalogue
        self.setup = setup
        self.me = me
        self._art = GAMES[setup.game].module("art")

    def seat(self, seat: int) -> str:
        """The name of ``seat``."""
        if seat == self.me:
            return self.catalogue.text("kernel.you")
        name = self.setup.seats[seat].name
        return name or self.catalogue.text("kernel.seat", n=seat + 1)

    def face(self, face: Face) -> str:
        """A face's name, as in an alternative text."""
        return self.phrase(*self._art.name(face))

    def card(self, card: Card, faces: Faces) -> str:
        return self.face(faces[card]) if card in faces else self.catalogue.text("kernel.a_card")

    def cards(self, cards: Iterable[Card], faces: Faces) -> str:
        """Known cards by name, unknown ones counted: "red circle 1, blue square 2 and 2 cards"."""
        cards = list(cards)
        named = [self.face(faces[card]) for card in cards if card in faces]
        closed = len(cards) - len(named)
        if closed:
            named.append(self.catalogue.text("kernel.closed_cards", n=closed))
        return self.catalogue.listed(named)

    def phrase(self, key: str, params: Mapping[str, Any]) -> str:
        """The words of ``key``; text parameters that are keys of the catalogue are put into words first."""
        words = self.catalogue
        filled = {name: words.text(value) if isinstance(value, str) and value in words else value
                  for name, value in params.items()}
        return words.text(key, **filled)

    def event(self, event: Event, faces: Faces) -> str:
        """One sentence for the log and the announcer, naming only what ``faces`` know."""
        params = dict(event.params)
        for name in SEAT_PARAMETERS:
            if type(params.get(name)) is int:
                params[name] = self.seat(params[name])
        if event.seat is not None:
            params["seat"] = self.seat(event.seat)
        if event.cards:
            params["cards"] = self.cards(event.cards, faces)
        key = event.key
        if event.seat is not None and event.seat == self.me and f"{key}_you" in self.catalogue:
            key = f"{key}_you"
        return self.phrase(key, params)

    def refusal(self, refusal: Refusal) -> str:
        params = dict(refusal.params)
        for name in SEAT_PARAMETERS:
            if type(params.get(name)) is int and params[name] in range(len(self.setup.seats)):
                params[name] = self.seat(params[name])
        return self.phrase(refusal.key, params)

    def outcome(self, outcome: Outcome) -> str:
        """Who won, in one sentence."""
        winners = [self.seat(seat) for seat in outcome.winners]
        if not winners:
            return self.catalogue.text("kernel.nobody_won")
        if len(winners) == 1:
            return self.catalogue.text("kernel.won", seat=winners[0])
        return self.catalogue.text("kernel.shared", seat=self.catalogue.listed(winners))
