"""What the screens of a room say: the advice where no way was found, and how people without a name are called."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.match.match import MatchScreen
from tabletin.app.screens.room.advice import advice, network_help, tell_friend
from tabletin.app.screens.room.parts import Parts, answers, option_lines
from tabletin.app.screens.room.room import RoomScreen
from tabletin.app.storage.matches import local_id
from tabletin.app.ui.screen import Screen
from tabletin.kernel.user_text import is_legible
from tabletin.peers.net.diagnosis import Findings, reason_of_pairs
from tabletin.peers.net.transport import Presence, Unreachable
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import PERSON, Chair, Member, RoomState
from tabletin.registry import GAMES, rules_of
from tabletin.words import MOST_QUOTED, languages, load
from tests.support.bots_here import WORDS
from tests.support.examples import ONE_DEAL

CAUSES = ("relays", "nobody", "no_helper", "own_network", "their_network", "turn_needed", "turn_failed")
HOST_ONLY = ('href="#/room"', 'href="#/room?', 'href="#/room/invite')
ADA, BO, CLEO = "a" * 64, "b" * 64, "c" * 64


@pytest.mark.parametrize("guest", [True, False])
@pytest.mark.parametrize("cause", CAUSES)
def test_every_advice_ends_with_one_button_that_helps_there(cause: str, guest: bool) -> None:
    for language in languages():
        shown = advice(load(language), cause, guest=guest)
        assert shown.count("<button") + shown.count("<a ") == 1
        if guest:
            assert not any(there in shown for there in HOST_ONLY)


@pytest.mark.parametrize("cause", CAUSES)
def test_between_two_devices_of_one_person_nobody_is_told_or_asked(cause: str) -> None:
    for language in languages():
        words = load(language)
        shown = advice(words, cause, guest=True, own=True)
        assert not any(words.text(f"advice.tell.{told}") in shown for told in ("relays", "nobody", "no_helper", "their_network"))
        assert (cause in ("own_network", "turn_needed", "turn_failed")) is ("<a " in shown)


def test_a_list_of_what_helps_is_shown_only_where_neither_a_cause_nor_a_sentence_of_its_own_is_known() -> None:
    words = load("en")
    assert "<ul>" in network_help(words, Unreachable("no_path"))
    assert network_help(words, Unreachable("no_path", "no_helper")) == advice(words, "no_helper")
    assert network_help(words, Unreachable("no_candidate")) == network_help(words, Unreachable("other_tab")) == ""


def test_what_was_found_between_two_addresses_has_advice() -> None:
    plain, found = frozenset({"host"}), frozenset({"host", "srflx"})
    for own in (plain, found):
        for theirs in (plain, found):
            for stun in (True, False):
                for turn in (True, False):
                    cause = reason_of_pairs(Findings(0.0, own=own, theirs=theirs, has_stun=stun, has_turn=turn))
                    assert cause in CAUSES


class Exchange:
    """A device that shares or copies; ``works``: whether it may."""

    def __init__(self, *, can_share: bool, works: bool) -> None:
        self.can_share, self.works = can_share, works
        self.handed_over: list[tuple[str, ...]] = []

    async def share(self, *shared: str) -> bool:
        self.handed_over.append(shared)
        return self.works

    async def copy(self, text: str) -> bool:
        self.handed_over.append((text,))
        return self.works


@pytest.mark.parametrize("cause", ["relays", "nobody", "no_helper", "their_network"])
@pytest.mark.parametrize(("can_share", "works"), [(True, True), (True, False), (False, True), (False, False)])
async def test_the_button_hands_a_sentence_to_the_friend_and_says_so(cause: str, can_share: bool, works: bool) -> None:
    shown: dict[str, str] = {}
    exchange = Exchange(can_share=can_share, works=works)
    shell = SimpleNamespace(rooms=SimpleNamespace(exchange=exchange), document=SimpleNamespace(repaint=shown.__setitem__))
    await tell_friend(cast(Screen, SimpleNamespace(shell=shell, text=WORDS.text)), cause)
    said = WORDS.text(f"advice.say.{cause}")
    assert exchange.handed_over == [("Tabletin", said, "") if can_share else (said,)]
    status = {(True, True): "Sent.", (True, False): "", (False, True): WORDS.text("invite.copied"), (False, False): said}
    assert shown == {"told": status[can_share, works]}


def parts(*names: str) -> Parts:
    """A room of the host and two guests; Cleo watches."""
    members = tuple(Member(author, name, "") for author, name in zip((ADA, BO, CLEO), names, strict=True))
    chairs = Chair(PERSON, ADA), Chair(), Chair(PERSON, BO)
    state: Any = SimpleNamespace(host=ADA, members=members, chairs=chairs, game=ONE_DEAL)
    state.member = lambda author: RoomState.member(state, author)
    state.chair_of = lambda author: RoomState.chair_of(state, author)
    return Parts(cast(Room, SimpleNamespace(state=state, author=ADA)), WORDS)


@pytest.mark.parametrize("value", ["a\u202eb\u2028c", ["a\u202e", "b"], {"a\u202eb": [["c" * 20_000]]}, 10**15, None, [[[]]]])
def test_options_that_a_host_makes_up_are_shown_in_one_short_line(value: Any) -> None:
    for game in GAMES:
        options = {option.key: value for option in rules_of(game).options}
        lines = option_lines(WORDS, cast(RoomState, SimpleNamespace(game=game, options=options)))
        assert len(lines) <= len(options)
        assert all(is_legible(told, MOST_QUOTED) for _, told in lines)


def test_somebody_without_a_name_is_called_by_the_place_as_at_the_table() -> None:
    shown = parts("", "?", "")
    assert [shown.name(author) for author in (ADA, BO, CLEO)] == ["Player 1", "Player 3", "Player 3"]
    assert shown.name("d" * 64) == "Your friend"
    assert shown.signature == "Your friend"
    named = parts("Ada", "Bo", "Cleo")
    assert [named.name(author) for author in (ADA, BO, CLEO)] == ["Ada", "Bo", "Cleo"]
    assert named.signature == "Ada"


def test_who_invites_is_told_to_the_others_alone() -> None:
    """Under "You", "invites" was no sentence, and the person who invites knows it."""
    state = RoomState(ADA, ONE_DEAL, rules_of(ONE_DEAL).version, {}, (Chair(PERSON, ADA), Chair(PERSON, BO)),
                      (Member(ADA, "Ada", ""), Member(BO, "Bo", "")), "0" * 32)
    for mine in (ADA, BO):
        room: Any = SimpleNamespace(state=state, author=mine, transport=SimpleNamespace(lost_authors=tuple),
                                    presence=lambda author: Presence.HERE)
        told = {chair.author: Parts(room, WORDS).label(chair)[1] for chair in state.chairs}
        assert {author for author, about in told.items() if WORDS.text("room.host") in about} == {ADA} - {mine}


def test_who_is_met_by_a_link_that_leads_to_somebody_else_is_asked_about_by_name() -> None:
    state = RoomState(BO, ONE_DEAL, rules_of(ONE_DEAL).version, {}, (Chair(PERSON, BO), Chair()),
                      (Member(BO, "<b>Bo", "red"),), "0" * 32)
    for language in languages():
        words = load(language)
        room: Any = SimpleNamespace(turned_away="", stand_ins={BO: state}, is_host_met=False)
        shown = answers(room, words, "Ada")
        assert "Ada" in shown and "&lt;b&gt;Bo" in shown and "<b>" not in shown and f'data-author="{BO}"' in shown
        room.is_host_met = True
        assert answers(room, words, "Ada") == ""
        room.turned_away = "full"
        assert words.text("room.ended.full") in answers(room, words, "Ada")


def test_a_match_whose_end_fell_away_is_played_on() -> None:
    """The device stays awake again, and its room asks nobody for another match."""
    said: list[Any] = []
    match = SimpleNamespace(id="match", outcome=None)
    rooms = SimpleNamespace(room=None, end_match=lambda match, *, is_over: said.append(is_over))
    screen = MatchScreen(cast(Any, SimpleNamespace(words=WORDS, stay_awake=lambda on: said.append(("awake", on)),
                                                   rooms_if_any=rooms)), Route("match", "name"))
    screen.session = cast(Any, SimpleNamespace(match=match, owner=True))
    screen.peer_bar = cast(Any, object())
    screen.match_changed(())
    assert said == []
    for outcome in (object(), None, None):
        match.outcome = outcome
        screen.match_changed(())
    assert said == [("awake", False), True, ("awake", True), False]


async def test_a_room_forgets_that_a_match_was_over_whose_end_fell_away() -> None:
    """The table was not on the screen meanwhile."""
    async def records() -> list[Any]:
        return [SimpleNamespace(id=local_id("f" * 64), outcome=None)]

    screen = RoomScreen(cast(Any, SimpleNamespace(words=WORDS, matches=SimpleNamespace(records=records))), Route("room"))
    screen.draw = lambda *given: None  # type: ignore[method-assign]
    room = cast(Any, SimpleNamespace(state=SimpleNamespace(playing="f" * 64), match_over=True))
    with suppress(AttributeError):  # what is drawn then is of no interest
        await screen.show(room)
    assert not room.match_over
