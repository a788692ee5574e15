"""This device among the others of a room: hellos, signs of life, goodbyes, and bounds on everything that comes in.

Whoever drives a mesh calls a method when something happened, ``tick`` when time has passed, and then carries out the effects
(``effects.py``). How other devices are reached is in ``signaling.py`` and ``reconnect.py``. A mesh believes nothing but a
signed hello over the fingerprints of both certificates. What is wrong is counted and changes nothing. No browser is known
here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from secrets import token_hex
from typing import Final

from tabletin.kernel.log import count_field, parse
from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.peers.net.diagnosis import Findings
from tabletin.peers.net.effects import Check, Deliver, Effect, Sign, Welcome
from tabletin.peers.net.framing import CONTROL, PIECE, BadPiece, BrokenStream
from tabletin.peers.net.link import (
    BURST,
    CARRIED_BURST,
    CARRY_BURST,
    CONTROL_BURST,
    LONG_AGO,
    Link,
    LinkStage,
    Neighbour,
    Ticket,
)
from tabletin.peers.net.mesh_state import MOST_NEIGHBOURS, MeshState, Message
from tabletin.peers.net.reconnect import Reconnect
from tabletin.peers.net.relay_signaling import RelaySignaling
from tabletin.peers.net.signaling import Signaling
from tabletin.peers.net.transport import Presence

VERSION: Final = 1
PING: Final = 2.0  # seconds
ASLEEP: Final = 3.0  # a tick this late means that this device slept, not that the others were silent
GRACE: Final = 3.0  # seconds that a link goes on when a newer one has taken its place
MOST_BACKLOG: Final = 200  # pieces before the hello is checked
PIECES_A_SECOND: Final = 1500.0  # that a device may send for long
CARRY_A_SECOND: Final = 2.0  # messages that are carried for one device for long
CARRIED_A_SECOND: Final = 4.0  # and to one: with ``RELAYED_COSTS`` less than a device takes for long
RELAYED_COSTS: Final = 8.0  # as ``CONTROL_BURST``: it may make the browser begin a connection
CONTROL_A_SECOND: Final = 60.0  # as ``CONTROL_BURST``: each message is read and may be answered, stored, or carried on
NONCE_DIGITS: Final = 16


class Mesh:
    """This device in the mesh of ``room``. ``can_redeem``: whether its browser can use tickets. ``state``: for reading."""

    def __init__(self, author: str, room: str, *, can_redeem: bool = False,
                 token: Callable[[], str] = lambda: token_hex(NONCE_DIGITS // 2)) -> None:
        self.state = MeshState(author, room, token, can_redeem)
        self._signaling = Signaling(self.state)
        self._reconnect = Reconnect(self.state)
        self._relay = RelaySignaling(self.state, self._signaling.receive)
        self._last_tick: float | None = None
        self._last_ping = LONG_AGO
        self._announcement: list[str] = []  # whom this device hears, as the neighbours were told last
        self._is_newcomer = False  # until the first neighbour has said whom it hears

    # ---- questions ----

    def presence(self, author: str) -> Presence:
        neighbour = self.state.neighbours.get(author)
        return neighbour.presence if neighbour is not None else Presence.UNKNOWN

    def connected_authors(self) -> tuple[str, ...]:
        return tuple(author for author, neighbour in self.state.neighbours.items() if neighbour.links)

    def lost_authors(self) -> tuple[str, ...]:
        return tuple(author for author, neighbour in self.state.neighbours.items() if neighbour.is_lost)

    def can_return(self, author: str) -> bool:
        """Whether this device and ``author`` would find each other by themselves after either page is loaded again."""
        neighbour = self.state.neighbours.get(author)
        return neighbour is not None and (self.state.has_relay or self._reconnect.can_return(neighbour))

    def findings(self, author: str = "") -> Findings:
        """What was found while this device looks for somebody: about the device that was tried most often in vain.

        ``author``: how that of the device begins that is looked for; "" for any.
        """
        sought = [one for one in self.state.neighbours.values() if one.author.startswith(author)]
        tried = max((one for one in sought if not one.links), key=lambda one: (one.calls_in_vain, one.tries),
                    default=Neighbour(""))
        is_heard = any(one.relayed_at > LONG_AGO for one in sought)
        return Findings(0.0, is_heard=is_heard, calls=tried.calls_in_vain, replies=tried.replies_in_vain, own=tried.own_kinds,
                        theirs=tried.their_kinds)

    def next_effect(self) -> Effect | None:
        """Take the next effect to be carried out, or None."""
        return self.state.effects.pop(0) if self.state.effects else None

    def piece(self, link: int, lane: int) -> bytes | None:
        """Take the next piece to be sent on a lane of a link, or None."""
        found = self.state.links.get(link)
        return found.outgoing[lane].take() if found is not None else None

    # ---- commands ----

    def send(self, to: str | None, channel: str, text: str) -> None:
        """Queue a text for one author, or for all. A link with too much in its queue is ended."""
        for author in self.connected_authors() if to is None else (to,):
            neighbour = self.state.neighbours.get(author)
            newest = self.state.newest(neighbour) if neighbour is not None else None
            if newest is not None:
                self.state.queue(newest, channel, text)

    def expect(self, author: str, tickets: Sequence[Ticket] = ()) -> None:
        """A neighbour from before this page was loaded may come back; or this device to it, with its tickets."""
        neighbour = self.state.neighbours.setdefault(author, Neighbour(author, heard_at=LONG_AGO))
        neighbour.is_met, neighbour.tickets = True, (*neighbour.tickets, *tickets)
        if neighbour.tickets:
            self._is_newcomer = True
        self.state.update_presence(neighbour)

    def admit(self, author: str) -> None:
        self.state.refused_authors.discard(author)

    def retain(self, authors: Collection[str]) -> None:
        self.state.retained_authors = frozenset(authors)

    def refuse(self, author: str) -> None:
        self.state.refused_authors.add(author)
        for link in [link for link in self.state.links.values() if link.author == author]:
            self.state.end_link(link)
        self._announce()

    def leave(self) -> None:
        """Say goodbye on every link that is up."""
        for link in list(self.state.links.values()):
            if link.stage is LinkStage.UP:
                self.state.control(link, {"t": "bye"})

    def make_link(self, *, newcomer: bool = False) -> int:
        """A link for an invite or its answer, whose descriptions go by hand; ``newcomer``: this device is the guest."""
        self._is_newcomer = self._is_newcomer or newcomer
        return self.state.make_link(None).id

    def use_relays(self, *, seeks: bool) -> None:
        """Relays answer: they carry messages from now on; ``seeks``: this device looks there for anybody, as a guest does."""
        missed = not self.state.has_relay
        self.state.has_relay, self.state.seeks = True, seeks
        self._relay.ask(missed=missed)

    def leave_relays(self) -> None:
        """No relay answers: nothing carries messages beside the neighbours any more."""
        self.state.has_relay = False

    # ---- what happened ----

    def link_ended(self, link: int) -> None:
        """The link is given up, or its connection is gone."""
        found = self.state.links.get(link)
        if found is not None:
            self._reconnect.note_lost(found)
            self.state.end_link(found)
            self._announce()

    def description_made(self, link: int, text: str) -> None:
        """The description that ``Dial`` or ``Reply`` asked for."""
        found = self.state.links.get(link)
        if found is not None:
            self._signaling.send_description(found, text)

    def addresses_found(self, link: int, text: str) -> None:
        """Addresses that the browser found after ``description_made``: a description with no others."""
        found = self.state.links.get(link)
        if found is not None:
            self._signaling.send_more(found, text)

    def description_failed(self, link: int) -> None:
        """The browser takes a description from elsewhere for none."""
        self.state.trouble("description")
        self.link_ended(link)

    def ticket_made(self, link: int, ticket: Ticket) -> None:
        """The ticket that ``Arm`` asked for."""
        found = self.state.links.get(link)
        if found is not None:
            self._reconnect.add_ticket(found, ticket)

    def tickets_stored(self, author: str) -> None:
        """What a ``Keep`` asked for is stored."""
        neighbour = self.state.neighbours.get(author)
        if neighbour is not None:
            self._reconnect.confirm_store(neighbour)

    def network_changed(self) -> None:
        """This device has other addresses now."""
        self._reconnect.disarm()
        for neighbour in self.state.neighbours.values():  # what was tried before says nothing about the new network
            neighbour.own_kinds, neighbour.tries = frozenset(), 0
        if self.state.has_relay:
            self._relay.ask()

    def way_found(self, link: int) -> None:
        """The browser has found a way to the other device; the lanes are not open yet."""
        found = self.state.links.get(link)
        if found is not None:
            self.state.note_progress(found)

    def link_opened(self, link: int, own_fingerprint: bytes, their_fingerprint: bytes) -> None:
        """All lanes are open, between certificates with these fingerprints."""
        found = self.state.links.get(link)
        if found is not None and found.stage in (LinkStage.CALLING, LinkStage.WAITING):
            found.stage, found.stage_time = LinkStage.OPEN, self.state.time
            found.own_fingerprint, found.their_fingerprint = own_fingerprint, their_fingerprint
            hello = self._hello(self.state.author, found.nonce, own_fingerprint, their_fingerprint)
            self.state.effects.append(Sign(link, hello))
            self._read_backlog(found)

    def signature_made(self, link: int, signature: str) -> None:
        """The signature that ``Sign`` asked for."""
        found, state = self.state.links.get(link), self.state
        if found is not None:
            state.control(found, {"t": "hello", "v": VERSION, "a": state.author, "r": state.room, "n": found.nonce,
                                  "s": signature, "x": int(state.can_redeem), "z": 1})
            found.is_greeted = True
            state.note_progress(found)
            if found.is_believed and found.author is not None:
                self._link_up(found, found.author)

    def signature_checked(self, link: int, good: bool) -> None:
        """Whether the signature of ``Check`` is good."""
        found = self.state.links.get(link)
        if found is None or not found.is_checking:
            return
        found.is_believed = good
        if not good or found.author is None:
            self.state.trouble("hello", found)
        elif found.is_greeted:  # this device says nothing before its own hello
            self._link_up(found, found.author)

    def _link_up(self, link: Link, author: str) -> None:
        state = self.state
        neighbour = state.neighbours.setdefault(author, Neighbour(author))
        link.stage, link.stage_time, link.heard_at, link.is_checking, link.call = LinkStage.UP, state.time, state.time, False, ""
        older = neighbour.links[:]
        neighbour.links.append(link.id)
        neighbour.is_met, neighbour.heard_at, neighbour.has_left = True, state.time, False
        state.effects.append(Welcome(link.id, author))
        self._reconnect.settle(link, neighbour)
        if state.author < author:  # one of the two ends decides which link stays, and lets what is on its way arrive
            for id_ in older:
                state.links[id_].closes_at = state.time + GRACE
                state.control(state.links[id_], {"t": "older"})
        state.update_presence(neighbour, always=True)
        self._announce()
        state.control(link, {"t": "hears", "p": self._announcement})
        self._reconnect.send_tickets(link)
        self._reconnect.arm()
        self._read_backlog(link)

    # ---- what comes in ----

    def piece_received(self, link: int, lane: int, data: bytes) -> None:
        """A piece came in on a lane of a link."""
        found = self.state.links.get(link)
        if found is None:
            return
        found.budget -= 1
        if found.budget < 0:
            self.state.trouble("flood", found)
        elif found.stage in (LinkStage.CALLING, LinkStage.WAITING) or found.is_checking:
            found.backlog.append((lane, data))
            if len(found.backlog) > MOST_BACKLOG:
                self.state.trouble("flood", found)
        else:
            self._read(found, lane, data)

    def _read_backlog(self, link: Link) -> None:
        backlog, link.backlog = link.backlog, []
        for lane, data in backlog:
            self.piece_received(link.id, lane, data)

    def _read(self, link: Link, lane: int, data: bytes) -> None:
        try:
            joined = link.incoming[lane].take(data)
        except BrokenStream as error:
            self.state.trouble(str(error), link)
            return
        except BadPiece as error:
            self.state.trouble(str(error))
            joined = None
        neighbour = self.state.neighbours.get(link.author or "") if link.stage is LinkStage.UP else None
        if neighbour is not None:
            link.heard_at = neighbour.heard_at = self.state.time
            link.mend_tries = 0
            if neighbour.presence in (Presence.UNSTABLE, Presence.AWAY):
                self.state.update_presence(neighbour)
                self._announce()
        if joined is None:
            return
        channel, text = joined
        link.budget -= len(text) // PIECE  # a packed text counts as what it came to
        if channel == CONTROL:
            link.control_budget -= 1 + len(text) / 1000
            if link.control_budget < 0:
                self.state.trouble("flood", link)
                return
            self._read_control(link, text)
        elif neighbour is not None:
            self.state.effects.append(Deliver(neighbour.author, channel, text))
        else:
            self.state.trouble("hello", link)

    def _read_control(self, link: Link, text: str) -> None:
        try:
            message = parse(text)
            kind = message["t"]
            if link.stage is LinkStage.OPEN:
                if kind != "hello":
                    raise ValueError("hello")
                self._read_hello(link, message)
            elif kind == "hears":
                self._read_hears(link, message)
            elif kind == "bye":
                self._read_bye(link)
            elif kind == "relay":
                self._signaling.carry(link, message)
            elif kind == "relayed":
                link.control_budget -= RELAYED_COSTS
                self._signaling.receive(link.author or "", message)
            elif kind == "tickets":
                self._reconnect.receive(link, message)
            elif kind == "older":
                links = self.state.neighbours[link.author or ""].links
                links.sort(key=lambda id_: id_ != link.id)  # nothing more is sent on it
            elif kind == "kept":
                self.state.neighbours[link.author or ""].stored_there = count_field(message, "n")
            elif kind != "ping":
                raise ValueError("control")
        except (ValueError, KeyError, TypeError):
            self.state.trouble("control", link if link.stage is LinkStage.OPEN else None)

    def _hello(self, author: str, nonce: str, own_fingerprint: bytes, their_fingerprint: bytes) -> str:
        """The text of a hello that its author signs."""
        return f"tabletin hello {VERSION} {self.state.room} {author} {nonce} {own_fingerprint.hex()} {their_fingerprint.hex()}"

    def _read_hello(self, link: Link, message: Message) -> None:
        state = self.state
        author, nonce, signature = message["a"], message["n"], message["s"]
        for value, count in ((author, AUTHOR_DIGITS), (nonce, NONCE_DIGITS)):
            if not isinstance(value, str) or digits(value, count) is None:
                raise ValueError("hello")
        if type(message["v"]) is not int or message["v"] != VERSION:
            raise ValueError("hello")
        is_expected = link.author in (None, author) and message["r"] == state.room
        if not is_expected or author == state.author or author in state.refused_authors or not isinstance(signature, str):
            raise ValueError("hello")
        known = state.neighbours.get(author)
        if known.shut_until > state.time if known is not None else not state.has_room():
            raise ValueError("shut")
        link.author, link.their_nonce, link.is_checking = author, nonce, True
        state.note_progress(link)
        for lane in link.outgoing:
            lane.packs = message.get("z") == 1 and type(message["z"]) is int  # an older page reads no streams
        state.neighbours.setdefault(author, Neighbour(author)).can_redeem = bool(message["x"])
        hello = self._hello(author, nonce, link.their_fingerprint, link.own_fingerprint)
        state.effects.append(Check(link.id, author, hello, signature))

    def _read_bye(self, link: Link) -> None:
        state = self.state
        neighbour = state.neighbours[link.author or ""]
        neighbour.has_left, neighbour.tickets = True, ()  # its page is gone, and the connections that waited there
        self._reconnect.store(neighbour)
        for other in state.neighbours.values():  # they announce it again when it is back
            other.neighbours -= {neighbour.author}
        for id_ in neighbour.links[:]:
            state.end_link(state.links[id_])
        self._announce()

    def _read_hears(self, link: Link, message: Message) -> None:
        state, authors = self.state, message["p"]
        if len(authors) > MOST_NEIGHBOURS or any(digits(author, AUTHOR_DIGITS) is None for author in authors):
            raise ValueError("hears")
        neighbours = state.neighbours
        neighbours[link.author or ""].neighbours = frozenset(authors) - {state.author}
        for author in authors:
            is_new = author not in neighbours and author not in (state.author, *state.refused_authors)
            if is_new and state.has_room():
                neighbours[author] = Neighbour(author)
        at_once, self._is_newcomer = self._is_newcomer, False
        self._signaling.call(at_once=at_once)

    def relay_received(self, text: str) -> None:
        """A message came through the relays, sealed for those who meet there."""
        self._relay.receive(text)
        self._signaling.call(at_once=self._is_newcomer)

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds, never going back); about twice a second."""
        state = self.state
        passed = now - self._last_tick if self._last_tick is not None else 0.0
        state.time = self._last_tick = now
        for link in list(state.links.values()):
            refill(link, min(passed, ASLEEP))
        if passed > ASLEEP:  # what came in meanwhile is read in a moment: nobody was silent yet
            for link in state.links.values():
                link.heard_at, link.stage_time = link.heard_at + passed, link.stage_time + passed
            for neighbour in state.neighbours.values():
                neighbour.heard_at += passed
        for link in list(state.links.values()):
            if link.id in state.links:
                self._signaling.tend(link)
        if now - self._last_ping >= PING:
            self._last_ping = now
            for link in list(state.links.values()):
                if link.stage is LinkStage.UP:
                    state.control(link, {"t": "ping"})
        for neighbour in state.neighbours.values():
            state.update_presence(neighbour)
        self._announce()
        self._relay.tick()
        self._signaling.call()
        self._reconnect.redeem()
        self._reconnect.arm()

    def _announce(self) -> None:
        """Tell the neighbours whom this device hears, when that changed."""
        state = self.state
        here = sorted(neighbour.author for neighbour in state.neighbours.values()
                      if neighbour.links and neighbour.presence is Presence.HERE
                      and neighbour.author not in state.refused_authors)
        if here != self._announcement:
            self._announcement = here
            for link in list(state.links.values()):
                if link.stage is LinkStage.UP:
                    state.control(link, {"t": "hears", "p": here})


def refill(link: Link, seconds: float) -> None:
    """What may be sent on ``link``, and carried, after so many ``seconds``."""
    link.budget = min(BURST, link.budget + seconds * PIECES_A_SECOND)
    link.control_budget = min(CONTROL_BURST, link.control_budget + seconds * CONTROL_A_SECOND)
    link.carry_budget = min(CARRY_BURST, link.carry_budget + seconds * CARRY_A_SECOND)
    link.carried_budget = min(CARRIED_BURST, link.carried_budget + seconds * CARRIED_A_SECOND)
