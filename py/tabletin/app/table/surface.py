"""The table's surface on the page, as one value: its layers, the scene it shows, the camera, and every piece's element.

Two layers: the plane (behind a window, moved as a whole by the camera) and the stage itself, over it. The stage decides what
lies here, ``motion`` how it gets there. Nothing here moves anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletin.app.table.camera import Camera
from tabletin.app.table.dom import Node
from tabletin.app.table.piece import PieceElement
from tabletin.board.scene import Key, Piece, Point, Rect, Resting, Scene


@dataclass(slots=True)
class Surface:
    """``root`` holds ``window``, with ``plane`` in it, and ``over``. ``carried``: the key of the piece in a hand, "" for none."""

    root: Node
    window: Node
    plane: Node
    over: Node
    scene: Scene = field(default_factory=Scene)
    camera: Camera = field(default_factory=Camera)
    pieces: dict[Key, PieceElement] = field(default_factory=dict)
    carried: Key = ""

    def on_stage(self, point: Point, camera: Camera) -> Point:
        """Where ``point`` of the plane appears on the stage, seen with ``camera``."""
        x, y = camera.to_window(point)
        window = self.scene.window or Rect(0, 0, 0, 0)
        return x + window.x, y + window.y

    def over_transform(self, own: PieceElement, piece: Piece, camera: Camera) -> str:
        """Where ``piece`` appears on the stage, whichever layer it belongs to."""
        if not piece.plane:
            return own.at(piece.x, piece.y, piece.width, piece.turn)
        x, y = self.on_stage((piece.x, piece.y), camera)
        return own.at(x, y, piece.width * camera.zoom, piece.turn)

    def heap_transform(self, own: PieceElement, heap: Resting, camera: Camera) -> str:
        """Where the element would lie on top of ``heap``, on the stage."""
        if not heap.plane:
            return own.at(*heap.at, heap.width, 0)
        return own.at(*self.on_stage(heap.at, camera), heap.width * camera.zoom, 0)
