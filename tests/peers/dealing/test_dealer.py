"""The driving half of dealing: one device says what it owes and reads what it may, whatever it is asked."""

from __future__ import annotations

from base64 import b64decode

import pytest

from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import ALL, Open, Roll, Show, Shuffle
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.sealed import handover
from tabletin.peers.sealed.messages import Key, ShuffleTurn, decode
from tabletin.peers.sealed.requests import KeyDuty
from tests.support.dealing_devices import FACES, Devices

DECK = Shuffle(faces=FACES)


def dealt(*seats: str) -> Devices:
    """A deck; cards 0 and 1 with the first seat, 2 open, 3 with the second."""
    devices = Devices(*(seats or ("a", "b"))).ask(DECK).settle()
    return devices.ask(Show((0, 1), 0), Show((2,), ALL), Show((3,), 1)).settle()


def test_who_has_no_part_says_nothing_and_reads_nothing() -> None:
    """A spectator, or anybody before the first deck."""
    devices, stranger = dealt(), SealedDealer("s", bytes(32))
    live = range(6)
    for dealer, dealing in ((stranger, devices.dealing), (devices.dealers["a"], Devices("a", "b").dealing)):
        assert not dealer.takes_part(dealing) and dealer.prepare(dealing) is None and dealer.leave(dealing, live) is None
        assert dealer.read(dealing, Faces()) == {}
    devices.ask(Show((4,), ALL))
    assert stranger.duties(devices.state, devices.dealing) == []
    assert len(devices.dealers["a"].duties(devices.state, devices.dealing)) == 1


def test_a_device_reads_its_own_cards_once_everybody_else_has_shared_them() -> None:
    devices = dealt()
    known = {author: dealer.read(devices.dealing, Faces()) for author, dealer in devices.dealers.items()}
    assert known["a"].keys() == {0, 1} and known["b"].keys() == {3}
    assert len({*known["a"].values(), *known["b"].values()}) == 3
    some = Faces({0: known["a"][0]})
    assert devices.dealers["a"].read(devices.dealing, some).keys() == {1}
    assert devices.dealers["a"].read(devices.dealing, known["a"]) == {}
    devices.ask(Show((4, 5), 0))
    devices.dealing._take_in(devices.state)
    assert devices.dealers["a"].read(devices.dealing, known["a"]) == {}, "b has not shared them"
    devices.settle()
    assert devices.dealers["a"].read(devices.dealing, known["a"]).keys() == {4, 5}
    devices.ask(Open((0,))).settle(silent="a")
    assert devices.dealers["a"].read(devices.dealing, Faces()).keys() == {0, 1, 4, 5}
    devices.settle()
    assert devices.dealers["a"].read(devices.dealing, Faces()).keys() == {1, 4, 5}


def test_what_is_to_be_shown_to_all_is_read_by_nobody_before() -> None:
    """Not even by who is the last to share it."""
    devices = dealt().ask(Show((4,), ALL)).settle(silent="a")
    for author, own in (("a", {0, 1}), ("b", {3})):
        assert devices.dealers[author].read(devices.dealing, Faces()).keys() == own


def test_before_all_keys_are_there_nothing_is_read_and_only_keys_are_owed() -> None:
    devices = Devices("a", "b").ask(DECK)
    dealer = devices.dealers["a"]
    devices.say("a", dealer.fulfil(devices.state, devices.dealing, dealer.duties(devices.state, devices.dealing)[0]))
    assert dealer.read(devices.dealing, Faces()) == {} and dealer.takes_part(devices.dealing)
    assert dealer.duties(devices.state, devices.dealing) == []
    (duty,) = devices.dealers["b"].duties(devices.state, devices.dealing)
    said = devices.dealers["b"].fulfil(devices.state, devices.dealing, duty)
    assert isinstance(decode(devices.dealing.checker.group, b64decode(str(said["sealed"]))), Key)


def test_each_device_prepares_the_next_deck_in_its_turn() -> None:
    devices = dealt()
    kinds = []
    for author in ("a", "b", "a", "b"):
        body = devices.dealers[author].prepare(devices.dealing)
        assert body is not None
        kinds.append(type(decode(devices.dealing.checker.group, b64decode(str(body["ahead"])))))
        devices.say(author, body)
    assert kinds == [Key, Key, ShuffleTurn, ShuffleTurn]
    assert all(dealer.prepare(devices.dealing) is None for dealer in devices.dealers.values())
    later = dealt("a", "b")
    later.dealing.change_player(later.setup.with_seat(1, later.setup.seats[0]))
    assert later.dealers["b"].prepare(later.dealing) is None, "it has no seat in the next hand"
    assert later.dealers["a"].prepare(later.dealing) is not None


def test_only_what_needs_no_message_is_idle() -> None:
    devices = dealt()
    dealer = devices.dealers["a"]
    assert not dealer.idle(devices.state, devices.dealing)
    devices.ask(Open((2,)))
    assert dealer.idle(devices.state, devices.dealing)
    devices.settle().ask(Roll(6))
    assert not dealer.idle(devices.state, devices.dealing)


def test_openings_carry_one_message_with_the_first_card() -> None:
    devices = dealt()
    known = devices.dealers["a"].read(devices.dealing, Faces())
    openings = devices.dealers["a"].open(devices.state, devices.dealing, {1: known[1], 0: known[0]})
    assert [opening[:2] for opening in openings] == [[0, known[0]], [1, known[1]]]
    assert [len(opening) for opening in openings] == [3, 2]


def test_the_offer_of_a_device_is_for_one_match_and_one_other_device(monkeypatch: pytest.MonkeyPatch) -> None:
    devices = dealt("a", "b", "c")
    dealer = devices.dealers["c"]
    offers = {dealer.offer(devices.dealing, author) for author in ("a", "b")}
    offers.add(devices.dealers["b"].offer(devices.dealing, "a"))
    assert len(offers) == 3
    offer = dealer.offer(devices.dealing, "a")
    secret = handover.offer_secret(b"c".ljust(32, b"."), (devices.dealing.match, b"a"))
    group = devices.dealing.checker.group
    assert b64decode(offer) == group.sum([(secret, group.base)])
    for wrong in ("?", "AAAA", offer[:-4]):
        with pytest.raises(Refused, match=r"sealed\.malformed"):
            devices.dealers["a"].hand_over(devices.dealing, wrong)


def test_where_the_deal_is_void_nobody_has_a_part_in_it() -> None:
    devices = dealt()
    devices.dealing.void(devices.setup)
    for dealer in devices.dealers.values():
        assert not dealer.takes_part(devices.dealing) and dealer.read(devices.dealing, Faces()) == {}
        assert dealer.hand_over(devices.dealing, dealer.offer(devices.dealing, "a")) == (None, None)


def test_one_device_goes_on_for_others_in_two_matches() -> None:
    """What it unwrapped for one is not taken for the other's."""
    new = SealedDealer("n", bytes(32))
    read = []
    for seed in (b"one", b"two"):
        devices = Devices("a", "b")
        devices.dealers["a"] = SealedDealer("a", seed.ljust(32))
        devices.ask(DECK).settle().ask(Show((0,), 0)).settle()
        known = devices.dealers["a"].read(devices.dealing, Faces())
        offered = new.offer(devices.dealing, "a")
        number, key = devices.dealers["a"].hand_over(devices.dealing, offered)
        devices.dealing.hand_over(devices.setup, "a", {"to": "n", "offer": offered, "deal": number, "key": key})
        for _ in range(2):
            assert new.takes_part(devices.dealing) and new.read(devices.dealing, Faces()) == known
        read.append(known)
    assert len(read) == 2


def test_a_device_goes_on_before_the_key_of_the_deal_was_said() -> None:
    devices = Devices("a", "b").ask(DECK)
    devices.dealers["n"] = SealedDealer("n", bytes(32))
    devices.say("b", devices.dealers["b"].fulfil(devices.state, devices.dealing, KeyDuty()))
    offered = devices.dealers["n"].offer(devices.dealing, "a")
    number, key = devices.dealers["a"].hand_over(devices.dealing, offered)
    devices.dealing.hand_over(devices.setup, "a", {"to": "n", "offer": offered, "deal": number, "key": key})
    assert devices.dealers["n"].takes_part(devices.dealing)
    del devices.dealers["a"]
    devices.settle()
    assert devices.state.requests == ()
