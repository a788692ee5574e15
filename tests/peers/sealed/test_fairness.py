"""Deals and rolls are uniform although one peer cheats in its randomness; few hands, fixed seeds, no chance in it."""

from __future__ import annotations

from collections import Counter

import pytest

from tabletin.peers.sealed import rolls
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.group import PrimeGroup, Stream
from tabletin.peers.sealed.messages import ShuffleTurn, encode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Mixing
from tabletin.peers.sealed.requests import Open, Roll, RollResult, Shuffle, ShuffleDuty
from tabletin.peers.sealed.rolls import roll_point, roll_result
from tabletin.peers.sealed.shuffle import prove
from tests.support.sealed_tables import Table

FACES = tuple("ABCDEF")
DECK = tuple(range(6))
HANDS = 600


class Cheat(Party):
    """Never permutes and never masks: the worst randomness there is. Its proofs hold."""

    def _shuffle(self, deal: DealState, step: int) -> ShuffleTurn:
        assert deal.key is not None
        before = next(p for p in deal.current() if isinstance(p, Mixing) and p.step == step).input
        order = list(range(len(before)))
        ctx = deal.context(step, self.peer, "shuffle")
        proof = prove(deal.group, ctx, deal.key, before, before, order, [0] * len(before), Stream(b"cheat"))
        return ShuffleTurn(step, before, proof)


def chi_square(counts: Counter[object], cells: int, total: int) -> float:
    expected = total / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + (cells - len(counts)) * expected


@pytest.mark.parametrize("cheat", [0, 1])
def test_positions_are_uniform(standin: PrimeGroup, cheat: int) -> None:
    """36 cells with 25 degrees of freedom: 52.6 is passed once in a thousand fair decks."""
    counts: Counter[object] = Counter()
    for hand in range(HANDS):
        table = Table(standin, (0, 1), seed=hand, deal=hand)
        table.parties[cheat] = Cheat(cheat, b"c" * 32)
        table.ask(Shuffle(FACES, DECK), Open(DECK)).settle()
        counts.update((handle, card.face) for handle, card in table.deal.cards.items())
    assert len(counts) == 36
    assert chi_square(counts, 36, HANDS * 6) < 52.6


def test_the_test_sees_a_bad_deck(standin: PrimeGroup) -> None:
    """With nobody shuffling the same figure goes through the roof."""
    counts: Counter[object] = Counter()
    for hand in range(30):
        table = Table(standin, (0, 1), seed=hand, deal=hand)
        table.parties = [Cheat(0, b"c" * 32), Cheat(1, b"d" * 32)]
        table.ask(Shuffle(FACES, DECK), Open(DECK)).settle()
        counts.update((handle, card.face) for handle, card in table.deal.cards.items())
    assert chi_square(counts, 36, 30 * 6) > 500


def test_rolls_are_uniform(standin: PrimeGroup) -> None:
    """Over the heads of the log, one peer's seed always the same. 5 degrees: 20.5 once in a thousand."""
    counts: Counter[object] = Counter()
    for hand in range(100):
        table = Table(standin, (0, 1), seed=hand, deal=1)
        table.parties[1] = Party(1, b"c" * 32)
        table.settle().ask(*(Roll(6, bytes([number])) for number in range(12))).settle()
        counts.update(effect.value for effect in table.effects if isinstance(effect, RollResult))
    assert set(counts) == set(range(1, 7)) and counts.total() == 1200
    assert chi_square(counts, 6, 1200) < 20.5


@pytest.mark.parametrize("sides", [1, 2, 6, 20, 100, 2**32])
def test_rolls_stay_on_the_die(group: PrimeGroup, sides: int) -> None:
    for tag in range(5):
        point = roll_point(group, b"m", 1, b"head", tag)
        assert 1 <= roll_result(group, point, [point], sides) <= sides


def test_roll_points_hang_on_everything(group: PrimeGroup) -> None:
    whats = [(b"m", 1, b"h", 0), (b"n", 1, b"h", 0), (b"m", 2, b"h", 0), (b"m", 1, b"i", 0), (b"m", 1, b"h", 1)]
    assert len({roll_point(group, *what) for what in whats}) == 5


def test_an_all_too_small_die_of_rejection_is_fair(standin: PrimeGroup) -> None:
    """Sides just over 2^63 would be biased two to one without rejection; the halves come out even."""
    sides = 2**63 + 2**62
    results = [roll_result(standin, standin.base, [n.to_bytes(32, "little")], sides) for n in range(1, 401)]
    assert 160 <= sum(result <= sides // 2 for result in results) <= 240


def test_a_roll_takes_whole_rounds_of_the_die_alone(standin: PrimeGroup, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 bits at a time; what lies behind the last whole round is drawn again, with the next counter."""
    limit = 2**64 - 6  # 2^64 is 6 more than a multiple of 10
    drawn = iter([2**64 - 1, limit, limit - 1])
    asked: list[bytes] = []

    def digest(tag: str, *fields: bytes) -> bytes:
        asked.append(fields[-1])
        return next(drawn).to_bytes(8, "big") + b"\xff" * 56

    monkeypatch.setattr(rolls, "digest", digest)
    assert roll_result(standin, standin.base, [standin.base], 10) == 10
    assert asked == [number.to_bytes(8, "big") for number in range(3)]


def test_the_cheat_is_within_the_protocol(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).settle().ask(Shuffle(FACES, DECK))
    cheat = Cheat(0, b"c" * 32)
    table.parties[0] = cheat
    message = cheat._shuffle(table.deal, 0)
    assert encode(message) == cheat.fulfil(table.deal, ShuffleDuty(0))
    pending = table.deal.requests[0]
    assert isinstance(pending, Mixing) and message.output == pending.start
