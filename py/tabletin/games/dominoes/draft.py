"""A turn of dominoes as a player tries it out: a domino picked up, turned round where either half may touch, and its place.

It asks the rules once a step what may be done. It never touches the match and draws nothing; ``board`` reads it.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.board import Draft, Reply
from tabletin.board.scene import Key, Point, Sight, card_key, card_of
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.layout import TableLayout
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.state import LEADING, PLAYING, DominoState
from tabletin.games.dominoes.tiles import HALVES, key_about, words_of
from tabletin.kernel.faces import Card
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move

CELL: Final = 50.0  # units of the plane: a domino is 100 by 200
HAND: Final[Key] = "to_hand"
LEAD_SPOT: Final[Key] = "lead_here"
TO_NUMBER: Final[Key] = "number"
TURN: Final[Key] = "turn"


class DominoDraft(Draft):
    """``selection``: the domino picked up. ``ways``: for each of the hand, every way to lay it. ``turned``: where either half may
    touch, it is the other one than usual. ``drawing``: one is being carried from the pile.
    """

    def __init__(self, sight: Sight, layout: TableLayout) -> None:
        assert sight.seat is not None and isinstance(sight.view.rules, DominoRules)
        self.seat = sight.seat
        self.rules: DominoRules = sight.view.rules
        self.state: DominoState = sight.view.state
        self.faces = sight.view.faces
        self._view = sight.view
        self.layout = layout
        self.hand = self.state.hands[self.seat]
        moves = list(self.rules.moves(self.state, self.seat, self.faces))
        self.ways: dict[Card, list[Move]] = {card: [] for card in self.hand}
        for move in moves:
            if move[0] in ("lay", "lead"):
                self.ways[move[1]].append(move)
        self.acts = frozenset(move[0] for move in moves)
        self.selection: Card | None = None
        self.turned = False
        self.drawing = False
        self.hint: Move | None = None
        self.draws_as_hinted = False

    # ---- what is possible ----

    @property
    def playing(self) -> bool:
        return self.state.phase == PLAYING

    @property
    def has_choice(self) -> bool:
        """Who leads, the dominoes themselves say; where one thing alone can be done, its button says it."""
        return self.playing and sum(map(len, self.ways.values())) + ("draw" in self.acts) > 1

    @property
    def stuck(self) -> bool:
        """Whether nothing of the hand can be laid."""
        return not any(self.ways.values())

    @property
    def has_drawn(self) -> bool:
        """Whether the seat has drawn in this turn."""
        last = self.state.claims[-1] if self.state.claims else None
        return last is not None and (last.seat, last.verb, last.hand) == (self.seat, "draw", self.hand[:-1])

    @property
    def lead(self) -> Card | None:
        """The domino of the hand that is asked for."""
        return next((card for card, ways in self.ways.items() if ways), None) if self.state.phase == LEADING else None

    def places(self, card: Card) -> list[int]:
        """Where ``card`` can be laid, each place once."""
        return list(dict.fromkeys(way[2] for way in self.ways[card] if way[0] == "lay"))

    def only_way(self) -> Move | None:
        """What the chosen domino would do without a further question."""
        if self.selection is None:
            return None
        if self.hint is not None and self.hint[1] == self.selection:
            return self.hint
        ways = self.ways[self.selection]
        return ways[0] if len(ways) == 1 else None

    @property
    def only_card(self) -> Card | None:
        """The one domino of the hand that goes anywhere, where nothing but laying it can be done."""
        fitting = [card for card, ways in self.ways.items() if ways]
        return fitting[0] if self.playing and len(fitting) == 1 and "draw" not in self.acts else None

    @property
    def candidate(self) -> Card | None:
        """The domino that a button would lay: the chosen one, or the only one, if it goes on one number and one way round."""
        card = self.only_card
        if self.selection is not None or card is None:
            return self.selection
        places = self.places(card)
        return card if len(self.ways[card]) == len(places) and len(self._numbers_at(places)) == 1 else None

    def numbers(self) -> list[int]:
        """The open numbers on which the candidate goes, each once."""
        return [] if self.candidate is None else self._numbers_at(self.places(self.candidate))

    def _numbers_at(self, places: list[int]) -> list[int]:
        return list(dict.fromkeys(self.state.open[place] for place in places))

    def meant_place(self) -> int | None:
        """Where the button that lays the candidate would lay it; None where there is none, as it goes on several numbers."""
        way, numbers = self.only_way(), self.numbers()
        return way[2] if way is not None else self.place_of(numbers[0]) if len(numbers) == 1 else None

    def way_at(self, place: int) -> Move | None:
        """How the chosen domino would be laid on ``place``; None if it does not go there."""
        ways = self._ways_at(place)
        return ways[self.turned and len(ways) > 1] if ways else None

    @property
    def turns(self) -> bool:
        """Whether either half of the chosen domino may touch, so that it can be turned round."""
        return self.selection is not None and any(len(self._ways_at(place)) > 1 for place in self.places(self.selection))

    def _ways_at(self, place: int) -> list[Move]:
        """The ways to lay the chosen domino on ``place``: first with the half that makes the total, else with the high half."""
        if self.selection is None:
            return []
        ways = [way for way in self.ways[self.selection] if way[0] == "lay" and way[2] == place]
        if len(ways) > 1:
            assert isinstance(self.rules, Matador)
            end, regular = self.state.open[place], self.rules.regular
            ways.sort(key=lambda way: (not regular(end, way[3]), -way[3]))
        return ways

    # ---- what the player does ----

    def tap(self, key: Key) -> Reply:
        card = card_of(key)
        if card is not None:
            return self._tap_card(card)
        if key == LEAD_SPOT:
            return self._lead()
        if key.startswith("at") and self.selection is not None:
            return self._lay_on(int(key[2:]))
        if key == TURN:
            self.turned = not self.turned
            self.hint = None
            return None
        if key == "lay":
            if self.selection is None:
                self._choose(self.candidate)
            return self.only_way() or self._lay_to(self.numbers()[0])
        if key.startswith(TO_NUMBER):
            return self._lay_to(int(key.removeprefix(TO_NUMBER)))
        if key in (HAND, "draw"):
            return self._say_so("draw")
        return self._lead() if key == "lead" else self._say_so(key)

    def _say_so(self, verb: str) -> Reply:
        """Draw, pass, deny or be ready, unless the hand or the table speaks against it."""
        if verb not in ("draw", "pass", "none", "ready") or verb not in self.rules.verbs:
            return None
        self.drawing = False
        move: Move = (verb,)
        return self._view.refusal(self.seat, move) or move

    def _lead(self) -> Reply:
        return None if self.lead is None else ("lead", self.lead)

    def _tap_card(self, card: Card) -> Reply:
        if card in self.state.pile:
            return self._say_so("draw")
        if card not in self.ways:
            return None
        ways = self.ways[card]
        if self.state.phase == LEADING:
            asked = self.rules.questions[self.state.question]
            return ways[0] if ways else Refusal(key_about("dominoes.refuse.not_asked", asked), words_of(asked), "DO-1")
        if not self.playing:
            return None
        if not ways:
            self._choose(None)
            return self.rules.fits_nowhere(self.faces[card])
        if card != self.selection:
            self._choose(card)
            return None
        if self.turns:
            return self.tap(TURN)
        way = self.only_way()
        if way is None:
            self._choose(None)
        return way

    def _choose(self, card: Card | None) -> None:
        self.selection, self.turned, self.draws_as_hinted = card, False, False

    def _lay_to(self, number: int) -> Reply:
        return self._lay_on(self.place_of(number))

    def place_of(self, number: int) -> int:
        """Where ``number`` is open for the candidate, the end from which the least more has to be shown: for the round they are
        all alike."""
        assert self.candidate is not None
        places = [place for place in self.places(self.candidate) if self.state.open[place] == number]
        double = len(set(HALVES[self.faces[self.candidate]])) == 1
        return min(places, key=lambda place: self.layout.extent(self.layout.slot(place).lie(double=double)))

    def _lay_on(self, place: int) -> Reply:
        assert self.selection is not None
        return self.way_at(place) or self._misfit(self.selection, place)

    def _misfit(self, card: Card, place: int) -> Refusal:
        if place not in self.state.open:
            return Refusal("dominoes.refuse.not_open", rule=self.rules.table_rule)
        return self.rules.misfit(self.state, self.faces[card], place)

    def pick(self, key: Key) -> None:
        card = card_of(key)
        if card is not None and card in self.ways:
            if self.playing and card != self.selection:
                self._choose(card)
        elif card in self.state.pile:
            self._choose(None)
            self.drawing = True

    def drop(self, key: Key, spot: Key) -> Reply:
        if spot == LEAD_SPOT:
            return self._tap_card(card) if (card := card_of(key)) is not None and card in self.ways else None
        if spot == HAND:
            return self._say_so("draw") if self.drawing else None
        return super().drop(key, spot)

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        card = card_of(key) if key else self.selection
        self.drawing = False
        if card is None or card not in self.ways or not self.playing:
            return None
        if not plane:
            self._choose(None)
            return None
        at = point[0] / CELL, point[1] / CELL
        double = len(set(HALVES[self.faces[card]])) == 1
        for place in self.layout.open:
            left, top, right, bottom = self.layout.slot(place).lie(double=double).box
            if left <= at[0] <= right and top <= at[1] <= bottom:
                return self._lay_on(place) if self.ways[card] and self.selection == card else self._misfit(card, place)
        if key and not self.ways[card]:
            self._choose(None)
            return self.rules.fits_nowhere(self.faces[card])
        return Refusal("dominoes.refuse.not_open", rule=self.rules.table_rule)

    def step_back(self) -> bool:
        if self.selection is None and not self.drawing:
            return False
        self._choose(None)
        self.drawing, self.hint = False, None
        return True

    def compose(self, move: Move) -> None:
        self._choose(None)
        self.hint, self.draws_as_hinted = None, move[0] == "draw"
        if move[0] == "lay":
            self._choose(move[1])
            self.hint = move
            self.turned = self.way_at(move[2]) != move

    def focus(self) -> Key:
        """Where the keyboard goes next: the likeliest place of the chosen domino, else the first that can be laid."""
        if self.selection is not None and self.ways[self.selection]:
            place = self.meant_place()
            return f"at{self.ways[self.selection][0][2] if place is None else place}"
        if not self.hand:
            return ""
        return card_key(next((card for card, ways in self.ways.items() if ways), self.hand[0]))
