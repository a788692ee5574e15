"""Iota's puzzle of a day: the turn with most points on a grid that grew by itself.

Two hands lay random cards for a while. The position is a puzzle if one play brings more than any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tabletin.games.iota.ending import play_points
from tabletin.games.iota.grid import BITS, FACES, ORIGIN, WILD, Bits, Cell, Play, Plays, xy
from tabletin.games.iota.open_places import open_places
from tabletin.games.iota.rules import HAND, Iota, IotaState, Recycles
from tabletin.kernel.faces import Face, Faces
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move
from tabletin.puzzles.dice import Dice
from tabletin.puzzles.puzzle import ME, Puzzle, PuzzleMaker, Verdict

SEATS: Final = 2
ROUNDS: Final = {1: (1, 2), 2: (2, 3), 3: (4, 5)}  # by stars: how many plays of each hand come before, from … to
CARDS: Final = {1: (1, 2), 2: (2, 3), 3: (2, 4)}  # … how many cards the best play lays, from … to
EARLY: Final = 24  # among how many cards of the deck a wild is, where there is one
DECK: Final = len(FACES) + 2
LEAD: Final = {1: 2, 2: 2, 3: 1}  # … by how many points it is the best
PASSED: Final = "pass"
Sequel = tuple[tuple[int, Move], ...]


class BestTurn(PuzzleMaker):
    """The turn with most points. ``best`` counts points."""

    def attempt(self, dice: Dice, stars: int) -> Puzzle | None:
        deck = dice.shuffle(FACES)
        if stars > 1:
            deck.insert(dice.roll(EARLY), WILD)
        deck += [WILD] * (DECK - len(deck))  # two wilds in one turn are more than anybody should look for
        low, high = ROUNDS[stars]
        game = OpeningTurns(deck)
        for turn in range(SEATS * (low + dice.roll(high - low + 1))):
            if not game.play(turn % SEATS, dice):
                return None
        found = game.best_turn(LEAD[stars])
        if found is None or not CARDS[stars][0] <= len(found[1][2]) <= CARDS[stars][1]:
            return None
        points, answer = found
        return Puzzle("iota", SEATS, (" ".join(deck),), tuple(game.moves), (answer,), points, stars, options={"first_seat": "1"})

    def judge(self, puzzle: Puzzle, match: Match, start: int) -> Verdict | None:
        for entry in match.entries[start:]:
            body = entry.statement.body
            if entry.statement.kind == "move" and body["seat"] == ME:
                if body["do"][0] == PASSED:
                    return Verdict(False, "passed")
                points = next(points for seat, points in reversed(match.state.plays) if seat == ME)
                return Verdict(points >= puzzle.best, "solved" if points >= puzzle.best else "missed",
                               {"n": points, "best": puzzle.best})
        return None


class OpeningTurns:
    """The first turns of a match dealt from ``deck``, in numbers only; a card is its place in the deck. ``moves``: as faces."""

    def __init__(self, deck: list[Face]) -> None:
        self.faces = Faces(enumerate(deck))
        self.hands = [list(range(seat * HAND, (seat + 1) * HAND)) for seat in range(SEATS)]
        self.grid: dict[Cell, int] = {ORIGIN: SEATS * HAND}
        self.bits: Bits = {ORIGIN: BITS[deck[SEATS * HAND]]}
        self.wilds: tuple[Cell, ...] = () if self.bits[ORIGIN] else (ORIGIN,)
        self.next_card = SEATS * HAND + 1
        self.moves: list[tuple[int, Move]] = []

    def play(self, seat: int, dice: Dice) -> bool:
        """``seat`` lays one card or two wherever ``dice`` say; whether it could."""
        hand = tuple((card, BITS[self.faces[card]]) for card in self.hands[seat])
        found = sorted(play for play in Plays(self.bits, self.wilds, hand) if len(play) <= 2)
        if not found:
            return False
        play = dice.choice(found)
        self.moves.append((seat, ("play", (), self.spell(play))))
        for card, cell in play:
            self.grid[cell], self.bits[cell] = card, BITS[self.faces[card]]
            if not self.bits[cell]:
                self.wilds += (cell,)
            self.hands[seat].remove(card)
        drawn = range(self.next_card, self.next_card + len(play))
        self.hands[seat] += drawn
        self.next_card += len(play)
        return True

    def spell(self, play: Play) -> tuple[tuple[Face, int, int], ...]:
        return tuple((self.faces[card], *xy(cell)) for card, cell in play)

    def best_turn(self, lead: int) -> tuple[int, Move] | None:
        """The points of the best turn of ``ME`` and the turn, if one play is better than all others by ``lead``."""
        most: dict[tuple[tuple[Cell, Face], ...], tuple[int, Move]] = {}
        for recycles, play, points in self.turns():
            key = tuple(sorted((cell, self.faces[card]) for card, cell in play))
            if points > most.get(key, (-1,))[0]:
                swaps = tuple((self.faces[wild], self.faces[card]) for wild, card in recycles)
                most[key] = points, ("play", swaps, self.spell(play))
        ranked = sorted(most.values(), key=lambda one: -one[0])
        return ranked[0] if len(ranked) > 1 and ranked[0][0] >= ranked[1][0] + lead else None

    def turns(self) -> Iterator[tuple[Recycles, Play, int]]:
        """Every play of ``ME`` with its points, after each way of recycling wilds."""
        for recycles, bits, wilds, hand in Iota(SEATS).recyclings(self._state(), ME, self.faces):
            for play in Plays(bits, wilds, hand):
                yield recycles, play, play_points(bits, play, dict(hand), ends=False)

    def _state(self) -> IotaState:
        state = IotaState(SEATS)
        state.grid, state.bits, state.wilds, state.places = self.grid, self.bits, self.wilds, open_places(self.bits)
        state.hold(ME, tuple(self.hands[ME]))
        return state


PUZZLES: Final[Mapping[str, PuzzleMaker]] = {"iota": BestTurn()}
