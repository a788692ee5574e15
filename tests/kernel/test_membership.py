"""Who plays which seat and who goes, one statement at a time: what comes of it for seats, rules and dealing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletin.bots.determinize import deal_on
from tabletin.kernel.dealing import OpenDealing
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.log import Json, Statement
from tabletin.kernel.membership import (
    FOLDS,
    LATER,
    PLAYS_ON,
    VOID,
    deal_in,
    keep_promises,
    leaving,
    live,
    live_without,
    still_playing,
)
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Roll, Shuffle
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.snapshot import Snapshot
from tabletin.kernel.state import Event
from tests.support.highcard import HighCard, HighCardState

ADA, BOT = Seat("person", "ada", "Ada", "", "red"), Seat("bot", "ada", "Botty", "hard", "blue")
BO, CY = Seat("person", "bo", "Bo", "", "green"), Seat("person", "cy", "Cy", "", "brass")
PIP = Seat("bot", "bo", "Pip", "easy", "purple")


class ManyHands(HighCard):
    """Deals a void hand anew, and the next one as soon as somebody leaves this one."""

    several_hands = True

    def redeal(self, state: HighCardState) -> None:
        state.new_deck(self.deck(), "again")

    def play_without(self, state: HighCardState, seats: tuple[int, ...]) -> None:
        state.new_deck(self.deck(), "next")


class Noting(OpenDealing):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def copy(self) -> Noting:
        return self

    def void(self, setup: Setup) -> None:
        self.told.append(("void", setup))

    def change_player(self, setup: Setup) -> None:
        self.told.append(("change_player", setup))

    def hand_over(self, setup: Setup, author: str, body: dict[str, Json]) -> None:
        self.told.append(("hand_over", setup, author, body))

    def leave(self, setup: Setup, author: str, body: dict[str, Json], live: Collection[Card]) -> None:
        self.told.append(("leave", setup, author, body, live))


class Scene:
    """A dealt match of Ada, her bot, Bo and Cy, which Cy orders, and what somebody says in it."""

    def __init__(self, kind: type[HighCard] = HighCard, seats: tuple[Seat, ...] = (ADA, BOT, BO, CY)) -> None:
        self.rules: Rules[Any] = kind(len(seats))
        state = kind(len(seats)).start()
        deal_on(self.rules, state, Faces(), Random(1))
        setup = Setup("highcard", 1, {}, seats)
        self.dealing = Noting()
        self.now: Any = Snapshot(state, self.dealing, setup, "cy", voters=setup.people)
        self.now.state.events = []

    def say(self, kind: str, body: dict[str, Any], author: str = "ada", *, trusted: bool = False) -> None:
        FOLDS[kind](self.rules, self.now, Statement("a" * 64, author, 1, "b" * 64, kind, body), trusted)

    @property
    def events(self) -> list[Event]:
        return list(self.now.state.events)

    @property
    def keys(self) -> list[tuple[str, int | None]]:
        return [(event.key.removeprefix("kernel."), event.seat) for event in self.events]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(self.now.setup.seats)


# ---- seats ----

def test_another_player_takes_a_seat_at_once() -> None:
    scene = Scene()
    scene.say("seat", {"seat": 3, "to": PIP.to_json()})
    assert scene.seats == (ADA, BOT, BO, PIP) and not scene.now.promises
    assert scene.dealing.told == [("change_player", scene.now.setup)]
    assert scene.events == [Event("kernel.seat_taken", 3, {"name": "Pip", "kind": "bot"})]


def test_a_seat_is_promised_for_the_next_hand() -> None:
    scene = Scene()
    scene.say("seat", {"seat": 1, "to": CY.to_json(), "agreed": {}})
    scene.say("seat", {"seat": 3, "to": PIP.to_json(), "agreed": {}})
    assert scene.now.promises == {1: CY, 3: PIP} and scene.seats == (ADA, BOT, BO, CY) and scene.dealing.told == []
    assert scene.events == [Event("kernel.seat_promised", 1, {"name": "Cy"}), Event("kernel.seat_promised", 3, {"name": "Pip"})]
    scene.now.state.events.clear()
    scene.now.former_authors = frozenset({"cy", "dee"})
    keep_promises(scene.now)
    assert scene.seats == (ADA, CY, BO, PIP) and not scene.now.promises and scene.now.former_authors == {"dee"}
    assert scene.keys == [("seat_taken", 1), ("seat_taken", 3)] and len(scene.dealing.told) == 2
    keep_promises(scene.now)
    assert len(scene.events) == 2


@pytest.mark.parametrize("body", [{"seat": 3}, {"to": PIP.to_json()}, {"seat": 3, "to": PIP.to_json(), "more": 1},
                                  {"seat": 3, "to": None}, {"seat": 3, "to": {}}])
def test_a_change_of_player_has_its_form(body: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        Scene().say("seat", body)


def test_what_was_judged_once_is_only_applied() -> None:
    scene = Scene()
    scene.say("seat", {"seat": 3, "to": PIP.to_json(), "more": 1}, trusted=True)
    assert scene.seats[3] == PIP
    scene = Scene()
    scene.say("leave", {"order": "bo", "heir": "bo", "sealed": {}, "more": 1}, "cy", trusted=True)
    assert scene.now.orderer == "bo"


def test_who_lost_a_seat_last_by_which_statement() -> None:
    scene = Scene(ManyHands)
    said: list[tuple[str, dict[str, Any], str, str]] = [
        ("seat", {"seat": 3, "to": PIP.to_json()}, "cy", ""),
        ("seat", {"seat": 2, "to": CY.to_json(), "agreed": ""}, "bo", "bo"),
        ("leave", {"order": "bo", "heir": "bo", "sealed": None}, "cy", "cy"), ("device", {"to": "bo2"}, "bo", "bo"),
        ("gone", gone(heir="bo2", order="bo2"), "bo2", "ada")]
    for kind, body, author, loser in said:
        before, statement = scene.now.departures, Statement("a" * 64, author, 1, "b" * 64, kind, body)
        FOLDS[kind](scene.rules, scene.now, statement, True)
        assert scene.now.departures == ({**before, loser: statement.hash} if loser else before)
    assert scene.now.copy().departures == scene.now.departures and scene.now.departures.keys() == {"ada", "bo", "cy"}


def test_bots_begin_with_the_next_hand() -> None:
    scene = Scene(seats=(PIP, ADA, BOT, BO))
    deal_in(scene.now, frozenset({2, 1, 0}))
    assert scene.keys == [("bot_plays", 0), ("bot_plays", 2)]


# ---- devices, orders and epochs ----

def test_a_person_goes_on_from_another_device() -> None:
    scene = Scene()
    scene.now.passed_over = frozenset({"ada", "bo"})
    scene.say("device", {"to": "ada2", "key": 7})
    assert scene.seats == (replace(ADA, author="ada2"), replace(BOT, author="ada2"), BO, CY)
    assert scene.keys == [("device", 0)], "of a bot nobody says that"
    assert (scene.now.voters, scene.now.passed_over, scene.now.orderer) == ({"ada2", "bo", "cy"}, {"ada2", "bo"}, "cy")
    assert scene.dealing.told == [("hand_over", scene.now.setup, "ada", {"to": "ada2", "key": 7})]
    assert scene.now.departures.keys() == {"ada"}


def test_the_order_goes_with_the_device() -> None:
    scene = Scene()
    scene.now.voters = frozenset({"ada", "bo"})
    scene.say("device", {"to": "cy2"}, "cy")
    assert (scene.now.orderer, scene.now.voters, scene.now.passed_over) == ("cy2", {"ada", "bo"}, frozenset())
    with pytest.raises(Malformed):
        scene.say("device", {"to": 5}, "cy2")


def test_the_order_passes_on() -> None:
    scene = Scene()
    scene.say("order", {"to": "bo"})
    assert scene.now.orderer == "bo"
    with pytest.raises(Malformed):
        scene.say("order", {})


def test_an_epoch_begins_and_who_ordered_is_passed_over() -> None:
    scene = Scene()
    for to, epoch, passed_over in (("bo", 1, {"cy"}), ("ada", 2, {"cy", "bo"}), ("ada", 3, {"cy", "bo"})):
        scene.say("pass", {"order": to, "epoch": epoch})
        assert (scene.now.orderer, scene.now.epoch, scene.now.passed_over) == (to, epoch, passed_over)
    assert scene.dealing.told == [] == scene.events


# ---- somebody gone ----

def gone(peer: str = "ada", then: str = "bot", **more: Any) -> dict[str, Any]:
    return {"peer": peer, "then": then, "heir": "bo", "order": "bo", "epoch": 3, **more}


@pytest.mark.parametrize("kind", [HighCard, ManyHands])
def test_bots_play_for_who_is_gone_and_the_hand_is_void(kind: type[HighCard]) -> None:
    scene = Scene(kind)
    scene.now.former_authors, scene.now.promises = frozenset({"dee"}), {2: ADA, 3: BO}
    scene.now.state.requests = (Roll(6),)
    scene.say("gone", gone())
    bots = (Seat("bot", "bo", "Ada", "medium", "red"), Seat("bot", "bo", "Botty", "hard", "blue"))
    assert scene.seats == (*bots, BO, CY) and scene.keys == [("gone", 0), ("gone", 1)]
    assert (scene.now.former_authors, scene.now.promises) == ({"dee", "ada"}, {3: BO})
    assert (scene.now.orderer, scene.now.epoch) == ("bo", 3)
    assert scene.dealing.told == [("void", scene.now.setup)]
    state = scene.now.state
    again = (Shuffle((), scene.rules.deck(), "again"),)
    assert (state.requests, state.broken_off) == ((again, False) if kind is ManyHands else ((), True))


@pytest.mark.parametrize("kind", [HighCard, ManyHands])
def test_a_match_ends_to_go_on_without_who_is_gone(kind: type[HighCard]) -> None:
    scene = Scene(kind)
    scene.now.state.requests = (Roll(6),)
    scene.say("gone", {"peer": "ada", "then": "without", "order": "cy"})
    assert scene.seats == (ADA, BOT, BO, CY) and scene.keys == [("gone_without", 0), ("gone_without", 1)]
    assert (scene.now.former_authors, scene.now.orderer, scene.now.epoch) == ({"ada"}, "cy", 0)
    assert scene.dealing.told == [("void", scene.now.setup)]
    assert (scene.now.state.requests, scene.now.state.broken_off) == ((), True)


def test_an_older_log_names_no_epoch() -> None:
    scene = Scene()
    scene.now.epoch = 2
    body = gone()
    del body["epoch"]
    scene.say("gone", body)
    assert scene.now.epoch == 2


# ---- somebody leaves ----

LEAVE: dict[str, Any] = {"order": "bo", "heir": "bo", "sealed": {"last": 1}}


def test_what_is_dealt_goes_on_without_who_leaves() -> None:
    scene = Scene()
    hands = scene.now.state.hands
    scene.say("leave", LEAVE)
    state = scene.now.state
    assert scene.seats[:2] == (Seat("bot", "bo", "Ada", "medium", "red"), Seat("bot", "bo", "Botty", "hard", "blue"))
    assert (scene.now.orderer, scene.now.former_authors, state.absentees) == ("bo", {"ada"}, {0, 1})
    assert scene.keys[:2] == [("left", 0), ("left", 1)] and "bot_plays" not in str(scene.keys)
    left, = scene.dealing.told
    assert left == ("leave", scene.now.setup, "ada", LEAVE, live(scene.rules, state))
    assert state.hands == ((), (), *hands[2:]) and not state.broken_off


def test_a_hand_that_ends_with_a_leave_is_followed_by_the_next() -> None:
    scene = Scene(ManyHands)
    scene.say("leave", LEAVE)
    assert scene.keys == [("left", 0), ("left", 1), ("bot_plays", 0), ("bot_plays", 1)]
    assert scene.now.state.requests == (Shuffle((), scene.rules.deck(), "next"),)


@pytest.mark.parametrize(("kind", "key"), [(HighCard, "left_over"), (ManyHands, "gone")])
def test_a_hand_that_cannot_go_on_is_void(kind: type[HighCard], key: str) -> None:
    scene = Scene(kind, (ADA, BOT, BO))
    scene.now.orderer = "bo"
    scene.say("leave", {**LEAVE, "sealed": None})
    assert scene.keys == [(key, 0), (key, 1)] and scene.dealing.told == [("void", scene.now.setup)]
    assert scene.seats[0].is_bot and scene.now.former_authors == {"ada"} and scene.now.state.absentees == frozenset()
    assert scene.now.state.broken_off is (kind is HighCard)


def test_a_leave_that_does_not_fit_is_refused() -> None:
    for body in ({**LEAVE, "more": 1}, {"order": "bo", "heir": "bo"}, {**LEAVE, "heir": 5}, {**LEAVE, "order": None}):
        with pytest.raises(Malformed):
            Scene().say("leave", body)
    with pytest.raises(Refused, match="leave_form"):
        Scene().say("leave", {**LEAVE, "sealed": None})
    with pytest.raises(Refused, match="leave_form"):
        Scene(seats=(ADA, BO)).say("leave", LEAVE)
    scene = Scene()
    scene.now.state.requests = (Roll(6),)
    for body in (LEAVE, {**LEAVE, "sealed": None}):
        with pytest.raises(Refused, match="leave_later"):
            scene.say("leave", body)


def test_what_comes_of_a_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    rules, now = scene.rules, scene.now
    assert [leaving(rules, now, author) for author in ("ada", "bo", "cy")] == [PLAYS_ON] * 3
    now.state.requests = (Roll(6),)
    assert [leaving(rules, now, author) for author in ("ada", "bo", "cy")] == [LATER] * 3
    now.state.absentees = frozenset({3})
    assert [leaving(rules, now, author) for author in ("ada", "bo", "cy")] == [VOID, LATER, LATER], "one alone plays no hand"
    now.state.requests = ()
    assert [leaving(rules, now, author) for author in ("ada", "bo", "cy")] == [VOID, PLAYS_ON, PLAYS_ON]
    now.former_authors = frozenset({"cy"})
    assert leaving(rules, now, "bo") == VOID, "a single device would hold all keys"
    now.state.requests = (Roll(6),)
    assert leaving(rules, now, "bo") == VOID
    scene = Scene()
    scene.now.state.done = True
    assert leaving(scene.rules, scene.now, "bo") == VOID, "it is over"
    monkeypatch.setattr(HighCard, "plays_on", False)
    scene = Scene()
    assert leaving(scene.rules, scene.now, "bo") == VOID
    scene.now.state.requests = (Roll(6),)
    assert leaving(scene.rules, scene.now, "bo") == VOID, "nor later"


def test_which_seats_and_cards_are_concerned() -> None:
    scene = Scene()
    before = scene.now.state.copy()
    everything = frozenset(range(12))
    assert live(scene.rules, scene.now.state) == everything
    assert live_without(scene.rules, scene.now, "ada") == everything - {*before.hands[0], *before.hands[1]}
    assert scene.now.state == before
    assert still_playing(scene.now, "ada") == (0, 1)
    scene.now.state.absentees = frozenset({1, 2})
    assert [still_playing(scene.now, author) for author in ("ada", "bo", "cy", "eve")] == [(0,), (), (3,), ()]
