"""Which puzzle a day has and how it stands with today's, in a line each.

It imports no puzzle and no table: a start must not wait for them.
"""

from __future__ import annotations

from datetime import date

from tabletin.app.storage.puzzle_progress import Progress
from tabletin.app.ui.html import game_name, game_text
from tabletin.puzzles.calendar import game_of, stars_of
from tabletin.puzzles.puzzle import STARS
from tabletin.words import Catalogue


def stars_text(stars: int) -> str:
    """How hard a puzzle is, as a text."""
    return "★" * stars + "☆" * (len(STARS) - stars)


def heading(words: Catalogue, day: date) -> str:
    """Which puzzle that of ``day`` is, and how hard; "" where there is none."""
    game = game_of(day)
    if not game:
        return ""
    told = words.text("puzzle.heading", game=game_name(words, game), title=game_text(words, game, "puzzle.title"))
    return f"{told} {stars_text(stars_of(day))}"


def home_line(words: Catalogue, progress: Progress, today: date) -> str:
    """What the home page says of today's puzzle; "" where there is none."""
    if not game_of(today):
        return ""
    row = progress.row_on(today)
    told = words.text("puzzle.row", n=row) if row > 1 else ""
    if progress.is_solved(today):
        first = words.text("puzzle.solved")
    else:
        first = heading(words, today)
    return " · ".join(filter(None, (first, told)))
