"""A deal from the first key to the last opening: who must say what, who may read what, what requests become."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from tabletin.peers.sealed import party as party_module
from tabletin.peers.sealed import pending
from tabletin.peers.sealed.ceremony import accept, accept_message, ask
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.handover import offer, unwrap
from tabletin.peers.sealed.judging import claim_of
from tabletin.peers.sealed.messages import Key, Play, Share, ShuffleTurn, decode, encode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.proofs import Proof
from tabletin.peers.sealed.requests import (
    CardsReady,
    DealRefusal,
    Departure,
    KeyDuty,
    Open,
    PublicFace,
    Readable,
    RemaskDuty,
    Request,
    RequestResult,
    Roll,
    RollDuty,
    RollResult,
    ShareDuty,
    Show,
    Shuffle,
    ShuffleDuty,
    TakeBack,
    Void,
)
from tabletin.peers.sealed.shuffle import ShuffleClaim
from tests.support.sealed_tables import Table

FACES = tuple("ABCDEFGH")
DECK = tuple(range(8))


def test_a_hand_is_dealt_read_and_played(group: PrimeGroup) -> None:
    """Three peers, four seats; private hands, a public flip, a play, in one sitting."""
    table = Table(group, (0, 1, 2, 0))
    table.ask(Shuffle(FACES, DECK), Show((0, 1), 0), Show((2, 3), 1), Show((4,), None)).settle()
    assert CardsReady(0, DECK) in table.effects
    assert Readable(0, (0, 1)) in table.effects and Readable(1, (2, 3)) in table.effects
    flipped = table.deal.cards[4].face
    assert flipped in FACES and RequestResult(3, (flipped,)) in table.effects
    hand = table.parties[1].read(table.deal, (2, 3))
    seen = {*hand.values(), *table.parties[0].read(table.deal, (0, 1)).values(), flipped}
    assert len(seen) == 5
    assert table.say(1, table.parties[1].play(table.deal, (3,))) == [PublicFace(3, hand[3])]
    assert table.deal.requests == ()


def test_requests_are_answered_in_order_though_worked_off_together(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 0), Roll(6, b"head"), Open((1, 2))).settle()
    answered = [effect for effect in table.effects if isinstance(effect, RequestResult)]
    assert [effect.step for effect in answered] == [0, 1, 2, 3]
    rolled = next(effect for effect in table.effects if isinstance(effect, RollResult))
    assert answered[2].result == rolled.value in range(1, 7)
    assert answered[3].result == (table.deal.cards[1].face, table.deal.cards[2].face)


def test_duties_follow_the_protocol(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((5,), 1), Show((6,), None))
    deal, parties = table.deal, table.parties
    assert [deal.duties(p) for p in range(3)] == [[KeyDuty()]] * 3
    for party in parties:
        for message in party.answer(deal):
            table.say(party.peer, message)
    for turn in range(3):
        assert [deal.duties(p) for p in range(3)] == [[ShuffleDuty(0)] if p == turn else [] for p in range(3)]
        table.say(turn, parties[turn].answer(deal)[0])
    assert [deal.duties(p) for p in range(3)] == [[ShareDuty((5, 6))], [ShareDuty((6,))], [ShareDuty((5, 6))]]


def test_only_the_reader_can_read(standin: PrimeGroup) -> None:
    """Not the others with their own seeds, and not the reader before all have shared."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((5,), 1)).settle(silent=(2,))
    table.ask().settle()
    assert len(table.parties[1].read(table.deal, (5,))) == 1
    for peer in (0, 2):
        with pytest.raises(PermissionError):
            table.parties[peer].read(table.deal, (5,))
    with pytest.raises(PermissionError):
        table.parties[1].read(table.deal, (6,))
    assert set(table.deal.cards[5].shares) == {0, 2}


def test_the_reader_waits_for_the_last_share(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK)).settle()
    table.ask(Show((5,), 1)).settle(silent=(2,))
    with pytest.raises(PermissionError):
        table.parties[1].read(table.deal, (5,))
    assert table.deal.duties(2) == [ShareDuty((5,))]


def test_a_card_passed_face_down_is_masked_first(group: PrimeGroup) -> None:
    """REMASK: without it the new reader's earlier share would open the card to all."""
    table = Table(group, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((5,), 1)).settle()
    face = table.parties[1].read(table.deal, (5,))[5]
    before = table.deal.cards[5].cipher
    table.ask(TakeBack((5,)), Show((5,), 0))
    assert [table.deal.duties(p) for p in range(3)] == [[], [RemaskDuty((5,))], []]
    table.settle()
    after = table.deal.cards[5]
    assert after.cipher.a != before.a and after.cipher.b != before.b
    assert set(after.shares) == {1, 2} and after.face is None
    assert table.parties[0].read(table.deal, (5,)) == {5: face}


def test_showing_a_held_card_to_another_masks_it_too(standin: PrimeGroup) -> None:
    """Even where the rules forgot to take it back."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((5,), 1)).settle()
    table.ask(Show((5,), 0))
    assert table.deal.duties(1) == [RemaskDuty((5,))] and table.deal.duties(0) == []
    table.settle()
    assert set(table.deal.cards[5].shares) == {1}


def test_no_card_ever_has_all_shares_unless_it_is_public(standin: PrimeGroup) -> None:
    """Two shows of one card at once are worked off one after the other."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK))
    table.ask(Show((5, 6), 0), Show((6, 7), 1), Show((5,), 2), TakeBack((6,)), Show((6,), 2))
    deal = table.deal
    moved = True
    while moved:
        moved = False
        for party in table.parties:
            for duty in deal.duties(party.peer):
                table.say(party.peer, party.fulfil(deal, duty))
                moved = True
                for handle, card in deal.cards.items():
                    assert card.face is not None or deal.missing(handle), handle
    assert deal.requests == () and deal.cards[5].reader == deal.cards[6].reader == 2


def test_taking_back_what_is_public_or_unseen_asks_for_nothing(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((5,), None)).settle()
    face = table.deal.cards[5].face
    table.ask(TakeBack((5, 6)))
    assert table.deal.requests == () and table.deal.cards[5].face == face
    table.ask(Show((5,), 0))
    assert table.deal.requests == ()


def test_hidden_and_open_cards_are_mixed_into_fresh_handles(group: PrimeGroup) -> None:
    """A part of the deck: some handles sealed, one of them in a hand, one public, and faces new to the deal."""
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 0), Show((1,), None)).settle()
    held = table.parties[0].read(table.deal, (0,))[0]
    shown = table.deal.cards[1].face
    table.ask(Shuffle((0, 1, 2, "wild", "wild"), (20, 21, 22, 23, 24)), Open((20, 21, 22, 23, 24))).settle()
    faces = [table.deal.cards[handle].face for handle in (20, 21, 22, 23, 24)]
    assert faces.count("wild") == 2 and {held, shown} <= set(faces)
    assert 0 not in table.deal.cards and set(table.deal.cards) == {3, 4, 5, 6, 7, 20, 21, 22, 23, 24}
    table.ask(Open((3, 4, 5, 6, 7))).settle()
    everything = [card.face for card in table.deal.cards.values()]
    assert sorted(face for face in everything if face) == sorted([*FACES, "wild", "wild"])


def test_a_hand_is_shuffled_and_dealt_again(group: PrimeGroup) -> None:
    """Under fresh handles, which everybody else shares again; their holder reads them and can play them."""
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1, 2), 1)).settle()
    hand = table.parties[1].read(table.deal, (0, 1, 2))
    table.ask(Shuffle((0, 1, 2), (10, 11, 12)), Show((10, 11, 12), 1))
    assert isinstance(table.deal.duties(0)[0], ShuffleDuty) and table.deal.duties(1) == []
    table.settle()
    mixed = table.parties[1].read(table.deal, (10, 11, 12))
    assert sorted(mixed.values()) == sorted(hand.values())
    assert table.say(1, table.parties[1].play(table.deal, (12,))) == [PublicFace(12, mixed[12])]


def test_a_polite_leave(group: PrimeGroup) -> None:
    """The rest goes on without the leaver's key; its hand is gone, the others' hands and the pile are whole."""
    table = Table(group, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0,), 0), Show((1,), 1), Show((2,), 2))
    table.ask(Show((3,), None)).settle()
    lost = table.parties[0].read(table.deal, (0,))[0]
    kept = table.parties[1].read(table.deal, (1,))
    assert table.say(0, table.parties[0].leave(table.deal)) == [Departure(0, (0,))]
    assert table.deal.peers == (1, 2) and 0 not in table.deal.cards
    assert table.parties[1].read(table.deal, (1,)) == kept
    assert table.say(1, table.parties[1].play(table.deal, (1,))) == [PublicFace(1, kept[1])]
    table.ask(Show((4,), 2), Shuffle((3, 1, 5, 6), (20, 21, 22, 23)), Open((2, 4, 7, 20, 21, 22, 23))).settle()
    opened = [card.face for card in table.deal.cards.values()]
    assert sorted(face for face in opened if face) == sorted(set(FACES) - {lost})
    assert isinstance(accept(table.deal, 0, table.parties[0].leave(table.deal)), DealRefusal)


def test_what_the_rules_take_out_with_a_leaver_goes_unseen_and_nothing_else_may(standin: PrimeGroup) -> None:
    """``live``: cards that lay unseen before the leaver go with its hand, shared by nobody; all that stays is shared."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0, 1), 0), Show((2,), 1)).settle()
    live = {2, 3, 4, 5}
    whole, party = table.deal.copy(), table.parties[0]
    assert accept(whole, 0, party.leave(table.deal), live=live) == DealRefusal("sealed.not_due")
    assert accept(whole, 0, party.leave(table.deal, {*live, 1}), live={*live, 1}) == DealRefusal("sealed.in_play", {"handle": 1})
    assert whole == table.deal
    assert accept(table.deal, 0, party.leave(table.deal, live), live=live) == [Departure(0, (0, 1, 6, 7))]
    assert set(table.deal.cards) == live == table.deal.handles and table.deal.peers == (1, 2)
    table.ask(Open(tuple(live))).settle()
    assert all(table.deal.cards[handle].face in FACES for handle in live)


def test_all_but_one_leave(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK)).settle()
    table.say(0, table.parties[0].leave(table.deal))
    table.say(2, table.parties[2].leave(table.deal))
    table.ask(Show((0,), 1), Show((1,), None)).settle()
    assert len(table.parties[1].read(table.deal, (0,))) == 1 and table.deal.cards[1].face in FACES


def test_nobody_leaves_in_the_middle_of_a_request(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK)).settle()
    goodbye = table.parties[0].leave(table.deal)
    table.ask(Show((0,), 1))
    assert accept(table.deal, 0, goodbye) == DealRefusal("sealed.busy")
    with pytest.raises(PermissionError):
        table.parties[0].leave(table.deal)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\x08\x01", b"\x09", b"\xff" * 40])
def test_what_is_no_message_is_refused(standin: PrimeGroup, data: bytes) -> None:
    """Kind 8 was an agreement that a peer is gone, and never produced: the log says that."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK)).settle(silent=(1,))
    before = table.deal.copy()
    for author in (0, 1, 2):
        verdict = accept(table.deal, author, data)
        assert isinstance(verdict, DealRefusal) and verdict.key == "sealed.malformed"
    assert table.deal == before


def test_nothing_is_owed_asked_or_said_in_a_spoiled_deal(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK)).settle(silent=(1,))
    table.deal.void = Void(1, "sealed.bad_shuffle")
    assert table.deal.duties(0) == table.deal.duties(1) == []
    assert ask(table.deal, Roll(6, b"")) == accept(table.deal, 1, b"\x07") == DealRefusal("sealed.spoiled")


def test_a_stranger_is_refused_before_anything_is_read(standin: PrimeGroup) -> None:
    """Or could have a deal that is over look as if somebody had said something malformed."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK)).settle().ask(Show((5,), 1))
    (data,) = table.parties[0].answer(table.deal)
    message = decode(standin, data)
    before = table.deal.copy()
    for author in (2, 7):
        stranger = DealRefusal("sealed.stranger", {"peer": author})
        assert accept(table.deal, author, b"") == accept(table.deal, author, data) == stranger
        assert accept_message(table.deal, author, message) == stranger
    assert table.deal == before
    spoiled = table.deal.copy()
    spoiled.void = Void(1, "sealed.bad_shuffle")
    assert accept(spoiled, 0, b"") == accept_message(spoiled, 0, message) == DealRefusal("sealed.spoiled")
    one, other = table.deal.copy(), table.deal.copy()
    assert accept_message(one, 0, message) == accept(other, 0, data) and one == other != before
    assert isinstance(message, Share)
    false = replace(message, proof=Proof(message.proof.challenge, 5))
    assert accept_message(table.deal.copy(), 0, false) == DealRefusal("sealed.bad_share")


def test_one_peer_with_every_seat_deals_to_itself(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 0)).ask(Shuffle(FACES, DECK), Show((0,), 1)).settle()
    assert len(table.parties[0].read(table.deal, (0,))) == 1
    with pytest.raises(PermissionError):
        table.parties[0].read(table.deal, (1,))


def test_handles_are_never_used_again(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Shuffle((0, 1), (8, 9))).settle()
    for handle in (0, 2, 8):
        assert ask(table.deal, Shuffle(("A",), (handle,))) == DealRefusal("sealed.handle_taken", {"handle": handle})


def test_verdicts_are_reached_once(standin: PrimeGroup) -> None:
    """A shuffle checked, or trusted, before is not checked again; one that is not, is."""
    table = Table(standin, (0, 1)).settle().ask(Shuffle(FACES, DECK)).settle(silent=(1,))
    message = decode(standin, table.parties[1].answer(table.deal)[0])
    assert isinstance(message, ShuffleTurn)
    claim = claim_of(table.deal, 1, message)
    assert isinstance(claim, ShuffleClaim)
    false = replace(claim, output=claim.input)
    checker = Checker(standin)
    assert not checker.knows(claim) and not checker.knows(false)
    assert checker.shuffles([claim, false, claim]) == [True, False, True]
    assert checker.knows(claim) and checker.knows(false)
    checker.group = SodiumGroup()  # in which neither makes sense
    assert checker.shuffles([false, claim]) == [False, True]
    trusting = Checker(standin)
    trusting.trust(false)
    assert trusting.shuffles([false]) == [True]


def test_an_empty_request_is_answered_at_once(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).settle()
    table.ask(Shuffle((), ()), Show((), 0), Open(()), TakeBack(()))
    assert table.deal.requests == ()
    assert RequestResult(2, ()) in table.effects


@pytest.mark.parametrize(
    "senseless",
    [
        Shuffle(("A",), (0,)),
        Shuffle(("A",), (20, 21)),
        Shuffle((0, 0), (20, 21)),
        Shuffle((0, 1), (20, 20)),
        Shuffle((99,), (20,)),
        Shuffle(("",), (20,)),
        Shuffle(("é",), (20,)),
        Shuffle(("A",), (-1,)),
        Shuffle(("A",) * 600, tuple(range(100, 700))),
        Show((99,), 0),
        Show((0,), 2),
        Show((0,), -1),
        Open((8,)),
        TakeBack((8,)),
        Roll(0, b""),
        Roll(2**33, b""),
        Shuffle((2, "A"), (20,)),
        Show((1,), 9),
    ],
)
def test_senseless_requests_change_nothing(standin: PrimeGroup, senseless: Request) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 0)).settle()
    before = table.deal.copy()
    assert isinstance(ask(table.deal, senseless), DealRefusal)
    assert table.deal == before


def test_a_card_that_is_named_twice_is_shown_or_taken_back_once(standin: PrimeGroup) -> None:
    """Open dealing takes it, so no move that was taken may hold a sealed match up."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1, 0), 0), Open((2, 3, 2)), TakeBack((0, 0))).settle()
    assert table.deal.requests == () and table.deal.void is None
    two, three = table.deal.cards[2].face or "", table.deal.cards[3].face or ""
    assert RequestResult(2, (two, three, two)) in table.effects and two != three
    assert [effect.handle for effect in table.effects if isinstance(effect, PublicFace)] == [2, 3]
    assert (table.deal.cards[0].reader, table.deal.cards[1].reader) == (None, 0)


def test_replicas_agree_and_copies_part(group: PrimeGroup) -> None:
    """The state is a function of what was asked and said; a copy is not moved by what the original hears."""
    table = Table(group, (0, 1, 2))
    requests: list[Request] = [Shuffle(FACES, DECK), Show((0, 1), 0), Roll(20, b"h"), TakeBack((0,))]
    requests += [Show((0,), 2), Open((5,))]
    table.ask(*requests).settle()
    other = DealState(Checker(group), table.deal.match, table.deal.number, (0, 1, 2))
    for request in requests:
        ask(other, request)
    for author, message in table.said:
        middle = other.copy()
        frozen = middle.copy()
        accept(other, author, message)
        assert middle == frozen != other
    assert other == table.deal


def test_a_peer_repeats_itself_byte_for_byte(standin: PrimeGroup) -> None:
    """After a crash the same seed says the same, so nobody signs two shuffles for one place."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Roll(6, b"h"))
    for party in table.parties:
        twin = Party(party.peer, party._seed)
        assert party.answer(table.deal) == twin.answer(table.deal)
        table.say(party.peer, party.answer(table.deal)[0])
    assert len(table.parties[0].answer(table.deal)) == 2
    assert table.parties[0].answer(table.deal) == Party(0, table.parties[0]._seed).answer(table.deal)


def test_nothing_is_shared_before_every_proof_has_passed(standin: PrimeGroup) -> None:
    """Unverified points do not even have handles; asking a party for their shares is an error."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0,), 1)).settle(silent=(2,))
    assert table.deal.cards == {}
    for party in table.parties:
        with pytest.raises(PermissionError):
            party.fulfil(table.deal, ShareDuty((0,)))


def test_a_party_shares_only_what_is_asked_for(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0,), 1)).settle()
    for duty in (ShareDuty((0,)), ShareDuty((1,)), RemaskDuty((0,)), ShuffleDuty(0), KeyDuty()):
        with pytest.raises(PermissionError):
            table.parties[1].fulfil(table.deal, duty)
    with pytest.raises(PermissionError):
        table.parties[0].play(table.deal, (0,))


def test_no_message_holds_the_readers_share_of_a_hidden_card(standin: PrimeGroup) -> None:
    """Secrecy over everything that was sent: with the stand-in the share is a number one can look for."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0, 1), 0), Show((2,), 1), Show((3,), None))
    table.settle().ask(TakeBack((0,)), Show((0,), 1)).settle()
    traffic = b"".join(message for _, message in table.said)
    looked = 0
    for handle, card in table.deal.cards.items():
        for party in table.parties:
            own = standin.multiples(card.cipher.a, [party._secret(table.deal)])[0]
            hidden_from_it = card.face is None and party.peer not in card.shares
            if card.reader == party.peer or hidden_from_it:
                assert own not in traffic, handle
                looked += 1
            else:
                assert own in traffic, handle
    assert looked > 10
    for party in table.parties:
        assert party._secret(table.deal).to_bytes(32, "little") not in traffic and party._seed not in traffic


def test_messages_are_small(sodium: PrimeGroup) -> None:
    """Bytes on the wire as `docs/sealed.md` promises: 192 a card and 291 besides for a shuffle."""
    table = Table(sodium, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 0)).settle()
    sizes = {type(decode(sodium, message)).__name__: len(message) for _, message in table.said}
    assert sizes["Key"] == 97 and sizes["ShuffleTurn"] == 192 * 8 + 291 and sizes["Share"] == 99


# What a request finds: cards that are public, held, or both asked for twice


def played(group: PrimeGroup) -> Table:
    """Card 0 was played by peer 1, and 1 is still in its hand; 2 is public, 3 in the hand of peer 0."""
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1), 1), Show((2,), None), Show((3,), 0)).settle()
    table.say(1, table.parties[1].play(table.deal, (0,)))
    table.effects.clear()
    return table


def test_a_public_card_has_everybodys_share(standin: PrimeGroup) -> None:
    deal = played(standin).deal
    assert [deal.missing(handle) for handle in (0, 1, 2, 3)] == [set(), {1}, set(), {0}]


def test_a_public_card_is_asked_of_nobody(standin: PrimeGroup) -> None:
    """Not its share, not to be masked again, whoever it is shown to or taken back from; and it is turned up once."""
    table = played(standin)
    deal = table.deal
    table.ask(TakeBack((0,)), Show((0,), 0), Show((2,), 0), Show((2,), 1), Show((0, 2), None))
    assert not deal.requests and not any(isinstance(effect, PublicFace | Readable) for effect in table.effects)
    assert deal.cards[2].reader is None, "nobody holds it for that"
    table.ask(Show((0, 1), 0))
    assert deal.duties(0) == [] and deal.duties(1) == [RemaskDuty((1,))]
    table.settle().effects.clear()
    table.ask(Show((2, 4), None))
    assert deal.duties(0) == deal.duties(1) == [ShareDuty((4,))]
    table.settle()
    face = deal.cards[4].face
    assert face is not None and [effect for effect in table.effects if isinstance(effect, PublicFace)] == [PublicFace(4, face)]
    table.effects.clear()
    table.ask(Show((2, 5), 1)).settle()
    assert Readable(1, (5,)) in table.effects


def test_what_leaves_a_hand_is_masked_in_one_message(standin: PrimeGroup) -> None:
    """Of all requests together; what was played needs no mask."""
    table = played(standin).ask(Show((4,), 1)).settle()
    table.ask(TakeBack((0, 4)), TakeBack((1,)))
    assert table.deal.duties(1) == [RemaskDuty((1, 4))] and table.deal.duties(0) == []
    table.settle()
    assert table.deal.requests == () and table.deal.cards[1].reader is table.deal.cards[4].reader is None


def test_a_show_waits_for_each_of_its_cards(standin: PrimeGroup) -> None:
    """In whatever order they are named, and though some are read already."""
    for handles in ((1, 5), (5, 1), (1, 3), (3, 1)):
        table = played(standin).ask(Show(handles, 1))
        assert not table.effects
        table.settle()
        assert Readable(1, handles) in table.effects and not table.deal.requests
        assert len(table.parties[1].read(table.deal, handles)) == 2


def test_who_holds_a_card_masks_it_and_shares_nothing_of_it(standin: PrimeGroup) -> None:
    """Its share would open the card to everybody."""
    table = played(standin).ask(Show((1,), 0))
    assert table.deal.wanted_shares() == {} and table.deal.duties(0) == []
    table.settle()
    assert set(table.deal.cards[1].shares) == {1} and table.deal.cards[1].reader == 0


def test_a_held_card_that_is_shown_to_all_is_opened_by_its_holder(standin: PrimeGroup) -> None:
    table = played(standin).ask(Open((1,)))
    assert table.deal.duties(0) == [] and table.deal.duties(1) == [ShareDuty((1,))]
    assert table.deal.wanted_shares() == {("card", 1): (table.deal.cards[1].cipher.a, None)}


def test_shares_are_wanted_of_what_is_asked_for_and_not_open(standin: PrimeGroup) -> None:
    table = played(standin).ask(Show((2, 5), 1), Show((0, 6), None), Roll(6, b"head"), Show((3,), 1))
    cards = table.deal.cards
    assert table.deal.wanted_shares() == {("card", 5): (cards[5].cipher.a, 1), ("card", 6): (cards[6].cipher.a, None),
                                          ("roll", 6): b"head"}


def test_one_answer_lets_all_begin_that_waited_for_it(standin: PrimeGroup) -> None:
    """Also behind a request that only begins."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK)).settle()
    table.ask(Show((0, 1), None), TakeBack((0, 7)), Shuffle((1,), (20,)), Show((7,), 1))
    for party in table.parties:
        table.say(party.peer, party.fulfil(table.deal, ShareDuty((0, 1))))
    assert table.deal.duties(0) == [ShuffleDuty(3), ShareDuty((7,))]


def test_a_card_is_free_once_its_own_request_is_done(standin: PrimeGroup) -> None:
    """Though an earlier request still waits, and so none is answered."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK)).settle().ask(Show((0,), None), Show((1,), 1))
    table.say(0, table.parties[0].fulfil(table.deal, ShareDuty((0, 1))))
    assert len(table.deal.requests) == 2 and table.deal.busy() == {0}
    (effect,) = table.say(1, table.parties[1].play(table.deal, (1,)))
    assert isinstance(effect, PublicFace) and effect.handle == 1


def test_what_was_mixed_is_no_card_any_more(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Shuffle((0, 1, "wild"), (20, 21, 22))).settle()
    table.ask(Shuffle((2,), (23,))).settle()
    assert table.deal.retired_handles == {0, 1, 2}
    assert table.deal.handles == set(table.deal.cards) == {3, 4, 5, 6, 7, 20, 21, 22, 23}
    for handle in (0, 1, 2):
        assert ask(table.deal, Show((handle,), 0)) == DealRefusal("sealed.no_card", {"handle": handle})


def test_a_card_that_never_was_spoils_the_deal(standin: PrimeGroup) -> None:
    """No proof lets that happen; where it did, nobody goes on with it."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK)).settle().ask(Show((3,), None))
    table.deal.faces.clear()
    table.say(0, table.parties[0].answer(table.deal)[0])
    assert table.say(1, table.parties[1].answer(table.deal)[0]) == [Void(None, "sealed.no_such_card", {"handle": 3})]


def test_the_bounds_of_a_request(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).settle()
    table.ask(Roll(1, b""), Roll(2**32, b"")).settle()
    assert RollResult(0, 1) in table.effects
    table.ask(Shuffle(("A",) * 512, tuple(range(512))))
    for request in (Roll(0, b""), Roll(2**32 + 1, b""), Shuffle(("A",) * 513, tuple(range(600, 1113)))):
        assert isinstance(ask(table.deal, request), DealRefusal)


def test_replicas_with_other_memories_of_verdicts_hold_the_same(standin: PrimeGroup) -> None:
    deal = played(standin).deal
    assert replace(deal.copy(), checker=Checker(standin)) == deal


# After a leave


def test_what_a_leave_leaves_behind(standin: PrimeGroup) -> None:
    """The leaver owes nothing and is shown nothing; its handles are used up; what it played stays; copies know it too."""
    table = Table(standin, (0, 1, 2)).ask(Shuffle(FACES, DECK), Show((0, 1), 0), Shuffle((7,), (20,))).settle()
    table.say(0, table.parties[0].play(table.deal, (0,)))
    table.say(0, table.parties[0].leave(table.deal))
    deal = table.deal
    assert deal.copy() == deal and deal.copy().peers == (1, 2)
    assert set(deal.keys) == {1, 2} and deal.retired_handles == {1, 7}
    assert set(deal.cards) == {0, 2, 3, 4, 5, 6, 20} and deal.cards[0].face in FACES
    for handle in (1, 7):
        assert ask(deal, Shuffle(("A",), (handle,))) == DealRefusal("sealed.handle_taken", {"handle": handle})
    assert ask(deal, Show((2,), 0)) == DealRefusal("sealed.no_seat", {"seat": 0})
    table.ask(Show((2,), None))
    assert deal.duties(0) == [] and deal.duties(1) == deal.duties(2) == [ShareDuty((2,))]


def test_the_first_card_is_named_that_a_leave_would_lose(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1), 0)).settle()
    live = set(DECK)
    verdict = accept(table.deal, 0, table.parties[0].leave(table.deal, live), live=live)
    assert verdict == DealRefusal("sealed.in_play", {"handle": 0})


# One's own messages, read again


def test_ones_own_proofs_are_not_checked_again_and_everybody_elses_are(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK)).settle().ask(Show((0,), None))
    said = decode(standin, table.parties[0].answer(table.deal)[0])
    assert isinstance(said, Share)
    false = encode(replace(said, proof=Proof(said.proof.challenge, 5)))
    deal = table.deal.copy()
    assert not isinstance(accept(deal, 0, false, own=True), DealRefusal)
    assert isinstance(accept(table.deal.copy(), 0, false), DealRefusal), "that was no verdict"
    other = decode(standin, table.parties[1].answer(deal)[0])
    assert isinstance(other, Share)
    assert isinstance(accept(deal, 1, encode(replace(other, proof=Proof(1, 5)))), DealRefusal)
    assert isinstance(accept(deal, 0, false, own=True), DealRefusal), "it is not due any more"
    assert not deal.checker.reads_own


def test_ones_own_faces_are_taken_as_read_and_everybody_elses_are_worked_out(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 0)).settle()
    said = decode(standin, table.parties[0].play(table.deal, (0,)))
    assert isinstance(said, Play)
    other, unknown = next(face for face in FACES if face != said.faces[0]), "Z"
    for face, own, allowed in ((said.faces[0], False, True), (said.faces[0], True, True), (other, False, False),
                               (other, True, True), (unknown, False, False), (unknown, True, False)):
        verdict = accept(table.deal.copy(), 0, encode(replace(said, faces=(face,))), own=own)
        assert verdict == ([PublicFace(0, face)] if allowed else DealRefusal("sealed.false_face", {"handle": 0}))


def test_only_what_lies_hidden_in_the_own_hand_is_played(standin: PrimeGroup) -> None:
    """Not an unknown card, nor another's, nor one that lies open or that is asked for otherwise."""
    table = Table(standin, (0, 1)).ask(Shuffle(FACES, DECK), Show((0, 1, 2), 0), Show((3,), 1), Show((4,), None)).settle()
    said = decode(standin, table.parties[0].play(table.deal, (0,)))
    assert isinstance(said, Play)
    table.say(0, table.parties[0].play(table.deal, (1,)))
    table.ask(Show((2,), 1))
    assert 2 in table.deal.busy()
    for own in (False, True):
        for handle in (99, 5, 3, 4, 1, 2):
            verdict = accept(table.deal.copy(), 0, encode(replace(said, handles=(handle,))), own=own)
            assert verdict == DealRefusal("sealed.not_in_hand", {"handle": handle})
        assert accept(table.deal.copy(), 1, encode(said), own=own) == DealRefusal("sealed.not_in_hand", {"handle": 0})
        assert accept(table.deal.copy(), 0, encode(said), own=own) == [PublicFace(0, said.faces[0])]
    false = encode(replace(said, proof=Proof(said.proof.challenge, 5)))
    assert accept(table.deal.copy(), 0, false) == DealRefusal("sealed.bad_share")


def test_ones_own_shuffle_is_trusted_where_it_was_due(standin: PrimeGroup) -> None:
    for own, void in ((True, False), (False, True)):
        table = Table(standin, (0, 1)).settle().ask(Shuffle(FACES, DECK))
        said = decode(standin, table.parties[0].answer(table.deal)[0])
        assert isinstance(said, ShuffleTurn)
        false = encode(replace(said, proof=replace(said.proof, s1=5)))
        assert accept(table.deal, 1, false, own=own) == DealRefusal("sealed.not_due")
        assert accept(table.deal, 0, false, own=own) == []
        last = accept(table.deal, 1, table.parties[1].answer(table.deal)[0])
        assert (last == [Void(0, "sealed.bad_shuffle", {"step": 0})]) == void
        assert (table.deal.void is not None) == void and (table.deal.cards == {}) == void


def test_ones_own_key_and_roll_are_taken_in_as_any_other(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).ask(Roll(6, b"h"), Shuffle(FACES, DECK))
    for party in table.parties:
        assert not isinstance(accept(table.deal, party.peer, party.answer(table.deal)[0], own=True), DealRefusal)
    for party in table.parties:
        effects = accept(table.deal, party.peer, party.fulfil(table.deal, RollDuty(0)), own=True)
    assert isinstance(effects, list) and isinstance(effects[-1], RequestResult)


# What a party is asked for that it cannot give


def test_a_party_reads_what_it_played_and_nothing_that_is_no_card(standin: PrimeGroup) -> None:
    table = played(standin)
    assert table.parties[1].read(table.deal, (0,)) == {0: table.deal.cards[0].face}
    with pytest.raises(PermissionError):
        table.parties[1].read(table.deal, (99,))


def test_a_seed_is_long_enough() -> None:
    Party(0, bytes(32))
    with pytest.raises(ValueError, match="32 bytes"):
        Party(0, bytes(31))


def test_the_secret_goes_on_to_another_device(group: PrimeGroup) -> None:
    """It reads and plays what the old device could, with no seed of that one."""
    table = Table(group, (0, 1)).ask(Shuffle(FACES, DECK), Show((0,), 1)).settle()
    wrapped = table.parties[1].hand_over(table.deal, offer(group, 5))
    key = unwrap(group, table.deal.context(0, 1, "handover"), 5, wrapped)
    heir = Party(1, b"of another device".ljust(32), key)
    assert heir.read(table.deal, (0,)) == table.parties[1].read(table.deal, (0,))
    (effect,) = table.say(1, heir.play(table.deal, (0,)))
    assert isinstance(effect, PublicFace)


def test_no_secret_of_a_deal_is_nothing(standin: PrimeGroup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(party_module, "hash_to_scalar", lambda *fields: 0)
    table = Table(standin, (0, 1))
    said = decode(standin, table.parties[0].answer(table.deal)[0])
    assert isinstance(said, Key) and said.public == standin.base


def test_who_leaves_before_there_is_a_card_shares_nothing(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1, 2)).settle()
    assert table.say(0, table.parties[0].leave(table.deal)) == [Departure(0, ())]


def test_two_shuffles_and_two_rolls_at_once_are_answered_each_for_itself(standin: PrimeGroup) -> None:
    table = Table(standin, (0, 1)).settle()
    table.ask(Roll(6, b"a"), Shuffle(FACES[:2], (0, 1)), Shuffle(FACES[2:5], (2, 3, 4)), Roll(6, b"b"), Open((0, 1, 2, 3, 4)))
    table.settle()
    assert table.deal.requests == () and len([one for one in table.effects if isinstance(one, RollResult)]) == 2
    assert {table.deal.cards[handle].face for handle in (0, 1)} == set(FACES[:2])
    assert {table.deal.cards[handle].face for handle in (2, 3, 4)} == set(FACES[2:5])


# The memory of verdicts


def test_a_verdict_on_anything_is_reached_once(standin: PrimeGroup) -> None:
    checker = Checker(standin)
    asked: list[bool] = []

    def judge(verdict: bool) -> bool:
        asked.append(verdict)
        return verdict

    for _ in range(2):
        assert checker.once(b"false", lambda: judge(False)) is False
        assert checker.once(b"true", lambda: judge(True)) is True
    assert asked == [False, True] and not checker.early


def test_the_memory_of_verdicts_is_bounded(standin: PrimeGroup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "MOST_VERDICTS", 2)
    checker = Checker(standin)
    asked: list[int] = []

    def ask_for(name: int) -> bool:
        asked.append(name)
        return True

    for name in (1, 2, 1, 2, 3, 3, 1):
        checker.once(bytes([name]), partial(ask_for, name))
    assert asked == [1, 2, 3, 1]
