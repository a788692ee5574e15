"""Names the servers that a link to another house uses: what each is for, what it learns, who runs it. Pure."""

from __future__ import annotations

from tabletin.app.connection_servers import USUAL_OPERATORS, Servers, host_of
from tabletin.app.ui.html import esc, icon
from tabletin.words import Catalogue


def server_list(words: Catalogue, servers: Servers) -> str:
    """One item for each kind of server, every address by name."""
    kinds = (("stun", (servers.stun,)), ("turn", (servers.turn,)), ("relay", servers.relays))
    items = "".join(_item(words, kind, [address for address in addresses if address]) for kind, addresses in kinds
                    if any(addresses))
    return f'<ul class="helpers">{items}</ul>'


def consent_words(words: Catalogue, of: str, servers: Servers) -> str:
    """What is asked of the "host" or the "guest", and whether the game may go through one of these servers."""
    return words.text(f"helpers.{of}", way=words.text(f'helpers.way.{"passed_on" if servers.turn else "direct"}'))


def _item(words: Catalogue, kind: str, addresses: list[str]) -> str:
    named = words.join_names([_named(words, address) for address in addresses])
    return (f'<li>{icon("check")}<div><strong>{esc(words.text(f"helpers.{kind}.what"))}</strong> '
            f'<span>{esc(words.text(f"helpers.{kind}.learns", n=len(addresses)))}</span>'
            f'<span class="quiet">{esc(named)}</span></div></li>')


def _named(words: Catalogue, address: str) -> str:
    """An address as people read it, and who runs the server where that is known."""
    operator = USUAL_OPERATORS.get(address)
    host = host_of(address)
    return words.text("helpers.run_by", host=host, name=words.text(f"helpers.operators.{operator}")) if operator else host
