"""What is said at the columns of Teeth: what both sides come to and of what, the card still to be counted, who won and why.

It gets the room that each column has for words, and puts labels there. It finds no sums and sees no faces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from tabletin.board.scene import Key, Label, Sight
from tabletin.games.teeth.board_sums import MINUS, PLUS, Sum
from tabletin.games.teeth.state import ColumnScore

Side: TypeAlias = Literal["mine", "theirs"]

SIZES: Final = (("big", 1.15), ("total", 0.68), ("title", 0.5))  # looks of a total, and rem that one of its characters takes
SMALL: Final = ("small", 0.42)  # … of one that would not be named otherwise
LETTER: Final = 0.47  # rem: about as wide as a letter of what is said in small is
PLAIN: Final = ("plain", LETTER)
ENLARGED: Final = 17.0  # rem of width below which web/styles/table/enlarged.css makes words smaller: …
ENLARGED_SIZES: Final = (*SIZES[:-1], ("title", 0.4))  # … such looks, and rem of a character, then, …
ENLARGED_SMALL: Final = ("small", 0.37)  # … and of one in small, …
ENLARGED_LINE: Final = 0.82  # … and of the height of a line
SMALL_LINE: Final = 1.2  # … and as high as a line of it
ABOVE: Final = {"big": 1.5, "total": 1.2, "title": 1.1}  # rem from a total up to what stands above it
BELOW: Final = {"big": 0.95, "total": 0.6, "title": 0.6}  # … and from the middle of both lines down to what stands below it
CLOSER: Final = 0.05  # … less over the place to call the column
RAISED: Final = (0.0, 0.0, 0.6, 0.83)  # rem that the first of so many lines stands above the middle of their place
TERMS_END: Final = 1.1  # rem from the middle to the right, where the numbers of a sum end that stand one below the other
MOST_TERMS: Final = 3  # numbers of a sum: one's own cards, the middle one, the other's
APART: Final = 0.85  # … at least, from the line above them
BELOW_WINNER: Final = 1.05  # … from the winner's name to the line below it …
LOW_LINE: Final = 0.97  # … and from another line to the next
LARGEST_REM: Final = 0.065  # of the stage's width: words grow no further, as web/styles/table/enlarged.css has it


class LabelRoom(NamedTuple):
    """Where words may stand, px. ``xs``: their middle, by column; ``width``: what they have there. ``theirs``, ``calls``: how far
    down the other's totals are, and where a column is called; ``mine``: one's own totals, by column. ``top``, ``bottom``: of the
    columns; ``middle``: how far down the middle cards are, beside which it stands what a drawn card brings. ``is_beside``: words
    stand beside the cards; ``is_large``: on a large stage, with room for more than a line."""

    xs: tuple[float, ...]
    width: float
    theirs: float
    mine: tuple[float, ...]
    calls: float
    top: float
    middle: float
    bottom: float
    is_beside: bool
    is_large: bool


class ColumnLabels:
    """The words at all columns of one scene, for the reader at the seat ``low``. ``limit``: above it a side is bust.
    ``is_placing``: a drawn card is to be placed, so that above a total stands what it would become."""

    def __init__(self, sight: Sight, low: int, limit: int, room: LabelRoom, *, is_placing: bool) -> None:
        self.sight, self.low, self.limit, self.room, self.is_placing = sight, low, limit, room, is_placing
        self.rem = min(sight.layout.rem, LARGEST_REM * sight.layout.width)
        self.is_enlarged = sight.layout.width < ENLARGED * sight.layout.rem
        self.sizes, self.small = (ENLARGED_SIZES, ENLARGED_SMALL) if self.is_enlarged else (SIZES, SMALL)
        self.other_name = sight.words.seat(1 - low)

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth.board.{key}", **params)

    # ---- how much room words need ----

    def width_of(self, text: str, letter: float) -> float:
        """Px that ``text`` takes, about, where a character takes ``letter`` rem."""
        return len(text) * letter * self.rem

    def fits(self, text: str, letter: float) -> bool:
        """Whether a total has room where a character takes ``letter`` rem."""
        return self.width_of(text, letter) <= self.room.width

    def _look(self, sums: Iterable[Sum], least: int = 0) -> tuple[str, float]:
        """How large totals are, all alike, and how wide a character is: as large as there is room for; ``least``: the first of
        ``sizes`` that is meant."""
        looks, texts = self.sizes[max(least, 0 if self.room.is_large else 1):], [found.text for found in sums]
        return next((look for look in looks if all(self.fits(text, look[1]) for text in texts)), self.sizes[-1])

    def _lines(self, text: str, letter: float = LETTER) -> list[str]:
        """``text`` in a line, or in two where the width needs them; [] where it has no room. ``letter``: rem of a character."""
        words = text.split(" ")
        broken = [[text], *([" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words)))]
        fitting = [lines for lines in broken if max(self.width_of(line, letter) for line in lines) <= self.room.width]
        return min(fitting, key=lambda lines: (len(lines), max(map(len, lines))), default=[])

    # ---- what both sides come to ----

    def totals(self, sums: Mapping[tuple[Side, int], Sum], scored: Mapping[int, ColumnScore]) -> list[Label]:
        """What both sides of each column come to."""
        mine_open = {at: found for (who, at), found in sums.items() if who == "mine" and at not in scored}
        if self.is_placing and not self.room.is_beside:
            mine_open = self._as_now(mine_open)
        own_look = self._look(mine_open.values(), least=1)  # no larger than the other's: what is compared is alike
        line_size = self._line_size([found for (who, _), found in sums.items() if who == "theirs" and found.is_open])
        labels: list[Label] = []
        for (who, at), found in sums.items():
            seat = self.low if who == "mine" else 1 - self.low
            spoken = self.say("total", name=self.sight.words.seat(seat), column=at + 1, total=found.speech, limit=self.limit)
            if who == "mine":
                look = own_look if found.is_open else self._look([self._without_remark(found)])
                labels += self._stacked(who, at, mine_open.get(at, found), look, spoken)
            elif self.room.is_large:
                look = self._look([self._without_remark(found)], least=1 if found.is_open else 0)
                labels += self._stacked(who, at, found, look, spoken)
            else:
                labels.append(self._in_a_line(at, found, spoken, line_size))
        return labels

    def _as_now(self, sums: dict[int, Sum]) -> dict[int, Sum]:
        """``sums`` as what they are "now", all alike, where that has room."""
        for totals in ([found.text for found in sums.values()], [found.short for found in sums.values()]):
            told = [self.say("now", total=total) for total in totals]
            if all(self.fits(words, self.sizes[-1][1]) for words in told):
                return {at: found._replace(text=words) for (at, found), words in zip(sums.items(), told, strict=True)}
        return sums

    def _text(self, found: Sum, letter: float) -> str:
        """``found`` in a line, or in two beside large cards, where the width needs them."""
        lines = self._lines(found.text, letter) if self.room.is_large else [found.text] * self.fits(found.text, letter)
        return "\n".join(lines) or found.short

    def _without_remark(self, found: Sum) -> Sum:
        """``found`` as it is shown where "(bust)" has a line of its own, as on a large stage, so that the sum is large."""
        return found if found.is_open or not self.room.is_large else found._replace(text=found.short)

    def _stacked(self, who: Side, at: int, found: Sum, look: tuple[str, float], spoken: str) -> list[Label]:
        """A total; above it, where there is room, of what it is made, and whose it is."""
        x, shown, kind = self.room.xs[at], self._text(self._without_remark(found), look[1]), look[0]
        is_told = not found.is_open or (who == "mine" and (self.room.is_beside or not self.is_placing))
        remark = found.needs if found.is_open else found.text.removeprefix(shown).strip()  # "(bust)" in a line of its own
        down, labels = SMALL_LINE * self.rem, list[Label]()
        terms = self._terms(who, at, found, kind)
        *before, shown = shown.split("\n")
        y = self.room.mine[at] if who == "mine" else self.room.theirs + (len(terms) - 1 + len(before)) * down
        if found.is_open and remark and self.width_of(remark, LETTER) > self.room.width:
            remark = found.brief_needs
        if is_told and remark and self.width_of(remark, LETTER) <= self.room.width:
            below = BELOW[kind] - (CLOSER if found.is_open else 0)
            labels = [Label(f"remark-{who}{at}", x, y + below * self.rem, remark, "take" if found.is_open else "plain")]
            y -= 0.5 * down
        labels += [Label(f"first-{who}{at}", x, y - down, line, kind) for line in before]
        labels.append(Label(f"{who}{at}", x, y, shown, kind, speech=spoken))
        is_crowded = who == "mine" and self.is_placing and self.sight.layout.narrow  # what a card would bring stands there
        if self.room.is_large and not is_crowded:
            above = y - ABOVE[kind] * self.rem - down * len(before)
            if len(terms) > 1:  # one below the other, as one adds up on paper
                labels += [Label(f"made-{who}{at}.{n}", x + TERMS_END * self.rem, above - down * (len(terms) - 1 - n), term,
                                 "take" if term.startswith(MINUS) else "add", anchor="end") for n, term in enumerate(terms)]
                above -= down * len(terms)
            elif found.terms and self.width_of(found.terms, LETTER) <= self.room.width:
                labels.append(Label(f"made-{who}{at}", x, above, found.terms))
                above -= down
            name = self._name(who)
            if self._has_name(who, at, kind) and self.fits(name, self.sizes[-1][1]):
                labels.append(Label(f"name-{who}{at}", x, above, name, "title"))
        return labels

    def _has_name(self, who: Side, at: int, kind: str) -> bool:
        """Whether there is room over a total, and over as many numbers as there may be, for whose it is: in all columns alike."""
        down = SMALL_LINE * self.rem
        highest = (MOST_TERMS - 1) * down if who == "theirs" else 0.0
        first = (self.room.mine[at] if who == "mine" else self.room.theirs) + highest - ABOVE[kind] * self.rem - MOST_TERMS * down
        return first >= (self.room.middle if who == "mine" else self.room.top) + 0.5 * down

    def _name(self, who: Side) -> str:
        return self.sight.words.seat(self.low if who == "mine" else 1 - self.low)

    def _terms(self, who: Side, at: int, found: Sum, kind: str) -> list[str]:
        """What ``found`` adds up, each number by itself with its sign, where there is room for them one below the other, over the
        total; else as one."""
        terms = re.split(rf" (?=[{PLUS}{MINUS}] )", found.terms)
        down, high = SMALL_LINE * self.rem, ABOVE[kind] * self.rem
        if who == "mine":
            room = self.room.mine[at] - self.room.middle - high
            return terms if self.room.is_large and room >= down * len(terms) else [found.terms]
        room = self.room.middle - self.room.theirs
        return terms if self.room.is_large and room >= down * len(terms) else [found.terms]

    def _line_size(self, sums: Sequence[Sum]) -> tuple[str, float]:
        """In which letters ``sums`` of the other are written in a line, all alike: with its name where there is room, or where
        two numbers need that."""
        return next((size for size in (self.sizes[-1], self.small)
                     if all(any(self.fits(line, size[1]) for line in self._in_lines(found)[:1 + (found.text != found.short)])
                            for found in sums)), self.sizes[-1])

    def _in_lines(self, found: Sum) -> list[str]:
        """What the other has in a line: with its name, without it, and with a stroke in place of a word."""
        return [self.say("theirs", name=self.other_name, total=found.text), found.text, found.short]

    def _in_a_line(self, at: int, found: Sum, spoken: str, size: tuple[str, float]) -> Label:
        """What the other has, in letters of ``size`` where that is still open; whether it is bust counts for more than whose it
        is."""
        look, letter = size if found.is_open else self.sizes[-1]
        line = next((line for line in self._in_lines(found) if self.fits(line, letter)), found.short)
        if self.room.is_beside and look == self.sizes[-1][0] and self.fits(line, self.sizes[-2][1]):
            look = self.sizes[-2][0]
        return Label(f"theirs{at}", self.room.xs[at], self.room.theirs, line, look, speech=spoken)

    # ---- who won ----

    def winners(self, scored: Mapping[int, ColumnScore], said: Mapping[Key, Label]) -> list[Label]:
        """Who won a column, where it was to be called; below it that the caller lost, where both totals do not tell (TE-2).
        ``said``: other labels at the columns, by key."""
        labels = []
        because_look, because_letter = self.small if self.is_enlarged else PLAIN
        high = self.rem * (ENLARGED_LINE if self.is_enlarged else 1)
        for at, score in scored.items():
            text = self.say("won", seat=score.winner)
            names = self._lines(text, self.sizes[-1][1]) or [text]
            look = "head" if self.width_of(text, self.sizes[-2][1]) <= self.room.width else "title"
            lost = self.say("caller_loses") if score.is_lost_by_caller else ""
            because = self._lines(lost, because_letter) if lost else []
            most = len(RAISED) - 1
            x, y = self.room.xs[at], self.room.calls
            if self.room.is_large:
                most = int((self.room.bottom - y) / self.rem)
            else:
                above = max(said[key].y for key in (f"mine{at}", f"remark-mine{at}") if key in said)
                most = max(n for n in range(1, len(RAISED)) if n == 1 or y - RAISED[n] * self.rem >= above + APART * high)
            because = because if len(names) + len(because) <= most else []
            y -= 0 if self.room.is_large else RAISED[len(names) + len(because)] * self.rem
            for n, line in enumerate((*names, *because)):
                key, is_name = f"won{at}" if n == 0 else f"won{at}.{n}", n < len(names)
                spoken = self.say("won_spoken", column=at + 1, won=text) if n == 0 else lost if n == len(names) else ""
                labels.append(Label(key, x, y, line, look if is_name else because_look, speech=spoken))
                y += (BELOW_WINNER if is_name else LOW_LINE) * high
        return labels
