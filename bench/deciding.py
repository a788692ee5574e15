"""How long bots take to decide, timed: what ``bench/bots_browser.py`` and ``bench/engines.py`` run in a browser.

Every bot has the budget a page gives it; each decision is timed by the clock on the wall.
"""

from __future__ import annotations

from itertools import islice
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


def few_decisions(game: str, level: str, number: int, seconds: float) -> list[tuple[float, int]]:
    """Milliseconds and imagined worlds of ``number`` decisions of ``level`` in matches that the mildest bots play.

    Only where there was a choice; fewer of them if ``seconds`` are over.
    """
    rules, rng, bot = rules_of(game), Random(1), GAMES[game].module("bot")
    players = (Seat("bot", AUTHOR, level=bot.LEVELS[0]),) * max(2, rules.seat_counts[0])
    found: list[tuple[float, int]] = []
    begun = monotonic()
    for seed in range(1, number + 1):
        table = Table.begin(rules, Setup(game, rules.version, {}, players), OpenDealer(Random(seed)))
        match = table.match
        due = rng.randrange(4)  # choices until one is looked at
        while (acting := match.rules.to_act(match.state)):
            if len(found) == number or monotonic() - begun > seconds:
                return found
            view = match.view((acting[0],))
            if len(list(islice(view.moves(acting[0]), 2))) > 1:
                due -= 1
                if due < 0:
                    due = rng.randrange(12)
                    asked = Position(view, acting[0], level, rng)
                    bot.choose(asked)
                    found.append((1000 * (monotonic() - asked.start_time), asked.worlds))
            answers = []
            for seat in acting:
                decision = bot.choose(Position(match.view((seat,)), seat, bot.LEVELS[0], rng))
                answers.append((decision.delay, seat, decision.move))
            _, seat, move = min(answers)
            table.move(seat, move)
    return found
