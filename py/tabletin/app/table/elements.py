"""What lies on the table, as elements: an element for each piece, place, seat, area and label, and the surface that holds them.

A piece is laid out at one size and scaled, so it travels and grows by transform alone. Its name is an element of its own, next
to the drawing: it takes the focus, and no lettering in the drawing can contradict the name. This knows scenes and elements,
never a game or a match. What is drawn is ``stage``'s, how a piece gets to its place ``motion``'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tabletin.app.table.camera import Camera
from tabletin.app.table.dom import Node, node, running_since, stop_clock
from tabletin.app.table.letter_size import letters_in_line
from tabletin.board.portraits import portrait
from tabletin.board.scene import (
    CLOSED_CARD,
    NOWHERE,
    Drawing,
    Heap,
    Key,
    Label,
    Piece,
    Plate,
    Point,
    Rect,
    Scene,
    Spot,
    Zone,
)

OUTLINE: Final = 100.0  # px a piece is laid out with; everything else is scale
PICTURES: Final = 256  # drawings kept parsed, so that the browser need not parse a face again when it comes back

Thing: TypeAlias = Zone | Label | Plate | Spot


def element_id(key: Key) -> str:
    """The id of the element of what has ``key``."""
    return f"on-table-{key}"


def classes(kind: str, flags: Iterable[str]) -> str:
    """The class names of something of ``kind`` with ``flags``."""
    return kind + "".join(f" is-{flag}" for flag in flags)


class PlaneView(NamedTuple):
    """How a plane is seen: with ``camera``, at ``window`` on the stage."""

    camera: Camera
    window: Rect

    def on_stage(self, point: Point) -> Point:
        """Where ``point`` of the plane appears on the stage."""
        x, y = self.camera.to_window(point)
        return x + self.window.x, y + self.window.y


@dataclass(slots=True)
class Surface:
    """The table's surface as one value: its layers, the scene it shows, the camera, and every piece's element.

    ``root`` holds ``window``, with ``plane`` in it, and ``overlay``. ``plane_rect``: where the plane is on the stage, or was
    last. ``hand_key``: the key of the piece in a hand, "" for none."""

    root: Node
    window: Node
    plane: Node
    overlay: Node
    scene: Scene = field(default_factory=Scene)
    camera: Camera = field(default_factory=Camera)
    plane_rect: Rect = NOWHERE
    pieces: dict[Key, PieceElement] = field(default_factory=dict)
    hand_key: Key = ""

    @property
    def view(self) -> PlaneView:
        """How the plane is seen now, or was where the scene has none."""
        return PlaneView(self.camera, self.plane_rect)

    def over_transform(self, own: PieceElement, piece: Piece, view: PlaneView | None = None) -> str:
        """Where ``piece`` appears on the stage, whichever layer it belongs to; ``view``: how the plane is or
        was seen, by default as it is now."""
        if not piece.plane:
            return own.transform_at(piece.x, piece.y, piece.width, piece.turn)
        view = view or self.view
        x, y = view.on_stage((piece.x, piece.y))
        return own.transform_at(x, y, piece.width * view.camera.zoom, piece.turn)

    def heap_transform(self, own: PieceElement, heap: Heap, view: PlaneView | None = None) -> str:
        """Where the element would lie on top of ``heap``, on the stage; ``view`` likewise."""
        if not heap.plane:
            return own.transform_at(*heap.point, heap.width, 0)
        view = view or self.view
        return own.transform_at(*view.on_stage(heap.point), heap.width * view.camera.zoom, 0)


# ---- pieces ----


class PieceElement:
    """A piece's element and the piece it shows. ``layer``: "plane", "over" or "" before it lies anywhere."""

    __slots__ = ("drawing", "element", "flying", "height", "layer", "name", "piece", "style", "transform", "width")

    def __init__(self, piece: Piece) -> None:
        self.element = node("div", "piece still")
        self.element.setAttribute("data-key", piece.key)
        self.element.id = element_id(piece.key)
        self.drawing = node("div", "drawing")
        self.name = node("div", "name")
        self.element.append(self.drawing, self.name)
        self.style = self.element.style
        self.piece = piece
        self.transform = ""
        self.flying = False
        self.layer = ""
        self.width = OUTLINE
        self._shape(piece.drawing)
        self.style.width = f"{self.width:.0f}px"
        self.draw(piece.drawing)
        self.dress(piece, new=True)

    def _shape(self, drawing: Drawing) -> None:
        self.height = OUTLINE * drawing.height / drawing.width
        self.style.height = f"{self.height:.1f}px"

    def draw(self, drawing: Drawing) -> None:
        """Show this side."""
        self.drawing.replaceChildren(_picture(drawing).cloneNode(True))
        if drawing.corner:
            self.element.setAttribute("data-corner", drawing.corner)
        else:
            self.element.removeAttribute("data-corner")

    def dress(self, piece: Piece, *, new: bool = False, carried: bool = False) -> None:
        """Everything about the element but where it is, as ``piece`` has it and ``self.piece`` had it."""
        old, element = self.piece, self.element
        if not new and old.drawing is not piece.drawing:
            if old.drawing.height * piece.drawing.width != piece.drawing.height * old.drawing.width:
                self._shape(piece.drawing)
            self.draw(piece.drawing)
        if new or (old.flags, old.tap, old.drag) != (piece.flags, piece.tap, piece.drag):
            still = " still" if element.classList.contains("still") else ""
            element.className = (classes("piece", piece.flags) + (" can-tap" if piece.tap else "")
                                 + (" can-drag" if piece.drag else "") + still + (" carried" if carried else ""))
        if new or old.z != piece.z:
            self.style.zIndex = str(piece.z)
        self._name(piece, new=new)

    def _name(self, piece: Piece, *, new: bool) -> None:
        old, name = self.piece, self.name
        if new or old.tap != piece.tap:
            name.setAttribute("role", "button" if piece.tap else "img")
            if not piece.tap:
                name.removeAttribute("tabindex")
                name.removeAttribute("aria-pressed")
        if new or old.label != piece.label:
            if piece.label:
                name.setAttribute("aria-label", piece.label)
                name.removeAttribute("hidden")
            else:
                name.setAttribute("hidden", "")
                name.removeAttribute("aria-label")
        if piece.tap and piece.pressed is not None and (new or old.pressed != piece.pressed or not old.tap):
            name.setAttribute("aria-pressed", "true" if piece.pressed else "false")

    def transform_at(self, x: float, y: float, width: float, turn: float) -> str:
        """The transform with which it lies centred on (x, y), ``width`` wide and turned by ``turn`` degrees."""
        turned = f" rotate({turn:g}deg)" if turn else ""
        return (f"translate({x - self.width / 2:.2f}px,{y - self.height / 2:.2f}px){turned} "
                f"scale({width / self.width:.4f})")


@lru_cache(maxsize=PICTURES)
def _picture(drawing: Drawing) -> Node:
    """``drawing`` as an element, to be copied."""
    holder = node("div")
    holder.innerHTML = (f'<svg viewBox="0 0 {drawing.width:g} {drawing.height:g}" aria-hidden="true" '
                        f'focusable="false">{drawing.markup}</svg>')
    return holder.firstElementChild


# ---- all else ----


class PlaceElements:
    """The elements of a scene's things: those on the plane inside ``plane``, the others inside ``over``."""

    def __init__(self, plane: Node, over: Node) -> None:
        self._plane = plane
        self._over = over
        self._known: dict[Key, tuple[Node, Thing]] = {}
        self._coming: list[Node] = []  # not seen until what is on its way has landed …
        self._going: list[Node] = []  # … and seen until then

    def element(self, key: Key) -> Node | None:
        known = self._known.get(key)
        return known[0] if known else None

    @property
    def are_waiting(self) -> bool:
        """Whether anything waits for a landing."""
        return bool(self._coming or self._going)

    def hold_back(self, element: Node) -> None:
        """``element`` is seen once what is on its way has landed."""
        element.setAttribute("data-coming", "")
        self._coming.append(element)

    def hold_on(self, element: Node) -> None:
        """``element``, which nothing stands for any more, is seen until then."""
        element.removeAttribute("data-key")
        element.removeAttribute("id")
        self._going.append(element)

    def land(self) -> None:
        """What was on its way has landed."""
        for element in self._coming:
            element.setAttribute("data-coming", "seen")
        for element in self._going:
            element.remove()
        self._coming, self._going = [], []

    def show(self, scene: Scene, *, late: bool = False, lands: bool = False) -> None:
        """Have exactly the things of ``scene``; what did not change is left alone. ``late``: words that count what comes piece by
        piece are seen once it is there. ``lands``: a piece comes to the plane, and words that change there do with it."""
        things = self._known
        present = set()
        for thing in _things(scene):
            present.add(thing.key)
            known = things.get(thing.key)
            if known is not None and known[1] == thing:
                continue
            if known is not None and (type(known[1]) is not type(thing) or _on_plane(known[1]) != _on_plane(thing)):
                known[0].remove()
                known = None
            waits = lands and isinstance(thing, Label) and thing.plane and not (
                known and (known[0] in self._coming or _is_alike(known[1], thing)))
            if known is not None and waits:
                self.hold_on(known[0])
                known = None
            element = known[0] if known else node("div")
            if waits:
                self.hold_back(element)
            if isinstance(thing, Spot):
                _draw_spot(element, thing, new=known is None)
            elif isinstance(thing, Plate):
                _draw_plate(element, thing)
            elif isinstance(thing, Label):
                _draw_label(element, thing, late=late)
                if known is None and thing.kind == "clock":
                    element.style.setProperty("--since", f"-{running_since(thing.key):.2f}s")
            else:
                _draw_zone(element, thing)
            if known is None:
                element.setAttribute("data-key", thing.key)
                element.id = element_id(thing.key)
                (self._plane if _on_plane(thing) else self._over).append(element)
            things[thing.key] = element, thing
        for key in things.keys() - present:
            element, thing = things.pop(key)
            if lands and isinstance(thing, Label) and thing.plane and element not in self._coming:
                self.hold_on(element)
            else:
                element.remove()
            if isinstance(thing, Label) and thing.kind == "clock":
                stop_clock(key)


def _things(scene: Scene) -> Iterable[Thing]:
    yield from scene.zones
    yield from scene.labels
    yield from scene.plates
    yield from scene.spots


def _is_alike(before: Thing, label: Label) -> bool:
    """Whether ``label`` says what ``before`` said, and has but made room."""
    return isinstance(before, Label) and (before.text, before.kind) == (label.text, label.kind)


def _on_plane(thing: Thing) -> bool:
    return not isinstance(thing, Plate) and thing.plane


def _box(element: Node, x: float, y: float, width: float, height: float, turn: float = 0.0) -> None:
    style = element.style
    turned = f" rotate({turn:g}deg)" if turn else ""
    style.transform = f"translate({x:.2f}px,{y:.2f}px){turned}"
    style.width, style.height = f"{width:.1f}px", f"{height:.1f}px"


def _write(element: Node, text: str) -> None:
    """``text`` in ``element``, with the small back of a card for each ``CLOSED_CARD``."""
    first, *others = text.split(CLOSED_CARD)
    element.textContent = first
    for words in others:
        element.append(node("span", "small-back"), node("span", "", words))


def _points(text: str) -> Node:
    """What a lay would score, as the style sheet writes it: the name of its place has it in words of its own."""
    first, *others = text.split(CLOSED_CARD)
    points = node("span", "points", data_words=first)
    for words in others:
        points.append(node("span", "small-back"), node("span", data_words=words))
    return points


LINES_SHARE: Final = 0.42  # of a place's height that several lines in it take at most, …
LINE_HEIGHT: Final = 1.2  # … how high each is to its letters, as web/styles/table/places.css has it, …
LARGER_LINE: Final = 0.4  # … and what the first is higher


def _draw_spot(element: Node, spot: Spot, *, new: bool) -> None:
    element.className = classes("spot on-plane" if spot.plane else "spot", spot.flags)
    _box(element, spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height, spot.turn)
    if new:
        element.setAttribute("role", "button")
        element.setAttribute("tabindex", "-1")
    element.setAttribute("aria-label", spot.label)
    element.textContent = spot.text
    if spot.points:
        element.append(_points(spot.points))
    in_a_line = spot.text.split() or spot.points.split("\n")
    if spot.text or spot.points:  # they are no wider than it is, or than they may be
        element.style.setProperty("--width", f"{spot.points_width or spot.width:.1f}px")
        element.style.setProperty("--letters", str(max(map(len, in_a_line))))
    if "\n" in spot.points:  # several lines leave the corner of what lies there free
        element.classList.add("has-lines")
        most = LINES_SHARE * spot.height / (LINE_HEIGHT * (len(in_a_line) + LARGER_LINE) + 0.5)
        element.style.setProperty("--highest", f"{most:.1f}px")
    else:
        element.style.removeProperty("--highest")


def _draw_zone(element: Node, zone: Zone) -> None:
    element.className = classes(f"zone {zone.kind}", zone.flags)
    _box(element, *zone.rect)
    if zone.label and not zone.quiet:
        element.setAttribute("role", "img")
        element.setAttribute("aria-label", zone.label)


ANCHORS: Final[Mapping[str, str]] = {"": "-50%", "start": "0", "end": "-100%"}


def _draw_label(element: Node, label: Label, *, late: bool) -> None:
    element.className = f"label {label.kind}"
    if late and label.delay:
        element.classList.add("late")
        element.style.setProperty("--delay", f"{label.delay:.2f}s")
    turned = f" rotate({label.turn:g}deg)" if label.turn else ""
    element.style.transform = f"translate({label.x:.1f}px,{label.y:.1f}px) translate({ANCHORS[label.anchor]},-50%){turned}"
    _write(element, label.text)
    if label.speech:
        element.setAttribute("role", "img")
        element.setAttribute("aria-label", label.speech)
    else:
        element.setAttribute("aria-hidden", "true")


PLATE_PARTS: Final[Mapping[str, str]] = {"name": "plate-name", "score": "plate-score", "note": "plate-note"}


def _draw_plate(element: Node, plate: Plate) -> None:
    kind = "plate" + (" active" if plate.active else "") + (" you" if plate.you else "") \
        + (" thinking" if plate.thinking else "") + (" large" if plate.large else "") \
        + (" readable" if plate.readable else "") + (" noted" if plate.note else "") \
        + (" drawn" if plate.character else "") + (" counted" if plate.count is not None else "")
    element.className = classes(kind, plate.flags)
    _box(element, *plate.rect)
    element.setAttribute("role", "img")
    element.setAttribute("aria-label", plate.label or plate.name)
    if plate.trait:
        element.setAttribute("title", plate.trait)
    if plate.colour:
        element.setAttribute("data-colour", plate.colour)
    dots = 2 * (not plate.character)  # while a bot without a face thinks
    for name, letters in (("--letters", max(len(plate.name) + dots, plate.letters)),
                          ("--digits", len(plate.score)),
                          ("--note", letters_in_line(plate.note, 1 if plate.large or "slim" in plate.flags else 2))):
        element.style.setProperty(name, str(max(1, letters)))
    element.style.setProperty("--high", f"{plate.rect.height:.1f}px")
    parts = []
    if plate.character:
        face = node("span", f"plate-face seat-{plate.seat}", aria_hidden="true")
        face.innerHTML = portrait(plate.character)
        parts.append(face)
    for name, part in PLATE_PARTS.items():
        words = getattr(plate, name)
        if words:
            parts.append(node("span", part, words))
    if plate.count is not None:
        parts.append(node("span", "plate-count", str(plate.count)))
    element.replaceChildren(*parts)
