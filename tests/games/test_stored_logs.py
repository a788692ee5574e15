"""Matches saved by an earlier version must still load, end as they ended and, where broken off, be played to their end.

They lie in ``tests/games/<family>/stored``, and the family's ``example.py`` says how they ended. They are not made anew when a
test fails: a log that folds differently calls for a higher ``version`` of those rules, under which the old log is refused with
a sentence, and for one more file. They were saved by an earlier version.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from tabletin.kernel import logfile as openform
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, parse
from tabletin.kernel.options import Refused
from tabletin.kernel.table import Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.examples import Ended, example_of, home_of
from workshop.paths import ROOT

ENDED = {game: ended for game in GAMES if (ended := example_of(game).ended) is not None}
MOST_MOVES = 5_000


def stored(game: str) -> str:
    return (home_of(GAMES[game].family) / "stored" / f"{game}.jsonl").read_text("utf-8")


def test_every_stored_match_is_read() -> None:
    assert set(ENDED) == {path.stem for path in (ROOT / "tests" / "games").glob("*/stored/*.jsonl")}


@pytest.mark.parametrize("game", ENDED)
def test_it_ends_as_it_ended(game: str) -> None:
    if json.loads(stored(game).splitlines()[1])["say"]["body"]["rules"] != rules_of(game).version:
        with pytest.raises(Refused, match="rules_version"):
            openform.load(stored(game), rules_of)
        return
    match = openform.load(stored(game), rules_of)
    assert match.outcome is not None
    assert Ended(len(match.entries), match.outcome.scores, match.outcome.winners) == ENDED[game]
    assert openform.audit(match) == []
    wording = Wording(load(), match.setup)
    assert all(wording.event(event, match.knowledge) for index in range(len(match.entries)) for event in match.events(index))


@pytest.mark.parametrize("game", ENDED)
def test_broken_off_halfway_it_is_played_to_its_end(game: str) -> None:
    if json.loads(stored(game).splitlines()[1])["say"]["body"]["rules"] != rules_of(game).version:
        pytest.skip("refused, as the test above has it")
    whole = openform.load(stored(game), rules_of)
    half = openform.refold(whole.entries[:len(whole.entries) // 2], rules_of)
    half.learn(Faces((card, face) for card, face in whole.knowledge.items() if card < half.state.next_card))
    rng = Random(game)
    table = Table(half, OpenDealer(rng))
    table.settle()
    for _ in range(MOST_MOVES):
        state = half.state
        acting = half.rules.to_act(state)
        if not acting:
            break
        seat = rng.choice(acting)
        table.move(seat, half.rules.random_move(state, seat, half.view((seat,)).faces, rng))
    assert half.outcome is not None and not half.outcome.unfinished
    assert openform.audit(half) == []


@pytest.mark.parametrize("game", ENDED)
def test_an_entry_is_spelled_today_as_it_was_stored(game: str) -> None:
    for line in stored(game).splitlines()[1:-2]:
        entry = Entry.from_json(parse(line))
        assert entry.line == line
        read = Entry.from_line(line)
        assert (read, read.hash, read.statement.hash, read.line) == (entry, entry.hash, entry.statement.hash, line)
