"""What sealed dealing costs one peer, timed: ``bench/sealed.py`` runs it under CPython, ``bench/sealed_browser.py`` in a worker.

Deals whole decks through the real ceremony, every card shown to one seat, and times peer 0 alone: own work, checking the
others, bytes in the log. Times are told in milliseconds and in multiples of one scalar multiplication timed in the same
run, the least of three times each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from tabletin.peers.sealed import requests as sealed
from tabletin.peers.sealed.ceremony import accept, ask
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.group import PrimeGroup, hash_to_scalars
from tabletin.peers.sealed.judging import claim_of
from tabletin.peers.sealed.messages import ShuffleTurn, decode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Checker

Clock = Callable[[], float]
"""Seconds."""

GOALS = {"2 × 54": (68, 65, 23), "4 × 66": (65, 213, 58), "6 × 123": (136, 647, 158), "10 × 91": (93, 926, 210)}
"""The most it may take: ms of own work, ms of checking the others, kB; a prototype's, in Chromium on two busy cores."""

DEALS = ((2, 54), (4, 66), (6, 123), (10, 91), (10, 246))
QUICK = DEALS[:2]
TIMES = 3


@dataclass(frozen=True)
class Cost:
    """Seconds of peer 0's own work and of its checking the others, and bytes said by all."""

    name: str
    own: float
    checking: float
    size: int


def deal(group: PrimeGroup, clock: Clock, peers: int, cards: int) -> Cost:
    """Keys, shuffles, and every card dealt to one of the seats."""
    table = DealState(Checker(group), bytes(32), 1, tuple(range(peers)))
    faces = tuple(f"face{number}" for number in range(cards))
    shows = [sealed.Show(tuple(range(seat, cards, peers)), seat) for seat in range(peers)]
    return drive(clock, table, [sealed.Shuffle(faces, tuple(range(cards))), *shows], f"{peers} × {cards}")


def reshuffle(group: PrimeGroup, clock: Clock, peers: int, cards: int) -> Cost:
    """The discard pile, open, in the middle of a hand."""
    table = DealState(Checker(group), bytes(32), 1, tuple(range(peers)))
    drive(clock, table, [], "keys")
    faces = tuple(f"face{number}" for number in range(cards))
    return drive(clock, table, [sealed.Shuffle(faces, tuple(range(cards)))], f"{peers} × reshuffle of {cards}")


def drive(clock: Clock, table: DealState, requests: list[sealed.Request], name: str) -> Cost:
    """Everybody says what it owes. Peer 0 checks the shuffles of all the others in one batch at the end."""
    parties = [Party(peer, bytes([peer]) * 32) for peer in table.peers]
    own = checking = 0.0
    size = 0
    for request in requests:
        assert not isinstance(ask(table, request), sealed.DealRefusal)
    spoke = True
    while spoke:
        spoke = False
        for party in parties:
            for duty in table.duties(party.peer):
                spoke = True
                start = clock()
                message = party.fulfil(table, duty)
                made = clock()
                if party.peer == 0:
                    own += made - start
                    trust_own(table, message)
                start = clock()
                assert not isinstance(accept(table, party.peer, message), sealed.DealRefusal)
                if party.peer != 0:
                    checking += clock() - start
                size += len(message)
    return Cost(name, own, checking, size)


def trust_own(table: DealState, message: bytes) -> None:
    """Peer 0 need not check itself: its verdicts are in, as they are after it made a shuffle."""
    said = decode(table.group, message)
    if isinstance(said, ShuffleTurn):
        claim = claim_of(table, 0, said)
        assert not isinstance(claim, sealed.DealRefusal)
        table.checker.trust(claim)


def one_multiplication(group: PrimeGroup, clock: Clock) -> float:
    """Seconds for one point times one scalar, from 200 in a batch."""
    point = group.card_point("A")
    scalars = hash_to_scalars(200, "bench", b"scalars")
    start = clock()
    group.multiples(point, scalars)
    return (clock() - start) / len(scalars)


def row(group: PrimeGroup, clock: Clock, work: Callable[[], Cost]) -> str:
    """A line of the table: the least of three times of everything, since a busy machine only ever adds."""
    units = [one_multiplication(group, clock)]
    costs: list[Cost] = []
    for _ in range(TIMES):
        costs.append(work())
        units.append(one_multiplication(group, clock))
    unit = min(units)
    cost = replace(costs[0], own=min(c.own for c in costs), checking=min(c.checking for c in costs))
    own, checking, size = (f" (goal {most})" for most in GOALS[cost.name]) if cost.name in GOALS else ("", "", "")
    return (
        f"| {cost.name} | {cost.own * 1e3:.0f} ms{own} | {cost.own / unit:.0f} | {cost.checking * 1e3:.0f} ms{checking} "
        f"| {cost.checking / unit:.0f} | {cost.size / 1000:.1f} kB{size} | {unit * 1e6:.0f} µs |"
    )


def run(group: PrimeGroup, clock: Clock, deals: tuple[tuple[int, int], ...] = DEALS) -> str:
    """The table as text, after a small deal to warm up."""
    group.generators(256)
    deal(group, clock, 2, 20)
    lines = [
        "| players × cards | own work | × | checking the others | × | log | one multiplication (×) |",
        "|---|---|---|---|---|---|---|",
    ]
    for peers, cards in deals:
        lines.append(row(group, clock, partial(deal, group, clock, peers, cards)))
    lines.append(row(group, clock, partial(reshuffle, group, clock, 4, 80)))
    return "\n".join(lines)
