"""Dominoes' puzzle of a day: the pile is used up, both hands lie open, and one domino alone wins whatever the other does.

Two hands play at random until nothing is left to draw. From there the round is played out in every way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from tabletin.games.dominoes.dominoes import HAND_SIZES
from tabletin.games.dominoes.scoring import every_difference, score
from tabletin.games.dominoes.state import COUNTED, OVER, PLAYING, DominoState
from tabletin.games.dominoes.table import LEAD, LaidTile, opened_branching
from tabletin.games.dominoes.tiles import HALVES, key_about, tile_set
from tabletin.kernel.faces import Face
from tabletin.kernel.match import EVERYBODY, Match
from tabletin.kernel.schema import Move
from tabletin.puzzles.dice import Dice
from tabletin.puzzles.puzzle import ME, Puzzle, PuzzleMaker, Verdict

SET: Final = 6
SEATS: Final = 2
OTHER: Final = 1
FIRST: Final[Face] = "6-6"
HELD: Final = {1: (3, 3), 2: (3, 4), 3: (3, 5)}  # by stars: how many dominoes each hand has, from … to
ROOM: Final = 12  # dominoes that a hand has while there is something to draw
WAYS: Final = {1: 2, 2: 3, 3: 3}  # … and among how many ways of laying one the winning one is, at least
Tile = tuple[int, int]
Lay = tuple[Tile, int]  # a domino, and the number of the end it goes to


class Endgame(NamedTuple):
    """A round in which nothing is left to draw. ``hands`` by seat; ``ends``: how often each number is open."""

    hands: tuple[tuple[Tile, ...], tuple[Tile, ...]]
    ends: tuple[int, ...]
    turn: int
    passes: int = 0

    def lays(self) -> list[Lay]:
        """What the seat to move can lay, each domino once for each number."""
        return [(tile, number) for tile in self.hands[self.turn] for number in dict.fromkeys(tile) if self.ends[number]]

    def make(self, lay: Lay | None) -> Endgame:
        """The round after ``lay``; None passes."""
        following = 1 - self.turn
        if lay is None:
            return Endgame(self.hands, self.ends, following, self.passes + 1)
        tile, number = lay
        ends = list(self.ends)
        if tile[0] == tile[1]:
            ends[number] += 2
        else:
            ends[number] -= 1
            ends[tile[0] + tile[1] - number] += 1
        left = tuple(other for other in self.hands[self.turn] if other != tile)
        hands = (left, self.hands[1]) if self.turn == ME else (self.hands[0], left)
        return Endgame(hands, tuple(ends), following)

    def winner(self) -> int | None:
        """Who has won; None for nobody, and while it goes on (see ``is_over``)."""
        out = next((seat for seat, hand in enumerate(self.hands) if not hand), None)
        pips = tuple(sum(map(sum, hand)) for hand in self.hands)
        return score(pips, out, (), every_difference)[0]

    @property
    def is_over(self) -> bool:
        return self.passes == SEATS or not all(self.hands)


@lru_cache(1 << 16)
def outcome(game: Endgame) -> int:
    """How ``game`` ends when both play as well as can be: 1 ``ME`` wins, -1 the other, 0 nobody."""
    if game.is_over:
        winner = game.winner()
        return 0 if winner is None else 1 if winner == ME else -1
    values = (outcome(game.make(lay)) for lay in game.lays() or (None,))
    return max(values) if game.turn == ME else min(values)


class FindTheWin(PuzzleMaker):
    """The one domino that wins, then the round to its end. ``best`` counts nothing: it is 1."""

    opens_hands = True

    def attempt(self, dice: Dice, stars: int) -> Puzzle | None:
        opening = OpeningLays(dice)
        low, high = HELD[stars]
        while opening.goes_on(low):
            if opening.is_empty and opening.turn == ME and all(len(hand) <= high for hand in opening.hands):
                game = opening.endgame()
                lays = game.lays()
                if len(lays) >= WAYS[stars] and sum(outcome(game.make(lay)) > 0 for lay in lays) == 1:
                    prelude = tuple(opening.moves)
                    answer = opening.play_out()
                    return Puzzle("dominoes", SEATS, (" ".join(opening.deck()),), prelude, answer, 1, stars, options={"set": SET})
            opening.act()
        return None

    def judge(self, puzzle: Puzzle, match: Match, start: int) -> Verdict | None:
        state = match.state
        assert isinstance(state, DominoState)
        if state.phase in (COUNTED, OVER):
            counted = state.last_count
            won = counted is not None and counted.winner == ME
            return Verdict(won, "solved" if won else "missed")
        if state.phase != PLAYING or len(match.entries) == start:
            return None
        game = endgame_of(match)
        if outcome(game) > 0:
            return None
        lay = _best_reply(game)
        if game.turn == ME or lay is None:
            return Verdict(False, "missed")
        return Verdict(False, key_about("refuted", _face(lay[0])), {"high": lay[0][0], "low": lay[0][1]})

    def reply(self, puzzle: Puzzle, match: Match, seat: int) -> Move | None:
        """What makes it hardest: of all that loses, what leaves most still to be found."""
        state = match.state
        if state.phase != PLAYING or state.turn != seat:
            return None
        lay = _best_reply(endgame_of(match))
        if lay is None:
            return ("pass",)
        faces = match.view(EVERYBODY).faces
        card = next(card for card in state.hands[seat] if HALVES[faces[card]] == lay[0])
        return ("lay", card, next(place for place, number in state.open.items() if number == lay[1]))


def _best_reply(game: Endgame) -> Lay | None:
    """What the seat to move lays to end best; of equal ways what leaves the other fewest ways on. None passes."""
    sign = 1 if game.turn == ME else -1

    def worth(lay: Lay) -> tuple[int, int]:
        later = game.make(lay)
        return sign * outcome(later), -len(later.lays())

    return max(game.lays(), key=worth, default=None)


def endgame_of(match: Match) -> Endgame:
    """How the round of ``match`` stands, in numbers."""
    state, faces = match.state, match.view(EVERYBODY).faces
    first, second = (tuple(HALVES[faces[card]] for card in hand) for hand in state.hands)
    return Endgame((first, second), _count(state.open), state.turn, state.passes)


def _count(open_places: Mapping[int, int]) -> tuple[int, ...]:
    """How often each number is open."""
    numbers = list(open_places.values())
    return tuple(numbers.count(number) for number in range(SET + 1))


class OpeningLays:
    """A round from its lead on. What is drawn is chosen when it is drawn. ``moves``: who moved how, as faces."""

    def __init__(self, dice: Dice) -> None:
        leader = dice.roll(SEATS)
        size = HAND_SIZES[SET]
        pool = [HALVES[face] for face in dice.shuffle(face for face in tile_set(SET) if face != FIRST)]
        pool.sort(key=lambda tile: HALVES[FIRST][0] not in tile)  # what fits the lead is drawn, so that there is much to draw
        dealt = [[pool.pop() for _ in range(size - (seat == leader))] for seat in range(SEATS)]
        dealt[leader].append(HALVES[FIRST])
        self._dice = dice
        self._pool = pool
        self._dealt = [tile for hand in dealt for tile in hand]  # in the order of the deal, then of the drawing
        self.hands = [list(hand) for hand in dealt]
        self.open: dict[int, int] = {}
        self.tiles = 0
        self.turn = leader
        self.passes = 0
        self.moves: list[tuple[int, Move]] = []
        self._lay(HALVES[FIRST], LEAD)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to draw."""
        return not self._pool

    def goes_on(self, low: int) -> bool:
        """Whether both hands still have ``low`` dominoes, or may draw them, and somebody can lay."""
        return all(self.hands) and self.passes < SEATS and (bool(self._pool) or all(len(hand) >= low for hand in self.hands))

    def act(self) -> None:
        """The seat to move lays something, as the dice say; or it draws, or passes."""
        ends = sorted(self.open.items())
        ways = [(tile, place) for tile in sorted(self.hands[self.turn]) for place, number in ends if number in tile]
        if ways:
            self._lay(*self._dice.choice(self._blocking(ways) if self._pool else ways))
        elif self._pool:
            self._draw()
        else:
            self._pass()

    def _blocking(self, ways: list[tuple[Tile, int]]) -> list[tuple[Tile, int]]:
        """Those of ``ways`` after which the other has to draw; all, if there are none."""
        found = []
        for tile, place in ways:
            ends = {number for other, number in self.open.items() if other != place}
            ends.add(sum(tile) - self.open[place])
            if not any(ends & set(held) for held in self.hands[1 - self.turn]):
                found.append((tile, place))
        return found or ways

    def _draw(self) -> None:
        """A domino that does not fit as long as the hand has room for it, then one that does: so the pile is soon used up."""
        ends = set(self.open.values())
        fits = len(self.hands[self.turn]) > ROOM
        tile = next((tile for tile in self._pool if bool(ends & set(tile)) == fits), self._pool[-1])
        self._pool.remove(tile)
        self._dealt.append(tile)
        self.hands[self.turn].append(tile)
        self.moves.append((self.turn, ("draw",)))

    def _pass(self) -> None:
        self.moves.append((self.turn, ("pass",)))
        self.passes += 1
        self.turn = 1 - self.turn

    def _lay(self, tile: Tile, place: int) -> None:
        verb = ("lead", _face(tile)) if place == LEAD else ("lay", _face(tile), place)
        self.moves.append((self.turn, verb))
        inner = tile[1] if place == LEAD else self.open.pop(place)
        self.hands[self.turn].remove(tile)
        self.open.update(opened_branching(self.tiles, LaidTile(0, place, inner, sum(tile) - inner)))
        self.tiles += 1
        self.passes = 0
        self.turn = 1 - self.turn

    def endgame(self) -> Endgame:
        return Endgame((tuple(self.hands[0]), tuple(self.hands[1])), _count(self.open), self.turn, self.passes)

    def deck(self) -> list[Face]:
        return [_face(tile) for tile in self._dealt]

    def play_out(self) -> tuple[Move, ...]:
        """Play to the end as well as can be; what ``ME`` does on the way."""
        start = len(self.moves)
        while not self.endgame().is_over:
            lay = _best_reply(self.endgame())
            if lay is None:
                self._pass()
            else:
                self._lay(lay[0], next(place for place, number in self.open.items() if number == lay[1]))
        return tuple(move for seat, move in self.moves[start:] if seat == ME)


def _face(tile: Tile) -> Face:
    return f"{tile[0]}-{tile[1]}"


PUZZLES: Final[Mapping[str, PuzzleMaker]] = {"dominoes": FindTheWin()}
