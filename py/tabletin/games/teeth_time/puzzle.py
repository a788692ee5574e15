"""Teeth Time's puzzle of a day: a hand of which every card can be laid, in as few groups as possible.

The first hand, in which a set must come first. The hand is cut out of groups, then every way to lay it is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from tabletin.games.teeth_time.cards import BRIDGE, COLOURS, HAND_SIZE, LETTERS, NUMBERS, RANK, RANKS, SHORTEST, SUITE
from tabletin.games.teeth_time.groups import RUN, SET
from tabletin.games.teeth_time.plays import BEGINNER
from tabletin.games.teeth_time.state import OPENING, OVER, SCORED, TeethTimeState
from tabletin.kernel.faces import Face
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move
from tabletin.puzzles.dice import Dice
from tabletin.puzzles.puzzle import ME, Puzzle, PuzzleMaker, Verdict

SIZE: Final = HAND_SIZE + 1  # cards after drawing
GROUPS: Final = {1: 2, 2: 3, 3: 3}  # by stars: the fewest groups …
PARTS: Final = {1: 8, 2: 6, 3: 17}  # … among how many groups that could be laid, at least …
BRIDGES: Final = {1: 0, 2: 0, 3: 1}  # … and how many cards are wild
MOST_WAYS: Final = 400
Part: TypeAlias = tuple[str, str, str]  # kind, rank (a run: of its first card), the ranks of its cards; WILD for a wild
Way: TypeAlias = tuple[Part, ...]
WILD: Final = "*"


class FewestGroups(PuzzleMaker):
    """Everything laid, in the fewest groups. ``best`` counts groups."""

    def attempt(self, dice: Dice, stars: int) -> Puzzle | None:
        ranks = _cut(dice, GROUPS[stars], BRIDGES[stars])
        if ranks is None:
            return None
        whole: list[Way] = []
        for way in ways(ranks):
            whole.append(way)
            if len(whole) > MOST_WAYS:
                return None
        legal = [way for way in whole if any(kind == SET for kind, _, _ in way)]
        fewest = min(map(len, legal), default=0)
        best = [way for way in legal if len(way) == fewest]
        if len(best) != 1 or fewest != GROUPS[stars] or _choices(ranks) < PARTS[stars]:
            return None
        faces = _coloured(dice, ranks)
        hand, drawn = faces[:HAND_SIZE], faces[HAND_SIZE]
        theirs = dice.shuffle(face for face in _teeth() if faces.count(face) < 2)[:HAND_SIZE]
        deal = [face for pair in zip(hand, theirs, strict=True) for face in pair]
        return Puzzle("teeth-time", 2, (" ".join((*deal, drawn)),), ((ME, ("take",)),), _laying(best[0], faces), fewest, stars,
                      (2,), {"level": BEGINNER})

    def judge(self, puzzle: Puzzle, match: Match, start: int) -> Verdict | None:
        state = match.state
        assert isinstance(state, TeethTimeState)
        ended = state.phase in (OPENING, SCORED, OVER)
        discarded = any(entry.statement.kind == "move" and entry.statement.body["do"][0] == "discard"
                        for entry in match.entries[start:])
        groups = sum(group.owner == ME for group in state.groups.values())
        if discarded:
            return Verdict(False, "left", {"n": len(state.hands[ME]) + 1})
        if not ended:
            return None
        return Verdict(groups <= puzzle.best, "solved" if groups <= puzzle.best else "missed", {"n": groups, "best": puzzle.best})


def _cut(dice: Dice, groups: int, bridges: int) -> str | None:
    """The ranks of a hand cut out of ``groups`` groups, a set among them, some of them wild; None where they do not go."""
    sizes = [SHORTEST] * groups
    for _ in range(SIZE - SHORTEST * groups):
        sizes[dice.roll(groups)] += 1
    ranks = ""
    for number, size in enumerate(sizes):
        if number == 0 or dice.roll(3) == 0:
            ranks += dice.choice(RANKS) * size
        else:
            suite = LETTERS if size <= len(LETTERS) and dice.roll(3) == 0 else NUMBERS
            if size > len(suite):
                return None
            start = dice.roll(len(suite) - size + 1)
            ranks += suite[start:start + size]
    if any(ranks.count(rank) > 2 * len(COLOURS) for rank in ranks):
        return None
    cards = dice.shuffle(ranks)
    return "".join([*cards[bridges:], *WILD * bridges])


def ways(ranks: str) -> Iterator[Way]:
    """Every way to lay all of ``ranks`` (``WILD``: a wild) in sets and runs, each once."""
    counts = {rank: ranks.count(rank) for rank in RANKS}
    yield from _ways(counts, ranks.count(WILD), ())


def _ways(counts: dict[str, int], wilds: int, done: Way) -> Iterator[Way]:
    """Ways to go on: the next group holds the first rank that is left, and comes no earlier than the last with that rank."""
    rank = next((rank for rank in RANKS if counts[rank]), "")
    if not rank:
        if not wilds:
            yield done
        return
    for part in _parts(counts, wilds, rank):
        if done and part < done[-1] and rank in done[-1][2]:
            continue
        for one in part[2]:
            if one != WILD:
                counts[one] -= 1
        yield from _ways(counts, wilds - part[2].count(WILD), (*done, part))
        for one in part[2]:
            if one != WILD:
                counts[one] += 1


def _parts(counts: dict[str, int], wilds: int, rank: str) -> Iterator[Part]:
    """Every group with a tooth of ``rank``, of which no lower one is left."""
    for teeth in range(1, counts[rank] + 1):
        for spare in range(max(0, SHORTEST - teeth), wilds + 1):
            yield SET, rank, rank * teeth + WILD * spare
    suite = SUITE[rank]
    place = suite.index(rank)
    for first in range(max(0, place - wilds), place + 1):
        yield from _runs(counts, wilds - (place - first), suite, first, place, WILD * (place - first))


def _choices(ranks: str) -> int:
    """How many groups could be laid first."""
    counts = {rank: ranks.count(rank) for rank in RANKS}
    return len({part for rank in RANKS if counts[rank] for part in _parts(counts, ranks.count(WILD), rank)})


def _runs(counts: dict[str, int], wilds: int, suite: str, first: int, at: int, cards: str) -> Iterator[Part]:
    """Runs from ``first`` on that hold ``cards`` before the place ``at``; the first tooth comes at its own place."""
    if len(cards) >= SHORTEST and cards.strip(WILD):
        yield RUN, suite[first], cards
    if at == len(suite):
        return
    if counts[suite[at]]:
        yield from _runs(counts, wilds, suite, first, at + 1, cards + suite[at])
    if wilds and cards.strip(WILD):
        yield from _runs(counts, wilds - 1, suite, first, at + 1, cards + WILD)


def _teeth() -> list[Face]:
    return [colour + rank for colour in COLOURS for rank in RANKS]


def _coloured(dice: Dice, ranks: str) -> list[Face]:
    """Cards of ``ranks`` in colours as the dice say, no more of each than the deck has, in no order."""
    faces: list[Face] = []
    for rank in ranks:
        if rank == WILD:
            faces.append(BRIDGE)
        else:
            faces.append(dice.choice([colour + rank for colour in COLOURS if faces.count(colour + rank) < 2]))
    return dice.shuffle(faces)


def _laying(way: Way, faces: list[Face]) -> tuple[Move, ...]:
    """``way`` as moves, a set first."""
    left = list(faces)
    laid: list[tuple[str, str, tuple[Face, ...]]] = []
    for kind, base, ranks in sorted(way, key=lambda part: part[0] != SET):
        cards = []
        for rank in ranks:
            face = next(face for face in left if (face == BRIDGE if rank == WILD else face in RANK and RANK[face] == rank))
            left.remove(face)
            cards.append(face)
        laid.append((kind, base, tuple(cards)))
    return (("down", (laid[0],)), *(("group", *group) for group in laid[1:]))


PUZZLES: Final[Mapping[str, PuzzleMaker]] = {"teeth-time": FewestGroups()}
