"""Texts that others wrote: what is shown of them, and what is refused."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.kernel.user_text import NAME, clean, is_legible, is_nameless, visible

UNSEEN = ["\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\u2029", "\x00", "\x1b", "\x85", "\n", "\xad", "\u061c",
          "\U000e0041", "\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u034f", "\ufe00", "\ufe0e", "\ufe0f", "\u17b4",
          "\u180b", "\u180f", "\ufffc", "\U0001bca0", "\U0001d159", "\U0001d173", "\U00016fe4", "\U00013441"]
ASTRONAUT, FLAG = "\U0001f469\u200d\U0001f680", "\U0001f3f3\ufe0f\u200d\U0001f308"
BOWING, KEY = "\U0001f642\u200d\u2195\ufe0f", "1\ufe0f\u20e3"
BRINGS_TOGETHER = st.text(st.sampled_from([
    "e", "1", " ", "\n", "\u0301", "\u0323", "\u20e3", "\ue000", "\u0378", "\u1100", "\u1161", "\u11a8", "\u2764", "\U0001f680",
    "\U0001f3fd", "\U0001f8ff", *UNSEEN]), max_size=30)


@pytest.mark.parametrize("char", UNSEEN)
def test_what_cannot_be_seen_is_neither_shown_nor_accepted(char: str) -> None:
    assert clean(f"An{char}na", NAME).replace(" ", "") == "Anna"
    assert clean(char * 5, NAME) == "", "nobody is called nothing"
    assert not is_legible(f"An{char}na", NAME)


@pytest.mark.parametrize("name", ["Zoë", "ÀÉÎ", "李小龙", "אבג", "Anna B.", ASTRONAUT, FLAG, "<b>Bo</b>", "I \u2764\ufe0f Ada",
                                  BOWING, KEY, "\u2122\ufe0e"])
def test_real_names_stay_as_they_are(name: str) -> None:
    assert clean(name, NAME) == name
    assert is_legible(name, NAME)


def test_a_joiner_joins_pictures_only() -> None:
    assert clean("\u200dA\u200dda\u200d", NAME) == "Ada"
    assert clean("x" * 19 + ASTRONAUT, NAME) == "x" * 19 + ASTRONAUT[0]
    assert clean("x" * 18 + ASTRONAUT, NAME) == "x" * 18 + ASTRONAUT[0], "none is left at the end"


def test_signs_of_a_newer_unicode_stay_where_that_is_asked_for_and_nothing_else_unseen_does() -> None:
    assert clean("A\u0378\ue000\x00da", NAME) == "Ada"
    assert clean("A\u0378\ue000\x00da", NAME, keeps_newer=True) == "A\u0378da"


def test_nobody_is_longer_than_a_name() -> None:
    assert not is_legible("x" * (NAME + 1), NAME)
    assert len(clean("x" * 10_000, NAME)) == NAME


@settings(max_examples=400)
@given(st.text(max_size=60) | BRINGS_TOGETHER, st.integers(1, NAME))
def test_what_is_shown_is_accepted_and_stays_as_it_is(text: str, most: int) -> None:
    """Names that a page has cleaned are never held against anybody, and no other page cleans them into other names."""
    shown = clean(text, most)
    assert is_legible(shown, most)
    assert clean(shown, most) == clean(shown, NAME) == shown
    assert normalize("NFC", shown) == shown


@pytest.mark.parametrize(("text", "shown"), [
    ("Eve\u200b\u0301", "Ev\xe9"), ("Ev\ue000e\ue000\u0301", "Ev\xe9"), ("\u1100\u1160\u1161", "\uac00"),
    ("\u2764\u0378\ufe0f", "\u2764"), ("\u0378\ufe0fA", "A"), ("e\U0001f8ff\u200d\u2764", "e\u2764")])
def test_what_is_taken_out_brings_others_together(text: str, shown: str) -> None:
    assert clean(text, NAME) == shown


def test_a_selector_stands_behind_a_picture_once() -> None:
    assert clean("\u2764\ufe0f\ufe0f", NAME) == "\u2764\ufe0f"
    assert clean("1\ufe0f A\ufe0f\u20e3", NAME) == "1 A\u20e3", "behind a digit only with the rest of its key"
    assert clean("x" * 18 + KEY, NAME) == "x" * 18 + "1", "which is cut off here"


@pytest.mark.parametrize("name", ["\u2764\ufe0f", "\u2764\ufe0e", "\u2764"])
def test_two_names_that_look_alike_are_told_to_be(name: str) -> None:
    assert visible(f"Ada {name}\u200d{name}") == "Ada \u2764\u2764"


def test_marks_do_not_pile_up() -> None:
    marks = "\u0323\u0307\u0301\u0302"
    assert clean(f"q{marks}q{marks}", NAME) == f"q{marks[:2]}q{marks[:2]}"
    assert clean(marks, NAME) == marks[:2], "also where they begin"
    assert clean("q\u20dd\u0323\u20dd", NAME) == "q\u20dd\u0323", "rings are marks, too"


def test_a_joiner_stands_behind_a_picture_itself() -> None:
    assert clean("\U0001f469x\u200d\U0001f680", NAME) == "\U0001f469x\U0001f680"
    assert clean("\U0001f469\u200dx", NAME) == "\U0001f469x"
    assert clean("\U0001f44d\U0001f3fd\u200d\U0001f680", NAME) == "\U0001f44d\U0001f3fd\u200d\U0001f680", "a skin tone"


def test_lines_and_gaps_are_one_space() -> None:
    assert clean("A\tB\nC\rD\u00a0E\u3000F   G", NAME) == "A B C D E F G"
    assert clean("  Ada ", NAME) == "Ada"


def test_what_is_much_too_long_is_not_looked_through() -> None:
    assert NAME == 20
    assert clean(" " * (4 * NAME - 1) + "xy", NAME) == "x"


@pytest.mark.parametrize(("text", "legible"), [("x" * NAME, True), ("x" * (NAME + 1), False), ("", True), ("\u202ex", False)])
def test_legible_is_what_is_short_and_can_be_seen(text: str, legible: bool) -> None:
    assert is_legible(text, NAME) is legible


@pytest.mark.parametrize(("name", "is_none"), [("", True), ("?", True), ("? 12", True), ("Ada", False), ("2", False),
                                               ("??", False), ("? 2 ", False), ("? Ada", False)])
def test_whoever_gave_no_name_is_a_question_mark_or_nothing(name: str, is_none: bool) -> None:
    assert is_nameless(name) is is_none
