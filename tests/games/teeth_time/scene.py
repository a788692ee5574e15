"""A hand laid out by hand: faces by name instead of handles, for tests that say what the rulebook says.

>>> Scene("r1 b1", "g1 y2", discard="r5").refused(0, "discard", "r1")
'teeth_time.refuse.draw_first'
"""

from __future__ import annotations

from random import Random
from typing import Any

from tabletin.bots.determinize import deal_on
from tabletin.games.teeth_time.groups import RUN, SET, Contract, Group
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import PLAY, TeethTimeState
from tabletin.games.teeth_time.turn import go_on, open_window
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move, read_move
from tabletin.kernel.state import Event

ANY: Contract = ((SET, 3),)


class Scene:
    """``hands``: faces by seat, in words. ``down``: seats that melded. The turn is seat 0's, before its draw.

    ``pile``: what will be drawn; ``discard``: the discard pile, top last, by ``discarder`` (default: the last seat).
    """

    def __init__(self, *hands: str, pile: str = "", discard: str = "y8", discarder: int | None = None,
                 contract: Contract = ANY, down: tuple[int, ...] = (), **options: Any) -> None:
        self.rules = TeethTime(len(hands), options)
        self.world = Faces()
        self.rng = Random(1)
        self.events: list[Event] = []
        state = self.state = TeethTimeState(len(hands))
        state.dealer = len(hands) - 1
        state.contract = contract
        state.hands = [self.cards(faces) for faces in hands]
        state.pile = self.cards(pile)
        state.discards = self.cards(discard, public=True)
        state.melded_mask = sum(1 << seat for seat in down)
        state.turn = 0
        state.discarder = len(hands) - 1 if discarder is None else discarder
        open_window(state)

    def cards(self, faces: str, *, public: bool = False) -> tuple[Card, ...]:
        """Fresh cards with these faces."""
        made = []
        for face in faces.split():
            card = self.state.next_card
            self.state.next_card += 1
            self.world[card] = face
            if public:
                self.state.public[card] = face
            made.append(card)
        return tuple(made)

    def set_on_field(self, rank: str, faces: str, owner: int = 0) -> int:
        """A set laid in an earlier turn; its number."""
        return self._on_field(Group(SET, rank, "ABCDE" if rank in "ABCDE" else "12345678", "",
                                    self.cards(faces, public=True), owner))

    def run_on_field(self, base: str, faces: str, owner: int = 0, colour: str = "") -> int:
        """A run laid in an earlier turn, beginning at ``base``; its number."""
        suite = "ABCDE" if base in "ABCDE" else "12345678"
        start, cards = suite.index(base), self.cards(faces, public=True)
        places = (None,) * start + cards + (None,) * (len(suite) - start - len(cards))
        return self._on_field(Group(RUN, "", suite, colour, places, owner))

    def _on_field(self, group: Group) -> int:
        number = self.state.next_group
        self.state.groups[number] = group
        self.state.next_group += 1
        return number

    def drawn(self) -> Scene:
        """Seat 0 has drawn already: the moment for its plays."""
        self.state.phase = PLAY
        return self

    def due(self) -> Scene:
        """Carry out what is due, as after the last discard."""
        self.state.phase = "penalties"
        go_on(self.state)
        deal_on(self.rules, self.state, self.world, self.rng)
        return self

    # ---- naming ----

    def held(self, seat: int, face: Face, but: set[Card] | None = None) -> Card:
        """A card of ``seat`` that shows ``face``."""
        for card in self.state.hands[seat]:
            if self.world[card] == face and card not in (but or ()):
                return card
        raise AssertionError(f"seat {seat} holds no {face}: {self.hand(seat)}")

    def _named(self, seat: int, value: Any, used: set[Card]) -> Any:
        if isinstance(value, tuple) and len(value) == 3 and value[0] in (SET, RUN):
            return (value[0], value[1], self._several(seat, value[2], used))
        if isinstance(value, tuple | list):
            return tuple(self._named(seat, item, used) for item in value)
        if isinstance(value, str) and value in self.rules.deck():
            return self.held(seat, value)
        return value

    def _several(self, seat: int, faces: str, used: set[Card]) -> tuple[Card, ...]:
        cards = []
        for face in faces.split():
            card = self.held(seat, face, used)
            used.add(card)
            cards.append(card)
        return tuple(cards)

    def move(self, seat: int, verb: str, *arguments: Any) -> Move:
        used: set[Card] = set()
        if verb == "group":
            kind, base, faces = arguments
            arguments = (kind, base, self._several(seat, faces, used))
        return read_move(self.rules.verbs, (verb, *(self._named(seat, value, used) for value in arguments)))

    # ---- playing ----

    def attempt(self, seat: int, verb: str, *arguments: Any) -> Refusal | None:
        move = self.move(seat, verb, *arguments)
        self.state.events = self.events
        refusal = self.rules.make(self.state, seat, move, self.world)
        if refusal is None:
            deal_on(self.rules, self.state, self.world, self.rng)
        self.state.events = None
        return refusal

    def do(self, seat: int, verb: str, *arguments: Any) -> Scene:
        refusal = self.attempt(seat, verb, *arguments)
        assert refusal is None, str(refusal)
        return self

    def refused(self, seat: int, verb: str, *arguments: Any) -> str:
        """The key with which the move is refused; the state must not change."""
        before = self.state.copy()
        refusal = self.attempt(seat, verb, *arguments)
        assert refusal is not None, f"{verb} was accepted"
        assert self.state == before
        return refusal.key

    # ---- looking ----

    def faces(self, cards: Any) -> str:
        return " ".join("-" if card is None else self.world[card] for card in cards)

    def hand(self, seat: int) -> str:
        return self.faces(self.state.hands[seat])

    def group(self, number: int) -> str:
        return self.faces(self.state.groups[number].cards)

    def acting(self) -> tuple[int, ...]:
        """Who may act now."""
        return self.rules.to_act(self.state)

    def heard(self, key: str) -> int:
        """How often the event was told."""
        return sum(event.key == f"teeth_time.log.{key}" for event in self.events)


def stands_for(group: Group, place: int) -> str:
    """The rank of the card at index ``place`` of ``group``, whether tooth or wild."""
    return group.rank or group.suite[place]
