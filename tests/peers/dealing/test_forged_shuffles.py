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
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.deck import open_cards, reencrypt
from tabletin.peers.sealed.group import L, Stream
from tabletin.peers.sealed.messages import Key, RollShare, ShuffleTurn, encode
from tabletin.peers.sealed.proofs import Proof, prove_key
from tabletin.peers.sealed.requests import KeyDuty, ShuffleDuty
from tabletin.peers.sealed.shuffle import shuffle
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS
from tests.support.forging import REAL, Scene, put, signed
from tests.support.peer_sim import Node

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


def test_two_shuffles_are_told_apart_from_all_that_only_looks_like_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the log would take: two turns in one shuffle, of one author, behind one entry, which differ."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    first = scene.honest()
    assert scene.cheat.peer is not None
    match, bystander = scene.cheat.peer.match, scene.others[0]
    second = replace(first, proof=replace(first.proof, s1=first.proof.s1 + 1))
    refusals: dict[str, Refusal] = {}
    monkeypatch.setattr(match, "refusal_at", lambda index, statement: refusals.get(statement.hash))

    def said(message: Any, kind: str = "deal", name: str = "sealed", node: Node = scene.cheat, **changes: Any) -> Statement:
        return signed(node, kind, {name: b64encode(encode(message)).decode()}, **changes)

    def of(one: Statement, other: Statement) -> Accusation | None:
        return Accusation.of_two_shuffles(match, one, other)

    one, two = said(first), said(second)
    found = of(one, two)
    assert found is not None and (found.culprit, found.why) == (scene.cheat.author, "twice")
    assert found.prefix == tuple(match.entries) and found.exhibits == (one.to_json(), two.to_json())
    key = Key(first.output[0].a, Proof(1, 1))
    rolls = [RollShare(0, first.output[at].a, Proof(1, 1)) for at in range(2)]
    earlier = match.entries[-2].hash
    for pair in ((one, one), (one, said(second, node=bystander)), (one, said(second, head=earlier)),
                 (one, said(second, name="ahead")), (one, said(second, kind="seat")), (said(first, kind="seat"), two),
                 (said(first, kind="seat"), said(second, kind="seat")), (one, said(replace(second, step=first.step + 1))),
                 (one, said(key)), (said(key), said(replace(key, proof=Proof(2, 1)))), (said(rolls[0]), said(rolls[1])),
                 (signed(scene.cheat, "deal", {"sealed": "AAAA"}), signed(scene.cheat, "deal", {"sealed": "AAAB"})),
                 (signed(scene.cheat, "deal", {"sealed": "?"}), two), (signed(scene.cheat, "deal", {}), two)):
        assert of(*pair) is None
        assert of(*pair[::-1]) is None
    assert of(said(first, head="1" * 64), said(second, head="1" * 64)) is None
    early = [said(message, name="ahead") for message in (first, second)]
    assert of(early[0], early[1]) is not None
    for refused in (one, two):
        refusals = {refused.hash: Refusal("sealed.not_due")}
        assert of(one, two) is None


def test_the_log_is_searched_for_the_other_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also behind another message that its author gave the same head."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    first = scene.honest()
    assert scene.cheat.peer is not None
    match = scene.cheat.peer.match
    monkeypatch.setattr(match, "refusal_at", lambda index, statement: None)
    second = replace(first, proof=replace(first.proof, s1=first.proof.s1 + 1))
    head = match.head
    texts = [b64encode(encode(message)).decode() for message in (Key(first.output[0].a, Proof(1, 1)), first, second)]
    key, one, two = (signed(scene.cheat, "deal", {"sealed": text}, head=head) for text in texts)
    assert Accusation.of_second_shuffle(match, two) is None
    length = len(match.entries)
    try:
        for statement in (key, one):
            match.entries.append(put(scene.cheat, statement))
        found = Accusation.of_second_shuffle(match, two)
        assert found is not None and found.exhibits == (one.to_json(), two.to_json()) and len(found.prefix) == length
        assert Accusation.of_second_shuffle(match, one) is None, "it is the same one"
        assert Accusation.of_second_shuffle(match, replace(two, head="1" * 64)) is None
    finally:
        del match.entries[length:]


def test_an_old_shuffle_is_compared_with_one_other_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names one entry in all that it says of the dealing would have each of that read, as often as it likes."""
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    first = scene.honest()
    assert scene.cheat.peer is not None
    match, compared = scene.cheat.peer.match, []
    monkeypatch.setattr(match, "refusal_at", lambda index, statement: compared.append(statement))
    head, length = match.head, len(match.entries)
    others = [replace(first, proof=replace(first.proof, s1=first.proof.s1 + number)) for number in range(9)]
    said = [signed(scene.cheat, "deal", {"sealed": b64encode(encode(one)).decode()}, head=head) for one in others]
    try:
        for statement in said[:-1]:
            match.entries.append(put(scene.cheat, statement))
        found = Accusation.of_second_shuffle(match, said[-1])
        assert found is not None and compared == [said[0], said[-1]]
        compared.clear()
        assert Accusation.of_second_shuffle(match, replace(said[0], count=99)) is None and not compared, "the same one again"
    finally:
        del match.entries[length:]


def test_two_shuffles_are_no_proof_of_anything_else() -> None:
    scene = Scene(MANY_HANDS, 1, ShuffleDuty)
    deal, first = scene.deal, scene.honest()
    assert scene.cheat.peer is not None and deal.key is not None
    before = [card for pending in deal.current() for card in getattr(pending, "input", ())]
    after, proof = shuffle(deal.group, deal.context(first.step, 1, "shuffle"), deal.key, before, Stream(b"second"))
    messages = first, replace(first, output=tuple(after), proof=proof)
    count = scene.cheat.peer.state.count
    said = [signed(scene.cheat, "deal", {"sealed": b64encode(encode(message)).decode()}, count=count + number).to_json()
            for number, message in enumerate(messages)]
    witness = scene.others[0].peer
    assert witness is not None
    for why in ("statement", "counter", "place", "fork", "vote"):
        with pytest.raises(Malformed):
            witness._accusations.hear(scene.others[1].author, {"t": "blame", "why": why, "x": list(said)})
    assert not witness.accusations
    witness._accusations.hear(scene.others[1].author, {"t": "blame", "why": "twice", "x": list(said)})
    assert [accusation.why for accusation in witness.accusations] == ["twice"]
