"""The dialect of Markdown in which rulebooks are written, as HTML. Pure; it draws figures with a family's art.

A family's rulebook is its rulebook.md, or rulebook.<language>.md where there is one.

Headings ``#`` to ``###`` · paragraphs · lists with ``-`` or ``1.`` · tables with ``|`` · ``**strong**``, ``*stress*``,
`` `code` ``, ``[words](address)`` · ``{#IO-5}`` at the end of a heading, paragraph or item gives it that anchor ·
a paragraph ``:: rc1 rc2 wild :: words below`` is a figure of those pieces, where ``/`` begins a new line and ``.`` is a
gap; ``::laid …`` one of pieces as they lie on the table, as the family's ``figures`` reads it · lines between
``{game: iota, matador}`` and ``{/game}`` stand only in the rulebooks of those games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from tabletin.app.ui.html import esc, phrase
from tabletin.board.figures import Lying, picture
from tabletin.registry import GAMES
from tabletin.words import SOURCE, Catalogue

LAID: Final = "laid"
GAP: Final = 8  # between two pieces of a row
ANCHOR: Final = re.compile(r"\s*\{#([\w-]+)\}\s*$")
HEADING: Final = re.compile(r"(#{1,3}) +(.*)")
ITEM: Final = re.compile(r"(-|\d+\.) +(.*)")
ONLY: Final = re.compile(r"\{game: *([\w ,-]+)\}")
CODE: Final = re.compile(r"`([^`]+)`")
INLINE: Final = (
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^]]+)\]\(([^)\s]+)\)"), r'<a href="\2">\1</a>'),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A rulebook as HTML; ``headings``: level, anchor, words."""

    game: str
    html: str
    headings: tuple[tuple[int, str, str], ...]
    language: str = SOURCE


def rulebook_of(game: str, words: Catalogue) -> Page:
    """The rulebook of ``game``, in the language of ``words`` if it was written in that. Raises ``FileNotFoundError``."""
    family = GAMES[game].family
    folder = files(f"tabletin.games.{family}")
    own = folder.joinpath(f"rulebook.{words.language}.md")
    language = words.language if own.is_file() else SOURCE
    source = own if own.is_file() else folder.joinpath("rulebook.md")
    return replace(read(source.read_text("utf-8"), GAMES[game].module("art"), words, game), language=language)


def read(text: str, art: Any, words: Catalogue, game: str) -> Page:
    """The rulebook ``text`` as a page of ``game``; ``art``: the family's, with ``front``, ``name``, ``VIEWBOX``."""
    headings: list[tuple[int, str, str]] = []
    parts: list[str] = []
    for block in blocks(for_game(text, game)):
        heading = HEADING.fullmatch(block[0]) if len(block) == 1 else None
        if heading is not None:
            level = len(heading.group(1))
            title, anchor = _anchored(heading.group(2))
            anchor = anchor or re.sub(r"\W+", "-", title.lower()).strip("-")
            headings.append((level, anchor, title))
            if level > 1:  # the page has a title of its own
                parts.append(f'<h{level} id="{esc(anchor)}" tabindex="-1">{inline(title)}</h{level}>')
        elif block[0].startswith("::"):
            parts.append(figure(" ".join(block), art, words, game))
        elif block[0].startswith("|"):
            parts.append(table(block))
        elif ITEM.fullmatch(block[0]):
            parts.append(listing(block))
        else:
            said, anchor = _anchored(" ".join(block))
            parts.append(f"<p{_id(anchor)}>{inline(said)}</p>")
    return Page(game, "".join(parts), tuple(headings))


def for_game(text: str, game: str) -> Iterator[str]:
    """The lines of ``text`` that are for ``game``."""
    shown = True
    for line in text.splitlines():
        only = ONLY.fullmatch(line.strip())
        if only is not None:
            shown = game in [name.strip() for name in only.group(1).split(",")]
        elif line.strip() == "{/game}":
            shown = True
        elif shown:
            yield line


def blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    """Lines that belong together: what stands between empty lines; headings stand alone."""
    for empty, group in groupby(lines, key=lambda line: not line.strip()):
        block = [] if empty else list(group)
        while block and HEADING.fullmatch(block[0]):
            yield [block.pop(0)]
        if block:
            yield block


def inline(text: str) -> str:
    """Words with their emphasis, code and links."""
    parts = CODE.split(esc(text))  # words and code in turn
    for at, part in enumerate(parts):
        if at % 2:
            parts[at] = f"<code>{part}</code>"
            continue
        for pattern, as_html in INLINE:
            part = pattern.sub(as_html, part)
        parts[at] = part
    return "".join(parts)


def listing(lines: list[str]) -> str:
    """A list; lines that begin no item belong to the one before."""
    items: list[str] = []
    for line in lines:
        item = ITEM.fullmatch(line)
        if item is not None:
            items.append(item.group(2))
        else:
            items[-1] += " " + line.strip()
    kind = "ul" if lines[0].startswith("-") else "ol"
    said = (_anchored(item) for item in items)
    return f"<{kind}>{''.join(f'<li{_id(anchor)}>{inline(words)}</li>' for words, anchor in said)}</{kind}>"


def table(lines: list[str]) -> str:
    """A table; its first line is the head."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    head = "".join(f'<th scope="col">{inline(cell)}</th>' for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{inline(cell)}</td>' for cell in row)}</tr>" for row in rows[1:])
    return f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def figure(text: str, art: Any, words: Catalogue, game: str) -> str:
    """Pieces in rows, or ``::laid`` as they lie on the table; words below: ``:: rc1 rc2 / . wild :: Both lines are lots.``"""
    kind, pieces, caption = _parts(text)
    lying = GAMES[game].module("figures").laid(pieces, game) if kind == LAID else in_rows(pieces, art)
    drawn, across, down = picture(lying, art.VIEWBOX)
    label = esc(", ".join(phrase(words, *art.name(piece.face)) for piece in lying))
    return (f'<figure><svg class="pieces{" laid" if kind else ""}" viewBox="0 0 {across:g} {down:g}" role="img" '
            f'aria-label="{label}" style="--pieces:{across / art.VIEWBOX[0]:.2f}">{drawn}</svg>'
            f"<figcaption>{inline(caption)}</figcaption></figure>")


def _parts(text: str) -> tuple[str, str, str]:
    """Kind ("" for rows), pieces and caption of a figure."""
    kind, _, rest = text.removeprefix("::").partition(" ")
    pieces, _, caption = rest.partition("::")
    return kind.strip(), pieces.strip(), caption.strip()


def in_rows(text: str, art: Any) -> list[Lying]:
    """``rc1 rc2 / . wild``: faces side by side, "/" begins a new line, "." is a gap."""
    width, height = art.VIEWBOX
    return [Lying(face, art.front(face), x * (width + GAP) + width / 2, y * (height + GAP) + height / 2)
            for y, row in enumerate(text.split("/")) for x, face in enumerate(row.split()) if face != "."]


def _anchored(text: str) -> tuple[str, str]:
    found = ANCHOR.search(text)
    return (text[:found.start()], found.group(1)) if found else (text, "")


def _id(anchor: str) -> str:
    return f' id="{esc(anchor)}" tabindex="-1"' if anchor else ""
