"""Draws what lies on the table besides the pieces: places, seats, areas and words, each an element by its key.

Knows scenes and elements; it never knows a game, a match or the camera.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from tabletin.app.table.dom import Node, node, running_since
from tabletin.board.scene import Key, Label, Plate, Scene, Spot, Zone

Thing: TypeAlias = Zone | Label | Plate | Spot


class PlaceElements:
    """The elements of a scene's things: those on the plane inside ``plane``, the others inside ``over``."""

    def __init__(self, plane: Node, over: Node) -> None:
        self._plane = plane
        self._over = over
        self._known: dict[Key, tuple[Node, Thing]] = {}

    def element(self, key: Key) -> Node | None:
        known = self._known.get(key)
        return known[0] if known else None

    def show(self, scene: Scene) -> None:
        """Have exactly the things of ``scene``; what did not change is left alone."""
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
            element = known[0] if known else node("div")
            if isinstance(thing, Spot):
                _draw_spot(element, thing, new=known is None)
            elif isinstance(thing, Plate):
                _draw_plate(element, thing)
            elif isinstance(thing, Label):
                _draw_label(element, thing)
                if known is None and thing.kind == "clock":
                    element.style.setProperty("--since", f"-{running_since(thing.key):.0f}s")
            else:
                _draw_zone(element, thing)
            if known is None:
                element.setAttribute("data-key", thing.key)
                (self._plane if _on_plane(thing) else self._over).append(element)
            things[thing.key] = element, thing
        for key in things.keys() - present:
            things.pop(key)[0].remove()


def _things(scene: Scene) -> Iterable[Thing]:
    yield from scene.zones
    yield from scene.labels
    yield from scene.plates
    yield from scene.spots


def _on_plane(thing: Thing) -> bool:
    return not isinstance(thing, Plate) and thing.plane


def classes(kind: str, flags: Iterable[str]) -> str:
    """The class names of something of ``kind`` with ``flags``."""
    return kind + "".join(f" is-{flag}" for flag in flags)


def _box(element: Node, x: float, y: float, width: float, height: float, turn: float = 0.0) -> None:
    style = element.style
    turned = f" rotate({turn:g}deg)" if turn else ""
    style.transform = f"translate({x:.2f}px,{y:.2f}px){turned}"
    style.width, style.height = f"{width:.1f}px", f"{height:.1f}px"


def _draw_spot(element: Node, spot: Spot, *, new: bool) -> None:
    element.className = classes("spot on-plane" if spot.plane else "spot", spot.flags)
    _box(element, spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height, spot.turn)
    if new:
        element.setAttribute("role", "button")
        element.setAttribute("tabindex", "-1")
    element.setAttribute("aria-label", spot.label)
    element.textContent = spot.text


def _draw_zone(element: Node, zone: Zone) -> None:
    element.className = classes(f"zone {zone.kind}", zone.flags)
    _box(element, *zone.rect)
    if zone.label:
        element.setAttribute("role", "img")
        element.setAttribute("aria-label", zone.label)


def _draw_label(element: Node, label: Label) -> None:
    element.className = f"label {label.kind}"
    turned = f" rotate({label.turn:g}deg)" if label.turn else ""
    element.style.transform = f"translate({label.x:.1f}px,{label.y:.1f}px) translate(-50%,-50%){turned}"
    element.textContent = label.text
    if label.spoken:
        element.setAttribute("role", "img")
        element.setAttribute("aria-label", label.spoken)
    else:
        element.setAttribute("aria-hidden", "true")


PLATE_PARTS: Final[Mapping[str, str]] = {"name": "plate-name", "score": "plate-score", "note": "plate-note"}


def _draw_plate(element: Node, plate: Plate) -> None:
    kind = "plate" + (" active" if plate.active else "") + (" you" if plate.you else "") \
        + (" thinking" if plate.thinking else "") + (" large" if plate.large else "") \
        + (" readable" if plate.readable else "")
    element.className = classes(kind, plate.flags)
    _box(element, *plate.rect)
    element.setAttribute("role", "img")
    element.setAttribute("aria-label", plate.label or plate.name)
    if plate.colour:
        element.setAttribute("data-colour", plate.colour)
    parts = []
    for name, part in PLATE_PARTS.items():
        words = getattr(plate, name)
        if words:
            parts.append(node("span", part, words))
    if plate.count is not None:
        parts.append(node("span", "plate-count", str(plate.count)))
    element.replaceChildren(*parts)
