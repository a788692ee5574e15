"""A hint at the table: what is said and laid out when the match goes on while the bot thinks."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.session.bot_driver import BotFailed, TurnPassed
from tabletin.app.table.hints import Hints
from tabletin.board.board import Reason
from tabletin.board.scene import Control, Drawing, Piece, Rect, Scene
from tabletin.bots.decision import Decision


class Host:
    """The screen of a table as far as a hint needs one. ``think`` is the bot; ``said`` and ``composed``: what came of it."""

    def __init__(self, think: Callable[[Any], Decision]) -> None:
        self.said: list[str] = []
        self.heard: list[str] = []
        self.composed: list[object] = []
        self.acts: list[Coroutine[Any, Any, Any]] = []
        match = SimpleNamespace(head="1", rules=SimpleNamespace(verbs={"1": (), "2": ()}))

        async def hint(seat: int) -> Decision:
            return think(match)

        wording = SimpleNamespace(phrase=lambda why, params: why, cards=lambda cards, faces: f"{cards}")
        self.noted = 0  # turns that a hint laid out
        self.session = SimpleNamespace(match=match, hint=hint, wording=wording, note_hint=self._note_hint)
        self.viewpoint = SimpleNamespace(seat=lambda: 0, index=None)
        self.put_away = 0
        self.draft: SimpleNamespace | None = SimpleNamespace(compose=self.composed.append, put_away=self._put_away,
                                                             holds=lambda _move: False, hint_takes_back=False)
        self.board = SimpleNamespace(draft=lambda sight: SimpleNamespace(compose=lambda move: None),
                                     scene=lambda sight, draft: Scene(), reason=lambda sight, draft: None)
        self.scene = Scene()
        self.sight = lambda: SimpleNamespace(may_act=True, view=SimpleNamespace(faces={}))
        self.note = SimpleNamespace(say=self.say, clear=lambda: self.say(""), sentence="")
        self.words = SimpleNamespace(text=lambda key, **_: key, join_names=", ".join)
        self.do = self.acts.append
        self.written = ""
        self.draw = lambda: setattr(self, "written", self.note.sentence)
        self.focus_confirm = lambda: None

    def _note_hint(self) -> None:
        self.noted += 1

    def _put_away(self) -> None:
        self.put_away += 1
        assert self.draft is not None
        self.draft.hint_takes_back = False

    def say(self, text: str, *, spoken: str = "", **_: object) -> None:
        self.said.append(text)
        self.heard.append(spoken or text)
        self.note.sentence = text
        if text:  # what is cleared stands until the next drawing
            self.written = text


async def hinted(think: Callable[[Any], Decision]) -> Host:
    host = Host(think)
    Hints(cast(Any, host)).ask()
    for act in host.acts:
        await act
    return host


async def test_it_is_thought_out_anew_when_something_came_meanwhile() -> None:
    def think(match: Any) -> Decision:
        before, match.head = match.head, "2"
        return Decision((before,), "why", {})

    host = await hinted(think)
    assert host.composed == [("2",)] and host.noted == 1
    assert host.said[-1] == "why"


async def test_a_turn_that_was_only_hinted_at_is_not_noted_as_shown() -> None:
    host = Host(lambda match: Decision(("1",), "why", {}))
    piece = Piece("c1", Drawing("", 60, 90), 50, 300, 60, tap=True, row="hand")
    other, laid = replace(piece, key="c2", x=120), replace(piece, y=7, plane=True, row="", place="row 1")
    host.board.scene = lambda sight, draft: Scene(pieces=(piece if draft is host.draft else laid, other))
    hints = Hints(cast(Any, host))
    noted = []
    for _ in range(5):
        hints.ask()
        await host.acts[-1]
        noted.append((len(host.composed), host.noted))
    assert (0, 0) in noted, "looked at, but not shown"
    assert noted[-1][0] > 0 and noted[-1][1] == 1, "and once, however often it is asked for"


async def test_the_place_is_said_with_the_boards_reason() -> None:
    host = Host(lambda match: Decision(("1",), "why", {}))
    piece = Piece("c1", Drawing("", 60, 90), 50, 300, 60, tap=True, row="hand")
    other, laid = replace(piece, key="c2", x=120), replace(piece, y=7, plane=True, row="", place="row 1")
    host.board.scene = lambda sight, draft: Scene(pieces=(piece if draft is host.draft else laid, other))
    host.board.reason = lambda sight, draft: Reason("same colour.")
    host.words.text = lambda key, place="", **_: f"{key} {place}".strip()
    hints = Hints(cast(Any, host))
    for said, heard in (("table.hint.card", ""), ("same colour.", "same colour. table.hint.goes_to row 1"), ("why", "")):
        hints.ask()
        await host.acts.pop()
        assert (host.said[-1], host.heard[-1]) == (said, heard or said), "who does not see the place hears which it is"


async def test_a_hint_that_takes_cards_back_to_the_hand_says_so_once() -> None:
    host = Host(lambda match: Decision(("1",), "why", {}))
    piece = Piece("c1", Drawing("", 60, 90), 50, 300, 60, tap=True, row="hand")
    other, laid = replace(piece, key="c2", x=120), replace(piece, y=7, plane=True, row="")
    host.board.scene = lambda sight, draft: Scene(pieces=(piece if draft is host.draft else laid, other))
    assert host.draft is not None
    host.draft.hint_takes_back = True
    hints = Hints(cast(Any, host))
    for said in ("table.hint.taken_back table.hint.card", "table.hint.goes"):
        hints.ask()
        await host.acts.pop()
        assert host.said[-1] == said


async def test_what_was_chosen_is_put_away_before_each_step_that_lights_something() -> None:
    """Else two answers are lit on one table."""
    host = Host(lambda match: Decision(("1",), "why", {}))
    piece = Piece("c1", Drawing("", 60, 90), 50, 300, 60, tap=True, row="hand")
    other, laid = replace(piece, key="c2", x=120), replace(piece, y=7, plane=True, row="")
    chosen = replace(piece, y=290, flags=("chosen",))
    host.board.scene = lambda sight, draft: Scene(pieces=(
        laid if draft is not host.draft else piece if host.put_away else chosen, other))
    hints = Hints(cast(Any, host))
    for _ in ("look", "place"):
        before = host.put_away
        hints.ask()
        await host.acts.pop()
        assert host.put_away > before
        assert hints.light(Scene(pieces=(piece, other))).pieces[0].flags == ("marked",)


async def test_nothing_is_offered_while_all_of_it_is_shown() -> None:
    host = Host(lambda match: Decision(("1",), "why", {}))
    hints = Hints(cast(Any, host))
    assert hints.control() == Control("hint", "table.offer.hint", shortcut="h")
    hints.ask()
    await host.acts.pop()
    assert host.composed and hints.control() is None
    host.note.clear()  # something else was tapped
    assert hints.control() == Control("hint", "table.offer.hint_turn", shortcut="h")


async def test_a_hint_begins_anew_once_something_was_laid_or_taken_back() -> None:
    """It went on with the whole turn, though the cards of another one lay there. What has left the hand needs no look."""
    host = Host(lambda match: Decision(("1",), "why", {}))
    piece = Piece("c1", Drawing("", 60, 90), 50, 300, 60, tap=True, row="hand")
    other, laid = replace(piece, key="c2", x=120), replace(piece, y=7, plane=True, row="", place="row 1")
    third = replace(piece, key="c3", x=190)

    def table(*pieces: Piece) -> None:
        host.scene = Scene(pieces=pieces)
        host.board.scene = lambda sight, draft: host.scene if draft is host.draft else Scene(pieces=(laid, other, third))

    async def asked() -> str:
        hints.ask()
        await host.acts.pop()
        return host.said[-1]

    table(piece, other, third)
    hints = Hints(cast(Any, host))
    assert [await asked(), await asked()] == ["table.hint.card", "table.hint.goes"]
    table(piece, replace(other, row=""), third)
    assert hints.control() == Control("hint", "table.offer.hint", shortcut="h")
    assert await asked() == "table.hint.card", "another card lies there"
    table(laid, other, third)
    assert await asked() == "why", "the card that it looked at lies where it goes"
    table(piece, other, third)
    assert await asked() == "table.hint.card" and host.noted == 1


async def test_a_reason_is_told_in_short_once_it_is_known_and_another_turn_is_offered() -> None:
    host = Host(lambda match: Decision(("1",), "why", short_why="again", other=("2",), or_else="or"))
    host.board.scene = lambda sight, draft: Scene()
    host.board.reason = lambda sight, draft: Reason("", nudge="look", places=("mat",))
    hints, told = Hints(cast(Any, host)), []
    for head in ("1", "2"):
        host.session.match.head = head
        for _ in range(3):
            control = hints.control()
            if control is None:
                break
            hints.ask()
            await host.acts.pop()
            told.append((control.label.rpartition(".")[2], host.said[-1]))
    other = ("hint_other", "table.hint.or_so")
    assert told == [("hint", "look"), ("hint_turn", "why or"), other, ("hint", "again or"), other]
    assert host.composed == [("1",), ("2",)] * 2 and host.noted == 2


async def test_the_view_stays_while_the_turn_is_laid_out() -> None:
    host = Host(lambda match: Decision(("1",), "why", {}))
    before = Scene(window=Rect(0, 0, 300, 300), bounds=Rect(0, 0, 99, 99))
    laid = Piece("c1", Drawing("", 60, 90), 200, 50, 60, plane=True)
    composed = Scene(pieces=(laid,), bounds=Rect(0, 0, 120, 110))
    host.board.scene = lambda sight, draft: before if draft is host.draft else composed
    hints = Hints(cast(Any, host))
    hints.ask()
    await host.acts.pop()
    after = Scene(pieces=(laid,), bounds=Rect(0, 0, 999, 999))
    shown = hints.light(after).bounds
    assert (shown.x, shown.y) == (0, -12) and 230 < shown.right < 300 and shown.bottom < 200
    host.note.clear()
    assert hints.light(after) is after


@pytest.mark.parametrize(("failure", "said"), [(TurnPassed, ""), (BotFailed, "shell.bots.failed")])
async def test_without_an_answer_nobody_goes_on_thinking(failure: type[Exception], said: str) -> None:
    def think(match: Any) -> Decision:
        raise failure

    host = await hinted(think)
    assert (host.composed, host.said[-1], host.written) == ([], said, said)


async def test_when_the_turn_is_over_meanwhile_nothing_of_the_hint_stays_beside_the_hand() -> None:
    """A claim ends the match while the bot thinks, and nobody is to act any more."""
    def think(match: Any) -> Decision:
        host.draft = None
        host.sight = lambda: SimpleNamespace(may_act=False, view=SimpleNamespace(faces={}))
        return Decision(("1",), "why", {})

    host = Host(think)
    Hints(cast(Any, host)).ask()
    await host.acts.pop()
    assert (host.composed, host.written) == ([], "")


async def test_what_was_said_while_a_bot_thought_in_vain_stands() -> None:
    def think(match: Any) -> Decision:
        host.say("not now")
        raise TurnPassed

    host = Host(think)
    Hints(cast(Any, host)).ask()
    await host.acts.pop()
    assert host.written == host.note.sentence == "not now"


async def test_a_turn_that_is_laid_out_right_already_stays_and_is_praised() -> None:
    """The three cards that were picked fell back, and it said "Start with this one"."""
    host = Host(lambda match: Decision(("1",), "why", {}))
    host.draft.holds = lambda move: move == ("1",)  # type: ignore[union-attr]
    host.words.text = lambda key, why="", **_: f"{key} {why}".strip()
    Hints(cast(Any, host)).ask()
    await host.acts.pop()
    assert host.said[-1] == "table.hint.ready why"
    assert not host.put_away and host.composed == [("1",)]
