"""Faces beside names: the drawn one of a person of this device or of a bot with a stock name, else the first letter."""

from __future__ import annotations

from tabletin.app.storage.profiles import Profile
from tabletin.app.ui.html import esc, icon
from tabletin.board.avatar import SIDE, avatar
from tabletin.board.portraits import portrait


def picture_of(profile: Profile) -> str:
    """The drawn face of a profile."""
    return (f'<svg class="avatar seat-{profile.colour}" viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true" focusable="false">'
            f"{avatar(profile.animal)}</svg>")


def bot_picture(number: int, seat: int) -> str:
    """The portrait of the ``number``-th stock name, in the colour of ``seat``."""
    return f'<span class="bot-face seat-{seat}">{portrait(number)}</span>'


def unnamed_face(seat: int) -> str:
    """The sign of a person who is only called "You", in the colour of ``seat``."""
    return f'<span class="avatar letter seat-{seat}">{icon("user")}</span>'


def letter_of(name: str, seat: int | None = None) -> str:
    """The first letter of a name in place of a face; in the colour of ``seat``."""
    colour = "" if seat is None else f" seat-{seat}"
    return f'<span class="avatar letter{colour}" aria-hidden="true">{esc(name[:1])}</span>'
