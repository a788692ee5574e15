"""Looking back at a match: which turns are looked at, what the bots get to see, what the verdicts say, taking it up again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from tabletin.app.session.review import LEVEL, Review, TurnReview, events_of, lasting
from tabletin.bots.comparison import Comparison
from tabletin.bots.decision import Decision
from tabletin.bots.worker import BotWorker, SyncPoint, decode_comparison, decode_reply, encode_request
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.envelope import unpack
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.requests import Result
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import Table
from tabletin.kernel.trusted_match import SEALED, follow, is_trusted, trusted_match
from tabletin.registry import GAMES, rules_of
from tests.support.bots_here import played
from tests.support.examples import ONE_DEAL, short


class ReviewerHere:
    """Looks back in this process, through the worker's texts and with little time; keeps what was asked."""

    def __init__(self) -> None:
        self.worker = BotWorker()
        self.synced: dict[str, SyncPoint] = {}
        self.asked: list[tuple[str, int]] = []

    async def think_back(self, match: Match, seat: int, index: int, level: str, budget: float) -> Decision:
        assert level == LEVEL
        self.asked.append(("think", index))
        synced = self.synced.setdefault(match.id, SyncPoint())
        decision = decode_reply(match, self.worker.think(encode_request(match, seat, level, 0.02, synced, index)))
        assert decision is not None
        return decision

    async def compare(self, match: Match, seat: int, index: int, moves: tuple[Move, Move], budget: float) -> Comparison:
        self.asked.append(("compare", index))
        synced = self.synced.setdefault(match.id, SyncPoint())
        found = decode_comparison(self.worker.compare(encode_request(match, seat, "", 0.01, synced, index, moves)))
        assert found is not None
        return found


def reviewed(match: Match, seat: int = 0) -> tuple[Review, ReviewerHere]:
    review, reviewer = Review(match, seat), ReviewerHere()
    asyncio.run(review.run(reviewer, lambda: None))
    return review, reviewer


def has_choice(match: Match, index: int) -> bool:
    return len(list(islice(match.view((0,), index - 1).moves(0), 2))) > 1


def look_with(comparison: Comparison | None) -> TurnReview:
    return TurnReview(9, ("pass",), ("pass",), "", {}, 3, comparison)


@pytest.mark.parametrize("game", [game for game in GAMES if 2 in rules_of(game).seat_counts])
def test_a_turn_is_looked_at_from_what_was_seen_then(game: str) -> None:
    match = played(game=game)[0].match
    own = [entry.index for entry in match.entries
           if entry.statement.kind == "move" and entry.statement.body["seat"] == 0 and has_choice(match, entry.index)]
    review, reviewer = Review(match, 0, turns=(own[0], own[len(own) // 2], own[-1])), ReviewerHere()
    asyncio.run(review.run(reviewer, lambda: None))
    assert review.is_complete and review.progress == 1
    for look in review.looks.values():
        view = match.view((0,), look.index - 1)
        assert view.refusal(0, look.hard) is None, "hard knew what the seat knew, and does what it could have done"
        assert events_of(match, 0, look.index - 1, look.hard)
        assert look.comparison is None or look.comparison.worlds


def test_every_choice_of_a_seat_is_looked_at_once() -> None:
    match = played()[0].match
    review, reviewer = reviewed(match)
    own = [entry.index for entry in match.entries
           if entry.statement.kind == "move" and entry.statement.body["seat"] == 0]
    assert list(review.looks) == [index for index in own if has_choice(match, index)]
    assert [index for what, index in reviewer.asked if what == "think"] == [index - 1 for index in review.looks]
    assert {one.index for one in review.looks.values() if one.comparison is None} == \
        {index for index in review.looks if ("compare", index - 1) not in reviewer.asked}


def test_the_worker_is_told_nothing_that_the_seat_did_not_see_then() -> None:
    match = played()[0].match
    own = next(entry.index for entry in match.entries
               if entry.statement.kind == "move" and entry.statement.body["seat"] == 0)
    asked, _ = unpack(encode_request(match, 0, LEVEL, 0.1, SyncPoint(), own - 1))
    view = match.view((0,), own - 1)
    assert {int(card) for card in asked["faces"]} <= set(view.faces)
    assert asked["index"] == own - 1


@pytest.mark.parametrize(("comparison", "verdict"), [
    (None, "same"),
    (Comparison(), "open"),
    (Comparison(4, 0.0, 0.0, 0, 0), "even"),
    (Comparison(100, 500.0, 2600.0, 80, 10), "better"),
    (Comparison(100, -500.0, 2600.0, 10, 80), "yours"),
    (Comparison(20, 60.0, 1500.0, 12, 5), "maybe"),
    (Comparison(20, 60.0, 1500.0, 9, 8), "open"),
    (Comparison(4, 20.0, 2000.0, 3, 1), "open"),
    (Comparison(4, -20.0, 2000.0, 1, 3), "open"),
    (Comparison(5, 20.0, 2000.0, 3, 2), "open"),
])
def test_a_verdict_is_as_sure_as_the_worlds_are(comparison: Comparison | None, verdict: str) -> None:
    assert look_with(comparison).verdict == verdict


def test_the_dearest_turns_come_first_and_no_more_than_three() -> None:
    match = played()[0].match
    costs = {3: 2.0, 5: 9.0, 7: 4.0, 9: 6.0}
    looks = {index: replace(look_with(Comparison(100, 100 * cost, 100 * cost * cost + 1, 90, 5)), index=index)
             for index, cost in costs.items()}
    doubtful = replace(look_with(Comparison(20, 60.0, 1500.0, 12, 5)), index=11)
    review = Review(match, 0, {**looks, 11: doubtful, 13: replace(look_with(None), index=13)})
    assert [look.index for look in review.worth_a_look()] == [5, 9, 7]
    assert review.count("same") == 1


def test_a_review_is_taken_up_where_it_was_stopped() -> None:
    match = played()[0].match
    whole, _ = reviewed(match)
    assert whole.turns is not None and len(whole.turns) > 1
    half = Review(match, 0, {whole.turns[0]: whole.looks[whole.turns[0]]}, whole.turns)
    again = Review.restore(match, 0, half.to_json())
    assert (again.looks, again.turns, again.is_complete) == (half.looks, half.turns, False)
    reviewer = ReviewerHere()
    asyncio.run(again.run(reviewer, lambda: None))
    assert [index for what, index in reviewer.asked if what == "think"] == [index - 1 for index in whole.turns[1:]]
    for other in ("", "[]", "{", '{"match": 3}', half.to_json().replace(match.id, "x" * 64)):
        assert Review.restore(match, 0, other).looks == {}
    grown = Review.restore(match, 0, whole.to_json().replace(match.head, match.entries[-2].hash))
    assert (grown.looks, grown.turns, grown.is_complete) == (whole.looks, None, False)
    assert Review.restore_any(match, half.to_json()) == Review.restore(match, 0, half.to_json())
    assert Review.restore(match, 1, half.to_json()).looks == {}


def test_what_was_found_in_a_log_whose_end_fell_away_is_not_taken_up() -> None:
    """Another turn may stand at the same place now, in a log of the same length."""
    match = played(turns=4)[0].match
    whole, _ = reviewed(match)
    kept = whole.to_json()
    last = match.cut(len(match.entries) - 1)[0]
    again = replace(last.statement, count=last.statement.count + 1)
    assert whole.looks
    match.append(Entry.create(last.index, last.previous, again, last.signature))
    assert Review.restore(match, 0, kept).looks == {}


def test_what_was_taken_back_is_no_turn() -> None:
    table, _ = played(turns=4)
    match = table.match
    last = max(entry.index for entry in match.entries
               if entry.statement.kind == "move" and entry.statement.body["seat"] == 0)
    assert last in {entry.index for entry in lasting(match)}
    list(table.undo(0, last - 1, practice=True))
    assert last not in {entry.index for entry in lasting(match)}


def sealed_match() -> Match:
    """A finished match as a device has it that verified it among peers: it knows what its own seat 0 was shown, and no more."""
    rules = rules_of(ONE_DEAL)
    seats = (Seat("person", "table", "Ada"), Seat("person", "table", "Bo"))
    table = Table.begin(rules, Setup(ONE_DEAL, rules.version, short(ONE_DEAL), seats, SEALED), OpenDealer(Random(3)))
    rng = Random(4)
    while acting := table.match.acting:
        view = table.match.view(acting[:1])
        table.move(acting[0], table.match.rules.random_move(view.state, acting[0], view.faces, rng))
    match, known = trusted_match(rules, table.match.entries[0]), Faces()
    for entry in table.match.entries[1:]:
        body = entry.statement.body
        result: Result = body.get("roll", tuple(body["faces"]) if "faces" in body else None)
        follow(match, entry, (result,) if entry.statement.kind == "deal" else None)
        known.update(table.match.view((0,), entry.index).faces)
    match.learn(known)
    assert is_trusted(match) and match.outcome is not None and match.knowledge.keys() < table.match.knowledge.keys()
    return match


def test_a_finished_match_among_peers_is_looked_back_at_from_what_its_device_knows() -> None:
    match = sealed_match()
    own = [entry.index for entry in match.entries
           if entry.statement.kind == "move" and entry.statement.body["seat"] == 0 and has_choice(match, entry.index)]
    review = Review(match, 0, turns=(own[0], own[-1]))
    asyncio.run(review.run(ReviewerHere(), lambda: None))
    assert list(review.looks) == [own[0], own[-1]]
    for look in review.looks.values():
        assert match.view((0,), look.index - 1).refusal(0, look.hard) is None
        assert look.comparison is None or look.comparison.worlds
