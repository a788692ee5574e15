"""One piece's element on the page: its drawing, its name for screen readers, how it stands out. ``motion`` says where it is.

The element is laid out at one size and scaled, so it travels and grows by transform alone. Its name is an element of its own,
next to the drawing: it takes the focus, and no lettering in it can contradict the name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tabletin.app.table.dom import Node, node
from tabletin.app.table.places import classes
from tabletin.board.scene import Drawing, Piece

OUTLINE: Final = 100.0  # px a piece is laid out with; everything else is scale
PICTURES: Final = 256  # drawings kept parsed, so that the browser need not parse a face again when it comes back


class PieceElement:
    """A piece's element and the piece it shows. ``layer``: "plane", "over" or "" before it lies anywhere."""

    __slots__ = ("drawing", "element", "flying", "height", "layer", "name", "piece", "style", "transform", "width")

    def __init__(self, piece: Piece) -> None:
        self.element = node("div", "piece still")
        self.element.setAttribute("data-key", piece.key)
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

    def at(self, x: float, y: float, width: float, turn: float) -> str:
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
