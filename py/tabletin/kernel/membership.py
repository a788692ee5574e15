"""Who plays which seat, and who goes: the statements of a log that change that, folded into a ``Snapshot``.

Whether their authors may say so is ``authority``'s business; here is what comes of it for rules, dealing and seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from tabletin.kernel.log import Statement, text_field
from tabletin.kernel.options import refused
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import LEVELS, USUAL_LEVEL, Seat
from tabletin.kernel.snapshot import Snapshot
from tabletin.kernel.state import State

PLAYS_ON, LATER, VOID = "plays_on", "later", "void"


def fold_seat(rules: Rules[Any], snapshot: Snapshot, statement: Statement, trusted: bool) -> None:
    """Another player takes a seat over: a bot plays on for somebody who left; ``agreed``: another device, which signed
    that it will, from the next hand on."""
    body = statement.body
    if not trusted and body.keys() - {"agreed"} != {"seat", "to"}:
        raise Malformed("a change of player has seat, to, and whether that was agreed")
    player = Seat.from_json(body["to"])
    if "agreed" in body:
        snapshot.promises = {**snapshot.promises, body["seat"]: player}
        _note_departure(snapshot, statement.author, statement)
        snapshot.state.say("kernel.seat_promised", body["seat"], name=player.name)
    else:
        _take(snapshot, body["seat"], player)


def _note_departure(snapshot: Snapshot, author: str, statement: Statement) -> None:
    """``author`` lost a seat by ``statement``. What it agreed to before says nothing about playing on afterwards."""
    snapshot.departures = {**snapshot.departures, author: statement.hash}


def _take(snapshot: Snapshot, index: int, player: Seat) -> None:
    snapshot.setup = snapshot.setup.with_seat(index, player)
    snapshot.dealing.change_player(snapshot.setup)
    snapshot.state.say("kernel.seat_taken", index, name=player.name, kind=player.kind)


def keep_promises(snapshot: Snapshot) -> None:
    """A new hand begins: each promised seat goes to the player it was promised to. This is how somebody who was gone is back."""
    promised, snapshot.promises = snapshot.promises, {}
    for index, player in promised.items():
        _take(snapshot, index, player)
        snapshot.former_authors -= {player.author}


def deal_in(snapshot: Snapshot, departed: frozenset[int]) -> None:
    """A new hand begins, and with it the bots' time on the seats that left the last one."""
    for index in sorted(departed):
        if snapshot.setup.seats[index].is_bot:
            snapshot.state.say("kernel.bot_plays", index)


def fold_device(rules: Rules[Any], snapshot: Snapshot, statement: Statement, trusted: bool) -> None:
    """A person goes on from another device: it speaks for all the seats of the one before, in the hand under way too."""
    author, to = statement.author, text_field(statement.body, "to")
    for index in snapshot.seats_of(author):
        player = snapshot.setup.seats[index]
        snapshot.setup = snapshot.setup.with_seat(index, replace(player, author=to))
        if not player.is_bot:
            snapshot.state.say("kernel.device", index)
    _note_departure(snapshot, author, statement)
    snapshot.voters = _with(snapshot.voters, author, to)
    snapshot.passed_over = _with(snapshot.passed_over, author, to)
    if snapshot.orderer == author:
        snapshot.orderer = to
    snapshot.dealing.hand_over(snapshot.setup, author, statement.body)


def _with(authors: frozenset[str], author: str, to: str) -> frozenset[str]:
    """``authors`` with ``to`` in place of ``author``, if that is one of them."""
    return authors - {author} | {to} if author in authors else authors


def fold_order(rules: Rules[Any], snapshot: Snapshot, statement: Statement, trusted: bool) -> None:
    """The ordering passes on."""
    snapshot.orderer = text_field(statement.body, "to")


def fold_gone(rules: Rules[Any], snapshot: Snapshot, statement: Statement, trusted: bool) -> None:
    """A peer is gone for good and the hand is void: bots of ``heir`` play its seats (``then`` is "bot"), or the match ends
    here, to go on as a new one without them ("without"). ``fold_order`` puts in order from now on."""
    body = statement.body
    snapshot.epoch = body.get("epoch", snapshot.epoch)  # an older log has none
    lost, without = text_field(body, "peer"), text_field(body, "then") == "without"
    _say(snapshot.state, "kernel.gone_without" if without else "kernel.gone", snapshot.seats_of(lost))
    _go(snapshot, lost, None if without else text_field(body, "heir"), text_field(body, "order"))
    _note_departure(snapshot, lost, statement)
    _void(rules, snapshot, ends=without)


def fold_pass(rules: Rules[Any], snapshot: Snapshot, statement: Statement, trusted: bool) -> None:
    """A new epoch begins and the hand goes on: nobody goes, and ``order`` puts in order from now on."""
    to = text_field(statement.body, "order")
    if to != snapshot.orderer:
        snapshot.passed_over |= {snapshot.orderer}
    snapshot.epoch, snapshot.orderer = statement.body["epoch"], to


def fold_leave(rules: Rules[Any], snapshot: Snapshot, statement: Statement, trusted: bool) -> None:
    """The author goes politely, and what is dealt goes on without its key and its hand: ``sealed`` is its last message to
    the dealing. Where the hand cannot be played on there is none, and the hand is void. With the next deck bots of ``heir``
    play its seats. ``fold_order`` puts in order from now on."""
    body, author, state = statement.body, statement.author, snapshot.state
    if not trusted and body.keys() != {"order", "heir", "sealed"}:
        raise Malformed("a leave has order, heir and sealed")
    heir, orders = text_field(body, "heir"), text_field(body, "order")
    what = leaving(rules, snapshot, author)
    if what == LATER:
        raise refused("kernel.leave_later")
    if (what == PLAYS_ON) != (body["sealed"] is not None):
        raise refused("kernel.leave_form")
    seats = still_playing(snapshot, author)
    _go(snapshot, author, heir, orders)
    _note_departure(snapshot, author, statement)
    if what == PLAYS_ON:
        _say(state, "kernel.left", seats)
        rules.depart(state, *seats)
        snapshot.dealing.leave(snapshot.setup, author, body, live(rules, state))
        if not state.absentees:  # that was the end of the hand, and the next one begins
            deal_in(snapshot, frozenset(seats))
    else:
        _void(rules, snapshot, ends=False)
        _say(state, "kernel.left_over" if state.broken_off else "kernel.gone", seats)


def leaving(rules: Rules[Any], snapshot: Snapshot, author: str) -> str:
    """What comes of ``author``'s leaving now. ``PLAYS_ON``: the hand goes on without it. ``LATER``: it would, once nothing is
    asked of the dealing. ``VOID``: the game, or who is left of the hand, does not allow it; nor does a single device that is
    left, for it alone would hold all keys."""
    state = snapshot.state
    seats = still_playing(snapshot, author)
    if len(snapshot.live) < 3:
        return VOID
    if rules.can_depart(state, *seats):
        return PLAYS_ON
    if state.requests and rules.plays_on and len(set(rules.playing(state)) - set(seats)) >= 2:
        return LATER
    return VOID


def still_playing(snapshot: Snapshot, author: str) -> tuple[int, ...]:
    """The seats of ``author`` that have not left the hand under way already."""
    return tuple(index for index in snapshot.seats_of(author) if index not in snapshot.state.absentees)


def live_without(rules: Rules[Any], snapshot: Snapshot, author: str) -> frozenset[int]:
    """The cards that stay in play when ``author`` leaves a hand that is played on."""
    state = snapshot.state.copy()
    rules.depart(state, *still_playing(snapshot, author))
    return live(rules, state)


def live(rules: Rules[Any], state: State) -> frozenset[int]:
    """The cards that are on the table or in a hand."""
    return frozenset(card for cards in rules.zones(state).values() for card in cards)


def _say(state: State, key: str, seats: tuple[int, ...]) -> None:
    for index in seats:
        state.say(key, index)


def _go(snapshot: Snapshot, author: str, heir: str | None, orders: str) -> None:
    """``author`` has no say any more; bots of ``heir``, if anybody is, have its seats."""
    for index in snapshot.seats_of(author):
        player = snapshot.setup.seats[index]
        if heir is not None:
            bot = Seat("bot", heir, player.name, player.level if player.level in LEVELS else USUAL_LEVEL, player.colour)
            snapshot.setup = snapshot.setup.with_seat(index, bot)
    snapshot.former_authors |= {author}
    snapshot.promises = {index: player for index, player in snapshot.promises.items() if player.author != author}
    snapshot.orderer = orders


def _void(rules: Rules[Any], snapshot: Snapshot, *, ends: bool) -> None:
    """The hand under way is void: dealt anew, or the match ends with it."""
    state = snapshot.state
    snapshot.dealing.void(snapshot.setup)
    state.requests = ()
    if ends:
        state.broken_off = True
    else:
        rules.redeal(state)


Fold = Callable[[Rules[Any], Snapshot, Statement, bool], None]
FOLDS: Final[dict[str, Fold]] = {"seat": fold_seat, "device": fold_device, "order": fold_order,
                                 "gone": fold_gone, "leave": fold_leave,
                                 "pass": fold_pass}
