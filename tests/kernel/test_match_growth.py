"""How a match grows, is cut back and looks back: what is kept, what is judged again, and what a dealing is told."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tabletin.kernel.authority import OneDevice
from tabletin.kernel.dealing import OpenDealer, OpenDealing
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Hash, Statement
from tabletin.kernel.match import MOST_BEHIND, Match, asks_new_deck
from tabletin.kernel.options import Refused
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.requests import Request, Roll, Shuffle
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR, Table
from tests.support.highcard import HighCard

SETUP = Setup("highcard", 1, {"turns": 6}, (Seat("person", AUTHOR), Seat("bot", AUTHOR)))


class Listening(OpenDealing):
    """Remembers the entries that it was told of."""

    def __init__(self, heads: tuple[Hash, ...] = ()) -> None:
        self.heads = heads

    def copy(self) -> Listening:
        return Listening(self.heads)

    def note_entry(self, state: State, head: Hash) -> None:
        assert state is not None
        self.heads += (head,)


class Guard(OneDevice):
    """Counts what it is asked."""

    def __init__(self) -> None:
        self.checks = self.places = 0

    def check(self, prefix: Prefix, statement: Statement) -> None:
        self.checks += 1

    def place(self, prefix: Prefix, entry: Entry) -> None:
        assert prefix.index == entry.index - 1
        self.places += 1


def begun(guard: OneDevice | None = None) -> Table:
    match = Match(HighCard, Entry.create(0, NOTHING, SETUP.statement(AUTHOR)), Listening(), guard)
    table = Table(match, OpenDealer(Random(1)))
    table.settle()
    return table


def grown(length: int) -> Table:
    """A match of ``length`` entries, each of them a consent from the sixth on, but for an undo at 9 and at 19."""
    table = begun()
    while len(table.match.entries) < length:
        if len(table.match.entries) in (9, 19):
            table.undo(0, 7)
        else:
            table.consent(0, 5)
    return table


# ---- beginning ----

def test_a_match_begins_with_its_genesis() -> None:
    match = Match(HighCard, Entry.create(0, NOTHING, SETUP.statement(AUTHOR)), Listening())
    genesis, = match.entries
    assert (match.id, match.head, match.index_of(match.head)) == (genesis.statement.hash, genesis.hash, 0)
    assert (match.count(AUTHOR), match.count("somebody else")) == (1, 0)
    assert isinstance(match.dealing, Listening) and match.dealing.heads == (genesis.hash,)
    assert (match.orderer, match.former_authors, dict(match.promises), match.outcome) == (AUTHOR, frozenset(), {}, None)
    assert match.snapshot_at(0) is match.snapshot and match.events(0) == []
    assert match.index_of("a" * 64) is None


@pytest.mark.parametrize(("index", "previous", "game"), [
    (1, NOTHING, "highcard"), (0, "a" * 64, "highcard"), (0, NOTHING, "other")])
def test_a_genesis_stands_first_and_is_of_this_game(index: int, previous: Hash, game: str) -> None:
    with pytest.raises(Malformed):
        Match(HighCard, Entry.create(index, previous, replace(SETUP, game=game).statement(AUTHOR)), OpenDealing())


@pytest.mark.parametrize(("requests", "asks"), [
    ((), False), ((Shuffle(faces=("a",)),), True), ((Shuffle(),), True), ((Shuffle(cards=(1,), faces=("a",)),), False),
    ((Roll(6), Shuffle()), False), ((Shuffle(), Roll(6)), True)])
def test_a_new_hand_is_a_deck_of_new_faces_that_is_asked_for_first(requests: tuple[Request, ...], asks: bool) -> None:
    state = HighCard(2).start()
    state.requests = requests
    assert asks_new_deck(state) is asks


# ---- growing ----

def test_who_orders_is_asked_about_each_place() -> None:
    guard = Guard()
    table = begun(guard)
    assert guard.places == guard.checks == len(table.match.entries) - 1
    assert table.match.acting == (table.match.state.turn,)


def test_a_statement_is_refused_for_what_is_wrong_with_it() -> None:
    match = begun().match
    good = match.propose(AUTHOR, "consent", {"seat": 0, "to": 1})
    assert match.refusal(good) is None and match.refusal_at(len(match.entries) - 1, good) is None
    for wrong, key in ((replace(good, match="a" * 64), "other_match"), (replace(good, count=good.count - 1), "counter"),
                       (replace(good, head="a" * 64), "unknown_head")):
        refusal = match.refusal(wrong)
        assert refusal is not None and refusal.key == f"kernel.log.{key}"
    later = match.refusal(replace(good, count=good.count + 5))
    assert later is None, "a refused one leaves a gap"
    behind = match.refusal_at(2, replace(good, head="a" * 64))
    assert behind is not None and behind.key == "kernel.log.unknown_head"
    assert match.refusal_at(2, replace(good, head=match.entries[2].hash)) is None
    assert match.refusal_at(len(match.entries) - 1, replace(good, count=0)) is None, "its counter apart"
    refusal = match.refusal_at(2, match.propose(AUTHOR, "resign", {"seat": 0}))
    assert refusal is not None and refusal.key == "kernel.log.unknown_head"


def test_counters_go_on_from_the_last() -> None:
    match = begun().match
    last = match.count(AUTHOR)
    assert last == len(match.entries)
    said = replace(match.propose(AUTHOR, "consent", {"seat": 0, "to": 1}), count=last + 5)
    match.append(Entry.create(len(match.entries), match.head, said))
    assert match.count(AUTHOR) == last + 6 and match.index_of(match.head) == len(match.entries) - 1


def test_what_was_judged_is_not_judged_again_as_the_next_entry() -> None:
    guard = Guard()
    match = begun(guard).match
    checks = guard.checks
    statement = match.propose(AUTHOR, "resign", {"seat": 0})
    snapshot = match.judge(statement)
    assert snapshot.state.resigner == 0 and match.state.resigner is None and guard.checks == checks + 1
    events = match.append(Entry.create(len(match.entries), match.head, statement))
    assert [event.key for event in events] == ["kernel.gave_up"] and match.snapshot is snapshot and guard.checks == checks + 1
    assert match.state.events is None, "nobody listens to what was"


def test_what_was_judged_is_judged_again_once_anything_else_was_said() -> None:
    match = begun().match
    statement = match.propose(AUTHOR, "resign", {"seat": 0})
    other = match.propose(AUTHOR, "resign", {"seat": 1})
    match.judge(statement)
    match.append(Entry.create(len(match.entries), match.head, other))
    assert match.state.resigner == 1
    match = begun().match
    match.judge(statement)
    assert match.refusal(other) is None
    match.cut(len(match.entries) - 1)
    match.judge(replace(statement, head=match.head))
    with pytest.raises(Refused, match="unknown_head"):
        match.append(Entry.create(len(match.entries), match.head, statement))


def test_what_was_judged_before_a_cut_is_judged_anew() -> None:
    match = begun().match
    statement = match.propose(AUTHOR, "resign", {"seat": 0})
    match.judge(statement)
    match.cut(len(match.entries) - 1)
    with pytest.raises(Refused, match="unknown_head"):
        match.append(Entry.create(len(match.entries), match.head, statement))


# ---- looking back ----

def test_every_sixteenth_state_is_kept_and_each_after_an_undo_and_the_last_eight() -> None:
    match = grown(40).match
    first = [match.snapshot_at(index) for index in range(40)]
    kept = {index for index in range(40) if match.snapshot_at(index) is first[index]}
    assert kept == {0, 9, 16, 19, *range(32, 40)}


def test_a_state_that_is_looked_up_again_is_not_made_anew_until_the_log_is_cut() -> None:
    """Who judges an undo of long ago behind each entry since looks its target up each time."""
    table = grown(40)
    match, other = table.match, table.match.branch(40)
    before = match.snapshot_at(15)
    assert match.snapshot_at(15) is before and match.snapshot_at(13) is not before
    assert match.snapshot_at(15) is not before, "one is kept"
    assert other.snapshot_at(15) is not match.snapshot_at(15)
    match.snapshot_at(13)
    match.cut(10)
    while len(match.entries) < 40:
        table.consent(1, 5)
    dealing = match.snapshot_at(13).dealing
    assert isinstance(dealing, Listening) and dealing.heads[-1] == match.entries[13].hash


def test_looking_back_tells_the_dealing_the_same() -> None:
    match = grown(40).match
    heads = tuple(entry.hash for entry in match.entries)
    for index in range(40):
        dealing = match.snapshot_at(index).dealing
        assert isinstance(dealing, Listening) and dealing.heads == heads[:index + 1]
    for entry, snapshot, _ in match.steps():
        assert isinstance(snapshot.dealing, Listening) and snapshot.dealing.heads == heads[:entry.index + 1]
    assert [entry for entry, _, _ in match.steps()] == [entry for entry, _, _ in match.story()] == match.entries


@pytest.mark.parametrize("index", [-1, 40, 41])
def test_there_is_nothing_before_the_first_and_behind_the_last_entry(index: int) -> None:
    with pytest.raises(IndexError):
        grown(40).match.snapshot_at(index)


def test_an_older_view_shows_what_could_be_seen_then() -> None:
    table = begun()
    match = table.match
    seat, before = match.state.turn, len(match.entries) - 1
    card = match.state.hands[seat][0]
    table.move(seat, ("lay", card))
    other = 1 - seat
    assert card in match.view((other,)).faces and card not in match.view((other,), before).faces
    assert match.view((), before).state == match.snapshot_at(before).state != match.view(()).state
    assert match.view(None, before).seats == (0, 1) and match.view((other,)).seats == (other,)


def test_a_view_shows_what_this_device_knows_of_what_its_seats_were_shown() -> None:
    match = begun().match
    hand = match.state.hands[0]
    assert match.view((0,)).faces == {**{card: match.knowledge[card] for card in hand}, **match.state.public}
    assert match.view((0, 0)).faces == match.view((0,)).faces
    match.knowledge.clear()
    assert match.view((0,)).faces == match.state.public
    for seats in ((2,), (0, -1)):
        with pytest.raises(Refused, match="no_seat"):
            match.view(seats)


def test_what_is_learnt_agrees_with_what_is_known_and_with_the_deck() -> None:
    match = begun().match
    known = match.knowledge.copy()
    match.learn(Faces({0: known[0]}))
    other = next(face for face in match.rules.deck() if face != known[0])
    with pytest.raises(Refused, match=r"knowledge_contradicts\(card=0\)"):
        match.learn(Faces({20: "3", 0: other}))
    with pytest.raises(Refused) as caught:
        match.learn(Faces({20: "3", 21: "x" * 30}))
    assert caught.value.refusal.params == {"face": "x" * 20}
    assert match.knowledge == known, "none is taken in if one is wrong"


# ---- cutting back ----

def test_a_branch_grows_by_itself() -> None:
    match, whole = grown(40).match, grown(40).match
    for length in (1, 9, 17, 38):
        branch = match.branch(length)
        assert branch.entries == whole.entries[:length] and branch.count(AUTHOR) == length
        branch.knowledge[99] = "something"
        for entry in whole.entries[length:39]:
            branch.append(entry)
        assert branch.state == whole.snapshot_at(38).state
        assert (match.entries, match.head, match.state) == (whole.entries, whole.head, whole.state)
        assert (match.count(AUTHOR), match.knowledge) == (whole.count(AUTHOR), whole.knowledge)
        assert all(match.index_of(entry.hash) == entry.index for entry in whole.entries)
        assert all(match.snapshot_at(index).state == whole.snapshot_at(index).state for index in range(40))


def test_a_match_that_is_cut_back_is_as_it_was() -> None:
    whole = grown(40).match
    for length in (1, 6, 9, 10, 16, 17, 33, 39, 40):
        match = grown(40).match
        lost = match.cut(length)
        assert (match.entries, lost) == (whole.entries[:length], whole.entries[length:])
        assert match.state == whole.snapshot_at(length - 1).state and match.snapshot_at(length - 1) is match.snapshot
        assert (match.head, match.count(AUTHOR)) == (whole.entries[length - 1].hash, length)
        assert [match.index_of(entry.hash) for entry in whole.entries] == [*range(length), *[None] * (40 - length)]
        for entry in lost:
            match.append(entry)
        assert (match.head, match.state) == (whole.head, whole.state)
        assert all(match.snapshot_at(index).state == whole.snapshot_at(index).state for index in range(40))


@pytest.mark.parametrize("length", [6, 9, 10])
def test_a_match_that_goes_on_otherwise_forgets_what_fell_away(length: int) -> None:
    """At 9 stood an undo, whose state was kept."""
    table = grown(40)
    match = table.match
    match.cut(length)
    table.resign(1)
    while len(match.entries) < 40:
        table.consent(0, 5)
    for index in range(40):
        assert match.snapshot_at(index).state.resigner == (1 if index >= length else None), index
        dealing = match.snapshot_at(index).dealing
        assert isinstance(dealing, Listening) and dealing.heads[-1] == match.entries[index].hash


def test_what_was_judged_in_a_branch_is_taken_in_without_being_judged_again() -> None:
    guard = Guard()
    table = begun(guard)
    while len(table.match.entries) < 40:
        table.consent(0, 5)
    match, whole = table.match, grown(40).match
    lost, checks = match.cut(6), guard.checks
    for entry in lost:
        match.append_judged(entry)
        assert match.snapshot_at(entry.index) is match.snapshot
    assert (guard.checks, match.head, match.count(AUTHOR)) == (checks, lost[-1].hash, 40)
    assert (match.snapshot.length, set(match.snapshot.consents)) == (40, {(0, 5)})
    assert all(match.index_of(entry.hash) == entry.index for entry in lost)
    other = whole.branch(6)
    for entry in whole.entries[6:]:
        other.append_judged(entry)
    assert other._kept.keys() == whole._kept.keys() and other._recent.keys() == whole._recent.keys()
    for index in range(40):
        again, first = other.snapshot_at(index), whole.snapshot_at(index)
        assert again.state == first.state and isinstance(again.dealing, Listening) and isinstance(first.dealing, Listening)
        assert (again.length, set(again.consents), again.newest) == (first.length, set(first.consents), first.newest)
        assert again.dealing.heads == first.dealing.heads


def test_the_faces_of_cards_that_fell_away_are_forgotten() -> None:
    """Their handles may be given again, to other cards."""
    match = grown(40).match
    known, free = dict(match.knowledge), match.state.next_card
    assert set(known) == set(range(free))
    match.knowledge[free] = "something"
    match.cut(30)
    assert match.knowledge == known
    match.cut(1)
    assert match.state.next_card == 0 and match.knowledge == {}


def test_how_late_a_statement_is_counts_the_entries_behind_the_one_that_it_names() -> None:
    match = grown(MOST_BEHIND + 20).match
    last = len(match.entries) - 1
    for behind, late in ((0, 0), (1, 1), (MOST_BEHIND - 1, MOST_BEHIND - 1), (MOST_BEHIND, MOST_BEHIND),
                         (MOST_BEHIND + 1, MOST_BEHIND), (last, MOST_BEHIND)):
        head = match.entries[last - behind].hash
        assert match.lateness("move", head) == late
        assert match.lateness("deal", head) == 0, "messages of the dealing are judged once"
    assert match.lateness("move", "f" * 64) == 0, "it is not judged at all"


def test_a_match_ends_with_the_entry_that_ended_it_whatever_stands_behind() -> None:
    table = grown(8)
    match = table.match
    before = match.end
    table.resign(1)
    end = match.entries[-1]
    assert before is None and match.end is end
    table.consent(0, 5)
    assert match.end is end
    match.entries.append(Entry.create(10, match.head, replace(end.statement, kind="pass")))
    assert match.end is end
    match.entries.append(Entry.create(11, match.head, replace(end.statement, kind="gone")))
    assert match.end is match.entries[-1], "nothing else stands behind an end"
