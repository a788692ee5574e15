"""What is said at the columns of Teeth: what both sides come to and of what, the card still to be counted, who won and why.

It gets the room that each column has for words, and puts labels there. It finds no sums and sees no faces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from tabletin.board.scene import Key, Label, Sight
from tabletin.games.teeth.board_sums import MINUS, PLUS, UNKNOWN, Sum
from tabletin.games.teeth.state import ColumnScore

Side: TypeAlias = Literal["mine", "theirs"]

SIZES: Final = (("big", 1.15), ("total", 0.68), ("title", 0.5))  # looks of a total, and rem that one of its characters takes
SMALL: Final = ("small", 0.42)  # … of one that would not be named otherwise
LETTER: Final = 0.47  # rem: about as wide as a letter of what is said in small is
SMALL_LINE: Final = 1.2  # … and as high as a line of it
MANY_WORDS: Final = 5.3  # rem of width from which it is said in words which card is still to be counted
ABOVE: Final = {"big": 1.5, "total": 1.15, "title": 1.1}  # rem from a total up to what stands above it
BELOW: Final = {"big": 0.95, "total": 0.6, "title": 0.6}  # … and from the middle of both lines down to what stands below it
RAISED: Final = (0.0, 0.0, 0.6, 0.83)  # rem that the first of so many lines stands above the middle of their place
TERMS_END: Final = 1.1  # rem from the middle to the right, where the numbers of a sum end that stand one below the other
APART: Final = 0.85  # … at least, from the line above them
BELOW_WINNER: Final = 1.05  # … from the winner's name to the line below it …
LOW_LINE: Final = 0.97  # … and from another line to the next
LARGEST_REM: Final = 0.065  # of the stage's width: words grow no further, as web/styles/table/enlarged.css has it


class LabelRoom(NamedTuple):
    """Where words may stand, px. ``xs``: their middle, by column; ``width``: what they have there. ``theirs``, ``calls``: how far
    down the other's totals are, and where a column is called; ``mine``: one's own totals, by column. ``top``, ``bottom``: between
    them words of one's own side may stand. ``is_beside``: they stand beside the cards; ``is_large``: on a large stage, with room
    for more than a line. ``middle``: how far down the middle cards are, beside which it stands what a drawn card brings."""

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


class LineForm(NamedTuple):
    """How a total is written in a line. ``size``: its look, and rem of a character; ``has_name``: whose it is stands before it;
    ``is_short``: with a stroke in place of a word."""

    size: tuple[str, float]
    has_name: bool
    is_short: bool


class ColumnLabels:
    """The words at all columns of one scene, for the reader at the seat ``low``. ``limit``: above it a side is bust.
    ``is_placing``: a drawn card is to be placed, so that above a total stands what it would become."""

    def __init__(self, sight: Sight, low: int, limit: int, room: LabelRoom, *, is_placing: bool) -> None:
        self.sight, self.low, self.limit, self.room, self.is_placing = sight, low, limit, room, is_placing
        self.rem = min(sight.layout.rem, LARGEST_REM * sight.layout.width)
        self.other_name = sight.words.seat(1 - low)

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth.board.{key}", **params)

    # ---- how much room words need ----

    def width_of(self, text: str, letter: float) -> float:
        """Px that ``text`` takes, about, where a character takes ``letter`` rem."""
        return len(text) * letter * self.rem

    def fits(self, found: Sum, look: str, letter: float) -> bool:
        """Whether a total has room in ``look``, with the sign of the card that is still to be counted."""
        return self.width_of(self._with_closed_card(found.text, found.sign), letter) <= self.room.width

    def _look(self, sums: Sequence[Sum], least: int = 0) -> tuple[str, float]:
        """How large totals are, all alike, and how wide a character is: as large as there is room for; ``least``: the first of
        ``SIZES`` that is meant."""
        looks = SIZES[max(least, 0 if self.room.is_large else 1):]
        return next((look for look in looks if all(self.fits(found, *look) for found in sums)), SIZES[-1])

    def _lines(self, text: str) -> list[str]:
        """``text`` in a line, or in two where the width needs them; [] where it has no room."""
        words = text.split(" ")
        broken = [[text], *([" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words)))]
        fitting = [lines for lines in broken if max(self.width_of(line, LETTER) for line in lines) <= self.room.width]
        return min(fitting, key=lambda lines: (len(lines), max(map(len, lines))), default=[])

    def _closed_card(self, sign: str) -> list[str]:
        """In words, in lines, which card is still to be counted; [] where there is no room for them."""
        if not self.room.is_beside or self.room.width < MANY_WORDS * self.rem:
            return []
        lines = self._lines(self.say("less_card" if sign == MINUS else "plus_card", name=self.other_name))
        high = self.room.mine[0] - self.room.top
        return lines if high >= (len(lines) * SMALL_LINE + 1) * self.rem else []

    def _with_closed_card(self, total: str, sign: str) -> str:
        """``total`` as it stands in one line: the closed card is the one marked "?", where no words below tell of it."""
        return f"{total} {sign} {UNKNOWN}" if sign and not self._closed_card(sign) else total

    # ---- what both sides come to ----

    def totals(self, sums: Mapping[tuple[Side, int], Sum], scored: Mapping[int, ColumnScore]) -> list[Label]:
        """What both sides of each column come to."""
        mine_open = [found for (who, at), found in sums.items() if who == "mine" and at not in scored]
        own_look = self._look(mine_open)
        form = self._line_form([found for (who, _), found in sums.items() if who == "theirs" and found.sign])
        labels: list[Label] = []
        for (who, at), found in sums.items():
            seat = self.low if who == "mine" else 1 - self.low
            spoken = self.say("total", name=self.sight.words.seat(seat), column=at + 1, total=found.speech, limit=self.limit)
            if who == "mine":
                look = own_look if found.sign else self._look([self._without_remark(found)])
                labels += self._stacked(who, at, found, look, spoken)
            elif self.room.is_large:
                look = self._look([self._without_remark(found)], least=1 if found.sign else 0)  # what is compared is alike
                labels += self._stacked(who, at, found, look, spoken)
            else:
                labels.append(self._in_a_line(at, found, spoken, form))
        return labels

    def _text(self, found: Sum, look: tuple[str, float] = SIZES[-1]) -> str:
        return found.text if self.fits(found, *look) else found.short

    def _without_remark(self, found: Sum) -> Sum:
        """``found`` as it is shown where "(bust)" has a line of its own, as on a large stage, so that the sum is large."""
        return found if found.sign or not self.room.is_large else found._replace(text=found.short)

    def _stacked(self, who: Side, at: int, found: Sum, look: tuple[str, float], spoken: str) -> list[Label]:
        """A total; above it, where there is room, of what it is made, and whose it is on the other's side; below it the closed
        card in words, or else behind it the sign of that card."""
        x, text, kind = self.room.xs[at], self._text(self._without_remark(found), SIZES[-1] if found.sign else look), look[0]
        remark = "" if found.sign else found.text.removeprefix(text).strip()  # "(bust)" where it has no room in the same line
        lines = self._closed_card(found.sign) if found.sign else []
        down, labels = SMALL_LINE * self.rem, list[Label]()
        terms = self._terms(who, at, found, lines, kind)
        y = self.room.mine[at] if who == "mine" else self.room.theirs + (len(terms) - 1) * down
        if remark and self.width_of(remark, LETTER) <= self.room.width:
            labels = [Label(f"remark-{who}{at}", x, y + BELOW[kind] * self.rem, remark)]
            y -= 0.5 * down
        if lines:
            y += self.rem * 0.4 - down * len(lines) if who == "mine" else 0.0
        total_y = y - (0.5 * down if lines and kind == "big" else 0)
        labels += [Label(f"less{at}.{who}.{n}", x, y + down * (n + 1), line) for n, line in enumerate(lines)]
        shown = self._with_closed_card(text, found.sign)
        if self.is_placing and found.sign and not self.room.is_beside:
            now = [(self.say("now", total=self._with_closed_card(total, found.sign)), *size)
                   for size in (look, SIZES[-1]) for total in (text, found.short)]
            shown, kind = next(((words, size) for words, size, letter in now if self.width_of(words, letter) <= self.room.width),
                               (shown, kind))
        labels.append(Label(f"{who}{at}", x, total_y, shown, kind, speech=spoken))
        if self.room.is_large:
            above = total_y - ABOVE[kind] * self.rem
            if len(terms) > 1:  # one below the other, as one adds up on paper
                labels += [Label(f"made-{who}{at}.{n}", x + TERMS_END * self.rem, above - down * (len(terms) - 1 - n), term,
                                 "take" if term.startswith(MINUS) else "add", anchor="end") for n, term in enumerate(terms)]
                above -= down * len(terms)
            elif found.terms and self.width_of(found.terms, LETTER) <= self.room.width:
                labels.append(Label(f"made-{who}{at}", x, above, found.terms))
                above -= down
            if who == "theirs" and self.width_of(self.other_name, SIZES[-1][1]) <= self.room.width:
                labels.append(Label(f"name{at}", x, above, self.other_name, "title"))
        return labels

    def _terms(self, who: Side, at: int, found: Sum, below: Sequence[str], kind: str) -> list[str]:
        """What ``found`` adds up, each number by itself with its sign, where there is room for them one below the other, over the
        total with the lines ``below``; else as one."""
        terms = re.split(rf" (?=[{PLUS}{MINUS}] )", found.terms)
        down, high = SMALL_LINE * self.rem, ABOVE[kind] * self.rem
        if who == "mine":
            room = self.room.mine[at] - self.room.middle - high - down * len(below)
            return terms if self.room.is_large and room >= down * len(terms) else [found.terms]
        room = self.room.middle - self.room.theirs
        return terms if self.room.is_large and room >= down * (len(terms) + len(below)) else [found.terms]

    def _line_form(self, sums: Sequence[Sum]) -> LineForm:
        """How ``sums`` of the other are written in a line: with its name where there is room, all in letters of one size."""
        title = SIZES[-1]
        forms = (LineForm(title, has_name=True, is_short=False), LineForm(title, has_name=True, is_short=True),
                 LineForm(SMALL, has_name=True, is_short=True), LineForm(title, has_name=False, is_short=False),
                 LineForm(title, has_name=False, is_short=True))
        return next((form for form in forms
                     if all(self.fits(found._replace(text=self._line(found, form)), *form.size) for found in sums)), forms[-1])

    def _line(self, found: Sum, form: LineForm) -> str:
        total = found.short if form.is_short else found.text
        return self.say("theirs", name=self.other_name, total=total) if form.has_name else total

    def _in_a_line(self, at: int, found: Sum, spoken: str, form: LineForm) -> Label:
        """What the other has, as ``form`` writes it where that is still open."""
        title = SIZES[-1]
        if not found.sign:  # whether it is bust counts for more than whose it is
            form = LineForm(title, self.fits(found._replace(text=self._line(found, LineForm(title, True, False))), *title),
                            not self.fits(found, *title))
        line, look = self._line(found, form), form.size[0]
        if self.room.is_beside and form.size == title and self.fits(found._replace(text=line), *SIZES[-2]):
            look = SIZES[-2][0]
        shown = self._with_closed_card(line, found.sign)
        return Label(f"theirs{at}", self.room.xs[at], self.room.theirs, shown, look, speech=spoken)

    # ---- who won ----

    def winners(self, scored: Mapping[int, ColumnScore], said: Mapping[Key, Label]) -> list[Label]:
        """Who won a column, where it was to be called; below it that the caller lost, where both totals do not tell (TE-2).
        ``said``: other labels at the columns, by key."""
        labels = []
        for at, score in scored.items():
            text = self.say("won", seat=score.winner)
            names = [text] if self.width_of(text, SIZES[-1][1]) <= self.room.width else self._lines(text)
            look = "head" if self.width_of(text, SIZES[-2][1]) <= self.room.width else "title"
            lost = self.say("caller_loses") if score.is_lost_by_caller else ""
            because = self._lines(lost) if lost else []
            most = len(RAISED) - 1
            x, y = self.room.xs[at], self.room.calls
            if self.room.is_large:
                most = int((self.room.bottom - y) / self.rem)
            else:
                above = max(said[key].y for key in (f"mine{at}", f"remark-mine{at}") if key in said)
                most = max(n for n in range(1, len(RAISED)) if n == 1 or y - RAISED[n] * self.rem >= above + APART * self.rem)
            because = because if len(names) + len(because) <= most else []
            y -= 0 if self.room.is_large else RAISED[len(names) + len(because)] * self.rem
            for n, line in enumerate((*names, *because)):
                key, is_name = f"won{at}" if n == 0 else f"won{at}.{n}", n < len(names)
                spoken = self.say("won_spoken", column=at + 1, won=text) if n == 0 else lost if n == len(names) else ""
                labels.append(Label(key, x, y, line, look if is_name else "plain", speech=spoken))
                y += (BELOW_WINNER if is_name else LOW_LINE) * self.rem
        return labels
