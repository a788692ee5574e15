"""The public half of dealing, request by request: what is taken in when, what is refused, and what is begun, kept and dropped."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import pytest

from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import ALL, Open, Roll, Show, Shuffle, TakeBack
from tabletin.kernel.setup import Seat
from tabletin.peers.dealing.dealing import SealedDealing, read_bytes
from tabletin.peers.sealed import requests as sealed
from tabletin.peers.sealed.handover import WrappedKey
from tabletin.peers.sealed.messages import Leave, Play, ShuffleTurn, decode, encode
from tabletin.peers.sealed.pending import Rolling
from tabletin.peers.sealed.proofs import Proof
from tests.support.dealing_devices import FACES, Devices

DECK = Shuffle(faces=FACES)


def dealt(*seats: str) -> Devices:
    """A deck, cards 0 and 1 with the first seat, 2 open."""
    devices = Devices(*(seats or ("a", "b"))).ask(DECK).settle()
    return devices.ask(Show((0, 1), 0), Show((2,), ALL)).settle()


def key_of(call: Any, *arguments: Any) -> str:
    """Why it is refused."""
    with pytest.raises(Refused) as caught:
        list(call(*arguments))
    return caught.value.refusal.key


def heads_of(dealing: SealedDealing) -> list[str]:
    """The entries that asked what waits."""
    return list(dealing._heads)


def owed(devices: Devices, author: str) -> dict[str, Any]:
    """The first message that ``author`` owes."""
    dealer = devices.dealers[author]
    return dealer.fulfil(devices.state, devices.dealing, dealer.duties(devices.state, devices.dealing)[0])


# ---- what the rules ask ----

def test_each_request_is_asked_of_the_ceremony_as_the_rules_mean_it() -> None:
    devices = dealt()
    (face,) = (face for result in devices.results if isinstance(result, tuple) for face in result)
    assert devices.results == [None, None, (face,)] and devices.dealing.deals == 1
    devices.ask(Roll(6), Open((3,)), TakeBack((0,)), Show((0,), 1), Shuffle((4, 5), ("W", "W"))).settle()
    rolled, opened, *rest = devices.results[3:]
    assert isinstance(rolled, int) and 1 <= rolled <= 6 and isinstance(opened, tuple) and rest == [None, None, None]
    deal = devices.dealing.deal
    assert deal is not None and deal.cards[0].reader == 1 and deal.cards[1].reader == 0
    assert set(deal.cards) == {0, 1, 2, 3, 6, 7, 8, 9}, "what is mixed has fresh handles"


def test_two_shuffles_at_once_have_handles_of_their_own() -> None:
    devices = Devices("a", "b").ask(DECK).settle().ask(Shuffle((0, 1)), Shuffle((2, 3, 4))).settle()
    deal = devices.dealing.deal
    assert deal is not None and set(deal.cards) == {5, 6, 7, 8, 9, 10}


def test_before_the_first_deck_nothing_else_can_be_asked_or_said() -> None:
    devices = Devices("a", "b")
    for request in (Roll(6), Show((0,), 0)):
        devices.ask(request)
        assert key_of(lambda: [devices.dealing.with_requests(devices.state)]) == "sealed.no_deal"
        devices.state.requests = ()
    assert devices.refusal("a", {"sealed": "AQ=="}) == "sealed.no_deal"
    assert devices.refusal("a", {"ahead": "AQ=="}) == "sealed.no_deal"
    assert devices.refusal("a", {}) == "kernel.deal.form"
    with pytest.raises(Refused):
        devices.dealing.with_next_deck()


def test_what_waits_is_taken_in_once() -> None:
    """``with_requests`` gives the same where there is nothing new, and never changes what it was asked of."""
    devices = dealt().ask(Roll(6))
    before = devices.dealing
    asked = before.with_requests(devices.state)
    assert asked is not before and before.deal is not None and not before.deal.requests
    assert asked.deal is not None and len(asked.deal.requests) == 1
    assert asked.with_requests(devices.state) is asked
    again = asked.copy()
    again._take_in(devices.state)
    assert again == asked


def test_a_new_deck_waits_for_what_was_asked_of_the_old_one() -> None:
    devices = dealt().ask(Show((3,), 1), DECK)
    asked = devices.dealing.with_requests(devices.state)
    assert asked.deals == 1 and asked.deal is not None and len(asked.deal.requests) == 1
    devices.settle()
    assert devices.dealing.deals == 2 and devices.state.requests == ()
    deal = devices.dealing.deal
    assert deal is not None and deal.number == 1 and set(deal.cards) == set(range(6, 12))


def test_a_roll_hangs_on_the_entry_that_asked_for_it() -> None:
    """Each on its own, also where requests before it are answered or taken back."""
    devices = dealt()
    devices.ask(Show((3,), 0), Roll(6))
    first = devices.head
    devices.ask(Roll(6))
    second = devices.head
    asked = devices.dealing.with_requests(devices.state).deal
    assert asked is not None
    assert [one.head.hex() for one in asked.requests if isinstance(one, Rolling)] == [first, second]
    (duty,) = [duty for duty in devices.dealers["b"].duties(devices.state, devices.dealing) if isinstance(duty, sealed.ShareDuty)]
    devices.say("b", devices.dealers["b"].fulfil(devices.state, devices.dealing, duty))
    assert len(devices.state.requests) == 2 and heads_of(devices.dealing) == [first, second]
    devices.state.requests = devices.state.requests[:1]  # taken back by an undo
    devices._note()
    assert heads_of(devices.dealing) == [first]
    devices.ask(Roll(6))
    assert heads_of(devices.dealing) == [first, devices.head]


# ---- what peers say ----

def test_a_statement_of_another_form_is_refused() -> None:
    devices = dealt().ask(Roll(6))
    body = owed(devices, "a")
    assert devices.refusal("a", body) == ""
    for other in ({**body, "more": 1}, {"more": 1}, {}, {**body, "ahead": body["sealed"]}):
        assert devices.refusal("a", other) == "kernel.deal.form"
    assert devices.refusal("c", body) == "kernel.stranger"
    for wrong in (None, 5, "?", "AQ", "AQ==\n", "AR==", [body["sealed"]]):
        assert devices.refusal("a", {"sealed": wrong}) == "sealed.malformed"
    for kind in (b"\x04", b"\x07"):
        assert devices.refusal("a", {"sealed": b64encode(kind + b"\x00").decode()}) == "sealed.not_due"


@pytest.mark.parametrize("text", ["", "AA==", "AAA=", "AAAA"])
def test_base_64_has_one_spelling(text: str) -> None:
    assert b64encode(read_bytes(text)).decode() == text
    for other in (text + "=", text + "\n", " " + text, "AB==", None, 1, b"AAAA"):
        with pytest.raises(Refused, match=r"sealed\.malformed"):
            read_bytes(other)


def test_answers_that_need_no_message_are_delivered_by_an_empty_one() -> None:
    devices = dealt().ask(Open((2,)))
    assert devices.refusal("b", {}) == ""
    assert not devices.dealing.has_answers
    asked = devices.dealing.with_requests(devices.state)
    assert asked.has_answers
    assert asked.deal is not None
    answers = [(asked.deal.cards[2].face,)]
    assert devices.say("b", {}) == answers and devices.dealing.last_results == tuple(answers)
    assert not devices.dealing.has_answers and devices.refusal("b", {}) == "kernel.deal.form"


def test_what_needs_no_message_is_answered_with_what_does() -> None:
    """In one entry, in the order in which it was asked."""
    devices = dealt().ask(Open((2,)), Show((3,), 1), Roll(6))
    asked = devices.dealing.with_requests(devices.state)
    assert asked.deal is not None and len(asked.deal.requests) == 2 and asked.with_requests(devices.state) is asked
    assert devices.refusal("a", {"more": 1}) == "kernel.deal.form"
    answers = devices.say("a", devices.dealers["a"].fulfil(devices.state, devices.dealing, sealed.ShareDuty((3,))))
    assert len(answers) == 2 and isinstance(answers[0], tuple) and answers[1] is None


def test_a_deal_that_cannot_go_on_is_nobodys_fault() -> None:
    devices = dealt().ask(Show((3,), ALL))
    assert devices.dealing.deal is not None
    devices.dealing.deal.faces.clear()
    for author in ("a", "b"):
        devices.say(author, owed(devices, author))
    assert devices.dealing.deal.void is not None and devices.dealing.guilty is None


def test_openings_have_one_form() -> None:
    devices = dealt()
    dealer, dealing, state = devices.dealers["a"], devices.dealing, devices.state
    faces = dealer.read(dealing, Faces())
    openings = dealer.open(state, dealing, dict(faces))
    (first, second) = openings
    assert dealing.copy().take_openings(state, "a", openings) == dict(faces) and len(faces) == 2
    assert dealing.take_openings(state, "a", []) == {} and dealer.open(state, dealing, {}) == []
    for card, face in faces.items():
        assert dealing.copy().take_openings(state, "a", dealer.open(state, dealing, {card: face})) == {card: face}

    def refusal(*openings: Any, author: str = "a", of: SealedDealing = dealing) -> str:
        return key_of(of.copy().take_openings, state, author, list(openings))

    card, face, proof = first
    other = next(one for one in FACES if one != face)
    for wrong in ([first], [first[:2], second], [first, [*second, proof]], [[card, other, proof], second],
                  [first, second, second], [first, [second[0], other]], [[str(card), face, proof], second],
                  [[card, 5, proof], second], [[False, face, proof], second], [[[card], face, proof], second],
                  [first, [str(second[0]), second[1]]], [first, [second[0], None]], [[True, face, proof], second],
                  [[second[0], second[1], proof], [card + 3, face]], [first, first[:2]], [second, first]):
        assert refusal(*wrong) == "kernel.opening.form", wrong
    assert refusal([card, face, "?"], second) == "sealed.malformed"
    assert refusal([card, face, "AQ=="], second) == "sealed.malformed"
    no_play = b64encode(b"\x07\x00" + bytes(64)).decode()
    assert refusal([card, face, no_play], second) == "kernel.opening.form"
    assert refusal(first, second, author="b") == "sealed.not_in_hand"
    assert refusal(first, second, author="c") == "kernel.stranger"
    before = Devices("a", "b").dealing
    assert refusal(first, second, of=before) == "kernel.opening.form"
    said = decode(dealing.checker.group, b64decode(proof))
    assert isinstance(said, Play)
    swapped = replace(said, faces=said.faces[::-1])
    text = b64encode(encode(swapped)).decode()
    assert refusal([card, second[1], text], [second[0], face]) == "sealed.false_face"


def test_a_card_that_was_just_asked_back_is_not_opened() -> None:
    """What the rules ask counts from the moment at which they ask it."""
    devices = dealt()
    known = devices.dealers["a"].read(devices.dealing, Faces())
    openings = devices.dealers["a"].open(devices.state, devices.dealing, dict(known))
    devices.ask(TakeBack((0,)))
    assert key_of(devices.dealing.copy().take_openings, devices.state, "a", openings) == "sealed.not_in_hand"


def test_dealings_are_equal_where_they_hold_the_same() -> None:
    one, two = dealt().dealing, dealt().dealing
    assert one == two and one is not two and one != "dealing" and one.copy() == one == ANY
    for name, value in (("deals", 9), ("authors", ("a",)), ("deal", None), ("next_deck", one.with_next_deck().next_deck)):
        twin = one.copy()
        setattr(twin, name, value)
        assert twin != one


def test_a_copy_goes_its_own_way() -> None:
    devices = dealt().ask(Roll(6))
    twin = devices.dealing.copy()
    devices.settle()
    assert (twin.deal is not None and not twin.deal.requests and twin != devices.dealing) or twin.deal == devices.dealing.deal
    assert Devices("a").dealing.copy().deal is None


def test_copies_share_a_deal_until_one_of_them_changes_it() -> None:
    devices = dealt()
    before, deal, dealer = devices.dealing, devices.dealing.deal, devices.dealers["a"]
    assert deal is not None and before.copy().deal is deal and before.with_requests(devices.state).deal is deal
    kept = deal.copy()
    opened = before.copy()
    opened.take_openings(devices.state, "a", dealer.open(devices.state, before, dict(dealer.read(before, Faces()))))
    left = before.copy()
    left.leave(devices.setup, "a", {"sealed": dealer.leave(before, range(2, 6))}, range(2, 6))
    devices.ask(Roll(6))
    asked = before.with_requests(devices.state)
    said = asked.copy()
    list(said.read(devices.state, "a", owed(devices, "a")))
    deals = [one.deal for one in (before, opened, left, asked, said)]
    assert all(one != other for one, other in combinations(deals, 2)) and deals[0] is deal == kept


def test_it_is_known_who_is_shown_a_card_or_is_to_be() -> None:
    assert Devices("a", "b").dealing.readers(Devices("a", "b").state) == {}, "there is no deck"
    devices = with_devices(dealt("a", "b", "a"), "n")
    before, deal = devices.dealing, devices.dealing.deal
    assert before.readers(devices.state) == {0: "a", 1: "a"}, "card 2 lies open"
    devices.ask(Show((3,), 1), Show((4,), 2))
    assert devices.dealing.readers(devices.state) == {0: "a", 1: "a", 3: "b", 4: "a"}
    assert devices.dealing is before and before.deal is deal
    go_on(devices, "b", "n")
    assert devices.dealing.readers(devices.state) == {0: "a", 1: "a", 3: "n", 4: "a"}


def test_a_play_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    devices = dealt()
    dealing, decoded = devices.dealing, []
    openings = devices.dealers["a"].open(devices.state, dealing, dict(devices.dealers["a"].read(dealing, Faces())))
    monkeypatch.setattr(dealing.checker.group, "decode_points", lambda points: decoded.append(len(points)))
    dealing.copy().take_openings(devices.state, "a", openings)
    assert decoded == [2]


# ---- who plays, who goes ----

def test_where_everything_is_void_nothing_is_left_of_the_deal() -> None:
    devices = dealt().prepare().ask(Open((2,)), Roll(6))
    asked = devices.dealing.with_requests(devices.state)
    setattr(asked, "guilty", "b")  # noqa: B010 – as if a shuffle had failed
    setup = devices.setup.with_seat(1, Seat("bot", "a"))
    asked.void(setup)
    assert (asked.deal, asked.next_deck, asked.guilty, asked.has_answers, asked.setup) == (None, None, None, False, setup)
    state: Any = SimpleNamespace(requests=(DECK,), next_card=20)
    asked.note_entry(state, "h")
    assert heads_of(asked) == ["h"]
    again = asked.with_requests(state)
    assert again.deal is not None and again.deals == 2 and again.authors == ("a",) and again.deal.number == 2
    assert again.deal.handles == set(range(20, 26))


def test_somebody_else_on_a_seat_deals_with_the_next_deck() -> None:
    devices = dealt()
    setup = devices.setup.with_seat(1, Seat("bot", "a"))
    devices.dealing.change_player(setup)
    assert devices.dealing.setup == setup and devices.dealing.authors == ("a", "b")
    devices.ask(DECK)
    asked = devices.dealing.with_requests(devices.state)
    assert asked.authors == ("a",) and asked.deal is not None and asked.deal.seats == (0, 0)


def moved(devices: Devices, author: str, to: str, **changes: Any) -> dict[str, Any]:
    """The body by which ``author`` goes on at the device ``to``."""
    offered = devices.dealers[to].offer(devices.dealing, author)
    number, key = devices.dealers[author].hand_over(devices.dealing, offered)
    return {"to": to, "offer": offered, "agreed": "", "deal": number, "key": key, **changes}


def test_a_deal_goes_on_with_another_device() -> None:
    devices = dealt("a", "b")
    devices.dealers["n"] = type(devices.dealers["a"])("n", bytes(32))
    devices.prepare()
    known = devices.dealers["a"].read(devices.dealing, Faces())
    body = moved(devices, "a", "n")
    assert body["deal"] == 0 and isinstance(body["key"], str)
    setup = devices.setup.with_seat(0, Seat("person", "n"))
    spoiled: list[dict[str, Any]] = [{"deal": 1}, {"deal": False}, {"deal": None}, {"key": None}, {"deal": None, "key": None}]
    for changes in spoiled:
        assert key_of(devices.dealing.copy().hand_over, setup, "a", {**body, **changes}) == "peers.device_late"
    for changes in ({"key": "?"}, {"offer": "?"}, {"key": body["key"][:-4]}, {"offer": b64encode(bytes(32)).decode()},
                    {"key": b64encode(b"\xff" * 64).decode()}):
        assert key_of(devices.dealing.copy().hand_over, setup, "a", {**body, **changes}) == "sealed.malformed"
    devices.dealing.hand_over(setup, "a", body)
    assert devices.dealing.authors == ("n", "b") and devices.dealing.next_deck is None and devices.dealing.setup == setup
    handover = devices.dealing.handover(0)
    assert handover is not None and handover.author == "a" and devices.dealing.handover(1) is None
    assert handover.secret == WrappedKey.from_bytes(devices.dealing.checker.group, read_bytes(body["key"]))
    assert devices.dealers["n"].read(devices.dealing, Faces()) == known != {}
    assert devices.dealers["n"].takes_part(devices.dealing) and not devices.dealers["a"].takes_part(devices.dealing)
    assert devices.dealers["b"].takes_part(devices.dealing)
    del devices.dealers["a"]
    devices.ask(Show((3,), 1)).settle()
    assert devices.state.requests == () and 3 in devices.dealers["b"].read(devices.dealing, Faces())
    devices.ask(DECK).settle()
    assert devices.dealing.handover(0) is None, "with the next deck it has a key of its own"
    assert devices.dealing.authors == ("n", "b") and devices.dealers["n"].takes_part(devices.dealing)


def test_a_wrong_secret_leaves_the_new_device_without_a_part() -> None:
    devices = dealt("a", "b")
    devices.dealers["n"] = type(devices.dealers["a"])("n", bytes(32))
    body = moved(devices, "a", "n")
    other = moved(devices, "b", "n")["key"]
    setup = devices.setup.with_seat(0, Seat("person", "n"))
    devices.dealing.hand_over(setup, "a", {**body, "key": other})
    assert not devices.dealers["n"].takes_part(devices.dealing)
    assert devices.dealers["n"].read(devices.dealing, Faces()) == {} and devices.dealers["n"].prepare(devices.dealing) is None
    assert devices.dealers["n"].duties(devices.ask(Show((3,), 1)).state, devices.dealing) == []
    assert devices.dealers["n"].leave(devices.dealing, range(6)) is None


def test_a_device_without_a_part_in_the_deal_hands_nothing_over() -> None:
    for devices in (Devices("a", "b"), dealt("a", "b")):
        devices.dealers["n"], devices.dealers["c"] = (type(devices.dealers["a"])(name, bytes(32)) for name in "nc")
        author = "a" if devices.dealing.deal is None else "c"
        offered = devices.dealers["n"].offer(devices.dealing, author)
        assert devices.dealers[author].hand_over(devices.dealing, offered) == (None, None)
        body = {"to": "n", "offer": offered, "agreed": "", "deal": None, "key": None}
        before = devices.dealing.authors
        devices.dealing.hand_over(devices.setup, author, body)
        assert devices.dealing.authors == before and devices.dealing.handover(0) is None
        for changes in ({"deal": 0}, {"key": "AAAA"}):
            assert key_of(devices.dealing.hand_over, devices.setup, author, {**body, **changes}) == "peers.device_late"
        with pytest.raises(Refused, match=r"sealed\.malformed"):
            devices.dealers["a"].hand_over(devices.dealing, b64encode(bytes(32)).decode())


def test_a_peer_leaves_the_deal_and_takes_what_was_prepared_along() -> None:
    devices = dealt("a", "b", "c").prepare()
    assert devices.dealing.copy().next_deck is not None
    live = {2, 3, 4, 5}
    body = {"sealed": devices.dealers["a"].leave(devices.dealing, live)}
    setup = devices.setup.with_seat(0, Seat("bot", "b"))
    assert key_of(devices.dealing.copy().leave, setup, "x", body, live) == "kernel.stranger"
    for wrong in ({"sealed": b64encode(b"\x03\x00").decode()}, {"sealed": ""}):
        assert key_of(devices.dealing.copy().leave, setup, "a", wrong, live) == "sealed.not_due"
    assert key_of(devices.dealing.copy().leave, setup, "a", body, {3, 4}) == "sealed.not_due"
    assert key_of(Devices("a", "b").dealing.leave, setup, "a", body, live) == "sealed.not_due"
    devices.dealing.leave(setup, "a", body, live)
    deal = devices.dealing.deal
    assert deal is not None and deal.peers == (1, 2) and devices.dealing.next_deck is None and devices.dealing.setup == setup
    assert not devices.dealers["a"].takes_part(devices.dealing) and devices.dealers["b"].takes_part(devices.dealing)
    assert devices.dealers["a"].leave(devices.dealing, live) is None
    devices.ask(Show((3,), 1)).settle(silent="a")
    assert devices.state.requests == ()


def test_one_of_three_goes_on_with_another_device() -> None:
    devices = dealt("a", "b", "c")
    devices.dealers["n"] = type(devices.dealers["a"])("n", bytes(32))
    devices.dealing.hand_over(devices.setup, "b", moved(devices, "b", "n"))
    assert devices.dealing.authors == ("a", "n", "c")
    devices.dealing.void(devices.setup)
    body = {"to": "x", "offer": devices.dealers["a"].offer(devices.dealing, "a"), "agreed": "", "deal": None, "key": None}
    devices.dealing.hand_over(devices.setup, "a", body)
    assert devices.dealing.authors == ("a", "n", "c"), "there is no deal to go on with"


def test_proofs_of_openings_and_leaves_are_checked_but_for_ones_own() -> None:
    devices = dealt()
    dealing = devices.dealing
    (first, second) = devices.dealers["a"].open(devices.state, dealing, dict(devices.dealers["a"].read(dealing, Faces())))
    play = decode(dealing.checker.group, b64decode(first[2]))
    leave = decode(dealing.checker.group, b64decode(str(devices.dealers["a"].leave(dealing, range(2, 6)))))
    assert isinstance(play, Play) and isinstance(leave, Leave)
    texts = [b64encode(encode(replace(one, proof=Proof(1, 2)))).decode() for one in (play, leave)]
    for own in ("", "b", "a"):
        dealing.checker.own = own
        opens, leaves = dealing.copy(), dealing.copy()
        if own == "a":
            assert len(opens.take_openings(devices.state, "a", [[*first[:2], texts[0]], second])) == 2
            leaves.leave(devices.setup, "a", {"sealed": texts[1]}, range(2, 6))
        else:
            assert key_of(opens.take_openings, devices.state, "a", [[*first[:2], texts[0]], second]) == "sealed.bad_share"
            assert key_of(leaves.leave, devices.setup, "a", {"sealed": texts[1]}, range(2, 6)) == "sealed.bad_share"


# ---- the next deck ----

def test_what_is_asked_behind_a_prepared_deck_counts_on_from_it() -> None:
    devices = dealt().prepare().ask(DECK, Shuffle((6, 7)), Shuffle((8,)))
    asked = devices.dealing.with_requests(devices.state).deal
    assert asked is not None and asked.handles == {9, 10, 11, 12, 13, 14}
    devices.settle()
    assert devices.state.requests == ()


def test_a_prepared_deck_becomes_the_deal_that_is_asked_for() -> None:
    devices = dealt().prepare()
    prepared = devices.dealing.next_deck
    assert prepared is not None and prepared.deal.number == 1 and set(prepared.deal.cards) == set(range(6))
    devices.ask(DECK)
    asked = devices.dealing.with_requests(devices.state)
    assert asked.has_answers and asked.deals == 2 and asked.next_deck is None
    assert asked.deal is not None and asked.deal.number == 1 and asked.deal.handles == set(asked.deal.cards) == set(range(6, 12))
    assert list(asked.deal.cards.values()) == list(prepared.deal.cards.values())
    assert devices.say("a", {}) == [None]
    devices.ask(Show((6,), 0), Open((7,))).settle()
    assert devices.state.requests == ()


def test_a_deck_that_is_half_prepared_is_gone_on_with() -> None:
    devices = dealt()
    for author in ("a", "b", "a"):
        body = devices.dealers[author].prepare(devices.dealing)
        assert body is not None
        devices.say(author, body)
    assert devices.dealers["a"].prepare(devices.dealing) is None, "it is another one's turn"
    devices.ask(DECK)
    asked = devices.dealing.with_requests(devices.state)
    assert not asked.has_answers and asked.deal is not None and asked.deal.handles == set(range(6, 12))
    assert devices.dealers["a"].duties(devices.state, devices.dealing) == []
    assert devices.dealers["b"].duties(devices.state, devices.dealing) == [sealed.ShuffleDuty(0)]
    devices.settle()
    assert devices.state.requests == ()
    assert devices.dealing.deal is not None and set(devices.dealing.deal.cards) == set(range(6, 12))


@pytest.mark.parametrize("what", ["faces", "authors", "seats", "void"])
def test_a_deck_that_does_not_fit_is_dropped_and_its_number_not_used_again(what: str) -> None:
    devices = dealt("a", "b", "b").prepare()
    prepared = devices.dealing.next_deck
    assert prepared is not None
    faces = FACES
    if what == "faces":
        faces = FACES[::-1]
    elif what == "authors":
        devices.dealing.change_player(devices.setup.with_seat(0, Seat("bot", "b")))
    elif what == "seats":
        devices.dealing.change_player(devices.setup.with_seat(2, Seat("bot", "a")))
    else:
        prepared.deal.void = sealed.Void(0, "sealed.bad_shuffle")
    devices.ask(Shuffle(faces=faces))
    asked = devices.dealing.with_requests(devices.state)
    assert asked.next_deck is None and not asked.has_answers and asked.deal is not None
    assert asked.deal.number == 2 and asked.deal.keys == {} and not asked.deal.cards


def test_only_messages_about_the_next_deck_are_said_early_each_in_its_turn() -> None:
    devices = dealt()
    early = devices.dealers["a"].prepare(devices.dealing)
    assert early is not None and devices.refusal("a", early) == ""
    assert devices.refusal("b", early) == "sealed.bad_key" and devices.refusal("c", early) == "sealed.stranger"
    for data in (b"\x03\x00", b"\x07\x00", b"", b"\x04\x00"):
        assert devices.refusal("a", {"ahead": b64encode(data).decode()}) == "sealed.not_due"
    assert devices.refusal("a", {"ahead": "?"}) == "sealed.malformed"
    devices.ask(Open((2,)))
    asked = devices.dealing.with_requests(devices.state)
    assert list(asked.read(devices.state, "a", early)) == [] and asked.last_results == ()
    assert asked.has_answers, "what waits to be delivered still waits"
    assert not asked.checker.early


def test_what_is_said_early_changes_no_copy() -> None:
    devices = dealt()
    early = devices.dealers["a"].prepare(devices.dealing)
    assert early is not None
    devices.say("a", early)
    twin = devices.dealing.copy()
    other = devices.dealers["b"].prepare(devices.dealing)
    assert other is not None
    devices.say("b", other)
    assert twin.next_deck is not None and set(twin.next_deck.deal.keys) == {0}
    assert devices.dealing.next_deck is not None and set(devices.dealing.next_deck.deal.keys) == {0, 1}


# ---- who is guilty ----

def false_turn(devices: Devices, author: str, name: str) -> dict[str, Any]:
    """The shuffle that ``author`` owes, with a proof that fails."""
    dealer = devices.dealers[author]
    body = dealer.prepare(devices.dealing) if name == "ahead" else owed(devices, author)
    assert body is not None
    said = decode(devices.dealing.checker.group, b64decode(str(body[name])))
    assert isinstance(said, ShuffleTurn)
    return {name: b64encode(encode(replace(said, proof=replace(said.proof, s1=5)))).decode()}


@pytest.mark.parametrize("guilty", ["a", "b"])
@pytest.mark.parametrize("name", ["sealed", "ahead"])
def test_a_false_shuffle_is_found_before_and_when_the_chain_is_complete(guilty: str, name: str) -> None:
    devices = dealt("a", "b", "c") if name == "ahead" else Devices("a", "b", "c").ask(DECK)

    def turn(author: str) -> dict[str, Any]:
        body = devices.dealers[author].prepare(devices.dealing) if name == "ahead" else owed(devices, author)
        assert body is not None
        return body

    for author in ("a", "b", "c"):
        devices.say(author, turn(author))
    assert devices.dealing.unfinished_guilty() is None
    for author in ("a", "b"):
        devices.say(author, false_turn(devices, author, name) if author == guilty else turn(author))
        assert devices.dealing.guilty is None
        assert devices.dealing.unfinished_guilty() == (guilty if author >= guilty else None)
    devices.say("c", turn("c"))
    assert devices.dealing.guilty == guilty


def test_nobody_is_guilty_of_a_deal_that_was_never_begun() -> None:
    assert Devices("a", "b").dealing.unfinished_guilty() is None
    assert dealt().prepare().dealing.unfinished_guilty() is None
    assert dealt().ask(Roll(6), Show((3,), 0)).dealing.unfinished_guilty() is None


def with_devices(devices: Devices, *names: str) -> Devices:
    """``devices`` and others, which follow."""
    devices.dealers |= {name: type(devices.dealers["a"])(name, name.encode().ljust(32, b".")) for name in names}
    return devices


def go_on(devices: Devices, old: str, new: str) -> None:
    devices.dealing.hand_over(devices.setup, old, moved(devices, old, new))


def with_keys(*names: str) -> Devices:
    """A deck is asked for, everybody has said a key, and nobody has shuffled yet."""
    devices = with_devices(Devices("a", "b", "c").ask(DECK), *names)
    for author in "abc":
        devices.say(author, owed(devices, author))
    return devices


@pytest.mark.parametrize("is_false", [False, True])
def test_whoever_shuffled_falsely_is_guilty_though_its_person_went_on_twice(*, is_false: bool) -> None:
    """Nobody answers for a shuffle of an older device, nor in the next deck for one of this."""
    devices = with_keys("m", "n")
    devices.say("a", false_turn(devices, "a", "sealed") if is_false else owed(devices, "a"))
    go_on(devices, "a", "m")
    go_on(devices, "m", "n")
    guilty = "a" if is_false else None
    assert devices.dealing.unfinished_guilty() == guilty
    for author in "bc":
        devices.say(author, owed(devices, author))
    assert (devices.dealing.guilty, devices.dealing.spoiled_decks) == (guilty, int(is_false))
    devices.dealing.void(devices.setup.with_seat(0, Seat("person", "n")))
    del devices.dealers["a"], devices.dealers["m"]
    devices.state.requests = ()
    devices.ask(DECK)
    for author in "nbc":
        devices.say(author, owed(devices, author))
    devices.say("n", false_turn(devices, "n", "sealed"))
    assert devices.dealing.unfinished_guilty() == "n"
    for author in "bc":
        devices.say(author, owed(devices, author))
    assert (devices.dealing.guilty, devices.dealing.spoiled_decks) == ("n", 1 + is_false)


def test_a_device_that_had_not_shuffled_yet_answers_for_nothing() -> None:
    devices = with_keys("n")
    devices.say("a", owed(devices, "a"))
    go_on(devices, "b", "n")
    devices.say("n", false_turn(devices, "n", "sealed"))
    assert devices.dealing.unfinished_guilty() == "n"
    devices.say("c", owed(devices, "c"))
    assert devices.dealing.guilty == "n"


def test_of_a_deck_that_is_prepared_the_device_is_guilty_that_shuffled_it() -> None:
    """The one that shuffled the deck under way at its place was another."""
    devices = with_keys("n")
    devices.say("a", owed(devices, "a"))
    go_on(devices, "a", "n")
    devices.dealing.change_player(devices.setup.with_seat(0, Seat("person", "n")))
    del devices.dealers["a"]
    for author in "bc":
        devices.say(author, owed(devices, author))
    for author in "nbc":
        early = devices.dealers[author].prepare(devices.dealing)
        assert early is not None
        devices.say(author, early)
    devices.say("n", false_turn(devices, "n", "ahead"))
    assert devices.dealing.unfinished_guilty() == "n"
    for author in "bc":
        early = devices.dealers[author].prepare(devices.dealing)
        assert early is not None
        devices.say(author, early)
    assert (devices.dealing.guilty, devices.dealing.spoiled_decks) == ("n", 1)
    body = {"sealed": devices.dealers["b"].leave(devices.dealing, {0, 1, 2, 3, 4, 5})}
    devices.dealing.leave(devices.setup, "b", body, {0, 1, 2, 3, 4, 5})
    assert devices.dealing.guilty is None, "that deck is dropped"


def test_where_something_else_is_asked_nobody_shuffled() -> None:
    """A device may go on elsewhere meanwhile."""
    devices = with_devices(dealt("a", "b", "c"), "n").ask(Roll(6), Show((3,), 1))
    devices.say("b", owed(devices, "b"))
    assert devices.dealing.deal is not None and devices.dealing.deal.requests
    go_on(devices, "a", "n")
    assert devices.dealing.unfinished_guilty() is None and devices.dealing.authors == ("n", "b", "c")
