"""Golden playthroughs: a whole random match of each game and main option, told in words, must not drift.

A file shows every entry with its move, what happened in words with all faces open, and the scores as they stood; and now
and then what one seat could see. ``pytest tests/games/test_golden.py --golden-write`` writes them anew: read the
difference before committing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
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

HERE = Path(__file__).parent
WORDS = load()
MOST_LINES = 400  # a playthrough is to be read; a longer match is cut after this many

# One a game and main option: name of the file, game, seats, options.
GOLDEN: list[tuple[str, str, int, dict[str, Any]]] = [
    ("iota", "iota", 3, {}),
    ("iota-half-deck", "iota", 2, {"half_deck": True}),
    ("iota-young-children", "iota", 2, {"young_children": True, "half_deck": True, "first_seat": "2"}),
    ("teeth-time", "teeth-time", 3, {"hands": 2}),
    ("teeth-time-advanced", "teeth-time", 4, {"hands": 1, "level": "advanced"}),
    ("teeth", "teeth", 2, {}),
    ("teeth-continuous", "teeth", 2, {"mode": "continuous"}),
    ("dominoes", "dominoes", 3, {}),
    ("matador", "matador", 4, {}),
    ("matador-13", "matador", 3, {"set": 12, "total": 13}),
    ("tiddle-a-wink", "tiddle-a-wink", 6, {}),
    ("toot-progressive", "toot-progressive", 2, {}),
    ("toot-progressive-set-aside", "toot-progressive", 3, {"last_round": 7, "set_aside": True}),
    ("toot-fluke", "toot-fluke", 2, {}),
    ("toot-pursuit", "toot-pursuit", 2, {}),
    ("toot-speed", "toot-speed", 2, {"target": 2}),
]


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
    yield f"{match.setup.game}, {match.rules.seats} seats, options {json.dumps(match.rules.chosen)}"
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


@pytest.mark.parametrize(("name", "game", "seats", "options"), [case for case in GOLDEN if case[1] in GAMES],
                         ids=[case[0] for case in GOLDEN if case[1] in GAMES])
def test_golden_playthrough(name: str, game: str, seats: int, options: dict[str, Any], golden_write: bool) -> None:
    lines = list(told(played(game, seats, options)))
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"… {len(lines) - MOST_LINES - 1} lines more", lines[-1]]
    text = "\n".join(lines) + "\n"
    path = HERE / "golden" / f"{name}.txt"
    if golden_write:
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text
