"""The shuffle proof: true shuffles pass, alone and as a batch; each forgery fails and is pinned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from tabletin.peers.sealed.deck import Cipher, context, open_cards, pack, reencrypt, unmask
from tabletin.peers.sealed.group import IDENTITY, L, PrimeGroup, Stream
from tabletin.peers.sealed.shuffle import ShuffleClaim, check, prove, shuffle

FACES = ["AS", "2S", "3S", "joker", "joker", "10H"]
CTX = context(b"m", 1, 0, 0, "shuffle")


def key_of(group: PrimeGroup, secret: int = 12345) -> bytes:
    return group.multiples(group.base, [secret])[0]


def chain(group: PrimeGroup, count: int, faces: list[str] = FACES, seed: bytes = b"chain") -> list[ShuffleClaim]:
    """`count` peers shuffle one after the other."""
    key = key_of(group)
    cards = tuple(open_cards(group, key, faces))
    claims: list[ShuffleClaim] = []
    for author in range(count):
        ctx = context(b"m", 1, 0, author, "shuffle")
        after, proof = shuffle(group, ctx, key, cards, Stream(seed, ctx, pack(cards)))
        claims.append(ShuffleClaim(ctx, key, cards, tuple(after), proof))
        cards = tuple(after)
    return claims


def faces_of(group: PrimeGroup, cards: tuple[Cipher, ...], secret: int = 12345) -> list[str]:
    shares = [[group.multiples(card.a, [secret])[0]] for card in cards]
    names = {group.card_point(face): face for face in FACES}
    return [names[point] for point in unmask(group, cards, shares)]


@pytest.mark.parametrize("size", [1, 2, 3, 17])
def test_true_shuffles_pass(group: PrimeGroup, size: int) -> None:
    claims = chain(group, 3, [f"c{i}" for i in range(size)])
    assert check(group, claims) == [True] * 3
    assert [check(group, [claim]) for claim in claims] == [[True]] * 3


def test_a_shuffle_keeps_the_cards_and_hides_their_order(group: PrimeGroup) -> None:
    claims = chain(group, 2)
    dealt = faces_of(group, claims[-1].output)
    assert sorted(dealt) == sorted(FACES)
    assert dealt != FACES
    assert not {*claims[0].input} & {*claims[0].output}


def test_nothing_to_check(standin: PrimeGroup) -> None:
    assert check(standin, []) == []


Forge = Callable[[PrimeGroup, list[Cipher], bytes], list[Cipher]]


def forge_duplicate(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    return [*after[:-1], reencrypt(group, key, [after[0]], [77])[0]]


def forge_swap(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    return [after[1], after[0], *after[2:]]


def forge_own_card(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    return [*reencrypt(group, key, open_cards(group, key, ["AS"]), [88]), *after[1:]]


def forge_halves(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    return [Cipher(after[0].a, after[1].b), Cipher(after[1].a, after[0].b), *after[2:]]


def forge_first_half(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    """Only a moved: the card can never be opened, or opens as another."""
    return [Cipher(group.sum([(1, after[0].a), (3, group.base)]), after[0].b), *after[1:]]


def forge_second_half(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    """Only b moved, by the difference of two cards: one card becomes another."""
    change = [(1, group.card_point("AS")), (-1, group.card_point("2S"))]
    return [Cipher(after[0].a, group.sum([(1, after[0].b), *change])), *after[1:]]


def forge_other_key(group: PrimeGroup, after: list[Cipher], key: bytes) -> list[Cipher]:
    """A card masked under a key of the author's, so that it alone can read it."""
    return [*reencrypt(group, key_of(group, 7), [after[0]], [5]), *after[1:]]


@pytest.mark.parametrize(
    "forge",
    [forge_duplicate, forge_swap, forge_own_card, forge_halves, forge_first_half, forge_second_half, forge_other_key],
)
def test_forged_decks_are_found(group: PrimeGroup, forge: Forge) -> None:
    """Both with the honest proof and with one made for the forged deck with the best witness there is."""
    honest = chain(group, 1)[0]
    stream = Stream(b"forger")
    order = stream.permutation(len(FACES))
    factors = stream.scalars(len(FACES))
    after = reencrypt(group, honest.key, [honest.input[j] for j in order], factors)
    forged = forge(group, after, honest.key)
    for deck in (after, forged):
        proof = prove(group, CTX, honest.key, honest.input, deck, order, factors, stream)
        claim = ShuffleClaim(CTX, honest.key, honest.input, tuple(forged), proof)
        assert check(group, [claim]) == [False]


def test_a_map_that_is_no_permutation_cannot_be_proven(group: PrimeGroup) -> None:
    """A dropped card for a duplicated one: the true factors, and an order with one index twice."""
    honest = chain(group, 1)[0]
    stream = Stream(b"no permutation")
    order = [0, 0, 2, 3, 4, 5]
    factors = stream.scalars(len(order))
    after = reencrypt(group, honest.key, [honest.input[j] for j in order], factors)
    proof = prove(group, CTX, honest.key, honest.input, after, order, factors, stream)
    claim = ShuffleClaim(CTX, honest.key, honest.input, tuple(after), proof)
    assert check(group, [claim]) == [False]


def test_proofs_for_another_deck_or_place_are_found(group: PrimeGroup) -> None:
    first, second, third = chain(group, 3)
    other = chain(group, 1, seed=b"other")[0]
    wrong = [
        replace(first, proof=second.proof),
        replace(first, proof=other.proof),
        replace(first, output=other.output),
        replace(second, input=first.input),
        replace(second, input=third.input),
        replace(first, key=key_of(group, 9)),
        replace(first, ctx=second.ctx),
        replace(first, ctx=context(b"m", 2, 0, 0, "shuffle")),
        replace(first, input=first.input[::-1]),
        replace(first, output=first.output[::-1]),
    ]
    assert check(group, [first, other]) == [True, True]
    for claim in wrong:
        assert check(group, [claim]) == [False]


def single_changes(claim: ShuffleClaim, group: PrimeGroup) -> Iterator[tuple[str, ShuffleClaim]]:
    """Every field of the proof moved by one step, every list at each place."""
    proof = claim.proof

    def points(old: bytes) -> list[bytes]:
        return [group.sum([(1, old), (1, group.base)]), group.sum([(-1, old)])]

    for field in fields(proof):
        value = getattr(proof, field.name)
        changed: list[object] = []
        if isinstance(value, int):
            changed = [(value + 1) % L, (L - value) % L, 0]
        elif isinstance(value, bytes):
            changed = [*points(value)]
        elif isinstance(value, Cipher):
            changed = [Cipher(point, value.b) for point in points(value.a)]
            changed += [Cipher(value.a, point) for point in points(value.b)]
        else:
            for at, entry in enumerate(value):
                others = points(entry) if isinstance(entry, bytes) else [(entry + 1) % L, (L - entry) % L]
                changed += [(*value[:at], other, *value[at + 1 :]) for other in others]
            changed.append(value[::-1])
            changed.append((*value[1:], value[0]))
        for new in changed:
            if new != value:
                changes: dict[str, Any] = {field.name: new}
                yield field.name, replace(claim, proof=replace(proof, **changes))


@pytest.mark.parametrize("size", [1, 4])
def test_every_field_of_the_proof_matters(group: PrimeGroup, size: int) -> None:
    claim = chain(group, 1, FACES[:size])[0]
    seen = set()
    for name, changed in single_changes(claim, group):
        assert check(group, [changed]) == [False], name
        seen.add(name)
    assert seen == {field.name for field in fields(claim.proof)}


def test_compensating_changes_across_a_batch_are_found(group: PrimeGroup) -> None:
    """Errors that would cancel in an unweighted sum: one proof's t_1 up, another's down; t_4 within one."""
    claims = chain(group, 3)

    def moved(point: bytes, by: int) -> bytes:
        return group.sum([(1, point), (by, group.base)])

    first, second, third = claims
    forged = [
        replace(first, proof=replace(first.proof, s1=(first.proof.s1 + 1) % L)),
        replace(second, proof=replace(second.proof, s1=(second.proof.s1 - 1) % L)),
        third,
    ]
    assert check(group, forged) == [False, False, True]
    forged = [
        replace(first, proof=replace(first.proof, s1=(first.proof.s1 + 1) % L, s3=(first.proof.s3 - 1) % L)),
        second,
        third,
    ]
    assert check(group, forged) == [False, True, True]
    (s_hat, *others) = first.proof.s_hat
    broken = replace(first, proof=replace(first.proof, s_hat=((s_hat + 1) % L, *others)))  # its equations hold
    wrong = replace(second, proof=replace(second.proof, s1=(second.proof.s1 + 1) % L))
    assert check(group, [broken, wrong, third]) == [False, False, True]


@pytest.mark.parametrize("guilty", range(4))
def test_the_guilty_one_of_a_batch_is_named(group: PrimeGroup, guilty: int) -> None:
    claims = chain(group, 4)
    bad = claims[guilty]
    claims[guilty] = replace(bad, proof=replace(bad.proof, s4=(bad.proof.s4 + 1) % L))
    assert check(group, claims) == [which != guilty for which in range(4)]


def test_a_batch_over_different_keys_and_sizes(group: PrimeGroup) -> None:
    claims = [*chain(group, 2), *chain(group, 1, ["x", "y"])]
    key = key_of(group, 99)
    before = tuple(open_cards(group, key, FACES))
    after, proof = shuffle(group, CTX, key, before, Stream(b"k"))
    claims.append(ShuffleClaim(CTX, key, before, tuple(after), proof))
    assert check(group, claims) == [True] * 4


def test_a_shuffle_that_masks_nothing_is_still_a_shuffle(group: PrimeGroup) -> None:
    """Factors of zero are the author's own loss: the proof holds, and the others' masks hide the cards."""
    key = key_of(group)
    before = tuple(open_cards(group, key, FACES))
    order = [5, 4, 3, 2, 1, 0]
    after = tuple(before[j] for j in order)
    proof = prove(group, CTX, key, before, after, order, [0] * 6, Stream(b"lazy"))
    assert check(group, [ShuffleClaim(CTX, key, before, after, proof)]) == [True]


def test_claims_are_named_by_all_they_say(standin: PrimeGroup) -> None:
    claim = chain(standin, 1, FACES[:2])[0]
    names = {claim.digest()}
    variants = [changed for _, changed in single_changes(claim, standin)]
    variants += [replace(claim, ctx=b"x"), replace(claim, key=IDENTITY), replace(claim, output=claim.input)]
    names |= {changed.digest() for changed in variants}
    assert len(names) == len({packed_claim(c) for c in [claim, *variants]})


def packed_claim(claim: ShuffleClaim) -> str:
    return repr(claim)
