"""What stands in the way of two devices, in words: one sentence, and one button that helps.

What was found is a cause of ``peers.net.diagnosis``. Some causes can only be mended at the other device: then the button hands
over a sentence to the friend there.
"""

from __future__ import annotations

from typing import Final

from tabletin.app.routes import address
from tabletin.app.ui.html import button, esc, link
from tabletin.app.ui.screen import Screen
from tabletin.peers.net.transport import Unreachable
from tabletin.words import Catalogue

HINTS: Final = ("same", "far", "strict", "vpn")
"""What helps where the cause is not known: sentences of the catalogue."""
FRIEND_HELPS: Final = ("nobody", "their_network")
"""Causes that only the friend can mend."""
HOST_HELPS: Final = (*FRIEND_HELPS, "no_helper", "relays")
"""Causes that a guest cannot mend: a link or a code comes from the host."""


def network_help(words: Catalogue, error: Unreachable, *, guest: bool = False, own: bool = False) -> str:
    """What helps where the network lets nothing through: one sentence and one way for a known cause, else a list.

    Nothing where there is no address at all, or another tab has the room: what is said of that names what helps.
    """
    if error.reason in ("no_candidate", "other_tab"):
        return ""
    if error.cause:
        return advice(words, error.cause, guest=guest, own=own)
    hints = "".join(f'<li>{esc(words.text(f"invite.helps.{hint}"))}</li>' for hint in HINTS)
    way = (link(words.text("invite.settings"), address("settings", at="far"), look="quiet", picture="settings")
           + link(words.text("far_away.more"), address("far"), look="quiet", picture="book-open"))
    return f'<div class="helps"><h3>{esc(words.text("invite.helps.title"))}</h3><ul>{hints}</ul>{way}</div>'


def advice(words: Catalogue, cause: str, *, guest: bool = False, own: bool = False) -> str:
    """What was found, and the one thing that helps.

    ``guest``: whether the person here was invited; ``own``: both devices are theirs, and there is nobody to tell.
    """
    key = f"advice.own_device.{cause}"
    if own and key in words:
        return f'<div class="helps" id="advice"><p>{esc(words.text(key))}</p></div>'
    if cause in (HOST_HELPS if guest else FRIEND_HELPS):
        way = button(words.text(f"advice.tell.{cause}"), "tell", look="primary", picture="share-2", data_cause=cause, id="tell")
        way += '<p id="told" role="status"></p>'
    elif cause == "no_helper":
        way = link(words.text("advice.do.link"), address("room", ask="helpers"), look="primary", picture="house")
    elif cause == "relays":
        way = link(words.text("advice.do.code"), address("room", "invite", by="code"), picture="clipboard-paste")
    else:
        way = link(words.text("advice.do.settings"), address("settings", at="far"), picture="settings")
    return f'<div class="helps" id="advice"><p>{esc(words.text(f"advice.{cause}"))}</p>{way}</div>'


async def tell_friend(screen: Screen, cause: str) -> None:
    """Hand over the sentence that says what the friend can do about ``cause``."""
    exchange, message = screen.shell.rooms.exchange, screen.text(f"advice.say.{cause}")
    if exchange.can_share:
        said = screen.text("advice.told") if await exchange.share(screen.text("shell.name"), message, "") else ""
    else:
        said = screen.text("invite.copied") if await exchange.copy(message) else message
    screen.shell.document.repaint("told", esc(said))


def unreachable_words(words: Catalogue, error: Unreachable) -> str:
    """Why a device cannot be reached."""
    return words.text(error.key if error.key in words else "invite.blocked")
