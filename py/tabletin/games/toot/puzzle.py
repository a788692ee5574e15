"""TooT's puzzle of a day: a hand all of whose cards make one TooT, in one way only as far as kinds of cards go.

It stands on the table of Fluke TooT, before anything is laid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.games.toot.arrangement import as_faces
from tabletin.games.toot.cards import DECK, WILD, kinds
from tabletin.games.toot.fluke import DIE
from tabletin.games.toot.solver import build, uses
from tabletin.kernel.match import Match
from tabletin.puzzles.dice import Dice
from tabletin.puzzles.puzzle import ME, Puzzle, PuzzleMaker, Verdict

SEATS: Final = 2
CARDS: Final = {1: (5, 6), 2: (7, 8), 3: (9, 11)}  # by stars: how many cards, from … to
WILDS: Final = {1: (0, 0), 2: (0, 1), 3: (1, 2)}  # … how many X are among them, from … to
NUMBERS: Final = {1: 1, 2: 2, 3: 2}  # … how many of them are 2s, 3s or 4s, at least


class UseThemAll(PuzzleMaker):
    """One TooT of every card in the hand. ``best`` counts cards."""

    def attempt(self, dice: Dice, stars: int) -> Puzzle | None:
        deck = dice.shuffle(DECK)
        low, high = CARDS[stars]
        size = low + dice.roll(high - low + 1)
        mine, others = deck[:size], iter(deck[size:])
        hand = kinds(mine)
        fewest, most = WILDS[stars]
        whole = [use for use in uses(hand) if use.size == size] if fewest <= mine.count(WILD) <= most else []
        if len(whole) != 1 or whole[0].twos + whole[0].threes + whole[0].fours < NUMBERS[stars]:
            return None
        faces = dict(enumerate(mine))
        answer = as_faces(build(whole[0], faces.items()), faces)
        rolls = _rolls(size)
        dealt, prelude, left = [], [], list(mine)
        for number, rolled in enumerate(rolls):
            dealt += left[:rolled]
            del left[:rolled]
            prelude.append((ME, ("roll",)))
            if number < len(rolls) - 1:
                dealt.append(next(others))
                prelude += [(ME, ("pass",)), (1, ("roll",)), (1, ("pass",))]
        thrown = [roll for mine_now in rolls for roll in (mine_now, 1)]
        return Puzzle("toot-fluke", SEATS, (" ".join(dealt),), tuple(prelude), (("play", (answer,)),), size, stars,
                      tuple(thrown), {"first_seat": "1"})

    def judge(self, puzzle: Puzzle, match: Match, start: int) -> Verdict | None:
        for entry in match.entries[start:]:
            if entry.statement.kind == "move" and entry.statement.body["seat"] == ME:
                left = len(match.state.hands[ME])
                if entry.statement.body["do"][0] == "pass":
                    return Verdict(False, "passed")
                return Verdict(not left, "missed" if left else "solved", {"n": left or puzzle.best})
        return None


def _rolls(size: int) -> list[int]:
    """Throws of the die that together draw ``size`` cards."""
    count = -(-size // DIE)
    return [size // count + (number < size % count) for number in range(count)]


PUZZLES: Final[Mapping[str, PuzzleMaker]] = {"toot-fluke": UseThemAll()}
