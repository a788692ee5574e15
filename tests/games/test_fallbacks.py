"""A family with rules alone plays, and one sentence says what it lacks; no other game notices that it is there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tabletin import cli, words
from tabletin.app.screens.home import static_page
from tabletin.app.session.plan import presets_of
from tabletin.board import plain
from tabletin.board.guide import guide_for
from tabletin.bots.worker import BotWorker, SyncPoint, encode_request
from tabletin.registry import GAMES, PARTS, install, remove, rules_of
from tabletin.words.wording import Wording
from tests.support.board_tables import LAYOUTS, board_of, moments, sight
from tests.support.examples import game_for
from tests.support.scene_checks import check_faces, check_form, check_reach, walk

BARE = "tests.support.bare_family"


@pytest.fixture
def bare() -> Iterator[str]:
    """The id of a game whose family has rules alone."""
    install(BARE)
    yield "highcard"
    remove(BARE)


def test_a_whole_family_lacks_nothing() -> None:
    assert GAMES[game_for(2)].lacking() == ()


def test_a_family_with_rules_alone_says_what_it_lacks(bare: str) -> None:
    assert GAMES[bare].lacking() == tuple(PARTS)
    said = [words.load(language).text(f"lacking.{part}", game="Heap") for language in words.languages() for part in PARTS]
    assert len(set(said)) == len(said)
    assert all("Heap" in sentence and sentence.endswith(".") for sentence in said)


def test_bots_play_it_from_the_command_line(bare: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    for levels in ("random,random", "hard,easy,medium"):
        assert cli.main(["play", bare, "--seats", levels, "--log", str(log)]) == 0
        out, said = capsys.readouterr()
        assert len(out.splitlines()) == len(levels.split(","))
        assert said.count("highcard has no words yet") == 1 and said.count("highcard has no bots yet") == 1
    assert cli.main(["verify", str(log)]) == 0
    assert cli.main(["show", str(log)]) == 0
    assert "highcard.laid" in capsys.readouterr().out, "keys stand in place of words"


def test_a_whole_family_is_played_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", game_for(2), "--seats", "random,random"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("game", ["highcard", *GAMES])
def test_the_plain_board_shows_and_plays_every_game(bare: str, game: str) -> None:
    board = board_of(game) if game == bare else plain.board(game)
    assert isinstance(board, plain.PlainBoard)
    rng = Random(2)
    for step, table in enumerate(moments(game, seats_near(game, 3), seed=4, most=12)):
        for seat in (None, *table.match.rules.to_act(table.match.state)[:1]):
            seen = sight(table, seat, LAYOUTS[step % len(LAYOUTS)])
            draft = board.draft(seen) if seen.may_act else None
            scene = board.scene(seen, draft)
            check_faces(scene, seen, table.match.knowledge)
            check_form(scene, seen)
            check_reach(scene, seen)
            if draft is not None:
                assert scene.controls, "something can be done"
                walk(draft, board, seen, rng, 12)


def seats_near(game: str, seats: int) -> int:
    """``seats``, or the nearest number that ``game`` is played with."""
    return min(rules_of(game).seat_counts, key=lambda count: abs(count - seats))


def test_a_bot_in_the_worker_and_a_reader_of_the_log_do_without(bare: str) -> None:
    table = next(moments(bare, 2, seed=1, most=0))
    match, seat = table.match, table.match.state.turn
    reply = BotWorker().think(encode_request(match, seat, "hard", 0.1, SyncPoint()))
    assert json.loads(reply)["move"][0] in match.rules.verbs
    wording = Wording(words.load(), match.setup)
    assert wording.face("7") == "7" and wording.phrase("highcard.refuse.nothing", {}) == "highcard.refuse.nothing"
    assert guide_for(bare) is None


def test_it_stands_on_the_shelf(bare: str) -> None:
    html = static_page(words.load())
    assert f'data-tin="{bare}"' in html and f'href="#/{bare}/new"' in html
    assert [preset.key for preset in presets_of(bare)] == ["as_printed"]


def test_words_of_the_application_are_never_missing() -> None:
    catalogue = words.load()
    with pytest.raises(KeyError):
        catalogue.text("kernel.nothing_of_the_kind")
