"""How pieces' elements get from one place to another: held, settled, flying, landing.

A scene is drawn in two steps: what is new or changes its layer is put where it starts, and departs with the next frame. This
knows the surface and its pieces. What a scene changed is ``stage``'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import js

from tabletin.app.table.dom import Listeners, Node, calm, focus, unseen
from tabletin.app.table.elements import PieceElement, Surface
from tabletin.board.scene import Heap, Piece

LANDING: Final = 300  # ms after which a flying piece belongs to the plane
DEAL_STEP: Final = 60  # ms between two cards of a deal
DEAL_MOST: Final = 900  # ms for all of them


@dataclass(slots=True)
class Departures:
    """What stands where it starts: pieces on their way to their places, pieces that leave to a heap. ``dealt``: one by one
    after the ``first_count`` first, which go together; ``count_ms``: in so much time, where that is not 0."""

    arriving: list[tuple[PieceElement, Piece]] = field(default_factory=list)
    leaving: list[tuple[PieceElement, Heap]] = field(default_factory=list)
    dealt: bool = False
    count_ms: float = 0.0
    first_count: int = 0


class Motion:
    """Moves the pieces of ``surface``."""

    def __init__(self, surface: Surface, listeners: Listeners) -> None:
        self._surface = surface
        self._listeners = listeners
        self.on_landed: Callable[[], None] = lambda: None  # called whenever nothing is on its way any more
        self._waiting = Departures()
        self._frame = 0  # in which those depart
        self._timer = 0  # until what flies lands
        self._leaving: list[Node] = []  # elements on their way to a heap
        self._delayed: list[PieceElement] = []  # cards of a deal that is under way
        self._landed: set[PieceElement] = set()  # what lies still until the browser has seen it there
        self._is_calm = False

    @property
    def is_under_way(self) -> bool:
        """Whether a piece is still on its way, or about to depart."""
        return bool(self._timer or self._waiting.arriving or self._waiting.leaving)

    # ---- departing ----

    def begin(self) -> None:
        """Another scene is about to be drawn. To be called before anything changes, or the browser lays the page out twice."""
        self._is_calm = calm()
        self._undelay()

    def prepare(self, departures: Departures) -> None:
        """These stand where they start, until ``set_off``."""
        self._waiting = departures

    def set_off(self) -> None:
        """What stands at its start departs with the next frame: the page is laid out then anyway, and not in the task that drew
        it."""
        if not (self._waiting.arriving or self._waiting.leaving):
            return
        if unseen():
            self._depart()
        else:
            self._frame = self._listeners.frame(self._depart)

    def depart_now(self) -> None:
        """What waits for a frame departs at once: something else is to be done with it."""
        if self._frame:
            self._listeners.forget_frame(self._frame)
            self._depart()

    def _depart(self) -> None:
        self._frame = 0
        departures, self._waiting = self._waiting, Departures()
        _ = self._surface.root.offsetWidth  # the browser must have seen where they start
        self._arrive(departures)
        self._leave(departures.leaving)
        if not self._timer:  # all of them travel within their layers
            self._land_later()

    def _arrive(self, departures: Departures) -> None:
        arriving = departures.arriving
        dealt = len(arriving) - departures.first_count
        each = (departures.count_ms or min(DEAL_STEP * dealt, DEAL_MOST)) / max(1, dealt)
        step = each if departures.dealt and not self._is_calm else 0
        for index, (own, piece) in enumerate(arriving, -departures.first_count):
            own.element.classList.remove("still")
            if step and index >= 0:
                own.style.transitionDelay = f"{step * index:.0f}ms"
                self._delayed.append(own)
            if piece.plane:
                self.fly(own, piece)
            else:
                self.settle(own, piece)
        if step:
            self._listeners.forget(self._timer)
            self._timer = self._listeners.delay(step * dealt + LANDING, self.land)

    def _undelay(self) -> None:
        """A deal is over, or is cut short."""
        while self._delayed:
            self._delayed.pop().style.transitionDelay = ""

    def _leave(self, leaving: list[tuple[PieceElement, Heap]]) -> None:
        for own, heap in leaving:
            own.element.classList.remove("still")
            self.place(own, self._surface.heap_transform(own, heap))
            self._leaving.append(own.element)
            self._land_later()

    # ---- where they are ----

    def place(self, own: PieceElement, transform: str) -> None:
        """The element is at ``transform`` within its layer."""
        if own.transform != transform:
            own.transform = transform
            own.style.transform = transform

    def _put(self, own: PieceElement, layer: str) -> None:
        """Make ``layer`` ("plane", "over") the parent of the element; the focus stays where it was."""
        if own.layer == layer:
            return
        own.layer = layer
        element = own.element
        had_focus = js.document.activeElement == own.name
        (self._surface.plane if layer == "plane" else self._surface.overlay).append(element)
        if had_focus:
            focus(own.name)

    def hold(self, own: PieceElement, layer: str, transform: str) -> None:
        """Put the element somewhere at once, without a journey."""
        own.flying = False
        own.element.classList.add("still")
        self._landed.discard(own)
        self._put(own, layer)
        self.place(own, transform)

    def settle(self, own: PieceElement, piece: Piece) -> None:
        """Let the element travel within the layer that its piece belongs to."""
        own.flying = False
        layer = "plane" if piece.plane else "over"
        if own.layer != layer:
            own.element.classList.add("still")
            self._landed.discard(own)
            self._put(own, layer)
        self.place(own, own.transform_at(piece.x, piece.y, piece.width, piece.turn))
        if "still" in own.element.className:
            self._land_later()

    def fly(self, own: PieceElement, piece: Piece) -> None:
        """Let the element travel over the stage to its place on the plane, and land there afterwards."""
        if self._is_calm:
            return self.settle(own, piece)
        own.element.classList.remove("still")
        own.flying = True
        self.place(own, self._surface.over_transform(own, piece))
        self._land_later()

    def follow_camera(self) -> None:
        """The camera has moved: what flies goes to where its place is now."""
        for own in self._surface.pieces.values():
            if own.flying:
                self.place(own, self._surface.over_transform(own, own.piece))

    # ---- landing ----

    def _land_later(self) -> None:
        self._listeners.forget(self._timer)
        self._timer = self._listeners.delay(LANDING, self.land)

    def land(self) -> None:
        """What still flies has arrived. It may travel again once the browser has seen it there."""
        self.depart_now()
        self._listeners.forget(self._timer)
        self._timer = 0
        self._undelay()
        for own in self._surface.pieces.values():
            if own.flying:
                piece = own.piece
                self.hold(own, "plane", own.transform_at(piece.x, piece.y, piece.width, piece.turn))
            if own.piece.key != self._surface.hand_key and "still" in own.element.className:
                self._landed.add(own)
        for element in self._leaving:
            element.remove()
        self._leaving.clear()
        if self._landed:
            if unseen():
                _ = self._surface.root.offsetWidth
                self._loosen()
            else:
                self._listeners.frame(lambda: self._listeners.delay(0, self._loosen))
        self.on_landed()

    def _loosen(self) -> None:
        while self._landed:
            self._landed.pop().element.classList.remove("still")
