"""Servers of others by which devices find and reach each other: those of the settings, or those that a link names. Pure.

People read of them as *helpers*. None is asked for anything before the person here agreed to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from tabletin.app.settings import LONGEST_TEXT, SERVER_FORMS, USUAL_STUN, Settings

USUAL_RELAYS: Final[Mapping[str, str]] = MappingProxyType({
    "wss://relay.artio.inf.unibe.ch": "bern",
    "wss://bucket.coracle.social": "coracle",
    "wss://relay.mostr.pub": "mostr",
    "wss://nos.lol": "volunteers",
    "wss://nostr.data.haus": "volunteers",
})
"""Public relays, and by which words of the catalogue their operators are named."""
USUAL_OPERATORS: Final[Mapping[str, str]] = MappingProxyType({USUAL_STUN: "cloudflare", **USUAL_RELAYS})
IN_LINKS: Final[Mapping[str, str]] = MappingProxyType({
    "stun": "s", "turn": "t", "turn_user": "u", "turn_password": "k", "relay_url": "r"})
"""The field of a link for each server of the settings."""
NONE: Final = "-"  # in a link: this server is not used


@dataclass(frozen=True, slots=True)
class Servers:
    """``stun``, ``turn``: addresses, "" for none. ``relays``: addresses, the usual ones or one's own."""

    stun: str = ""
    turn: str = ""
    turn_user: str = ""
    turn_password: str = ""
    relays: tuple[str, ...] = ()

    @classmethod
    def from_settings(cls, settings: Settings) -> Servers:
        """Those that are switched on."""
        relays = tuple(settings.relay_url.split() or USUAL_RELAYS) if settings.relay else ()
        return cls(settings.stun, settings.turn, settings.turn_user, settings.turn_password, relays)

    @classmethod
    def proposal(cls, settings: Settings) -> Servers:
        """Those that a link to another house uses, if the person here agrees: the ones of the settings, else the usual ones."""
        return cls.from_settings(with_all(settings))

    def to_link(self) -> dict[str, str]:
        """What a link must say of them, for the other device to use the same: nothing of the usual ones."""
        values = {"stun": self.stun, "turn": self.turn, "turn_user": self.turn_user, "turn_password": self.turn_password,
                  "relay_url": " ".join(self.relays)}
        usual = {"stun": USUAL_STUN, "relay_url": " ".join(USUAL_RELAYS)}
        return {IN_LINKS[name]: value or NONE for name, value in values.items() if value != usual.get(name, "")}

    @classmethod
    def from_link(cls, fields: Mapping[str, str]) -> Servers:
        """What a link says. A field in a wrong form counts as left out."""
        found = {"stun": USUAL_STUN, "turn": "", "turn_user": "", "turn_password": "", "relay_url": " ".join(USUAL_RELAYS)}
        for name, short in IN_LINKS.items():
            value = fields.get(short, "")
            if value and len(value) <= LONGEST_TEXT and (value == NONE or SERVER_FORMS[name].fullmatch(value)):
                found[name] = "" if value == NONE else value
        return cls(found["stun"], found["turn"], found["turn_user"], found["turn_password"], tuple(found["relay_url"].split()))

    def with_turn_of(self, settings: Settings) -> Servers:
        """These, and the TURN server of the settings where none is named here: it helps its owner in any room."""
        if self.turn or not settings.turn:
            return self
        return replace(self, turn=settings.turn, turn_user=settings.turn_user, turn_password=settings.turn_password)

    @property
    def addresses(self) -> tuple[str, ...]:
        """All that may be asked."""
        return tuple(filter(None, (self.stun, self.turn, *self.relays)))

    def are_agreed_to(self, settings: Settings) -> bool:
        """Whether the settings switch all of them on."""
        return set(self.addresses) <= set(Servers.from_settings(settings).addresses)


def with_all(settings: Settings) -> Settings:
    """``settings`` of a person who agreed to servers: a STUN server and relays are switched on."""
    return settings.with_value("relay", True).with_value("stun", settings.stun or USUAL_STUN)


def host_of(address: str) -> str:
    """The host that an address names, for people to read."""
    if "//" in address:
        return urlsplit(address).hostname or address
    return address.partition(":")[2].partition("?")[0].rpartition(":")[0] or address.partition(":")[2]
