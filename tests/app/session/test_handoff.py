"""An open session goes to the next screen; one that nobody takes is closed."""

from __future__ import annotations

from typing import cast

from tabletin.app.session.handoff import SessionHandoff
from tabletin.app.session.session import MatchSession


class Open:
    """Stands for an open session."""

    def __init__(self, name: str) -> None:
        self.id = name
        self.is_closed = False
        self.is_needed = False  # by other devices
        self.flushed = 0

    def close(self) -> None:
        self.is_closed = True

    def put_away(self) -> bool:
        if not self.is_needed:
            self.close()
        return self.is_needed

    async def flush(self) -> None:
        self.flushed += 1


def session(name: str) -> tuple[Open, MatchSession]:
    one = Open(name)
    return one, cast(MatchSession, one)


def test_the_next_screen_takes_the_session_of_its_match_once() -> None:
    handoff = SessionHandoff()
    one, ours = session("a")
    handoff.put(ours)
    assert handoff.take("a") is ours
    assert handoff.take("a") is None
    assert not one.is_closed


def test_a_session_of_another_match_is_closed() -> None:
    handoff = SessionHandoff()
    (one, first), (two, second) = session("a"), session("b")
    handoff.put(first)
    handoff.put(second)
    assert one.is_closed and not two.is_closed
    assert handoff.take("c") is None
    assert two.is_closed


def test_what_is_for_the_next_screen_comes_before_what_the_last_one_has_left() -> None:
    """A screen opens another match and closes: the match that was opened is the one to go on with."""
    handoff = SessionHandoff()
    (old, left), (new, opened) = session("a"), session("b")
    old.is_needed = new.is_needed = True
    handoff.put(opened)
    handoff.leave(left)
    assert old.is_closed and not new.is_closed
    assert handoff.take("b") is opened
    handoff.leave(opened)
    handoff.leave(opened)
    assert handoff.take("b") is opened and not new.is_closed


def test_a_session_that_nobody_else_needs_is_closed_when_its_screen_goes() -> None:
    handoff = SessionHandoff()
    one, ours = session("a")
    handoff.leave(ours)
    assert one.is_closed and handoff.take("a") is None


async def test_who_reads_a_match_waits_until_the_screen_before_has_written_it() -> None:
    handoff = SessionHandoff()
    await handoff.until_written("a")
    (one, first), (two, second) = session("a"), session("b")
    handoff.leave(first)
    handoff.leave(second)
    for name in ("a", "b"):
        await handoff.until_written(name)
    assert (one.flushed, two.flushed) == (0, 1)
    del two, second
    await handoff.until_written("b")
