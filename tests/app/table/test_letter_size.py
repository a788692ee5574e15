"""The sentence beside the hand: in which size it keeps to its line."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tabletin.app.table.letter_size import SIZES, letter_size, letters_in_line, room_for

PHONE = 390 / 16
ORDER = [size.name for size in SIZES]


def test_few_letters_are_as_large_as_usual_and_more_are_smaller() -> None:
    sizes = [ORDER.index(letter_size(letters, PHONE)) for letters in range(1, 160)]
    assert sizes[:35] == [0] * 35 and sizes[-1] > 1
    assert all(before <= after for before, after in pairwise(sizes))


def test_a_narrower_table_leaves_less_room() -> None:
    sizes = [ORDER.index(letter_size(95, wide)) for wide in (80.0, 51.0, 48.0)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]
    assert letter_size(75, 47.9) != letter_size(75, 30.0), "above the buttons it has all of the width"


@pytest.mark.parametrize("width", [320 / 16, PHONE, 51.0, 59.0, 80.0])
def test_a_line_is_never_higher_than_it_may_be_but_in_the_smallest_size(width: float) -> None:
    room, most = room_for(width)
    for letters in range(1, 300):
        name = letter_size(letters, width)
        assert name == ORDER[-1] or SIZES[ORDER.index(name)].height(letters, room) <= most
    assert letter_size(2000, width) == ORDER[-1]
    assert letter_size(50, 0.5) == ORDER[-1], "however little room there is"


def test_several_notes_on_a_narrow_plate_have_two_lines() -> None:
    """In one they all were as small as that needs: "✓ · +2 · Pull it!" 9 px high."""
    notes = "✓ · +2 · Pull it!"
    assert letters_in_line(notes, 2) == len("Pull it!")
    assert letters_in_line(notes, 1) == len(notes)
    assert letters_in_line("lowest wins", 2) == len("lowest wins")
    assert letters_in_line("", 2) == 0
