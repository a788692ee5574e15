"""The rules of Iota: setting up, turns, scoring, the end. Judges on the grid's open faces; never looks into a hand.

Source: rulebook ``iota`` and rulings IO-1…IO-10. A turn is one move: first any wilds recycled, then a play or a pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from random import Random
from typing import TypeAlias

from tabletin.games.iota.grid import (
    BITS,
    FACES,
    LONGEST,
    ORIGIN,
    REACH,
    WILD,
    Bits,
    Cell,
    HandCard,
    Play,
    Plays,
    cell_at,
    changed_lines,
    lay_refusal,
    line_points,
    lines_refusal,
    xy,
)
from tabletin.games.iota.open_places import OpenPlaces, draw_play, note_card
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Choice, Options, Refusal, Switch
from tabletin.kernel.requests import ALL, Request, Result, Roll, Show, Shuffle, TakeBack
from tabletin.kernel.rules import Outcome, Rules, SheetRow, Zone
from tabletin.kernel.schema import CARD, CARDS, Int, Move, Seq, Tup
from tabletin.kernel.state import State

HAND = 4
Recycles: TypeAlias = tuple[tuple[Card, Card], ...]  # (wild on the grid, hand card that takes its place), in order
Lays: TypeAlias = tuple[tuple[Card, int, int], ...]  # (card, x, y)


class IotaState(State):
    """``grid``: cell → card, ``bits``: cell → properties (0 a wild), ``wilds``: cells of wilds. ``places``: empty cell beside
    the grid → faces that fit there. ``pile``: next card first.

    ``set_aside``: the half deck left out. ``hands``, ``scores`` by seat. ``turn``: the seat to play, -1 before the first.
    ``passes``: in a row. ``plays``: (seat, points) of every play, for the score sheet. ``last_lays``: the cells of the newest
    one. ``leaver_counts``: by seat, how many cards it had when it left. ``end_reason``: why, or "".
    """

    __slots__ = ("grid", "bits", "wilds", "places", "pile", "set_aside", "hands", "scores", "turn", "passes", "plays",
                 "last_lays", "leaver_counts", "end_reason")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.grid: dict[Cell, Card] = {}
        self.bits: Bits = {}
        self.wilds: tuple[Cell, ...] = ()
        self.places: OpenPlaces = {}
        self.pile: tuple[Card, ...] = ()
        self.set_aside: tuple[Card, ...] = ()
        self.hands: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.scores: tuple[int, ...] = (0,) * seats
        self.turn = -1
        self.passes = 0
        self.plays: tuple[tuple[int, int], ...] = ()
        self.last_lays: tuple[Cell, ...] = ()
        self.leaver_counts: tuple[int, ...] = (0,) * seats
        self.end_reason = ""

    def put(self, card: Card, cell: Cell) -> None:
        """Lay ``card``, whose face is public, on ``cell``, which is empty or has a wild that was taken up."""
        own = BITS[self.public[card]]
        self.grid[cell] = card
        self.bits[cell] = own
        note_card(self.places, self.bits, cell)
        if not own:
            self.wilds += (cell,)

    def hold(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.hands = (*self.hands[:seat], cards, *self.hands[seat + 1:])


class Iota(Rules[IotaState]):
    """Iota for 2–4 seats, full or half deck, scored or (young children) first out."""

    id = "iota"
    seat_counts = range(2, 5)
    plays_on = True
    options = (
        Switch("half_deck"),
        Switch("young_children"),
        Choice("first_seat", ("random", "1", "2", "3", "4"), "random"),
    )
    forced_verbs_among_bots = frozenset(("pass",))  # with an empty pile; whoever could lay may pass, too (IO-8)
    verbs = {
        "play": (Seq(Tup((CARD, CARD)), 2), Seq(Tup((CARD, Int(-REACH, REACH), Int(-REACH, REACH))), HAND, 1)),
        "pass": (Seq(Tup((CARD, CARD)), 2), CARDS),
    }

    def __init__(self, seats: int, options: Options | None = None) -> None:
        super().__init__(seats, options)
        self.low_wins = bool(self.option_values["young_children"])  # then the fewest cards win (IO-9)

    def check(self) -> Refusal | None:
        first = self.option_values["first_seat"]
        if first != "random" and int(first) > self.seats:
            return Refusal("iota.refuse.first_seat", {"seats": self.seats}, "IO-2")
        return None

    def deck(self) -> tuple[Face, ...]:
        """64 cards and two wilds (IO-1)."""
        return (*FACES, WILD, WILD)

    # ---- setting up ----

    def start(self) -> IotaState:
        state = IotaState(self.seats)
        if self.option_values["half_deck"]:
            state.new_deck(FACES, "whole")  # IO-9: 32 of the 64 at random, then both wilds
        else:
            state.new_deck(self.deck())
        return state

    def take_answer(self, state: IotaState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Roll):
            assert isinstance(result, int)
            state.turn = result - 1
            state.say("iota.log.first", state.turn)
        elif isinstance(request, Shuffle):
            if request.purpose == "whole":
                state.set_aside = cards[32:]
                state.ask(Shuffle(cards[:32], (WILD, WILD)))
            elif request.purpose == "remix":
                state.pile = cards
            else:
                state.pile = cards
                self._deal(state)
        elif isinstance(request, Show) and request.purpose == "starter":
            state.pile = state.pile[1:]
            state.put(cards[0], ORIGIN)
            state.say("iota.log.starter", cards=cards)
        elif isinstance(request, Show):
            state.say("iota.log.drew", request.reader, cards=cards, to=request.reader, n=len(cards))

    def _deal(self, state: IotaState) -> None:
        for seat in range(self.seats):
            self._draw(state, seat, HAND)
        state.ask(Show(state.pile[:1], ALL, "starter"))
        first = self.option_values["first_seat"]
        if first == "random":
            state.ask(Roll(self.seats, "first"))
        else:
            state.turn = int(first) - 1

    def _draw(self, state: IotaState, seat: int, count: int) -> None:
        cards, state.pile = state.pile[:count], state.pile[count:]
        if cards:
            state.hold(seat, state.hands[seat] + cards)
            state.ask(Show(cards, seat))

    def remix(self, state: IotaState) -> None:
        if state.pile:
            state.ask(Shuffle(state.pile, purpose="remix"))

    # ---- judging ----

    def actors(self, state: IotaState) -> tuple[int, ...]:
        return () if state.end_reason or state.turn < 0 or not state.grid else (state.turn,)

    def opens(self, state: IotaState, seat: int, move: Move) -> tuple[Card, ...]:
        """Cards that recycle a wild and cards laid; what is traded stays closed."""
        opened = tuple(card for _, card in move[1])
        return opened + tuple(card for card, _, _ in move[2]) if move[0] == "play" else opened

    def verdict(self, state: IotaState, seat: int, move: Move) -> Refusal | None:
        hand, recycles = list(state.hands[seat]), move[1]
        refusal = self._recycle_refusal(state, hand, recycles)
        if refusal is not None:
            return refusal
        named = move[2] if move[0] == "pass" else tuple(card for card, _, _ in move[2])
        if len(set(named)) != len(named) or not set(named) <= set(hand):
            return Refusal("iota.refuse.not_in_hand")
        if move[0] == "pass":
            if named and not state.pile:
                return Refusal("iota.refuse.trade_empty", rule="IO-7")  # with the pile empty a trade is refused
            return None
        with recycle(state, recycles) as wilds:
            return lay_refusal(state.bits, wilds, {cell_at(x, y): BITS[state.public[c]] for c, x, y in move[2]}, len(move[2]))

    def _recycle_refusal(self, state: IotaState, hand: list[Card], recycles: Recycles) -> Refusal | None:
        """Why these wilds cannot be recycled so, one after the other (IO-5); changes ``hand`` to what is held after."""
        places = {state.grid[cell]: cell for cell in state.wilds}
        bits, wilds = state.bits, list(state.wilds)
        refusal: Refusal | None = None
        done: list[Cell] = []
        for wild, card in recycles:
            if wild not in places:
                refusal = Refusal("iota.refuse.no_wild_there", rule="IO-5")
            elif card not in hand:
                refusal = Refusal("iota.refuse.not_in_hand")
            elif state.public[card] == WILD:
                refusal = Refusal("iota.refuse.wild_for_wild", rule="IO-5")
            else:
                cell = places.pop(wild)
                bits[cell] = BITS[state.public[card]]
                done.append(cell)
                wilds.remove(cell)
                if lines_refusal(bits, tuple(wilds), (cell,)) is not None:
                    refusal = Refusal("iota.refuse.recycle_misfit", rule="IO-5")
            if refusal is not None:
                break
            hand.remove(card)
            hand.append(wild)
        for cell in done:
            bits[cell] = 0
        return refusal

    # ---- playing ----

    def apply(self, state: IotaState, seat: int, move: Move) -> None:
        self._recycle(state, seat, move[1])
        if move[0] == "pass":
            self._pass(state, seat, move[2])
        else:
            self._play(state, seat, move[2])
        if not state.end_reason:
            state.turn = self.next_seat(state, seat)

    def _recycle(self, state: IotaState, seat: int, recycles: Recycles) -> None:
        for wild, card in recycles:
            cell = next(cell for cell in state.wilds if state.grid[cell] == wild)
            state.wilds = tuple(other for other in state.wilds if other != cell)
            state.put(card, cell)
            state.hold(seat, tuple(held for held in state.hands[seat] if held != card) + (wild,))
            state.say("iota.log.recycled", seat, cards=(card,))

    def _play(self, state: IotaState, seat: int, lays: Lays) -> None:
        state.last_lays = tuple(cell_at(x, y) for _, x, y in lays)
        for (card, _, _), cell in zip(lays, state.last_lays, strict=True):
            state.put(card, cell)
        laid = {card for card, _, _ in lays}
        state.hold(seat, tuple(card for card in state.hands[seat] if card not in laid))
        state.passes = 0
        out = not state.pile and not state.hands[seat]
        points, lots = turn_score(state.bits, list(state.last_lays), ends=out)
        cards = tuple(card for card, _, _ in lays)
        if self.option_values["young_children"]:
            state.say("iota.log.laid", seat, cards=cards, n=len(cards))
        else:
            state.plays += ((seat, points),)
            state.scores = tuple(score + points * (index == seat) for index, score in enumerate(state.scores))
            state.say("iota.log.played", seat, cards=cards, n=points)
        self._say_doublings(state, seat, points, lots, is_whole_hand=len(lays) == HAND, is_out=out)
        if out:
            state.end_reason = "iota.ended.out"
        self._draw(state, seat, HAND - len(state.hands[seat]))

    def _say_doublings(self, state: IotaState, seat: int, points: int, lots: int, *, is_whole_hand: bool, is_out: bool) -> None:
        """How ``points`` came about, one doubling after the other (IO-6); without scores only what was done."""
        if self.option_values["young_children"]:
            if lots:
                state.say("iota.log.lots", seat, n=lots)
            if is_out:
                state.say("iota.log.out", seat)
            return
        base = points >> (lots + is_whole_hand + is_out)
        if lots:
            state.say("iota.log.lots_doubled", seat, n=lots, factor=1 << lots, base=base, points=base << lots)
            base <<= lots
        if is_whole_hand:
            state.say("iota.log.whole_hand", seat, base=base, points=2 * base)
            base *= 2
        if is_out:
            state.say("iota.log.out_doubled", seat, base=base, points=2 * base)

    def _pass(self, state: IotaState, seat: int, trade: tuple[Card, ...]) -> None:
        if trade:
            state.hold(seat, tuple(card for card in state.hands[seat] if card not in trade))
            state.pile += trade
            state.ask(TakeBack(trade))
            state.say("iota.log.traded", seat, n=len(trade))
            self._draw(state, seat, len(trade))
        else:
            state.say("iota.log.passed", seat)
        state.passes += 1
        self._end_if_all_pass(state)

    def _end_if_all_pass(self, state: IotaState) -> None:
        if state.passes >= len(self.playing(state)) * (1 if not state.pile else 3):  # IO-8
            state.end_reason = "iota.ended.passed"
            state.say("iota.log.all_passed")

    def play_without(self, state: IotaState, seats: tuple[int, ...]) -> None:
        """Their passes are no longer among those in a row."""
        before = sorted((*self.playing(state), *seats))
        now = before.index(state.turn)
        state.passes -= sum(before[(now - back) % len(before)] in seats for back in range(1, state.passes + 1))
        for seat in seats:
            state.leaver_counts = tuple(count + (index == seat) * len(state.hands[seat])
                                        for index, count in enumerate(state.leaver_counts))
            state.hold(seat, ())
        if state.turn in seats:
            state.turn = self.next_seat(state, state.turn)
            self._end_if_all_pass(state)

    # ---- the end ----

    def standings(self, state: IotaState) -> tuple[int, ...]:
        if not self.option_values["young_children"]:
            return state.scores
        return tuple(len(hand) + taken for hand, taken in zip(state.hands, state.leaver_counts, strict=True))

    def forced_reason(self, state: IotaState, seat: int, faces: Faces, move: Move) -> str:
        """A pass with nothing left to draw (IO-8)."""
        return "iota.forced.pass"

    def outcome(self, state: IotaState) -> Outcome | None:
        """Highest score wins, ties share (IO-2); young children: fewest cards left (IO-9)."""
        if not state.end_reason:
            return None
        scores = self.standings(state)
        return Outcome(scores, self.best(state, scores), state.end_reason, low_wins=self.low_wins)

    def sheet(self, state: IotaState) -> list[SheetRow]:
        """One line a round of plays, as one would write it down, then the totals."""
        if self.option_values["young_children"]:
            return [SheetRow("iota.sheet.cards_left", self.standings(state), total=True)]
        columns = [[points for seat, points in state.plays if seat == column] for column in range(self.seats)]
        rows = [SheetRow("iota.sheet.play", tuple(c[row] if row < len(c) else None for c in columns), {"n": row + 1})
                for row in range(max(map(len, columns)))]
        return [*rows, SheetRow("iota.sheet.total", state.scores, total=True)]

    # ---- what a seat may do ----

    def moves(self, state: IotaState, seat: int, faces: Faces) -> Iterator[Move]:
        """Passing, plays, trades; then the same after each way of recycling."""
        for recycles, bits, wilds, hand in self.recyclings(state, seat, faces):
            yield ("pass", recycles, ())
            for play in Plays(bits, wilds, hand):
                yield ("play", recycles, spell(play))
            if state.pile:
                cards = [card for card, _ in hand]
                for count in range(1, len(cards) + 1):
                    for trade in permutations(cards, count):
                        yield ("pass", recycles, trade)

    def recyclings(self, state: IotaState, seat: int, faces: Faces) \
            -> Iterator[tuple[Recycles, Bits, tuple[Cell, ...], tuple[HandCard, ...]]]:
        """Each way of recycling, none first: the swaps, and grid, wilds and hand (with bits) as they are afterwards."""
        hand: tuple[HandCard, ...] = tuple((card, BITS[faces[card]]) for card in state.hands[seat])
        yield (), state.bits, state.wilds, hand
        seen: set[frozenset[tuple[Card, Card]]] = set()
        yield from self._recyclings(state, (), state.bits, state.wilds, hand, seen)

    def _recyclings(self, state: IotaState, done: Recycles, bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...],
                    seen: set[frozenset[tuple[Card, Card]]]) \
            -> Iterator[tuple[Recycles, Bits, tuple[Cell, ...], tuple[HandCard, ...]]]:
        for cell in wilds:
            left = tuple(other for other in wilds if other != cell)
            for card, own in hand:
                swaps = (*done, (state.grid[cell], card))
                if not own or frozenset(swaps) in seen:
                    continue
                now = bits | {cell: own}
                if lines_refusal(now, left, (cell,)) is None:
                    seen.add(frozenset(swaps))
                    held = (*((c, b) for c, b in hand if c != card), (state.grid[cell], 0))
                    yield swaps, now, left, held
                    yield from self._recyclings(state, swaps, now, left, held, seen)

    def random_move(self, state: IotaState, seat: int, faces: Faces, rng: Random) -> Move:
        """A random legal move without listing them all: a random place that takes a play, else a pass."""
        hand: tuple[HandCard, ...] = tuple((card, BITS[faces[card]]) for card in state.hands[seat])
        play = draw_play(state.bits, state.wilds, state.places, hand, rng)
        if play:
            return ("play", (), spell(play))
        return ("pass", (), tuple(rng.sample(state.hands[seat], rng.randint(0, len(hand)))) if state.pile else ())

    def default(self, state: IotaState, seat: int) -> Move | None:
        return ("pass", (), ())

    # ---- what readers look at ----

    def zones(self, state: IotaState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, "away": state.set_aside, "grid": tuple(state.grid.values()),
                **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}


def spell(play: Play) -> Lays:
    """A play as a move names it."""
    return tuple((card, *xy(cell)) for card, cell in play)


def turn_score(bits: Bits, cells: list[Cell], *, ends: bool) -> tuple[int, int]:
    """Points of a turn that laid cards on ``cells`` of ``bits``, and how many lots it completed (IO-6)."""
    lines = changed_lines(bits, cells)
    lots = sum(len(line.cells) == LONGEST for line in lines)
    doublings = lots + (len(cells) == HAND) + ends
    return line_points(bits, lines) << doublings, lots


@contextmanager
def recycle(state: IotaState, recycles: Recycles) -> Iterator[tuple[Cell, ...]]:
    """``state.bits`` as they are once these wilds are recycled, for as long as the block lasts; gives the wilds left."""
    places = {state.grid[cell]: cell for cell in state.wilds}
    cells = [places[wild] for wild, _ in recycles]
    for cell, (_, card) in zip(cells, recycles, strict=True):
        state.bits[cell] = BITS[state.public[card]]
    try:
        yield tuple(cell for cell in state.wilds if cell not in cells)
    finally:
        for cell in cells:
            state.bits[cell] = 0
