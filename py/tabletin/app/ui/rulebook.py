"""A game's rulebook as HTML. Pure; it draws figures with a family's art.

A family's rulebook is its rulebook.md, or rulebook.<language>.md where there is one. The build compiles it to
rulebook.json, which a page reads; where that is missing, in tests, it is compiled here. ``rulebook_markdown`` says how a
rulebook is written.

The pieces of a figure are faces in rows, where ``/`` begins a new line and ``.`` is a gap; those of a figure ``::laid …``
lie as on the table, as the family's ``figures`` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabletin.app.ui.html import esc, phrase
from tabletin.board.figures import FigurePiece, picture
from tabletin.registry import GAMES, Game
from tabletin.words import SOURCE, Catalogue

LAID: Final = "laid"
GAP: Final = 8  # between two pieces of a row


@dataclass(frozen=True, slots=True)
class RulebookPage:
    """A rulebook as HTML; ``headings``: level, anchor, words."""

    game: str
    html: str
    headings: tuple[tuple[int, str, str], ...]
    language: str = SOURCE


@dataclass(frozen=True, slots=True)
class RulebookBlock:
    """A block of a compiled rulebook, for these ``games`` alone if any are named.

    A ``heading`` is level, anchor and words. A ``figure`` is its kind ("" for rows) and its pieces; ``html`` is its caption.
    """

    html: str = ""
    games: Sequence[str] = ()
    heading: tuple[int, str, str] | None = None
    figure: tuple[str, str] | None = None


def rulebook_of(game: str, words: Catalogue) -> RulebookPage:
    """The rulebook of ``game``, in the language of ``words`` if it was written in that. Raises ``FileNotFoundError``."""
    entry = GAMES[game]
    own = compiled_text(entry, f"rulebook.{words.language}")
    text = own or compiled_text(entry, "rulebook")
    if text is None:
        raise FileNotFoundError(f"{entry.family} has no rulebook")
    return page_of(text, entry.module("art"), words, game, words.language if own else SOURCE)


def compiled_text(game: Game, name: str) -> str | None:
    """The compiled rulebook ``name`` of the family of ``game``; None where there is none."""
    text = game.home.text(f"{name}.json")
    if text is None and (source := game.home.text(f"{name}.md")) is not None:
        from tabletin.app.ui.rulebook_markdown import compile_markdown
        return compile_markdown(source)
    return text


def page_of(text: str, art: Any, words: Catalogue, game: str, language: str = SOURCE) -> RulebookPage:
    """The compiled rulebook ``text`` as a page of ``game``; ``art``: the family's, with ``front``, ``name``, ``VIEWBOX``."""
    shown = [part for part in (RulebookBlock(**one) for one in json.loads(text)) if not part.games or game in part.games]
    html = "".join(part.html if part.figure is None else figure(part, art, words, game) for part in shown)
    headings = ((level, anchor, title) for level, anchor, title in (part.heading for part in shown if part.heading))
    return RulebookPage(game, html, tuple(headings), language)


def figure(part: RulebookBlock, art: Any, words: Catalogue, game: str) -> str:
    """Pieces in rows, or as they lie on the table; their caption below."""
    kind, pieces = part.figure or ("", "")
    lying = GAMES[game].module("figures").figure_pieces(pieces, game, words.language) if kind == LAID else \
        in_rows(pieces, art, words.language)
    drawn, across, down = picture(lying, art.VIEWBOX)
    label = esc(", ".join(phrase(words, *art.name(piece.face)) for piece in lying))
    return (f'<figure><svg class="pieces{" laid" if kind else ""}" viewBox="0 0 {across:g} {down:g}" role="img" '
            f'aria-label="{label}" style="--pieces:{across / art.VIEWBOX[0]:.2f}">{drawn}</svg>'
            f"<figcaption>{part.html}</figcaption></figure>")


def in_rows(text: str, art: Any, language: str) -> list[FigurePiece]:
    """``rc1 rc2 / . wild``: faces side by side, "/" begins a new line, "." is a gap."""
    width, height = art.VIEWBOX
    return [FigurePiece(face, art.front(face, language), x * (width + GAP) + width / 2, y * (height + GAP) + height / 2)
            for y, row in enumerate(text.split("/")) for x, face in enumerate(row.split()) if face != "."]
