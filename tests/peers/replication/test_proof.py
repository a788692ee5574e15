"""What proves a misdeed and what does not: each exhibit that convicts, beside all that differ from it in one thing.

Each case is judged twice: from its file alone, as anybody may, and by a replica that is told of it and has the log itself.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import NOTHING, Entry, Json, Statement, canonical, parse, place
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import acknowledgement
from tabletin.peers.replication.epoch_vote import MOST_SUBJECT, EpochVote, votes_of
from tabletin.peers.replication.evidence import Accusation, judge, peer_match, uses_old_counter, what_was_wrong
from tabletin.registry import rules_of
from tests.support.ballots import end_of, first_body, node_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(631)


def proven(table: RestingTable, why: str, culprit: Node, *exhibits: Json, back: int = 0) -> str:
    """What anybody finds proven by these exhibits behind the log without its last ``back`` entries; "" for nothing."""
    prefix = tuple(table.match.entries[:len(table.match.entries) - back])
    found = judge(Accusation(culprit.author, why, prefix, exhibits), rules_of, table.net.verifier, table.net.checker)
    return "" if found is None else found.key


def accused(table: RestingTable, why: str, *exhibits: Json, rests_on: int | None = None) -> set[tuple[str, str]]:
    """Of what the one that orders accuses whom, once it is told of these exhibits. ``rests_on``: how many entries prove it."""
    peer = peer_of(table.orderer)
    assert not peer.accusations
    with suppress(Malformed):
        peer._accusations.hear(table.third.author, {"t": "blame", "why": why, "x": list(exhibits)})
    found = {(accusation.culprit, accusation.why) for accusation in peer.accusations}
    for accusation in peer.accusations:
        assert judge(accusation, rules_of, table.net.verifier, table.net.checker) is not None
        assert rests_on is None or len(accusation.prefix) == rests_on
    peer.accusations.clear()
    return found


def resigns(node: Node, table: RestingTable, **changes: Any) -> Statement:
    return signed(node, "resign", {"seat": table.seat(node)}, **changes)


def renames(node: Node, table: RestingTable, **changes: Any) -> Statement:
    return signed(node, "seat", {"seat": table.seat(node), "to": table.match.setup.seats[table.seat(node)].to_json()}, **changes)


def forged(statement: Statement) -> Statement:
    return replace(statement, signature="0" * 128)


# ---- fork ----

def test_two_places_are_a_fork_only_at_one_index_behind_one_entry_by_one_signer(table: RestingTable) -> None:
    orderer, other = table.orderer, table.waiting
    one, two = (put(orderer, renames(node, table)) for node in (orderer, other))
    at = len(table.match.entries)
    assert proven(table, "fork", orderer, one.to_json(), two.to_json()) == "peers.why.fork"
    assert proven(table, "fork", orderer, one.to_json(), two.to_json(), back=1) == ""
    for wrong in (one, put(other, two.statement), replace(two, signature="0" * 128), put(orderer, two.statement, at - 1),
                  placed(orderer, two.statement, at, "1" * 64), placed(orderer, two.statement, at + 1, table.match.head)):
        assert proven(table, "fork", orderer, one.to_json(), wrong.to_json()) == ""
        assert proven(table, "fork", orderer, wrong.to_json(), one.to_json()) == ""
    further = [placed(orderer, entry.statement, at + 1, table.match.head).to_json() for entry in (one, two)]
    assert proven(table, "fork", orderer, *further) == "", "they stand behind that entry and are not the next"
    of_another = put(orderer, signed(other, "gone", {"order": other.author, "epoch": 0}))
    of_another_epoch = put(orderer, signed(orderer, "gone", {"order": orderer.author, "epoch": 5}))
    for wrong in (of_another, of_another_epoch):
        assert proven(table, "fork", orderer, one.to_json(), wrong.to_json()) == ""
        assert proven(table, "fork", orderer, wrong.to_json(), one.to_json()) == ""
    assert proven(table, "fork", other, one.to_json(), two.to_json()) == ""
    with pytest.raises(Malformed):
        proven(table, "fork", orderer, one.to_json())


def placed(node: Node, statement: Statement, index: int, previous: str) -> Entry:
    signature = node.identity.sign(canonical(place(index, previous, statement.hash)))
    return Entry.create(index, previous, statement, signature)


def test_a_replica_is_told_of_a_fork(table: RestingTable) -> None:
    at = len(table.match.entries) - 1
    orderer, mine = node_of(table.net, table.match.snapshot_at(at - 1).orderer), table.match.entries[-1]
    bystander = next(node for node in table.net.nodes if node is not orderer)
    other = put(orderer, renames(table.third, table), at)
    assert accused(table, "fork", mine.to_json(), other.to_json(), rests_on=at) == {(orderer.author, "fork")}
    for wrong in (mine, put(bystander, other.statement, at), replace(other, signature="0" * 128),
                  placed(orderer, other.statement, at, "1" * 64), placed(orderer, other.statement, at - 1, mine.previous),
                  placed(orderer, other.statement, at + 1, mine.previous), placed(orderer, other.statement, 0, mine.previous)):
        assert accused(table, "fork", mine.to_json(), wrong.to_json()) == set()
        assert accused(table, "fork", wrong.to_json(), mine.to_json()) == set()
    far = placed(orderer, other.statement, 10**6, mine.previous)
    assert accused(table, "fork", far.to_json(), replace(far, signature="1").to_json()) == set()
    genesis = table.match.entries[0]
    assert accused(table, "fork", genesis.to_json(), placed(table.net.nodes[0], other.statement, 0, "0" * 64).to_json()) == set()
    assert accused(table, "fork", mine.to_json()) == set()


# ---- counter ----

def test_two_statements_convict_only_where_one_author_gave_both_one_counter(table: RestingTable) -> None:
    cheat, other = table.waiting, table.third
    one, two = resigns(cheat, table, count=70), renames(cheat, table, count=70)
    assert proven(table, "counter", cheat, one.to_json(), two.to_json()) == "peers.why.counter"
    assert accused(table, "counter", one.to_json(), two.to_json(), rests_on=1) == {(cheat.author, "counter")}
    for wrong in (one, renames(cheat, table, count=71), renames(other, table, count=70), forged(two),
                  renames(cheat, table, count=70, match="1" * 64)):
        for pair in ((one, wrong), (wrong, one)):
            exhibits = [statement.to_json() for statement in pair]
            assert proven(table, "counter", cheat, *exhibits) == ""
            assert accused(table, "counter", *exhibits) == set()
    assert proven(table, "counter", other, one.to_json(), two.to_json()) == ""
    assert accused(table, "counter", one.to_json()) == accused(table, "counter", *[one.to_json()] * 3) == set()
    with pytest.raises(Malformed):
        proven(table, "counter", cheat, one.to_json())


# ---- epoch ----

def test_two_beginnings_convict_only_where_one_author_signed_both_for_one_epoch_behind_two_entries(table: RestingTable) -> None:
    cheat, other = table.waiting, table.third
    earlier = table.match.entries[-2].hash

    def begins(node: Node = cheat, kind: str = "pass", epoch: int = 4, **changes: Any) -> Statement:
        return signed(node, kind, {"epoch": epoch}, **changes)

    one, two = begins(), begins(head=earlier)
    assert proven(table, "epoch", cheat, one.to_json(), two.to_json()) == "peers.why.epoch"
    assert accused(table, "epoch", one.to_json(), two.to_json(), rests_on=1) == {(cheat.author, "epoch")}
    gone = begins(kind="gone", head=earlier)
    assert proven(table, "epoch", cheat, one.to_json(), gone.to_json()) == "peers.why.epoch"
    for wrong in (one, begins(count=71), begins(epoch=5, head=earlier), begins(other, head=earlier), forged(two),
                  begins(kind="seat", head=earlier), begins(head=earlier, match="1" * 64)):
        for pair in ((one, wrong), (wrong, one)):
            exhibits = [statement.to_json() for statement in pair]
            assert proven(table, "epoch", cheat, *exhibits) == ""
            assert accused(table, "epoch", *exhibits) == set()
    for epoch in (0, -1):
        exhibits = [begins(epoch=epoch).to_json(), begins(epoch=epoch, head=earlier).to_json()]
        assert proven(table, "epoch", cheat, *exhibits) == "", "there is no such epoch"
        assert accused(table, "epoch", *exhibits) == set()
    assert proven(table, "epoch", other, one.to_json(), two.to_json()) == ""
    assert accused(table, "epoch", one.to_json()) == accused(table, "epoch", *[one.to_json()] * 3) == set()
    with pytest.raises(Malformed):
        proven(table, "epoch", cheat, one.to_json())


def test_what_is_no_shuffle_is_no_second_shuffle(table: RestingTable) -> None:
    cheat = table.waiting
    for kind in ("deal", "seat"):
        said = [signed(cheat, kind, body) for body in ({"sealed": "AAAA"}, {"sealed": "AAAB"})]
        assert proven(table, "twice", cheat, *(one.to_json() for one in said)) == ""
        assert accused(table, "twice", *(one.to_json() for one in said)) == set()


# ---- statement ----

def test_a_statement_convicts_who_signed_it_if_it_is_wrong_at_the_very_head_it_names(table: RestingTable) -> None:
    cheat, other = table.waiting, table.third
    wrong = signed(cheat, "order", {"to": cheat.author})
    assert proven(table, "statement", cheat, wrong.to_json()) == "peers.not_ordering"
    assert accused(table, "statement", wrong.to_json(), rests_on=len(table.match.entries)) == {(cheat.author, "statement")}
    assert proven(table, "statement", cheat, wrong.to_json(), back=1) == "", "it names another head"
    assert proven(table, "statement", other, wrong.to_json()) == "", "another signed it"
    earlier = signed(cheat, "order", {"to": cheat.author}, head=table.match.entries[-4].hash)
    assert accused(table, "statement", earlier.to_json(), rests_on=len(table.match.entries) - 3) == {(cheat.author, "statement")}
    for innocent in (forged(wrong), signed(cheat, "order", {"to": cheat.author}, match="1" * 64), renames(cheat, table),
                     signed(cheat, "order", {"to": cheat.author}, head="1" * 64)):
        assert proven(table, "statement", cheat, innocent.to_json()) == ""
        assert accused(table, "statement", innocent.to_json()) == set()
    assert accused(table, "statement", wrong.to_json(), wrong.to_json()) == set()
    accusation = Accusation(cheat.author, "statement", tuple(table.match.entries), (wrong.to_json(),))
    placed_by_it = put(table.orderer, wrong)
    place_of_it = Accusation(table.orderer.author, "place", tuple(table.match.entries), (placed_by_it.to_json(),))
    assert what_was_wrong(place_of_it, table.match) == what_was_wrong(accusation, table.match)
    found = what_was_wrong(accusation, table.match)
    assert found is not None and found.key == "peers.not_ordering"
    assert what_was_wrong(replace(accusation, why="counter"), table.match) is None


def test_a_stranger_is_accused_of_nothing(table: RestingTable) -> None:
    own = RestingTable(632)
    own.match.snapshot.former_authors = frozenset({own.waiting.author})
    wrong = signed(own.waiting, "order", {"to": own.waiting.author})
    peer_of(own.third).match.snapshot.former_authors = frozenset({own.waiting.author})
    peer_of(own.third)._accusations.hear(own.orderer.author, {"t": "blame", "why": "statement", "x": [wrong.to_json()]})
    assert not peer_of(own.third).accusations and peer_of(own.third).refusal_counts["kernel.stranger"] == 1


# ---- place ----

def test_a_place_convicts_who_signed_it_if_the_log_before_refuses_it(table: RestingTable) -> None:
    orderer, other = table.orderer, table.third
    wrong = signed(other, "order", {"to": other.author})
    at, head = len(table.match.entries), table.match.head
    assert proven(table, "place", orderer, put(orderer, wrong).to_json()) == "peers.not_ordering"
    right = put(orderer, renames(other, table))
    for innocent in (right, put(other, wrong), replace(put(orderer, wrong), signature="0" * 128),
                     placed(orderer, wrong, at, "1" * 64), placed(orderer, wrong, at + 1, head)):
        assert proven(table, "place", orderer, innocent.to_json()) == ""
        assert accused(table, "place", innocent.to_json()) == set()
    assert proven(table, "place", other, put(orderer, wrong).to_json()) == ""
    assert proven(table, "place", other, put(other, wrong).to_json()) == "", "its place is nobody's law"
    assert accused(table, "place", put(orderer, wrong).to_json(), rests_on=at) == {(orderer.author, "place")}
    assert accused(table, "place", put(orderer, wrong).to_json(), put(orderer, wrong).to_json()) == set()
    with pytest.raises(Malformed):
        proven(table, "place", orderer)


# ---- vote ----

def test_two_votes_convict_only_in_one_ballot_and_of_one_voter(table: RestingTable) -> None:
    cheat, other, lost = table.waiting, table.third, table.orderer
    end = end_of(table.match)
    one, two = (vote_of(cheat, 4, subject_gone(node.author, cheat.author), end) for node in (other, lost))
    elsewhere = vote_of(cheat, 4, one.subject, end_of(table.match, 1))
    for second in (two, elsewhere):
        assert proven(table, "vote", cheat, one.to_json(), second.to_json()) == "peers.why.vote"
        assert accused(table, "vote", one.to_json(), second.to_json()) == {(cheat.author, "vote")}
    for wrong in (one, vote_of(cheat, 5, two.subject, end), vote_of(other, 4, two.subject, end),
                  replace(two, signature="0" * 128), replace(two, voter=other.author), replace(two, epoch=5)):
        for pair in ((one, wrong), (wrong, one)):
            exhibits = [vote.to_json() for vote in pair]
            assert proven(table, "vote", cheat, *exhibits) == ""
            assert accused(table, "vote", *exhibits) == set()
    assert proven(table, "vote", other, one.to_json(), two.to_json()) == ""
    assert accused(table, "vote", one.to_json()) == set()
    with pytest.raises(Malformed):
        proven(table, "vote", cheat, one.to_json())


def test_a_vote_convicts_with_a_word_that_shows_that_its_voter_held_more(table: RestingTable) -> None:
    match, cheat, other = table.match, table.orderer, table.third
    last = match.entries[-1]
    vote = vote_of(cheat, 1, subject_gone(other.author, cheat.author), end_of(match, 3))

    def head(node: Node, index: int = last.index, of: str = last.hash) -> list[Json]:
        return [index, of, node.identity.sign(acknowledgement(match.id, index, of))]

    statement = renames(cheat, table)
    for word in (head(cheat), statement.to_json(), {"i": last.index}):
        assert proven(table, "vote", cheat, vote.to_json(), word) == "peers.why.vote", word
        assert accused(table, "vote", vote.to_json(), word) == {(cheat.author, "vote")}, word
    before = match.entries[-2]
    wrong: list[Json] = [
        head(other), [last.index, last.hash, "0" * 128], head(cheat, last.index - 1), head(cheat, of="1" * 64),
        forged(statement).to_json(), renames(other, table).to_json(), renames(cheat, table, match="1" * 64).to_json(),
        renames(cheat, table, head="1" * 64).to_json(), {"i": -1}, {"i": 0}, {"i": 10**6},
        {"i": len(match.entries)},
    ]
    for word in wrong:
        assert proven(table, "vote", cheat, vote.to_json(), word) == "", word
        assert accused(table, "vote", vote.to_json(), word) == set(), word
    held = vote_of(cheat, 1, vote.subject, end_of(match))
    of_this_epoch = vote_of(cheat, 0, vote.subject, end_of(match, 3))
    for innocent in (held, of_this_epoch, replace(vote, signature="0" * 128), replace(vote, voter=other.author)):
        for word in (head(cheat), statement.to_json(), {"i": last.index}):
            assert proven(table, "vote", cheat, innocent.to_json(), word) == "", word
            assert accused(table, "vote", innocent.to_json(), word) == set(), word
    first, placer = match.entries[1], next(node for node in table.net.nodes if node.author == match.snapshot_at(0).orderer)
    early, back = vote_of(placer, 1, vote.subject, (0, 0, match.entries[0].hash)), len(match.entries) - 2
    for word in (head(placer, 1, first.hash), {"i": 1}):
        assert proven(table, "vote", placer, early.to_json(), word, back=back) == "peers.why.vote"
        assert accused(table, "vote", early.to_json(), word) == {(placer.author, "vote")}
    for word in (head(placer, True, first.hash), {"i": True}):  # for Python, true is 1
        with suppress(Malformed):
            assert proven(table, "vote", placer, early.to_json(), word, back=back) == "", word
        assert accused(table, "vote", early.to_json(), word) == set(), word
    just = vote_of(cheat, 1, vote.subject, end_of(match, 1))
    assert proven(table, "vote", cheat, just.to_json(), head(cheat)) == "peers.why.vote"
    assert proven(table, "vote", cheat, just.to_json(), head(cheat, before.index, before.hash), back=1) == ""
    by_another = vote_of(table.waiting, 1, vote.subject, end_of(match, 3))
    assert proven(table, "vote", table.waiting, by_another.to_json(), {"i": last.index}) == "", "it did not place it"
    assert proven(table, "vote", cheat, vote.to_json(), {"i": last.index - 1}) == "", "that is not the entry the file ends with"
    ahead = vote_of(cheat, 1, vote.subject, (1, 0, NOTHING))
    assert proven(table, "vote", cheat, ahead.to_json(), head(cheat)) == "", "it names something of a newer epoch"
    begins = signed(cheat, "gone", first_body(vote.subject, 1, [vote])).to_json()
    assert proven(table, "vote", cheat, vote.to_json(), begins) == "", "its author may have got that entry since it voted"
    assert proven(table, "vote", cheat, vote_of(cheat, 2, vote.subject, vote.end).to_json(), begins) == "peers.why.vote"


def test_what_is_voted_for_is_short(table: RestingTable) -> None:
    around = len(canonical({"kind": ""}))
    for length, is_short in ((MOST_SUBJECT, True), (MOST_SUBJECT + 1, False)):
        vote = vote_of(table.third, 1, {"kind": "x" * (length - around)}, (0, 0, NOTHING)).to_json()
        if is_short:
            assert EpochVote.from_json(vote).to_json() == vote
        else:
            with pytest.raises(Malformed, match="short"):
                EpochVote.from_json(vote)


@pytest.mark.parametrize("change", [
    {"by": 1}, {"by": "x" * 300}, {"e": -1}, {"e": "1"}, {"what": []}, {"seen": [0, 1]}, {"seen": ["0", 1, NOTHING]},
    {"seen": [0, "1", NOTHING]}, {"seen": [0, 1, 2]}, {"seen": [-1, 1, NOTHING]}, {"seen": [0, -1, NOTHING]}, {"sig": 1},
    {"more": 1}, {"seen": [0, 0, NOTHING + "0"]}, {"seen": [0, 0, ""]}, {"what": {"kind": "x" * MOST_SUBJECT}},
])
def test_a_vote_of_another_form_is_none(table: RestingTable, change: dict[str, Json]) -> None:
    vote = vote_of(table.third, 1, {"kind": "x"}, (0, 0, NOTHING))
    assert EpochVote.from_json(vote.to_json()) == vote
    with pytest.raises(Malformed):
        EpochVote.from_json({**vote.to_json(), **change})
    for odd in (None, list[Json](), dict[str, Json]()):
        with pytest.raises(Malformed):
            EpochVote.from_json(odd)


def test_the_two_votes_and_the_broken_one_that_a_device_finds_itself(table: RestingTable) -> None:
    match, cheat, other = table.match, table.orderer, table.third
    one, two = (vote_of(cheat, 4, subject_gone(node.author, cheat.author), end_of(match)) for node in (table.waiting, other))
    found = Accusation.of_two_votes(match, one, two)
    assert (found.culprit, found.why, len(found.prefix)) == (cheat.author, "vote", 1)
    assert found.exhibits == (one.to_json(), two.to_json())
    late = vote_of(cheat, 1, one.subject, end_of(match, 3))
    index = len(match.entries) - 1
    found = Accusation.of_broken_vote(match, late, index, {"i": index})
    assert (found.culprit, found.why, len(found.prefix)) == (cheat.author, "vote", index + 1)
    assert judge(found, rules_of, table.net.verifier, table.net.checker) is not None
    entry = put(cheat, signed(other, "order", {"to": other.author}))
    found = Accusation.of_place(match, entry)
    assert (found.culprit, found.why, found.prefix) == (cheat.author, "place", tuple(match.entries))
    assert found.exhibits == (entry.to_json(),)
    found = Accusation.of_log(match, cheat.author, "shuffle")
    assert (found.culprit, found.why, found.prefix, found.exhibits) == (cheat.author, "shuffle", tuple(match.entries), ())


def test_an_entry_without_votes_carries_none(table: RestingTable) -> None:
    vote = vote_of(table.third, 6, {"kind": "pass", "order": "x"}, (0, 3, "1" * 64))
    cast = [list(vote.end), vote.signature]
    body = {"order": "x", "epoch": 6, "votes": {vote.voter: cast}}
    assert votes_of(put(table.third, signed(table.third, "pass", body))) == [vote]
    assert votes_of(put(table.third, signed(table.third, "order", body))) == []
    for other in ({**body, "epoch": None}, {**body, "epoch": True}, {}):
        assert votes_of(put(table.third, signed(table.third, "pass", other))) == []
    for votes in (None, [cast], {vote.voter: None}, {vote.voter: cast, "x": 7}, {vote.voter: [*cast, 1]},
                  {vote.voter: ["", vote.signature]},
                  {vote.voter: [[True, 3, "1" * 64], vote.signature]}, {vote.voter: [list(vote.end), 7]}):
        with pytest.raises(Malformed):
            votes_of(put(table.third, signed(table.third, "pass", {**body, "votes": votes})))


def test_a_counter_is_old_once_its_author_said_something_with_it_or_a_higher_one(table: RestingTable) -> None:
    match = table.match
    newest = {entry.statement.author: entry for entry in match.entries[1:]}
    assert len({entry.statement.count for entry in newest.values()}) > 1, "others count on their own"
    for node in table.net.nodes:
        entry = newest[node.author]
        for count, length, is_old in ((0, len(match.entries), True), (0, entry.index + 1, True), (0, entry.index, False),
                                      (-1, entry.index + 1, True), (1, len(match.entries), False)):
            statement = signed(node, "order", {}, count=entry.statement.count + count)
            assert uses_old_counter(match, length, statement) is is_old


# ---- the file itself ----

def test_a_match_begins_only_with_a_signed_genesis_of_a_protocol_that_is_known(table: RestingTable) -> None:
    genesis, net = table.net.genesis, table.net
    host = net.nodes[0].identity
    assert peer_match(genesis, net.rules, net.verifier, net.checker).id == table.match.id
    statement = genesis.statement
    for wrong in (replace(genesis, signature=""), replace(genesis, statement=forged(statement)),
                  replace(genesis, signature=net.nodes[1].identity.sign(canonical(place(0, "0" * 64, statement.hash))))):
        with pytest.raises(Malformed, match="not signed"):
            peer_match(wrong, net.rules, net.verifier, net.checker)
    setup = replace(net.setup, extra={"protocol": 99}).statement(host.author)
    newer = replace(setup, signature=host.sign(canonical(setup.signed_fields())))
    with pytest.raises(Refused, match="protocol"):
        peer_match(Entry.create(0, "0" * 64, newer, ""), net.rules, net.verifier, net.checker)


def test_a_file_of_another_form_is_no_accusation(table: RestingTable) -> None:
    culprit = "a" * 64
    text = Accusation(culprit, "fork", tuple(table.match.entries[:1]), ({"x": 1},)).to_text()
    assert Accusation.from_text(text).exhibits == ({"x": 1},)
    for text_of_another in ("[]", "1", "null", '"tabletin-accusation"'):
        with pytest.raises(Malformed):
            Accusation.from_text(text_of_another)
    whole = parse(text)
    for prefix in (list[Json](), dict[str, Json](), None, "x"):
        with pytest.raises(Malformed, match="prefix"):
            Accusation.from_text(canonical({**whole, "prefix": prefix}).decode())
    against = f'"against":"{culprit}"'
    for old, new in ((against, '"against":1'), (against, '"against":"Eve"'), (against, '"against":"\\u001b[2J"'),
                     ('"why":"fork"', '"why":1'), ('"version":1', '"version":2'),
                     ('"version":1', '"version":true'),
                     ('"form":"tabletin-accusation"', '"form":"x"'), ('"exhibits":[{"x":1}]', '"exhibits":{}'),
                     ('"exhibits":[{"x":1}]', '"exhibits":0')):
        assert old in text
        with pytest.raises(Malformed):
            Accusation.from_text(text.replace(old, new))


def test_a_log_whose_shuffles_hold_convicts_nobody_of_a_shuffle(table: RestingTable) -> None:
    for node in table.net.nodes:
        assert proven(table, "shuffle", node) == ""
    with pytest.raises(Malformed, match="no such accusation"):
        proven(table, "silence", table.third)
