"""Links that carry a code: an invite with who invites to what, a reply. Pure; codes themselves are read in ``invite``.

What a link says beside its code is a courtesy that anybody can write: it is shown as said, and holds only once the devices
have met.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.percent import decode, encode
from tabletin.peers.text import NAME, clean

JOIN: Final = "join"
REPLY: Final = "reply"
MOST_LINK: Final = 2000
MOST_GAME: Final = 40
CARRIED: Final = re.compile(r"(?:^|[#&?\s])(join|reply)=([\w-]+)((?:&[a-z]+=[^&\s]*)*)", re.ASCII)
BARE: Final = re.compile(r"[\w-]{40,}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Carried:
    """What a link or a message carries. ``kind``: "join", "reply", or "" where only the bare code is there."""

    kind: str
    code: str
    game: str = ""
    by: str = ""
    watch: bool = False
    move: bool = False


def join_link(site: str, code: str, *, game: str, by: str, watch: bool = False, move: bool = False) -> str:
    """The link of an invite. ``move``: to one's own other device, which goes on with one's seat."""
    name = f"&by={encode(by)}" if by else ""
    return f"{site}#{JOIN}={code}&game={encode(game)}{name}{'&watch=1' if watch else ''}{'&move=1' if move else ''}"


def reply_link(site: str, code: str) -> str:
    """The link of a reply."""
    return f"{site}#{REPLY}={code}"


def read(text: str) -> Carried:
    """What ``text`` – a link, a whole message around one, or a bare code, perhaps broken by line ends – carries."""
    text = text[:MOST_LINK].strip()
    found = list(CARRIED.finditer(text))
    if found:
        kind, code, rest = found[-1].groups()
        said = dict(pair.split("=", 1) for pair in rest.split("&") if pair)
        return Carried(kind, code, clean(decode(said.get("game", "")), MOST_GAME), clean(decode(said.get("by", "")), NAME),
                       said.get("watch") == "1", said.get("move") == "1")
    bare = BARE.findall(text)
    return Carried("", bare[-1] if " " in text and bare else "".join(text.split()))
