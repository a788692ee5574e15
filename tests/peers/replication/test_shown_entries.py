"""A vote that was broken in one log stops those whose log went on by it: they are shown the entries by which it was.

Nobody has a device judge what it has not asked for, or what the voter itself said nothing of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical
from tabletin.kernel.log import place as spelled
from tabletin.kernel.match import Match
from tabletin.peers.replication import accusations
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.authority import ballot_vote
from tabletin.peers.replication.epoch_vote import votes_of
from tests.support.device_moves import peer_of
from tests.support.forging import tell
from tests.support.peer_sim import Node
from tests.support.two_logs import BrokenVote, held_against


@pytest.mark.parametrize("seed", [873, 878])
def test_a_vote_that_is_broken_in_one_log_stops_those_whose_log_went_on_by_it(seed: int) -> None:
    """They lack the entries that show it, and would go on with who broke it. Who is told by one of them knows as well."""
    scene = BrokenVote(seed)
    assert scene.net.run(lambda: all(scene.are_stopped), 60)
    for node in (scene.ours, scene.lone, scene.far):
        assert held_against(node) == [(scene.cheat.author, "vote")]
    assert peer_of(scene.lone).match.head == peer_of(scene.far).match.head == scene.head
    peer_of(scene.far).state.cut(peer_of(scene.lone).match.entries[-1].index)
    assert not peer_of(scene.far).accusations, "its log went on by that vote no more"


@pytest.mark.parametrize("name", ["MOST_SHOWN", "MOST_SHOWN_BYTES"])
def test_a_proof_that_rests_on_too_many_entries_is_not_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accusations, name, 0)
    scene = BrokenVote(873)
    assert scene.net.run(lambda: scene.are_stopped[0], 60)
    scene.net.run(lambda: False, 10)
    assert scene.are_stopped == [True, False, False]


def test_nobody_judges_entries_that_it_has_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = BrokenVote(873)
    monkeypatch.setattr(Accusations, "_ask", lambda self, sender, vote: None)
    assert scene.net.run(lambda: scene.are_stopped[0], 60)
    monkeypatch.setattr(Match, "branch", lambda self, length: pytest.fail("it judged"))
    tell(scene.net, scene.ours, scene.blame(), scene.far)
    assert not peer_of(scene.far).accusations


class Shown:
    """``BrokenVote``, in which ``far`` has asked for the entries by which the vote was broken: ``ours`` and ``lone``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scene = BrokenVote(873)
        self.far, self.now = peer_of(self.scene.far), self.scene.net.now
        assert self.scene.net.run(lambda: self.scene.are_stopped[0], 60)
        self.good = self.scene.blame()
        self.wait(1)
        for node in (self.scene.ours, self.scene.lone):
            self.show(node, {name: value for name, value in self.good.items() if name != "e"})
        self.branches = list[int]()
        branch = Match.branch

        def noted(match: Match, length: int) -> Match:
            self.branches.append(length)
            return branch(match, length)

        monkeypatch.setattr(Match, "branch", noted)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.far.tick(self.now)

    def show(self, sender: Node, blame: dict[str, Any]) -> None:
        self.far.receive(sender.author, canonical(blame))

    def entry(self, index: int, before: Entry, **body: Any) -> Entry:
        """What the cheat places at ``index`` behind the entry ``before``."""
        cheat = self.scene.cheat
        said = Statement(self.far.match.id, cheat.author, 10_000 + index, before.hash, "order", body)
        said = replace(said, signature=cheat.identity.sign(said.canonical_bytes))
        return Entry.create(index, before.hash, said, cheat.identity.sign(canonical(spelled(index, before.hash, said.hash))))

    def placed(self, *entries: Entry) -> dict[str, Any]:
        """A proof by the last of ``entries``, which the cheat placed."""
        vote, _ = self.good["x"]
        return {"t": "blame", "why": "vote", "x": [vote, {"i": entries[-1].index}], "e": [one.to_json() for one in entries]}

    @property
    def held(self) -> list[str]:
        return [one.why for one in self.far.accusations]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(monkeypatch)


def test_entries_that_are_shown_are_read_once_a_second_for_each_sender(shown: Shown) -> None:
    scene, known = shown.scene, [one.to_json() for one in shown.far.match.entries[1:]]
    for _ in range(3):
        shown.show(scene.ours, {**shown.good, "e": known})
        shown.show(scene.ours, shown.good)
    shown.wait(0.8)
    shown.show(scene.ours, shown.good)
    assert not shown.branches and not shown.held, "the first ones were read, and are in this log"
    shown.wait(0.1)
    shown.show(scene.ours, shown.good)
    assert len(shown.branches) == 1 and shown.held == ["vote"]


def test_nobody_keeps_another_one_from_showing_entries(shown: Shown) -> None:
    shown.show(shown.scene.lone, {**shown.good, "e": []})
    shown.show(shown.scene.ours, shown.good)
    assert shown.held == ["vote"]


def test_only_entries_are_judged_where_two_logs_part(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody can show those that all have."""
    judged, append = list[int](), Match.append

    def noted(match: Match, entry: Entry) -> Any:
        judged.append(entry.index)
        return append(match, entry)

    monkeypatch.setattr(Match, "append", noted)
    shown.show(shown.scene.ours, shown.good)
    first = shown.good["e"][-1]["i"]
    assert len(shown.good["e"]) > 20 and judged == [first] and shown.branches == [first]


def test_nobody_judges_entries_of_which_the_voter_said_nothing(shown: Shown) -> None:
    """The vote of somebody honest stands in the log, for all to name."""
    (vote, word), last = shown.good["x"], shown.good["e"][-1]
    index, head, signature = word
    honest = next(one for one in votes_of(shown.far.match.entries[-1]) if one.voter != vote["by"])
    stranger = {**shown.good["e"][-1]["say"], "by": honest.voter, "head": head}
    for exhibits in ([vote, [index, head, "0" * 128]], [vote, [index - 1, last["prev"], signature]], [vote, {"i": index + 1}],
                     [vote, {"i": True}], [honest.to_json(), word], [honest.to_json(), {"i": index}], [vote, stranger]):
        shown.wait(1)
        shown.show(shown.scene.ours, {**shown.good, "x": exhibits})
    assert not shown.branches and not shown.held
    shown.wait(1)
    shown.show(shown.scene.ours, shown.good)
    assert shown.held == ["vote"]


def test_nobody_judges_entries_that_break_no_vote(shown: Shown) -> None:
    """Of the epoch that was voted for they are, or not newer than what the vote names."""
    far, (vote, _) = shown.far.match, shown.good["x"]
    last = far.entries[-1]
    behind = shown.entry(last.index + 1, last, to="x")
    shown.show(shown.scene.ours, shown.placed(behind))
    shown.wait(1)
    at = vote["seen"][1]
    shown.show(shown.scene.ours, shown.placed(shown.entry(at, far.entries[at - 1], to="x")))
    assert not shown.branches and not shown.held


def test_entries_that_do_not_follow_on_each_other_are_not_judged(shown: Shown) -> None:
    at = shown.good["e"][-1]["i"]
    before = Entry.from_json(shown.good["e"][-1])
    two, far = shown.entry(at + 1, before, to="x"), shown.entry(at + 2, before, to="x")
    for entries in ((two,), (before, far), (before, replace(two, previous="1" * 64)), (two, before)):
        shown.wait(1)
        shown.show(shown.scene.ours, shown.placed(*entries))
    assert not shown.branches and not shown.held


def test_entries_that_take_long_to_judge_are_not_judged(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accusations, "MOST_SHOWN_LATENESS", 3)
    first, named = Entry.from_json(shown.good["e"][-1]), shown.far.match.entries[shown.good["e"][-1]["i"] - 4]
    said = shown.entry(first.index + 1, first, to="x").statement
    late = Entry.create(first.index + 1, first.hash, replace(said, head=named.hash), "0" * 128)
    signature = shown.scene.cheat.identity.sign(canonical(spelled(late.index, late.previous, late.statement.hash)))
    shown.show(shown.scene.ours, shown.placed(first, replace(late, signature=signature)))
    assert not shown.branches
    monkeypatch.setattr(accusations, "MOST_SHOWN_LATENESS", 4)
    shown.wait(1)
    shown.show(shown.scene.ours, shown.placed(first, replace(late, signature=signature)))
    assert len(shown.branches) == 1


def test_two_entries_for_one_place_convict_at_once_who_placed_them(shown: Shown) -> None:
    """It could have others judge one branch after the other."""
    at = shown.good["x"][0]["seen"][1]
    one = shown.entry(at, shown.far.match.entries[at - 1], to="x")
    shown.show(shown.scene.ours, shown.placed(one, shown.entry(at + 1, one, to="x")))
    assert not shown.branches and held_against(shown.scene.far) == [(shown.scene.cheat.author, "fork")]


def test_who_shows_what_is_wrong_is_read_again_after_a_minute(shown: Shown) -> None:
    first = Entry.from_json(shown.good["e"][-1])
    wrong = shown.placed(first, shown.entry(first.index + 1, first, to="x"))
    shown.show(shown.scene.ours, wrong)
    assert len(shown.branches) == 1 and not shown.held, shown.far.refusal_counts
    for seconds in (1.0, 58.5):
        shown.wait(seconds)
        shown.show(shown.scene.ours, shown.good)
    assert len(shown.branches) == 1
    shown.show(shown.scene.lone, shown.good)
    assert shown.held == ["vote"], "others are read"


def test_who_shows_what_adds_nothing_is_read_again_after_a_minute(shown: Shown) -> None:
    """A shorter proof of the like is held, and stops nobody where who is accused plays no more."""
    vote, _ = shown.good["x"]
    cheat, subject = shown.scene.cheat, {**vote["what"], "then": "without"}
    message = ballot_vote(shown.far.match.id, vote["e"], subject, vote["seen"])
    shown.show(cheat, {"t": "blame", "why": "vote", "x": [vote, {**vote, "what": subject, "sig": cheat.identity.sign(message)}]})
    assert shown.held == ["vote"]
    shown.show(shown.scene.ours, shown.good)
    for seconds in (1.0, 58.5):
        shown.wait(seconds)
        shown.show(shown.scene.ours, shown.good)
    assert len(shown.branches) == 1
    shown.wait(0.5)
    shown.show(shown.scene.ours, shown.good)
    assert len(shown.branches) == 2 and [len(one.prefix) for one in shown.far.accusations] == [1]
