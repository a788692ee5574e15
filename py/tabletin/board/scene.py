"""What a table looks like, as plain data: pieces, places, seats, areas, words and what may be done.

A game's board turns what one reader sees into a ``Scene``; the stage draws it. Nothing here knows a browser,
and nothing here knows a rule. A scene holds the drawing of a face only where the board found that face in the
reader's own ``Faces``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from tabletin.kernel.faces import Card, Face
from tabletin.kernel.match import View
from tabletin.kernel.schema import Move
from tabletin.words import Catalogue, figure
from tabletin.words.wording import Wording

Key: TypeAlias = str  # names a thing for as long as it lies on the table: a piece keeps its element, so that it travels
Point: TypeAlias = tuple[float, float]


class Rect(NamedTuple):
    """An upright rectangle by its left top corner, in px of the stage or in units of the plane."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, point: Point) -> bool:
        return self.x <= point[0] <= self.right and self.y <= point[1] <= self.bottom

    def overlaps(self, other: Rect) -> bool:
        """Whether they cover one another anywhere."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def grow(self, by: float) -> Rect:
        """Larger by ``by`` on every side (smaller if negative)."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def top(self, height: float) -> tuple[Rect, Rect]:
        """The strip of ``height`` at the top, and the rest."""
        return (Rect(self.x, self.y, self.width, height),
                Rect(self.x, self.y + height, self.width, max(0.0, self.height - height)))

    def foot(self, height: float) -> tuple[Rect, Rect]:
        """The strip of ``height`` at the bottom, and the rest."""
        rest = max(0.0, self.height - height)
        return Rect(self.x, self.y + rest, self.width, height), Rect(self.x, self.y, self.width, rest)

    def left(self, width: float) -> tuple[Rect, Rect]:
        """The strip of ``width`` on the left, and the rest."""
        return (Rect(self.x, self.y, width, self.height),
                Rect(self.x + width, self.y, max(0.0, self.width - width), self.height))

    def end(self, width: float) -> tuple[Rect, Rect]:
        """The strip of ``width`` on the right, and the rest."""
        rest = max(0.0, self.width - width)
        return Rect(self.x + rest, self.y, width, self.height), Rect(self.x, self.y, rest, self.height)


def around_all(rects: Sequence[Rect]) -> Rect:
    """The smallest rectangle around ``rects``, of which there is at least one."""
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    return Rect(left, top, max(rect.right for rect in rects) - left, max(rect.bottom for rect in rects) - top)


NOWHERE: Final = Rect(0, 0, 1, 1)
LOW: Final = 26.0  # rem of height below which a wide stage is a phone held sideways


@dataclass(frozen=True, slots=True)
class Layout:
    """The space a board has: the stage in px, one rem in px (larger where text is enlarged), whether fingers point."""

    width: float
    height: float
    rem: float = 16.0
    touch: bool = False

    @property
    def rect(self) -> Rect:
        return Rect(0, 0, self.width, self.height)

    @property
    def narrow(self) -> bool:
        """A phone held upright, or text so large that it amounts to one."""
        return self.width < 40 * self.rem

    @property
    def low(self) -> bool:
        """A phone held sideways: there is less height than width, and too little of it to stack seats, table and hand."""
        return self.height < LOW * self.rem < self.width


def no_clock(_key: Key) -> float | None:
    """Where no clock has run."""
    return None


@dataclass(frozen=True, slots=True)
class Sight:
    """Who looks at the table and how: all that a board may draw from.

    ``view`` is what the reader knows. ``seat``: whose hand lies open at the bottom and who plays from there,
    None while the table shows public knowledge only. ``people``: the seats played by people at this device.
    ``thinking``: the seat whose bot is at it. ``past``: an earlier moment is shown, nobody can act. ``fresh``:
    the cards that others brought since the last act of the only person here, else with the last act. ``notes``: a short
    word under a seat's name. ``opened``: what lies on the table is opened for a look, while it is for others to act.
    ``mover``: the seat whose act the line over the table tells, until that was read. ``landing``: what somebody did is still on
    its way to its place, so nobody acts yet. ``laying``: it ended what is to be
    counted, so the table is still shown as it lay. ``counting``: that comes piece by piece now, so what it comes to is not
    yet told.
    ``resting``: a result stays until it was seen. ``answered``: an answer to a puzzle was given, so what was laid stays
    in view, whatever it would count. ``stepping``: what came of an act is shown in steps (``Board.steps``), so nobody acts yet.
    ``idle``: something is offered to ``seat`` that is of no use to it; it is let go in a moment. ``clock_seconds``: for how
    many seconds a label of kind "clock" has run, by its key, through reloads, too; None for one that began elsewhere or never.
    """

    view: View
    words: Wording
    layout: Layout
    seat: int | None = None
    people: tuple[int, ...] = ()
    thinking: int | None = None
    past: bool = False
    fresh: frozenset[Card] = frozenset()
    notes: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    opened: bool = False
    mover: int | None = None
    landing: bool = False
    laying: bool = False
    counting: bool = False
    resting: bool = False
    answered: bool = False
    stepping: bool = False
    idle: bool = False
    clock_seconds: Callable[[Key], float | None] = no_clock

    @property
    def catalogue(self) -> Catalogue:
        return self.words.catalogue

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return () if self.past or self.landing or self.stepping else self.view.rules.to_act(self.view.state)

    @property
    def may_act(self) -> bool:
        """Whether the reader's own seat may act now."""
        return self.seat is not None and self.seat in self.acting

    @property
    def shown_mover(self) -> int | None:
        """The seat whose act is told, before it is said who is next: not once it is the reader's turn. None for nobody."""
        is_own_turn = self.may_act and not self.idle and self.mover != self.seat
        return None if self.past or is_own_turn else self.mover

    def face(self, card: Card) -> Face | None:
        """What ``card`` shows to this reader; None for its back."""
        return self.view.faces.get(card)

    def say(self, key: str, **params: object) -> str:
        """The words of ``key``."""
        return self.words.phrase(key, params)

    def with_points(self, label: str, points: int | None) -> str:
        """``label`` and the points that come of it, in words; ``label`` alone where there are none to tell."""
        return label if points is None else self.say(
            "table.place_points", place=label, n=points, points=figure(points, plus=True))


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """The inner SVG of one side of a piece and the size of its drawing. Compared by identity: keep them cached.

    ``shows``: the face it shows, None for a back and for pieces that are no cards. ``corner``: how its corners are rounded,
    "" as a playing card's, "square" as a square tile's, "die" as a die's, "domino" as a domino's, "sign" for what is no piece.
    """

    markup: str
    width: float
    height: float
    shows: Face | None = None
    corner: str = ""


FLAGS: Final = ("chosen", "legal", "tentative", "dim", "new", "wrong", "marked", "ghost", "past", "button")
"""What a piece, a place or a seat may be besides there: picked up · playable now · laid on trial · not in
question now · came with the last move · does not fit · pointed at (a hint, a win) · only imagined · over, but whole · pressed
like a button.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A card, tile or die. ``x``, ``y``: its centre; ``width``: how wide it lies; both in units of its layer.

    ``plane``: it lies on the plane that pans and zooms, else on the stage. ``turn``: degrees clockwise. ``z``:
    over others. ``label``: its alternative text. ``tap``: it answers a tap, Enter; ``drag``: it can be carried.
    ``pressed``: whether it is chosen, where that is a state. ``row``: pieces that belong together as a screen reader walks
    through them ("hand", "pile"). ``owner``: the seat before which it lies, None for nobody's. ``place``: where it lies on trial,
    in words, for a hint that shows the place.
    """

    key: Key
    drawing: Drawing
    x: float
    y: float
    width: float
    label: str = ""
    plane: bool = False
    turn: float = 0.0
    z: int = 0
    flags: tuple[str, ...] = ()
    tap: bool = False
    drag: bool = False
    pressed: bool | None = None
    row: str = ""
    owner: int | None = None
    place: str = ""


CLOSED_CARD: Final = "▯"
"""In the words of a label, and in what a lay would score: the small back of a card, "?" on it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where something may be done now: it is lit, takes a tap, Enter, and the piece that is let go over it.

    ``x``, ``y``: its centre. ``label`` says the place and what happens there. ``text``: drawn in it, if anything.
    ``points``: what laying there would score, on a small plate, perhaps in several lines; the label says it in words
    (``Sight.with_points``). ``points_width``: px that this may be wide, where that is not as wide as the place.
    With the key "look" it opens what lies on the table, as the control of that key does; the flag "button" makes it look so.
    ``strict``: a piece must be let go right over it, as what happens there is not easily meant.
    """

    key: Key
    x: float
    y: float
    width: float
    height: float
    label: str
    plane: bool = False
    turn: float = 0.0
    flags: tuple[str, ...] = ()
    text: str = ""
    points: str = ""
    points_width: float = 0.0
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Plate:
    """A seat at the table: name, score, a line below. ``active``: its turn; ``you``: the reader's own.

    ``lines``: more about it, for the alternative text too. ``count``: cards in hand, drawn beside a small back.
    ``readable``: a tap opens the leaf of this seat (``Board.leaves``). ``character``: the number of the stock name of the bot
    that sits there, whose portrait is drawn, 0 for none; ``trait``: one line about it. ``letters``: the name is no larger than
    so many letters would be, so that names beside each other are of one size.
    """

    key: Key
    seat: int
    rect: Rect
    name: str
    score: str = ""
    note: str = ""
    active: bool = False
    you: bool = False
    thinking: bool = False
    colour: str = ""
    count: int | None = None
    flags: tuple[str, ...] = ()
    label: str = ""
    large: bool = False
    readable: bool = False
    character: int = 0
    trait: str = ""
    letters: int = 0


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of the table with a look of its own: "tray" (a hand), "slot" (a pile's place), "mat" (anything
    else). ``quiet``: what lies in it says where it lies, so a screen reader does not meet its ``label`` besides.
    """

    key: Key
    rect: Rect
    kind: str = "mat"
    label: str = ""
    plane: bool = False
    flags: tuple[str, ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A few words on the table. ``x``, ``y``: the point it is centred on, with ``anchor`` "start" or "end" where it begins or
    ends. ``kind``: "plain", "count", "lit" (a count where something may be done), "points" (what a turn on trial scores),
    "title", "small", "head", "total", "big", "huge", "cry"; "add", "take" (a number of a sum); "clock", "time", "aim", "go".

    ``speech``: what a screen reader says instead; empty to say nothing (where the words stand elsewhere already).
    ``delay``: seconds after which it is seen, where what it counts comes piece by piece.
    """

    key: Key
    x: float
    y: float
    text: str
    kind: str = "plain"
    plane: bool = False
    speech: str = ""
    turn: float = 0.0
    anchor: str = ""
    delay: float = 0.0


class ButtonShape(StrEnum):
    """How a button stands among the others below the table, where it matters."""

    PLAIN = ""
    HINGE = "hinge"  # leads to a choice and back, and has the same room either way: a second tap hits nothing else
    CHOICE = "choice"  # one of several ways to do what one button would do: each as easy to hit
    ASIDE = "aside"  # changes those ways: in one line beside them
    MODEST = "modest"  # no larger than its words, though it is the primary one: it cannot be taken back easily
    QUIET = "quiet"  # a word rather than a button: it can be found, and is seldom meant
    SHARED = "shares-place"  # shares one place beside the last one with others like it, so that neither moves as they take turns


@dataclass(frozen=True, slots=True)
class Control:
    """A button below the table. ``label`` names what it does. ``why``: the reason why it cannot be used now, else "";
    with a reason and no label it is not seen, and keeps the room of the one that comes there.

    Its tap goes to the draft by its ``key`` (with none, "look" opens what lies on the table); or, with ``move``,
    ``seat`` makes that move at once (a pull button on the public table); or, with ``moves``, each of these seats makes
    its move. ``shortcut``: one letter that
    presses it while the table has the focus. ``seconds``: it is pressed by itself once they have passed; ``lapse``: with this key
    then, so that a film goes on by itself and a tap does something else. With a ``why`` nobody hurries it. ``is_help``: it looks
    for the player, and is not there where no help is given, as in a puzzle.
    """

    key: Key
    label: str
    primary: bool = False
    why: str = ""
    shortcut: str = ""
    pressed: bool | None = None
    seat: int | None = None
    move: Move | None = None
    danger: bool = False
    moves: tuple[tuple[int, Move], ...] = ()
    seconds: float | None = None
    lapse: Key = ""
    shape: ButtonShape = ButtonShape.PLAIN
    is_help: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question in the middle of a turn, shown over the hand: a title, perhaps a sentence, and answers.

    ``seconds``: a countdown drawn from when the prompt first appears. ``lapse``: the answer given by itself at
    its end; none, and it decides nothing.
    """

    key: Key
    title: str
    answers: tuple[Control, ...]
    text: str = ""
    seconds: float | None = None
    lapse: Key = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a leaf: words, and drawings before them (each card covers part of the one before)."""

    text: str
    drawings: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """What can be read beside the table, under the scores: what lies before a seat, or what counts."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that lie somewhere without being drawn one by one: ``keys`` come from ``point`` and vanish into it.

    ``drawing``: what they show there; with None a card that lay open is taken away without a journey.
    """

    point: Point
    width: float
    keys: frozenset[Key]
    drawing: Drawing | None = None
    plane: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole table for one reader at one moment.

    ``window``: where on the stage the plane shows, None without one; ``bounds``: what of the plane is to fit
    in, in its own units; ``unit``: the side of what is to be hit on the plane, so that it is zoomed to a size a
    finger can hit. ``place_size``: px that the places of a chosen piece have on the plane of a phone, if all of them can be seen
    so. ``ask``: what the reader may do now, in two or three words behind "Your turn"; ``status``: one line
    instead of whose turn it is. ``is_checking``: what just happened is looked at step by step, and what it won comes only
    then. ``won_at``: where on the stage it stands what a seat has just won, where that is not at the cards that won it.
    ``won_after``: the seconds until it stands there, of seats that are counted before others. ``count_seconds``: how long what is
    counted takes to come piece by piece; 0: as long as a deal. ``in_view``: what of it everybody had before their eyes, and goes
    to its place at once.
    ``glides``: what lies on the plane moves by itself, slowly, and nothing else does.
    ``log_until``: the key of an event: what has happened since the last one of that kind is said and written in the log later,
    as what came before is still looked at. ``note``: the turn being composed, with its score. ``warning``: the note says what
    is wrong. ``focus``: where the keyboard goes when what had it is gone.
    """

    pieces: tuple[Piece, ...] = ()
    spots: tuple[Spot, ...] = ()
    plates: tuple[Plate, ...] = ()
    zones: tuple[Zone, ...] = ()
    labels: tuple[Label, ...] = ()
    controls: tuple[Control, ...] = ()
    resting: tuple[Heap, ...] = ()
    window: Rect | None = None
    bounds: Rect = NOWHERE
    unit: float = 100.0
    closest: float = 1.0
    place_size: float = 26.0
    ask: str = ""
    status: str = ""
    is_checking: bool = False
    log_until: str = ""
    glides: bool = False
    count_seconds: float = 0.0
    in_view: frozenset[Key] = frozenset()
    won_at: Mapping[int, Point] = field(default_factory=lambda: MappingProxyType({}))
    won_after: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""
    warning: bool = False
    prompt: Prompt | None = None
    focus: Key = ""
    hand: Rect | None = None

    def texts(self) -> list[str]:
        """Every word a reader of this scene meets, drawings left out."""
        said = [self.ask, self.status, self.note]
        said += [piece.label for piece in self.pieces]
        said += [text for spot in self.spots for text in (spot.label, spot.text, spot.points)]
        said += [zone.label for zone in self.zones]
        said += [text for plate in self.plates for text in (plate.name, plate.score, plate.note, plate.label)]
        said += [text for label in self.labels for text in (label.text, label.speech)]
        said += [text for control in self.controls for text in (control.label, control.why)]
        if self.prompt is not None:
            said += [self.prompt.title, self.prompt.text, *(answer.label for answer in self.prompt.answers)]
        return said


def card_key(card: Card) -> Key:
    """The key of a card's piece."""
    return f"c{card}"


def card_of(key: Key) -> Card | None:
    """The card that ``key`` names, or None."""
    return int(key[1:]) if key[:1] == "c" and key[1:].isdigit() else None
