"""What a TooT is: the rulebook's samples and common errors, and every way to be wrong, in the words a player reads."""

from __future__ import annotations

import json

import pytest

from tabletin.games.toot.arrangement import TABLE, TOOTS, as_faces, canonical, evident, flaw, join_table, write
from tabletin.games.toot.cards import COUNTS, DECK
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.games.toot.scene import key, laid, parsed, refusal, shows

WORDING = Wording(load(), Setup("toot-pursuit", 1, {}, (Seat("person", "table"),) * 2))


def said(text: str, shown: str | None = None) -> str:
    found = refusal(text, shown)
    assert found is not None
    return WORDING.refusal(found)


def test_the_deck() -> None:
    """TO-1: 57 cards."""
    assert len(DECK) == 57
    assert COUNTS == {"1": 8, "2": 8, "3": 3, "4": 1, "X": 5, "red": 7, "yellow": 7, "blue": 7,
                      "purple": 5, "orange": 3, "green": 3}


@pytest.mark.parametrize("text", [
    "red+yellow", "blue+blue", "red+X=blue", "X=red+X=red", "purple", "orange", "green", "X=green",
    "1[purple]", "2[purple, red+red]", "3[green, green, green]", "4[orange, orange, orange, red+blue]",
    "X=2[green, orange]"])
def test_these_are_toots(text: str) -> None:
    """TO-2."""
    assert key(text) is None


def test_the_samples_of_the_rulebook() -> None:
    """A 1 on yellow and blue; a 2 on that and an orange; a 3 on that, a purple, and a pair with an X for a red."""
    one = "1[yellow+blue]"
    two = f"2[{one}, orange]"
    three = f"3[{two}, purple, red+X=red]"
    assert [key(one), key(two), key(three)] == [None, None, None]
    assert [shows(one), shows(two), shows(three)] == ["1", "2", "3"]


def test_common_error_one_two_toots_are_not_one() -> None:
    """A green and a red with a blue are two TooTs; a 2 on top makes them one."""
    assert said("green, red+blue") == "These are 2 TooTs, not one. A 2 on top of them would make them one."
    assert key("2[green, red+blue]") is None


def test_common_error_two_a_2_may_not_touch_a_2() -> None:
    """TO-3: the 2 goes on the orange first, and with it on the other TooT, which has a 2 on top."""
    other = "2[red+blue, purple]"
    assert said(f"2[orange, {other}]") == "A 2 may not touch a 2; lay it on the orange one first."
    assert key(f"2[{other}, orange]") is None
    assert key(f"2[2[orange, orange], {other}]") == "touch_all"
    assert said(f"2[2[orange, orange], {other}]") == "A 2 may not touch a 2, and every TooT under it shows one."


@pytest.mark.parametrize(("text", "why"), [
    ("red", "lone_primary"), ("1", "lone_number"), ("X", "not_stated"), ("X=red", "lone_primary"),
    ("X=1", "lone_number"), ("X=1[1[green]]", "touch_one"), ("1[X=1[green]]", "touch_one"),
    ("1[2[green, green]]", None), ("red+green", "no_pair"),
    ("red+2", "no_pair"), ("green+green", "no_pair"), ("red=blue+blue", "not_wild"), ("2[green]", "count"),
    ("2[green, green, green]", "count"), ("1[green, green]", "count_one"), ("green[red+red]", "only_number"),
    ("red+red[green]", "only_number"), ("2[green, red]", "lone_primary"), ("table", "no_table"), ("", "nothing_laid"),
    ("green, green, green, green, green", "far_from_one"),
    ("3[3[green, green, green], green, 3[green, green, green]]",
                                                            "touch"),
    ("3[green, 3[green, green, green], green]", None), ("4[4[green, green, green, green], green, green, green]", None)])
def test_why_something_is_no_toot(text: str, why: str | None) -> None:
    """TO-2, TO-3; and every refusal has words."""
    assert key(text) == why
    if why is not None:
        assert said(text)


@pytest.mark.parametrize(("text", "shown", "why"), [
    ("1[table]", "green", None), ("1[table]", "1", "touch_one"), ("2[table, green]", "2", None),
    ("2[green, table]", "2", "touch"), ("2[table, table]", "1", "table_twice"), ("table", "1", "nothing_laid"),
    ("green", "1", "not_one_table"), ("2[green, green]", "1", "not_one_table"), ("table[green]", "1", "only_number"),
    ("1[table], green", "red", "not_one_table"), ("2[1[table], red+blue]", "2", None),
    ("green, green, green, green", "1", "far_from_one")])
def test_the_toot_on_the_table_is_one_finished_toot(text: str, shown: str, why: str | None) -> None:
    """TO-4."""
    assert key(text, shown) == why


def test_what_lies_under_a_finished_toot_does_not_count() -> None:
    """TO-3: only what is on top."""
    assert key("2[1[2[green, green]], 1[2[green, green]]]") is None
    assert key("1[2[1[green], orange]]") is None


def test_an_x_on_top_shows_what_it_was_stated_as() -> None:
    """TO-4."""
    assert shows("X=2[green, green]") == "2"
    assert shows("X=purple") == "purple"
    assert key("2[X=2[green, green], X=2[green, green]]") == "touch_all"


def test_what_is_evident_may_be_stated_for_the_player() -> None:
    """TO-2: the page may state what is evident."""
    toots, faces = laid("X[X[X+blue], X, red+red]")
    assert key("X[X[X+blue], X, red+red]") == "not_stated"
    assert write(as_faces(evident(toots, faces)[0], faces)) == "X=3[X=1[X=red+blue], X=purple, red+red]"
    assert flaw(evident(toots, faces), faces) is None


def test_the_canonical_form_mends_an_order_that_can_be_mended() -> None:
    """TO-3: the stack may be laid in any order, so the TooT that may be touched comes uppermost."""
    toots, faces = laid("2[orange, 2[red+blue, purple]]")
    assert flaw(toots, faces) is not None
    mended = canonical(toots[0], faces)
    assert flaw((mended,), faces) is None
    assert write(as_faces(mended, faces)) == "2[2[red+blue, purple], orange]"
    assert canonical(mended, faces) == mended
    swapped = ((toots[0][0]), tuple(reversed(toots[0][1])))
    assert canonical(swapped, faces) == mended
    table, faces = laid("2[green, table]")
    assert flaw((canonical(table[0], faces, "2"),), faces, "2") is None


def test_a_play_is_put_around_the_toot_on_the_table() -> None:
    """TO-4: nothing inside it changes."""
    faces = {0: "purple", 1: "2", 2: "red", 3: "yellow"}
    handles = iter((1, 2, 3))
    play = parsed("2[red+yellow, table]", lambda _: next(handles))[0]
    whole = join_table(play, (((0, None),), ()))
    assert write(as_faces(whole, faces)) == "2[red+yellow, purple]"
    assert join_table(TABLE, whole) == whole


def test_reading_what_came_from_outside() -> None:
    toots, _ = laid("2[1[yellow+X=blue], table]")
    assert TOOTS.read(json.loads(json.dumps(toots))) == toots
    deep: list[object] = [[[0, None]], []]
    for _ in range(60):
        deep = [[[0, None]], [deep]]
    for wrong in ([deep], [[[[0, "X"]], []]], [[[[0]], []]], [[[[0, None]]]], [[[[0, None]] * 3, []]], {"a": 1}):
        with pytest.raises(Malformed):
            TOOTS.read(wrong)
