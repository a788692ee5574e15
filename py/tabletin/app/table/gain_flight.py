"""What somebody has just won or lost, on its way to their plate: "+18" flies from the pieces to the seat.

There it stands for a moment where the plate has cards in hand, or a note. Name and score stay to be read. It knows
the surface and scenes. What was gained is told to it; it counts nothing. Screen readers hear of it elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from typing import Any, Final

from tabletin.app.table.beats import Gain
from tabletin.app.table.dom import NO_FRAME, Listeners, Node, calm, node
from tabletin.app.table.motion import LANDING
from tabletin.app.table.stage import Stage
from tabletin.board.scene import Plate, Point, card_key
from tabletin.kernel.faces import Card
from tabletin.words import figure

FLIGHT: Final = 620  # ms until it has come to the plate (gain.css)
SEEN: Final = 1600  # ms until it is gone
COUNTED: Final = 900  # ms until what is counted lies there, and what it won may leave
EDGE: Final = 42.0  # px from the edge of the table to its middle at least, where it begins
LINE: Final = 0.44  # of a plate's height: its lower line …
THIRD_LINE: Final = 0.3  # … the lowest of three
DIGIT: Final = 0.25  # of a plate's height: a digit of the score in that line
FACED: Final = 38.0  # px at the left of a large plate, where a bot's face is


@dataclass(slots=True)
class ShownGain:
    """A gain on the stage: its ``element``, the plate it makes room on, and the timer that takes it off."""

    element: Node
    plate: Node | None
    rest: int


class GainFlight:
    """Shows gains on ``stage``, one at a seat. ``on_landed`` is told of seats to whose plates theirs have come."""

    def __init__(self, stage: Stage, listeners: Listeners, on_landed: Callable[[Set[int]], None]) -> None:
        self._stage = stage
        self._listeners = listeners
        self._on_landed = on_landed
        self._late = 0  # timer, after which all have landed
        self._seconds = 0.0  # that those shown last need
        self._shown: dict[int, ShownGain] = {}  # by seat
        self._flying: set[int] = set()
        listeners.listen(stage.root, "animationend", self._ended)

    @property
    def flying(self) -> Set[int]:
        """The seats whose gains are on their way."""
        return self._flying

    @property
    def seconds(self) -> float:
        """From their start until all that fly have come to their plates; 0 where none does."""
        return self._seconds if self._flying else 0.0

    def show(self, gains: Iterable[Gain], cards: Iterable[Card]) -> None:
        """Let ``gains`` fly from where ``cards`` lie to their seats, once they lie there; from where they are counted, each as it
        is. What another seat won before flies on."""
        middle, scene = self._middle(cards), self._stage.scene
        plates = {plate.seat: plate for plate in scene.plates}
        longest = 0
        is_flying = False
        for gain in gains:
            if gain.seat in plates:
                self._clear(gain.seat)
                start = None if calm() else scene.won_at.get(gain.seat, middle)
                wait = self._wait(gain.seat)
                self._add(gain, plates[gain.seat], start, wait)
                if start is not None:
                    is_flying, longest = True, max(longest, wait)
                    self._flying.add(gain.seat)
        if is_flying:
            self._seconds = (FLIGHT + longest) / 1000
            self._listeners.forget(self._late)
            self._late = self._listeners.delay(self._seconds * 1000 + NO_FRAME, lambda: self._land(set(self._flying)))

    def _wait(self, seat: int) -> int:
        """The ms until what ``seat`` won leaves for its plate."""
        scene = self._stage.scene
        if calm():
            return 0
        if seat in scene.won_after:
            return max(LANDING, round(1000 * scene.won_after[seat]))
        if scene.won_at:
            return max(COUNTED, round(1000 * scene.count_seconds))
        return LANDING if self._stage.is_moving else 0

    def _ended(self, event: Any) -> None:
        """The browser has shown one at its plate. A hidden page shows none: there the clock tells."""
        seat = next((seat for seat, shown in self._shown.items() if shown.element == event.target), None)
        if seat is not None:
            self._land({seat})

    def _land(self, seats: Set[int]) -> None:
        landed = self._flying & seats
        if landed:
            self._flying -= landed
            self._on_landed(landed)

    def _add(self, gain: Gain, plate: Plate, start: Point | None, wait: int) -> None:
        (x, y), text = _corner(plate), figure(gain.points, plus=True)
        kind = "gain" + (" beside" if _is_left(plate) else "") + ("" if gain.is_good else " bad")
        element = node("span", kind, text, aria_hidden="true")
        style = element.style
        style.left, style.top = f"{x:.0f}px", f"{y:.0f}px"
        style.setProperty("--letters", str(len(text)))
        style.setProperty("--free", f"{_free(plate):.0f}px")
        style.setProperty("--line", f"{plate.rect.height * (THIRD_LINE if _has_three(plate) else LINE):.0f}px")
        if start is not None:
            wide = float(self._stage.root.clientWidth)
            dx, dy = min(max(start[0], EDGE), wide - EDGE) - x, start[1] - y
            half = "- 50%" if _is_left(plate) else "+ 50%"  # its middle begins there; it lies at the right of its corner, or left
            style.setProperty("--from", f"calc({dx:.0f}px {half}) calc({dy:.0f}px + 50%)")
            style.setProperty("--wait", f"{wait}ms")
            element.classList.add("flying")
        self._stage.root.append(element)
        seat = self._stage.element(plate.key)
        if seat is not None:  # what the plate says where the gain comes to rest is put away for as long
            seat.setAttribute("data-gain", "")
        rest = self._listeners.delay(SEEN + wait, lambda: self._clear(gain.seat))
        self._shown[gain.seat] = ShownGain(element, seat, rest)

    def _clear(self, seat: int) -> None:
        shown = self._shown.pop(seat, None)
        self._flying.discard(seat)
        if shown is not None:
            self._listeners.forget(shown.rest)
            shown.element.remove()
            if shown.plate is not None:
                shown.plate.removeAttribute("data-gain")

    def _middle(self, cards: Iterable[Card]) -> Point | None:
        """The middle of what of ``cards`` lies on the table, on the stage."""
        keys = {card_key(card) for card in cards}
        points = [self._stage.centre(piece) for piece in self._stage.scene.pieces if piece.key in keys]
        if not points:
            return None
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _corner(plate: Plate) -> Point:
    """Where it comes to rest, on the stage: at the foot of ``plate``, away from the score."""
    rect = plate.rect
    left = rect.x + (FACED if plate.large and plate.character else 6)
    return (left if _is_left(plate) else rect.right), rect.bottom


def _is_left(plate: Plate) -> bool:
    """Whether the score, and the count, stand at the right of its lower line."""
    return plate.large or "beside" in plate.flags


def _free(plate: Plate) -> float:
    """The px of width beside the score, on a large plate beside the count as well; below both where there are three lines."""
    rect = plate.rect
    if _has_three(plate):
        return rect.width - 6
    if plate.large:
        return rect.width * (0.5 if plate.count is None else 0.3)
    if "beside" in plate.flags:
        return rect.width * 0.5
    return rect.width - 6 - rect.height * DIGIT * (len(plate.score) + ("low" in plate.flags))


def _has_three(plate: Plate) -> bool:
    """Whether it has a line of its own for what is noted."""
    return "slim" in plate.flags
