"""A match from Python in a few lines: begin a game by its name, let bots decide, make moves.

For scripts, notebooks and the README. It puts together what the kernel, the registry and the bots offer; it judges nothing.

>>> table = begin("teeth", seats=2, seed=1)
>>> match = table.match
>>> match.acting
(0,)
>>> table.move(0, decide(match, 0, "easy"))[0].events[0].key
'teeth.log.called'
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tabletin.bots import arena
from tabletin.bots.decision import BUDGET, Position
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of


def begin(game: str, *, seats: int = 2, options: Mapping[str, Any] | None = None, seed: int | None = None) -> Table:
    """A new match of ``game`` (a name from ``registry.GAMES``) on this device, dealt.

    ``seed`` makes the shuffles the same each time. Raises ``Malformed`` for a game that is not in the tin, ``Refused`` for
    options or a number of seats that the game does not have.
    """
    rules = rules_of(game)
    people = tuple(Seat("person", AUTHOR) for _ in range(seats))
    return Table.begin(rules, Setup(game, rules.version, dict(options or {}), people), OpenDealer(Random(seed)))


def decide(match: Match, seat: int, level: str = "medium", *, budget: float = BUDGET) -> Move:
    """What a bot would do for ``seat``, from what that seat knows and nothing else.

    ``level``: "easy", "medium", "hard" or "random"; ``budget``: the seconds it may take. Its random numbers follow from the
    log, so the same match is decided alike each time, as far as the time allows.
    """
    rng = Random(f"{match.head} {seat} {level}")
    return arena.decide(match.rules.id, Position(match.view((seat,)), seat, level, rng, budget)).move
