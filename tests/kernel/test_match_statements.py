"""Each kind of statement in a match: the form it has, what it is refused for, what it leads to and what it tells."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import Any

import pytest

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Card
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.requests import Roll, Show, Shuffle
from tabletin.kernel.rules import Outcome
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.snapshot import Snapshot
from tabletin.kernel.state import Event
from tabletin.kernel.table import AUTHOR, Table
from tabletin.kernel.trusted_match import follow, trusted_match
from tests.support.highcard import HighCard, HighCardState


class Small(HighCard):
    """Only cards up to six may be laid; what times out is a move that nobody may make."""

    def verdict(self, state: HighCardState, seat: int, move: Move) -> Refusal | None:
        if move[0] == "lay" and int(state.public[move[1]]) > 6:
            return Refusal("small.too_high")
        return super().verdict(state, seat, move)

    def default(self, state: HighCardState, seat: int) -> Move | None:
        return ("low", 99)


class Patient(HighCard):
    """Times nobody out, and opens two cards with each."""

    def default(self, state: HighCardState, seat: int) -> Move | None:
        return None

    def opens(self, state: HighCardState, seat: int, move: Move) -> tuple[Card, ...]:
        return state.hands[seat] if move[0] == "lay" else ()


class Curt(HighCard):
    """Over with the first card that is laid, and nothing is opened then."""

    def outcome(self, state: HighCardState) -> Outcome | None:
        return Outcome(state.points, (0,), "highcard.over") if state.laid else None


class PassesWhenLate(HighCard):
    """Who is timed out keeps its cards, and nothing is dealt."""

    def apply(self, state: HighCardState, seat: int, move: Move) -> None:
        if move[0] == "low":
            self._go_on(state, seat)
        else:
            super().apply(state, seat, move)


class ManyHands(HighCard):
    several_hands = True

    def redeal(self, state: HighCardState) -> None:
        state.new_deck(self.deck())


def begun(kinds: str = "pp", rules: type[HighCard] = HighCard, seed: int = 1) -> Table:
    seats = tuple(Seat("person" if kind == "p" else "bot", AUTHOR) for kind in kinds)
    return Table.begin(rules, Setup("highcard", 1, {"turns": 3}, seats), OpenDealer(Random(seed)))


def key_of(match: Match, kind: str, body: dict[str, Any]) -> str:
    """Why this may not be said now; "" if it may."""
    refusal = match.refusal(match.propose(AUTHOR, kind, body))
    return "" if refusal is None else refusal.key.removeprefix("kernel.")


def laid(match: Match, seat: int | None = None) -> dict[str, Any]:
    """What a seat, by default the one to act, says to lay its first card."""
    seat = match.state.turn if seat is None else seat
    card = match.state.hands[seat][0]
    return {"seat": seat, "do": ["lay", card], "open": [[card, match.knowledge[card]]]}


def last_events(table: Table) -> list[Event]:
    return table.match.events(len(table.match.entries) - 1)


# ---- the form of what is said ----

@pytest.mark.parametrize(("kind", "body"), [
    ("resign", {"seat": 0}), ("timeout", {"seat": 0}), ("timeout", {"seat": 0, "agreed": []}), ("consent", {"seat": 0, "to": 1}),
    ("seat", {"seat": 0, "to": Seat("bot", AUTHOR).to_json()}), ("undo", {"seat": 0, "to": 5}),
    ("undo", {"seat": 0, "to": 5, "practice": True})])
def test_a_statement_has_its_form_and_nothing_more(kind: str, body: dict[str, Any]) -> None:
    table = begun("pb", seed=4)
    match = table.match
    while match.state.turn != 0:
        table.move(1, ("lay", match.state.hands[1][0]))
    table.consent(0, 1)
    if kind == "undo":
        body = {**body, "to": len(match.entries) - 2}
    assert key_of(match, kind, body) == ""
    assert key_of(match, kind, {**body, "more": 1}) == "malformed"
    for left in body.keys() - {"agreed", "practice"}:
        assert key_of(match, kind, {name: value for name, value in body.items() if name != left}) in ("malformed", "no_seat")


@pytest.mark.parametrize("change", [
    {"more": 1}, {"open": None}, {"open": "ab"}, {"open": {}}, {"open": ["ab"]}, {"open": [[0, "1"], 5]}, {"do": "lay"},
    {"do": ["dance"]}, {"do": ["lay"]}, {"do": None}])
def test_a_move_of_another_form_is_malformed(change: dict[str, Any]) -> None:
    match = begun().match
    body = laid(match)
    assert key_of(match, "move", body) == key_of(match, "move", {**body, "open": tuple(map(tuple, body["open"]))}) == ""
    assert key_of(match, "move", {**body, **change}) == "malformed"
    for left in ("do", "open"):
        assert key_of(match, "move", {name: value for name, value in body.items() if name != left}) == "malformed"


def test_a_genesis_stands_first_only() -> None:
    match = begun().match
    assert key_of(match, "genesis", match.entries[0].statement.body) == "log.genesis_again"


# ---- moves ----

def test_a_move_opens_exactly_what_it_needs() -> None:
    match = begun().match
    body = laid(match)
    seat, card = body["seat"], body["do"][1]
    other = match.state.hands[seat][1]
    for openings in ([], [[other, match.knowledge[other]]], [*body["open"], [other, match.knowledge[other]]]):
        assert key_of(match, "move", {**body, "open": openings}) == "opening.set"
    snapshot = match.judge(match.propose(AUTHOR, "move", body))
    assert snapshot.openings == {card: match.knowledge[card]} and snapshot.state.public[card] == match.knowledge[card]


def test_a_move_opens_only_what_is_not_public_yet() -> None:
    table = begun("pb", Patient)
    match = table.match
    while match.state.turn != 0:
        table.move(1, ("lay", match.state.hands[1][0]))
    first, second = match.state.hands[0]
    back = len(match.entries) - 1
    table.move(0, ("lay", first))
    assert match.state.public.keys() >= {first, second}
    table.undo(0, back)
    assert key_of(match, "move", {"seat": 0, "do": ["lay", first], "open": []}) == ""
    assert key_of(match, "move", {"seat": 0, "do": ["lay", first], "open": [[first, match.knowledge[first]]]}) == "opening.set"


def test_a_move_that_the_rules_refuse_is_refused_by_a_view_as_well() -> None:
    seen = set()
    for seed in range(10):
        match = begun(rules=Small, seed=seed).match
        body, before = laid(match), match.state.copy()
        seat, move = body["seat"], tuple(body["do"])
        is_high = int(match.knowledge[move[1]]) > 6
        assert key_of(match, "move", body) == ("small.too_high" if is_high else "")
        assert match.view((seat,)).refusal(seat, move) == (Refusal("small.too_high") if is_high else None)
        assert match.state == before, "nothing was opened"
        seen.add(is_high)
    assert seen == {True, False}


def test_a_view_says_why_a_move_may_not_be_made() -> None:
    match = begun().match
    seat: int = match.state.turn
    view, card = match.view((seat,)), match.state.hands[seat][0]
    anothers = match.state.hands[1 - seat][0]
    for wrong, who, key in ((("dance",), seat, "malformed"), (5, seat, "malformed"), (("lay", card), 7, "no_seat"),
                            (("lay", card), -1, "no_seat"), (("lay", anothers), 1 - seat, "unknown_card"),
                            (("lay", 99), seat, "unknown_card"), (("lay", match.state.pile[0]), seat, "not_yours")):
        refusal = view.refusal(who, wrong)
        assert refusal is not None and refusal.key == f"kernel.{key}"
    assert view.refusal(seat, ["lay", card]) is None
    for nobody in (-1, 2):
        with pytest.raises(Refused, match="no_seat"):
            view.prepare(nobody, ("lay", card))
    assert set(view.moves(seat)) >= {("lay", one) for one in match.state.hands[seat]}
    assert view.prepare(seat, ["lay", card]) == (("lay", card), {card: match.knowledge[card]})


def test_one_face_that_is_not_known_is_enough() -> None:
    match = begun(rules=Patient).match
    seat = match.state.turn
    first, second = match.state.hands[seat]
    for unknown in (first, second):
        match.knowledge.pop(unknown)
        refusal = match.view((seat,)).refusal(seat, ("lay", first))
        assert refusal is not None and refusal.key == "kernel.unknown_card"
        match.knowledge[unknown] = "1"


def test_a_false_claim_is_no_move_of_ones_own_page() -> None:
    refused = set()
    for seed in range(10):
        match = begun(seed=seed).match
        seat = match.state.turn
        could = match.view((seat,)).refusal(seat, ("low", match.state.hands[seat][0])) is None
        assert could is all(int(match.knowledge[card]) <= 6 for card in match.state.hands[seat])
        refused.add(could)
    assert refused == {True, False}


# ---- deals ----

def test_what_a_deal_shows_to_all_is_noted_as_opened() -> None:
    match = begun().match
    opened = [snapshot.openings for _, snapshot, _ in match.steps()]
    card, = (card for card in match.state.public)
    assert opened == [{}, {}, {}, {}, {card: match.state.public[card]}, {}]


def test_an_entry_that_answers_twice_opens_what_both_did() -> None:
    """Of a match whose deals somebody else has verified, one may answer several requests."""
    whole = begun().match
    match = trusted_match(HighCard, whole.entries[0])
    follow(match, Entry.create(1, match.head, match.propose(AUTHOR, "deal", {})), (None,))
    show, roll = Show((4,), -1), Roll(2)
    match.snapshot.state.requests = (show, Show((5,), -1), roll)
    follow(match, Entry.create(2, match.head, match.propose(AUTHOR, "deal", {})), (("3",), ("4",), 1))
    assert match.snapshot.openings == {4: "3", 5: "4"} and match.state.requests == () and match.state.turn == 0


# ---- timeouts, resignations, the end ----

def test_a_timeout_is_for_who_may_act_and_has_a_move() -> None:
    table = begun()
    seat = table.match.state.turn
    assert key_of(table.match, "timeout", {"seat": 1 - seat}) == key_of(table.match, "timeout", {"seat": 7}) == "no_timeout"
    assert key_of(begun(rules=Patient).match, "timeout", {"seat": seat}) == "no_timeout"
    assert key_of(begun(rules=Small).match, "timeout", {"seat": seat}) == "not_yours"
    hand = table.match.state.hands[seat]
    table.time_out(seat)
    assert table.match.events(6) == [Event("kernel.timed_out", seat), Event("highcard.low", seat)]
    assert table.match.state.hands[seat] == hand[1:]


def test_giving_up_is_told_and_nothing_else_is_said_afterwards() -> None:
    table = begun()
    body = laid(table.match)
    table.resign(1)
    assert last_events(table) == [Event("kernel.gave_up", 1)] and table.match.state.resigner == 1
    for kind, said in (("move", body), ("timeout", {"seat": body["seat"]}), ("resign", {"seat": 0}), ("deal", {}),
                       ("seat", {"seat": 0, "to": Seat("bot", AUTHOR).to_json()})):
        assert key_of(table.match, kind, said) == "over"
    assert key_of(table.match, "consent", {"seat": 0, "to": 1}) == ""
    assert key_of(table.match, "undo", {"seat": 0, "to": 5}) == "over", "the undo's own"


@pytest.mark.parametrize(("extra", "refusal"), [({}, ""), ({"protocol": 2}, ""), ({"protocol": 3}, "over")])
def test_among_peers_nothing_takes_an_end_back(extra: dict[str, Any], refusal: str) -> None:
    """On one device, and in older logs, it may be: the entry that ends it needs nobody's consent but that of other people."""
    setup = Setup("highcard", 1, {"turns": 3}, (Seat("person", AUTHOR), Seat("bot", AUTHOR)), extra=extra)
    table = Table.begin(Curt, setup, OpenDealer(Random(1)))
    turned: Any = table.match.snapshot.state
    turned.turn = 0
    table.move(0, ("lay", table.match.state.hands[0][0]))
    match, before = table.match, len(table.match.entries) - 2
    assert match.outcome is not None
    for kind, body in (("consent", {"seat": 0, "to": before}), ("undo", {"seat": 0, "to": before}),
                       ("undo", {"seat": 0, "to": before, "practice": True})):
        assert key_of(match, kind, body) == refusal
    for practice in (False, True):
        found = match.undo_refusal(0, before, practice=practice)
        assert ("" if found is None else found.key.removeprefix("kernel.")) == refusal


def test_what_is_asked_when_a_match_ends_is_never_answered() -> None:
    table = Table.undealt(HighCard, Setup("highcard", 1, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(1)))
    assert table.match.state.requests
    table.resign(0)
    assert table.match.state.requests == () and table.settle() == []


# ---- consents ----

def test_consents_gather_until_anything_else_happens() -> None:
    table = begun("ppp")
    for seat, to in ((0, 1), (1, 1), (1, 5)):
        table.consent(seat, to)
    assert set(table.match.snapshot.consents) == {(0, 1), (1, 1), (1, 5)}
    table.move(table.match.state.turn, ("lay", table.match.state.hands[table.match.state.turn][0]))
    assert not table.match.snapshot.consents


def test_consents_without_end_take_no_more_room_than_they_are_written_in() -> None:
    """Many snapshots are kept, and each holds all consents so far: a file of twelve megabytes would have filled gigabytes."""
    table = begun("pp")
    gained = []
    for _ in range(2):
        tracemalloc.start()
        for number in range(1_000):
            table.consent(number % 2, len(table.match.entries) - 1)
        gained.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert gained[1] < 1.5 * gained[0]
    assert len(table.match.snapshot.consents) == 2_000 and (0, 1) not in table.match.snapshot.consents


def test_a_consent_is_to_an_entry_that_is_there() -> None:
    match = begun().match
    last = len(match.entries) - 1
    assert [key_of(match, "consent", {"seat": 0, "to": to}) for to in (0, last, last + 1)] == ["", "", "undo.target"]
    assert key_of(match, "consent", {"seat": 0, "to": -1}) == "malformed"


# ---- undo ----

@pytest.mark.parametrize(("extra", "refusal"), [({}, None), ({"protocol": 1}, None),
                                                ({"protocol": 2}, Refusal("kernel.undo.consent")),
                                                ({"protocol": 3}, Refusal("kernel.undo.consent"))])
def test_among_peers_a_timeout_is_taken_back_with_consent(extra: dict[str, Any], refusal: Refusal | None) -> None:
    seats = (Seat("person", AUTHOR), Seat("person", AUTHOR))
    table = Table.begin(PassesWhenLate, Setup("highcard", 1, {"turns": 3}, seats, extra=extra), OpenDealer(Random(1)))
    match, seat, back = table.match, table.match.state.turn, len(table.match.entries) - 1
    table.time_out(seat)
    assert match.undo_refusal(seat, back) == refusal
    assert match.undo_refusal(seat, len(match.entries)) == Refusal("kernel.undo.target"), "what cannot be says so first"
    table.say("consent", {"seat": 1 - seat, "to": back})
    assert match.undo_refusal(seat, back) is None


def test_whatever_else_forbids_an_undo_is_said_before_a_consent_is_asked_for() -> None:
    seats = (Seat("person", AUTHOR), Seat("person", AUTHOR))
    table = Table.begin(PassesWhenLate, Setup("highcard", 1, {"turns": 3}, seats, extra={"protocol": 2}), OpenDealer(Random(1)))
    seat, back = table.match.state.turn, len(table.match.entries) - 1
    table.time_out(seat)
    table.resign(1 - seat)
    assert table.match.undo_refusal(seat, back) == Refusal("kernel.over")


def test_an_undo_is_told_and_may_be_asked_about_before() -> None:
    table = begun("pb")
    match = table.match
    while match.state.turn != 0:
        table.move(1, ("lay", match.state.hands[1][0]))
    back = len(match.entries) - 1
    table.move(0, ("lay", match.state.hands[0][0]))
    table.move(1, ("lay", match.state.hands[1][0]))
    assert match.undo_refusal(0, back) is None and match.undo_refusal(0, 1) == Refusal("kernel.undo.target")
    assert match.undo_refusal(0, 5, practice=True) is None
    table.undo(0, back)
    assert last_events(table) == [Event("kernel.undone", 0, {"practice": False})] and match.state.events is None
    assert match.state.practice is False and match.state.requests == ()


def test_practice_is_asked_for_by_name_and_stays() -> None:
    table = begun("pb")
    match = table.match
    while match.state.turn != 0:
        table.move(1, ("lay", match.state.hands[1][0]))
    back = len(match.entries) - 1
    table.time_out(0)
    assert match.undo_refusal(0, back) == Refusal("kernel.undo.chance")
    for odd in (1, "yes", False, None):
        assert key_of(match, "undo", {"seat": 0, "to": back, "practice": odd}) == "undo.chance"
    table.undo(0, back, practice=True)
    assert match.events(back + 3) == [Event("kernel.undone", 0, {"practice": True})] and match.state.practice is True
    here = len(match.entries) - 1
    table.move(0, ("lay", match.state.hands[0][0]))
    table.undo(0, here)
    assert match.state.practice is True, "also behind an undo that is none"


def undone(match: Match, now: Snapshot, to: int) -> HighCardState:
    """The state behind an undo of seat 0 to entry ``to``, in a snapshot that is made up."""
    statement = match.propose(AUTHOR, "undo", {"seat": 0, "to": to})
    match._fold(now, statement, None)
    assert isinstance(now.state, HighCardState)
    return now.state


def test_what_was_known_stays_known_and_handles_stay_used() -> None:
    match = begun().match
    then: Any = match.snapshot_at(5).state
    now: Any = match.snapshot.copy()
    now.state.public |= {0: "9", 11: "8", 12: "7", 13: "6"}
    now.state.viewers = {0: 2, 10: 1, 11: 0, 12: 1, 13: 3}
    now.state.next_card, now.state.turn = 14, 5
    assert then.next_card == 12 and then.viewers[0] == 1
    state = undone(match, now, 5)
    assert state.public == {**then.public, 0: "9", 11: "8"}
    assert state.viewers == {**then.viewers, 0: 3, 10: 1, 11: 0}
    assert (state.next_card, state.turn, state.practice) == (14, then.turn, False)
    assert match.snapshot_at(5).state == then


# ---- who plays ----

def test_what_is_promised_is_kept_with_the_next_deck_and_who_was_passed_over_orders_again() -> None:
    setup = Setup("highcard", 1, {}, (Seat("person", "ada"), Seat("person", "bo"), Seat("person", "cy")))
    match = trusted_match(ManyHands, Entry.create(0, "0" * 64, setup.statement("ada")))

    def say(kind: str, body: dict[str, Any], author: str = "ada", answers: tuple[Any, ...] | None = None) -> Snapshot:
        follow(match, Entry.create(len(match.entries), match.head, match.propose(author, kind, body)), answers)
        return match.snapshot

    pip = Seat("bot", "bo", "Pip", "easy")
    assert say("seat", {"seat": 2, "to": pip.to_json(), "agreed": []}).setup.seats[2] == pip, "the first deck is asked for"
    assert say("pass", {"order": "bo", "epoch": 1}).passed_over == {"ada"}
    deals = match.snapshot.deals
    assert say("gone", {"peer": "cy", "then": "bot", "heir": "bo", "order": "bo", "epoch": 2}, "bo").deals == deals + 1
    assert match.snapshot.passed_over == {"ada"}, "that deck was never dealt"
    assert say("deal", {}, answers=(None,)).passed_over == frozenset()
    say("deal", {}, answers=(None,) * 3)
    say("deal", {}, answers=(("1",), 1))
    bo = Seat("person", "bo", "Bo")
    assert say("seat", {"seat": 0, "to": bo.to_json(), "agreed": []}).promises == {0: bo}
    assert say("pass", {"order": "ada", "epoch": 3}).passed_over == {"bo"}
    assert say("timeout", {"seat": 0}, "bo").passed_over == {"bo"} and match.promises == {0: bo}
    again = say("gone", {"peer": "ada", "then": "bot", "heir": "bo", "order": "bo", "epoch": 4}, "bo")
    assert again.setup.seats[0] == bo and not again.promises, "a new deck is asked for"
    assert again.deals == deals + 2


@pytest.mark.parametrize(("protocol", "is_kept"), [(4, True), (5, False), (6, False)])
def test_who_gets_a_seat_while_a_deck_is_dealt_plays_from_the_next_one_on(protocol: int, *, is_kept: bool) -> None:
    """In logs of protocol 5 on: it has no part in that deck."""
    seats = tuple(Seat("person", author) for author in ("ada", "bo", "dee"))
    setup = Setup("highcard", 1, {}, seats, extra={"protocol": protocol})
    match = trusted_match(ManyHands, Entry.create(0, "0" * 64, setup.statement("ada")))
    cy = Seat("person", "cy", "Cy")
    body = {"seat": 1, "to": cy.to_json(), "agreed": []}
    follow(match, Entry.create(1, match.head, match.propose("ada", "seat", body)), None)
    assert match.state.requests and dict(match.promises) == ({} if is_kept else {1: cy})
    assert (match.setup.seats[1] == cy) == is_kept
    gone = {"peer": "dee", "then": "bot", "heir": "ada", "order": "ada", "epoch": 1}
    follow(match, Entry.create(2, match.head, match.propose("ada", "gone", gone)), None)
    assert not match.promises and match.setup.seats[1] == cy, "that deck is void, and a new one is asked for"


def test_bots_sit_down_with_the_deck_that_follows_a_leave() -> None:
    class Ending(HighCard):
        def play_without(self, state: HighCardState, seats: tuple[int, ...]) -> None:
            state.turn = self.next_seat(state, state.turn)

        def apply(self, state: HighCardState, seat: int, move: Move) -> None:
            state.new_deck(self.deck())

    seats = (Seat("person", "ada"), Seat("bot", "ada"), Seat("person", "bo"), Seat("person", "cy"))
    match = trusted_match(Ending, Entry.create(0, "0" * 64, Setup("highcard", 1, {}, seats).statement("ada")))
    for answers in ((None,), (None,) * 4, (("1",), 3)):
        follow(match, Entry.create(len(match.entries), match.head, match.propose("ada", "deal", {})), answers)

    def told(author: str, kind: str, body: dict[str, Any]) -> list[Event]:
        return follow(match, Entry.create(len(match.entries), match.head, match.propose(author, kind, body)), None)

    left = told("ada", "leave", {"order": "bo", "heir": "bo", "sealed": {}})
    assert [event.key for event in left] == ["kernel.left"] * 2
    assert told("bo", "consent", {"seat": 2, "to": 1}) == [] and match.state.absentees == {0, 1}
    ended = told("bo", "timeout", {"seat": match.state.turn})
    assert [(event.key, event.seat) for event in ended[1:]] == [("kernel.bot_plays", 0), ("kernel.bot_plays", 1)]
    assert match.state.absentees == frozenset() and isinstance(match.state.requests[0], Shuffle)
