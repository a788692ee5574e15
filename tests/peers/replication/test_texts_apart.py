"""Texts that go apart, on one device: what it sends, what it waits for and how long, and what a false one can cost it."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.outbox import Message
from tabletin.peers.replication.payloads import (
    KEPT,
    LONG,
    LONGEST,
    MOST_ALONE,
    MOST_AWAITED,
    MOST_TRAVEL,
    MOST_WAITING,
    PACE,
    PATIENCE,
    Payloads,
    text_hash,
    texts_apart,
    travel_time,
)
from tabletin.peers.replication.rate_limit import BYTES_A_UNIT, MOST
from tabletin.peers.replication.state import SILENT_AFTER
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable

WAIT = PATIENCE + travel_time(LONG)


class Desk(PartOf):
    """What ``node`` sends apart and waits for."""

    def __init__(self, table: RestingTable, node: Node) -> None:
        super().__init__(table, node)
        self.payloads = Payloads(self.state, self.outbox)
        self.at(100)

    def at(self, seconds: float) -> Desk:
        self.state.note_time(seconds)
        return self

    def hear(self, sender: Node, text: str) -> list[tuple[str, Message]]:
        return list(self.payloads.hear(sender.author, {"t": "load", "x": text}))

    def is_waiting(self, back: int = 0) -> bool:
        """Whether it waits for a text for the next entry, or one further on."""
        return self.payloads.is_awaited(len(self.match.entries) + back)


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(861)


@pytest.fixture
def desk(table: RestingTable) -> Desk:
    return Desk(table, table.waiting)


@pytest.fixture
def author(table: RestingTable) -> Desk:
    """That of the one who says what has a long text."""
    return Desk(table, table.third)


def said(node: Node, text: str, **changes: Any) -> Statement:
    return signed(node, "deal", {"sealed": text, "short": "x"}, **changes)


def entry_of(table: RestingTable, statement: Statement, further: int = 0) -> Entry:
    """``statement`` at the next place, or one ``further`` on."""
    entry = put(table.orderer, statement)
    return Entry.create(entry.index + further, entry.previous, statement, entry.signature)


def naming(entry: Entry) -> Message:
    """What brings ``entry`` without its text."""
    body = {"short": "x"}
    text = str(entry.statement.body["sealed"])
    whole = entry.to_json()
    return {"t": "put", "e": [{**whole, "say": {**entry.statement.to_json(), "body": body}}],
            "apart": {"sealed": [text_hash(text), len(text)]}}


# ---- sending ----

def test_long_texts_of_the_dealing_alone_go_apart(table: RestingTable) -> None:
    texts = {"at": "a" * LONG, "below": "b" * (LONG - 1), "list": ["c"] * LONG}
    assert texts_apart(signed(table.third, "deal", texts)) == {"at": "a" * LONG}
    assert texts_apart(signed(table.third, "leave", texts)) == {}
    assert (travel_time(LONG - 1), travel_time(LONG), travel_time(10 * PACE)) == (0, LONG / PACE, MOST_TRAVEL)


def test_an_own_text_goes_to_everybody_once_before_what_names_it(author: Desk, desk: Desk, table: RestingTable) -> None:
    text = "a" * LONG
    statement = said(table.third, text)
    message = author.payloads.say(statement)
    assert author.told() == [(None, {"t": "load", "x": text})]
    whole = statement.to_json()
    assert message == {"t": "say", "s": {**whole, "body": {"short": "x"}}, "apart": {"sealed": [text_hash(text), LONG]}}
    assert author.payloads.say(statement) == message and author.told() == []
    entry = entry_of(table, statement)
    assert author.payloads.put(entry) == naming(entry) and author.told() == []
    assert desk.payloads.put(entry) == {"t": "put", "e": [entry.to_json()]}, "its author sent it nothing"
    assert desk.told() == []
    desk.hear(table.third, text)
    desk.told()
    assert desk.payloads.put(entry) == naming(entry) and desk.told() == []
    orderer = Desk(table, table.orderer)
    own = entry_of(table, said(table.orderer, text))
    assert orderer.payloads.put(own) == naming(own) and orderer.told() == [(None, {"t": "load", "x": text})]
    short = said(table.third, "short")
    assert author.payloads.say(short) == {"t": "say", "s": short.to_json()} and author.told() == []


def test_what_is_offered_is_said_once_all_others_have_it_or_there_was_time(author: Desk, table: RestingTable) -> None:
    text = "a" * LONG
    name = text_hash(text)

    def offered(what: str = text) -> bool:
        return author.payloads.offer({"ahead": what})

    assert author.payloads.offer({"ahead": "short"}) and author.told() == []
    assert not offered() and author.told() == [(None, {"t": "load", "x": text})]
    assert not offered() and author.told() == []
    for sender in (table.orderer.author, "0" * 64):
        author.payloads.hear_have(sender, {"h": name})
    author.payloads.hear_have(table.waiting.author, {"h": text_hash("another")})
    assert not offered(), "one of them has it"
    author.payloads.hear_have(table.waiting.author, {"h": name})
    assert offered()
    assert not offered("b" * LONG), "it is another text"
    author.payloads.hear_have(table.waiting.author, {"h": name})
    assert not author.at(100 + WAIT - 0.1).payloads.offer({"ahead": "b" * LONG})
    assert author.at(100 + WAIT).payloads.offer({"ahead": "b" * LONG})


def test_nobody_waits_for_silent_ones_to_have_it(author: Desk, table: RestingTable) -> None:
    for node in (table.waiting, table.orderer):
        author.state.note_presence(node.author, len(author.match.entries) - 1, author.match.head)
    author.at(100 + SILENT_AFTER - 1)
    assert not author.payloads.offer({"ahead": "a" * LONG})
    author.state.note_presence(table.orderer.author, len(author.match.entries) - 1, author.match.head)
    author.payloads.hear_have(table.orderer.author, {"h": text_hash("a" * LONG)})
    author.at(100 + SILENT_AFTER)
    assert author.payloads.offer({"ahead": "a" * LONG}), "one has it, one is silent"


def test_a_have_that_nobody_asked_for_changes_nothing(desk: Desk, table: RestingTable) -> None:
    desk.payloads.hear_have(table.third.author, {"h": "0" * 64})
    for wrong in (7, None, ["0" * 64]):
        with pytest.raises(Malformed):
            desk.payloads.hear_have(table.third.author, {"h": wrong})


# ---- hearing ----

def test_whoever_sends_a_text_is_told_that_it_came(desk: Desk, table: RestingTable) -> None:
    for size in (LONG, LONGEST):
        assert desk.hear(table.third, "a" * size) == []
        assert desk.told() == [(table.third.author, {"t": "have", "h": text_hash("a" * size)})]
    for text in ("a" * (LONG - 1), "a" * (LONGEST + 1), 7):
        with pytest.raises(Malformed):
            list(desk.payloads.hear(table.third.author, {"t": "load", "x": text}))
    assert list(desk.payloads.hear("0" * 64, {"t": "load", "x": "a" * LONG})) == [] and desk.told() == []


def test_the_newest_texts_are_kept_and_one_that_comes_again_is_new(desk: Desk, author: Desk, table: RestingTable) -> None:
    for letter in "abcd":
        desk.hear(table.third, letter * LONG)
    desk.hear(table.third, "a" * LONG)
    desk.hear(table.third, "e" * LONG)
    assert KEPT == 4
    for letter, is_kept in zip("abcde", (True, False, True, True, True), strict=True):
        message = author.payloads.say(said(table.third, letter * LONG))
        assert (desk.payloads.fill(table.third.author, message) is not None) == is_kept


def test_a_message_is_whole_with_its_text(desk: Desk, author: Desk, table: RestingTable) -> None:
    text = "a" * LONG
    statement = said(table.third, text)
    entry = entry_of(table, statement)
    say, told = author.payloads.say(statement), naming(entry)
    assert desk.payloads.fill(table.third.author, say) is None
    assert desk.payloads.fill(table.orderer.author, told) is None
    assert desk.hear(table.orderer, text) == [], "it is not its author's"
    assert desk.hear(table.third, "b" * LONG) == []
    whole = {"t": "say", "s": statement.to_json()}, {"t": "put", "e": [entry.to_json()]}
    assert desk.hear(table.third, text) == list(zip((table.third.author, table.orderer.author), whole, strict=True))
    assert desk.hear(table.third, text) == [], "each of them once"
    assert [desk.payloads.fill(table.third.author, message) for message in (say, told)] == list(whole)
    assert desk.hear(table.third, text) == [], "what was whole at once waits for nothing"
    assert (desk.payloads.missing_entry(say), desk.payloads.missing_entry(told)) == (None, entry.index)
    assert desk.payloads.size_apart(told) == LONG


def test_what_lacks_two_texts_waits_for_both(desk: Desk, author: Desk, table: RestingTable) -> None:
    one, two = "a" * LONG, "b" * LONG
    statement = signed(table.third, "deal", {"one": one, "two": two})
    message = author.payloads.say(statement)
    assert [text["x"] for _, text in author.told()] == [one, two] and author.payloads.size_apart(message) == 2 * LONG
    assert desk.payloads.fill(table.third.author, message) is None
    assert desk.hear(table.third, two) == []
    ((_, found),) = desk.hear(table.third, one)
    assert Statement.from_json(found["s"]) == statement
    desk.payloads = Payloads(desk.state, desk.outbox)
    desk.payloads.fill(table.third.author, message)
    desk.at(100 + PATIENCE + travel_time(2 * LONG) - 0.1).hear(table.third, two)
    assert desk.hear(table.third, one), "there is time for both"


def test_a_text_that_comes_too_late_completes_nothing(desk: Desk, author: Desk, table: RestingTable) -> None:
    text = "a" * LONG
    message = author.payloads.say(said(table.third, text))
    for seconds, count in ((WAIT - 0.1, 1), (WAIT, 0)):
        late = Desk(table, table.waiting)
        assert late.payloads.fill(table.third.author, message) is None
        assert len(late.at(100 + seconds).hear(table.third, text)) == count


def test_each_sender_has_room_for_so_many_messages_that_wait(desk: Desk, author: Desk, table: RestingTable) -> None:
    texts = [chr(97 + number) * LONG for number in range(MOST_WAITING + 1)]
    messages = [author.payloads.say(said(table.third, text)) for text in texts]
    desk.payloads.fill(table.orderer.author, messages[0])
    for message in messages:
        desk.payloads.fill(table.third.author, message)
    assert [sender for sender, _ in desk.hear(table.third, texts[0])] == [table.orderer.author], "the oldest had to go"
    for text in texts[1:]:
        assert [sender for sender, _ in desk.hear(table.third, text)] == [table.third.author]


def test_what_waited_in_vain_takes_nobody_s_room(desk: Desk, author: Desk, table: RestingTable) -> None:
    messages = [author.payloads.say(said(table.third, letter * LONG)) for letter in "abc"]
    for message in messages[:2]:
        desk.payloads.fill(table.third.author, message)
    desk.at(100 + WAIT).payloads.fill(table.third.author, messages[2])
    assert len(desk.payloads._waiting) == 1


# ---- waiting ----

def test_an_entry_waits_once_and_only_if_who_orders_told_it(desk: Desk, table: RestingTable) -> None:
    entry = entry_of(table, said(table.third, "a" * LONG))
    for sender in (table.third, table.waiting):
        assert desk.payloads.fill(sender.author, naming(entry)) is None and not desk.is_waiting()
    assert desk.hear(table.third, "a" * LONG) == [], "it was not even kept"
    other = entry_of(table, said(table.third, "b" * LONG))
    desk.payloads.fill(table.orderer.author, naming(other))
    assert desk.is_waiting() and not desk.is_waiting(1) and not desk.is_waiting(-1)
    for seconds, is_waiting in ((WAIT - 0.1, True), (WAIT, False)):
        desk.at(100 + seconds).payloads.fill(table.orderer.author, naming(other))
        assert desk.is_waiting() == is_waiting, "saying it again moves nothing"
    desk.payloads.fill(table.orderer.author, naming(entry_of(table, said(table.third, "c" * LONG))))
    assert not desk.is_waiting(), "nor does another text for the same place"


def test_nothing_waits_for_places_that_are_taken_or_far_off(desk: Desk, table: RestingTable) -> None:
    for further, is_waiting in ((-1, False), (0, True), (MOST_AWAITED - 1, True), (MOST_AWAITED, False)):
        entry = entry_of(table, said(table.third, "a" * LONG), further)
        assert desk.payloads.fill(table.orderer.author, naming(entry)) is None
        assert desk.is_waiting(further) == is_waiting


def test_a_place_waits_anew_only_once_the_log_was_there(desk: Desk, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of places that are taken is forgotten; so it never grows."""
    desk.payloads.fill(table.orderer.author, naming(entry_of(table, said(table.third, "a" * LONG))))
    length = len(desk.match.entries)
    monkeypatch.setattr(desk.match, "entries", (*desk.match.entries, None))
    desk.payloads.fill(table.orderer.author, naming(entry_of(table, said(table.third, "b" * LONG), 1)))
    assert set(desk.payloads._deadlines) == {length + 1}


def test_nobody_waits_for_texts_of_who_is_silent(desk: Desk, author: Desk, table: RestingTable) -> None:
    message = author.payloads.say(said(table.third, "a" * LONG))
    desk.at(100 + SILENT_AFTER).payloads.fill(table.third.author, message)
    assert desk.hear(table.third, "a" * LONG) == []
    desk.state.note_presence(table.third.author, len(desk.match.entries) - 1, desk.match.head)
    message = author.payloads.say(said(table.third, "b" * LONG))
    desk.payloads.fill(table.third.author, message)
    assert len(desk.hear(table.third, "b" * LONG)) == 1


def test_no_entry_of_a_stranger_waits_for_long(desk: Desk, table: RestingTable) -> None:
    """Whoever orders names an author that nobody knows, or none."""
    strangers: list[Any] = ["0" * 64, 7, None, []]
    for by in strangers:
        other = Desk(table, table.waiting)
        told = naming(entry_of(table, said(table.third, "a" * LONG)))
        told["e"][0]["say"]["by"] = by
        assert other.payloads.fill(table.orderer.author, told) is None and other.is_waiting()
        assert not other.at(100 + WAIT).is_waiting()
        assert other.hear(table.third, "a" * LONG) == []


GOOD: Message = {"t": "put", "e": [{"i": 9, "say": {"body": {}}}], "apart": {"sealed": ["0" * 64, LONG]}}


@pytest.mark.parametrize("changes", [
    {"e": 7}, {"e": []}, {"e": GOOD["e"] * 2}, {"e": [{"i": "9", "say": {"body": {}}}]}, {"e": [{"i": 9}]},
    {"e": [{"i": True, "say": {"body": {}}}]},
    {"e": [{"i": 9, "say": 7}]}, {"e": [{"i": 9, "say": {}}]}, {"e": [{"i": 9, "say": {"body": []}}]},
    {"e": [{"i": 9, "say": {"body": {"sealed": "here"}}}]}, {"apart": []}, {"apart": None}, {"apart": {"sealed": 7}},
    {"apart": {"sealed": [7, LONG]}}, {"apart": {"sealed": ["0" * 64]}}, {"apart": {"sealed": ["0" * 64, "1"]}},
    {"t": "say"}, {"t": "say", "s": 7}, {"t": "say", "s": {}}, {"e": 7, "s": {"body": {}}}])
def test_what_no_text_goes_into_is_malformed(desk: Desk, changes: dict[str, Any]) -> None:
    assert desk.payloads.size_apart(GOOD) == LONG
    with pytest.raises(Malformed):
        desk.payloads.size_apart({**GOOD, **changes})


# ---- what a false one costs ----

def test_a_text_is_put_in_only_at_the_length_that_was_named(desk: Desk, author: Desk, table: RestingTable) -> None:
    text = "a" * (LONG + 1)
    message = author.payloads.say(said(table.third, text))
    message["apart"]["sealed"][1] = LONG
    assert desk.payloads.fill(table.third.author, message) is None
    assert desk.hear(table.third, text) == [] and desk.payloads.fill(table.third.author, message) is None


def test_a_false_length_keeps_no_other_message_out(desk: Desk, author: Desk, table: RestingTable) -> None:
    text = "a" * (LONG + 1)
    good = author.payloads.say(said(table.third, text))
    false: Message = {**good, "apart": {"sealed": [text_hash(text), LONG]}}
    desk.payloads.fill(table.orderer.author, false)
    desk.payloads.fill(table.third.author, good)
    assert [sender for sender, _ in desk.hear(table.third, text)] == [table.third.author]


def test_no_message_names_more_than_one_of_the_longest(desk: Desk, table: RestingTable) -> None:
    """A text of which thousands are to be put into one message would fill the memory of a device."""
    text = "a" * LONGEST
    desk.hear(table.third, text)
    one: Message = {"t": "say", "s": {**said(table.third, "").to_json(), "body": {}}, "apart": {"x": [text_hash(text), LONGEST]}}
    assert desk.payloads.fill(table.third.author, one) is not None
    for sizes in ((LONGEST, LONG), (LONGEST + 1,), (LONG - 1,), (-LONG,), (True,)):
        wrong: Message = {**one, "apart": {f"x{number}": [text_hash(text), size] for number, size in enumerate(sizes)}}
        with pytest.raises(Malformed):
            desk.payloads.fill(table.third.author, wrong)


def test_what_comes_beside_the_texts_is_bounded_while_it_waits(desk: Desk, author: Desk, table: RestingTable) -> None:
    message = author.payloads.say(signed(table.third, "deal", {"sealed": "a" * LONG, "more": ["b" * 100] * 150}))
    spare = MOST_ALONE - len(canonical(message))
    message["s"]["body"]["most"] = "c" * (spare - len(canonical({"most": ""})) + 1)
    assert len(canonical(message)) == MOST_ALONE
    assert desk.payloads.fill(table.third.author, message) is None
    message["s"]["body"]["most"] += "c"
    with pytest.raises(Malformed):
        desk.payloads.fill(table.third.author, message)


def test_a_message_costs_its_sender_as_much_as_if_it_were_whole(table: RestingTable) -> None:
    peer = peer_of(table.waiting)
    text = "a" * LONGEST
    peer.tick(1000.0)
    peer.receive(table.third.author, canonical({"t": "load", "x": text}))
    message = naming(entry_of(table, said(table.third, text)))
    data = canonical({**message, "e": [{**message["e"][0], "sig": "0" * 128}]})
    before = peer.refusal_counts.copy()
    for _ in range(MOST):
        peer.receive(table.third.author, data)
        if (peer.refusal_counts - before)["peers.flood"]:
            break
    read = (peer.refusal_counts - before).total() - 1
    assert 0 < read <= MOST // (LONGEST // 4096)
    peer.tick(1002.0)
    peer.receive(table.third.author, data)
    assert (peer.refusal_counts - before)["peers.flood"] == 1
    peer._rate_limit._spent[table.third.author] = MOST - 5
    peer.refusal_counts.clear()
    peer.receive(table.third.author, data)
    assert peer.refusal_counts == {"peers.flood": 1}, "it was read, and not worked on"
    peer.refusal_counts.clear()
    peer._rate_limit._spent[table.third.author] = MOST - LONGEST // BYTES_A_UNIT
    peer.receive(table.third.author, data)
    assert peer.refusal_counts == {"peers.flood": 1}, "the text that it names is more than is left"
    peer.refusal_counts.clear()
