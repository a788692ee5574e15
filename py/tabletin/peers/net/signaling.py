"""Ways to another device that need no code: carried across by a third, mended, or back to one that waits. No browser here.

Each device tells its neighbours whom it hears. Of two that lack a link one calls the other, and whoever hears both carries
offer and answer. That is introduction, return after a reload, and two halves grown together, all in one rule. A link that
fell silent is mended the same way: an ICE restart, then a new call. And each device keeps a connection or two waiting for
every other one, with credentials agreed beforehand: a *ticket* brings a reloaded page back with nobody's help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.peers.net.link import Arm, Dial, Finish, Keep, Link, Neighbour, Redeem, Reply, Stage, Ticket
from tabletin.peers.net.transport import AWAY_AFTER, Presence

if TYPE_CHECKING:
    from tabletin.peers.net.mesh import Mesh

PATIENCE: Final = 12.0  # seconds for a call to become a link
MEND_AFTER: Final = (6.0, 10.0)  # seconds of silence until the side with the smaller author, the other side, mends a link
MEND_EVERY: Final = 8.0
MENDS: Final = 2  # tries before a new link is called for
CALL_AFTER: Final = (1.0, 3.0)  # seconds until the side with the smaller author, the other side, calls
CALL_EVERY: Final = 4.0  # seconds; doubled with each call in vain
CALL_SELDOM: Final = 30.0
REDEEM_AFTER: Final = (16.0, 20.0)  # seconds of silence until a ticket is tried on a device that was there before
REDEEM_EVERY: Final = 18.0  # doubled with each try in vain
REDEEM_SELDOM: Final = 120.0
ARM_AFTER: Final = 4.0  # seconds that a link is up, in a large company; in a small one at once
ARMED: Final = (2, 1)  # connections kept waiting for each other device: in a small company, in a large one
LARGE: Final = 5  # devices
MOST_TICKETS: Final = 4
MOST_LINKS: Final = 96
RELAYED: Final = ("offer", "answer", "mend", "mended", "stale")
ANSWERS: Final = {"answer": ("offer",), "mended": ("mend",), "stale": ("mend",), "nobody": ("offer", "mend")}

Message = dict[str, Any]


class Signaling:
    """What a ``Mesh`` does to reach people. ``redeems``: whether this browser can use tickets."""

    def __init__(self, mesh: Mesh, *, redeems: bool) -> None:
        self.mesh = mesh
        self.redeems = redeems

    # ---- calling, by way of a third ----

    def call(self, *, at_once: bool = False) -> None:
        """Call whom a neighbour hears and this device does not."""
        mesh = self.mesh
        for person in list(mesh.people.values()):
            newest = mesh.newest(person)
            via = self.carrier(person) if newest is None or newest.mends > MENDS else None
            if via is None or person.author in mesh.refused:
                person.call_at = None
                continue
            if person.call_at is None:
                person.call_at = mesh.now + (0.0 if at_once else CALL_AFTER[mesh.author > person.author])
            if self.calling(person.author) or mesh.now < max(person.call_at, person.shut_until):
                continue
            person.call_at = mesh.now + min(CALL_SELDOM, CALL_EVERY * 2 ** person.calls)
            person.calls += 1
            made = self._make(person.author)
            if made is not None:
                made.via, made.says, made.call = via, "offer", mesh.token()
                mesh.effects.append(Dial(made.id))

    def calling(self, author: str) -> list[Link]:
        """Links to an author that are on their way."""
        return [link for link in self.mesh.links.values()
                if link.author == author and link.stage in (Stage.CALLING, Stage.OPEN)]

    def carrier(self, person: Neighbour) -> str | None:
        """Who hears this device and ``person``: another one with each try."""
        newest = self.mesh.newest(person)
        tries = person.calls + (newest.mends if newest is not None else 0)
        found = sorted(other.author for other in self.mesh.people.values()
                       if other is not person and other.shown is Presence.HERE and other.links
                       and person.author in other.hears)
        return found[tries % len(found)] if found else None

    def _make(self, author: str) -> Link | None:
        return self.mesh.make(author) if len(self.mesh.links) < MOST_LINKS else None

    # ---- carrying across ----

    def described(self, link: Link, text: str) -> None:
        """The browser's description for what is under way."""
        if link.via is not None and link.author is not None:
            self._send(link.via, link.author, link.says, link.call, text, link.their_nonce if link.says == "mend" else "")

    def _send(self, via: str, to: str, kind: str, call: str, text: str, nonce: str = "") -> None:
        newest = self.mesh.newest(self.mesh.people[via]) if via in self.mesh.people else None
        if newest is not None:
            self.mesh.control(newest, {"t": "relay", "to": to, "k": kind, "c": call, "d": text, "n": nonce})

    def relay(self, link: Link, message: Message) -> None:
        """A neighbour asks to carry something across: its own name goes with it, whatever it says."""
        to = self.mesh.people.get(message["to"])
        newest = self.mesh.newest(to) if to is not None else None
        if message["k"] not in RELAYED or to is None or newest is None or to.author in self.mesh.refused:
            self.mesh.control(link, {"t": "relayed", "from": message["to"], "k": "nobody", "c": message["c"], "d": "", "n": ""})
            return
        self.mesh.control(newest, {"t": "relayed", "from": link.author, "k": message["k"], "c": message["c"],
                                   "d": message["d"], "n": message["n"]})

    def relayed(self, link: Link, message: Message) -> None:
        """A neighbour carried something across."""
        author, kind, call, text, nonce = (message[name] for name in ("from", "k", "c", "d", "n"))
        if not all(isinstance(value, str) for value in (author, kind, call, text, nonce)):
            raise ValueError("relayed")
        if digits(author, AUTHOR_DIGITS) is None or author in (self.mesh.author, link.author) or author in self.mesh.refused:
            raise ValueError("relayed")
        via = link.author or ""
        if kind == "offer":
            self._offered(via, author, call, text)
        elif kind == "mend":
            self._mend_offered(via, author, call, text, nonce)
        else:
            self._answered(author, kind, call, text)

    def _offered(self, via: str, author: str, call: str, offer: str) -> None:
        calling = self.calling(author)
        if any(known.says == "offer" for known in calling) and self.mesh.author < author:
            return  # both called at once: the smaller author's call counts
        for known in calling:
            if known.ticket is None:
                self.mesh.end_link(known)
        made = self._make(author) if len(calling) < MOST_TICKETS else None
        if made is not None:
            made.via, made.says, made.call = via, "answer", call
            self.mesh.effects.append(Reply(made.id, offer))

    def _mend_offered(self, via: str, author: str, call: str, offer: str, nonce: str) -> None:
        link = next((known for known in self.mesh.links.values() if known.nonce == nonce and known.author == author), None)
        if link is None or link.stage is not Stage.UP:
            self._send(via, author, "stale", call, "")
        elif link.says != "mend" or not link.call or author < self.mesh.author:  # else both mend: the smaller author's counts
            link.via, link.says, link.call = via, "mended", call
            self.mesh.effects.append(Reply(link.id, offer))

    def _answered(self, author: str, kind: str, call: str, answer: str) -> None:
        link = next((known for known in self.mesh.links.values() if known.call == call and known.author == author), None)
        if link is None or not call or link.says not in ANSWERS.get(kind, ()):
            self.mesh.trouble("relayed")
        elif kind == "nobody":  # who was to carry it cannot: another one may
            link.call = ""
            if link.stage is Stage.CALLING:
                self.mesh.end_link(link)
                self.mesh.people[author].call_at = self.mesh.now + CALL_AFTER[0]
        elif kind == "stale":
            self.mesh.end_link(link)
            self.call(at_once=True)
        else:
            link.call = ""
            self.mesh.effects.append(Finish(link.id, answer))

    # ---- looking after a link ----

    def tend(self, link: Link) -> None:
        """Give up a call that came to nothing; mend a link that fell silent."""
        mesh = self.mesh
        if link.stage in (Stage.CALLING, Stage.OPEN):
            by_hand = link.author is None and link.stage is Stage.CALLING  # waits for people
            if mesh.now - link.since >= PATIENCE and not by_hand:
                mesh.end_link(link)
        elif link.stage is Stage.UP:
            person = mesh.people[link.author or ""]
            silent = mesh.now - link.heard
            if person.links[-1] != link.id:
                if silent > AWAY_AFTER or (link.until is not None and mesh.now >= link.until):
                    mesh.end_link(link)
            elif silent >= MEND_AFTER[mesh.author > person.author] and mesh.now - link.mended >= MEND_EVERY:
                self._mend(link, person)

    def _mend(self, link: Link, person: Neighbour) -> None:
        via = self.carrier(person)
        if via is not None:
            link.mended = self.mesh.now
            link.mends += 1
            if link.mends <= MENDS:  # else it is called anew
                link.via, link.says, link.call = via, "mend", self.mesh.token()
                self.mesh.effects.append(Dial(link.id, mend=True))

    # ---- tickets ----

    def arm(self) -> None:
        """Keep connections waiting for everybody who is here; in a large company one at a time, so that it is never felt."""
        mesh = self.mesh
        large = len(mesh.connected()) >= LARGE
        for person in mesh.people.values():
            newest = mesh.newest(person)
            if newest is None or not person.redeems or person.shown is not Presence.HERE:
                continue
            if large and mesh.now - newest.since < ARM_AFTER:
                continue
            waiting = [link for link in mesh.links.values() if link.stage is Stage.WAITING and link.author == person.author]
            for _ in range(ARMED[large] - len(waiting)):
                made = self._make(person.author)
                if made is not None:
                    made.stage, made.theirs = Stage.WAITING, newest.theirs
                    mesh.effects.append(Arm(made.id, newest.theirs))
                if large:
                    return

    def disarm(self) -> None:
        """The network changed: what waits cannot be found any more."""
        for link in list(self.mesh.links.values()):
            if link.stage is Stage.WAITING:
                self.mesh.end_link(link)
        for person in self.mesh.people.values():
            person.holds = 0

    def armed(self, link: Link, ticket: Ticket) -> None:
        """A connection waits: hand its ticket to whom it waits for, with those of the others that wait."""
        person = self.mesh.people.get(link.author or "")
        newest = self.mesh.newest(person) if person is not None else None
        link.ticket = ticket
        if newest is None:
            self.mesh.end_link(link)
            return
        self.hand_tickets(newest)

    def hand_tickets(self, link: Link) -> None:
        """Say on ``link`` what waits for the other end; on a new link again, for the one before may have led to a page that
        is no more."""
        tickets = [known.ticket for known in self.mesh.links.values()
                   if known.author == link.author and known.stage is Stage.WAITING and known.ticket is not None]
        if tickets:
            self.mesh.control(link, {"t": "tickets", "p": [[one.offer, one.user, one.password] for one in tickets]})

    def tickets(self, link: Link, message: Message) -> None:
        """The other side has these waiting."""
        found = tuple(Ticket(*(str(part) for part in parts)) for parts in message["p"])
        if len(found) > MOST_TICKETS:
            raise ValueError("tickets")
        if self.redeems:
            person = self.mesh.people[link.author or ""]
            person.tickets = found
            self.keep(person)

    def keep(self, person: Neighbour) -> None:
        """Have stored whom this device has met, and the ways back."""
        person.keeping += 1
        self.mesh.effects.append(Keep(person.author, person.tickets))

    def kept(self, person: Neighbour) -> None:
        """What a ``Keep`` asked for is stored; after the last one this device may count on it, and the other side, too."""
        person.keeping -= 1
        newest = self.mesh.newest(person)
        if newest is not None and not person.keeping:
            self.mesh.control(newest, {"t": "kept", "n": len(person.tickets)})

    def armed_for(self, person: Neighbour) -> bool:
        """Whether each of the two has stored a ticket of the other's, so that either may reload."""
        return bool(person.tickets) and not person.keeping and person.holds > 0

    def redeem(self) -> None:
        """Try a ticket on whom nobody can carry to."""
        mesh = self.mesh
        for person in mesh.people.values():
            silent = mesh.now - person.heard
            newest = mesh.newest(person)
            due = person.met and person.tickets and self.redeems and mesh.now >= person.redeem_at
            if not due or person.author in mesh.refused or self.calling(person.author):
                continue
            if newest is not None and silent < REDEEM_AFTER[mesh.author > person.author]:
                continue
            made = self._make(person.author)
            if made is not None:
                person.redeem_at = mesh.now + min(REDEEM_SELDOM, REDEEM_EVERY * 2 ** person.tries)
                person.tries += 1
                made.ticket, person.tickets = person.tickets[0], person.tickets[1:] + person.tickets[:1]
                mesh.effects.append(Redeem(made.id, made.ticket))

    def settle(self, link: Link, person: Neighbour) -> None:
        """A link is up: the ticket it came by, if any, is used up."""
        person.calls, person.call_at, person.tries, person.redeem_at = 0, None, 0, 0.0
        person.tickets = tuple(ticket for ticket in person.tickets if ticket != link.ticket)
        link.ticket = None
        person.holds = 0
        self.keep(person)

    def hopeless(self, person: Neighbour) -> bool:
        """Whether nothing is left that is likely to bring somebody back: later tries go on, but are not to be waited for."""
        untried = person.tickets and self.redeems and not person.tries
        trying = person.tries < 2 and bool(self.calling(person.author))
        return not untried and not trying and self.carrier(person) is None
