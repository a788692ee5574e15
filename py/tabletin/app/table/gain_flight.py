"""What somebody has just won or lost, on its way to their plate: "+18" flies from the pieces to the seat.

It knows the surface and scenes. What was gained is told to it; it counts nothing. Screen readers hear of it elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tabletin.app.table.beats import Gain
from tabletin.app.table.dom import Listeners, Node, calm, node
from tabletin.app.table.stage import Stage
from tabletin.board.scene import Point, card_key
from tabletin.kernel.faces import Card
from tabletin.words import figure

SEEN: Final = 1600  # ms until it is gone


class GainFlight:
    """Shows gains on ``stage``."""

    def __init__(self, stage: Stage, listeners: Listeners) -> None:
        self._stage = stage
        self._listeners = listeners
        self._shown: list[Node] = []

    def show(self, gains: Iterable[Gain], cards: Iterable[Card]) -> None:
        """Let ``gains`` fly from where ``cards`` lie to their seats."""
        self._clear()
        start = self._middle(cards)
        plates = {plate.seat: plate for plate in self._stage.scene.plates}
        for gain in gains:
            if gain.seat not in plates:
                continue
            rect = plates[gain.seat].rect
            x, y = rect.centre[0], rect.bottom
            element = node("span", "gain" if gain.is_good else "gain bad", figure(gain.points, plus=True), aria_hidden="true")
            style = element.style
            style.left, style.top = f"{x:.0f}px", f"{y:.0f}px"
            if start is not None and not calm():
                style.setProperty("--from", f"{start[0] - x:.0f}px {start[1] - y:.0f}px")
                element.classList.add("flying")
            self._stage.root.append(element)
            self._shown.append(element)
        if self._shown:
            self._listeners.delay(SEEN, self._clear)

    def _clear(self) -> None:
        while self._shown:
            self._shown.pop().remove()

    def _middle(self, cards: Iterable[Card]) -> Point | None:
        """The middle of what of ``cards`` lies on the table, on the stage."""
        keys = {card_key(card) for card in cards}
        points = [self._stage.centre(piece) for piece in self._stage.scene.pieces if piece.key in keys]
        if not points:
            return None
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
