"""A busy match in which one client plays two honest parts: each of the others hears one half of it, and none of the other side.

Each half is an honest replica with the cheat's key, its secret and its log of the moment in which the network parted. So neither
half does anything wrong beside those that it plays with; only both together do. Later all hear each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from tabletin.kernel.match import Match
from tabletin.peers.replication.ballot_numbers import BallotNumbers
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support import busy_match
from tests.support.busy_match import BusyMatch
from tests.support.peer_sim import Node
from tests.support.standin_group import StandInGroup

AHEAD: Final = 10_000  # counters by which the second half goes on further, so that none is used twice
HAPPENS: Final = 0.5  # how often something happens
WANTS: Final = 0.4  # how often those of one side want somebody of the other side gone


class LeadingNumbers(BallotNumbers):
    """Those of a device that leaves out ``ahead`` numbers before each ballot that it begins."""

    def __init__(self, ahead: int) -> None:
        super().__init__()
        self._ahead = ahead

    def highest(self, voter: str) -> int:
        return super().highest(voter) + self._ahead


class SplitWorld(BusyMatch):
    """``halves``: the cheat, once and then twice. ``sides``: 0 or 1 by node, with which half it plays."""

    def __init__(self, game: str, seed: int, options: dict[str, Any]) -> None:
        super().__init__(game, seed, options, is_altered=False, peers=4 if seed % 5 == 2 else 3)
        self.seed = seed
        rng, net = self.rng, self.net
        players = net.nodes[:len(net.setup.authors)]
        self.halves = [rng.choice(players)]
        self.honest = [node for node in net.nodes if node not in self.halves]
        others = [node for node in players if node not in self.halves]
        rng.shuffle(others)
        first = rng.randrange(1, len(others))
        self.sides = {node: int(number >= first) for number, node in enumerate(others)}
        self.sides |= {node: rng.randrange(2) for node in self.honest if node not in players}
        self.is_split = False
        self.after = rng.choice(("side", "side", "nobody", "all"))  # whom the halves hear after all
        self.ahead = rng.choice((0, 0, 1, 50))  # by how many ballots the second half is further with each one that it begins
        net.flush = self._flush_by_side  # type: ignore[method-assign]

    @property
    def cheats(self) -> str:
        """The author."""
        return self.halves[0].author

    def _hears(self, one: Node, other: Node) -> bool:
        if one.author == other.author or len(self.halves) == 1:
            return one is not other
        is_half = one in self.halves or other in self.halves
        if self.is_split or (is_half and self.after == "side"):
            return self.sides[one] == self.sides[other]
        return True

    def _flush_by_side(self, node: Node) -> None:
        if node.peer is None:
            return
        output = node.peer.take()
        node.disk.store(output)
        for to, data in output.messages:
            for other in self.net.nodes:
                if to in (None, other.author) and other.author != node.author and self._hears(node, other):
                    self.net._send(node.author, other, data)

    def _act_seldom(self, node: Node) -> None:
        if node in self.halves and node.peer is not None:
            node.peer.state.accusations.clear()  # its own program stops for nothing
            if node in self.halves[1:] and not isinstance(node.peer._ballots._numbers, LeadingNumbers):
                node.peer._ballots._numbers = LeadingNumbers(self.ahead)
        super()._act_seldom(node)

    # ---- what happens ----

    def split(self) -> None:
        """From now on there are two halves, and nobody hears anybody of the other side."""
        net, (one,) = self.net, self.halves
        other = type(one)(net, net.nodes.index(one), one.identity)
        other.disk = replace(one.disk, entries=list(one.disk.entries), dead=list(one.disk.dead), count=one.disk.count + AHEAD)
        other.start(net.genesis)
        net.nodes.append(other)
        net.later(self.rng.random() / 2, net._ticker(other))
        self.halves.append(other)
        self.sides |= {one: 0, other: 1}
        self.is_split = True

    def join(self) -> None:
        """From now on all that are honest hear each other, and nobody wants anything."""
        self.is_split = False
        self.quieten()
        if self.after == "nobody":
            for node in self.halves:
                node.peer = None

    def live_through(self, seconds: float) -> Iterator[None]:
        """Let so much time pass, as one thing after another happens; something may be checked after each."""
        end, rng, net = self.net.now + seconds, self.rng, self.net
        while net.now < end:
            net.run(lambda: False, rng.uniform(0.5, 5))
            number = rng.randrange(2)
            side = self._side(number) if self.is_split else list(net.nodes)
            if rng.random() < HAPPENS:
                self._let(rng.choice(side), rng.choice(ACTS), side)
            if self.is_split and rng.random() < WANTS:
                self._want_gone(side, rng.choice([node for node in self._side(1 - number) if node not in self.halves]))
            yield

    def _side(self, number: int) -> list[Node]:
        return [node for node in self.net.nodes if self.sides.get(node, number) == number]

    def _let(self, node: Node, act: busy_match.Act, side: list[Node]) -> None:
        """Let something happen to ``node``, of which only its ``side`` knows. A half stays what it is: it goes at most."""
        if node in self.halves and act not in OF_HALVES:
            return
        nodes, honest = self.net.nodes, self.honest
        self.net.nodes, self.honest = side, side
        self._do(node, act)
        self.net.nodes, self.honest = nodes, honest

    def _want_gone(self, side: list[Node], gone: Node) -> None:
        for node in side:
            if node.peer is not None:
                node.peer.choices.removals.add(gone.author)

    # ---- what must hold ----

    def check(self) -> None:
        """Nobody honest is accused, and every accusation is proven by its file alone."""
        for node in self.honest:
            state = None if node.peer is None else node.peer.state
            for accusation in () if state is None else (*state.accusations, *state.idle_accusations):
                assert accusation.culprit == self.cheats, f"somebody innocent is accused: {accusation.why}"
                again = Accusation.from_text(accusation.to_text())
                assert judge(again, rules_of, self.net.verifier, Checker(StandInGroup())) is not None, accusation.why

    @property
    def has_come_to_rest(self) -> bool:
        """Whether all honest ones who go on are in one log; and if somebody holds another one, they go on without the cheat."""
        peers = [node.peer for node in self.honest if node.peer is not None]
        going_on = [peer for peer in peers if not peer.state.is_stopped]
        if any(are_apart(one, other) for one, other in combinations(going_on, 2)):
            return False
        return not any(self.cheats in one.live and are_apart(one, other) for one in going_on for other in peers)

    @property
    def is_one_stopped_alone(self) -> bool:
        """Whether one honest player is stopped, and another one who holds the same log is not."""
        players = [node.peer for node in self.honest if node.peer is not None and node.peer.takes_part]
        return any(one.state.is_stopped != other.state.is_stopped and not are_apart(one, other)
                   for one, other in combinations(players, 2))

    def describe(self) -> str:
        rows = [f"{self.seed}: {len(self.net.setup.authors)} devices, the halves hear {self.after}, ahead {self.ahead}"]
        for node in self.net.nodes:
            if node.peer is not None:
                state, match = node.peer.state, node.peer.match
                why = [(one.why, len(one.prefix)) for one in state.accusations]
                idle = [(one.why, len(one.prefix)) for one in state.idle_accusations]
                said = [(entry.index, entry.statement.kind, entry.statement.author[:4], entry.statement.body.get("epoch"),
                         str(entry.statement.body.get("peer"))[:4])
                        for entry in match.entries if entry.statement.kind in ("gone", "pass", "leave", "device")]
                rows.append(f"  {node.author[:4]} {'half' if node in self.halves else 'honest'} of side {self.sides.get(node)} "
                            f"{len(match.entries)} {match.head[:6]} live={[author[:4] for author in state.live]} "
                            f"stopped={state.is_stopped} over={match.outcome is not None} {why} {idle} {said}")
        return "\n".join(rows)


def are_apart(one: Replica, other: Replica) -> bool:
    """Whether neither log contains the other."""
    short, long = sorted((one.match, other.match), key=lambda match: len(match.entries))
    return not contains(long, short)


def contains(long: Match, short: Match) -> bool:
    return long.entries[len(short.entries) - 1].hash == short.head


ACTS: Final = (*busy_match.ACTS[:-1], busy_match.hand_order_on, busy_match.leave)
OF_HALVES: Final = (busy_match.want_gone, busy_match.want_timeout, busy_match.take_back, busy_match.consent, busy_match.leave,
                    busy_match.say_who_plays, busy_match.hand_order_on)
