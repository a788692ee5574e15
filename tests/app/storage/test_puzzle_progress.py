"""What was solved: tries, days in a row, and what is left of a text that cannot be read."""

from __future__ import annotations

from datetime import date

import pytest

from tabletin.app.storage.puzzle_progress import DAY, MOST_DAYS, Progress

TODAY = date(2026, 11, 23)


def solved_on(*days: date) -> Progress:
    progress = Progress()
    for day in days:
        progress = progress.after_solving(day, day)
    return progress


def test_tries_are_counted_until_it_is_solved() -> None:
    progress = Progress().after_miss(TODAY).after_miss(TODAY)
    assert (progress.tries(TODAY), progress.is_solved(TODAY), progress.row_on(TODAY)) == (2, False, 0)
    progress = progress.after_solving(TODAY, TODAY)
    assert (progress.tries(TODAY), progress.is_solved(TODAY), progress.row_on(TODAY)) == (3, True, 1)
    assert progress.after_miss(TODAY) == progress.after_solving(TODAY, TODAY) == progress


def test_days_in_a_row_stand_until_a_day_has_passed_without() -> None:
    progress = solved_on(TODAY - 2 * DAY, TODAY - DAY)
    assert [progress.row_on(TODAY + n * DAY) for n in (-1, 0, 1)] == [2, 2, 0]
    assert progress.after_solving(TODAY, TODAY).row_on(TODAY) == 3
    late = progress.after_solving(TODAY + DAY, TODAY + DAY)
    assert (late.row_on(TODAY + DAY), late.longest) == (1, 2)


def test_an_earlier_day_counts_for_itself_alone() -> None:
    progress = solved_on(TODAY).after_solving(TODAY - DAY, TODAY)
    assert progress.is_solved(TODAY - DAY)
    assert (progress.row_on(TODAY), progress.last) == (1, TODAY.isoformat())


def test_it_is_written_as_it_is_read_and_old_days_fall_away() -> None:
    progress = Progress().after_miss(TODAY)
    for n in range(1, MOST_DAYS + 9):
        progress = progress.after_solving(TODAY + n * DAY, TODAY + n * DAY)
    assert (len(progress.solutions), progress.misses, progress.row) == (MOST_DAYS, {}, MOST_DAYS + 8)
    assert Progress.from_json(progress.to_json()) == progress


@pytest.mark.parametrize("text", [None, "", "{", "[]", "7", '{"solutions": 3, "row": 5}',
                                  '{"solutions": {"2026-11-23": "x", "y": 2}}',
                                  '{"last": 3, "row": true, "longest": -1, "misses": {"2026-11-23": 0}}'])
def test_what_cannot_be_read_is_as_if_it_had_never_been(text: str | None) -> None:
    assert Progress.from_json(text) == Progress()
