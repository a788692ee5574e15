"""Where pieces lie: hands that fan, rows, heaps and the seats around the table. Plain geometry in px of the stage.

Boards call these with the space they have. Nothing here knows what a piece shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from tabletin.board.scene import Drawing, Heap, Layout, Plate, Point, Rect, Sight, card_key
from tabletin.bots.characters import habit_of, stock_names
from tabletin.kernel.faces import Card

LEAST_SHOWN: Final = 24.0  # px of a card that stays to be seen and hit in a fan
GAP: Final = 8.0
PLATE_HEIGHT: Final = 3.25  # rem
WIDE_PLATE: Final = 7.0  # rem: the score stands beside the name, if all names are short enough
NAME_LETTER: Final = 0.52  # rem that one letter of a name takes
SCORE_DIGIT: Final = 0.95  # … and one of a score beside it
PLATE_EDGES: Final = 1.4  # … and what lies around and between
USUAL_DIGITS: Final = 3  # that a plate has room for from the beginning, so that it does not change as a score grows
PORTRAIT: Final = 2.3  # … and a bot's face
LARGE_TELLING: Final = 9.0  # rem: … and where there is room to say beside a large score that few points win
ENLARGED: Final = 17.0  # rem of width below which text is very large for its screen, as in web/styles/table/enlarged.css
ENLARGED_PLATE: Final = 58.0  # px there
USUAL_LETTERS: Final = 6  # of the longest name whose size the others share
SLIM: Final = 6.6  # rem: a plate that counts cards and is narrower has three lines, if its name takes no more than one of them …
SLIM_HIGH: Final = 3.2  # … and it is so high
SLIM_LETTERS: Final = 7
NOTE_LETTER: Final = 0.41  # … rem that a letter of its note takes where it can be read …
NOTE_EDGES: Final = 0.75  # … and what lies around it …
NOTE_DIGIT: Final = 0.72  # … and a digit of the score that stands in one line with it
BESIDE: Final = 7.5  # rem: one of a column on a phone held sideways has its score beside the name, and the count below
COUNT_PLACE: Final = 0.75  # of a plate's width: about where it tells how many cards its seat has
SMALL_PLATE: Final = 2.875  # rem: two lines, where there are many
LEAST_PLATE: Final = 2.5  # rem: … and where they stand in a column …
MOST_PLATE: Final = 4.5  # … where they are higher as far as there is room
COLUMNS: Final = ((1, 8.5), (2, 11.5))  # on a phone held sideways: plates side by side, and rem that they take


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one piece lies: centre, degrees, order."""

    x: float
    y: float
    turn: float = 0.0
    z: int = 0


def row(count: int, rect: Rect, width: float, gap: float = GAP) -> list[Placement]:
    """``count`` pieces ``width`` wide side by side in the middle of ``rect``, overlapping where space is short."""
    if not count:
        return []
    step = min(width + gap, (rect.width - width) / max(count - 1, 1))
    left = rect.x + (rect.width - width - step * (count - 1)) / 2 + width / 2
    return [Placement(left + step * index, rect.centre[1], 0.0, index) for index in range(count)]


def column(count: int, rect: Rect, height: float, gap: float = GAP) -> list[Placement]:
    """``count`` pieces ``height`` high one below the other in the middle of ``rect``, overlapping where space is short."""
    lying = Rect(rect.y, rect.x, rect.height, rect.width)
    return [Placement(lie.y, lie.x, 0.0, lie.z) for lie in row(count, lying, height, gap)]


def fan(count: int, rect: Rect, width: float, height: float, *, bend: float = 0.0, lines: int = 1) -> list[Placement]:
    """A hand in ``rect``: side by side where there is space, then overlapping, then in rows.

    Every card keeps ``LEAST_SHOWN`` px to be seen. ``bend``: degrees between the outermost cards of a row. ``lines``: rows at
    least, as far as there are cards for them.
    """
    if not count:
        return []
    fits = max(1, int((rect.width - width) / LEAST_SHOWN) + 1)
    rows = min(count, max(lines, -(-count // fits)))
    per_row = -(-count // rows)
    drop = min(height + GAP, (rect.height - height) / max(rows - 1, 1)) if rows > 1 else 0.0
    top = rect.y + (rect.height - height - drop * (rows - 1)) / 2 + height / 2
    lies: list[Placement] = []
    for line in range(rows):
        here = min(per_row, count - line * per_row)
        step = min(width + GAP, (rect.width - width) / max(here - 1, 1))
        left = rect.x + (rect.width - width - step * (here - 1)) / 2 + width / 2
        for index in range(here):
            lean = (index / (here - 1) - 0.5) * bend if here > 1 else 0.0
            sag = abs(lean) * width / 90
            lies.append(Placement(left + step * index, top + drop * line + sag, lean, len(lies)))
    return lies


def rows(counts: Sequence[int], rect: Rect, width: float, height: float, *, between: float = 18.0) -> list[list[Placement]]:
    """Groups of a hand side by side, each overlapping within itself as far as needed; wraps into more rows.

    Returns one list of lies a group. Overlap is the same for all, at least ``LEAST_SHOWN`` px of a card.
    """
    def needed(step: float) -> tuple[list[tuple[int, float]], int]:
        places: list[tuple[int, float]] = []
        line, x = 0, 0.0
        for count in counts:
            size = width + step * (count - 1)
            if x and x + size > rect.width:
                line, x = line + 1, 0.0
            places.append((line, x))
            x += size + between
        return places, line + 1

    filled = [count for count in counts if count]
    if not filled:
        return [[] for _ in counts]
    steps = [width + GAP, *(width * share / 10 for share in range(9, 2, -1)), LEAST_SHOWN]
    for step in steps:
        places, lines = needed(max(step, LEAST_SHOWN))
        drop = min(height + GAP, (rect.height - height) / max(lines - 1, 1)) if lines > 1 else 0.0
        if lines == 1 or drop >= height * 0.5:
            break
    step = max(step, LEAST_SHOWN)
    top = rect.y + (rect.height - height - drop * (lines - 1)) / 2 + height / 2
    ends = [0.0] * lines
    for (line, x), count in zip(places, counts, strict=True):
        ends[line] = max(ends[line], x + width + step * (count - 1))
    found: list[list[Placement]] = []
    z = 0
    for (line, x), count in zip(places, counts, strict=True):
        left = rect.x + (rect.width - ends[line]) / 2 + x + width / 2
        found.append([Placement(left + step * index, top + drop * line, 0.0, z + index) for index in range(count)])
        z += count
    return found


def heap(count: int, at: Point, lift: float = 1.2, most: int = 4) -> list[Placement]:
    """The topmost ``most`` of a pile at ``at``, lowest first, each a little higher."""
    shown = min(count, most)
    return [Placement(at[0] - lift * 0.5 * index, at[1] - lift * index, 0.0, index) for index in range(shown)]


def resting(cards: Sequence[Card], at: Point, width: float, back: Drawing, *, plane: bool = False) -> Heap:
    """``cards`` lie face down at ``at`` without being drawn: they come from there, and vanish there showing ``back``."""
    return Heap(at, width, frozenset(card_key(card) for card in cards), back, plane)


def seat_rects(count: int, layout_width: float, rem: float, *, top: float = 0.0) -> tuple[list[Rect], float]:
    """Where ``count`` seats stand along the top: one row where they fit, else two or more; and the height they
    take.
    """
    least = (4.8 if count <= 4 else 5.4) * rem
    height = (PLATE_HEIGHT if count <= 4 else SMALL_PLATE) * rem
    if layout_width < ENLARGED * rem:
        height = min(height, ENLARGED_PLATE)
    per_row = max(1, min(count, int((layout_width - GAP) / (least + GAP))))
    lines = -(-count // per_row)
    per_row = -(-count // lines)
    most = 13 * rem
    width = min(most, (layout_width - GAP * (per_row + 1)) / per_row)
    rects: list[Rect] = []
    for index in range(count):
        line, place = divmod(index, per_row)
        here = min(per_row, count - line * per_row)
        left = (layout_width - here * width - (here - 1) * GAP) / 2
        rects.append(Rect(left + place * (width + GAP), top + GAP / 2 + line * (height + GAP / 2), width, height))
    return rects, GAP + lines * (height + GAP / 2)


class Seating(NamedTuple):
    """Where the seats stand, and what room they leave."""

    seats: list[Rect]
    rest: Rect


def seating(count: int, room: Rect, layout: Layout, *, small: float = 1.0) -> Seating:
    """Where ``count`` seats stand in ``room``: along its top; in a column at its right on a phone held sideways.

    ``small``: how much smaller than usual plates may be where there are many."""
    if layout.low:
        return column_seating(count, room, layout.rem, COLUMNS)
    rects, height = seat_rects(count, room.width, layout.rem * small)
    return Seating([Rect(room.x + x, room.y + y, width, tall) for x, y, width, tall in rects], room.top(height)[1])


def column_seating(count: int, room: Rect, rem: float, columns: Sequence[tuple[int, float]]) -> Seating:
    """``count`` seats in a column at the right of ``room``: in the first of ``columns`` (plates side by side, and rem that they
    take) in which they are high enough."""
    gap = GAP / 2
    for per_row, wide in columns:
        lines = -(-count // per_row)
        column, rest = room.end(wide * rem)
        tall = min(MOST_PLATE * rem, (column.height - gap) / lines - gap)
        if tall >= LEAST_PLATE * rem:
            break
    width = (column.width - gap) / per_row - gap
    return Seating([Rect(column.x + at % per_row * (width + gap), column.y + gap + at // per_row * (tall + gap), width, tall)
                    for at in range(count)], rest)


def plates(sight: Sight, rects: Sequence[Rect], *, scores: Sequence[str] = (), counts: Sequence[int | None] = (),
           notes: Sequence[str] = (), won: Collection[int] | None = None,
           mover: int | None = None, is_checking: bool = False) -> tuple[Plate, ...]:
    """The seats of ``sight`` in ``rects``; the texts are by seat, and may be left out.

    ``won``: a round is over, and these seats won it. They are marked then, and not everybody who only has to say that it goes on.
    ``mover``: whose turn it is, of several that may act: where the seat may act, it alone is marked. Before that it is the seat
    whose act is told. ``is_checking``: what ended the match is still looked at, so nobody is marked as its winner.
    """
    setup = sight.words.setup
    acting = () if won is not None else (mover,) if mover in sight.acting else sight.acting
    lit = acting if won is not None or sight.shown_mover is None else (sight.shown_mover,)
    outcome = None if sight.landing or is_checking else sight.view.rules.result(sight.view.state)
    winners = outcome.winners if outcome is not None else won or ()
    known = stock_names(sight.catalogue)
    longest = max((NAME_LETTER * len(sight.words.seat(seat)) + PORTRAIT * player.is_bot
                   for seat, player in enumerate(setup.seats)), default=0.0)
    wide = max(WIDE_PLATE, longest + SCORE_DIGIT * max(USUAL_DIGITS, *map(len, scores), 0) + PLATE_EDGES)
    letters = min(USUAL_LETTERS, max(len(sight.words.seat(seat)) for seat in range(len(setup.seats))))
    own = sight.seat or 0  # the one that tells that few points win
    low = sight.say("table.low_wins") if scores and scores[own] and sight.view.rules.low_wins else ""
    said_there = bool(notes and notes[own]) or own in sight.notes  # instead of that
    is_starred = own in winners  # by a star where these words would stand, so arrows say it
    is_narrow = False
    if rects:
        digits = 0.0 if _is_slim(sight, rects[own], own, counts) else USUAL_DIGITS * NOTE_DIGIT
        is_narrow = rects[own].width < (len(low) * NOTE_LETTER + NOTE_EDGES + digits) * sight.layout.rem
    made: list[Plate] = []
    for seat, rect in enumerate(rects):
        name = sight.words.seat(seat)
        score = scores[seat] if scores else ""
        left = seat in sight.view.state.absentees
        count = counts[seat] if counts and not left else None
        note = sight.say("table.left") if left else (notes[seat] if notes else "") or sight.notes.get(seat, "")
        large = rect.width >= wide * sight.layout.rem
        tells = bool(low) and seat == own and not (is_narrow or note)  # that few points win: it is said once
        if tells and rect.width < LARGE_TELLING * sight.layout.rem:
            large = False  # beside a large score it would be tiny
        if tells and not is_starred:
            note = low
        slim = _is_slim(sight, rect, seat, counts)
        is_low = low and score and (is_narrow or is_starred or (slim and said_there))
        beside = sight.layout.low and not (large or slim) and rect.width >= BESIDE * sight.layout.rem
        marks = {"left": left, "low": is_low, "won": seat in winners, "slim": slim, "beside": beside}
        flags = tuple(flag for flag, holds in marks.items() if holds)
        win = [sight.say("table.low_wins_spoken")] if low and not made else []  # said once, with the first seat
        spoken = [name, *([sight.say("table.score", n=int(score) if score.isdigit() else score)] if score else []),
                  *([sight.words.count(count)] if count is not None else []), *win, *([note] if note not in ("", low) else []),
                  *([sight.say("table.to_play")] if seat in acting else []),
                  *([sight.say("table.winner")] if seat in winners else [])]
        habit = habit_of(setup, seat)
        trait = sight.catalogue.text(f"newmatch.habits.{habit}", name=name) if habit else ""
        made.append(Plate(f"seat{seat}", seat, rect, name, score, note, seat in lit, seat == sight.seat,
                          sight.thinking == seat, setup.seats[seat].colour, count, flags, label=", ".join(spoken), large=large,
                          character=known.get(name, 0) if setup.seats[seat].is_bot else 0, trait=trait, letters=letters))
    return tuple(made)


def _is_slim(sight: Sight, rect: Rect, seat: int, counts: Sequence[int | None]) -> bool:
    """Whether a plate has three lines: face and name, score and the count of cards, and what is noted."""
    rem = sight.layout.rem
    is_short = len(sight.words.seat(seat)) <= SLIM_LETTERS
    return bool(counts) and rect.width < SLIM * rem and rect.height >= SLIM_HIGH * rem and is_short


def count_point(plate: Rect) -> Point:
    """Where a hand rests that is only counted on ``plate``: cards come and go there, and cover no name."""
    return plate.x + plate.width * COUNT_PLACE, plate.centre[1]


def turned_order(seats: int, first: int | None) -> list[int]:
    """The seats in order of play, the reader's own last, so that it sits at the bottom; as they are with none."""
    return list(range(seats)) if first is None else [(first + 1 + index) % seats for index in range(seats)]


def gaps(lies: Sequence[Placement]) -> list[float]:
    """How much of each card but the last is seen, px."""
    return [after.x - before.x for before, after in pairwise(lies) if after.y == before.y]
