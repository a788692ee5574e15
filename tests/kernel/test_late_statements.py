"""What is said late, in a log of the second protocol: it stands only if no entry since the one that it names refuses it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletin.kernel.authority import OneDevice
from tabletin.kernel.dealing import OpenDealer, OpenDealing, RequestAnswer
from tabletin.kernel.log import NOTHING, Entry, Hash, Json, Statement
from tabletin.kernel.match import MOST_BEHIND, Match
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.snapshot import Snapshot
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR, Table
from tests.support.highcard import HighCard


class Ahead(OpenDealing):
    """Also takes in what prepares the next hand, and remembers the entries that it was told of."""

    def __init__(self, heads: tuple[Hash, ...] = ()) -> None:
        self.heads = heads

    def copy(self) -> Ahead:
        return Ahead(self.heads)

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[RequestAnswer]:
        return () if "ahead" in body else super().read(state, author, body)

    def note_entry(self, state: State, head: Hash) -> None:
        self.heads += (head,)


class Witness(OneDevice):
    """Notes by which prefixes it was asked, and that each is what the log was there."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def check(self, prefix: Prefix, statement: Statement) -> None:
        self.asked.append(prefix.index)
        dealing = prefix.snapshot.dealing
        assert isinstance(dealing, Ahead) and dealing.heads[-1] == prefix.head and len(dealing.heads) == prefix.index + 1
        super().check(prefix, statement)


class Scene:
    """A dealt match of two people, or of a person and a bot, and what may be said in it late."""

    def __init__(self, kinds: str = "pp", protocol: int = 2) -> None:
        seats = tuple(Seat("person" if kind == "p" else "bot", AUTHOR) for kind in kinds)
        setup = Setup("highcard", 1, {"turns": 6}, seats, extra={"protocol": protocol})
        self.witness = Witness()
        self.match = Match(HighCard, Entry.create(0, NOTHING, setup.statement(AUTHOR)), Ahead(), self.witness)
        self.table = Table(self.match, OpenDealer(Random(3)))
        self.table.settle()

    @property
    def last(self) -> int:
        return len(self.match.entries) - 1

    def late(self, kind: str, body: dict[str, Any], seen: int) -> str:
        """Why somebody who saw the log up to ``seen`` may not say this now; "" if they may."""
        said = replace(self.match.propose(AUTHOR, kind, body), head=self.match.entries[seen].hash)
        refusal = self.match.refusal(said)
        assert refusal == self.match.refusal_at(self.last, said), "the same by either door"
        return "" if refusal is None else refusal.key.removeprefix("kernel.")

    def lay(self) -> dict[str, Any]:
        """What the seat to act says to lay its first card."""
        seat: int = self.match.state.turn
        card = self.match.state.hands[seat][0]
        return {"seat": seat, "do": ["lay", card], "open": [[card, self.match.knowledge[card]]]}

    def prepare(self, times: int = 1) -> None:
        for _ in range(times):
            self.table.say("deal", {"ahead": []})

    def consent(self, times: int = 1) -> None:
        for _ in range(times):
            self.table.consent(0, 1)


@pytest.mark.parametrize(("protocol", "refusal"), [(1, ""), (2, "not_your_turn"), (3, "not_your_turn")])
def test_what_was_not_in_order_when_it_was_said_is_not_in_order_later(protocol: int, refusal: str) -> None:
    """In logs of the first protocol it stood."""
    scene = Scene(protocol=protocol)
    seen = scene.last
    scene.table.move(scene.match.state.turn, ("lay", scene.match.state.hands[scene.match.state.turn][0]))
    assert scene.late("move", scene.lay(), scene.last) == ""
    assert scene.late("move", scene.lay(), seen) == refusal


def test_what_was_out_of_order_in_between_is_dead() -> None:
    """In order when it was said, in order now, and out of order before the move in between was taken back."""
    for protocol, refusal in ((1, ""), (2, "not_your_turn")):
        scene = Scene("pb", protocol)
        while scene.match.state.turn != 0:
            scene.table.move(1, ("lay", scene.match.state.hands[1][0]))
        seen, said = scene.last, scene.lay()
        other = scene.match.state.hands[0][1]
        scene.table.move(0, ("lay", other))
        scene.table.undo(0, seen)
        assert scene.match.state.turn == 0
        assert scene.late("move", said, seen) == refusal
        assert scene.late("move", said, scene.last) == ""


def test_what_is_in_order_all_along_stands() -> None:
    scene = Scene()
    seen = scene.last
    scene.table.move(scene.match.state.turn, ("lay", scene.match.state.hands[scene.match.state.turn][0]))
    scene.consent()
    bot = Seat("bot", AUTHOR).to_json()
    assert scene.late("resign", {"seat": 0}, seen) == scene.late("seat", {"seat": 0, "to": bot}, 1) == ""


def test_messages_of_the_dealing_are_judged_where_they_stand() -> None:
    scene = Scene()
    match = Match(HighCard, scene.match.entries[0], Ahead(), Witness())
    for entry in scene.match.entries[1:5]:
        match.append(entry)
    said = replace(match.propose(AUTHOR, "deal", {"roll": 2}), head=match.entries[0].hash)
    assert match.refusal(said) is None
    match.append(Entry.create(5, match.head, said))
    assert match.state.turn == 1


def test_a_consent_is_only_late_behind_consents_and_what_prepares_the_next_hand() -> None:
    scene = Scene()
    seen, body = scene.last, {"seat": 1, "to": 1}
    assert scene.late("consent", body, seen) == ""
    scene.consent()
    assert scene.late("consent", body, seen) == ""
    scene.prepare()
    assert scene.late("consent", body, seen) == scene.late("consent", body, seen + 1) == ""
    scene.table.move(scene.match.state.turn, ("lay", scene.match.state.hands[scene.match.state.turn][0]))
    assert scene.late("consent", body, seen) == scene.late("consent", body, scene.last - 1) == "undo.late_consent"
    assert scene.late("consent", body, scene.last) == ""
    scene.consent()
    assert scene.late("consent", body, scene.last - 2) == "undo.late_consent"


def test_what_only_prepares_the_next_hand_spends_no_consent() -> None:
    scene = Scene()
    scene.consent()
    scene.prepare()
    assert set(scene.match.snapshot.consents) == {(0, 1)}
    scene.table.move(scene.match.state.turn, ("lay", scene.match.state.hands[scene.match.state.turn][0]))
    assert not scene.match.snapshot.consents


def test_what_only_prepares_the_next_hand_makes_nothing_late() -> None:
    scene = Scene()
    seen, body = scene.last, scene.lay()
    scene.prepare(3)
    scene.witness.asked.clear()
    assert scene.late("move", body, seen) == ""
    assert set(scene.witness.asked) == {scene.last}


@pytest.mark.parametrize("kind", ["consent", "resign"])
def test_what_is_too_late_is_dead(kind: str) -> None:
    assert MOST_BEHIND == 128
    scene = Scene()
    scene.consent(MOST_BEHIND - scene.last + 20)
    body = {"seat": 1, "to": 1} if kind == "consent" else {"seat": 1}
    late = [scene.late(kind, body, seen) for seen in (19, 20, 21, scene.last - 1)]
    assert scene.last - 20 == MOST_BEHIND
    assert late == ["log.too_late", "", "", ""]
    assert Scene(protocol=1).late(kind, body, 0) == ""


def test_it_is_judged_behind_every_entry_since_and_by_what_the_log_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """States that are kept, those of the sixteenth and the last eight entries, are not made anew."""
    scene = Scene()
    scene.consent(12)
    scene.prepare()
    scene.consent(12)
    assert scene.last == 30
    folded: list[int] = []
    fold = scene.match._fold

    def counted(snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        if judged is None:
            folded.append(next(entry.index for entry in scene.match.entries if entry.statement is statement))
        fold(snapshot, statement, judged)

    monkeypatch.setattr(scene.match, "_fold", counted)
    said = replace(scene.match.propose(AUTHOR, "resign", {"seat": 0}), head=scene.match.entries[14].hash)
    scene.witness.asked.clear()
    assert scene.match.refusal(said) is None
    assert scene.match.entries[18].statement.body == {"ahead": []}
    assert scene.witness.asked == [30, 14, 15, 16, *range(18, 30)], "behind 17 only the next hand was prepared"
    assert folded == [*range(1, 15), 15, *range(17, 23)]
