"""A vote by which this log went on and that was broken in another branch: the entries that show it are asked for and judged.

Each case is one device by itself; whole tables are in ``test_shown_entries``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Json, canonical, place
from tabletin.kernel.match import MOST_BEHIND, Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication import accusations as module
from tabletin.peers.replication import evidence
from tabletin.peers.replication.accusations import JUDGED_PAUSE, MOST_SHOWN, SHOWING_PAUSE, Accusations
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.evidence import Accusation
from tests.support.ballots import end_of, first_body, first_entry, subject_gone, vote_of
from tests.support.forging import put, signed
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Parted(PartOf):
    """The log of ``node`` went on with epoch 1 behind entry ``end`` by a vote of ``cheat``. ``branch`` is another log: there the
    cheat gave places to two more entries of epoch 0."""

    def __init__(self) -> None:
        table = RestingTable(643, entries=12)
        super().__init__(table, table.waiting)
        self.cheat, self.other = table.orderer, table.third
        self.end, self.common = len(self.match.entries) - 1, list(self.match.entries)
        subject, end = subject_gone(self.other.author, self.cheat.author), end_of(self.match)
        self.vote, votes = vote_of(self.cheat, 1, subject, end), [vote_of(self.node, 1, subject, end)]
        begins = first_entry(self.cheat, subject, 1, [*votes, self.vote], self.end + 1)
        self.later = [vote_of(self.cheat, epoch, subject, end) for epoch in (1, 2)]
        self.branch = self.longer(2)
        self.state.append(begins)
        self.accusations = Accusations(self.state, self.outbox)

    def longer(self, count: int, back: int = 0) -> list[Entry]:
        """The next ``count`` entries of the other log; each names the last one that both hold, or one ``back`` of that."""
        copy, entries = self.match.branch(self.end + 1), list[Entry]()
        seat = copy.snapshot.seats_of(self.other.author)[0]
        for _ in range(count):
            said = signed(self.other, "seat", {"seat": seat, "to": copy.setup.seats[seat].to_json()},
                          count=copy.count(self.other.author), head=self.common[-1 - back].hash)
            entries.append(self.placed(said, copy.entries))
            copy.append(entries[-1])
        return entries

    def placed(self, said: Any, entries: Sequence[Entry]) -> Entry:
        """``said`` behind ``entries``, where the cheat gave it a place."""
        own, self.match_of_cheat.entries = self.match_of_cheat.entries, list(entries)
        try:
            return put(self.cheat, said)
        finally:
            self.match_of_cheat.entries = own

    @property
    def match_of_cheat(self) -> Any:
        assert self.cheat.peer is not None
        return self.cheat.peer.match

    def exhibits(self, index: int | None = None) -> list[Json]:
        """The vote, and that the cheat gave a place to entry ``index``: the last one of the branch."""
        return [self.vote.to_json(), {"i": self.branch[-1].index if index is None else index}]

    def hears(self, shown: Json = None, sender: Node | str = "", exhibits: Json = None) -> bool:
        """Whether it is convinced by the ``exhibits``, with the entries that are ``shown``, if any are."""
        author = sender.author if isinstance(sender, Node) else sender or self.other.author
        message = {"t": "blame", "why": "vote", "x": self.exhibits() if exhibits is None else exhibits}
        try:
            self.accusations.hear(author, message if shown is None else {**message, "e": shown})
        except Malformed:
            return False
        return True

    def asked(self) -> list[tuple[str | None, int]]:
        """Who was asked for entries by which the vote is broken, and from which on, since this was asked last."""
        told = self.told()
        assert all(message["t"] == "want" and message["vote"] == self.vote.signature for _, message in told)
        return [(to, message["i"]) for to, message in told]

    def held(self) -> list[tuple[str, str, list[str]]]:
        return [(one.culprit, one.why, [entry.hash for entry in one.prefix]) for one in self.state.accusations]

    def proof(self, length: int | None = None) -> Accusation:
        """What is held in the other log, by the first ``length`` entries."""
        log = [*self.common, *self.branch][:length]
        return Accusation(self.cheat.author, "vote", tuple(log), tuple(self.exhibits(len(log) - 1)))


@pytest.fixture(scope="module")
def shared() -> Parted:
    return Parted()


@pytest.fixture
def parted(shared: Parted) -> Iterator[Parted]:
    shared.accusations = Accusations(shared.state, shared.outbox)
    yield shared
    shared.state.time = 0.0
    shared.state.accusations.clear()
    shared.state.idle_accusations.clear()
    shared.outbox.messages.clear()


def told(entries: Sequence[Entry]) -> list[Json]:
    return [entry.to_json() for entry in entries]


# ---- asking ----

def test_who_says_that_a_vote_was_broken_elsewhere_is_asked_for_the_entries_further_back_each_time(parted: Parted) -> None:
    back = 1
    for step in range(4):
        parted.state.time = step * SHOWING_PAUSE
        assert not parted.hears()
        assert parted.asked() == [(parted.other.author, parted.end + 1 - back)]
        parted.state.time += SHOWING_PAUSE - 0.01
        assert not parted.hears() and parted.asked() == []
        back = 2 * back + 1
        if back > parted.end:
            break
    assert step > 1, "a log of more than a few entries"
    assert not parted.hears(sender=parted.cheat)
    assert parted.asked() == [(parted.cheat.author, parted.end)], "each pays for itself"


def test_no_more_is_asked_for_than_is_read(parted: Parted) -> None:
    """Then it begins anew: the one that is asked may have got the entries by now."""
    starts = []
    for step in range(13):
        parted.state.time = step * SHOWING_PAUSE * 2
        assert not parted.hears()
        starts += [start for _, start in parted.asked()]
    backs = [2 ** (step + 1) - 1 for step in range(10)]
    assert backs[-2] < MOST_SHOWN < backs[-1]
    assert starts == [max(1, parted.end + 1 - back) for back in (*backs, 0, 1, 3)]


def test_nothing_is_asked_for_behind_this_log(parted: Parted, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vote may name an entry of an older epoch that stands further on in another log than this one is long."""
    monkeypatch.setattr(type(parted.state), "went_on_by", lambda state, vote: True)
    length = len(parted.match.entries)
    for index in (length - 2, length - 1, length, 10 ** 6):
        far = replace(parted.vote, end=(0, index, "f" * 64), signature=f"{index}")
        assert not parted.hears(exhibits=[far.to_json(), {"i": index + 1}])
        assert [message["i"] for _, message in parted.told()] == [min(index + 1, length) - 1]


def test_strangers_are_asked_as_one(parted: Parted) -> None:
    for author in ("a" * 64, "b" * 64):
        assert not parted.hears(sender=author)
    assert parted.asked() == [("a" * 64, parted.end)]


def test_so_many_entries_are_asked_for_at_most(parted: Parted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SHOWN", 3)
    for step, back in enumerate((1, 3, 0, 1)):
        parted.state.time = step * 1.0
        assert not parted.hears()
        assert parted.asked() == [(parted.other.author, parted.end + 1 - back)]


def test_nobody_is_asked_about_a_vote_by_which_this_log_did_not_go_on(parted: Parted) -> None:
    shown = told(parted.branch)
    assert not parted.hears()
    parted.asked()
    for vote in parted.later:
        foreign = replace(vote, subject={**vote.subject, "heir": parted.node.author})
        assert not parted.hears(exhibits=[foreign.to_json(), {"i": parted.end + 2}])
        assert not parted.hears(shown, exhibits=[foreign.to_json(), {"i": parted.end + 2}])
    assert parted.asked() == [] and parted.held() == []


@pytest.mark.parametrize(("why", "count"), [
    ("vote", 0), ("", 0), ("vote", 1), ("vote", 3), ("counter", 2), ("shuffle", 2), ("", 2),
])
def test_nobody_is_asked_because_of_anything_else(parted: Parted, why: str, count: int) -> None:
    """Not for other exhibits, nor for another misdeed."""
    with pytest.raises(Malformed):
        parted.accusations.hear(parted.other.author, {"why": why, "x": [*parted.exhibits(), {}][:count]})
    assert parted.told() == []


def test_nobody_is_asked_about_what_two_votes_prove_by_themselves(parted: Parted) -> None:
    """Though this log went on by one of them."""
    other = vote_of(parted.cheat, 1, subject_gone(parted.node.author, parted.cheat.author), parted.vote.end)
    assert parted.hears(exhibits=[parted.vote.to_json(), other.to_json()])
    assert [(culprit, why, len(hashes)) for culprit, why, hashes in parted.held()] == [(parted.cheat.author, "vote", 1)]
    assert [(to, message["t"]) for to, message in parted.told()] == [(None, "blame")]


def test_what_is_held_already_is_neither_asked_for_nor_judged(parted: Parted) -> None:
    assert not parted.hears()
    parted.asked()
    for held in (parted.state.accusations, parted.state.idle_accusations):
        held.append(parted.proof())
        parted.state.time += 5
        assert not parted.hears() and not parted.hears(told(parted.branch))
        assert parted.told() == []
        held.clear()
    assert parted.hears(told(parted.branch))


# ---- judging ----

def test_the_entries_that_were_asked_for_convict_whoever_broke_the_vote(
        parted: Parted, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may begin before the two logs part; what all have is not judged again."""
    lengths, branch = list[int](), Match.branch

    def noted(match: Match, length: int) -> Match:
        lengths.append(length)
        return branch(match, length)

    monkeypatch.setattr(Match, "branch", noted)
    for start in (1, parted.end, parted.end + 1):
        log = [*parted.common, *parted.branch]
        parted.state.time += JUDGED_PAUSE
        assert not parted.hears()
        parted.told()
        assert parted.hears(told(log[start:]))
        assert parted.held() == [(parted.cheat.author, "vote", [entry.hash for entry in log])]
        assert [(to, message["t"], message["x"]) for to, message in parted.told()] == [(None, "blame", parted.exhibits())]
        assert lengths.pop() == parted.end + 1
        parted.state.accusations.clear()


def test_a_branch_that_parts_right_behind_the_beginning_of_an_epoch_is_of_that_epoch(parted: Parted) -> None:
    """As who orders there does, that is told from the entry before."""
    state, log = parted.state, list(parted.match.entries)
    subject = {"kind": "pass", "against": None, "order": parted.cheat.author}
    votes = [vote_of(node, 2, subject, end_of(parted.match)) for node in (parted.node, parted.cheat)]
    count = parted.match.count(parted.cheat.author)
    said = signed(parted.cheat, "order", {"to": parted.match.snapshot.must_order}, head=log[-1].hash, count=count)
    branch = [parted.placed(said, log)]
    begins = signed(parted.cheat, "pass", first_body(subject, 2, votes), head=log[-1].hash, count=count)
    state.append(parted.placed(begins, log))
    try:
        exhibits = [votes[1].to_json(), {"i": len(log)}]
        assert not parted.hears(exhibits=exhibits)
        parted.told()
        assert parted.hears(told(branch), exhibits=exhibits)
        assert [(culprit, why, len(hashes)) for culprit, why, hashes in parted.held()] == [
            (parted.cheat.author, "vote", len(log) + 1)]
    finally:
        state.cut(len(log))


def test_nothing_is_judged_behind_the_entry_that_the_word_names(parted: Parted) -> None:
    """Who holds the proof shows no more than it rests on."""
    assert not parted.hears()
    first = parted.end + 1
    assert not parted.hears(told(parted.branch), exhibits=parted.exhibits(first)) and parted.held() == []
    parted.state.time = SHOWING_PAUSE
    assert parted.hears(told(parted.branch[:1]), exhibits=parted.exhibits(first))
    assert [len(hashes) for _, _, hashes in parted.held()] == [first + 1]


def test_what_was_not_asked_for_or_comes_too_soon_is_not_judged(parted: Parted) -> None:
    shown, wrong = told(parted.branch), told(parted.branch[1:])
    assert not parted.hears(shown) and parted.held() == []
    assert not parted.hears(sender=parted.cheat)
    assert not parted.hears(shown) and parted.held() == [], "another one was asked"
    assert not parted.hears()
    assert not parted.hears(wrong)
    parted.state.time = SHOWING_PAUSE - 0.01
    assert not parted.hears(shown) and parted.held() == [], "something was read just now"
    assert parted.hears(shown, sender=parted.cheat), "that was of another one"
    parted.state.accusations.clear()
    parted.state.time = SHOWING_PAUSE
    assert parted.hears(shown)


def test_who_had_entries_judged_is_read_again_after_a_minute(parted: Parted) -> None:
    shown = told(parted.branch)
    assert not parted.hears() and parted.hears(shown)
    parted.state.accusations.clear()
    for seconds, is_read in ((SHOWING_PAUSE, False), (JUDGED_PAUSE - 0.01, False), (JUDGED_PAUSE, True)):
        parted.state.time = seconds
        assert parted.hears(shown) == is_read


def test_two_entries_for_one_place_are_a_fork_and_nothing_is_judged(parted: Parted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where who ordered signed the one that is shown, too."""
    monkeypatch.setattr(type(parted.state), "went_on_by", lambda state, vote: True)
    at, common = parted.end - 1, parted.common[:parted.end - 1]
    assert parted.match.snapshot_at(at - 1).orderer == parted.cheat.author
    vote = vote_of(parted.cheat, 1, parted.vote.subject, (0, at - 1, common[-1].hash))
    one = parted.placed(signed(parted.cheat, "order", {"to": parted.node.author}, head=common[-1].hash), common)
    forged = Entry.create(at, one.previous, one.statement, "0" * 128)
    behind = parted.placed(one.statement, [*common, forged])

    def exhibits(last: Entry) -> list[Json]:
        message = acknowledgement(parted.match.id, last.index, last.hash)
        return [vote.to_json(), [last.index, last.hash, parted.cheat.identity.sign(message)]]

    assert not parted.hears(exhibits=exhibits(one))
    parted.told()
    assert parted.hears(told([one]), exhibits=exhibits(one))
    assert [(culprit, why, len(hashes)) for culprit, why, hashes in parted.held()] == [(parted.cheat.author, "fork", at)]
    assert parted.state.accusations[0].exhibits == (parted.common[at].to_json(), one.to_json())
    parted.state.accusations.clear()
    parted.state.time = SHOWING_PAUSE
    with pytest.raises(Refused):
        parted.hears(told([forged, behind]), exhibits=exhibits(behind))
    assert parted.held() == []


def test_right_after_the_start_of_the_clock_entries_are_read(parted: Parted) -> None:
    assert not parted.hears() and parted.hears(told(parted.branch))


@pytest.mark.parametrize("shown", [{}, 5, "abc", True, []])
def test_what_is_no_list_of_entries_shows_nothing(parted: Parted, shown: Json) -> None:
    assert not parted.hears()
    assert not parted.hears(shown) and parted.held() == []


def test_entries_that_do_not_fit_show_nothing(parted: Parted) -> None:
    """Not behind this log, behind another entry, or with one missing in between."""
    log = [*parted.common, *parted.branch]
    further = Entry.create(len(parted.match.entries) + 1, log[-1].hash, log[-1].statement, log[-1].signature)
    behind = Entry.create(parted.end + 1, "1" * 64, log[-1].statement, log[-1].signature)
    first = Entry.create(0, parted.match.head, log[-1].statement, log[-1].signature)
    for entries in (log, parted.branch[1:], [further], [behind], [first], [parted.branch[1], parted.branch[0]]):
        parted.state.time += 10
        assert not parted.hears()
        assert not parted.hears(told(entries)) and parted.held() == []
    one, said = parted.branch[0], parted.branch[1].statement
    for index, previous in ((one.index + 2, one.hash), (one.index + 1, "1" * 64)):
        signature = parted.cheat.identity.sign(canonical(place(index, previous, said.hash)))
        parted.state.time += 10
        assert not parted.hears()
        entries = [one, Entry.create(index, previous, said, signature)]
        assert not parted.hears(told(entries), exhibits=parted.exhibits(index)) and parted.held() == []


def test_entries_right_behind_this_log_are_of_no_older_epoch_and_show_nothing(parted: Parted) -> None:
    behind = parted.placed(parted.branch[0].statement, parted.match.entries)
    for entries in ([behind], [parted.match.entries[-1], behind]):
        parted.state.time += 10
        assert not parted.hears()
        assert not parted.hears(told(entries), exhibits=parted.exhibits(behind.index)) and parted.held() == []


def test_wrong_entries_are_refused(parted: Parted) -> None:
    one, last = parted.branch
    assert not parted.hears()
    assert not parted.hears(told([one, replace(last, signature="0" * 128)])), "nothing shows that the cheat placed it"
    parted.state.time += 10
    with pytest.raises(Refused):
        parted.hears(told([one, parted.placed(replace(last.statement, signature="0" * 128), [*parted.common, one])]))
    assert parted.held() == []


def test_entries_of_another_match_or_that_say_too_much_are_malformed(parted: Parted, monkeypatch: pytest.MonkeyPatch) -> None:
    one, last = parted.branch
    foreign = Entry.create(one.index, one.previous, signed(parted.other, "seat", {}, match="1" * 64), one.signature)
    assert not parted.hears()
    message = {"t": "blame", "why": "vote", "x": parted.exhibits(), "e": told([foreign, last])}
    with pytest.raises(Malformed, match="another match"):
        parted.accusations.hear(parted.other.author, message)
    parted.state.time += 10
    monkeypatch.setattr(evidence, "MOST_SAID_BYTES", len(last.statement.canonical_bytes) - 1)
    with pytest.raises(Malformed, match="too much"):
        parted.accusations.hear(parted.other.author, {**message, "e": told([one, last])})


def test_how_late_entries_are_counts_all_between_them_and_what_they_name(parted: Parted) -> None:
    """As a log counts it, which would judge them one by one; a message of dealing is judged once."""
    first, end = parted.branch[0], parted.end

    def entry(index: int, head: str, kind: str = "seat") -> Entry:
        return Entry.create(index, "1" * 64, signed(parted.other, kind, {}, head=head), "0" * 128)

    ours = parted.common[-1].hash
    for entries, lateness in (
            ([first], 0), ([entry(end + 3, ours)], 2), ([entry(end + 3, ours, "deal")], 0), ([entry(end + 3, "f" * 64)], 0),
            ([entry(1, ours)], 0), ([entry(10 ** 6, ours)], MOST_BEHIND), ([first, entry(end + 4, first.hash)], 2),
            ([entry(end + 4, first.hash)], 0), ([entry(end + 2, ours), entry(end + 3, ours)], 3)):
        assert parted.accusations._lateness(entries) == lateness


def size(entries: Sequence[Entry]) -> int:
    return sum(len(entry.statement.canonical_bytes) for entry in entries)


@pytest.mark.parametrize("less", [0, 1])
@pytest.mark.parametrize("name", ["MOST_SHOWN", "MOST_SHOWN_BYTES", "MOST_SHOWN_LATENESS"])
def test_only_so_much_is_read_and_shown(parted: Parted, monkeypatch: pytest.MonkeyPatch, name: str, less: int) -> None:
    late = parted.longer(3, back=1)
    bounds = {"MOST_SHOWN": 3, "MOST_SHOWN_BYTES": size(late), "MOST_SHOWN_LATENESS": 1 + 2 + 3}
    monkeypatch.setattr(module, name, bounds[name] - less)
    assert not parted.hears()
    assert parted.hears(told(late), exhibits=parted.exhibits(late[-1].index)) != bool(less)
    assert len(parted.held()) == 1 - less
    parted.state.accusations[:] = [replace(parted.proof(), prefix=(*parted.common, *late))]
    is_shown = parted.accusations.show(parted.end + 1, parted.vote.signature) is not None
    assert is_shown != (bool(less) and name != "MOST_SHOWN_LATENESS")


# ---- showing ----

def test_what_is_held_is_shown_from_the_entry_on_that_is_asked_for(parted: Parted) -> None:
    proof = parted.proof()
    for held in (parted.state.accusations, parted.state.idle_accusations):
        held.append(proof)
        for start, first in ((-5, 1), (0, 1), (1, 1), (2, 2), (parted.end + 1, parted.end + 1), (parted.end + 2, parted.end + 2)):
            shown = parted.accusations.show(start, parted.vote.signature)
            assert shown == {"t": "blame", "why": "vote", "x": parted.exhibits(), "e": told(proof.prefix[first:])}
        assert parted.accusations.show(parted.end + 3, parted.vote.signature) is None, "that is behind the last"
        held.clear()


def test_nothing_is_shown_but_a_proof_that_rests_on_entries(parted: Parted) -> None:
    """Two votes prove all by themselves, and so do two statements with one counter."""
    match = parted.match
    two = Accusation.of_two_votes(match, parted.vote, parted.later[1])
    statements = parted.common[-1].statement, parted.branch[-1].statement
    counter = replace(Accusation.of_counter(match, *statements), prefix=tuple(match.entries))
    other = replace(parted.proof(), exhibits=(parted.later[1].to_json(), {"i": 3}))
    of_log = Accusation.of_log(match, parted.cheat.author, "shuffle")
    place = replace(parted.proof(), why="place")
    parted.state.accusations[:] = [counter, of_log, two, other, place]
    for signature in (parted.vote.signature, "", None, 5):
        assert parted.accusations.show(1, signature) is None
    shown = parted.accusations.show(1, parted.later[1].signature)
    assert shown is not None and shown["x"] == list(other.exhibits)
    parted.state.accusations.append(parted.proof(2))
    shown = parted.accusations.show(1, parted.vote.signature)
    assert shown is not None and shown["e"] == told(parted.common[1:2]), "one entry behind the first is enough"


# ---- whom it stops ----

def test_it_stops_those_whose_log_went_on_by_that_vote(parted: Parted) -> None:
    """Another vote for the same epoch, and another misdeed that rests on entries which this log lacks, stop nobody here."""
    state, begun = parted.state, parted.end + 1
    other_end = replace(parted.vote, end=(0, parted.end - 1, parted.common[-2].hash))
    votes = ((parted.vote, True), (other_end, False), *[(vote, vote == parted.vote) for vote in parted.later])
    for vote, went_on in votes:
        proof = replace(parted.proof(), exhibits=(vote.to_json(), {}))
        assert state.went_on_by(vote) == state.stops_by(proof) == went_on
        assert not state.stops_by(replace(proof, why="place"))
    of_prefix = replace(parted.proof(parted.end), exhibits=(parted.later[1].to_json(), {}))
    assert state.stops_by(of_prefix) and state.stops_by(replace(of_prefix, why="place")), "it rests on this log"
    assert [vote.epoch for vote in parted.later] == [1, 2] and parted.later[0] == parted.vote
    assert state._parted_at(parted.proof()) == begun
    assert state._parted_at(replace(parted.proof(), culprit=parted.other.author)) is None, "it did not vote"
    assert state._parted_at(replace(parted.proof(), exhibits=(parted.later[1].to_json(), {}))) is None, "no such epoch"


def test_it_is_kept_as_long_as_the_log_goes_on_by_that_vote(shared: Parted) -> None:
    """Whether its culprit plays, or may play again."""
    state, begins = shared.state, shared.match.entries[-1]
    idle = replace(shared.proof(), culprit=shared.other.author)
    foreign = replace(idle, exhibits=(shared.later[1].to_json(), {}))
    lacking = replace(idle, why="place")
    assert shared.other.author in state.match.former_authors
    for accusation in (foreign, lacking, idle):
        state.set_aside(accusation)
    assert state.idle_accusations == [idle]
    state.accusations.append(shared.proof())
    state.cut(shared.end + 2)
    assert state.accusations == [shared.proof()] and state.idle_accusations == [idle]
    state.cut(shared.end + 1)
    assert state.accusations == [] and state.idle_accusations == []
    state.append(begins)
