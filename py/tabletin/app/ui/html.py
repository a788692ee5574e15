"""Small pieces of HTML that every screen is made of. Text is escaped here; nothing here knows a browser.

What can be tapped carries ``data-do`` with the name of an act; further ``data-`` attributes are its parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from tabletin.board.svg import LID
from tabletin.kernel.faces import Face
from tabletin.registry import GAMES
from tabletin.words import Catalogue

ICONS: Final = (
    "arrow-left", "arrow-right", "book-open", "chart-no-axes-column", "download", "minus", "play", "plus", "pointer",
    "rotate-ccw",
    "circle-check", "circle-dashed", "circle-off", "circle-x", "lock",
    "scroll-text", "settings", "trash-2", "trophy", "upload", "users", "x",
    "bell", "bell-off", "camera", "check", "chevron-left", "chevron-right",
    "clipboard-paste", "clock", "clover", "copy", "eye", "frown", "hand", "heart",
    "house", "image", "laugh", "log-out", "message-circle", "monitor-smartphone", "puzzle",
    "ellipsis-vertical", "share", "share-2", "smartphone", "square-plus", "star", "thumbs-up", "user", "user-plus",
    "volume-2", "volume-x", "wifi",
)
"""The icons the build takes from the package into the page's sprite, where ``icon`` finds them."""
PAPER: Final = 18  # pieces of confetti


def esc(text: object) -> str:
    """Text as it may stand in HTML, attributes included. (The library's own would delay every start by its entities.)"""
    return (str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            .replace('"', "&quot;").replace("'", "&#x27;"))


def attributes(values: dict[str, Any]) -> str:
    """``{"class_": "x", "data_do": "go", "hidden": True, "id": None}`` as attributes; None and False are left out."""
    parts = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        spelled = name.rstrip("_").replace("_", "-")
        parts.append(f" {spelled}" if value is True else f' {spelled}="{esc(value)}"')
    return "".join(parts)


def tag(kind: str, inner: str = "", **values: Any) -> str:
    """An element around markup."""
    return f"<{kind}{attributes(values)}>{inner}</{kind}>"


def icon(name: str) -> str:
    """An icon of the sprite; it says nothing to screen readers."""
    return f'<svg class="icon" aria-hidden="true" focusable="false"><use href="#icon-{esc(name)}"/></svg>'


def button(label: str, do: str, *, look: str = "", picture: str = "", only_picture: bool = False, **values: Any) -> str:
    """A button that does ``do``. ``look``: "primary", "quiet", "danger". ``only_picture``: its label is only spoken."""
    inner = (icon(picture) if picture else "") + ("" if only_picture else f"<span>{esc(label)}</span>")
    classes = " ".join(filter(None, ("button", look, "square" if only_picture else "")))
    return tag("button", inner, type="button", class_=classes, data_do=do,
               aria_label=label if only_picture else None, **values)


def link(label: str, to: str, *, look: str = "", picture: str = "", only_picture: bool = False, **values: Any) -> str:
    """A link that looks like a button."""
    inner = (icon(picture) if picture else "") + ("" if only_picture else f"<span>{esc(label)}</span>")
    classes = " ".join(filter(None, ("button", look, "square" if only_picture else "")))
    return tag("a", inner, href=to, class_=classes, aria_label=label if only_picture else None, **values)


def file_button(name: str, label: str, accepted: str, *, look: str = "", picture: str = "upload", id_: str = "") -> str:
    """A button that asks for a file. What it says is ours: what a browser writes on its own is in the browser's language."""
    box = attributes({"type": "file", "class_": "unseen", "id": id_ or name, "name": name, "accept": accepted})
    classes = " ".join(filter(None, ("button", "file", look)))
    return f'<input{box}><label class="{classes}" for="{id_ or name}">{icon(picture)}<span>{esc(label)}</span></label>'


def confetti() -> str:
    """Paper that falls once over what holds it."""
    return f'<div class="confetti" aria-hidden="true">{"<i></i>" * PAPER}</div>'


def bar(words: Catalogue, title: str, *, back: str = "#/", more: str = "") -> str:
    """The head of every screen but the home page: the way back, the title that gets the focus, and ``more``."""
    way_back = link(words.text("shell.back"), back, look="quiet", picture="arrow-left", only_picture=True)
    return f'<header class="bar">{way_back}<h1 tabindex="-1">{esc(title)}</h1>{more}</header>'


def section(name: str, title: str, inner: str) -> str:
    """A part of a screen under its heading."""
    return f'<section aria-labelledby="{esc(name)}"><h2 id="{esc(name)}">{esc(title)}</h2>{inner}</section>'


def field(name: str, label: str, control: str, help_: str = "") -> str:
    """A labelled control: ``control`` must have the id ``name``, and is described by the sentence below its label."""
    about = f'<p class="help" id="{esc(name)}-help">{esc(help_)}</p>' if help_ else ""
    return f'<div class="field"><label for="{esc(name)}">{esc(label)}</label>{about}{control}</div>'


def switch(name: str, label: str, on: bool, help_: str = "") -> str:
    """On or off. A tap on the sentence below its label switches, too; its name is the label alone."""
    about = f'<span class="help" id="{esc(name)}-help">{esc(help_)}</span>' if help_ else ""
    named, described = (f"{name}-label", f"{name}-help") if help_ else (None, None)
    box = attributes({"type": "checkbox", "role": "switch", "name": name, "id": name, "checked": on,
                      "aria_labelledby": named, "aria_describedby": described})
    words = f'<span id="{esc(name)}-label">{esc(label)}</span>' if help_ else esc(label)
    return f'<div class="field switch"><label for="{esc(name)}">{words}{about}</label><input{box}></div>'


def choice(name: str, label: str, choices: Iterable[tuple[str, str]], chosen: str, help_: str = "") -> str:
    """One of a few, side by side: pairs of value and words."""
    inner = "".join(
        f'<label><input{attributes({"type": "radio", "name": name, "value": value, "checked": value == chosen})}>'
        f"<span>{esc(words)}</span></label>" for value, words in choices)
    about = f'<p class="help" id="{esc(name)}-help">{esc(help_)}</p>' if help_ else ""
    described = attributes({"aria_describedby": f"{name}-help" if help_ else None})
    return (f'<fieldset class="field choice"{described}><legend>{esc(label)}</legend>{about}'
            f'<div class="segments">{inner}</div></fieldset>')


def select(name: str, choices: Iterable[tuple[str, str]], chosen: str, **values: Any) -> str:
    """One of many."""
    inner = "".join(tag("option", esc(words), value=value, selected=value == chosen) for value, words in choices)
    return tag("select", inner, name=name, id=values.pop("id_", name), **values)


def trouble(words: Catalogue, sentence: str, ways_out: str) -> str:
    """An error as a screen: what happened, and what can be done."""
    return f'<section class="trouble" role="alert"><p>{esc(sentence)}</p><div class="row">{ways_out}</div></section>'


# ---- games ----


def cards(game: str, faces: Iterable[tuple[str, Face]], language: str) -> str:
    """``faces`` of ``game`` as small drawings side by side, each after its sign or ""; what they are must be said beside them."""
    art = GAMES[game].module("art")
    width, height = art.VIEWBOX
    drawn = "".join(f'{sign}<svg viewBox="0 0 {width} {height}" focusable="false">{art.front(face, language)}</svg>'
                    for sign, face in faces)
    return f'<span class="cards" aria-hidden="true">{drawn}</span>' if drawn else ""


def phrase(words: Catalogue, key: str, params: Mapping[str, Any]) -> str:
    """The words of ``key``; parameters that are keys themselves are put into words first."""
    return words.text(key, **words.spell(params))


def game_key(words: Catalogue, game: str, rest: str) -> str:
    """Where the words of ``game`` stand: under its own id, or its family's."""
    for section in (game, game.replace("-", "_"), GAMES[game].family):
        if f"{section}.{rest}" in words:
            return f"{section}.{rest}"
    return f"{game}.{rest}"


def game_text(words: Catalogue, game: str, rest: str, **params: Any) -> str:
    """Words of ``game``."""
    return words.text(game_key(words, game, rest), **params)


def game_name(words: Catalogue, game: str) -> str:
    """What ``game`` is called."""
    key = game_key(words, game, "name")
    return words.text(key) if key in words else game


@cache
def lid_picture(game: str, language: str) -> str:
    """The lid of a game's tin, its cards lettered in ``language``."""
    width, height = LID
    return (f'<svg class="lid" viewBox="0 0 {width} {height}" aria-hidden="true" focusable="false">'
            f'{GAMES[game].module("art").lid(game, language)}</svg>')


def lid_symbol(game: str, language: str) -> str:
    """The lid of a game's tin, to be shown many times by ``shown_lid``: it stands once in a page, inside an SVG."""
    width, height = LID
    return (f'<symbol id="lid-{game}" viewBox="0 0 {width} {height}">'
            f'{GAMES[game].module("art").lid(game, language)}</symbol>')


def shown_lid(game: str) -> str:
    """The lid whose ``lid_symbol`` stands in the page."""
    width, height = LID
    return (f'<svg class="lid" viewBox="0 0 {width} {height}" aria-hidden="true" focusable="false">'
            f'<use href="#lid-{game}"/></svg>')
