"""The buttons under the table: what a pause and a race leave of them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.table.controls import TableControls
from tabletin.app.table.undo import Undo, last_mover
from tabletin.board.scene import ButtonShape, Control, Layout, Prompt, Scene, Sight
from tabletin.kernel.log import Entry
from tests.support.highcard import random_table

UNDO = Undo(0, 0)


def offered(*, is_paused: bool = False, random_delay: float = 0.0, has_steps: bool = False, may_undo: bool = True,
            gives_help: bool = True, back: Undo = UNDO, is_practice: bool = False) -> list[str]:
    """The keys of the buttons at a table where a hint, a step back and a draw are possible."""
    forced, rules = SimpleNamespace(move_of=lambda seat: None), SimpleNamespace(random_delay=random_delay)
    match = SimpleNamespace(outcome=None, rules=rules, state=SimpleNamespace(practice=is_practice))
    session = SimpleNamespace(is_paused=is_paused, gives_help=gives_help, gives_hints=gives_help, owner=True, people=(0,),
                              forced_moves=forced, match=match)
    screen = SimpleNamespace(session=session, scene=Scene(), draft=SimpleNamespace(has_choice=True, has_steps=has_steps))
    controls = TableControls(cast(Any, screen))
    controls.hints = cast(Any, SimpleNamespace(control=lambda: Control("hint", "Hint", shortcut="h")))
    controls._undo_of = cast(Any, lambda seat: back if may_undo else None)  # type: ignore[method-assign]
    controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
    sight = cast(Any, SimpleNamespace(seat=0, may_act=True, idle=False))
    drawn = Scene(controls=(Control("find", "Find it", is_help=True), Control("draw", "Draw", shortcut="c")))
    shown = [*controls.own(sight), *controls.choices(sight, drawn)]
    return [control.key + "?" * (control.shape is ButtonShape.QUIET) for control in shown]


def test_what_ends_the_match_stands_below_all_else() -> None:
    match = SimpleNamespace(outcome=None, entries=range(9))
    session = SimpleNamespace(may_pause=True, people=(0, 1), match=match, wording=SimpleNamespace(seat=str))
    screen = SimpleNamespace(session=session, viewpoint=SimpleNamespace(index=None))
    controls = TableControls(cast(Any, screen))
    controls._say = controls._of = cast(Any, lambda key, *_: key)  # type: ignore[method-assign]
    found = controls.extra_controls()
    assert [control.key for control in found] == ["pause", "leave0", "leave1", "rules", "past", "resign0", "resign1"]
    assert [control.danger for control in found] == [False] * 5 + [True] * 2


def test_the_status_says_what_is_done_also_where_it_is_no_choice() -> None:
    session = SimpleNamespace(is_paused=False, people=(0,), match=SimpleNamespace(outcome=None),
                              forced_moves=SimpleNamespace(move_of=lambda seat: ("draw",)))
    controls = TableControls(cast(Any, SimpleNamespace(session=session, act_note="", gist_note="")))
    controls._say = cast(Any, lambda key, **params: f"{key} {params}")  # type: ignore[method-assign]
    sight = cast(Any, SimpleNamespace(seat=0, may_act=True, past=False, idle=False, landing=False, acting=(0,), mover=None,
                                    shown_mover=None))
    assert controls.is_forced(sight)
    assert controls.status(sight, Scene(ask="draw")) == "status.ask {'turn': 'status.yours {}', 'ask': 'draw'}"
    assert controls.status(sight, Scene()) == "status.yours {}", "a question says what is asked"
    controls._screen.act_note, sight.mover = "Ada passed", 1  # type: ignore[misc]
    assert controls.status(sight, Scene()) == "status.yours {}", "as soon as the table shows whose turn it is"


def test_it_is_said_that_a_turn_is_ones_own_as_soon_as_ones_own_plate_is_marked() -> None:
    """Also where its move is no choice, and nothing is asked."""
    session = SimpleNamespace(is_paused=False, people=(0,), match=SimpleNamespace(outcome=None),
                              forced_moves=SimpleNamespace(move_of=lambda seat: ("pass",)))
    for acts in ({"act_note": "Ada passed", "gist_note": ""}, {"act_note": "", "gist_note": "Ada passed"}):
        controls = TableControls(cast(Any, SimpleNamespace(session=session, landing_note="", **acts)))
        controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
        view = SimpleNamespace(rules=SimpleNamespace(to_act=lambda _state: (0,)), state=None)
        seen = Sight(cast(Any, view), cast(Any, None), Layout(390, 640), 0, (0,), mover=1)
        assert controls.status(replace(seen, landing=True), Scene()) == controls.status(replace(seen, idle=True), Scene()) \
            == "Ada passed"
        assert controls.status(seen, Scene()) == "status.yours"


def test_in_a_pause_nothing_can_be_pressed() -> None:
    """The cards are covered, and the key H once had a hint thought out and said all the same."""
    assert offered() == ["hint", "undo", "find", "draw"]
    assert offered(is_paused=True) == []


def test_a_puzzle_has_no_button_that_looks_for_the_player() -> None:
    assert offered(gives_help=False) == ["draw"]


def test_what_lies_on_trial_is_taken_back_before_a_turn_that_was_made() -> None:
    """Where it would make the match practice, the bright button is the one that leaves all as it is."""
    assert "undo" in offered(may_undo=False, has_steps=True) and "undo" not in offered(may_undo=False)
    draft, steps = SimpleNamespace(has_steps=True), [True]

    def step_back() -> bool:
        draft.has_steps = False
        return steps.pop()

    entries = [SimpleNamespace(hash="0")]
    match = SimpleNamespace(entries=entries, state=SimpleNamespace(practice=False))
    screen = SimpleNamespace(session=SimpleNamespace(match=match), draft=draft, step_back=step_back, draw=lambda: None,
                             viewpoint=SimpleNamespace(seat=lambda: 0), prompt=SimpleNamespace(focus=lambda: None))
    controls = TableControls(cast(Any, screen))
    controls._undo_of = cast(Any, lambda seat: Undo(0, 0, practice=True))  # type: ignore[method-assign]
    controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
    undo = Control("undo", "Undo")
    asked: list[Any] = []
    for _ in range(2):
        assert controls.press(undo) and not steps
        asked.append(controls._question)
    first, question = asked
    assert first is None
    assert {answer.key: answer.primary for answer in question.answers} == {"back_now": False, "never": True}


def test_what_would_make_the_match_practice_is_a_quiet_word() -> None:
    dear = Undo(0, 0, practice=True)
    assert "undo?" in offered(back=dear)
    assert "undo" in offered(back=dear, is_practice=True), "it costs nothing any more"
    assert "undo" in offered(back=dear, has_steps=True), "what is meant are the steps of this turn"


@pytest.mark.parametrize("is_paused", [False, True])
def test_whoever_touches_the_table_plays_on(is_paused: bool) -> None:
    """A question of the table itself does not stay over the buttons; a pause ends by its own button."""
    drawn: list[int] = []
    screen = SimpleNamespace(session=SimpleNamespace(is_paused=is_paused), draw=lambda: drawn.append(1))
    controls = TableControls(cast(Any, screen))
    controls.play_on()
    assert not drawn
    controls._question = Prompt("practice", "Take it back?", ())
    controls.play_on()
    assert (controls._question is None, drawn) == ((False, []) if is_paused else (True, [1]))


def test_where_speed_counts_nothing_is_taken_back() -> None:
    assert offered(random_delay=60.0) == ["hint", "find", "draw"]


@pytest.mark.parametrize("random_delay", [0.0, 60.0])
def test_nor_before_the_device_is_passed_on(random_delay: float) -> None:
    match = random_table(1).match
    seat = last_mover(match)
    assert seat is not None
    shown = SimpleNamespace(entries=match.entries, rules=SimpleNamespace(random_delay=random_delay))
    session = SimpleNamespace(match=shown, people=(0, 1), owner=True, wording=SimpleNamespace(seat=str))
    controls = TableControls(cast(Any, SimpleNamespace(session=session)))
    controls._undo_of = cast(Any, lambda seat: 1)  # type: ignore[method-assign]
    controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
    assert [control.key for control in controls._undo_before_passing()] == ([] if random_delay else ["undo"])


def test_what_can_be_taken_back_is_looked_for_anew_where_another_entry_has_the_place_of_the_last() -> None:
    """Among peers the last entries may fall away, and others be as many."""
    match = random_table(1).match
    length = next(entry.index for entry in match.entries if entry.statement.kind == "move")
    match.cut(length + 1)
    session = SimpleNamespace(match=match, forced_moves=SimpleNamespace(was_made=lambda seat, index: False))
    controls = TableControls(cast(Any, SimpleNamespace(session=session)))
    seat = match.entries[-1].statement.body["seat"]
    assert controls._undo_of(seat) is not None
    last = match.entries[-1]
    match.cut(length)
    match.append(Entry.create(length, match.head, match.propose(last.statement.author, "resign", {"seat": seat})))
    assert controls._undo_of(seat) is None


def test_nothing_is_taken_back_to_a_moment_that_fell_away_while_that_was_asked() -> None:
    match = random_table(1).match
    done: list[Any] = []
    session = SimpleNamespace(match=match, people=(0, 1), wording=SimpleNamespace(seat=str))
    screen = SimpleNamespace(session=session, do=done.append, draw=lambda: done.append("drawn"),
                             prompt=SimpleNamespace(focus=lambda: None))
    controls = TableControls(cast(Any, screen))
    controls._say = cast(Any, lambda key, **_: key)  # type: ignore[method-assign]
    back = Undo(0, len(match.entries) - 2, approvers=(1,))
    controls._undo_of = cast(Any, lambda seat: back)  # type: ignore[method-assign]
    controls.press(Control("undo", "", seat=0))
    done.clear()
    match.cut(back.target)
    controls.press(Control("agree1", "", seat=1))
    assert done == ["drawn"]
