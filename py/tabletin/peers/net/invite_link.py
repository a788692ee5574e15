"""Links that carry a code: of an invite, with who invites to what, and of a reply. Codes themselves are read in ``code``.

Anybody can write what a link says beside its code. It is shown, and believed only after the devices have connected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tabletin.kernel.percent import decode, encode
from tabletin.kernel.user_text import NAME, clean

JOIN: Final = "join"
MEET: Final = "meet"
REPLY: Final = "reply"
MOST_LINK: Final = 2000
MOST_GAME: Final = 40
IN_LINK: Final = re.compile(r"(?:^|[#&?\s])(join|meet|reply)=([\w-]+)((?:&[a-z]+=[^&\s]*)*)", re.ASCII)
BARE: Final = re.compile(r"[\w-]{40,}", re.ASCII)


@dataclass(frozen=True, slots=True)
class LinkContent:
    """What a link or a message carries. ``kind``: "join", "reply", "meet", or "" for a code without a link.

    ``code``: for "meet" the token of a rendezvous. ``fields``: what else a link of a rendezvous says.
    """

    kind: str
    code: str
    game: str = ""
    inviter: str = ""
    watch: bool = False
    move: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)


def join_link(site: str, code: str, *, game: str, by: str, watch: bool = False, move: bool = False) -> str:
    """The link of an invite. ``move``: for the same person's other device, which goes on with the seat."""
    name = f"&by={encode(by)}" if by else ""
    return f"{site}#{JOIN}={code}&game={encode(game)}{name}{'&watch=1' if watch else ''}{'&move=1' if move else ''}"


def meet_link(site: str, token: str, *, game: str, by: str, watch: bool = False, fields: Mapping[str, str]) -> str:
    """The link of a rendezvous, for all who are to come there. ``fields``: what else it says."""
    known = {"game": game, "by": by, "watch": "1" if watch else "", **fields}
    return f"{site}#{MEET}={token}" + "".join(f"&{name}={encode(value)}" for name, value in known.items() if value)


def reply_link(site: str, code: str) -> str:
    """The link of a reply."""
    return f"{site}#{REPLY}={code}"


def read_link(text: str) -> LinkContent:
    """The content of ``text``: a link, a message around one, or a code alone, which may be broken by line ends."""
    text = text[:MOST_LINK].strip()
    found = list(IN_LINK.finditer(text))
    if found:
        kind, code, rest = found[-1].groups()
        fields = dict(pair.split("=", 1) for pair in rest.split("&") if pair)
        game, by = clean(decode(fields.get("game", "")), MOST_GAME), clean(decode(fields.get("by", "")), NAME)
        return LinkContent(kind, code, game, by, fields.get("watch") == "1", fields.get("move") == "1",
                           {name: decode(value) for name, value in fields.items()} if kind == MEET else {})
    bare = BARE.findall(text)
    return LinkContent("", bare[-1] if " " in text and bare else "".join(text.split()))
