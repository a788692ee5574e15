"""The record of a match as it is stored: byte for byte what earlier versions wrote, and what is made of it when it is read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tabletin.app.screens.history import tallies
from tabletin.app.screens.home import played_list, waiting_list
from tabletin.app.storage.matches import MatchRecord, record_of
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat
from tabletin.registry import GAMES
from tests.support.bots_here import WORDS, played

HEAD = ('{"form": 1, "id": "0011223344556677", "game": "any-game", "version": 1, "created": 5.25, "updated": 6, "entries": 9, '
        '"options": {"first_seat": "1", "any": true}, "seats": [{"kind": "person", "by": "a", "name": "Ada", "level": "", '
        '"colour": "red"}, {"kind": "bot", "by": "a", "name": "Bo", "level": "easy", "colour": ""}], '
        '"extra": {"seed": 5, "me": 0}, "acting": [1], "scores": [3, 4], "practice": false, ')
WAITING = HEAD + '"outcome": null}'
OVER = (HEAD + '"outcome": {"scores": [3, 4], "winners": [1], "reason": "any_game.end", "low_wins": false, "unfinished": false}, '
        '"author": "a", "saying": [null, 7], "unsigned": ["b"]}')


@pytest.mark.parametrize("stored", [WAITING, OVER])
def test_a_record_is_written_as_it_was_read(stored: str) -> None:
    assert json.dumps(MatchRecord.from_json(json.loads(stored)).to_json()) == stored


def test_a_record_is_read_by_name() -> None:
    record = MatchRecord.from_json(json.loads(OVER))
    assert (record.me, record.acting, record.seats[1].is_bot) == (0, (1,), True)
    assert record.outcome is not None and record.outcome.winners == (1,)
    assert (record.author, record.saying, record.missing_signers) == ("a", [None, 7], ("b",))
    waiting = MatchRecord.from_json(json.loads(WAITING))
    assert (waiting.outcome, waiting.author, waiting.saying, waiting.missing_signers) == (None, None, None, None)


def test_the_record_of_a_match_comes_back() -> None:
    for turns in (0, 3):
        record = record_of(played(turns=turns)[0].match, 5.0)
        again = MatchRecord.from_json(json.loads(json.dumps(record.to_json())))
        assert again == replace(record, options=again.options, extra=again.extra)
        assert json.dumps(again.to_json()) == json.dumps(record.to_json())


def test_what_a_newer_version_stored_beside_is_passed_over() -> None:
    data = json.loads(OVER)
    newer = {**data, "more": 1, "seats": [{**seat, "more": 1} for seat in data["seats"]]}
    assert MatchRecord.from_json(newer) == MatchRecord.from_json(data)


@pytest.mark.parametrize("wrong", [None, [], "", {}, {**json.loads(OVER), "seats": [{}]}, {**json.loads(OVER), "acting": None}])
def test_what_is_no_record_is_malformed(wrong: Any) -> None:
    with pytest.raises(Malformed):
        MatchRecord.from_json(wrong)


@pytest.mark.parametrize("named", ["x", 99, 2, -1, True, [0], {}, None])
def test_a_match_whose_file_names_no_seat_as_mine_is_nobodys_here(named: Any) -> None:
    """And no list breaks over it, for that would be the home page."""
    for stored in (WAITING, OVER):
        record = MatchRecord.from_json({**json.loads(stored), "game": next(iter(GAMES)), "extra": {"me": named}})
        assert record.me is None
        assert waiting_list(WORDS, [record]) or played_list(WORDS, [record])
        assert tallies([record]) == {}


@pytest.mark.parametrize(("devices", "me", "author", "here", "own"), [
    ("aab", 0, None, (0, 1), None), ("aab", None, None, (), None), ("aaa", None, None, (0, 1, 2), None),
    ("abc", 1, "b", (1,), 1), ("aab", 0, "a", (0, 1), None), ("abc", None, "d", (), None),
])
def test_who_sits_at_this_device(
    devices: str, me: int | None, author: str | None, here: tuple[int, ...], own: int | None,
) -> None:
    """Several may: then nobody of them is "you"."""
    seats = (*(Seat("person", device, device) for device in devices), Seat("bot", "a", "Ida", "easy"))
    found = replace(record_of(played()[0].match, 0.0), seats=seats, extra={} if me is None else {"me": me}, author=author)
    assert (found.people_here, found.own_seat) == (here, own)
