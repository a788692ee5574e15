"""What may be multiplied by the browser's own module: the randomness of shuffles, and nothing that would tell a key."""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.peers.sealed.group import L, Term
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.handover import offer, unwrap
from tabletin.peers.sealed.requests import Open, Request, Roll, Show, Shuffle, ShuffleDuty, TakeBack
from tests.support.sealed_tables import Table

DECK = (0, 1, 2, 3)


class Listening(SodiumGroup):
    """The real group; notes what it is asked to multiply as ephemeral."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[int] = []

    def combine_ephemeral(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        self.heard += [scalar % L for row in rows for scalar, _ in row]
        return super().combine_ephemeral(rows)


def test_only_shuffles_are_ephemeral_and_no_key_is_among_them() -> None:
    """A remask is not: who knew its r could turn the shares before it into shares of the card behind it."""
    group = Listening()
    table = Table(group, (0, 1))
    said: dict[type, int] = {}
    scalars: list[int] = []
    first: list[Request] = [Shuffle(tuple("ABCD"), DECK), Show((0, 1), 0)]
    second: list[Request] = [Shuffle((0,), (9,)), Show((9,), 0)]
    third: list[Request] = [TakeBack((1,)), Show((1,), 1), Roll(6, b"head"), Open((2,))]
    for requests in (first, second, third):
        table.ask(*requests)
        while any(table.deal.duties(peer) for peer in (0, 1)):
            for party in table.parties:
                for duty in table.deal.duties(party.peer):
                    message = party.fulfil(table.deal, duty)
                    said[type(duty)] = said.get(type(duty), 0) + len(group.heard)
                    scalars += group.heard
                    group.heard.clear()
                    table.say(party.peer, message)
    assert sorted(kind.__name__ for kind in said) == ["KeyDuty", "RemaskDuty", "RollDuty", "ShareDuty", "ShuffleDuty"]
    assert {kind for kind, count in said.items() if count} == {ShuffleDuty}
    one, other = table.parties
    one.play(table.deal, (9,))
    wrapped = one.hand_over(table.deal, offer(group, 5))
    unwrap(group, table.deal.context(0, 0, "handover"), 5, wrapped)
    other.read(table.deal, (1,))
    other.leave(table.deal)
    assert group.heard == []
    both_signs = group.multiples(group.base, [*scalars, *(-scalar for scalar in scalars)])
    assert len(scalars) > 100 and not set(table.deal.keys.values()) & set(both_signs)
