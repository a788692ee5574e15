"""The form in which a guest answers an invite: what they are invited to, what is asked of them, one button. Pure."""

from __future__ import annotations

from tabletin.app.ui.html import esc, lid_picture, tag


def answer_form(language: str, game: str, headline: str, inner: str, answer: str) -> str:
    """A form in ``language``. ``game``: "" where it is not known.

    ``inner``: what is asked, as HTML; ``answer``: the words of the button.
    """
    picture = lid_picture(game, language) if game else ""
    button = tag("button", f"<span>{esc(answer)}</span>", type="submit", id="answer", class_="button primary large")
    return (f'<form class="joining" data-do="answer" novalidate>{picture}<p class="big">{esc(headline)}</p>{inner}'
            f'<div id="go">{button}</div></form>')
