"""What can be read beside the table of Teeth Time: everybody's melds in large, what each hand asks for, what everything counts.

Pure: it reads a sight, and draws what that reader knows.
"""

from __future__ import annotations

from collections.abc import Callable

from tabletin.board.scene import Leaf, Rect, Row, Sight
from tabletin.games.teeth_time import board_pieces
from tabletin.games.teeth_time.board_actions import Actions
from tabletin.games.teeth_time.board_melds import Melds, StripDrawing
from tabletin.games.teeth_time.cards import (
    DENTIST_EACH,
    FAIRY_EACH,
    GOING_OUT,
    GUMPSTER,
    IMPLANT,
    IN_HAND,
    PREVENTION_EACH,
    TEETH,
    WILDS,
)
from tabletin.games.teeth_time.groups import RUN, Contract
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import TeethTimeState
from tabletin.words import figure

ANYWHERE = Rect(0, 0, 360, 360)  # where the strips would lie does not matter here


def leaves(sight: Sight, notes: Callable[[int], list[str]]) -> tuple[Leaf, ...]:
    """``notes``: what stands under a seat's name."""
    def say(key: str, **params: object) -> str:
        return sight.say(f"teeth_time.board.leaf.{key}", **params)

    state: TeethTimeState = sight.view.state
    words = Actions(sight, None)
    melds = Melds(sight, None, words, ANYWHERE, 60.0)
    lying = dict(melds.blocks)
    found = []
    for seat in range(sight.view.rules.seats):
        rows = tuple(_row(sight, words, strip) for strip in lying.get(seat, ()))
        if counted := words.count_note(seat):
            rows = (Row(counted), *rows)
        about = [sight.say("table.cards", n=len(state.hands[seat])), *notes(seat)]
        title = say("seat", seat=sight.words.seat(seat), about=" · ".join(about))
        found.append(Leaf(title, rows or (Row(say("nothing")),)))
    return (*found, _contracts(sight, say), _counts(say))


def _row(sight: Sight, words: Actions, strip: StripDrawing) -> Row:
    state: TeethTimeState = sight.view.state
    group = state.groups.get(strip.number) if strip.kind == "group" else None
    drawings, names = [], []
    for place, card in enumerate(strip.cards):
        if card is None:
            continue
        face = sight.face(card)
        rank = group.suite[strip.start + place] if group is not None and group.kind == RUN and face in WILDS else ""
        drawings.append(board_pieces.head(face, sight.words.catalogue.language, rank))
        names.append(words.short(card))
    if group is None:
        return Row(", ".join(names), tuple(drawings))
    held = tuple(card for card in strip.cards if card is not None)
    first = group.suite[strip.start] if group.kind == RUN else group.rank
    return Row(words.lay_label((group.kind, first, held)), tuple(drawings))


def _contracts(sight: Sight, say: Callable[..., str]) -> Leaf:
    """Every hand of the match with what it asks for."""
    rules, state = sight.view.rules, sight.view.state
    assert isinstance(rules, TeethTime)
    rows = []
    for number in range(rules.hands):
        now = number == state.hand_no and not state.tie_break
        contract: Contract = rules.contracts[number % len(rules.contracts)]
        what = " + ".join(say(kind, n=least) for kind, least in contract)
        rows.append(Row(say("hand_now" if now else "hand", n=number + 1, what=what)))
    return Leaf(say("contracts"), tuple(rows))


def _counts(say: Callable[..., str]) -> Leaf:
    """What everything counts when a hand is over (TT-15)."""
    points = (("primary", IN_HAND[TEETH[0]]), ("permanent", IN_HAND[TEETH[-1]]), ("face_card", IN_HAND[IMPLANT]),
              ("gumpster", IN_HAND[GUMPSTER]), ("out", GOING_OUT), ("fairy", FAIRY_EACH), ("dentist", DENTIST_EACH),
              ("prevention", PREVENTION_EACH))
    rows = tuple(Row(say(f"counts.{what}", points=figure(n, plus=True))) for what, n in points)
    return Leaf(say("counts.title"), (*rows, Row(say("counts.lowest"))))
