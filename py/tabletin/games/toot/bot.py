"""TooT's bots: *easy* forgets cards, *medium* takes what it sees, *hard* thinks of what will come. One door for four
games.

They decide from their own seat's view. The module that decides for a game says what a level is there;
``rulebook.md`` says it to players.
"""

from __future__ import annotations

from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.fluke_bot import fluke
from tabletin.games.toot.pursuit_bot import pursuit
from tabletin.games.toot.rounds_bot import progressive, speed
from tabletin.kernel.setup import LEVELS as LEVELS


def choose(position: Position) -> Decision:
    """The move of a bot of ``position.level``."""
    decide = {"toot-progressive": progressive, "toot-fluke": fluke, "toot-pursuit": pursuit, "toot-speed": speed}
    return decide[position.rules.id](position)
