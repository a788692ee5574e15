"""A counted hand of Teeth Time: a row a seat with its points, the cards that made them, and what each of those counts (TT-15).

It draws the hand as the state recorded it; all hands lie open then. What was laid counts nothing and has left the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tabletin.board.scene import Key, Label, Piece, Point, Rect, Sight, Zone, card_key
from tabletin.games.teeth_time import board_pieces
from tabletin.games.teeth_time.board_actions import Actions
from tabletin.games.teeth_time.cards import DENTIST_EACH, FAIRY_EACH, IN_HAND, PREVENTION_EACH, RANK
from tabletin.games.teeth_time.scoring import STAR, hand_winners
from tabletin.games.teeth_time.state import OVER, SCORED, TeethTimeState
from tabletin.kernel.faces import Card
from tabletin.words import figure

WIDEST: Final = 44.0  # rem of a row
HIGHEST: Final = 16.0
HIGH_LINE: Final = 11.0  # … as much for each line of cards, where there are several
BARE: Final = 4.4  # … without cards
LARGE: Final = 8.0  # … with cards below its name, from which names and points are large
USUAL: Final = 6.2  # … with a few cards, where that leaves more to those with many
LOWEST: Final = 3.6  # … below which rows stand in two columns, where there is width for them
TWO_COLUMNS: Final = 28.0  # … of width
LINE: Final = 1.45  # … of the line of name and points, …
LARGE_LINE: Final = 2.1  # … where they are large
SMALL_LINE: Final = 1.2  # … of what counts
ONE_LINE: Final = 3.7  # rem of height below which name, cards and points share one line
TOLD: Final = 5.6  # … from which it is said what counts
NAME: Final = 6.0  # rem: what a name takes there
POINTS: Final = 4.4  # … and points
WIDE: Final = 32.0  # rem of a row, from which a few cards lie beside its name, with what counts beside them, …
NAME_LETTER: Final = 0.62  # … in which a letter of a name …
LARGE_POINTS: Final = 7.0  # … points and total …
ITEMS: Final = 11.0  # … and what counts take so many; …
BELOW_NAME: Final = 7.0  # … in a narrower row a few lines of that have so many below the name
LINES_BELOW: Final = 2
LINE_SHARE: Final = 0.8  # of the height of a wide one: a line of the cards of one who has many, below the name
LETTER: Final = 0.42  # rem: about as wide as a letter of what counts is
DIGIT: Final = 0.8  # … a digit of points …
LARGE_DIGIT: Final = 1.2  # … where they are large
FLOWN: Final = 46.0  # px from their left to the middle of what flies from there to the plate
EDGE: Final = 10.0  # px
GAP: Final = 4.0
SHOWN: Final = 0.4  # of a card's width, at least, that the next one leaves free: its index
RATIO: Final = 1.4  # a card's height to its width
MORE: Final = 3.0  # times the height to spare for each further line of cards
WORTH: Final = 2.2  # rem that are seen of a card on which it is said what it counts …
WORTH_UP: Final = 0.8  # … and from its lower edge up to that, …
CHIP_UP: Final = 0.6  # … of a chip, …
HEAD_WORTH: Final = 1.8  # … or that are seen beside the sign of one of which only the top is shown …
WORTH_IN: Final = 1.1  # … and from the end of that
APART: Final = 3.6  # … of a card that lies apart
SIGN: Final = 0.36  # of its width: the sign of a card
INDEX: Final = 0.5  # … of a chip in a line in which they cover each other: its index
UNCOVERED: Final = 1.4  # times the area of a card that is seen: what it is worth that none covers another
LANDS: Final = 0.3  # seconds until what goes to its row at once lies there
STEP: Final = 0.22  # seconds after which the next card comes to a row, …
COUNT_SEAT: Final = 0.9  # … and for each seat of all of them, at most


class CountedRows(NamedTuple):
    """What is drawn. ``won_at``: where each seat's points stand. ``won_after``: the seconds until they do. ``seconds``: how long
    the hands take to come. ``in_view``: the cards that lay open before."""

    pieces: tuple[Piece, ...]
    zones: tuple[Zone, ...]
    labels: tuple[Label, ...]
    won_at: dict[int, Point]
    won_after: dict[int, float]
    seconds: float
    in_view: frozenset[Key]


def is_counted(state: TeethTimeState) -> bool:
    """Whether a hand is over and has been counted; the hand that decides a tie counts nothing."""
    return state.phase in (SCORED, OVER) and len(state.scores) > state.hand_no


def counted_cards(state: TeethTimeState, seat: int) -> dict[Card, int]:
    """The cards before ``seat`` that count, each with its points: what is left of its hand, teeth first, then what it collected
    (TT-15)."""
    def place(card: Card) -> tuple[bool, str, Card]:
        face = state.public.get(card) or ""
        return face not in RANK, face[-1:], card

    found = {card: IN_HAND.get(state.public.get(card) or "", 0) for card in sorted(state.hands[seat], key=place)}
    for cards, each in ((state.fairies, FAIRY_EACH), (state.dentists, DENTIST_EACH), (state.preventions, PREVENTION_EACH)):
        found |= dict.fromkeys(cards[seat], each)
    return found


def counted_rows(sight: Sight, rect: Rect, words: Actions) -> CountedRows:
    """A row a seat within ``rect``. Cards come to it one by one, and as each lies it is said what it counts; points come as the
    last card of a row lies. What the reader holds lies there at once, and what seats have collected."""
    state: TeethTimeState = sight.view.state
    rem = sight.layout.rem
    seats = range(len(state.hands))
    counts = [len(counted_cards(state, seat)) for seat in seats]
    name_room = max(NAME, 1 + NAME_LETTER * max(len(sight.words.seat(seat)) for seat in seats)) * rem
    told = [words.counted_items(seat) for seat in seats]
    are_short = [len(items) <= LINES_BELOW and all(len(item) * LETTER <= BELOW_NAME for item in items) for items in told]
    rows = _rows(counts, rect, rem, name_room, are_short)
    is_large = all(row.height + GAP >= (LARGE if count and not is_beside else BARE) * rem
                   for (row, is_beside), count in zip(rows, counts, strict=True))
    line, kind = (LARGE_LINE * rem, "title") if is_large else (LINE * rem, "plain")
    points = state.scores[state.hand_no]
    star = state.stars[state.hand_no]
    winners = hand_winners(state)
    pieces: list[Piece] = []
    zones: list[Zone] = []
    labels: list[Label] = []
    won_at: dict[int, Point] = {}
    won_after: dict[int, float] = {}
    comes_at = _arrivals(sight)
    totals = [sight.say("teeth_time.board.counted.total", n=total) if state.hand_no else "" for total in state.totals]
    said_below = [_lines(items, row.width - 2 * EDGE - len(total) * LETTER * rem, rem)
                  if row.height >= TOLD * rem or not count else []
                  for (row, _), items, total, count in zip(rows, told, totals, counts, strict=True)]
    rooms = [_card_room(row, line, len(said), rem, _beside(row.width, rem, name_room) if is_beside else None)
             for (row, is_beside), said in zip(rows, said_below, strict=True)]
    form = _common_form(counts, rooms, rem)
    begins_at = 0.0  # when the row does
    for seat, (row, is_beside) in enumerate(rows):
        name, items = sight.words.seat(seat), told[seat]
        scored = figure(points[seat], plus=points[seat] != 0) + (f" {STAR}" if seat == star else "")
        spoken = sight.say("teeth_time.board.scored", seat=name, n=scored)
        zones.append(Zone(f"row{seat}", row, "mat", f"{spoken}: {', '.join(items)}" if items else spoken,
                          flags=("legal",) if seat in winners else ()))
        total = totals[seat]
        is_one_line = is_beside or row.height < ONE_LINE * rem
        middle = row.centre[1] if is_one_line else row.y + line / 2 + 4
        beside = _beside(row.width, rem, name_room)
        said = _lines(items, beside.items, rem)
        lines_high = len(said) * SMALL_LINE * rem
        is_below = is_beside and beside.is_below and line + lines_high <= row.height
        name_at = middle - lines_high / 2 if is_below else middle
        labels.append(Label(f"name{seat}", row.x + EDGE, name_at, name, "head" if is_large else "title", anchor="start"))
        ends_at = max([begins_at, *(comes_at[card] or LANDS for card in counted_cards(state, seat))])
        if is_beside and total:  # below the points
            middle -= SMALL_LINE / 2 * rem
            labels.append(Label(f"sum{seat}", row.right - EDGE, middle + (LARGE_LINE if is_large else LINE) / 2 * rem
                                + SMALL_LINE / 2 * rem, total, "title", anchor="end", delay=ends_at))
        labels.append(Label(f"points{seat}", row.right - EDGE, middle, scored, "big" if is_large else "total", anchor="end",
                            delay=ends_at))
        wide = len(scored) * (LARGE_DIGIT if is_large else DIGIT) * rem  # what flies to the plate leaves from beside the points
        won_at[seat], won_after[seat] = (row.right - EDGE - wide - FLOWN, middle), ends_at
        room = rooms[seat]
        if not (is_beside or is_one_line):
            said = said_below[seat]
        cards, worth = _cards(sight, seat, room, comes_at, form)
        pieces += cards
        labels += worth
        if not (is_beside or is_one_line):
            top = max((piece.y + piece.drawing.height / piece.drawing.width * piece.width / 2 + 5 for piece in cards),
                      default=row.y + line + 3)
            labels += _told(seat, said, row.x + EDGE, top, rem, ends_at, kind)
            if total and said:
                labels.append(Label(f"sum{seat}", row.right - EDGE, top + (len(said) - 0.5) * SMALL_LINE * rem, total, "title",
                                    anchor="end", delay=ends_at))
        elif is_below:
            labels += _told(seat, said, row.x + EDGE, row.centre[1] + (line - lines_high) / 2, rem, ends_at)
        elif is_beside and not beside.is_below and lines_high <= row.height:
            behind = max((piece.x + piece.width / 2 + EDGE for piece in cards), default=room.x)
            labels += _told(seat, said, behind, row.centre[1] - lines_high / 2, rem, ends_at, kind)
        begins_at = ends_at
    return CountedRows(tuple(pieces), tuple(zones), tuple(labels), won_at, won_after, max(comes_at.values(), default=0.0),
                       frozenset(card_key(card) for card, seconds in comes_at.items() if not seconds))


def _card_room(row: Rect, line: float, said: int, rem: float, beside: _Beside | None) -> Rect:
    """Where the cards of a ``row`` lie, of which a ``line`` is for name and points: between these, ``beside`` them where that has
    room, or over so many lines that are ``said``."""
    if beside is not None:
        return Rect(row.x + EDGE + beside.name, row.y + 5, beside.cards, row.height - 10)
    if row.height < ONE_LINE * rem:
        return Rect(row.x + NAME * rem, row.y + 3, row.width - (NAME + POINTS) * rem, row.height - 6)
    taken = line + said * SMALL_LINE * rem + (14 if said else 10)
    return Rect(row.x + EDGE, row.y + line + 6, row.width - 2 * EDGE, row.height - taken)


def _told(seat: int, said: list[str], x: float, top: float, rem: float, ends_at: float, kind: str = "plain") -> list[Label]:
    """What counts of ``seat``, in lines from ``top`` on."""
    return [Label(f"counts{seat}.{at}", x, top + (at + 0.5) * SMALL_LINE * rem, line, kind, anchor="start", delay=ends_at)
            for at, line in enumerate(said)]


def _arrivals(sight: Sight) -> dict[Card, float]:
    """Seconds after which each card that counts lies in its row, in the order of the rows; 0 for those that the reader saw."""
    state: TeethTimeState = sight.view.state
    cards = [(seat, card) for seat in range(len(state.hands)) for card in counted_cards(state, seat)]
    coming = [card for seat, card in cards if seat != sight.seat and card in state.hands[seat]]
    step = min(STEP, COUNT_SEAT * len(state.hands) / max(1, len(coming)))
    return {card: 0.0 for _, card in cards} | {card: step * at for at, card in enumerate(coming, 1)}


def _rows(counts: list[int], rect: Rect, rem: float, name_room: float, are_short: list[bool]) -> list[tuple[Rect, bool]]:
    """The rows, in one column or two, and of each whether its cards lie beside its name, which takes ``name_room`` px. In one
    column those without cards are lower, and those with many higher. ``are_short``: of each whether what counts has room below
    the name."""
    rect, seats = rect.grow(-4), len(counts)
    if rect.height / seats < LOWEST * rem and rect.width > TWO_COLUMNS * rem:
        lines, wide = -(-seats // 2), min(WIDEST * rem, (rect.width - GAP) / 2)
        high = min(HIGHEST * rem, rect.height / lines)
        left, top = rect.centre[0] - wide - GAP / 2, rect.centre[1] - high * lines / 2
        return [(Rect(left + at // lines * (wide + GAP), top + at % lines * high, wide, high - GAP), False)
                for at in range(seats)]
    wide = min(WIDEST * rem, rect.width)
    wanted = [_lines_wanted(count, wide - 2 * EDGE, rem) for count in counts]
    beside = _beside(wide, rem, name_room)
    are_beside = [max(wanted) > 1 and count * APART * rem <= beside.cards and (is_short or not beside.is_below)
                  for count, is_short in zip(counts, are_short, strict=True)]
    are_low = [is_beside or not count for is_beside, count in zip(are_beside, counts, strict=True)]
    bare = min(rect.height / seats, BARE * rem)
    if any(are_beside) and not beside.is_below:
        lines = sum(lines for lines, is_low in zip(wanted, are_low, strict=True) if not is_low)
        bare = max(bare, min(LARGE * rem, rect.height / (seats + LINE_SHARE * lines)))
    parts = [0.0 if is_low else 1 + MORE * (lines - 1) for is_low, lines in zip(are_low, wanted, strict=True)]
    high, many = max(HIGHEST, HIGH_LINE * max(wanted)) * rem, max(1, are_low.count(False))
    each = min(high, (rect.height - bare * are_low.count(True)) / many)
    usual = min(each, (LARGE if each >= LARGE * rem else USUAL) * rem)
    spare = (each - usual) * many / max(1.0, sum(parts))
    highs = [usual + spare * part if part else bare for part in parts]
    top = rect.centre[1] - sum(highs) / 2
    return [(Rect(rect.centre[0] - wide / 2, top + sum(highs[:at]), wide, high - GAP), is_beside)
            for at, (high, is_beside) in enumerate(zip(highs, are_beside, strict=True))]


class _Beside(NamedTuple):
    """The px of width of a row whose cards lie beside its name: of the name, of the cards, and of what counts, which stands below
    the name or behind the cards."""

    name: float
    cards: float
    items: float
    is_below: bool


def _beside(wide: float, rem: float, name_room: float) -> _Beside:
    """How a row that is ``wide`` has its cards beside its name."""
    is_below = wide < WIDE * rem
    name, items = (max(name_room, BELOW_NAME * rem), 0.0) if is_below else (name_room, ITEMS * rem)
    return _Beside(name, wide - 2 * EDGE - name - items - LARGE_POINTS * rem, items or BELOW_NAME * rem, is_below)


def _lines_wanted(count: int, wide: float, rem: float) -> int:
    """In how many lines ``count`` cards lie side by side, large enough for what each counts."""
    return max(1, -(-count // max(1, int(wide / (APART * rem + GAP)))))


def _lines(items: list[str], wide: float, rem: float) -> list[str]:
    """What counts, in as few lines as hold it."""
    lines: list[str] = []
    for item in items:
        longer = f"{lines[-1]}, {item}" if lines else item
        if lines and len(longer) * LETTER * rem <= wide:
            lines[-1] = longer
        else:
            lines.append(item)
    return lines


class _Form(NamedTuple):
    """How cards of a row are drawn: px of height from which they are, and their height to their width (``ratio``)."""

    least_height: float
    ratio: float


_WHOLE: Final = _Form(52.0, RATIO)
_CHIP: Final = _Form(38.0, board_pieces.CHIP[1] / board_pieces.CHIP[0])
_HEAD: Final = _Form(float("-inf"), board_pieces.HEAD[1] / board_pieces.HEAD[0])  # its top alone
_FORMS: Final = (_WHOLE, _CHIP, _HEAD)


class _Lie(NamedTuple):
    """How the cards of a row lie in it."""

    lines: int
    per_line: int
    form: _Form
    wide: float
    step: float

    @property
    def seen_width(self) -> float:
        """The px of width that are seen of a card which another covers."""
        return min(self.step, self.wide)

    @property
    def worth(self) -> float:
        """The area that is seen of a card, and more where none covers another."""
        return self.seen_width * self.wide * self.form.ratio * (UNCOVERED if self.step >= self.wide else 1.0)

    def tells(self, rem: float) -> bool:
        """Whether each has room for what it counts."""
        if self.form is _HEAD:
            return self.seen_width - SIGN * self.wide >= HEAD_WORTH * rem
        return (self.step if self.form is _CHIP else self.seen_width) >= WORTH * rem


def _lie(count: int, lines: int, room: Rect, rem: float, best: int) -> _Lie:
    """``count`` cards in so many ``lines`` as large as ``room`` is, and no larger than leaves each room for what it counts; those
    that would be low show less. ``best``: the first of the forms that they may have."""
    per_line = -(-count // lines)
    high = (room.height - GAP * (lines - 1)) / lines
    form = next(form for form in _FORMS[best:] if high >= form.least_height)
    wide = min(high / form.ratio, room.width / (1 + SHOWN * (per_line - 1)))
    with_worth = room.width - WORTH * rem * (per_line - 1)
    if form is not _HEAD and with_worth * form.ratio >= form.least_height:
        apart = room.width / per_line - GAP
        wide = min(wide, apart if apart >= APART * rem else with_worth)
    return _Lie(lines, per_line, form, wide, min(wide + GAP, (room.width - wide) / max(per_line - 1, 1)))


def _way(count: int, room: Rect, rem: float, best: int) -> _Lie:
    """How ``count`` cards lie in ``room``: in the lines that have room for what each counts; else in one in which the index of
    each is seen; else in those that show most of each."""
    ways = [_lie(count, lines, room, rem, best) for lines in range(_lines_wanted(count, room.width, rem), 0, -1)]
    told = [way for way in ways if way.tells(rem)]
    if not told and ways[-1].form is not _HEAD and ways[-1].step >= INDEX * ways[-1].wide:
        return ways[-1]
    return max(told or ways, key=lambda way: (-_FORMS.index(way.form) if told else 0, way.worth))


def _common_form(counts: Sequence[int], rooms: Sequence[Rect], rem: float) -> int:
    """The first of the forms that the cards of all rows can have which say what they count, so that they look alike."""
    ways = [_way(count, room, rem, 0) for count, room in zip(counts, rooms, strict=True) if count]
    return max((_FORMS.index(way.form) for way in ways if way.tells(rem)), default=0)


def _cards(sight: Sight, seat: int, room: Rect, comes_at: Mapping[Card, float], best: int) -> tuple[list[Piece], list[Label]]:
    """What counts of ``seat``, side by side in ``room`` as large as there is height for; and on each card, instead of its words
    or behind its sign, what it counts; where that has no room, on the last of those that count as much what they come to.
    ``comes_at``: when each lies there, s; ``best``: as ``_lie`` has it."""
    cards = counted_cards(sight.view.state, seat)
    if not cards or room.height <= 0:
        return [], []
    language, rem = sight.words.catalogue.language, sight.layout.rem
    way = _way(len(cards), room, rem, best)
    lines, per_line, form, wide, step = way
    is_told, ratio = way.tells(rem), form.ratio
    words = board_pieces.BARE if is_told else board_pieces.words_on(wide, step)
    pieces, labels = [], []
    together, begins_x = 0, 0.0  # what cards that count as much come to, and where the first of them begins
    following = [*list(cards.values())[1:], 0]
    for at, ((card, points), after) in enumerate(zip(cards.items(), following, strict=True)):
        face, place, line = sight.face(card), at % per_line, at // per_line
        x, y = room.x + place * step + wide / 2, room.centre[1] + (line - (lines - 1) / 2) * (wide * ratio + GAP)
        drawing = board_pieces.card(face, language, words=words) if form is _WHOLE else \
            board_pieces.chip(face, language) if form is _CHIP else board_pieces.head(face, language)
        name = sight.words.card(card, sight.view.faces)
        pieces.append(Piece(card_key(card), drawing, x, y, wide, name, z=2 + place, owner=seat))  # below all words
        is_last = place == per_line - 1 or at == len(cards) - 1
        begins_x = x - wide / 2 if not together else begins_x
        together += points
        if not is_told and not (is_last or points != after):
            continue
        seen = wide if is_last else min(step, wide)
        right = x - wide / 2 + seen
        has_room = is_told or (form is not _HEAD and right - begins_x >= WORTH * rem)
        if has_room:
            foot = y + wide * ratio / 2 - (CHIP_UP if form is _CHIP else WORTH_UP) * rem
            worth_at = (right - WORTH_IN * rem, y) if form is _HEAD else (right - (seen if is_told else WORTH * rem) / 2, foot)
            said = figure(together, plus=True)
            labels.append(Label(f"worth{card}", *worth_at, said, "count", delay=comes_at[card] or LANDS))
        together = 0
    return pieces, labels
