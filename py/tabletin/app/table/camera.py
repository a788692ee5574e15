"""Panning and zooming a plane behind a window: plain arithmetic.

A camera maps units of the plane to px within the window. It fits the whole table until the player pans or zooms. Then it
stays there until it is asked to fit again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, inf
from typing import Final

from tabletin.board.scene import Point, Rect

CLOSEST: Final = 2.5
FURTHEST: Final = 0.06
COMFORT: Final = 44.0  # px of a place that a finger hits with ease
PLAIN: Final = 26.0  # … of one that is seen with ease, and hit where the next one is not mistaken for it
APART: Final = 44.0  # px from the middle of a place to that of the next from which they are not mistaken for each other
AROUND: Final = 1.5  # of a place, what is shown around the places
ASIDE: Final = 0.6  # of the room beside a table, how far it may stand off the middle before it is moved there, …
LEAST_ASIDE: Final = 24.0  # … and px that are not worth it
WORTH: Final = 1.35  # how much larger places must get for the view to go near, unless that alone tells them apart


@dataclass(frozen=True, slots=True)
class Camera:
    """px = unit × ``zoom`` + (``x``, ``y``)."""

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0

    def to_window(self, point: Point) -> Point:
        return point[0] * self.zoom + self.x, point[1] * self.zoom + self.y

    def to_plane(self, point: Point) -> Point:
        return (point[0] - self.x) / self.zoom, (point[1] - self.y) / self.zoom

    def pan(self, dx: float, dy: float) -> Camera:
        return Camera(self.x + dx, self.y + dy, self.zoom)

    def zoom_by(self, factor: float, about: Point) -> Camera:
        """Zoomed by ``factor`` with the px ``about`` staying where it is."""
        zoom = min(CLOSEST, max(FURTHEST, self.zoom * factor))
        scale = zoom / self.zoom
        return Camera(about[0] - (about[0] - self.x) * scale, about[1] - (about[1] - self.y) * scale, zoom)


def fit(bounds: Rect, window: Rect, closest: float = 1.0) -> Camera:
    """The camera that shows all of ``bounds`` in the middle of ``window``, never closer than ``closest``."""
    zoom = min(closest, window.width / max(bounds.width, 1e-6), window.height / max(bounds.height, 1e-6))
    zoom = max(FURTHEST, zoom)
    x, y = bounds.centre
    return Camera(window.width / 2 - x * zoom, window.height / 2 - y * zoom, zoom)


def nearer(whole: Camera, places: Sequence[Rect], window: Rect, size: float = PLAIN) -> Camera:
    """A camera that shows ``places`` so large, and so far apart, that a finger hits the one it means, all of them; ``whole`` if
    they are, or it gains little. Places far from each other need not be so large.

    It goes no nearer than that needs, and from the middle of the table no farther than it must, so that most of the table stays
    in view. ``places``: on the plane; ``whole``: the camera that shows everything; ``size``: px that a place should have."""
    if not places:
        return whole
    side = min(min(place.width, place.height) for place in places)
    next_one = min((hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
                    for one, other in combinations(places, 2)), default=inf) or 1.0
    wanted = max(size / side, APART / next_one)
    if whole.zoom >= wanted:
        return whole
    left, top = min(place.centre[0] for place in places), min(place.centre[1] for place in places)
    right, bottom = max(place.centre[0] for place in places), max(place.centre[1] for place in places)
    largest = max(max(place.width, place.height) for place in places)
    centres = Rect(left, top, right - left, bottom - top)
    zoom = fit(centres.grow(largest * AROUND), window, wanted).zoom
    tells_apart = whole.zoom < APART / next_one <= zoom + 1e-6
    if zoom <= whole.zoom * WORTH and not tells_apart:
        return whole
    middle = whole.to_plane((window.width / 2, window.height / 2))
    return showing(closer(whole, middle, window, zoom), centres.grow(largest), window, 0)


def steady(camera: Camera, wanted: Camera, bounds: Rect, window: Rect) -> Camera:
    """``camera`` if it still shows all of ``bounds``, about as large as ``wanted`` would and not far off the middle; else
    ``wanted``.

    So a growing table stands still as long as it fits, and no edge of it alone touches that of the window.
    """
    left, top = camera.to_window((bounds.x, bounds.y))
    right, bottom = camera.to_window((bounds.right, bounds.bottom))
    whole = left >= -1 and top >= -1 and right <= window.width + 1 and bottom <= window.height + 1
    central = _is_central(left, right, window.width) and _is_central(top, bottom, window.height)
    return camera if whole and central and wanted.zoom / 1.3 < camera.zoom <= wanted.zoom + 1e-6 else wanted


def _is_central(low: float, high: float, size: float) -> bool:
    """Whether what reaches from ``low`` to ``high`` stands about in the middle of ``size``."""
    return abs(low + high - size) / 2 <= max(LEAST_ASIDE, ASIDE * (size - (high - low)) / 2)


def kept_in_reach(camera: Camera, bounds: Rect, window: Rect) -> Camera:
    """``camera`` moved as little as needed so that some of ``bounds`` stays in the middle half of ``window``."""
    left, top = camera.to_window((bounds.x, bounds.y))
    right, bottom = camera.to_window((bounds.right, bounds.bottom))
    dx = _nudge(left, right, window.width)
    dy = _nudge(top, bottom, window.height)
    return camera.pan(dx, dy)


def _nudge(low: float, high: float, size: float) -> float:
    if high < size * 0.25:
        return size * 0.25 - high
    if low > size * 0.75:
        return size * 0.75 - low
    return 0.0


def showing(camera: Camera, rect: Rect, window: Rect, margin: float = 12.0) -> Camera:
    """``camera`` panned as little as needed to show ``rect`` of the plane whole."""
    left, top = camera.to_window((rect.x, rect.y))
    right, bottom = camera.to_window((rect.right, rect.bottom))
    dx = max(0.0, margin - left) or min(0.0, window.width - margin - right)
    dy = max(0.0, margin - top) or min(0.0, window.height - margin - bottom)
    return camera.pan(dx, dy)


def closer(camera: Camera, point: Point, window: Rect, zoom: float) -> Camera:
    """Zoomed in to ``zoom`` with ``point`` of the plane in the middle of ``window``."""
    return Camera(window.width / 2 - point[0] * zoom, window.height / 2 - point[1] * zoom, zoom)
