"""A turn of Teeth Time as a player tries it out: cards picked from the hand, what they make together, where they may go.

What fits is asked of the rules' own finders, on the seat's known faces. It never touches the match and draws nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from tabletin.board.board import Draft, Reply
from tabletin.board.scene import Key, Point, Sight, card_of
from tabletin.games.teeth_time.cards import OWN_PLAYS, PENALTIES, PREVENTION, RANK, WILDS
from tabletin.games.teeth_time.discard_use import DiscardUse
from tabletin.games.teeth_time.groups import NamedGroup
from tabletin.games.teeth_time.hand_groups import Order
from tabletin.games.teeth_time.laying import contract_ways, group_ways
from tabletin.games.teeth_time.melds import hits, swaps
from tabletin.games.teeth_time.penalties import penalty_targets
from tabletin.games.teeth_time.plays import BEGINNER
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import PLAY, SCORED, WINDOW, TeethTimeState
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move

PILE: Final[Key] = "pile"
DISCARDS: Final[Key] = "discards"
HAND: Final[Key] = "hand"
MINE: Final[Key] = "mine"
BY_KEY: Final[dict[Key, Move]] = {"take": ("take",), "leave": ("leave",), "decline": ("decline",), "call": ("call",),
                                  "accept": ("accept",), "deal": ("deal",)}


class TeethTimeDraft(Draft):
    """``selection``: the cards picked, in order. ``way_index``: which of the ways they could be laid. ``carried_card``: in
    somebody's fingers. ``advice``: a hint that is shown.
    """

    def __init__(self, sight: Sight, order: Order) -> None:
        assert sight.seat is not None
        rules = sight.view.rules
        assert isinstance(rules, TeethTime)
        self.rules = rules
        self.seat = sight.seat
        self.state: TeethTimeState = sight.view.state
        self.faces = sight.view.faces
        self.order = order
        self.selection: list[Card] = []
        self.is_building = False  # a group was begun, and not put back whole
        self.way_index = 0
        self.carried_card: Card | None = None
        self.advice: Move | None = None
        self._ways: dict[tuple[Card, ...], list[tuple[NamedGroup, ...]]] = {}

    # ---- what is possible ----

    @property
    def has_choice(self) -> bool:
        """Between two hands there is nothing to decide."""
        return self.state.phase != SCORED

    @property
    def playing(self) -> bool:
        """Whether the seat is laying cards, after its draw."""
        return self.state.phase == PLAY

    @property
    def drawing(self) -> bool:
        """Whether the seat decides about the discard as the one who draws next."""
        return self.state.phase == WINDOW and self.seat == self.state.turn

    @property
    def pulling(self) -> bool:
        """Whether the seat may call for the discard."""
        return self.state.phase == WINDOW and self.seat != self.state.turn

    @cached_property
    def down(self) -> bool:
        return self.state.has_melded(self.seat)

    @cached_property
    def preventions(self) -> list[Card]:
        return [card for card in self.state.hands[self.seat] if self.faces[card] == PREVENTION]

    @cached_property
    def use_of_discard(self) -> DiscardUse | None:
        """What the discard would be good for, if the seat may call for it."""
        return self.rules.use_of_discard(self.state, self.seat, self.faces) if self.pulling else None

    @property
    def single(self) -> Card | None:
        """The one card that is picked."""
        return self.selection[0] if len(self.selection) == 1 else None

    def face(self, card: Card) -> Face:
        return self.faces[card]

    def ways(self) -> list[tuple[NamedGroup, ...]]:
        """The ways to lay all that is picked: as the contract before going down, as one group after."""
        key = tuple(sorted(self.selection))
        if key not in self._ways:
            self._ways[key] = self._found_ways(tuple(self.selection))
        return self._ways[key]

    def _found_ways(self, cards: tuple[Card, ...]) -> list[tuple[NamedGroup, ...]]:
        one_colour = self.rules.one_colour
        if self.down:
            return [(group,) for group in group_ways(cards, self.faces, one_colour=one_colour)]
        found = contract_ways(cards, self.faces, self.state.contract, one_colour=one_colour)
        proposed = self.order.way_down
        if proposed is not None and found and {card for _, _, group in proposed for card in group} == set(cards):
            sizes = sorted((kind, base, len(group)) for kind, base, group in proposed)
            found = [proposed, *(way for way in found
                                 if sorted((kind, base, len(group)) for kind, base, group in way) != sizes)]
        return found

    @property
    def way(self) -> tuple[NamedGroup, ...] | None:
        """The way now chosen of laying what is picked."""
        ways = self.ways() if len(self.selection) > 1 else []
        return ways[self.way_index % len(ways)] if ways else None

    @cached_property
    def targets(self) -> list[int]:
        """Whom a penalty may be played on, the next to play first."""
        order = [(other - self.seat) * self.state.direction % len(self.state.hands) for other in range(self.rules.seats)]
        return sorted(penalty_targets(self.state, self.seat), key=lambda other: order[other])

    def places(self, card: Card) -> list[Move]:
        """Every hit and every taking of a wild that ``card`` can make."""
        if not self.playing or not self.down:
            return []
        found: list[Move] = [("hit", *hit) for hit in hits((card,), self.faces, self.state.groups)]
        if self.rules.skill != BEGINNER and self.face(card) in RANK:
            found += [("swap", *swap) for swap in swaps((card,), self.faces, self.state.groups)]
        return found

    def usable(self, card: Card) -> bool:
        """Whether ``card`` could be laid or played now."""
        face = self.face(card)
        return card in self.order.fits or face in OWN_PLAYS or (face in PENALTIES and bool(self.targets))

    # ---- what the player does ----

    def tap(self, key: Key) -> Reply:
        self.advice = None
        self.carried_card = None
        card = card_of(key)
        if card is not None:
            return self._tap_card(card)
        if key in BY_KEY:
            return BY_KEY[key]
        if key == PILE:
            return ("leave",) if self.drawing else None
        if key.startswith(("hit", "swap")) and self.single is not None:
            verb, number, rank = key.split(".")
            return (verb, int(number), rank, self.single)
        if key.startswith("at") and self.single is not None:
            return ("penalty", self.single, int(key[2:]))
        return self._press(key)

    def _press(self, key: Key) -> Reply:
        card, way = self.single, self.way
        if key == "propose" and self.order.way_down is not None:
            self.selection = [card for _, _, cards in self.order.way_down for card in cards]
            self.way_index = 0
        elif key == "otherwise":
            self.way_index += 1
        elif key == "clear":
            self.selection.clear()
            self.is_building = False
        elif key == "next" and self.order.moves:
            return self.order.moves[0]
        elif key in ("lay", MINE) and way is not None:
            return ("group", *way[0]) if self.down else ("down", way)
        elif key in ("play", MINE) and card is not None and self.face(card) in OWN_PLAYS:
            return ("play", card)
        elif key in ("discard", DISCARDS) and card is not None:
            return ("discard", card)
        elif key == DISCARDS and self.drawing:
            return ("take",)
        elif key.startswith("whammy") and self.preventions:
            return ("whammy", self.preventions[0])
        return None

    def _tap_card(self, card: Card) -> Reply:
        if card in self.state.hands[self.seat]:
            if self.playing:
                self.way_index = 0
                if card in self.selection:
                    self.selection.remove(card)
                else:
                    self.selection.append(card)
                self.is_building = len(self.selection) > 1 or (self.is_building and bool(self.selection))
        elif self.drawing:
            return ("take",) if card in self.state.discards else ("leave",)
        return None

    def pick(self, key: Key) -> None:
        card = card_of(key)
        if card is None:
            return
        self.carried_card = card
        if self.playing and card in self.state.hands[self.seat] and card not in self.selection:
            self.selection, self.way_index = [card], 0

    def drop(self, key: Key, spot: Key) -> Reply:
        card = card_of(key)
        self.carried_card = None
        if spot == HAND and card is not None:
            return self._tap_card(card) if self.drawing else None
        if spot == DISCARDS and card is not None and self.playing:
            return ("discard", card)
        self.pick(key)
        if spot != MINE and card in self.selection:
            self.selection = [card]
        return self.tap(spot)

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        self.carried_card = None
        card = card_of(key) if key else None
        if not plane or card is None or not self.playing:
            return None
        face = self.face(card)
        if face not in RANK and face not in WILDS:
            return None
        if not self.down:
            return Refusal("teeth_time.refuse.not_down", rule="TT-8")
        return Refusal("teeth_time.board.refuse.nowhere", rule="TT-7")

    def step_back(self) -> bool:
        if not self.selection:
            return False
        self.selection.pop()
        return True

    def holds(self, move: Move) -> bool:
        """Whether these very cards are picked; a place or a player is still to be shown."""
        verb, picked = move[0], set(self.selection)
        if verb == "down":
            return self.way is not None and picked == {card for _, _, cards in move[1] for card in cards}
        if verb == "group":
            return self.way is not None and picked == set(move[3])
        return verb == "play" and picked == {move[1]}

    def compose(self, move: Move) -> None:
        self.advice = move
        verb = move[0]
        if verb in ("discard", "play", "penalty"):
            self.selection = [move[1]]
        elif verb in ("hit", "swap"):
            self.selection = [move[3]]
        elif verb == "group":
            self.selection = list(move[3])
        elif verb == "down":
            self.selection = [card for _, _, cards in move[1] for card in cards]
        self.way_index = 0
        wanted = move[1] if verb == "down" else (tuple(move[1:]),) if verb == "group" else None
        if wanted is not None:
            shape = sorted((kind, base, len(cards)) for kind, base, cards in wanted)
            ways = [sorted((kind, base, len(cards)) for kind, base, cards in way) for way in self.ways()]
            self.way_index = ways.index(shape) if shape in ways else 0
