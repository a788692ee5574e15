"""TooT's bots: *easy* forgets cards, *medium* takes what it sees, *hard* thinks of what will come. One door for four
games.

They decide from their own seat's view. What a level is in each game is said in the module that decides for it, and in
``rulebook.md`` for players.
"""

from __future__ import annotations

from tabletin.search.bots import LEVELS as LEVELS
from tabletin.search.bots import Decision, Thought

from .fluke_bot import fluke
from .pursuit_bot import pursuit
from .rounds_bot import RANDOM_DELAY as RANDOM_DELAY
from .rounds_bot import progressive, speed


def choose(thought: Thought) -> Decision:
    """The move of a bot of ``thought.level``."""
    decide = {"toot-progressive": progressive, "toot-fluke": fluke, "toot-pursuit": pursuit, "toot-speed": speed}
    return decide[thought.rules.id](thought)
