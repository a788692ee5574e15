"""Compiles the Markdown of a rulebook. The build and the tests import this; a page reads what it made (``rulebook``).

CommonMark with tables, and three additions. ``{#IO-5}`` at the end of a heading, a paragraph or an item is its anchor. A
paragraph ``:: rc1 rc2 wild :: words below`` is a figure: pieces, then a caption; ``rulebook`` says how pieces are spelled.
Lines between ``::: game iota, matador`` and ``:::`` stand only in the rulebooks of those games.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

GAME: Final = "game"
FIGURE: Final = "::"
ANCHOR: Final = re.compile(r"\s*\{#([\w-]+)\}\s*$")


def compile_markdown(text: str) -> str:
    """The rulebook ``text`` as JSON: a list of parts, as ``rulebook.Part`` has them, without those keys that are empty."""
    parts = [{key: value for key, value in part.items() if value} for part in _parts(text)]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def inline(text: str) -> str:
    """Words with their emphasis, code and links, as HTML."""
    html: str = PARSER.renderInline(text)
    return html


def split_anchor(text: str) -> tuple[str, str]:
    """``text`` without the anchor at its end, and the anchor; "" for none."""
    found = ANCHOR.search(text)
    return (text[:found.start()], found.group(1)) if found else (text, "")


def slug(title: str) -> str:
    """The anchor of a heading that names none."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _parts(text: str) -> Iterator[dict[str, Any]]:
    """One part for each block of ``text``."""
    games: list[str] = []
    for block in _blocks(PARSER.parse(text)):
        first = block[0]
        if first.type == f"container_{GAME}_open":
            games = [name.strip() for name in first.info.strip().removeprefix(GAME).split(",")]
        elif first.type == f"container_{GAME}_close":
            games = []
        elif first.type == "heading_open":
            title, anchor = split_anchor(block[1].content)
            level = int(first.tag.removeprefix("h"))
            # The page has a title of its own: the first heading is known, not shown.
            yield {"games": games, "html": _html(block) if level > 1 else "", "heading": [level, anchor or slug(title), title]}
        elif first.type == "paragraph_open" and block[1].content.startswith(FIGURE):
            kind, pieces, caption = _figure(" ".join(block[1].content.splitlines()))
            yield {"games": games, "html": inline(caption), "figure": [kind, pieces]}
        else:
            yield {"games": games, "html": _html(block)}


def _blocks(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of each outermost block; where a section for some games begins and ends stands alone."""
    block: list[Token] = []
    depth = 0
    for token in tokens:
        if token.type.startswith(f"container_{GAME}_"):
            yield [token]
            continue
        block.append(token)
        depth += token.nesting
        if depth == 0:
            yield block
            block = []


def _html(block: Sequence[Token]) -> str:
    html: str = PARSER.renderer.render(block, PARSER.options, {})
    return html.replace("\n", "")


def _figure(text: str) -> tuple[str, str, str]:
    """Kind ("" for rows), pieces and caption of a figure."""
    kind, _, rest = text.removeprefix(FIGURE).partition(" ")
    pieces, _, caption = rest.partition(FIGURE)
    return kind.strip(), pieces.strip(), caption.strip()


def _set_anchors(state: StateCore) -> None:
    """Moves the anchor at the end of a text to the block around it, which can also be focused then."""
    tokens = state.tokens
    for at, token in enumerate(tokens):
        if token.type != "inline" or not token.children:
            continue
        last = token.children[-1]
        words, anchor = split_anchor(last.content) if last.type == "text" else ("", "")
        around = tokens[at - 1]
        if around.type == "heading_open" and not anchor:
            anchor = slug(token.content)
        elif anchor:
            last.content = words
        if at > 1 and tokens[at - 2].type == "list_item_open":
            around = tokens[at - 2]
        if anchor:
            around.attrSet("id", anchor)
            around.attrSet("tabindex", "-1")


def _set_table_heads(state: StateCore) -> None:
    """Heads name their column; one without a word, as over the first column, is no head."""
    for token, content, end in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if token.type == "th_open" and not content.content:
            token.tag = end.tag = "td"
            token.attrs = {}
        elif token.type == "th_open":
            token.attrs = {"scope": "col"}
        elif token.type == "td_open":
            token.attrs = {}


class _Renderer(RendererHTML):
    """Lines of a paragraph are one line; a wide table scrolls by itself."""

    def softbreak(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return " "

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return '<div class="scroll" tabindex="0"><table>'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</table></div>"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    parser.use(container_plugin, GAME)
    parser.core.ruler.push("anchors", _set_anchors)
    parser.core.ruler.push("table_heads", _set_table_heads)
    return parser


PARSER: Final = _parser()
