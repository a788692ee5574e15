"""What a drawn card would bring a column, in words: the sum, and for which closed cards of the other it is good (TE-1, TE-2).

It counts from what the reader knows, and sees no closed face.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.scene import Sight
from tabletin.games.teeth.board_call import call_note, winning_kinds
from tabletin.games.teeth.board_sums import addition
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import Column, TeethState
from tabletin.kernel.schema import Move
from tabletin.words import figure

MOST_TERMS: Final = 5  # of a sum: of more cards what lies on each side is added up first


def place_note(sight: Sight, rules: Teeth, seat: int, move: Move) -> str:
    """The sentence about the drawn card where ``move`` puts it, a "replace" or a "double" of ``seat``; "" where nothing of it
    speaks for the place.
    """
    state: TeethState = sight.view.state
    verb, at = move
    column, drawn = state.columns[at], state.drawn_card
    assert column is not None and drawn is not None
    after = column._replace(middle=drawn) if verb == "replace" else column.with_extra(seat, drawn)
    if not winning_kinds(sight, rules, seat, after):
        return ""
    total = _sum(sight, rules, seat, after)
    values = rules.values.values
    name = sight.words.seat(1 - seat)

    def say(key: str, **params: object) -> str:
        return sight.say(f"teeth.board.brings.{key}", limit=rules.values.limit, name=name, **params)

    if total is None or total[1] - min(values.values()) <= rules.values.limit:
        told = say("sum", sum=total[0]) if total is not None else ""
        return f"{told} {call_note(sight, rules, seat, after)}".strip()
    over = total[1] - rules.values.limit
    if over <= 1:  # of all cards a joker alone counts less than an ace
        return say("joker", sum=total[0])
    return say("from", sum=total[0], n=over) if over <= max(values.values()) else ""


def _sum(sight: Sight, rules: Teeth, seat: int, column: Column) -> tuple[str, int] | None:
    """What ``seat`` has in ``column`` before the other's closed card is taken off: as it is added up, and the number; None where
    an ace leaves that open.
    """
    values = rules.values

    def known(*cards: int) -> list[str]:
        faces = [sight.face(card) for card in cards]
        assert None not in faces
        return [face for face in faces if face is not None]

    own, other = known(column.owns[seat], *column.extras[seat]), known(*column.extras[1 - seat])
    middle = known(column.middle)
    if any(face in values.aces for face in (*own, *middle, *other)):
        return None
    terms = [*(values.values[face] for face in (own[0], *middle, *own[1:])), *(-values.values[face] for face in other)]
    if len(terms) > MOST_TERMS:
        terms = [values.sum(own)[0], values.sum(middle)[0], *([-values.sum(other)[0]] if other else [])]
    return f"{addition(*terms)} = {figure(sum(terms))}", sum(terms)
