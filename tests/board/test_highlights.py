"""What the result page tells of a match: the best turns and hands of every game, feats, nothing that was taken back."""

from __future__ import annotations

import pytest

from tabletin.app.table.narration import NarratedEvent
from tabletin.board.highlights import (
    Feat,
    Highlight,
    Moment,
    feat_for,
    feat_of,
    gains,
    headline,
    highlights,
    lasting_moments,
    marks,
    with_one_of,
)
from tabletin.kernel.state import Event
from tabletin.registry import GAMES
from tabletin.words import languages, load
from tabletin.words.wording import Wording
from tests.support.bots_here import played
from tests.support.examples import having
from tests.support.random_matches import between_bots


@pytest.mark.parametrize("game", having("words"))
def test_every_game_has_something_to_tell_and_tells_it_from_public_faces(game: str) -> None:
    match = between_bots(game)
    found = highlights(match)
    assert found
    assert len({one.index for one in found}) == len(found)
    for language in languages():
        words = load(language)
        wording = Wording(words, match.setup, None)
        for one in found:
            then = NarratedEvent.from_entry(match.entries[one.index], one.event, match.snapshot_at(one.index).state)
            told = wording.event(one.event, then.faces)
            assert words.text("kernel.closed_cards", n=len(one.event.cards)) not in told or not one.event.cards
            assert one.event.seat == one.seat
            assert not one.badge or str(one.n) in words.text(words.own_key(GAMES[game].family, one.badge), n=one.n)


@pytest.mark.parametrize("game", having("words"))
def test_where_others_play_too_it_is_told_first_who_won(game: str) -> None:
    match = between_bots(game)
    assert match.rules.seats > 1 and headline(match, lasting_moments(match), load().text) == ""


def moment(index: int, points: tuple[int, ...], *events: Event, kind: str = "move") -> Moment:
    return Moment(index, kind, points, events)


def number(one: Event) -> int:
    return int(one.params["n"])


def test_where_low_wins_a_counted_hand_is_worth_what_the_others_took_more() -> None:
    scored = [Event("scored", seat, {"n": n}) for seat, n in enumerate((20, 25, 90))]
    story = [moment(0, (0, 0, 0)), moment(1, (20, 25, 90), *scored, kind="deal"),
             moment(2, (20, 25, 80), Event("swept", 2, {"n": 10}), Event("swept", 1, {"n": 0}))]
    found = gains(story, lambda _: 0, low=True)
    assert [(one.index, one.seat, one.n) for one in found] == [(1, 0, 20), (1, 1, 25), (2, 2, -10)]


def test_who_lost_finds_a_turn_of_their_own_among_the_best() -> None:
    points = ((1, 9), (1, 8), (1, 7), (0, 3), (0, 2))
    ranked = [Highlight(index, seat, n, Event("laid", seat)) for index, (seat, n) in enumerate(points)]
    assert [one.n for one in with_one_of([0], ranked, 3)] == [9, 8, 3]
    for readers in ([], [1], [2]):
        assert [one.n for one in with_one_of(readers, ranked, 3)] == [9, 8, 7]
    assert [one.n for one in with_one_of([0], ranked, 1)] == [9], "a hand is told alone"


def test_of_equal_gains_the_weightier_is_told_first() -> None:
    story = [moment(index, (index,), Event("won", 0, {"n": index})) for index in range(4)]
    assert [one.index for one in gains(story, number, low=False)] == [3, 2, 1]


def test_what_says_most_is_told() -> None:
    swapped, laid = Event("swapped", 0, {}, (1,)), Event("laid", 0, {"n": 48}, (2, 3))
    (one,) = gains([moment(0, (0,)), moment(1, (48,), swapped, Event("lot", 0, {"n": 1}), laid)], number, low=False)
    assert one.event == laid


def test_a_feat_is_the_first_of_the_greatest_or_of_the_quickest() -> None:
    run = [Event("run", seat, {}, tuple(range(size))) for seat, size in enumerate((3, 5, 5))]
    assert feat_of([moment(index, (), one) for index, one in enumerate(run)], Feat("b", ("run",))) == Highlight(
        1, 1, 5, run[1], "b", cards=run[1].cards)
    assert feat_of([moment(0, (), run[0])], Feat("b", ("run",), minimum=4)) is None
    turn, out, dealt = Event("turn", 0), Event("out", 0), Event("dealt")
    story = [moment(index, (), one) for index, one in enumerate((dealt, turn, turn, out, dealt, turn, out))]
    quick = feat_of(story, Feat("b", ("out",), turns=("turn",), start_keys=("dealt",)))
    assert quick is not None
    assert (quick.index, quick.n) == (6, 1)


def test_of_feats_that_are_as_good_the_readers_own_is_told() -> None:
    """Whoever won and had done as well found the other's alone."""
    story = [moment(index, (), Event("run", seat, {}, tuple(range(size)))) for index, (seat, size) in enumerate(
        ((0, 5), (1, 5), (2, 4)))]
    for readers, seat in (([], 0), ([1], 1), ([0, 1], 0), ([2], 0)):
        found = feat_for(readers, story, Feat("b", ("run",)))
        assert found is not None and (found.seat, found.n) == (seat, 5)


def test_a_row_is_broken_by_ones_own_event_alone_and_by_a_new_start() -> None:
    feat = Feat("b", ("laid",), minimum=2, start_keys=("dealt",), break_keys=("drew",))
    keys = (("dealt", None), ("laid", 0), ("laid", 1), ("drew", 1), ("laid", 0), ("laid", 1), ("laid", 0), ("drew", 0),
            ("laid", 0), ("laid", 1), ("dealt", None), ("laid", 0))
    story = [moment(index, (), Event(key, seat)) for index, (key, seat) in enumerate(keys)]
    best = feat_of(story, feat)
    assert best is not None and (best.seat, best.index, best.n) == (0, 6, 3)
    other = feat_of(story, feat, 1)
    assert other is not None and (other.index, other.n) == (9, 2)


@pytest.mark.parametrize("game", having("words"))
def test_marks_are_a_seats_own_and_no_worse_than_what_is_told_of_it(game: str) -> None:
    match = between_bots(game)
    moments = lasting_moments(match)
    found = {seat: marks(match, moments, seat) for seat in range(match.rules.seats)}
    assert any(found.values())
    for seat, own in found.items():
        assert all(mark.highlight.seat == seat for mark in own)
        assert len({mark.name for mark in own}) == len(own)
    for told in highlights(match, moments):
        alike = [mark for mark in found[told.seat]
                 if mark.highlight.badge == told.badge and mark.highlight.event.key == told.event.key]
        assert all(mark.highlight.n <= told.n if mark.is_least_best else mark.highlight.n >= told.n for mark in alike)


def test_a_turn_that_was_taken_back_is_not_told() -> None:
    table, _ = played(turns=6)
    match = table.match
    mover = next(entry.index for entry in reversed(match.entries) if entry.statement.kind == "move")
    length = len(match.entries)
    table.undo(0, mover - 1, practice=True)
    kept = {one.index for one in lasting_moments(match)}
    assert set(range(mover)) <= kept
    assert not kept & set(range(mover, length))
