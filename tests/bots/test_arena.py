"""The arena: what it plays by default, what it remembers, and when it calls two levels apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletin.bots import arena
from tabletin.bots.matchups import CEILING, PAIRS, Bout, Measurement, bouts, measurement_of
from tabletin.bots.results import Record
from tabletin.cli import main
from tabletin.kernel.setup import LEVELS, RANDOM
from tabletin.registry import GAMES, rules_of
from tests.support.examples import game_for

BOUT = Bout(game_for(2), ("easy", RANDOM), 2, 3)


def test_every_game_is_measured_as_its_rules_accept() -> None:
    assert all(set(pair) <= {*LEVELS, RANDOM} for pair in PAIRS)
    for game in GAMES:
        usual = measurement_of(game)
        assert rules_of(game)(usual.seats, dict(usual.options)).seats == usual.seats
        assert all(deals > 0 for deals in usual.deals)


def test_what_is_given_takes_the_place_of_what_is_usual() -> None:
    games = [game for game in GAMES if all(measurement_of(game).deals) and not measurement_of(game).ceiling]
    assert games
    assert [(bout.game, bout.pair) for bout in bouts(games)] == [(game, pair) for game in games for pair in PAIRS]
    asked, = bouts(games[:1], pairs=[("hard", RANDOM)], seats=3, deals=7, options={"half_deck": True})
    assert asked == Bout(games[0], ("hard", RANDOM), 3, 7, (("half_deck", True),))


def test_a_game_may_be_measured_against_a_bot_that_sees_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletin.bots.matchups.measurement_of", lambda _: Measurement(2, (1, 2, 3), ceiling=4))
    assert [(bout.pair, bout.deals) for bout in bouts([game_for(2)])] == \
        list(zip([CEILING, *PAIRS], (4, 1, 2, 3), strict=True))


def test_a_deal_kept_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arena.jsonl"
    first, = arena.run([BOUT._replace(deals=2)], budget=0.1, workers=1, record=Record(path))
    kept = path.read_text("utf-8")
    assert len(kept.splitlines()) == 2
    path.write_text(kept + kept[:40], "utf-8")  # it was stopped in the middle of a line
    more, = arena.run([BOUT], budget=0.1, workers=1, record=Record(path))
    assert len(path.read_text("utf-8").splitlines()) == 4
    monkeypatch.setattr(arena, "play_deal", None)  # nothing is left to play
    again, = arena.run([BOUT], budget=0.1, workers=1, record=Record(path))
    assert (more.share, more.margin, more.milliseconds) == (again.share, again.margin, again.milliseconds)
    assert first.bout.deals == 2


def test_deals_of_other_code_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record(tmp_path / "arena.jsonl")
    record.keep(game_for(2), ("x",), 1, [0.5])
    assert Record(record.path).deals(game_for(2), ("x",)) == {1: [0.5]}
    monkeypatch.setattr("tabletin.bots.results.mark", lambda game: "another")
    assert Record(record.path).deals(game_for(2), ("x",)) == {}


def test_levels_are_apart_when_the_whole_interval_is() -> None:
    assert arena.Interval.of_values([1.0, 2.0, 3.0]).apart(0.5)
    assert not arena.Interval.of_values([-1.0, 2.0, 3.0]).apart(0.0)
    assert not arena.Interval.of_values([5.0]).apart(0.0)


def test_a_table_in_a_file_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "bots.md"
    page.write_text("before\n<!-- arena -->\nold\n<!-- /arena -->\nafter\n", "utf-8")
    asked = ["arena", BOUT.game, "--pairs", "easy:random", "--deals", "2", "--workers", "1",
             "--record", str(tmp_path / "r.jsonl"), "--output", str(page)]
    assert main(asked) == 0
    row = capsys.readouterr().out.strip()
    text = page.read_text("utf-8")
    assert row.startswith(f"| {BOUT.game} | easy – random | 2 | 2 |")
    assert row in text and "old" not in text and text.startswith("before\n") and text.endswith("after\n")
    assert main(["arena", game_for(2), "--pairs", "hard:best", "--record", str(tmp_path / "r.jsonl")]) == 1
