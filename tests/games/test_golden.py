"""Golden playthroughs: a whole random match of each game and main option, told in words, must not drift.

A family's ``example.py`` declares which; the files lie in ``tests/games/<family>/golden``. A file shows every entry with its
move, what happened in words with all faces open, and the scores as they stood; and now and then what one seat could see.
``pytest tests/games/test_golden.py --golden-write`` writes them anew: read the difference before committing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.examples import example_of, home_of

WORDS = load()
MOST_LINES = 400  # a playthrough is to be read; a longer match is cut after this many

# Name of the file, game, seats, options.
GOLDEN: list[tuple[str, str, int, dict[str, Any]]] = [
    (name, game, seats, dict(options)) for game in GAMES for name, (seats, options) in example_of(game).golden.items()]


def played(game: str, seats: int, options: dict[str, Any]) -> Match:
    rules = rules_of(game)
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jon")
    setup = Setup(game, rules.version, options, tuple(Seat("person", AUTHOR, name=name) for name in names[:seats]))
    table, rng = Table.begin(rules, setup, OpenDealer(Random(game))), Random(f"{game} moves")
    while acting := table.match.rules.to_act(table.match.state):
        seat = rng.choice(acting)
        view = table.match.view((seat,))
        table.move(seat, view.rules.random_move(view.state, seat, view.faces, rng))
    return table.match


def told(match: Match) -> Iterator[str]:
    wording = Wording(WORDS, match.setup)
    yield f"{match.setup.game}, {match.rules.seats} seats, options {json.dumps(match.rules.option_values)}"
    everything = match.view(None).faces
    for entry, state, events in match.story():
        body = entry.statement.body
        if entry.statement.kind == "move":
            yield f"{entry.index:4} {wording.seat(body['seat'])}: {json.dumps(body['do'])} opens {json.dumps(body['open'])}"
        elif entry.index:
            yield f"{entry.index:4} {entry.statement.kind} {json.dumps(body)}"
        for event in events:
            yield f"       {wording.event(event, everything)}"
        if entry.index % 25 == 0 and entry.index:
            seat = entry.index // 25 % match.rules.seats
            faces = match.view((seat,), entry.index).faces
            zones = {"-".join(zone) if isinstance(zone, tuple) else zone: wording.cards(cards, faces)
                     for zone, cards in match.rules.zones(state).items() if cards}
            yield f"     = {wording.seat(seat)} sees " + "; ".join(f"{zone}: {cards}" for zone, cards in zones.items())
            yield f"     = scores {json.dumps(match.rules.standings(state))}"
    outcome = match.outcome
    assert outcome is not None
    yield f"{wording.outcome(outcome)} {json.dumps(outcome.scores)}"


@pytest.mark.parametrize(("name", "game", "seats", "options"), GOLDEN, ids=[case[0] for case in GOLDEN])
def test_golden_playthrough(name: str, game: str, seats: int, options: dict[str, Any], golden_write: bool) -> None:
    lines = list(told(played(game, seats, options)))
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"… {len(lines) - MOST_LINES - 1} lines more", lines[-1]]
    text = "\n".join(lines) + "\n"
    path = home_of(GAMES[game].family) / "golden" / f"{name}.txt"
    if golden_write:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text
