"""Forged keys and shuffles in a running match, with real signatures: whatever a changed program makes of them, every honest peer
refuses it, holds its author guilty, and can prove so to anybody by a file.

What each forgery is worth as mathematics is tried in ``sealed/test_forgeries.py``; here it is said into a match.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Statement, canonical
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.deck import open_cards, reencrypt
from tabletin.peers.sealed.group import L, Stream
from tabletin.peers.sealed.messages import Key, ShuffleTurn, encode
from tabletin.peers.sealed.proofs import prove_key
from tabletin.peers.sealed.requests import KeyDuty, ShuffleDuty
from tabletin.peers.sealed.shuffle import shuffle
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS
from tests.support.forging import REAL, Scene, signed

# ---- keys ----

@pytest.mark.parametrize("number", [1, 2])
def test_a_rogue_key_convicts(number: int) -> None:
    """z·G minus the others' keys, so that the joint key would be z·G, with a proof of z."""
    scene = Scene(MANY_HANDS, number, KeyDuty, REAL)
    deal, z = scene.deal, 777
    group = deal.group
    rogue = group.sum([(z, group.base), *((-1, key) for key in deal.keys.values())])
    proof = prove_key(group, deal.context(0, number, "key"), z, rogue, Stream(b"rogue"))
    scene.say(encode(Key(rogue, proof)))
    scene.convicted()


# ---- shuffles ----

Change = Callable[[ShuffleTurn, DealState], ShuffleTurn]


def swapped(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    return replace(message, output=(message.output[1], message.output[0], *message.output[2:]))


def duplicated(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    assert deal.key is not None
    return replace(message, output=(*message.output[:-1], reencrypt(deal.group, deal.key, [message.output[0]], [5])[0]))


def slipped_in(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    assert deal.key is not None
    own = reencrypt(deal.group, deal.key, open_cards(deal.group, deal.key, [rules_of(MANY_HANDS)(3).deck()[-1]]), [5])[0]
    return replace(message, output=(own, *message.output[1:]))


def dropped(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    """A deck without its last card, with a proof that is true of what is left."""
    assert deal.key is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())][:-1]
    ctx = deal.context(message.step, deal_author(deal), "shuffle")
    after, proof = shuffle(deal.group, ctx, deal.key, before, Stream(b"short"))
    return replace(message, output=tuple(after), proof=proof)


def of_another_deck(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    """A true proof: of a shuffle of other cards."""
    assert deal.key is not None
    ctx = deal.context(message.step, deal_author(deal), "shuffle")
    deck = open_cards(deal.group, deal.key, ["0-0"] * len(message.output))
    after, proof = shuffle(deal.group, ctx, deal.key, deck, Stream(b"other"))
    return replace(message, output=tuple(after), proof=proof)


def replayed(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
    """The true proof of a shuffle of this very deck, made for another place in the match."""
    assert deal.key is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())]
    ctx = deal.context(message.step + 1, deal_author(deal), "shuffle")
    after, proof = shuffle(deal.group, ctx, deal.key, before, Stream(b"again"))
    return replace(message, output=tuple(after), proof=proof)


def deal_author(deal: DealState) -> int:
    """Whose turn it is to shuffle."""
    return next(peer for peer in deal.peers if any(isinstance(duty, ShuffleDuty) for duty in deal.duties(peer)))


def off_by_one(field: str) -> Change:
    def change(message: ShuffleTurn, deal: DealState) -> ShuffleTurn:
        value = getattr(message.proof, field)
        moved: Any = (value + 1) % L if isinstance(value, int) else ((value[0] + 1) % L, *value[1:])
        changed: Any = {field: moved}
        return replace(message, proof=replace(message.proof, **changed))
    change.__name__ = f"{field}_moved"
    return change


SCALARS = ("challenge", "s1", "s2", "s3", "s4", "s_hat", "s_prime")
SHUFFLES = [swapped, duplicated, slipped_in, dropped, of_another_deck, replayed, *map(off_by_one, SCALARS)]


@pytest.mark.parametrize("change", SHUFFLES, ids=lambda change: str(change.__name__))
def test_a_forged_shuffle_in_the_middle_of_the_chain_convicts(change: Change) -> None:
    """It stands in the log until the chain is complete; then every replica finds whose it was."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    scene.say(encode(change(scene.honest(), scene.deal)))
    assert scene.convicted() <= {"shuffle", "statement"}


@pytest.mark.parametrize("change", [swapped, duplicated, slipped_in, dropped, of_another_deck, replayed])
@pytest.mark.parametrize("number", [0, 2])
def test_a_forged_shuffle_first_or_last_convicts(change: Change, number: int) -> None:
    scene = Scene(MANY_HANDS, number, ShuffleDuty)
    scene.say(encode(change(scene.honest(), scene.deal)))
    assert scene.convicted() <= {"shuffle", "statement", "place"}


def test_another_authors_shuffle_said_again_convicts() -> None:
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    said = [entry.statement.body for entry in scene.net.peers[0].match.entries if entry.statement.kind == "deal"]
    before = next(body for body in reversed(said) if "sealed" in body)
    scene.send("deal", {"sealed": before["sealed"]})
    scene.convicted()


def test_two_different_valid_shuffles_of_one_deck_convict() -> None:
    """Each is right by itself, and only one of them can be placed; a peer that has both has the proof."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    deal, first = scene.deal, scene.honest()
    assert deal.key is not None and scene.cheat.peer is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())]
    after, proof = shuffle(deal.group, deal.context(first.step, 1, "shuffle"), deal.key, before, Stream(b"second"))
    second = replace(first, output=tuple(after), proof=proof)
    count = scene.cheat.peer.state.count
    statements = [signed(scene.cheat, "deal", {"sealed": b64encode(encode(message)).decode()}, count=count + number)
                  for number, message in enumerate((first, second))]
    scene.deliver([canonical({"t": "say", "s": statement.to_json()}) for statement in statements])
    assert scene.convicted() == {"twice"}


def test_one_shuffle_signed_twice_convicts_nobody() -> None:
    """A page that crashed says the same again, under another number."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    assert scene.cheat.peer is not None
    body = {"sealed": b64encode(encode(scene.honest())).decode()}
    statements = [signed(scene.cheat, "deal", body, count=scene.cheat.peer.state.count + number) for number in range(2)]
    scene.deliver([canonical({"t": "say", "s": statement.to_json()}) for statement in statements])
    scene.net.run(lambda: False, 10)
    assert not any(peer.accusations for peer in scene.net.peers)


def test_two_shuffles_convict_only_who_signed_both_of_one_deck() -> None:
    """A file that says so is judged by what is in it: two signed turns of one step, different, right behind the same entry."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    deal, first = scene.deal, scene.honest()
    assert scene.cheat.peer is not None and deal.key is not None
    match, verifier, checker = scene.cheat.peer.match, scene.net.verifier, scene.net.checker
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())]
    after, proof = shuffle(deal.group, deal.context(first.step, 1, "shuffle"), deal.key, before, Stream(b"second"))
    second = replace(first, output=tuple(after), proof=proof)

    def said(message: ShuffleTurn, kind: str = "deal", name: str = "sealed", **changes: Any) -> Statement:
        return signed(scene.cheat, kind, {name: b64encode(encode(message)).decode()}, **changes)

    def proven(one: Statement, other: Statement, culprit: str = scene.cheat.author) -> bool:
        accusation = Accusation(culprit, "twice", tuple(match.entries), (one.to_json(), other.to_json()))
        return judge(accusation, rules_of, verifier, checker) is not None

    one, two = said(first), said(second)
    assert proven(one, two) and proven(two, one)
    bystander = scene.others[0]
    assert not proven(one, two, bystander.author)
    foreign = replace(two, author=bystander.author)
    foreign = replace(foreign, signature=bystander.identity.sign(canonical(foreign.signed_fields())))
    for wrong in (one, said(first, count=one.count + 1), replace(two, signature="0" * 128), foreign, said(second, match="1" * 64),
                  said(second, head=match.entries[-2].hash), said(second, name="ahead"), said(second, kind="seat"),
                  said(replace(second, step=second.step + 1)), said(replace(second, output=second.output[:-1])),
                  signed(scene.cheat, "deal", {}), signed(scene.cheat, "deal", {"sealed": "AAAA"})):
        assert not proven(one, wrong), wrong.body
        assert not proven(wrong, one), wrong.body
    assert not proven(said(second, name="ahead"), said(first, name="ahead"))
    assert not proven(said(first, kind="seat"), said(second, kind="seat"))
