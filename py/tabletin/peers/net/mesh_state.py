"""The state of a mesh that hellos, signaling and tickets all change: links, neighbours, effects.

It keeps the rules that hold for every change: a link that ends is closed and taken from its neighbour, a presence that
changes is reported, what is wrong is counted. Why a link is made or ended is decided in ``mesh``, ``signaling`` and
``reconnect``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tabletin.peers.net.effects import Close, Effect, Flush, Notify, Publish
from tabletin.peers.net.framing import CONTROL, lane_of
from tabletin.peers.net.link import LONG_AGO, Link, LinkStage, Neighbour, Signal
from tabletin.peers.net.transport import AWAY_AFTER, UNSTABLE_AFTER, Presence

LOST_AFTER: Final = 30.0  # seconds away without a neighbour that hears it
SHUT: Final = 30.0  # seconds without a link to a device that sent too much
MOST_LINKS: Final = 96
MOST_NEIGHBOURS: Final = 32
MEND_MISSED: Final = 1.5  # seconds without an answer to a repair until it may have been missed
CALLS: Final = (LinkStage.CALLING, LinkStage.OPEN)  # stages of links that are being made
PATIENCE: Final = 12.0  # seconds without progress until the first try of a link is ended; each one after it has twice as long …
MOST_DOUBLINGS: Final = 2  # … so often: on a slow device, none would succeed if each were ended after the same time
MOST_PATIENCE: Final = PATIENCE * 2 ** MOST_DOUBLINGS
RELAYS: Final = "relays"
"""The carrier of descriptions that is no neighbour."""
RELAYED_FOR: Final = 30.0  # seconds for which a device that was heard through the relays counts as reachable there

Message = dict[str, Any]


@dataclass(slots=True)
class MeshState:
    """What the device ``author`` knows of the mesh of ``room``.

    ``token`` makes a new random name. ``can_redeem``: whether this browser can use tickets. ``time``: the time of the last
    tick, in seconds. ``has_relay``: whether relays carry messages; ``seeks``: whether this device looks there for anybody at
    all, as a guest does. ``refused_authors``: authors that get no link; ``retained_authors``: that are not forgotten.
    ``troubles`` counts what came in and was wrong, by reason.
    """

    author: str
    room: str
    token: Callable[[], str]
    can_redeem: bool
    time: float = 0.0
    has_relay: bool = False
    seeks: bool = False
    arms_lost: int = 0  # moments in which connections that waited for a device that was here failed; since one was kept long
    arm_at: float = LONG_AGO  # no connection is made to wait before that
    links: dict[int, Link] = field(default_factory=dict)
    neighbours: dict[str, Neighbour] = field(default_factory=dict)
    refused_authors: set[str] = field(default_factory=set)
    retained_authors: frozenset[str] = frozenset()
    effects: list[Effect] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    links_made: int = 0

    # ---- reading ----

    def newest(self, neighbour: Neighbour) -> Link | None:
        """The link that texts for a neighbour take."""
        return self.links[neighbour.links[-1]] if neighbour.links else None

    def has_room(self) -> bool:
        """Whether one more device can be known. One that has never answered makes way for it, whoever was heard of least lately
        first; then one that has been lost longest: neither what others say of devices nor many keys of one keep anybody out."""
        if len(self.neighbours) >= MOST_NEIGHBOURS:
            coming = {link.author for link in self.links.values() if link.stage is LinkStage.OPEN}
            others = [one for one in self.neighbours.values() if one.author not in coming | self.retained_authors]
            unmet = [one for one in others if not one.is_met and not one.tickets]
            lost = [one for one in others if one.is_met and self.time - one.heard_at >= LOST_AFTER]
            if unmet:
                self._forget(min(unmet, key=lambda one: one.relayed_at))
            elif lost:
                self._forget(min(lost, key=lambda one: one.heard_at))
        return len(self.neighbours) < MOST_NEIGHBOURS

    def _forget(self, neighbour: Neighbour) -> None:
        for link in [link for link in self.links.values() if link.author == neighbour.author]:
            self.end_link(link)
        del self.neighbours[neighbour.author]

    def calling(self, author: str) -> list[Link]:
        """Links to an author that are being made."""
        return [link for link in self.links.values()
                if link.author == author and link.stage in CALLS]

    def carrier(self, neighbour: Neighbour) -> str | None:
        """The author of a device that hears both this one and ``neighbour``, or ``RELAYS``: another one with each try."""
        newest = self.newest(neighbour)
        tries = neighbour.call_tries + (newest.mend_tries if newest is not None else 0)
        found = sorted(other.author for other in self.neighbours.values()
                       if other is not neighbour and other.presence is Presence.HERE and other.links
                       and neighbour.author in other.neighbours)
        if self.has_relay and self.time - neighbour.relayed_at < RELAYED_FOR:
            found.append(RELAYS)
        return found[tries % len(found)] if found else None

    # ---- links ----

    def make_link(self, author: str | None) -> Link:
        self.links_made += 1
        known = self.neighbours.get(author or "")
        tries = min(known.tries, MOST_DOUBLINGS) if known is not None else 0  # a page may try all night
        patience = PATIENCE * 2 ** tries
        made = self.links[self.links_made] = Link(self.links_made, author, self.token(), self.time, patience)
        return made

    def try_link(self, author: str) -> Link | None:
        """A new link to ``author``, or None where there are too many. Calls that others carried here make way for it."""
        if len(self.links) >= MOST_LINKS:
            self._drop_call()
        made = self.spare_link(author)
        if made is not None and author in self.neighbours:
            self.neighbours[author].tries += 1
        return made

    def spare_link(self, author: str) -> Link | None:
        """The same for a link that can wait: nothing makes way for it."""
        return self.make_link(author) if len(self.links) < MOST_LINKS else None

    def _drop_call(self) -> None:
        """End the oldest call, not up yet, of the carrier that has brought most of them: in whose name they were made it may
        have invented, and no other carrier's calls make way for that."""
        calls = [link for link in self.links.values() if link.signal is Signal.ANSWER and link.stage in CALLS]
        carriers = Counter(link.carrier for link in calls)
        if calls:
            busiest = max(carriers, key=lambda one: carriers[one])
            self.end_link(min((link for link in calls if link.carrier == busiest), key=lambda link: link.id))

    def note_progress(self, link: Link) -> None:
        """A link comes closer to being up: its patience begins anew."""
        if link.stage in CALLS:
            link.stage_time = self.time

    def end_link(self, link: Link) -> None:
        """Close a link. Does nothing for one that has ended before."""
        if self.links.pop(link.id, None) is None:
            return
        self.effects.append(Close(link.id))
        neighbour = self.neighbours.get(link.author or "")
        if neighbour is not None and link.id in neighbour.links:
            neighbour.links.remove(link.id)
            if not neighbour.links:
                neighbour.neighbours = frozenset()
            self.update_presence(neighbour, always=True)

    # ---- presence ----

    def update_presence(self, neighbour: Neighbour, *, always: bool = False) -> None:
        """Work out the presence of ``neighbour``, and report it if it changed, or ``always``."""
        silence = self.time - neighbour.heard_at
        if not neighbour.is_met:
            presence = Presence.UNKNOWN
        elif neighbour.has_left:
            presence = Presence.LEFT
        elif silence >= AWAY_AFTER:
            presence = Presence.AWAY
        elif silence >= UNSTABLE_AFTER or not neighbour.links:
            presence = Presence.UNSTABLE
        else:
            presence = Presence.HERE
        is_lost = (neighbour.is_met and silence >= LOST_AFTER and neighbour.author not in self.refused_authors
                   and self._is_hopeless(neighbour))
        if always or presence is not neighbour.presence or is_lost is not neighbour.is_lost:
            neighbour.presence, neighbour.is_lost = presence, is_lost
            self.effects.append(Notify(neighbour.author))

    def _is_hopeless(self, neighbour: Neighbour) -> bool:
        """Whether no way back is left that is likely to work. Tries go on, but nobody should wait for them."""
        has_untried = neighbour.tickets and self.can_redeem and not neighbour.redeem_tries
        is_trying = neighbour.redeem_tries < 2 and bool(self.calling(neighbour.author))
        return not has_untried and not is_trying and not self.has_relay and self.carrier(neighbour) is None

    # ---- what goes out ----

    def control(self, link: Link, message: Message) -> None:
        """Send a message to the mesh at the other end."""
        self.queue(link, CONTROL, json.dumps(message, separators=(",", ":")))

    def publish(self, message: Message) -> None:
        """Send a message to all who meet at the relays."""
        self.effects.append(Publish(json.dumps(message, separators=(",", ":"))))

    def queue(self, link: Link, channel: str, text: str) -> None:
        """Queue a text. A link where too much waits is ended."""
        if not link.outgoing[lane_of(channel, text)].put(channel, text):
            self.trouble("full", link)
        elif not self.effects or self.effects[-1] != Flush(link.id):
            self.effects.append(Flush(link.id))

    # ---- what was wrong ----

    def trouble(self, reason: str, link: Link | None = None) -> None:
        """Count what was wrong. A ``link`` that cannot go on is ended; after a flood its author gets none for a while. Before a
        link is up, nobody knows who is at its other end: anybody may have called in the name of that author."""
        self.troubles[reason] += 1
        if link is not None:
            neighbour = self.neighbours.get(link.author or "")
            if neighbour is not None and reason == "flood" and link.stage is LinkStage.UP:
                neighbour.shut_until = self.time + SHUT
            self.end_link(link)
