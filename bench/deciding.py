"""How long bots take to decide, timed: what ``bench/bots_browser.py`` runs in a browser's worker.

Every seat is a bot of one level with the budget a page gives it; each decision is timed by the clock on the wall.
"""

from __future__ import annotations

from random import Random
from time import monotonic

from tabletin.bots.decision import Position
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of


def decisions(game: str, seats: int, level: str, seconds: float, seed: int = 1) -> list[float]:
    """Milliseconds of every decision that was a choice of the bot's, for so many seconds or to the end of the match."""
    rules, rng, times = rules_of(game), Random(seed), []
    players = tuple(Seat("bot", AUTHOR, level=level) for _ in range(seats))
    table = Table.begin(rules, Setup(game, rules.version, {}, players), OpenDealer(Random(seed)))
    match, bot, begun = table.match, GAMES[game].module("bot"), monotonic()
    while (acting := match.rules.to_act(match.state)) and monotonic() - begun < seconds:
        answers = []
        for seat in acting:
            thought = Position(match.view((seat,)), seat, level, rng)
            decision = bot.choose(thought)
            times.append(1000 * (monotonic() - thought.start_time))
            answers.append((decision.delay, seat, decision.move))
        _, seat, move = min(answers)
        table.move(seat, move)
    return times
