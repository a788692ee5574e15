"""Matches that nobody could have played with that deck, and files that were altered by somebody who knows the form."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Json, canonical, digest
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of


class Rigged(OpenDealer):
    """Deals what it likes: ``change`` gets each shuffle's faces, in order, and gives others."""

    def __init__(self, change: Callable[[list[str]], list[str]]) -> None:
        super().__init__(Random(1))
        self.change = change

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Json], Faces]:
        body, faces = super().deal(state, knowledge)
        return body, Faces(zip(faces, self.change(list(faces.values())), strict=True))


def played(game: str, dealer: OpenDealer, options: dict[str, Any] | None = None, seats: int = 2, moves: int = 10_000) -> Match:
    rules = rules_of(game)
    setup = Setup(game, rules.version, options or {}, (Seat("person", AUTHOR),) * seats)
    table, rng = Table.begin(rules, setup, dealer), Random(2)
    for _ in range(moves):
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            break
        seat = rng.choice(acting)
        view = table.match.view((seat,))
        table.move(seat, view.rules.random_move(view.state, seat, view.faces, rng))
    return table.match


def altered(text: str, *, header: dict[str, Json] | None = None, faces: Callable[[dict[str, str]], object] | None = None) -> str:
    """The file with another first line or other faces, all hashes made anew."""
    lines = [json.loads(line) for line in text.strip().split("\n")]
    lines[0] |= header or {}
    if faces is not None:
        faces(lines[-2]["faces"])
        lines[-1]["faces"] = digest(lines[-2])
    return "".join(canonical(line).decode() + "\n" for line in lines)
