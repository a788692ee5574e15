"""The end of Fluke and of Pursuit: a row a seat, with what it is counted by, and how many that are.

In Fluke these are the cards that are left, open as far as their reader knows them; in Pursuit a coin for each turn that added to
the TooT. Nothing here knows where the TooT itself lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from tabletin.board.scene import Drawing, Key, Label, Layout, Piece, Point, Rect, Sight, Zone, card_key
from tabletin.board.svg import circle, lettering, paint
from tabletin.games.toot.board_stacks import RATIO, drawing, sorted_hand
from tabletin.games.toot.onetable import OneTableState

HIGHEST: Final = 58.0  # px: a seat's row …
HIGHEST_BESIDE: Final = 84.0  # … and one of two side by side …
COLUMNS_FROM: Final = 4  # … as they stand for so many seats …
LEAST_COLUMN: Final = 400.0  # … where the table lies wide, with so many px of width for each
SHARE: Final = 0.42  # … of the height that all rows take at most …
BESIDE: Final = 0.42  # … of the width, where they stand beside the TooT …
WIDEST: Final = 620.0  # … and px of it elsewhere
BETWEEN: Final = 4.0  # px between two rows
SIDE: Final = 4.0  # … and left and right of all rows
EDGE: Final = 10.0  # px in a row left and right of what lies there
NAME: Final = 5.6  # rem for a name …
NAME_SHARE: Final = 0.28  # … and of a row's width at most …
TOTAL: Final = 2.4  # … and for a number
GAP: Final = 4.0  # px between two pieces of a row


class SeatCounts(NamedTuple):
    """What is drawn; ``pieces`` by seat. ``won_at``: where each seat's number stands."""

    pieces: tuple[tuple[Piece, ...], ...]
    zones: tuple[Zone, ...]
    labels: tuple[Label, ...]
    won_at: dict[int, Point]


@cache
def coin() -> Drawing:
    """One point."""
    body = circle(60, 60, 54, f'fill="{paint("brass")}" stroke="{paint("brass-ink")}" stroke-width="4"')
    return Drawing(body + circle(60, 60, 42, f'fill="{paint("enamel")}"') + lettering("1", 60, 82, 62, "cream", font="display"),
                   120, 120, corner="sign")


def coin_key(turn: int) -> Key:
    """The coin of the turn that was the ``turn``-th to add to the TooT."""
    return f"point{turn}"


def rows_and_rest(seats: int, room: Rect, layout: Layout) -> tuple[Rect, Rect]:
    """``room`` in two: for the rows of ``seats``, below what is left for the TooT or, on a phone held sideways, right of it."""
    if layout.low:
        column, rest = room.end(BESIDE * room.width)
        height = min(column.height, seats * HIGHEST)
        return Rect(column.x, column.centre[1] - height / 2, column.width, height), rest
    is_wide = room.width > max(room.height, 2 * LEAST_COLUMN)
    columns = 2 if seats >= COLUMNS_FROM and is_wide else 1
    highest = HIGHEST if columns == 1 else HIGHEST_BESIDE
    rows, rest = room.foot(min(-(-seats // columns) * highest, SHARE * room.height))
    wide = min(rows.width - 2 * SIDE, columns * WIDEST)
    return rows._replace(x=rows.centre[0] - wide / 2, width=wide), rest


def rows_of_cards(sight: Sight, rect: Rect, scores: Sequence[int], winners: Sequence[int]) -> SeatCounts:
    """Fluke: a row a seat within ``rect``, with the cards that are left, and how many they are (TO-6)."""
    state: OneTableState = sight.view.state

    def cards(seat: int, row: Rect, room: Rect) -> tuple[Piece, ...]:
        hand = sorted_hand(state.hands[seat], {card: sight.face(card) for card in state.hands[seat]})
        wide = (row.height - 8) / RATIO
        return tuple(Piece(card_key(card), drawing(sight.face(card), None, sight.words.catalogue.language), x, row.centre[1],
                           wide, sight.words.card(card, sight.view.faces), z=200 + index, owner=seat)
                     for index, (card, x) in enumerate(zip(hand, _in_row(len(hand), room, wide), strict=True)))

    return _rows(sight, rect, scores, winners, "cards", cards)


def rows_of_coins(sight: Sight, rect: Rect, scores: Sequence[int], winners: Sequence[int]) -> SeatCounts:
    """Pursuit: a row a seat within ``rect``, with a coin for each turn that added to the TooT, and how many they are (TO-7)."""
    state: OneTableState = sight.view.state

    def coins(seat: int, row: Rect, room: Rect) -> tuple[Piece, ...]:
        turns = [turn for turn, (maker, _) in enumerate(state.layings) if maker == seat]
        each = {lines: -(-max(1, *scores) // lines) for lines in (1, 2)}  # for all seats alike
        sizes = {lines: min((row.height - 12 + GAP) / lines, (room.width + GAP) / each[lines]) - GAP for lines in each}
        lines = max(each, key=lambda lines: sizes[lines])
        wide, across = sizes[lines], _in_row(each[lines], room, sizes[lines])
        top = row.centre[1] - (wide + GAP) / 2 * (lines - 1)
        return tuple(Piece(coin_key(turn), coin(), across[index % each[lines]], top + (wide + GAP) * (index // each[lines]), wide,
                           z=200 + index, owner=seat) for index, turn in enumerate(turns))

    return _rows(sight, rect, scores, winners, "turns", coins)


def _rows(sight: Sight, rect: Rect, scores: Sequence[int], winners: Sequence[int], counted: str,
          pieces_of: Callable[[int, Rect, Rect], tuple[Piece, ...]]) -> SeatCounts:
    """A row a seat within ``rect``: its name, ``pieces_of`` it in a room of that row, its score. ``counted``: what is spoken."""
    rem = sight.layout.rem
    columns = 1 if rect.width <= WIDEST else 2  # read down one, then the other
    deep = -(-len(scores) // columns)
    wide, high = rect.width / columns, rect.height / deep
    side = min(NAME * rem, NAME_SHARE * wide)
    pieces: list[tuple[Piece, ...]] = []
    zones: list[Zone] = []
    labels: list[Label] = []
    won_at: dict[int, Point] = {}
    for seat, score in enumerate(scores):
        across, down = divmod(seat, deep)
        row = Rect(rect.x + across * wide, rect.y + down * high, wide - (BETWEEN if columns > 1 else 0.0), high - BETWEEN)
        middle = row.centre[1]
        zones.append(Zone(f"row{seat}", row, "mat", sight.say(f"toot.board.counted.{counted}", seat=seat, n=score),
                          flags=("legal",) if seat in winners else ()))
        labels.append(Label(f"name{seat}", row.x + EDGE, middle, sight.words.seat(seat),
                            "title" if seat in winners else "plain", anchor="start"))
        labels.append(Label(f"total{seat}", row.right - EDGE, middle, str(score), "total", anchor="end"))
        won_at[seat] = row.right - EDGE, middle
        room = Rect(row.x + EDGE + side, row.y, max(1.0, row.width - 2 * EDGE - side - TOTAL * rem), row.height)
        pieces.append(pieces_of(seat, row, room))
    return SeatCounts(tuple(pieces), tuple(zones), tuple(labels), won_at)


def _in_row(count: int, room: Rect, wide: float) -> list[float]:
    """The middles of ``count`` pieces ``wide`` px wide, from the left of ``room``; where space is short they lie over each
    other."""
    step = min(wide + GAP, (room.width - wide) / max(1, count - 1))
    return [room.x + wide / 2 + step * index for index in range(count)]
