"""What bound devices hold: they sign an older entry, and say beside it, unsigned, what they took in since they voted."""

from __future__ import annotations

import pytest

from tests.support.ballots import end_of, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.forging import put, signed, tell
from tests.support.resting_table import RestingTable
from tests.support.two_logs import entries_told, held_against, place


class Bound:
    """Two honest devices have voted to pass the third one over, who ordered, each in a ballot of its own. It is silent now."""

    def __init__(self) -> None:
        table = RestingTable(881)
        self.net, self.cheat, self.honest = table.net, table.orderer, (table.waiting, table.third)
        self.net.act = lambda node: None  # type: ignore[method-assign]
        match = table.match
        subject = {"kind": "pass", "against": None, "order": self.cheat.author}
        for epoch, node in enumerate(self.honest, 1):
            peer_of(node).state.set_promise(vote_of(node, epoch, subject, end_of(match)))
        self.entries = [put(self.cheat, signed(self.cheat, "order", {"to": self.cheat.author}, count=900 + number))
                        for number in range(2)]


def test_two_bound_devices_that_were_shown_two_histories_find_it_out() -> None:
    scene = Bound()
    for node, entry in zip(scene.honest, scene.entries, strict=True):
        tell(scene.net, scene.cheat, entries_told(entry), node)
        assert peer_of(node).match.head == entry.hash and peer_of(node).state.is_bound
        peer_of(node).choices.removals.add(scene.cheat.author)
    scene.cheat.peer = None
    assert scene.net.run(lambda: all(peer_of(node).accusations for node in scene.honest), 120)
    for node in scene.honest:
        assert held_against(node) == [(scene.cheat.author, "fork")]


def test_an_entry_that_a_bound_device_alone_took_in_is_got_from_it() -> None:
    """What it signs does not name that entry."""
    scene = Bound()
    one, other = scene.honest
    entry = scene.entries[0]
    tell(scene.net, scene.cheat, entries_told(entry), other)
    scene.cheat.peer = None
    for node in scene.honest:
        peer_of(node).choices.removals.add(scene.cheat.author)
    assert scene.net.run(lambda: all(scene.cheat.author in peer_of(node).match.former_authors for node in scene.honest), 120)
    assert {peer_of(node).match.entries[entry.index].hash for node in scene.honest} == {entry.hash}
    assert not peer_of(one).accusations and not peer_of(other).accusations


@pytest.mark.parametrize("epochs", [1, 2])
def test_a_vote_that_was_heard_is_held_against_the_one_by_which_the_log_goes_on(epochs: int) -> None:
    """Somebody told one device that it votes with it, and another one the same, in one ballot. The first is put out by that, and
    may hear of more than one epoch at once."""
    table = RestingTable(882)
    one, cheat, other = table.waiting, table.third, table.orderer
    table.net.act = lambda node: None  # type: ignore[method-assign]
    match = peer_of(one).match
    told = vote_of(cheat, 1, subject_gone(other.author, one.author), end_of(match))
    tell(table.net, cheat, {"t": "ballot", **told.to_json()}, one)
    entries = []
    for epoch, subject in enumerate((subject_gone(one.author, other.author),
                                     {"kind": "pass", "against": None, "order": other.author})[:epochs], 1):
        log = peer_of(other).match
        votes = [vote_of(node, epoch, subject, end_of(log)) for node in (other, cheat)]
        entries.append(first_entry(other, subject, epoch, votes, len(log.entries)))
        place(other, entries[-1])
        peer_of(other).state.count += 100
    tell(table.net, other, entries_told(*entries), one)
    assert match.snapshot.epoch == epochs and held_against(one) == [(cheat.author, "vote")]
    assert not peer_of(other).accusations
    tell(table.net, one, {"t": "blame", "why": "vote", "x": list(peer_of(one).accusations[0].exhibits)}, other)
    assert held_against(other) == [(cheat.author, "vote")]


def test_a_vote_that_was_heard_and_stands_in_the_log_is_held_against_nobody() -> None:
    table = RestingTable(883)
    one, other, third = table.waiting, table.orderer, table.third
    table.net.act = lambda node: None  # type: ignore[method-assign]
    match = peer_of(one).match
    subject = {"kind": "pass", "against": None, "order": other.author}
    votes = [vote_of(node, 1, subject, end_of(match)) for node in (one, other, third)]
    for vote, node in zip(votes[1:], (other, third), strict=True):
        tell(table.net, node, {"t": "ballot", **vote.to_json()}, one)
    later = vote_of(third, 2, {**subject, "against": other.author, "order": one.author}, end_of(match))
    tell(table.net, third, {"t": "ballot", **later.to_json()}, one)
    tell(table.net, other, entries_told(first_entry(other, subject, 1, votes, len(match.entries))), one)
    assert match.snapshot.epoch == 1 and not peer_of(one).accusations


@pytest.mark.parametrize("wanted", [False, True])
def test_what_a_bound_device_took_in_and_votes_no_more_for_is_got_from_it(wanted: bool) -> None:
    """Somebody began an older epoch than the one that two others had voted for last, gave the order on in it, told one of them
    alone, and is silent. Who orders there cannot be agreed on before both hold that."""
    table = RestingTable(884)
    net, cheat = table.net, table.orderer
    net.act = lambda node: None  # type: ignore[method-assign]
    start, match = end_of(table.match), table.match
    lone = node_of(net, match.snapshot.next_to_order(cheat.author))
    (other,) = {table.waiting, table.third} - {lone}
    subject = {"kind": "pass", "against": None, "order": cheat.author}
    votes = [vote_of(node, 1, subject, start) for node in (lone, other, cheat)]
    first = first_entry(cheat, subject, 1, votes, len(match.entries))
    place(cheat, first)
    handed = put(cheat, signed(cheat, "order", {"to": other.author}, count=900))
    for node in (lone, other):
        peer_of(node).state.set_promise(vote_of(node, 2, subject, start))
    tell(net, cheat, entries_told(first, handed), other)
    assert peer_of(other).match.head == handed.hash and peer_of(other).state.is_bound
    cheat.peer = None
    if wanted:
        for node in (lone, other):
            peer_of(node).choices.removals.add(cheat.author)
    assert net.run(lambda: peer_of(lone).match.snapshot.epoch > 1 and net.agreed(), 120)
    assert not any(peer_of(node).accusations or peer_of(node).state.is_bound for node in (lone, other))
