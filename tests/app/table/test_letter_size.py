"""The sentence beside the hand: in which size it keeps to its line."""

from __future__ import annotations

from itertools import pairwise

from tabletin.app.table.letter_size import LINE, SIZES, letter_size, letters_in_line

PHONE = 390 / 16
ORDER = [size.name for size in SIZES]


def test_few_letters_are_as_large_as_usual_and_more_are_smaller() -> None:
    sizes = [ORDER.index(letter_size(letters, PHONE, ["Hint", "Undo"])) for letters in range(1, 160)]
    assert sizes[:30] == [0] * 30 and sizes[-1] > 1
    assert all(before <= after for before, after in pairwise(sizes))


def test_wide_buttons_leave_less_room() -> None:
    buttons: tuple[list[str], ...] = ([], ["Hint"], ["Hint", "Undo"], ["Zeig es mir", "Zurück"])
    sizes = [ORDER.index(letter_size(60, PHONE, words)) for words in buttons]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]


def test_a_line_is_never_higher_than_it_may_be_but_in_the_smallest_size() -> None:
    for size in SIZES[:-1]:
        assert size.height(20, 12.0) <= LINE
    assert letter_size(1000, PHONE, []) == ORDER[-1]
    assert letter_size(50, 0.5, ["a" * 40]) == ORDER[-1], "however little room there is"


def test_several_notes_on_a_narrow_plate_have_two_lines() -> None:
    """In one they all were as small as that needs: "✓ · +2 · Pull it!" 9 px high."""
    notes = "✓ · +2 · Pull it!"
    assert letters_in_line(notes, 2) == len("Pull it!")
    assert letters_in_line(notes, 1) == len(notes)
    assert letters_in_line("lowest wins", 2) == len("lowest wins")
    assert letters_in_line("", 2) == 0
