"""Help for those who play far away: what works between which networks, and how to run helpers of one's own. Pure.

What is written here was measured; ``docs/peers.md`` has the figures.
"""

from __future__ import annotations

from typing import Final

from tabletin.app.routes import address
from tabletin.app.ui.html import bar, esc, link, section
from tabletin.app.ui.screen import Screen

PLACES: Final = ("home", "houses", "code", "strict", "offline", "away")
COMMANDS: Final = ("apt-get install coturn && turnserver --lt-cred-mech --user ada:tin --realm tin",
                   "pip install nostr-relay && nostr-relay serve")
"""STUN and TURN by coturn, a relay by the package nostr-relay."""


class FarAwayScreen(Screen):
    """``#/far``."""

    async def open(self) -> None:
        title = self.text("far_away.title")
        places = "".join(section(f"far-{place}", self.text(f"far_away.places.{place}.name"),
                                 f'<p>{esc(self.text(f"far_away.places.{place}.text"))}</p>') for place in PLACES)
        commands = "".join(f"<code>{esc(command)}</code>\n" for command in COMMANDS)
        settings = link(self.text("far_away.own.settings"), address("settings", at="far"), picture="settings")
        own = section("far-own", self.text("far_away.own.name"),
                      f'<p>{esc(self.text("far_away.own.text"))}</p><pre>{commands}</pre><div class="row">{settings}</div>')
        head = bar(self.words, title, back=self.way_back("room"))
        self.shell.document.paint(f'{head}<article class="far-away"><p class="lead">{esc(self.text("far_away.about"))}</p>'
                                  f"{places}{own}</article>", title)
