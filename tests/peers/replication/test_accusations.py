"""What a device holds against others: it tells it again and again, holds it once, and finds broken votes in its own log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Json, canonical, parse, place
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication import accusations as module
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.evidence import MOST_SAID_BYTES, MOST_SAID_VALUES, Accusation
from tabletin.peers.replication.outbox import Outbox
from tabletin.peers.replication.payloads import PACE
from tests.support.ballots import end_of, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Device:
    """The accusations of the one that orders, in a match at rest."""

    def __init__(self) -> None:
        self.table = RestingTable(641)
        self.state = peer_of(self.table.orderer).state
        self.outbox = Outbox(self.state.author)
        self.accusations = Accusations(self.state, self.outbox)

    def held(self) -> list[tuple[str, str]]:
        return [(one.culprit, one.why) for one in self.state.accusations]

    def told(self) -> list[dict[str, Any]]:
        """What it said since this was asked last, to everybody."""
        said = [parse(data) for to, data in self.outbox.messages if to is None]
        assert len(said) == len(self.outbox.messages)
        self.outbox.messages.clear()
        return said


@pytest.fixture(scope="module")
def shared() -> Device:
    return Device()


@pytest.fixture
def device(shared: Device) -> Iterator[Device]:
    yield shared
    shared.state.accusations.clear()
    shared.state.refusal_counts.clear()
    shared.outbox.messages.clear()
    shared.accusations._tell_at = 0.0


def wrong(device: Device, **changes: Any) -> Any:
    node = device.table.waiting
    return signed(node, "order", {"to": node.author}, **changes)


def test_an_accusation_is_held_once_and_told_every_second(device: Device) -> None:
    match, node = device.table.match, device.table.waiting
    statement = wrong(device)
    for _ in range(2):
        device.accusations.suspect(statement)
    assert device.held() == [(node.author, "statement")]
    blame = {"t": "blame", "why": "statement", "x": [statement.to_json()]}
    assert device.told() == [blame]
    device.accusations.tick()
    assert device.told() == [blame]
    other = Accusation.of_counter(match, statement, wrong(device, head=match.entries[-2].hash))
    device.accusations.accuse(other)
    assert device.held() == [(node.author, "statement"), (node.author, "counter")]
    assert [message["why"] for message in device.told()] == ["counter"]
    device.accusations.tick()
    assert [message["why"] for message in device.told()] == ["statement", "counter"]


def test_what_is_long_is_told_again_as_often_as_a_slow_line_carries_it(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever did wrong chooses how long that is, and all tell it to all others for good."""
    statements = [signed(device.table.waiting, "order", {"to": text * 20_000}, count=900) for text in ("a", "b")]
    device.accusations.accuse(Accusation.of_counter(device.table.match, *statements))
    long = len(device.outbox.messages[0][1])
    device.accusations.suspect(wrong(device))
    short = len(device.outbox.messages[1][1])
    seconds = (long + short) // PACE
    device.told()
    assert seconds > 3 and short < PACE
    both = ["counter", "statement"]
    for now, whys in ((0, both), (1, []), (seconds - 1, []), (seconds, both), (seconds + 1, [])):
        monkeypatch.setattr(device.state, "time", 1000.0 + now)
        device.accusations.tick()
        assert [message["why"] for message in device.told()] == whys, now
    del device.state.accusations[0]
    for now in (2 * seconds, 2 * seconds + 1):
        monkeypatch.setattr(device.state, "time", 1000.0 + now)
        device.accusations.tick()
        assert [message["why"] for message in device.told()] == ["statement"], "what is short is told each second"


def test_a_message_to_this_device_itself_is_not_sent() -> None:
    outbox = Outbox("me")
    assert (outbox.send("me", {}), outbox.send("other", {"t": "no"}), outbox.send(None, {})) == (0, 10, 2)
    assert outbox.messages == [("other", b'{"t":"no"}'), (None, b"{}")]


def test_what_the_log_itself_proves_is_not_told(device: Device) -> None:
    device.accusations.accuse(Accusation.of_log(device.table.match, device.table.third.author, "shuffle"))
    assert device.held() == [(device.table.third.author, "shuffle")] and device.told() == []
    assert device.accusations._tell(device.state.accusations[0]) == 0, "nor does it take any time"
    device.accusations.tick()
    assert device.told() == []


def test_strangers_are_counted_and_not_accused(device: Device) -> None:
    for _ in range(2):
        device.accusations.accuse(Accusation.of_log(device.table.match, "0" * 64, "fork"))
    assert device.held() == [] and device.told() == []
    assert device.state.refusal_counts["kernel.stranger"] == 2


def test_what_is_right_is_suspected_for_nothing(device: Device) -> None:
    device.accusations.suspect(wrong(device, head="1" * 64))
    device.accusations.suspect(device.table.match.entries[-1].statement)
    device.accusations.check_log()
    device.accusations.tick()
    device.accusations.tick()
    assert device.held() == [] and device.told() == [] and not device.state.refusal_counts


def test_two_votes_are_held_against_their_voter(device: Device) -> None:
    cheat, other = device.table.waiting, device.table.third
    end = end_of(device.table.match)
    one, two = (vote_of(cheat, 4, subject_gone(node.author, cheat.author), end) for node in (other, device.table.orderer))
    device.accusations.accuse_votes(one, two)
    assert device.held() == [(cheat.author, "vote")]
    assert device.told() == [{"t": "blame", "why": "vote", "x": [one.to_json(), two.to_json()]}]


def test_a_broken_vote_is_found_in_the_log(device: Device) -> None:
    """By what its voter acknowledged, said or placed, where that is of an older epoch and newer than what the vote names."""
    match, orderer = device.table.match, device.table.orderer
    lost = device.table.third
    for node in (orderer, device.table.waiting):
        subject = subject_gone(lost.author, orderer.author)
        broken = vote_of(node, 1, subject, end_of(match, 20))
        assert device.accusations.suspect_votes([broken])
        assert device.held() == [(node.author, "vote")]
        (found,) = device.state.accusations
        assert found.exhibits[0] == broken.to_json()
        device.state.accusations.clear()
        for honest in (vote_of(node, 1, subject, end_of(match)), vote_of(node, 0, subject, end_of(match, 20)),
                       vote_of(node, 1, subject, (1, 0, ""))):
            assert not device.accusations.suspect_votes([honest])
        assert device.held() == []
    both = [vote_of(node, 1, subject_gone(lost.author, orderer.author), end_of(match, 20))
            for node in (orderer, device.table.waiting)]
    assert device.accusations.suspect_votes(both)
    assert {culprit for culprit, _ in device.held()} == {orderer.author, device.table.waiting.author}
    assert not device.accusations.suspect_votes([])


def test_of_what_breaks_a_vote_the_first_is_shown(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """It rests on the fewest entries. Where nothing was said soon behind what the vote names, the newest word is shown."""
    match, voter, other = device.table.match, device.table.orderer, device.table.third
    subject = subject_gone(other.author, device.table.waiting.author)
    placed = [entry.index for entry in match.entries[1:] if match.snapshot_at(entry.index - 1).orderer == voter.author]
    last = len(match.entries) - 1
    back = last - placed[-3]
    first = placed[-2]
    assert placed[-3] + 1 == first < placed[-1] == last
    monkeypatch.setattr(module, "MOST_LOOKED_BACK", 1)
    for words, expected in (((), {"i": first}), ((first,), {"i": last})):
        hidden = {match.entries[index].hash for index in words}
        words_in = Accusations._words_in
        monkeypatch.setattr(Accusations, "_words_in", lambda self, entry, author, hidden=hidden, find=words_in: (
            [] if entry.hash in hidden else [(at, word) for at, word in find(self, entry, author) if word.keys() == {"i"}]))
        assert device.accusations.suspect_votes([vote_of(voter, 1, subject, end_of(match, back))])
        (found,) = device.state.accusations
        assert found.exhibits[1] == expected and len(found.prefix) == expected["i"] + 1
        device.state.accusations.clear()


def test_the_words_of_a_voter_are_looked_for_once(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many votes it gave: that takes long."""
    match, voters = device.table.match, (device.table.waiting, device.table.third)
    asked, words_of = list[str](), Accusations._words_of

    def noted(accusations: Accusations, author: str) -> Any:
        asked.append(author)
        return words_of(accusations, author)

    monkeypatch.setattr(Accusations, "_words_of", noted)
    subject = subject_gone(device.table.orderer.author, device.table.waiting.author)
    votes = [vote_of(voter, epoch, subject, end_of(match)) for epoch in (1, 2, 3) for voter in voters]
    assert not device.accusations.suspect_votes(votes)
    assert asked == [voter.author for voter in voters]


def test_a_broken_vote_of_somebody_who_is_gone_holds_nobody_up(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    match, orderer, lost, voter = device.table.match, device.table.orderer, device.table.third, device.table.waiting
    broken = vote_of(voter, 1, subject_gone(lost.author, orderer.author), end_of(match, 20))
    monkeypatch.setattr(type(device.state), "live", (orderer.author, lost.author))
    assert not device.accusations.suspect_votes([broken]) and device.held() == []
    (blame,) = device.told()
    assert blame["why"] == "vote" and blame["x"][0] == broken.to_json(), "it may play in the log of others"
    lie = vote_of(orderer, 1, subject_gone(lost.author, orderer.author), end_of(match, 20))
    assert device.accusations.suspect_votes([lie, broken]) and device.held() == [(orderer.author, "vote")]


# ---- two votes in two logs ----

class Rivals:
    """The log of ``device`` with the beginning of epoch 1, and what another log has in its place."""

    def __init__(self, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
        table = device.table
        self.match, self.net = table.match.branch(len(table.match.entries)), table.net
        self.orderer, self.one, self.other = table.orderer, table.waiting, table.third
        self.end = end_of(self.match)
        self.match.append(self.entry(self.other, (self.orderer, self.one)))
        monkeypatch.setattr(device.state, "match", self.match)

    def votes(self, against: Node, voters: tuple[Node, ...], epoch: int = 1) -> list[EpochVote]:
        return [vote_of(voter, epoch, subject_gone(against.author, self.orderer.author), self.end) for voter in voters]

    def entry(self, against: Node, voters: tuple[Node, ...], epoch: int = 1, signature: str = "") -> Entry:
        cast = [replace(vote, signature=signature or vote.signature) for vote in self.votes(against, voters, epoch)]
        subject = subject_gone(against.author, self.orderer.author)
        return first_entry(self.orderer, subject, epoch, cast, self.end[1] + 1)


@pytest.fixture
def rivals(device: Device, monkeypatch: pytest.MonkeyPatch) -> Rivals:
    return Rivals(device, monkeypatch)


def test_whoever_voted_for_two_beginnings_of_one_epoch_is_accused(device: Device, rivals: Rivals) -> None:
    one, other = rivals.one, rivals.other
    for branch in ([rivals.entry(one, (other,))], [rivals.entry(other, (rivals.orderer, one))], [rivals.match.entries[-2]], [],
                   [rivals.entry(one, (one, other), 2)], [rivals.entry(one, (one,), signature="0" * 128)],
                   [put(rivals.orderer, signed(rivals.orderer, "pass", {"epoch": 1, "votes": [one.author]}))]):
        assert not device.accusations.suspect_rivals(branch) and device.held() == []
    ours, theirs = rivals.votes(other, (one,))[0], rivals.votes(one, (one,))[0]
    assert device.accusations.suspect_rivals([rivals.match.entries[-2], rivals.entry(one, (other, one))])
    assert device.held() == [(one.author, "vote")]
    assert device.told() == [{"t": "blame", "why": "vote", "x": [ours.to_json(), theirs.to_json()]}]


def test_whoever_begins_one_epoch_behind_two_entries_is_accused(device: Device, rivals: Rivals) -> None:
    """Also where nobody voted twice, or the votes in the branch cannot be read."""
    ours, author = rivals.match.entries[-1], rivals.orderer
    body, earlier = ours.statement.body, rivals.match.entries[-3].hash

    def begins(node: Node = author, head: str = earlier, **changes: Any) -> Entry:
        return put(node, signed(node, "gone", {**body, **changes}, head=head))

    forged = replace(begins().statement, signature="0" * 128)
    for innocent in (begins(rivals.one), begins(head=ours.statement.head), begins(epoch=2), put(author, forged)):
        assert not device.accusations.suspect_rivals([innocent]) and device.held() == []
    for guilty in (begins(), begins(votes=5)):
        assert device.accusations.suspect_rivals([guilty])
        assert device.held() == [(author.author, "epoch")]
        statements = [ours.statement.to_json(), guilty.statement.to_json()]
        assert device.told() == [{"t": "blame", "why": "epoch", "x": statements}]
        device.state.accusations.clear()


def test_of_two_epochs_that_began_in_two_ways_the_newest_that_accuses_somebody_counts(device: Device, rivals: Rivals) -> None:
    """Who voted twice in one of them plays no more, and stops nobody."""
    innocent, guilty = rivals.entry(rivals.one, (rivals.other,)), rivals.entry(rivals.one, (rivals.one,))
    both = rivals.entry(rivals.one, (rivals.one, rivals.orderer))
    for branch in ([innocent, guilty], [guilty, innocent]):
        assert device.accusations.suspect_rivals(branch) and device.held() == [(rivals.one.author, "vote")]
        device.state.accusations.clear()
    assert device.accusations.suspect_rivals([both, guilty]) and device.held() == [(rivals.one.author, "vote")]


def test_a_branch_has_nobody_look_at_signatures_without_end(device: Device, rivals: Rivals,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    innocent, guilty = rivals.entry(rivals.one, (rivals.other,)), rivals.entry(rivals.one, (rivals.one,))
    monkeypatch.setattr(module, "MOST_RIVALS", 3)
    assert not device.accusations.suspect_rivals([guilty, *[innocent] * 3]) and device.held() == []
    assert device.accusations.suspect_rivals([guilty, *[innocent] * 2])
    device.state.accusations.clear()
    assert device.accusations.suspect_rivals([guilty, *[rivals.match.entries[-2]] * 3]), "those begin nothing"


def test_all_who_voted_twice_are_accused(device: Device, rivals: Rivals, monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = rivals.entry(rivals.one, (rivals.one, rivals.orderer))
    assert device.accusations.suspect_rivals([everybody])
    assert device.held() == [(rivals.one.author, "vote"), (rivals.orderer.author, "vote")]
    monkeypatch.setattr(type(device.state), "live", (rivals.other.author,))
    for is_settled in (True, False):
        device.state.accusations.clear()
        monkeypatch.setattr(device.state, "settled_behind", lambda index, settled=is_settled: settled)
        assert device.accusations.suspect_rivals([everybody]) != is_settled, "they are gone"
        assert len(device.held()) == (0 if is_settled else 2)


def test_the_beginning_of_an_epoch_is_no_word_of_an_older_one(device: Device, rivals: Rivals) -> None:
    author, begins = rivals.orderer.author, rivals.match.entries[-1]
    assert begins.statement.author == author
    words = [word for _, word in device.accusations._words_of(author)]
    assert begins.statement.to_json() not in words and {"i": begins.index} in words
    assert any(type(word) is dict and "body" in word for word in words)


@pytest.mark.parametrize("message", [{}, {"x": None}, {"x": {}}, {"x": "xx"}, {"why": "vote", "x": 3}])
def test_a_message_without_exhibits_is_malformed(device: Device, message: dict[str, Json]) -> None:
    with pytest.raises(Malformed):
        device.accusations.hear(device.table.third.author, message)


@pytest.mark.parametrize("word", [
    None, 5, True, "abc", [], [1, 2], [1, 2, 3], [1, 2, 3, 4], {}, {"i": "x"}, {"i": None}, {"head": 1},
])
def test_a_vote_with_any_word_proves_nothing_or_is_malformed(device: Device, word: Json) -> None:
    vote = vote_of(device.table.waiting, 1, subject_gone(device.table.third.author, device.state.author),
                   end_of(device.table.match, 3))
    with pytest.raises(Malformed):
        device.accusations.hear(device.table.third.author, {"why": "vote", "x": [vote.to_json(), word]})
    assert device.held() == []


def test_what_proves_one_thing_is_no_proof_of_another(device: Device) -> None:
    statement, table = wrong(device), device.table
    entry = put(table.orderer, statement)
    twin = wrong(device, count=statement.count, head=table.match.entries[-2].hash)
    fork = entry, put(table.orderer, twin)
    for why, exhibits in [("counter", [statement]), ("twice", [statement]), ("twice", [statement, twin]),
                          ("statement", [statement, twin]), ("counter", [statement, twin, twin]), ("fork", [entry]),
                          ("fork", [entry, entry, entry]), ("place", [entry, entry]), ("place", list(fork)), ("", list(fork)),
                          ("shuffle", [entry]), ("", [entry]), ("vote", [statement])]:
        with pytest.raises(Malformed):
            device.accusations.hear(table.third.author, {"why": why, "x": [one.to_json() for one in exhibits]})
        assert device.held() == [], why
    device.accusations.hear(table.third.author, {"why": "counter", "x": [statement.to_json(), twin.to_json()]})
    assert device.held() == [(table.waiting.author, "counter")]


def test_two_beginnings_of_an_epoch_are_no_proof_of_anything_else(device: Device) -> None:
    table = device.table
    heads = table.match.entries[-2:]
    one, two = (signed(table.waiting, "pass", {"epoch": 1}, head=entry.hash, count=count) for count, entry in enumerate(heads))
    for why, exhibits in (("counter", (one, two)), ("twice", (one, two)), ("statement", (one, two)), ("epoch", (one,)),
                          ("epoch", (one, two, two)), ("epoch", (one, one))):
        with pytest.raises(Malformed):
            device.accusations.hear(table.third.author, {"why": why, "x": [said.to_json() for said in exhibits]})
        assert device.held() == []
    device.accusations.hear(table.third.author, {"why": "epoch", "x": [one.to_json(), two.to_json()]})
    assert device.held() == [(table.waiting.author, "epoch")]
    assert device.state.accusations[0].exhibits == (one.to_json(), two.to_json())


def test_two_shuffles_are_judged_as_such_alone(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    table = device.table
    one, two = (signed(table.waiting, "seat", {"seat": number}, count=number) for number in (70, 71))
    monkeypatch.setattr(Accusation, "of_two_shuffles", classmethod(lambda cls, match, first, second: Accusation(
        first.author, "twice", tuple(match.entries), (first.to_json(), second.to_json()))))
    for why, exhibits in (("counter", (one, two)), ("epoch", (one, two)), ("statement", (one, two)), ("twice", (one,)),
                          ("twice", (one, two, two))):
        with pytest.raises(Malformed):
            device.accusations.hear(table.third.author, {"why": why, "x": [said.to_json() for said in exhibits]})
        assert device.held() == []
    device.accusations.hear(table.third.author, {"why": "twice", "x": [one.to_json(), two.to_json()]})
    assert device.held() == [(table.waiting.author, "twice")]
    assert device.state.accusations[0].exhibits == (one.to_json(), two.to_json())


def test_a_fork_convicts_wherever_it_stands(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Right behind the genesis, behind the newest entry, and where the order just went to somebody else."""
    table = device.table
    match = table.match.branch(len(table.match.entries))
    subject = {"kind": "pass", "against": table.orderer.author, "order": table.waiting.author}
    votes = [vote_of(node, 1, subject, end_of(match)) for node in (table.waiting, table.third)]
    match.append(first_entry(table.waiting, subject, 1, votes, len(match.entries)))
    monkeypatch.setattr(device.state, "match", match)
    host = node_of(table.net, match.snapshot_at(0).orderer)

    def hear(node: Node, index: int, previous: str) -> None:
        fork = []
        for count in (70, 71):
            said = wrong(device, count=count)
            signature = node.identity.sign(canonical(place(index, previous, said.hash)))
            fork.append(Entry.create(index, previous, said, signature).to_json())
        device.accusations.hear(table.third.author, {"why": "fork", "x": fork})

    for node, index in ((host, 1), (table.orderer, len(match.entries) - 1), (table.waiting, len(match.entries))):
        hear(node, index, match.entries[index - 1].hash)
        assert device.held() == [(node.author, "fork")] and len(device.state.accusations[0].prefix) == index
        device.state.accusations.clear()
    for index, previous in ((0, match.head), (len(match.entries) + 1, match.head)):
        with pytest.raises(Malformed):
            hear(table.waiting, index, previous)


@pytest.mark.parametrize("number", range(3))
def test_whoever_is_told_of_a_broken_vote_finds_the_word_in_its_own_log(device: Device, number: int) -> None:
    """A signed head, a statement and a place, each with the entries up to the one that it shows to be held."""
    match, voter = device.table.match, device.table.orderer if number == 2 else device.table.waiting
    broken = vote_of(voter, 1, subject_gone(device.table.third.author, device.state.author), end_of(match, 20))
    words = [(index, word) for index, word in device.accusations._words_of(voter.author) if index > broken.end[1]]
    kinds = [0 if type(word) is list else 2 if word.keys() == {"i"} else 1 for _, word in words]
    index, word = words[kinds.index(number)]
    device.accusations.hear(device.table.third.author, {"why": "vote", "x": [broken.to_json(), word]})
    (found,) = device.state.accusations
    assert (found.culprit, found.why, found.exhibits) == (voter.author, "vote", (broken.to_json(), word))
    assert found.prefix == tuple(match.entries[:index + 1])


@pytest.mark.parametrize("much", ["x" * MOST_SAID_BYTES, [0] * MOST_SAID_VALUES], ids=["bytes", "values"])
def test_nobody_has_others_hold_and_tell_more_than_two_statements_may_be(device: Device, much: Json) -> None:
    """Each who is convinced tells all others, once a second and for good; who did wrong chooses what that is."""
    table = device.table
    one, other = (signed(table.waiting, "order", {"to": much, "n": number}, count=900) for number in range(2))
    begins = [signed(table.waiting, "pass", {"epoch": 1, "to": much}, head=entry.hash) for entry in table.match.entries[-2:]]
    entry = put(table.orderer, one)
    vote = vote_of(table.waiting, 1, {"kind": "pass"}, end_of(table.match, 3))
    proofs: list[tuple[str, list[Any]]] = [
        ("counter", [one, other]), ("statement", [one]), ("epoch", begins), ("place", [entry]),
        ("fork", [entry, put(table.orderer, wrong(device))]), ("vote", [vote, one])]
    for why, exhibits in proofs:
        with pytest.raises(Malformed):
            device.accusations.hear(table.third.author, {"why": why, "x": [exhibit.to_json() for exhibit in exhibits]})
        assert device.held() == [], why


def test_a_wrong_place_right_behind_the_genesis_convicts_and_none_stands_before_it(device: Device) -> None:
    match, statement = device.table.match, wrong(device)
    host = node_of(device.table.net, match.snapshot_at(0).orderer)
    before = Entry.create(0, match.head, statement, host.identity.sign(canonical(place(0, match.head, statement.hash))))
    with pytest.raises(Malformed):
        device.accusations.hear(device.table.third.author, {"why": "place", "x": [before.to_json()]})
    assert device.held() == []
    device.accusations.hear(device.table.third.author, {"why": "place", "x": [put(host, statement, 1).to_json()]})
    assert device.held() == [(host.author, "place")] and len(device.state.accusations[0].prefix) == 1


def test_the_words_of_a_voter_are_its_newest_head_and_what_it_said_and_placed(device: Device) -> None:
    match, state = device.table.match, device.state
    for node in device.table.net.nodes:
        words = list(device.accusations._words_of(node.author))
        said = [entry for entry in reversed(match.entries) if entry.statement.author == node.author]
        placed = [entry.index for entry in match.entries[1:] if match.snapshot_at(entry.index - 1).orderer == node.author]
        assert [word for _, word in words if type(word) is dict and "body" in word] == [one.statement.to_json() for one in said]
        assert {word["i"] for _, word in words if type(word) is dict and "i" in word} == set(placed)
        assert all(index == word["i"] for index, word in words if type(word) is dict and "i" in word)
        assert all((match.index_of(word["head"]) or 0) == index for index, word in words if type(word) is dict and "body" in word)
        newest = state.acknowledgements.newest(node.author)
        heads = [(index, word) for index, word in words if type(word) is list]
        if newest is None:
            assert heads == [] and node is device.table.orderer
        else:
            assert heads == [(newest.index, [newest.index, newest.head, newest.signature])]


def test_a_shuffle_that_fails_is_held_against_who_made_it(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    guilty = device.table.third.author
    dealing = device.state.dealing
    monkeypatch.setattr(dealing, "guilty", guilty)
    device.accusations.check_log()
    assert device.held() == [], "an older entry showed that"
    monkeypatch.setattr(dealing, "spoiled_decks", 1)
    device.accusations.check_log()
    assert device.held() == [(guilty, "shuffle")]
    device.state.accusations.clear()
    monkeypatch.setattr(dealing, "guilty", None)
    device.accusations.check_log()
    assert device.held() == [] and not device.state.refusal_counts["kernel.stranger"], "that deck was given up"
    monkeypatch.setattr(dealing, "guilty", guilty)
    device.accusations.check_log()
    assert device.held() == [(guilty, "shuffle")]


def test_a_shuffle_that_failed_before_the_newest_entry_is_not_held_against_anybody_again(
        device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    match, dealing = device.table.match, device.state.dealing
    asked = []
    before = dealing.copy()
    before.spoiled_decks = 1

    def snapshot_at(match: Match, index: int) -> SimpleNamespace:
        asked.append(index)
        return SimpleNamespace(dealing=before)

    monkeypatch.setattr(Match, "snapshot_at", snapshot_at)
    monkeypatch.setattr(dealing, "spoiled_decks", 1)
    device.accusations.check_log()
    assert asked == [], "nobody is guilty"
    monkeypatch.setattr(dealing, "guilty", device.table.third.author)
    device.accusations.check_log()
    assert device.held() == [] and asked == [len(match.entries) - 2]


def test_of_two_alike_the_one_is_held_that_rests_on_less(device: Device) -> None:
    """A long log may be more than others can judge: it must not keep the short proof away."""
    match, node = device.table.match, device.table.waiting
    long, short = (Accusation(node.author, "statement", tuple(match.entries[:length]), (wrong(device).to_json(),))
                   for length in (len(match.entries), 5))
    for accusation in (long, short, long):
        assert device.accusations.accuse(accusation)
    assert device.state.accusations == [short]
    assert [message["why"] for message in device.told()] == ["statement"] * 2


def test_of_two_alike_that_stop_nobody_the_one_is_kept_that_rests_on_less(device: Device,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    match, node = device.table.match, device.table.waiting
    long, short = (Accusation(node.author, "statement", tuple(match.entries[:length]), (wrong(device).to_json(),))
                   for length in (len(match.entries), 5))
    monkeypatch.setattr(type(device.state), "live", (device.table.orderer.author,))
    monkeypatch.setattr(device.state, "idle_accusations", [])
    for accusation in (long, short, long):
        assert not device.accusations.accuse(accusation)
    assert device.state.idle_accusations == [short]


@pytest.mark.parametrize("act", ["tick", "accuse"])
def test_what_stops_nobody_any_more_is_set_aside(device: Device, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
    match = device.table.match
    going, gone, found = (Accusation(node.author, why, tuple(match.entries), ()) for node, why in (
        (device.table.waiting, "place"), (device.table.third, "place"), (device.table.waiting, "fork")))
    device.state.accusations[:] = [gone, going]
    monkeypatch.setattr(device.state, "idle_accusations", [])
    monkeypatch.setattr(type(device.state), "stops_by", lambda state, one: one is not gone)
    if act == "tick":
        device.accusations.tick()
    else:
        device.accusations.accuse(found)
    assert device.state.accusations == [going, *[found] * (act == "accuse")] and device.state.idle_accusations == [gone]


def test_a_chain_that_is_not_complete_is_checked_where_nothing_comes(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    guilty = device.table.third.author
    monkeypatch.setattr(type(device.state.dealing), "unfinished_guilty", lambda dealing: guilty)
    fresh = Accusations(device.state, device.outbox)
    fresh.tick()
    assert device.held() == [], "the log may just be growing"
    last = device.table.match.entries.pop()
    try:
        fresh.tick()
        assert device.held() == [], "it has another head"
        fresh.tick()
        assert device.held() == [(guilty, "shuffle")]
    finally:
        device.table.match.entries.append(last)
    device.state.accusations.clear()
    with monkeypatch.context() as patch:
        patch.setattr(type(device.table.match), "outcome", object())
        for _ in range(3):
            fresh.tick()
    assert device.held() == [], "the match is over"
    other = Accusation.of_log(device.table.match, device.table.waiting.author, "shuffle")
    device.accusations.accuse(other)
    for _ in range(3):
        fresh.tick()
    assert device.held() == [(device.table.waiting.author, "shuffle")], "one is enough to stop for"
