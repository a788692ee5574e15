"""A counted round of dominoes on the table: every hand opened in a row of its own, its dots, what it scored or lost.

It draws the round as the state recorded it. All hands lie open then; a face that is still closed is drawn as a back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, sqrt
from typing import Final, NamedTuple

from tabletin.board.scene import Drawing, Key, Label, Piece, Point, Rect, Sight, Zone, card_key
from tabletin.games.dominoes.state import DominoState
from tabletin.kernel.faces import Face

HIGHEST: Final = 72.0  # px: a seat's row on a phone, …
HIGHEST_WIDE: Final = 96.0  # … and elsewhere
LYING: Final = 400.0  # px of width up to which the longest hand lies on its sides
GAP: Final = 4.0
CLOSE: Final = 2.0  # … where there are many
LEAST: Final = 15.0  # px: how narrow a domino gets before it covers another one's dots
SMALL: Final = 20.0  # … and also a longer one, where it would be narrower than this on its feet
LONG: Final = 14  # dominoes, with more of which a hand …
LONG_SHARE: Final = 1.8  # … has so much more height, …
LONG_SHARE_NARROW: Final = 2.6  # … on a phone, …
MANY: Final = 6  # … where one with more than so many has …
MANY_SHARE: Final = 1.5  # … this: it lies under its name and all the way across where it is larger so
EMPTY_SHARE: Final = 0.8  # … and a hand from which all were laid, beside its words
HEAD: Final = 1.6  # rem of height for the name then …
HEAD_SHARE: Final = 0.5  # … and no more of the row
BESIDE_WORDS: Final = 120.0  # px that dominoes need beside the words, else all of them lie under the names, …
UNDER_WORDS: Final = 26.0  # … at least so high, px, …
ROOMY_UNDER: Final = 60.0  # … and no higher than this
WIDEST_REM: Final = 0.0675  # of the stage's width: words grow no further, as web/styles/table/enlarged.css has it
LOWEST: Final = 34.0  # px: the lowest row, …
LOWEST_REM: Final = 2.2  # … with large text so many rem
HEIGHTS: Final = 5  # of rows that are tried
EASY: Final = 0.72  # of the highest row: hands in such a one are read as well as in it
READABLE: Final = 22.0  # px of width with which dominoes are read with ease
MOST_LINES: Final = 4
COLUMNS: Final = (1, 2, 3)  # in which rows may stand below the table, where there is width for them
EDGE: Final = 8.0
WIDEST: Final = 720.0  # px of width of a row
PADDING: Final = 4.0  # px around all rows
SIDE: Final = 5.6  # rem for a name, …
WORDS: Final = 2.45  # … and times that for all words of a row
CALLED: Final = 10.0  # rem: what the seat that goes out calls
STEP: Final = 0.18  # seconds after which the next domino of the hands is turned up, …
COUNTED: Final = 2.8  # … for all of them at most, …
FLIGHT: Final = 0.3  # … until one that was turned up lies there, …
READ: Final = 0.8  # … and until what all of it comes to has been read


class Rows(NamedTuple):
    """What is drawn, and what is said about it in one line and another. ``won_at``: where each seat's points stand, and
    ``won_after``: the seconds until they leave for its plate; ``seconds``: in which hands are turned up, one domino after
    another; ``in_view``: the reader's own, which go first and together."""

    pieces: tuple[Piece, ...]
    zones: tuple[Zone, ...]
    labels: tuple[Label, ...]
    status: str
    note: str
    won_at: dict[int, Point]
    won_after: dict[int, float]
    seconds: float
    in_view: frozenset[Key]


class RowPlacement(NamedTuple):
    """Where the ``rows`` stand, the ``window`` left to the table, the ``ease`` with which rows so high, and the dominoes in them,
    are read, to 1, and in how many ``columns`` they stand."""

    rows: Rect
    window: Rect
    ease: float
    columns: int = 1


def out_call(game: str) -> str:
    """What the seat that goes out calls, as a key of the board's words (DO-8)."""
    return "call.out_tiddle" if game == "tiddle-a-wink" else "call.out"


def row_placements(sight: Sight, seats: Sequence[Rect], rest: Rect) -> Iterator[RowPlacement]:
    """Where rows and the table may stand in ``rest``, with the highest rows first: below it, in several columns where there is
    width for them, and under ``seats``, too, that stand beside it; beside it, and beside it under ``seats``."""
    most, least = highest_row(sight), lowest_row(sight)
    shares = sum(line_shares(row_shares(sight), 1))
    foot, right = max(seat.bottom for seat in seats) + EDGE, max(seat.right for seat in seats)
    is_beside = seats[0].x >= rest.right
    for step in range(HEIGHTS):
        row = most - (most - least) * step / (HEIGHTS - 1)
        height, wide = 2 * PADDING + shares * row, rows_width(sight, row) + 2 * PADDING

        def placed(rows: Rect, window: Rect, columns: int = 1, high: float = row / (EASY * most)) -> RowPlacement:
            broad = narrowest(sight, rows, columns) / READABLE
            return RowPlacement(rows, window, sqrt(min(1.0, high) * min(1.0, broad)), columns)

        for columns in COLUMNS:
            low = 2 * PADDING + sum(line_shares(row_shares(sight), columns)) * row
            below, window = rest.foot(min(rest.height, low))
            if is_beside and below.y >= foot:
                below = Rect(below.x, below.y, right - below.x, below.height)
            if columns == 1 or (columns <= len(seats) and columns * wide <= below.width):
                yield placed(below, window, columns)
        if height <= rest.height and wide <= rest.width:
            column, window = rest.end(wide)
            yield placed(Rect(column.x, column.centre[1] - height / 2, wide, height), window)
        if is_beside and height <= rest.bottom - foot and wide <= right - rest.x:
            window = Rect(rest.x, rest.y, min(rest.width, right - wide - rest.x), rest.height)
            yield placed(Rect(right - wide, foot, wide, height), window)


def highest_row(sight: Sight) -> float:
    """The most px of height of a row."""
    rem = word_rem(sight)
    if is_under_names(sight.layout.width, rem):
        return HEAD * rem + ROOMY_UNDER
    return HIGHEST if sight.layout.narrow or sight.layout.low else HIGHEST_WIDE


def lowest_row(sight: Sight) -> float:
    """The least that one has wherever there is room for it."""
    rem = word_rem(sight)
    return HEAD * rem + UNDER_WORDS if is_under_names(sight.layout.width, rem) else max(LOWEST, LOWEST_REM * rem)


def word_rem(sight: Sight) -> float:
    """How many px a rem of the words is."""
    return min(sight.layout.rem, sight.layout.width * WIDEST_REM)


def is_under_names(width: float, rem: float) -> bool:
    """Whether rows of ``width`` have no room for dominoes beside their words, as with large text on a phone."""
    return width - WORDS * SIDE * rem < BESIDE_WORDS


def row_shares(sight: Sight) -> list[float]:
    """How high the row of each seat is, by what others are."""
    narrow, hands = sight.layout.narrow, sight.view.state.hands
    if is_under_names(sight.layout.width, word_rem(sight)):
        return [LONG_SHARE_NARROW if len(hand) > LONG else 1.0 for hand in hands]
    long, many = (LONG_SHARE_NARROW, MANY_SHARE) if narrow else (LONG_SHARE, 1.0)
    return [long if len(hand) > LONG else many if len(hand) > MANY else 1.0 if hand else EMPTY_SHARE for hand in hands]


def line_shares(shares: Sequence[float], columns: int) -> list[float]:
    """How high each line is where rows with these ``shares`` stand in ``columns``, read down one, then the other."""
    deep = -(-len(shares) // columns)
    return [max(shares[line::deep]) for line in range(deep)]


def rows_width(sight: Sight, height: float) -> float:
    """How wide rows of ``height`` have to be for what lies in them, px."""
    longest, tall = max(len(hand) for hand in sight.view.state.hands), height - 7
    lying = longest * (2 * tall + GAP)
    tiles = lying if lying < LYING or tall / 2 < SMALL else longest * (tall / 2 + GAP)
    return min(WIDEST, 2.35 * SIDE * sight.layout.rem + max(CALLED * sight.layout.rem, tiles))


def rows_in(sight: Sight, rect: Rect, columns: int) -> list[Rect]:
    """The row of each seat within ``rect``."""
    rect, shares = rect.grow(-PADDING), line_shares(row_shares(sight), columns)
    rem = word_rem(sight)
    height = min(HEAD * rem + ROOMY_UNDER if is_under_names(rect.width, rem) else highest_row(sight), rect.height / sum(shares))
    apart = 2 * PADDING
    wide = min((rect.width - apart * (columns - 1)) / columns, WIDEST)
    left = rect.centre[0] - (columns * (wide + apart) - apart) / 2
    rows = []
    for seat in range(len(sight.view.state.hands)):
        column, line = divmod(seat, len(shares))
        rows.append(Rect(left + column * (wide + apart), rect.y + 1 + sum(shares[:line]) * height - line, wide,
                         shares[line] * height - 3))
    return rows


class HandRoom(NamedTuple):
    """Where a seat's words stand in its row, by their ``middle`` (down, px), and the ``room`` for its dominoes."""

    middle: float
    room: Rect


def hand_room(sight: Sight, row: Rect, count: int) -> HandRoom:
    """Where ``count`` dominoes lie in ``row``: beside the words; under them with large text, and on a phone where many are larger
    so."""
    rem = word_rem(sight)
    side = SIDE * rem
    head, across = row.top(min(HEAD * rem, HEAD_SHARE * row.height))
    beside = HandRoom(row.centre[1], Rect(row.x + side, row.y, row.width - WORDS * side, row.height))
    under = HandRoom(head.centre[1], across.grow(-PADDING))
    if is_under_names(row.width, rem):
        return under
    if not (sight.layout.narrow and count > MANY):
        return beside
    return max(beside, under, key=lambda one: hand_in_row(count, one.room)[1])


def narrowest(sight: Sight, rect: Rect, columns: int, most: float = READABLE) -> float:
    """How wide the narrowest domino is, px, where rows stand in ``columns`` within ``rect``; ``most`` where none lies."""
    hands = sight.view.state.hands
    return min((hand_in_row(len(hand), hand_room(sight, row, len(hand)).room)[1]
                for hand, row in zip(hands, rows_in(sight, rect, columns), strict=True) if hand), default=most)


def counted_rows(sight: Sight, rect: Rect, columns: int, drawing: Callable[[Face | None], Drawing]) -> Rows:
    """A row a seat within ``rect``, in ``columns`` of them."""
    state: DominoState = sight.view.state
    counted = state.last_count
    assert counted is not None
    more = _more_than_winner(state)
    side = SIDE * word_rem(sight)
    rows = rows_in(sight, rect, columns)
    most = max(READABLE, narrowest(sight, rect, columns, inf))  # so that hands are compared at a glance
    pieces: list[Piece] = []
    zones: list[Zone] = []
    labels: list[Label] = []
    won_at: dict[int, Point] = {}
    closed = [0 if seat == sight.seat else len(hand) for seat, hand in enumerate(state.hands)]  # that are turned up
    seconds = min(COUNTED, STEP * sum(closed))
    for seat, (hand, row) in enumerate(zip(state.hands, rows, strict=True)):
        counted_at = FLIGHT + seconds * sum(closed[:seat + 1]) / max(1, sum(closed))
        middle, room = hand_room(sight, row, len(hand))
        won, points, left = counted.winner == seat, counted.points[seat], seat in state.absentees
        key = "departed" if left else "won" if won else "lost" if points < 0 else "more" if seat in more else "left"
        spoken = sight.say(f"dominoes.board.row.{key}", seat=seat, n=counted.pips[seat], points=more.get(seat, points))
        zones.append(Zone(f"row{seat}", row, "mat", spoken, flags=("late", "legal") if won else ("late",)))
        labels.append(Label(f"name{seat}", row.x + 2 * EDGE, middle, sight.words.seat(seat), "title" if won else "plain",
                            anchor="start", delay=FLIGHT))
        if seat in more:  # what the winner scores for it, where its points would stand
            sum_ = f"{counted.pips[seat]} − {counted.pips[seat] - more[seat]} = {more[seat]}"
            labels.append(Label(f"dots{seat}", row.right - EDGE, middle, sum_, anchor="end", delay=counted_at))
        else:
            dots = sight.say("table.left") if left else sight.say("dominoes.board.dots", n=counted.pips[seat])
            labels.append(Label(f"dots{seat}", row.right - side * 0.72, middle, dots, anchor="end", delay=counted_at))
        if points or won:
            text = f"+{points}" if points >= 0 else f"−{-points}"
            labels.append(Label(f"points{seat}", row.right - EDGE, middle, text, "total", anchor="end", delay=FLIGHT + seconds))
            won_at[seat] = row.right - EDGE, middle
        if state.first_out == seat:
            call = sight.say(f"dominoes.board.{out_call(sight.view.rules.id)}")
            labels.append(Label(f"call{seat}", *room.centre, call, "title"))
        lies, width, turn = hand_in_row(len(hand), room, most)
        for index, (card, at) in enumerate(zip(hand, lies, strict=True)):
            named = sight.words.card(card, sight.view.faces)
            pieces.append(Piece(card_key(card), drawing(sight.face(card)), *at, width, named, turn=turn, z=10 + index,
                                owner=seat))
    own = state.hands[sight.seat] if sight.seat is not None else ()
    status = _ending(sight) if sight.landing else _told(sight)
    note = "" if sight.counting else _note(sight)
    return Rows(tuple(pieces), tuple(zones), tuple(labels), status, note, won_at,
                dict.fromkeys(won_at, FLIGHT + seconds + READ), seconds, frozenset(map(card_key, own)))


def _more_than_winner(state: DominoState) -> dict[int, int]:
    """By how many dots each seat has more than the winner of a blocked round; empty where something else is scored (DO-4)."""
    counted = state.last_count
    assert counted is not None
    if counted.ending != "blocked" or counted.winner is None:
        return {}
    own = counted.pips[counted.winner]
    more = {seat: pips - own for seat, pips in enumerate(counted.pips)
            if seat != counted.winner and seat not in counted.liars and seat not in state.absentees}
    return more if sum(more.values()) == counted.points[counted.winner] else {}


def hand_in_row(count: int, room: Rect, most: float = inf) -> tuple[list[Point], float, float]:
    """Where the dominoes of a hand of ``count`` lie in ``room``, how wide each is, and how it is turned: on its side where it
    is larger so, in several lines where there are many; no wider than ``most`` px.
    """
    height, middle = room.height - 4, room.centre[1]
    upright, lying = min(most, height / 2), min(most, height, (room.width / max(count, 1) - GAP) / 2)
    if lying > upright:
        step = 2 * lying + GAP
        return [(room.x + lying + index * step, middle) for index in range(count)], lying, 270.0

    def width_in(lines: int) -> float:
        return min(most, ((height + CLOSE) / lines - CLOSE) / 2, room.width / max(-(-count // lines), 1) - CLOSE)

    lines = max(range(1, MOST_LINES + 1), key=width_in)
    in_line = max(-(-count // lines), 1)
    upright = max(width_in(lines), min(height / lines / 2, LEAST))
    step = min(upright + GAP, (room.width - upright) / max(in_line - 1, 1))
    down = min(2 * upright + CLOSE, height / lines)
    top = middle - down * (lines - 1) / 2
    lies = [(room.x + upright / 2 + index % in_line * step, top + index // in_line * down) for index in range(count)]
    return lies, upright, 0.0


def _ending(sight: Sight) -> str:
    """How the round ended, while what comes of that is counted."""
    state: DominoState = sight.view.state
    if state.first_out is None:
        return sight.say("dominoes.board.status.blocked") if state.tiles else ""
    return sight.say("dominoes.board.status.out", seat=state.first_out)


def _told(sight: Sight) -> str:
    """What came of the round."""
    counted = sight.view.state.last_count
    if counted.ending == "remix":
        return sight.say("dominoes.board.status.remix")
    if counted.winner is None:
        return sight.say("dominoes.board.status.nobody")
    key = "you_won" if counted.winner == sight.seat else "won"
    return sight.say(f"dominoes.board.status.{key}", seat=counted.winner, n=counted.points[counted.winner])


def _note(sight: Sight) -> str:
    counted = sight.view.state.last_count
    if counted.liars:
        return " ".join(sight.say("dominoes.board.note.caught", seat=seat, n=-counted.points[seat]) for seat in counted.liars)
    others = len(counted.pips) - len(sight.view.state.absentees) - 1
    if counted.ending != "blocked":
        left = [pips for seat, pips in enumerate(counted.pips) if pips and seat != counted.winner]
        if counted.ending == "out" and len(left) > 1 and sum(left) == counted.points[counted.winner]:
            return sight.say("dominoes.board.note.out_sum", sum=" + ".join(map(str, left)), points=sum(left))
        return sight.say(f"dominoes.board.note.{counted.ending}", n=others)
    if counted.winner is None:
        return sight.say("dominoes.board.note.blocked_nobody")
    own, points = counted.pips[counted.winner], counted.points[counted.winner]
    if _more_than_winner(sight.view.state):
        return sight.say("dominoes.board.note.blocked", n=others)
    return sight.say("dominoes.board.note.blocked_all", own=own, others=own + points, points=points)
