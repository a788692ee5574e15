"""What a cheat may say in a deal, and that every honest replica refuses it, unchanged, naming the cheat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tabletin.peers.sealed.ceremony import accept, ask
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.deck import Cipher, open_cards, reencrypt
from tabletin.peers.sealed.group import IDENTITY, L, PrimeGroup, Stream, decode_scalar, encode_scalar
from tabletin.peers.sealed.judging import claim_of
from tabletin.peers.sealed.messages import (
    Key,
    Leave,
    Message,
    Play,
    Remask,
    RollShare,
    Share,
    ShuffleTurn,
    decode,
    encode,
    points_of,
)
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.proofs import Proof, prove_key, prove_remask, prove_shares
from tabletin.peers.sealed.requests import (
    DealRefusal,
    Effect,
    RemaskDuty,
    Roll,
    RollDuty,
    ShareDuty,
    Show,
    Shuffle,
    ShuffleDuty,
    TakeBack,
    Void,
)
from tabletin.peers.sealed.shuffle import shuffle
from tabletin.peers.sealed.wire import MalformedMessage
from tests.support.sealed_tables import Table

FACES = ("A", "B", "C", "D", "D")
DECK = tuple(range(5))


def refused(deal: DealState, author: int, message: bytes) -> DealRefusal:
    """The refusal; asserts that nothing changed, and that a replica with no memory of verdicts says the same."""
    before = deal.copy()
    fresh = replace(before.copy(), checker=Checker(deal.group))
    verdict = accept(deal, author, message)
    assert isinstance(verdict, DealRefusal), verdict
    assert deal == before and accept(fresh, author, message) == verdict
    return verdict


def accepted(effects: list[Effect] | DealRefusal) -> list[Effect]:
    assert not isinstance(effects, DealRefusal), effects
    return effects


def owed(table: Table, peer: int) -> Message:
    return decode(table.deal.group, table.parties[peer].answer(table.deal)[0])


# Keys


def test_rogue_key(group: PrimeGroup) -> None:
    """z·G minus the others' keys, with a proof of z."""
    table = Table(group, (0, 1, 2)).settle(silent=(2,))
    z = 777
    rogue = group.sum([(z, group.base), *((-1, key) for key in table.deal.keys.values())])
    proof = prove_key(group, table.deal.context(0, 2, "key"), z, rogue, Stream(b"rogue"))
    assert refused(table.deal, 2, encode(Key(rogue, proof))) == DealRefusal("sealed.bad_key")


def test_somebody_elses_key(group: PrimeGroup) -> None:
    """Another's key with its own proof: the context names the author."""
    table = Table(group, (0, 1))
    key = table.parties[0].answer(table.deal)[0]
    assert refused(table.deal, 1, key) == DealRefusal("sealed.bad_key")
    table.say(0, key)
    assert refused(table.deal, 0, key) == DealRefusal("sealed.not_due")


def test_a_key_of_another_deal(group: PrimeGroup) -> None:
    first, second = Table(group, (0, 1)), Table(group, (0, 1), deal=2)
    assert refused(second.deal, 0, first.parties[0].answer(first.deal)[0]) == DealRefusal("sealed.bad_key")


# Shuffles

Change = Callable[[ShuffleTurn, DealState], ShuffleTurn]


def forged_last(table: Table, change: Change) -> DealRefusal:
    """Peer 1 shuffles last, honestly but for a change of the message."""
    table.settle().ask(Shuffle(FACES, DECK)).settle(silent=(1,))
    honest = owed(table, 1)
    assert isinstance(honest, ShuffleTurn)
    message = change(honest, table.deal)
    return refused(table.deal, 1, encode(message))


def swapped(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    return replace(message, output=(message.output[1], message.output[0], *message.output[2:]))


def duplicated(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    assert deal.key is not None
    twin = reencrypt(deal.group, deal.key, [message.output[0]], [5])[0]
    return replace(message, output=(*message.output[:-1], twin))


def slipped_in(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    assert deal.key is not None
    own = reencrypt(deal.group, deal.key, open_cards(deal.group, deal.key, ["A"]), [5])[0]
    return replace(message, output=(own, *message.output[1:]))


def of_the_open_deck(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    """Ignores what the peers before did: a shuffle of the deck as it was in the beginning."""
    assert deal.key is not None
    ctx = deal.context(0, 1, "shuffle")
    after, proof = shuffle(deal.group, ctx, deal.key, open_cards(deal.group, deal.key, FACES), Stream(b"x"))
    return ShuffleTurn(0, tuple(after), proof)


@pytest.mark.parametrize("change", [swapped, duplicated, slipped_in, of_the_open_deck])
def test_forged_shuffles(group: PrimeGroup, change: Change) -> None:
    assert forged_last(Table(group, (0, 1)), change) == DealRefusal("sealed.bad_shuffle", {"step": 0})


def test_a_dropped_card(group: PrimeGroup) -> None:
    """A shorter deck with its own, even valid, proof."""
    table = Table(group, (0, 1)).settle().ask(Shuffle(FACES, DECK))
    assert table.deal.key is not None
    ctx = table.deal.context(0, 0, "shuffle")
    after, proof = shuffle(group, ctx, table.deal.key, open_cards(group, table.deal.key, FACES[1:]), Stream(b"d"))
    verdict = refused(table.deal, 0, encode(ShuffleTurn(0, tuple(after), proof)))
    assert verdict == DealRefusal("sealed.count", {"cards": 4, "fresh": 5})


def test_shuffles_replayed_or_out_of_turn(group: PrimeGroup) -> None:
    table = Table(group, (0, 1)).settle().ask(Shuffle(FACES, DECK), Shuffle(FACES, (10, 11, 12, 13, 14)))
    message = table.parties[0].answer(table.deal)[0]
    assert refused(table.deal, 1, message) == DealRefusal("sealed.not_due")
    table.say(0, message)
    assert refused(table.deal, 0, message) == DealRefusal("sealed.not_due")
    said = decode(group, message)
    assert isinstance(said, ShuffleTurn)
    table.say(0, encode(replace(said, step=1)))  # judged with the chain, below
    effects = table.say(1, encode(replace(owed_step(table, 1, 1), step=1)))
    assert effects == [Void(0, "sealed.bad_shuffle", {"step": 1})]


def owed_step(table: Table, peer: int, step: int) -> ShuffleTurn:
    for data in table.parties[peer].answer(table.deal):
        message = decode(table.deal.group, data)
        if isinstance(message, ShuffleTurn) and message.step == step:
            return message
    raise AssertionError("not owed")


@pytest.mark.parametrize("guilty", [0, 1])
def test_a_bad_shuffle_early_in_the_chain_is_pinned(group: PrimeGroup, guilty: int) -> None:
    """A peer that checks on hearing it finds it at once; all find it, the same way, when the chain is complete."""
    table = Table(group, (0, 1, 2)).settle().ask(Shuffle(FACES, DECK), Show((0,), 1))
    eager = Checker(group)
    for peer in range(3):
        message = owed(table, peer)
        assert isinstance(message, ShuffleTurn)
        if peer == guilty:
            message = swapped(message, table.deal)
        claim = claim_of(table.deal, peer, message)
        assert not isinstance(claim, DealRefusal)
        assert eager.shuffles([claim]) == [peer != guilty]
        effects = table.say(peer, encode(message))
    assert effects == [Void(guilty, "sealed.bad_shuffle", {"step": 0})]
    assert table.deal.cards == {} and not any(table.deal.duties(peer) for peer in range(3))


def test_a_hand_shuffled_with_a_foreign_card(group: PrimeGroup) -> None:
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1), 1)).settle()
    table.ask(Shuffle((0, 1), (10, 11)))
    table.say(0, encode(owed(table, 0)))
    honest = owed(table, 1)
    assert isinstance(honest, ShuffleTurn)
    assert table.deal.key is not None
    foreign = reencrypt(group, table.deal.key, [table.deal.cards[2].cipher], [3])[0]
    forged = replace(honest, output=(foreign, honest.output[1]))
    assert refused(table.deal, 1, encode(forged)).key == "sealed.bad_shuffle"
    assert refused(table.deal, 0, encode(honest)).key == "sealed.not_due"


# Shares, plays, remasks, rolls


def test_wrong_shares(group: PrimeGroup) -> None:
    """Of a wrong secret, of another card, in another order, in another's name, for more than is asked, and again."""
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK)).settle().ask(Show((0, 1), 1))
    deal = table.deal
    honest = owed(table, 0)
    assert isinstance(honest, Share)
    ctx = deal.context(0, 0, "share")
    points = [deal.cards[handle].cipher.a for handle in (0, 1)]
    secret = table.parties[0]._secret(deal)

    def proven(shares: list[bytes], with_secret: int) -> Share:
        proof = prove_shares(group, ctx, with_secret, deal.keys[0], points, shares, Stream(b"w"))
        return Share((0, 1), tuple(shares), proof)

    elsewhere = [group.multiples(deal.cards[handle].cipher.a, [secret])[0] for handle in (2, 1)]
    wrong = [
        proven([group.multiples(point, [99])[0] for point in points], 99),
        proven(elsewhere, secret),
        replace(honest, shares=honest.shares[::-1]),
        replace(honest, proof=owed_proof_of_roll(table)),
    ]
    for message in wrong:
        assert refused(deal, 0, encode(message)) == DealRefusal("sealed.bad_share")
    assert refused(deal, 0, encode(replace(honest, handles=(0, 2)))) == DealRefusal("sealed.not_due")
    assert refused(deal, 0, encode(replace(honest, handles=(0, 99)))) == DealRefusal("sealed.not_due")
    assert refused(deal, 1, encode(honest)) == DealRefusal("sealed.not_due")
    assert refused(deal, 7, encode(honest)) == DealRefusal("sealed.stranger", {"peer": 7})
    table.say(0, encode(honest))
    assert refused(deal, 0, encode(honest)) == DealRefusal("sealed.not_due")


def owed_proof_of_roll(table: Table) -> Proof:
    """A true proof of the same secret for another purpose."""
    deal = table.deal.copy()
    ask(deal, Roll(6, b"h"))
    for data in table.parties[0].answer(deal):
        message = decode(deal.group, data)
        if isinstance(message, RollShare):
            return message.proof
    raise AssertionError("no roll")


def test_false_faces(group: PrimeGroup) -> None:
    """A true share with another face, another's card, a sealed card, a card played twice."""
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1), 1), Show((2,), 0)).settle()
    honest = decode(group, table.parties[1].play(table.deal, (0,)))
    assert isinstance(honest, Play)
    for face in {*FACES, "Z"} - set(honest.faces):
        verdict = refused(table.deal, 1, encode(replace(honest, faces=(face,))))
        assert verdict == DealRefusal("sealed.false_face", {"handle": 0})
    for handle in (2, 3, 99):
        assert refused(table.deal, 1, encode(replace(honest, handles=(handle,)))).key == "sealed.not_in_hand"
    assert refused(table.deal, 1, encode(replace(honest, handles=(1,)))) == DealRefusal("sealed.bad_share")
    assert refused(table.deal, 0, encode(honest)).key == "sealed.not_in_hand"
    table.say(1, encode(honest))
    assert refused(table.deal, 1, encode(honest)).key == "sealed.not_in_hand"


def test_a_card_that_is_asked_for_cannot_be_played_at_the_same_time(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 1)).settle()
    play = table.parties[1].play(table.deal, (0,))
    table.ask(TakeBack((0,)))
    assert refused(table.deal, 1, play).key == "sealed.not_in_hand"


def test_false_remasks(group: PrimeGroup) -> None:
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1), 1)).settle().ask(TakeBack((0,)))
    honest = owed(table, 1)
    assert isinstance(honest, Remask)
    old = table.deal.cards[0].cipher
    other = table.deal.cards[1].cipher
    moved = group.sum([(1, honest.output[0].b), (1, group.base)])
    for after in (old, other, Cipher(honest.output[0].a, moved), Cipher(honest.output[0].b, honest.output[0].a)):
        assert refused(table.deal, 1, encode(replace(honest, output=(after,)))) == DealRefusal("sealed.bad_remask")
    assert table.deal.key is not None
    ctx = table.deal.context(0, 1, "remask")
    unchanged = prove_remask(group, ctx, table.deal.key, [old], [old], [0], Stream(b"r"))
    assert refused(table.deal, 1, encode(Remask((0,), (old,), unchanged))) == DealRefusal("sealed.bad_remask")
    assert refused(table.deal, 1, encode(replace(honest, handles=(1,)))) == DealRefusal("sealed.not_due")
    assert refused(table.deal, 0, encode(honest)) == DealRefusal("sealed.not_due")
    table.say(1, encode(honest))
    assert refused(table.deal, 1, encode(honest)) == DealRefusal("sealed.not_due")


def test_false_roll_shares(group: PrimeGroup) -> None:
    table = Table(group, (0, 1)).settle().ask(Roll(6, b"one"), Roll(6, b"one"))
    first, second = (decode(group, data) for data in table.parties[0].answer(table.deal))
    assert isinstance(first, RollShare) and isinstance(second, RollShare) and first.share != second.share
    assert refused(table.deal, 0, encode(replace(first, step=1))) == DealRefusal("sealed.bad_share")
    assert refused(table.deal, 0, encode(replace(first, share=second.share))) == DealRefusal("sealed.bad_share")
    assert refused(table.deal, 1, encode(first)) == DealRefusal("sealed.bad_share")
    assert refused(table.deal, 0, encode(replace(first, step=2))) == DealRefusal("sealed.not_due")
    table.say(0, encode(first))
    assert refused(table.deal, 0, encode(first)) == DealRefusal("sealed.not_due")


def test_false_leaves(group: PrimeGroup) -> None:
    table = Table(group, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0,), 1), Show((1,), 0)).settle()
    honest = decode(group, table.parties[0].leave(table.deal))
    assert isinstance(honest, Leave) and honest.handles == (2, 3, 4)
    swapped_shares = replace(honest, shares=(honest.shares[1], honest.shares[0], honest.shares[2]))
    assert refused(table.deal, 0, encode(swapped_shares)) == DealRefusal("sealed.bad_share")
    fewer = Leave(honest.handles[:2], honest.shares[:2], honest.proof)
    assert refused(table.deal, 0, encode(fewer)) == DealRefusal("sealed.not_due")
    assert refused(table.deal, 1, encode(honest)) == DealRefusal("sealed.bad_share")
    assert refused(table.deal, 2, encode(honest)) == DealRefusal("sealed.bad_share")


def test_a_leave_with_nothing_to_share_has_the_empty_proof(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).settle()
    verdict = refused(table.deal, 0, b"\x07\x00" + bytes(63) + b"\x01")
    assert verdict == DealRefusal("sealed.malformed", {"what": "proof of nothing"})
    assert accepted(accept(table.deal, 0, b"\x07\x00" + bytes(64)))


def test_a_card_that_is_to_be_masked_is_not_shared_and_one_that_is_to_be_shared_not_masked(standin: PrimeGroup) -> None:
    """Each message is held against the cards that are due for it, and for nothing else."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 1)).settle().ask(TakeBack((0,)), Show((1,), 0))
    deal, party = table.deal, table.parties[1]
    assert deal.duties(1) == [ShareDuty((1,)), RemaskDuty((0,))]
    shares, proof = party._shares(deal, "share", (0,))
    assert refused(deal, 1, encode(Share((0,), shares, proof))) == DealRefusal("sealed.not_due")
    assert refused(deal, 1, encode(party._remask(deal, (1,)))) == DealRefusal("sealed.not_due")
    both, proof = party._shares(deal, "share", (0, 1))
    assert refused(deal, 1, encode(Share((0, 1), both, proof))) == DealRefusal("sealed.not_due")


def test_a_share_and_a_mask_out_of_turn_are_refused_while_others_shuffle_and_roll(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 0)).settle()
    table.ask(Roll(6, b"h"), Shuffle((1, 2), (11, 12)))
    deal = table.deal
    assert {type(duty) for duty in deal.duties(0)} == {RollDuty, ShuffleDuty}
    shares, proof = table.parties[0]._shares(deal, "share", (3,))
    assert refused(deal, 0, encode(Share((3,), shares, proof))) == DealRefusal("sealed.not_due")
    assert refused(deal, 0, encode(table.parties[0]._remask(deal, (0,)))) == DealRefusal("sealed.not_due")
    said = next(message for message in (decode(standin, data) for data in table.parties[0].answer(deal))
                if isinstance(message, ShuffleTurn))
    assert refused(deal, 0, encode(replace(said, step=2))) == DealRefusal("sealed.not_due"), "that is the roll"


def test_nothing_but_keys_is_taken_before_all_keys_are_there(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK)).settle(silent=(1,))
    for message in (RollShare(0, standin.base, Proof(1, 1)), Share((0,), (standin.base,), Proof(1, 1)),
                    Leave((), (), Proof(0, 0))):
        assert refused(table.deal, 0, encode(message)) == DealRefusal("sealed.too_early")


def test_no_card_of_a_mask_may_stay_as_it_was(standin: PrimeGroup) -> None:
    """The shares before it would stay good for it; one of two is enough to refuse."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1), 1)).settle().ask(TakeBack((0, 1)))
    deal = table.deal
    assert deal.key is not None
    before = [deal.cards[handle].cipher for handle in (0, 1)]
    for factors in ([0, 5], [5, 0], [0, 0]):
        after = reencrypt(standin, deal.key, before, factors)
        proof = prove_remask(standin, deal.context(0, 1, "remask"), deal.key, before, after, factors, Stream(b"r"))
        assert refused(deal, 1, encode(Remask((0, 1), tuple(after), proof))) == DealRefusal("sealed.bad_remask")
    after = reencrypt(standin, deal.key, before, [5, 6])
    proof = prove_remask(standin, deal.context(0, 1, "remask"), deal.key, before, after, [5, 6], Stream(b"r"))
    assert accepted(accept(deal, 1, encode(Remask((0, 1), tuple(after), proof))))


# Bytes


def one_of_each(group: PrimeGroup) -> list[tuple[DealState, int, bytes]]:
    """A true message of every kind, with the deal and the author it is true for."""
    table = Table(group, (0, 1, 2))
    found = [(table.deal.copy(), 1, table.parties[1].answer(table.deal)[0])]
    table.settle().ask(Shuffle(FACES[:3], (0, 1, 2))).settle(silent=(2,))
    found.append((table.deal.copy(), 2, table.parties[2].answer(table.deal)[0]))
    table.settle().ask(Show((0, 1), 0))
    found.append((table.deal.copy(), 1, table.parties[1].answer(table.deal)[0]))
    table.settle()
    found.append((table.deal.copy(), 0, table.parties[0].play(table.deal, (0, 1))))
    found.append((table.deal.copy(), 2, table.parties[2].leave(table.deal)))
    table.ask(TakeBack((0, 1)))
    found.append((table.deal.copy(), 0, table.parties[0].answer(table.deal)[0]))
    table.settle().ask(Roll(6, b"head"))
    found.append((table.deal.copy(), 1, table.parties[1].answer(table.deal)[0]))
    assert len({message[0] for _, _, message in found}) == 7
    return found


def test_every_byte_of_every_message_matters(standin: PrimeGroup) -> None:
    """Each byte changed in three ways, each message cut and prolonged: refused, every time, and nothing changed."""
    for deal, author, message in one_of_each(standin):
        assert not isinstance(accept(deal.copy(), author, message), DealRefusal)
        for at in range(len(message)):
            for mask in (0x01, 0x80, 0xFF):
                forged = bytearray(message)
                forged[at] ^= mask
                refused(deal, author, bytes(forged))
        for damaged in (message[:-1], message + b"\0", message[1:], b"", message[:1]):
            refused(deal, author, damaged)


def test_a_byte_of_each_word_of_every_message_matters_in_the_real_group(sodium: PrimeGroup) -> None:
    for deal, author, message in one_of_each(sodium):
        assert not isinstance(accept(deal.copy(), author, message), DealRefusal)
        for at in range(0, len(message), 29):
            forged = bytearray(message)
            forged[at] ^= 0x04
            refused(deal, author, bytes(forged))


def test_other_encodings_of_the_same_values_are_refused(sodium: PrimeGroup) -> None:
    """s + L for every scalar, the top bit and the identity for every point: malformed before anything is computed."""
    for deal, author, message in one_of_each(sodium):
        words = 0
        for at in range(len(message) - 31):
            word = message[at : at + 32]
            is_scalar = word in {encode_scalar(value) for value in scalars_of(decode(sodium, message))}
            if is_scalar and int.from_bytes(word, "little") + L < 2**256:
                larger = (decode_scalar(word) + L).to_bytes(32, "little")
                forged = message[:at] + larger + message[at + 32 :]
                assert refused(deal, author, forged) == DealRefusal("sealed.malformed", {"what": "scalar"})
                words += 1
            elif word in points_of(decode(sodium, message)):
                for other in (word[:31] + bytes([word[31] | 0x80]), IDENTITY):
                    forged = message[:at] + other + message[at + 32 :]
                    assert refused(deal, author, forged) == DealRefusal("sealed.malformed", {"what": "point"})
                words += 1
        assert words >= 3


def scalars_of(message: Message) -> set[int]:
    if isinstance(message, ShuffleTurn):
        proof = message.proof
        return {proof.challenge, proof.s1, proof.s2, proof.s3, proof.s4, *proof.s_hat, *proof.s_prime}
    return set(message.proof)


def test_a_shuffle_has_cards_and_a_number_that_a_deal_can_have(standin: PrimeGroup) -> None:
    """As every other message, it is about something."""
    rest = standin.base * 4 + encode_scalar(1) * 5
    with pytest.raises(MalformedMessage, match="no cards"):
        decode(standin, b"\x02\x00\x00" + rest)
    said = RollShare(2**32, standin.base, Proof(1, 1))
    assert decode(standin, encode(said)) == said
    with pytest.raises(MalformedMessage, match="number too large"):
        decode(standin, encode(replace(said, step=2**32 + 1)))


def test_ones_own_points_are_not_looked_at_again(standin: PrimeGroup) -> None:
    """What one's own program signed; of everybody else each point is."""
    for message in (Key(IDENTITY, Proof(1, 1)), Share((0,), (IDENTITY,), Proof(1, 1)), RollShare(0, IDENTITY, Proof(1, 1)),
                    Play((0,), ("A",), (IDENTITY,), Proof(1, 1)), Remask((0,), (Cipher(standin.base, IDENTITY),), Proof(1, 1)),
                    Leave((0,), (IDENTITY,), Proof(1, 1))):
        assert decode(standin, encode(message), own=True) == message
        with pytest.raises(MalformedMessage, match="point"):
            decode(standin, encode(message))
    with pytest.raises(MalformedMessage, match="too long"):
        decode(standin, encode(Key(standin.base, Proof(1, 1))) + b"\0")
