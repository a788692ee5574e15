"""Draws scenes: keeps one element a piece for as long as it lies on the table, and has ``motion`` bring it to where the next
scene has it.

It knows scenes and the camera. It never knows a game or a match. Whatever did not change since the last scene is left alone:
two hundred pieces cost little. A piece that goes from the stage to the plane flies above both, and lands when it has arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import js

from tabletin.app.table.camera import Camera, fit, kept_in_reach, nearer, showing, steady
from tabletin.app.table.dom import Listeners, Node, calm, closest_key, focus, node
from tabletin.app.table.elements import PieceElement, PlaceElements, PlaneView, Surface, element_id
from tabletin.app.table.motion import Departures, Motion
from tabletin.app.table.roving_tabindex import RovingTabindex
from tabletin.board.reading_order import reading_order
from tabletin.board.scene import Heap, Key, Piece, Point, Rect, Scene, Spot, card_key, card_of
from tabletin.kernel.faces import Card

FLOURISH: Final = 900  # ms
DEALING: Final = "dealing"  # the class of a table whose cards are on their way: nothing is said of them yet
EDGE: Final = 2.0  # px of a place that the window's edge may hide
MARGIN: Final = 12.0  # px kept between what is brought into view and the window's edge


class Stage:
    """The table's surface inside ``root``. ``show`` draws a scene; ``camera`` says how the plane is seen."""

    def __init__(self, root: Node, listeners: Listeners) -> None:
        self.root = root
        self.window = node("div", "window")
        self._plane = node("div", "plane")
        self.window.append(self._plane)
        over = node("div", "over")
        root.append(self.window, over)
        self._listeners = listeners
        self._surface = Surface(root, self.window, self._plane, over)
        self._motion = Motion(self._surface, listeners)
        self._places = PlaceElements(self._plane, over)
        self._roving = RovingTabindex(self.element)
        self.own_camera = False  # the player panned or zoomed: it does not fit by itself
        self.by_touch = False  # fingers point: the view goes near to places that are small
        self._is_near = False
        self._stays_whole = False  # the player wants to see everything, though places are small so
        self._order: tuple[Key, ...] = ()
        self._camera_text = ""
        self._aimed_at: Rect | None = None
        self._lights_places = False  # places on the plane are lit that were not before

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._surface.scene

    @property
    def camera(self) -> Camera:
        return self._surface.camera

    @property
    def hand_key(self) -> Key:
        """The key of the piece in the player's hand, or ""."""
        return self._surface.hand_key

    @property
    def is_moving(self) -> bool:
        """Whether a piece is still on its way to its place."""
        return self._motion.is_under_way

    def on_landed(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever no piece is on its way any more."""
        def landed() -> None:
            self.root.classList.remove(DEALING)
            self._places.land()
            listener()

        self._motion.on_landed = landed

    # ---- drawing ----

    def show(self, scene: Scene, *, deal_from: Heap | None = None, one_by_one: bool = False, still: bool = False) -> None:
        """Draw ``scene``; then ``set_off``. ``deal_from``: pieces new to the table come from there, one after another;
        ``one_by_one``: they come one after another from wherever they were; ``still``: no motion."""
        self._motion.depart_now()
        before, self._surface.scene = self.scene, scene
        self._lights_places = not _lit(scene) <= _lit(before)
        self._motion.begin()
        self._plane.classList.toggle("slow", scene.glides)
        focused = self.focused_key()
        old_view = self._surface.view
        self._place_window(before, scene)
        if scene.window is not None:
            self._aim(scene)
        may_land = not (one_by_one or still or calm())
        lands = self._places.are_waiting or (may_land and self._comes_to_plane(before, scene, deal_from))
        self._places.show(scene, late=one_by_one and not calm(), lands=lands)
        self._draw_pieces(before, scene, old_view, deal_from, one_by_one=one_by_one, still=still, lands=lands)
        self._put_in_order(scene)
        self._rove(focused)

    def _comes_to_plane(self, before: Scene, scene: Scene, deal_from: Heap | None) -> bool:
        """Whether a piece of ``scene`` sets off for the plane, from the stage or from a heap."""
        for piece in scene.pieces:
            own = self._surface.pieces.get(piece.key)
            if piece.plane and piece.key != self.hand_key and (
                    not own.piece.plane if own is not None else deal_from is not None or _heap(before.resting, piece.key)):
                return True
        return False

    def _put_in_order(self, scene: Scene) -> None:
        """Tell screen readers in which order to meet what lies here."""
        order = reading_order(scene)
        if order != self._order:
            self._order = order
            self.root.setAttribute("aria-owns", " ".join(map(element_id, order)))

    def set_off(self) -> None:
        """What the scene moves departs."""
        self._motion.set_off()

    def _place_window(self, before: Scene, scene: Scene) -> None:
        if scene.window == before.window and self._camera_text:
            return
        style = self.window.style
        if scene.window is None:
            style.display = "none"
            return
        self._surface.plane_rect = scene.window
        x, y, width, height = scene.window
        style.display = ""
        style.left, style.top = f"{x:.1f}px", f"{y:.1f}px"
        style.width, style.height = f"{width:.1f}px", f"{height:.1f}px"

    def _aim(self, scene: Scene) -> None:
        assert scene.window is not None
        if self.own_camera:
            camera = kept_in_reach(self.camera, scene.bounds, scene.window)
        else:
            whole = camera = fit(scene.bounds, scene.window, scene.closest)
            if self.by_touch:
                camera = nearer(whole, [_box(spot) for spot in scene.spots if spot.plane], scene.window, scene.place_size)
            if camera is whole:
                self._stays_whole = False
            elif self._stays_whole:
                camera = whole
            is_near = camera is not whole
            if camera is whole and not self._is_near and self._aimed_at == scene.window:
                camera = steady(self.camera, camera, scene.bounds, scene.window)
            self._plane.classList.add("gliding")  # also under a finger that has just laid something
            self._is_near = is_near
        self._aimed_at = scene.window
        self._apply(camera)

    def _apply(self, camera: Camera) -> None:
        self._surface.camera = camera
        text = f"translate({camera.x:.2f}px,{camera.y:.2f}px) scale({camera.zoom:.4f})"
        if text != self._camera_text:
            self._camera_text = text
            style = self._plane.style
            style.transform = text
            style.setProperty("--zoom", f"{camera.zoom:.4f}")

    def _draw_pieces(self, before: Scene, scene: Scene, old_view: PlaneView, deal_from: Heap | None,
                     *, one_by_one: bool, still: bool, lands: bool) -> None:
        surface, motion = self._surface, self._motion
        moving: list[tuple[PieceElement, Piece]] = []
        arriving: list[tuple[PieceElement, Piece]] = []
        for piece in scene.pieces:
            own = surface.pieces.get(piece.key)
            if own is None:
                own = surface.pieces[piece.key] = PieceElement(piece)
                origin = deal_from if card_of(piece.key) is not None else None  # a die, or a picture beside, is not dealt
                origin = origin or _heap(before.resting, piece.key)
                if origin is not None and not still:
                    motion.hold(own, "over", surface.heap_transform(own, origin, old_view))
                    arriving.append((own, piece))
                else:
                    motion.settle(own, piece)
                    if lands and piece.plane:
                        self._places.hold_back(own.element)
            elif own.piece is not piece and own.piece != piece:
                changed_layer = own.piece.plane != piece.plane
                own.dress(piece, carried=piece.key == self.hand_key)
                if piece.key == self.hand_key:
                    own.piece = piece
                    continue
                if changed_layer and not piece.plane:
                    motion.hold(own, "over", surface.over_transform(own, own.piece, old_view))
                    arriving.append((own, piece))
                elif changed_layer and not still:
                    moving.append((own, piece))
                else:
                    motion.settle(own, piece)
                own.piece = piece
            elif own.flying and own.layer == "over":
                motion.place(own, surface.over_transform(own, piece))
        has_pictures = any("example" in piece.flags for piece in scene.pieces)  # which stand there with their words at once
        is_deal = 2 * len(arriving) > len(scene.pieces) and not has_pictures  # most of what lies there has just come
        self.root.classList.toggle(DEALING, is_deal and not one_by_one and not calm())
        arriving.sort(key=lambda pair: pair[1].key not in scene.in_view)
        motion.prepare(Departures(arriving, self._remove(scene, old_view, still=still), dealt=deal_from is not None or one_by_one,
                                  count_ms=1000 * scene.count_seconds,
                                  first_count=sum(piece.key in scene.in_view for _, piece in arriving)))
        for own, piece in moving:
            motion.fly(own, piece)

    def _remove(self, scene: Scene, old_view: PlaneView, *, still: bool) -> list[tuple[PieceElement, Heap]]:
        """Take off what lies there no more. What goes to a heap is returned, with its heap."""
        pieces = self._surface.pieces
        leaving: list[tuple[PieceElement, Heap]] = []
        for key in pieces.keys() - {piece.key for piece in scene.pieces}:
            own = pieces.pop(key)
            heap = _heap(scene.resting, key)
            own.element.removeAttribute("data-key")
            own.element.removeAttribute("id")
            if heap is None or still or (heap.drawing is None and own.piece.drawing.shows is not None):
                own.element.remove()
                continue
            if heap.drawing is not None:  # what lies there shows its back, and has no name any more
                own.draw(heap.drawing)
            own.element.className = "piece leaving"
            own.name.remove()
            self._motion.hold(own, "over", self._surface.over_transform(own, own.piece, old_view))
            leaving.append((own, heap))
        return leaving

    # ---- the focus ----

    @property
    def current(self) -> Key:
        """What the arrow keys walk from: the one thing here that Tab reaches."""
        return self._roving.current

    def element(self, key: Key) -> Node | None:
        """What takes the focus for a piece or spot."""
        own = self._surface.pieces.get(key)
        if own is not None:
            return own.name
        return self._places.element(key)

    def focused_key(self) -> Key:
        """The key of the piece or spot that has the focus, or ""."""
        active = js.document.activeElement
        return closest_key(active) if active and self.root.contains(active) else ""

    def stops(self) -> dict[Key, Point]:
        """Everything the keyboard can reach here, by its centre on the stage."""
        reached: tuple[Piece | Spot, ...] = (*(piece for piece in self.scene.pieces if piece.tap), *self.scene.spots)
        return {thing.key: self.centre(thing) for thing in reached}

    def centre(self, thing: Piece | Spot) -> Point:
        """Where the middle of ``thing`` is on the stage."""
        return self._surface.view.on_stage((thing.x, thing.y)) if thing.plane else (thing.x, thing.y)

    def focus(self, key: Key) -> bool:
        """Give ``key`` the focus and make it the one thing here that Tab reaches. Returns whether it is there."""
        element = self.element(key)
        if element is None or key not in self.stops():
            return False
        self._roving.move_to(key)
        self.bring_into_view(key)
        focus(element)
        return True

    def _rove(self, focused: Key) -> None:
        """One thing is in the order of Tab; a focus that lost its element goes to the scene's ``focus``."""
        stops = self.stops()
        self._roving.limit_to(stops, self.scene.focus)
        if (focused and focused not in stops) or js.document.activeElement == self.root:
            self.take_focus()

    def take_focus(self) -> None:
        """Have the focus here: on what arrow keys walk from, or on the table as such until there is something."""
        if not (self.current and self.focus(self.current)):
            focus(self.root)

    # ---- the camera ----

    def move_camera(self, camera: Camera, *, glide: bool = False) -> None:
        """The player moved the view: it stays there until ``fit``."""
        if self.scene.window is None:
            return
        self.own_camera = True
        self._plane.classList.toggle("gliding", glide)
        self._apply(kept_in_reach(camera, self.scene.bounds, self.scene.window))
        self._motion.follow_camera()

    def fit(self) -> None:
        """See everything again, and from now on by itself; while a piece is chosen, its places, too, only from afar."""
        self._stays_whole = not self.own_camera and self._is_near
        self.own_camera = False
        if self.scene.window is not None:
            self._plane.classList.add("gliding")
            self._aimed_at = None
            self._aim(self.scene)
            self._motion.follow_camera()

    @property
    def shows_part(self) -> bool:
        """Whether a part of the plane alone is in view: the player moved it, or it has come near by itself."""
        return self.own_camera or (self._is_near and self.scene.window is not None)

    def places_out_of_view(self) -> bool:
        """Whether places on the plane have just been lit that cannot all be seen whole, or none that is lit can be seen."""
        window = self.scene.window
        spots = [spot for spot in self.scene.spots if spot.plane]
        if window is None or not spots:
            return False
        if self._lights_places:
            return not all(_holds(window, self.centre(spot), spot.width * self.camera.zoom / 2 - EDGE) for spot in spots)
        return not any(window.holds(self.centre(spot)) for spot in spots)

    def bring_into_view(self, key: Key) -> None:
        """Pan as little as needed to see ``key`` whole, if it lies on the plane."""
        things: Iterable[Piece | Spot] = (*self.scene.pieces, *self.scene.spots)
        thing = next((item for item in things if item.key == key), None)
        if thing is None or not thing.plane or self.scene.window is None:
            return
        half = thing.width / 2
        margin = MARGIN if self.own_camera else -MARGIN  # who has not zoomed sees everything already
        camera = showing(self.camera, Rect(thing.x - half, thing.y - half, thing.width, thing.width), self.scene.window,
                         margin)
        if camera != self.camera:
            self.move_camera(camera, glide=True)

    # ---- a flourish ----

    def shine(self, cards: Iterable[Card]) -> None:
        """Let ``cards`` shine for a moment."""
        lit = [self._surface.pieces[card_key(card)] for card in cards if card_key(card) in self._surface.pieces]
        for own in lit:
            own.drawing.classList.add("shining")
            own.element.setAttribute("data-ring", "")

        def fade() -> None:
            for own in lit:
                own.drawing.classList.remove("shining")
                own.element.removeAttribute("data-ring")

        if lit:
            self._listeners.delay(FLOURISH, fade)

    # ---- carrying ----

    def lift(self, key: Key) -> bool:
        """Take ``key`` off the table, into the player's hand. Returns whether it is there."""
        self._motion.depart_now()
        own = self._surface.pieces.get(key)
        if own is None:
            return False
        self._surface.hand_key = key
        self._motion.hold(own, "over", self._surface.over_transform(own, own.piece))
        own.element.classList.add("carried")
        return True

    def carry(self, point: Point, scale: float = 1.0) -> None:
        """The carried piece follows to ``point`` of the stage."""
        own = self._surface.pieces.get(self.hand_key)
        if own is not None:
            own.transform = ""
            width = own.piece.width * (self.camera.zoom if own.piece.plane else 1.0) * scale
            own.style.transform = own.transform_at(*point, width, 0)

    def let_go(self) -> None:
        """Nothing is carried any more; the piece travels to where the scene has it."""
        own = self._surface.pieces.get(self.hand_key)
        self._surface.hand_key = ""
        if own is None:
            return
        own.element.classList.remove("carried")
        _ = self.root.offsetWidth
        own.element.classList.remove("still")
        if own.piece.plane:
            self._motion.fly(own, own.piece)
        else:
            self._motion.settle(own, own.piece)

    def mark_target(self, key: Key, old: Key) -> None:
        """``key`` is the place where the carried piece would go; ``old`` was."""
        for spot, on in ((old, False), (key, True)):
            element = self.element(spot) if spot else None
            if element is not None:
                element.classList.toggle("target", on)


def _box(spot: Spot) -> Rect:
    """Where ``spot`` lies, upright."""
    return Rect(spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height)


def _lit(scene: Scene) -> frozenset[Key]:
    """The places of ``scene`` that are lit on the plane."""
    return frozenset(spot.key for spot in scene.spots if spot.plane)


def _holds(window: Rect, point: Point, half: float) -> bool:
    """Whether what is ``half`` px to each side of ``point`` can be seen in ``window``."""
    return window.grow(-half).holds(point)


def _heap(heaps: Iterable[Heap], key: Key) -> Heap | None:
    """The heap that the piece ``key`` comes from or goes to."""
    return next((heap for heap in heaps if key in heap.keys), None)
