"""Where pieces' elements are, and how they get somewhere else: held, settled, flying, landing.

A scene is drawn in two steps: what is new or changes its layer is put where it starts, and sets off with the next frame. It knows
pieces, heaps and the camera; what a scene changed is ``stage``'s.
"""

from __future__ import annotations

from typing import Final

import js

from tabletin.app.table.camera import Camera
from tabletin.app.table.dom import Listeners, Node, focus, node, unseen
from tabletin.app.table.piece import PieceElement
from tabletin.board.scene import Key, Piece, Point, Rect, Resting, Scene

LANDING: Final = 300  # ms after which a flying piece belongs to the plane
DEAL_STEP: Final = 60  # ms between two cards of a deal
DEAL_MOST: Final = 900  # ms for all of them


class Motion:
    """The layers of the table's surface inside ``root`` and the pieces on them."""

    def __init__(self, root: Node, wires: Listeners) -> None:
        self.root = root
        self._wires = wires
        self.window = node("div", "window")
        self.plane = node("div", "plane")
        self.window.append(self.plane)
        self.over = node("div", "over")
        root.append(self.window, self.over)
        self.scene = Scene()
        self.camera = Camera()
        self.carried: Key = ""
        self._pieces: dict[Key, PieceElement] = {}
        self._timer = 0
        self._frame = 0  # in which what stands at its start sets off
        self._leaving: list[Node] = []
        self._dealt: list[PieceElement] = []
        self._landed: set[PieceElement] = set()  # what lies still until the browser has seen it there
        self._calm = False
        self._starting: tuple[list[tuple[PieceElement, Piece]], list[tuple[PieceElement, Resting]], bool] = [], [], False

    # ---- setting off ----

    def set_off(self) -> None:
        """What ``show`` has put where it starts sets off with the next frame: the page is laid out then anyway, and not in the
        task that drew it."""
        arriving, leaving, _ = self._starting
        if not (arriving or leaving):
            return
        if unseen():
            self._off()
        else:
            self._frame = self._wires.frame(self._off)

    def _off(self) -> None:
        self._frame = 0
        (arriving, leaving, dealt), self._starting = self._starting, ([], [], False)
        _ = self.root.offsetWidth  # the browser must have seen where they start
        self._arrive(arriving, dealt=dealt)
        self._leave(leaving)

    def _off_at_last(self) -> None:
        """What waits for a frame sets off now: something else is to be done with it."""
        if self._frame:
            self._wires.forget_frame(self._frame)
            self._off()

    def _arrive(self, arriving: list[tuple[PieceElement, Piece]], *, dealt: bool) -> None:
        step = min(DEAL_STEP, DEAL_MOST / max(1, len(arriving))) if dealt and not self._calm else 0
        for index, (own, piece) in enumerate(arriving):
            own.element.classList.remove("still")
            if step:
                own.style.transitionDelay = f"{step * index:.0f}ms"
                self._dealt.append(own)
            if piece.plane:
                self._fly(own, piece)
            else:
                self._settle(own, piece)
        if step:
            self._wires.forget(self._timer)
            self._timer = self._wires.later(step * len(arriving) + LANDING, self.land)

    def _undelay(self) -> None:
        """A deal is over, or somebody cannot wait for its end."""
        while self._dealt:
            self._dealt.pop().style.transitionDelay = ""

    def _leave(self, leaving: list[tuple[PieceElement, Resting]]) -> None:
        for own, rest in leaving:
            own.element.classList.remove("still")
            self._move(own, self._resting_transform(own, rest, self.camera))
            self._leaving.append(own.element)
            self._later()

    # ---- where they are ----

    def _over_transform(self, own: PieceElement, piece: Piece, camera: Camera) -> str:
        """Where ``piece`` appears on the stage, whichever layer it belongs to."""
        if not piece.plane:
            return own.at(piece.x, piece.y, piece.width, piece.turn)
        x, y = self._on_stage((piece.x, piece.y), camera)
        return own.at(x, y, piece.width * camera.zoom, piece.turn)

    def _resting_transform(self, own: PieceElement, origin: Resting, camera: Camera) -> str:
        if not origin.plane:
            return own.at(*origin.at, origin.width, 0)
        return own.at(*self._on_stage(origin.at, camera), origin.width * camera.zoom, 0)

    def _on_stage(self, point: Point, camera: Camera) -> Point:
        x, y = camera.to_window(point)
        window = self.scene.window or Rect(0, 0, 0, 0)
        return x + window.x, y + window.y

    def _move(self, own: PieceElement, transform: str) -> None:
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
        (self.plane if layer == "plane" else self.over).append(element)
        if had_focus:
            focus(own.name)

    def _hold(self, own: PieceElement, layer: str, transform: str) -> None:
        """Put the element somewhere at once, without a journey."""
        own.flying = False
        own.element.classList.add("still")
        self._landed.discard(own)
        self._put(own, layer)
        self._move(own, transform)

    def _settle(self, own: PieceElement, piece: Piece) -> None:
        """Let the element travel within the layer that its piece belongs to."""
        own.flying = False
        layer = "plane" if piece.plane else "over"
        if own.layer != layer:
            own.element.classList.add("still")
            self._landed.discard(own)
            self._put(own, layer)
        self._move(own, own.at(piece.x, piece.y, piece.width, piece.turn))
        if "still" in own.element.className:
            self._later()

    def _fly(self, own: PieceElement, piece: Piece) -> None:
        """Let the element travel over the stage to its place on the plane, and land there afterwards."""
        if self._calm:
            return self._settle(own, piece)
        own.element.classList.remove("still")
        own.flying = True
        self._move(own, self._over_transform(own, piece, self.camera))
        self._later()

    def _later(self) -> None:
        self._wires.forget(self._timer)
        self._timer = self._wires.later(LANDING, self.land)

    def land(self) -> None:
        """Whatever still flies has arrived. It may travel again once the browser has seen it there."""
        self._off_at_last()
        self._undelay()
        for own in self._pieces.values():
            if own.flying:
                piece = own.piece
                self._hold(own, "plane", own.at(piece.x, piece.y, piece.width, piece.turn))
            if own.piece.key != self.carried and "still" in own.element.className:
                self._landed.add(own)
        for element in self._leaving:
            element.remove()
        self._leaving.clear()
        if not self._landed:
            return
        if unseen():
            _ = self.root.offsetWidth
            self._loosen()
        else:
            self._wires.frame(lambda: self._wires.later(0, self._loosen))

    def _loosen(self) -> None:
        while self._landed:
            self._landed.pop().element.classList.remove("still")
