"""Fingers, mouse and wheel on the stage: taps, carrying pieces, panning, pinching, zooming.

It knows the stage and what a tap hits; what a tap means is for ``Hands`` to say. Mouse, touch and screen readers all make
clicks, so a tap is heard as a click, and pointers only where something moves.
"""

from __future__ import annotations

from math import exp, hypot
from typing import Any, Final, Protocol

from tabletin.app.table.camera import COMFORT, closer
from tabletin.app.table.dom import Listeners, closest_key
from tabletin.app.table.stage import Stage
from tabletin.board.scene import Key, Point, Rect, Spot

SLOP: Final = 7.0  # px a pointer may wander and still tap
REACH: Final = 40.0  # px from the edge of a place on the stage that still hit it
NEAR: Final = 14.0  # … of a place on the plane, where the next place may be close by;
SHARE: Final = 0.25  # … or this much of its width
FINGER: Final = 34.0  # px a carried piece is held above a finger, so that it is seen
HITTABLE: Final = 30.0  # px: smaller places are zoomed to by the first touch, if it might have meant another one
SURE: Final = 44.0  # px from the middle of a place to that of the next: a touch means the nearer one
READABLE: Final = 60.0  # px: a smaller piece comes near when it is tapped


class Hands(Protocol):
    """What the player's pointers did, for the table."""

    def tap(self, key: Key) -> None: ...
    def pick(self, key: Key) -> None: ...
    def drop(self, key: Key, spot: Key) -> None: ...
    def miss(self, key: Key, point: Point, *, plane: bool) -> None: ...
    def on_view_moved(self) -> None: ...
    def hurry(self) -> None: ...


class Pointer:
    """Listens on ``stage`` and calls ``hands``."""

    def __init__(self, stage: Stage, hands: Hands, listeners: Listeners) -> None:
        self._stage = stage
        self._hands = hands
        self._down: dict[int, Point] = {}  # pointers on the stage, where they are
        self._start: Point = (0, 0)
        self._key: Key = ""  # the piece under the first pointer, if it can be carried
        self._mode = ""  # "", "carry", "pan", "pinch"
        self._target: Key = ""
        self._touch = False
        self._close = False  # zoomed to a small place by ourselves, for the next tap
        self._swallow = False  # the click that ends a drag is none
        self._clicked_key: Key = ""  # by the last click: a double click is one
        root = stage.root
        for kind, handler in (("pointerdown", self._pressed), ("pointermove", self._moved),
                              ("pointerup", self._released), ("pointercancel", self._cancelled),
                              ("click", self._clicked)):
            listeners.listen(root, kind, handler)
        listeners.listen(root, "wheel", self._wheeled, passive=False)

    # ---- where ----

    def _point(self, event: Any) -> Point:
        box = self._stage.root.getBoundingClientRect()
        return event.clientX - box.left, event.clientY - box.top

    def _window(self) -> Rect | None:
        return self._stage.scene.window

    def _spot_at(self, point: Point, most: float = REACH) -> Key:
        """The place that something let go at ``point`` falls on, at most ``most`` px from its edge, or ""."""
        best, found = most, ""
        stage = self._stage
        window = self._window()
        for spot in stage.scene.spots:
            if spot.plane and (window is None or not window.holds(point)):
                continue
            x, y = stage.centre(spot)
            scale = stage.camera.zoom if spot.plane else 1.0
            dx = max(0.0, abs(point[0] - x) - spot.width * scale / 2)
            dy = max(0.0, abs(point[1] - y) - spot.height * scale / 2)
            reach = max(NEAR, SHARE * spot.width * scale) if spot.plane else REACH
            if spot.strict and self._mode == "carry":
                reach = SLOP
            far = hypot(dx, dy) + 0.01 * hypot(point[0] - x, point[1] - y)
            if far < min(best, reach):
                best, found = far, spot.key
        return found

    # ---- pointers ----

    def _pressed(self, event: Any) -> None:
        if event.button != 0 or event.target.closest("button"):
            return
        self._hands.hurry()
        point = self._point(event)
        self._touch = self._stage.by_touch = event.pointerType != "mouse"
        self._down[event.pointerId] = point
        self._swallow = False
        if len(self._down) == 1:
            self._start = point
            self._mode = ""
            carrier = event.target.closest(".can-drag")
            self._key = closest_key(carrier) if carrier else ""
        elif len(self._down) == 2 and self._window() is not None:
            self._drop_carried()
            self._mode = "pinch"

    def _moved(self, event: Any) -> None:
        last = self._down.get(event.pointerId)
        if last is None:
            return
        point = self._point(event)
        if not self._mode and hypot(point[0] - self._start[0], point[1] - self._start[1]) > SLOP:
            self._begin(event.pointerId)
        if self._mode == "carry":
            self._carry(point)
        elif self._mode == "pan":
            camera = self._stage.camera
            self._stage.move_camera(camera.pan(point[0] - last[0], point[1] - last[1]))
        elif self._mode == "pinch":
            self._pinch(event.pointerId, last, point)
        self._down[event.pointerId] = point

    def _begin(self, pointer: int) -> None:
        """A pointer has wandered too far for a tap."""
        window = self._window()
        if self._key:
            self._mode = "carry"
            self._hands.pick(self._key)
            self._stage.lift(self._key)
        elif window is not None and window.holds(self._start):
            self._mode = "pan"
        else:
            return
        self._swallow = True
        self._stage.root.setPointerCapture(pointer)

    def _carry(self, point: Point) -> None:
        held = (point[0], point[1] - FINGER) if self._touch else point
        self._stage.carry(held)
        target = self._spot_at(held)
        if target != self._target:
            self._stage.mark_target(target, self._target)
            self._target = target

    def _pinch(self, pointer: int, last: Point, point: Point) -> None:
        other = next((at for which, at in self._down.items() if which != pointer), None)
        window = self._window()
        if other is None or window is None:
            return
        before, after = hypot(last[0] - other[0], last[1] - other[1]), hypot(point[0] - other[0], point[1] - other[1])
        middle = (point[0] + other[0]) / 2 - window.x, (point[1] + other[1]) / 2 - window.y
        camera = self._stage.camera.pan((point[0] - last[0]) / 2, (point[1] - last[1]) / 2)
        self._swallow = True
        self._stage.move_camera(camera.zoom_by(after / max(before, 1), middle))
        self._hands.on_view_moved()

    def _released(self, event: Any) -> None:
        if event.pointerId not in self._down:
            return
        point = self._point(event)
        del self._down[event.pointerId]
        mode, key, target = self._mode, self._key, self._target
        if mode == "carry":
            held = (point[0], point[1] - FINGER) if self._touch else point
            self._drop_carried()
            if target:
                self._hands.drop(key, target)
            else:
                self._missed(key, held)
        elif mode == "pan":
            self._hands.on_view_moved()
        if not self._down or mode == "carry":
            self._mode = ""
            self._key = ""

    def _cancelled(self, event: Any) -> None:
        self._down.pop(event.pointerId, None)
        self._drop_carried()
        if not self._down:
            self._mode = ""

    def _drop_carried(self) -> None:
        if self._mode == "carry":
            self._stage.mark_target("", self._target)
            self._target = ""
            self._stage.let_go()

    def _missed(self, key: Key, point: Point) -> None:
        window = self._window()
        if window is not None and window.holds(point):
            inside = point[0] - window.x, point[1] - window.y
            self._hands.miss(key, self._stage.camera.to_plane(inside), plane=True)
        else:
            self._hands.miss(key, point, plane=False)

    # ---- taps ----

    def _clicked(self, event: Any) -> None:
        if self._swallow:
            self._swallow = False
            return
        if event.target.closest("button"):
            return
        stage = self._stage
        key = closest_key(event.target)
        if key not in stage.stops():
            point = self._point(event)
            on_piece = bool(event.target.closest(".piece"))
            key = self._spot_at(point, SLOP if on_piece else REACH if self._touch else REACH / 2)
            if not key:
                if stage.scene.spots:
                    self._missed("", point)
                else:
                    self._look_closer(closest_key(event.target))
                return
        if (event.detail > 1 and not self._touch and key == self._clicked_key) or (event.detail and self._passes(key, event)):
            return
        self._clicked_key = key
        spot = next((spot for spot in stage.scene.spots if spot.key == key), None)
        if spot is not None and spot.plane and self._touch and event.detail and self._zoom_first(spot):
            return
        self._hands.tap(key)
        if self._close and spot is not None:  # what was zoomed to is done: see everything again
            self._close = False
            self._stage.fit()
            self._hands.on_view_moved()

    def _passes(self, key: Key, event: Any) -> bool:
        """Whether the piece was met on its way to somewhere else: what lay there before was meant."""
        piece = next((piece for piece in self._stage.scene.pieces if piece.key == key and not piece.plane), None)
        if piece is None or not self._stage.is_moving:
            return False
        x, y = self._point(event)
        return hypot(x - piece.x, y - piece.y) > hypot(piece.width, piece.width * piece.drawing.height / piece.drawing.width)

    def _look_closer(self, key: Key) -> None:
        """A piece on the plane too small to be read comes near; tapped again, everything is shown."""
        stage, window = self._stage, self._window()
        piece = next((piece for piece in stage.scene.pieces if piece.key == key and piece.plane), None)
        if piece is None or window is None:
            return
        if stage.own_camera:
            stage.fit()
        elif piece.width * stage.camera.zoom < READABLE:
            stage.move_camera(closer(stage.camera, (piece.x, piece.y), window, READABLE * 1.5 / piece.width), glide=True)
        self._hands.on_view_moved()

    def _zoom_first(self, spot: Spot) -> bool:
        """Zoom to a place too small for a finger and too near to another one. Returns whether that was needed."""
        stage, window = self._stage, self._window()
        if window is None or spot.width * stage.camera.zoom >= HITTABLE:
            return False
        at = stage.centre(spot)
        others = [stage.centre(other) for other in stage.scene.spots if other.plane and other.key != spot.key]
        if all(hypot(at[0] - x, at[1] - y) >= SURE for x, y in others):
            return False
        self._close = not stage.own_camera
        stage.move_camera(closer(stage.camera, (spot.x, spot.y), window, COMFORT / spot.width), glide=True)
        self._hands.on_view_moved()
        return True

    def _wheeled(self, event: Any) -> None:
        window = self._window()
        point = self._point(event)
        if window is None or not window.holds(point):
            return
        event.preventDefault()
        lines = 16 if event.deltaMode else 1
        factor = exp(-event.deltaY * lines * (0.01 if event.ctrlKey else 0.0016))
        self._stage.move_camera(self._stage.camera.zoom_by(factor, (point[0] - window.x, point[1] - window.y)))
        self._hands.on_view_moved()
