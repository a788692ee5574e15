"""One device that lacks entries: whom it asks, when, and what it sends to others that lack some. Nobody judges an entry here."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.log import NOTHING, Entry, Statement, parse
from tabletin.peers.replication.backfill import BATCH, BATCH_BYTES, GRACE, MOST_GRACE, MOST_SERVED, TRANSIT, Backfill
from tabletin.peers.replication.outbox import Outbox
from tabletin.peers.replication.payloads import MOST_TRAVEL, PACE

LENGTH = 100  # of its log at first


class Log:
    """A log in which nothing is true but its length, and who orders."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.orderer = "orderer"
        self.grow(LENGTH)

    def grow(self, count: int, size: int = 10) -> None:
        for index in range(len(self.entries), len(self.entries) + count):
            statement = Statement(NOTHING, "author", index, NOTHING, "deal", {"x": "x" * size})
            self.entries.append(Entry.create(index, NOTHING, statement))


class Device:
    """What ``Backfill`` reads of a replica and of its texts, and what it sent."""

    def __init__(self) -> None:
        self.match = Log()
        self.live = ("me", "orderer", "near", "far")
        self.ready = True
        self.cuts = 0
        self.awaited: set[int] = set()
        self.outbox = Outbox("me")
        self.backfill = Backfill(self, self.outbox, self)  # type: ignore[arg-type]
        self.at(100.0)

    def is_awaited(self, index: int) -> bool:
        return index in self.awaited

    def payer(self, sender: str) -> str:
        return sender

    def put(self, entry: Entry) -> dict[str, Any]:
        return {"t": "put", "e": [entry.to_json()]}

    def at(self, seconds: float) -> Device:
        self.backfill.tick(seconds)
        return self

    def head(self, sender: str, further: int = 0) -> None:
        """``sender`` holds the next entry, or one ``further`` on."""
        self.backfill.note_head(sender, len(self.match.entries) + further)

    def bring(self, sender: str, count: int, *, repeated: bool = False, gap: int | None = None) -> None:
        before = len(self.match.entries)
        self.match.grow(count)
        self.backfill.note_entries(sender, before, repeated, gap)

    def asked(self) -> list[str | None]:
        """Whom it asked for all that it lacks, since this was asked last."""
        told = self.told()
        assert all(message == {"t": "want", "i": len(self.match.entries)} for _, message in told)
        return [to for to, _ in told]

    def told(self) -> list[tuple[str | None, dict[str, Any]]]:
        said = [(to, parse(data)) for to, data in self.outbox.messages]
        self.outbox.messages.clear()
        return said

    def served(self) -> list[int]:
        """Which entries it sent."""
        return [entry["i"] for _, message in self.told() for entry in message["e"]]


@pytest.fixture
def device() -> Device:
    return Device()


# ---- asking ----

def test_the_word_of_who_orders_is_reason_to_ask_and_anothers_after_a_moment(device: Device) -> None:
    device.head("orderer", -1)
    device.head("near", -1)
    assert device.at(110).asked() == [] and device.backfill.missing("near") == 0
    device.head("near", 2)
    device.head("near")
    assert device.asked() == [] and (device.backfill.missing("near"), device.backfill.missing("far")) == (3, 0)
    assert device.at(110 + GRACE - 0.1).asked() == []
    assert device.at(110 + GRACE).asked() == ["near"]
    other = Device()
    other.head("orderer")
    assert other.asked() == ["orderer"]
    other.head("orderer", 1)
    assert other.asked() == [], "it was asked just now"


@pytest.mark.parametrize("change", [{"ready": False}, {"live": ("me", "near")}])
def test_a_device_that_may_not_sign_and_one_of_two_ask_at_once(device: Device, change: dict[str, Any]) -> None:
    vars(device).update(change)
    device.head("near")
    assert device.asked() == ["near"]


def test_the_moment_begins_when_something_is_missing_first(device: Device) -> None:
    device.at(200).head("near")
    device.at(200 + GRACE - 0.2).head("far", 1)
    assert device.at(200 + GRACE).asked() == ["far"], "who has more"
    late = Device()
    late.at(200).head("near")
    late.match.grow(1)
    late.at(201).head("near")
    assert late.at(201 + GRACE - 0.1).asked() == [] and late.at(201 + GRACE).asked() == ["near"]


def test_one_is_asked_at_a_time_and_all_in_turn(device: Device) -> None:
    """Whoever orders and gives nothing out is not asked for ever: an answer of the others may be lost."""
    for sender, further in (("near", 5), ("far", 7)):
        device.head(sender, further)
    device.head("orderer", 1)
    assert device.asked() == ["orderer"]
    for number, sender in enumerate(("far", "near", "orderer", "far", "near", "orderer")):
        now = 100 + 2 * GRACE * (number + 1)
        assert device.at(now - 0.1).asked() == [] and device.at(now).asked() == [sender]


def test_who_orders_is_asked_first_whoever_has_more(device: Device) -> None:
    device.ready = True
    device.awaited.add(LENGTH)
    for sender, further in (("near", 1), ("far", 3), ("orderer", 0)):
        device.head(sender, further)
    assert device.asked() == []
    device.awaited.clear()
    assert device.at(110).asked() == ["orderer"]


def test_nobody_is_asked_while_a_text_for_the_next_entry_is_on_its_way(device: Device) -> None:
    device.awaited.add(LENGTH)
    device.head("orderer")
    assert device.at(200).asked() == []
    device.awaited = {LENGTH + 1}
    assert device.at(201).asked() == ["orderer"]
    device.awaited.add(LENGTH)
    assert device.at(300).asked() == []
    bound = Device()
    bound.ready = False
    bound.awaited.add(LENGTH)
    bound.head("near")
    assert bound.asked() == ["near"], "a device that catches up has time for nothing else"


def test_nobody_is_asked_once_all_is_here(device: Device) -> None:
    device.head("orderer")
    assert device.asked() == ["orderer"]
    device.bring("near", 1)
    assert device.at(200).asked() == []
    device.head("orderer")
    assert device.asked() == ["orderer"], "it begins anew"


def test_who_brought_some_is_asked_for_the_rest(device: Device) -> None:
    device.head("orderer", 9)
    device.told()
    device.bring("near", 2)
    assert device.asked() == [], "another one was asked"
    device.bring("orderer", 2)
    assert device.asked() == ["orderer"]
    device.bring("orderer", 2, gap=LENGTH + 8)
    assert device.told() == [("orderer", {"t": "want", "i": LENGTH + 6, "to": LENGTH + 8})]


def test_who_has_no_more_is_asked_no_more(device: Device) -> None:
    device.head("orderer", 1)
    device.head("near", 9)
    assert device.asked() == ["orderer"]
    device.bring("orderer", 2)
    assert device.asked() == []
    assert device.at(100 + GRACE - 0.1).asked() == [] and device.at(100 + GRACE).asked() == ["near"]


def test_what_comes_gives_who_was_asked_more_time(device: Device) -> None:
    device.head("orderer", 9)
    device.at(100.9).told()
    device.bring("near", 1)
    assert device.at(101.8).asked() == [] and device.at(101.9).asked() == ["orderer"], "it may be tried again"
    device.bring("near", 0)
    assert device.at(102.8).asked() == [] and device.at(102.9).asked() == ["orderer"]


def test_nothing_is_missing_where_nobody_said_so(device: Device) -> None:
    del device.match.entries[1:]
    assert device.backfill.missing("near") == 0
    device.head("near")
    assert device.backfill.missing("near") == 1


def test_an_entry_that_came_too_early_shows_what_its_sender_has(device: Device) -> None:
    device.bring("near", 0, gap=LENGTH + 3)
    assert device.backfill.missing("near") == 4 and device.asked() == []
    device.bring("orderer", 0, gap=LENGTH + 3)
    assert device.asked() == ["orderer"]


def test_who_gets_entries_twice_waits_longer_for_a_while(device: Device) -> None:
    def grace(now: float) -> float:
        """How long it waits now."""
        other = device.backfill._grace
        device.at(now).head("near")
        assert device.at(now + other - 0.01).asked() == [] and device.at(now + other).asked() == ["near"]
        device.bring("near", 1, repeated=False)
        return other

    assert grace(200) == GRACE
    device.bring("near", 0, repeated=True)
    device.bring("near", 1, repeated=True)
    assert grace(300) == 4 * GRACE
    assert grace(400) == pytest.approx(0.9 * 4 * GRACE)
    for _ in range(5):
        device.bring("near", 0, repeated=True)
    assert grace(500) == MOST_GRACE
    for _ in range(100):
        device.bring("near", 1)
    assert grace(600) == GRACE
    device.bring("near", 0, repeated=True)
    device.bring("near", 0)
    assert device.backfill._grace == 2 * GRACE, "nothing came"


def test_where_two_logs_part_is_asked_for_now_and_then(device: Device) -> None:
    def traced(sender: str, index: int) -> list[tuple[int, int]]:
        device.backfill.trace(sender, index)
        return [(message["i"], message["to"]) for to, message in device.told() if to == sender]

    assert traced("near", 90) == [(90 - BATCH // 2, 91)] and traced("near", 90) == []
    assert traced("far", 5) == [(1, 6)]
    device.at(100 + GRACE - 0.1)
    assert traced("near", 90) == []
    device.at(100 + GRACE)
    assert traced("near", 90) == [(90 - BATCH // 2, 91)]
    early = Device()
    early.backfill._now = 0.0
    early.backfill.trace("near", 90)
    assert early.told(), "also in the very first moment"


def test_where_the_log_was_cut_all_begins_anew(device: Device) -> None:
    device.backfill.announce(device.match.entries[-1])
    device.backfill.serve("near", 0, 10)
    device.head("orderer", 5)
    device.head("near", 7)
    device.told()
    device.cuts = 1
    device.backfill.serve("near", 0, 10)
    assert device.served() == list(range(10))
    assert device.backfill.missing("near") == 0 and device.at(110).asked() == []
    device.backfill.serve("far", LENGTH - 1)
    assert device.served() == [LENGTH - 1]
    device.head("orderer", 5)
    assert device.asked() == ["orderer"]
    device.cuts = 2
    device.head("near")
    assert device.at(110 + GRACE).asked() == ["near"], "who was asked before the cut is not asked now"
    device.cuts = 4
    assert device.at(120).asked() == []
    device.cuts = 5
    device.head("orderer")
    device.backfill.announce(device.match.entries[-1])
    device.cuts = 6
    device.backfill.announce(device.match.entries[-2])
    assert set(device.backfill._announced) == {LENGTH - 2}


def test_who_did_not_answer_before_a_cut_is_asked_first_again(device: Device) -> None:
    device.head("orderer")
    assert device.asked() == ["orderer"]
    device.cuts, device.awaited = 1, {LENGTH}
    device.head("orderer")
    device.head("near")
    device.awaited.clear()
    assert device.at(115).asked() == ["orderer"]


# ---- serving ----

def test_entries_are_sent_from_the_first_that_is_wanted_to_the_last(device: Device) -> None:
    for start, end, sent in ((98, None, [98, 99]), (3, 5, [3, 4]), (99, 500, [99]), (100, None, []), (5, 5, []), (7, 6, [])):
        device.backfill.serve("near", start, end)
        assert device.served() == sent
        device.cuts += 1
    device.backfill.serve("near", 0)
    ((to, message),) = device.told()
    assert (to, [entry["i"] for entry in message["e"]]) == ("near", list(range(BATCH)))
    assert Entry.from_json(message["e"][7]) == device.match.entries[7]


def test_no_message_has_more_than_so_many_bytes(device: Device) -> None:
    half = BATCH_BYTES // 2
    device.match.grow(5, half)
    device.backfill.serve("near", LENGTH)
    assert device.served() == [LENGTH, LENGTH + 1], "both are a little more than a half"
    device.match.grow(3, half - 500)
    device.backfill.serve("near", LENGTH + 5)
    assert device.served() == [LENGTH + 5, LENGTH + 6, LENGTH + 7]
    exact = Device()
    size = BATCH_BYTES - len(exact.match.entries[0].statement.canonical_bytes)
    exact.match.grow(1, 0)
    empty = len(exact.match.entries[-1].statement.canonical_bytes)
    exact.match.grow(1, size - empty)
    exact.match.grow(2)
    sizes = [len(entry.statement.canonical_bytes) for entry in exact.match.entries[LENGTH + 1:]]
    exact.match.entries[LENGTH] = exact.match.entries[0]
    assert sum(sizes[:1]) + len(exact.match.entries[0].statement.canonical_bytes) == BATCH_BYTES
    exact.backfill.serve("near", LENGTH)
    assert len(exact.served()) == 3, "as many as that may be in it, and one"


def test_what_is_on_its_way_is_not_sent_again(device: Device) -> None:
    def sent(start: int, end: int | None = None, to: str = "near") -> list[int]:
        device.backfill.serve(to, start, end)
        return device.served()

    assert sent(90, 95) == list(range(90, 95))
    assert sent(92, 97) == [95, 96], "the others are on their way"
    assert sent(90) == [97, 98, 99] and sent(99) == []
    assert sent(89, 92) == [89, 90, 91], "it lacks earlier ones"
    assert sent(90, 91, "far") == [90]
    device.at(100 + TRANSIT - 0.1)
    assert sent(90, 92) == []
    device.at(100 + TRANSIT)
    assert sent(90, 92) == [90, 91]


def test_nobody_is_sent_more_than_so_many_bytes_in_a_second(device: Device) -> None:
    device.match.grow(12, MOST_SERVED // 4)

    def sent(index: int, to: str = "near") -> bool:
        device.backfill.serve(to, LENGTH + index, LENGTH + index + 1)
        return device.served() == [LENGTH + index]

    assert [sent(index) for index in range(5)] == [True, True, True, True, False]
    assert sent(4, "far"), "each has its own"
    device.at(100.9)
    assert not sent(4)
    device.at(101.0)
    assert [sent(index) for index in range(4, 9)] == [True, True, True, True, False]
    device.at(101.9)
    assert not sent(8), "each second counts from its own beginning"


def test_what_is_large_is_on_its_way_for_longer(device: Device) -> None:
    size = 2 * PACE
    device.match.grow(1, size)
    device.backfill.serve("near", LENGTH)
    assert device.served() == [LENGTH]
    for seconds, sent in ((TRANSIT + 1.9, []), (TRANSIT + MOST_TRAVEL, [LENGTH])):
        device.at(100 + seconds).backfill.serve("near", LENGTH)
        assert device.served() == sent


def test_what_was_just_placed_goes_to_all_and_to_nobody_again(device: Device) -> None:
    device.backfill.announce(device.match.entries[-1])
    device.told()
    device.backfill.serve("near", LENGTH - 2)
    assert device.served() == [LENGTH - 2]
    device.backfill._announced.clear()
    device.backfill._served.clear()
    device.match.grow(2)
    for entry in device.match.entries[-2:]:
        device.backfill.announce(entry)
    assert [(to, message["e"][0]["i"]) for to, message in device.told()] == [(None, LENGTH), (None, LENGTH + 1)]
    device.backfill.serve("near", LENGTH - 1)
    assert device.served() == [LENGTH - 1]
    device.backfill.serve("far", LENGTH)
    assert device.served() == []
    device.at(100 + TRANSIT - 0.1).backfill.serve("far", LENGTH)
    assert device.served() == []
    device.at(100 + TRANSIT + 0.1).backfill.serve("far", LENGTH)
    assert device.served() == [LENGTH, LENGTH + 1]
    device.match.grow(1, 2 * PACE)
    device.backfill.announce(device.match.entries[-1])
    assert set(device.backfill._announced) == {LENGTH + 2}, "what arrived is forgotten"
    device.told()
    device.at(103.5).backfill.serve("far", LENGTH + 2)
    assert device.served() == []
    device.at(106).backfill.serve("far", LENGTH + 2)
    assert device.served() == [LENGTH + 2]
