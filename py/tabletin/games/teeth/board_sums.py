"""What each side of a column comes to, as far as one reader knows it (TE-1): in figures, and in the words of a screen reader.

It knows no place on the table. Faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from tabletin.board.scene import CLOSED_CARD, Sight
from tabletin.games.teeth.columns import ACE_STEP
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import Column, ColumnScore
from tabletin.kernel.faces import Card, Face
from tabletin.words import figure

ValueSum: TypeAlias = tuple[int, int]  # values with aces as 1, and how many aces
MINUS: Final = "−"
PLUS: Final = "+"


class Sum(NamedTuple):
    """What a side comes to. ``short``: the same where there is little room. ``is_open``: the other's closed card is still to be
    counted, and stands in it. ``terms``: what it adds up besides, "11 + 4"; "" where an ace leaves that open. ``needs``: how high
    that card must be for the side not to be bust, each ace as it makes it least, and ``brief_needs`` the same where there is
    little room; "" where a joker alone counts too little."""

    text: str
    speech: str
    short: str
    is_open: bool = False
    terms: str = ""
    needs: str = ""
    brief_needs: str = ""


NONE = Sum("", "", "")


class Sums:
    """The sums of one reader, who sits at the seat ``low``; a spectator's eyes are nobody's. ``face``: what cards show now."""

    def __init__(self, sight: Sight, rules: Teeth, low: int, face: Callable[[Card], Face | None]) -> None:
        self.sight, self.rules, self.low, self.face = sight, rules, low, face

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth.board.{key}", **params)

    def own(self, column: Column) -> Sum:
        """What the reader has in ``column``, as far as the other's closed card leaves it open; NONE for who may not know it."""
        if not self._is_known(column):
            return NONE
        own, theirs, middle, is_open = self._sides(column)
        if is_open:
            return _plain(self.rules.values.best(own[0] + middle[0] - theirs[0], own[1] + middle[1], theirs[1]).total)
        return self._but_for_a_card(own, middle, theirs, MINUS)

    def theirs(self, column: Column) -> Sum:
        """What the other has there, as far as its closed card leaves it open."""
        if not self._is_known(column):
            return NONE
        own, theirs, middle, is_open = self._sides(column)
        if is_open:
            return _plain(self.rules.values.best(theirs[0] + middle[0] - own[0], theirs[1] + middle[1], own[1]).total)
        return self._but_for_a_card(theirs, middle, own, PLUS)

    def _but_for_a_card(self, side: ValueSum, middle: ValueSum, other: ValueSum, sign: str) -> Sum:
        """What ``side`` has without the closed card, which settles which way the aces count. It belongs to the other player, so
        that it is added there and taken off here: ``sign``. Two numbers where it depends on that card which of them counts."""
        values, is_taken_off = self.rules.values, sign == MINUS
        base, aces = side[0] + middle[0] - other[0], side[1] + middle[1]
        least, most = base - ACE_STEP * other[1], base + ACE_STEP * aces
        if least != most:
            cards = {-value if is_taken_off else value for face, value in values.values.items() if face not in values.aces}
            counted = {values.best(base + card, aces, other[1]).total - card for card in cards}
            least, most = min(counted), max(counted)
        total, top, name = figure(least), figure(most), self.sight.words.seat(1 - self.low)
        key = "less" if is_taken_off else "plus"

        def written(number: int) -> str:
            """``number`` beside the closed card, which comes first where it is the reader's to guess what is added to it."""
            return figure(number) if is_taken_off else f"{MINUS if number < 0 else PLUS} {abs(number)}"

        def with_card(words: str) -> str:
            return f"{words} {MINUS} {CLOSED_CARD}" if is_taken_off else f"{CLOSED_CARD} {words}"

        needs = self._needs(least - self.rules.values.limit) if is_taken_off else ("", "")
        if least != most:
            spoken = self.say(f"{key}_either_spoken", total=total, most=top, name=name)
            text = self.say("either", total=written(least), most=written(most))
            short = f"{figure(least, plus=not is_taken_off)}/{figure(most, plus=not is_taken_off)}"
            return Sum(with_card(text), spoken, with_card(short), True, "", *needs)
        is_fixed = not (aces or other[1])
        terms = addition(*([side[0]] if side[0] else []), middle[0], *([-other[0]] if other[0] else [])) if is_fixed else ""
        text = with_card(written(least)) if least or is_taken_off else CLOSED_CARD
        return Sum(text, self.say(f"{key}_spoken", total=total, name=name), text, True, terms, *needs)

    def _needs(self, over: int) -> tuple[str, str]:
        """What the other's closed card must be so that a side ``over`` the limit without it is not bust; and in brief."""
        if over <= 1:  # of all cards a joker alone counts less than an ace
            return "", ""
        if over > max(self.rules.values.values.values()):
            return self.say("is_bust"), self.say("is_bust")
        return self.say("needs", card=CLOSED_CARD, n=over), self.say("brief_needs", n=over)

    def of_scored(self, score: ColumnScore, seat: int) -> Sum:
        """What ``seat`` had in a column that was scored, and whether that was too much, or as much as the other had."""
        side, middle, other = self.rules.values.parts(score.sides[seat], score.middle, score.sides[1 - seat])
        found = _plain(score.totals[seat])._replace(terms=addition(side, middle, -other))
        is_tie = not any(score.bust) and score.totals[0] == score.totals[1]
        if not (score.bust[seat] or is_tie):
            return found
        said = self.say("tie" if is_tie else "bust", total=found.text)
        return found._replace(text=said, speech=said)

    def of_pile(self, faces: Sequence[Face | None]) -> list[str]:
        """What the cards of one side add up to, "11 + 5 = 16", and the same shorter. The other's closed card stands in it as
        itself, and an ace by its letter, as either may be open."""
        values = [None if face is None or face in self.rules.values.aces else self.rules.values.values[face] for face in faces]
        numbers = [value for value in values if value is not None]
        marks = [CLOSED_CARD if face is None else self.sight.say("deck52.mark.A")
                 for face, value in zip(faces, values, strict=True) if value is None]
        if not marks:
            return [f"{addition(*numbers)} = {figure(sum(numbers))}", f"= {figure(sum(numbers))}"]
        long, short = (f" {PLUS} ".join([*marks, addition(*some)]) if some else f" {PLUS} ".join(marks)
                       for some in (numbers, [sum(numbers)] if numbers else []))
        return [long, short]

    def _is_known(self, column: Column) -> bool:
        """Whether the reader knows its own card and the middle one."""
        return self.sight.seat is not None and None not in map(self.face, (column.owns[self.low], column.middle))

    def _sides(self, column: Column) -> tuple[ValueSum, ValueSum, ValueSum, bool]:
        """What lies on the reader's side, on the other's and in the middle: values with aces as 1, and how many aces; and whether
        the other's own card is among it, because the reader knows it."""
        face, values = self.face, self.rules.values
        sides = [values.sum([known for card in (column.owns[seat], *column.extras[seat]) if (known := face(card))])
                 for seat in (self.low, 1 - self.low)]
        middle = face(column.middle)
        return sides[0], sides[1], values.sum([middle] if middle else []), face(column.owns[1 - self.low]) is not None


def _plain(total: int) -> Sum:
    return Sum(figure(total), figure(total), figure(total))


def addition(first: int, *others: int) -> str:
    """"11 + 4 − 7"; a number below nought is taken off."""
    return figure(first) + "".join(f" {PLUS if number >= 0 else MINUS} {abs(number)}" for number in others)
