"""Which puzzle a day has and how it stands with today's, in a line each.

It imports no puzzle and no table: a start must not wait for them.
"""

from __future__ import annotations

from datetime import date

from tabletin.app.storage.puzzle_progress import Progress
from tabletin.app.ui.html import esc, game_name, game_text
from tabletin.puzzles.calendar import game_of, stars_of
from tabletin.puzzles.puzzle import STARS
from tabletin.words import Catalogue


def stars(words: Catalogue, count: int) -> str:
    """How hard a puzzle is, as HTML: ``count`` stars, which are read in words."""
    drawn = "★" * count + "☆" * (len(STARS) - count)
    return f'<span class="puzzle-stars" role="img" aria-label="{esc(words.text("puzzle.stars", n=count))}">{drawn}</span>'


def heading(words: Catalogue, day: date) -> str:
    """Which puzzle that of ``day`` is, and how hard, as HTML; "" where there is none."""
    game = game_of(day)
    if not game:
        return ""
    told = words.text("puzzle.heading", game=game_name(words, game), title=game_text(words, game, "puzzle.title"))
    return f"{esc(told)} {stars(words, stars_of(day))}"


def home_line(words: Catalogue, progress: Progress, today: date) -> str:
    """What the home page says of today's puzzle, as HTML; "" where there is none."""
    if not game_of(today):
        return ""
    row = progress.row_on(today)
    told = esc(words.text("puzzle.row", n=row)) if row > 1 else ""
    if progress.is_solved(today):
        first = esc(words.text("puzzle.solved"))
    else:
        first = heading(words, today)
    return " · ".join(filter(None, (first, told)))
