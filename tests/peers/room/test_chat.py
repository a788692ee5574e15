"""Chat in a room: who hears it, muting, floods."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.user_text import clean
from tabletin.peers.room.chat import BURST, LONGEST, MOST_LINES
from tests.support.room_sim import House, author


async def test_words_reach_members_and_nobody_else() -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    await house.come("x", "X", by="b")  # knocks only
    house["b"].say("hello")
    house["b"].say(reaction="wow")
    house["x"].send(None, "say", text="let me in", reaction="")
    house.town.run()
    assert [(line.author, line.text, line.reaction) for line in house["c"].chat.lines] == [
        (author("b"), "hello", ""), (author("b"), "", "wow")]
    assert len(house["x"].chat.lines) == 0
    assert house["a"].rejections["stranger"] == 1


async def test_muting_is_one_act_and_takes_back_what_was_said() -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    house["b"].say("one")
    house["c"].say("two")
    house.town.run()
    house["a"].mute(author("b"))
    house["b"].say("three")
    house.town.run()
    assert [line.text for line in house["a"].chat.lines] == ["two"]
    house["a"].mute(author("b"), False)
    house["b"].say("four")
    house["a"].chat.is_quiet = True
    house["c"].say("five")
    house.town.run()
    assert [line.text for line in house["a"].chat.lines] == ["two"]


async def test_a_flood_of_words_is_cut_off() -> None:
    house = House(3)
    await house.come("b")
    for _ in range(3 * MOST_LINES):
        house["b"].send(author("a"), "say", text="x" * 900, reaction="")
    house.town.run()
    assert len(house["a"].chat.lines) == int(BURST)
    assert all(len(line.text) == LONGEST for line in house["a"].chat.lines)
    assert house["a"].rejections["rate"] > 0
    assert not all(house["b"].say("more") for _ in range(10))


@given(st.text(max_size=300))
def test_what_is_shown_is_clean(text: str) -> None:
    shown = clean(text, 40)
    assert len(shown) <= 40
    assert shown == clean(shown, 40)
    assert not set(shown) & {"\u202e", "\u200b", "\n", "\x00", "\u2066"}
