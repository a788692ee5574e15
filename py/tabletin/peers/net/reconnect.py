"""Ways back that need no third device and no code: tickets.

Each device keeps a connection or two waiting for every neighbour, with ICE credentials that both agreed on beforehand: a
ticket. The neighbour stores the ticket, and a page that is loaded again redeems it. No browser is known here.
"""

from __future__ import annotations

from typing import Final

from tabletin.peers.net.effects import Arm, Keep, Redeem
from tabletin.peers.net.link import Link, LinkStage, Neighbour, Ticket
from tabletin.peers.net.mesh_state import MeshState, Message
from tabletin.peers.net.transport import Presence

REDEEM_AFTER: Final = (16.0, 20.0)  # seconds of silence until the side with the smaller author, the other side, tries one
REDEEM_EVERY: Final = 18.0  # seconds; doubled with each try in vain
REDEEM_SELDOM: Final = 120.0
ARM_AFTER: Final = 4.0  # seconds that a link is up, in a large mesh; in a small one at once
ARMED: Final = (2, 1)  # connections kept waiting for each neighbour: in a small mesh, in a large one
LARGE: Final = 5  # neighbours
MOST_TICKETS: Final = 4
ARM_AGAIN: Final = 5.0  # seconds after connections that waited have failed, until others are made; doubled each time in a row …
MOST_ARM_DOUBLINGS: Final = 6  # … so often
KEPT: Final = 60.0  # seconds after which a connection that waits shows that this browser keeps such connections


class Reconnect:
    """Makes tickets for the neighbours, and redeems theirs."""

    def __init__(self, state: MeshState) -> None:
        self._state = state

    # ---- tickets of this device ----

    def arm(self) -> None:
        """Keep connections waiting for every neighbour that is here; in a large mesh one at a time, so nobody feels it."""
        state = self._state
        large = sum(bool(neighbour.links) for neighbour in state.neighbours.values()) >= LARGE
        if any(link.stage is LinkStage.WAITING and state.time - link.stage_time >= KEPT for link in state.links.values()):
            state.arms_lost = 0
        if state.time < state.arm_at:
            return
        for neighbour in state.neighbours.values():
            newest = state.newest(neighbour)
            if newest is None or not neighbour.can_redeem or neighbour.presence is not Presence.HERE:
                continue
            if large and state.time - newest.stage_time < ARM_AFTER:
                continue
            for _ in range(ARMED[large] - len(self._waiting(neighbour.author))):
                made = state.spare_link(neighbour.author)
                if made is not None:
                    made.stage, made.their_fingerprint = LinkStage.WAITING, newest.their_fingerprint
                    state.effects.append(Arm(made.id, newest.their_fingerprint))
                if large:
                    return

    def _waiting(self, author: str | None) -> list[Link]:
        return [link for link in self._state.links.values() if link.stage is LinkStage.WAITING and link.author == author]

    def note_lost(self, link: Link) -> None:
        """A connection that waits has failed although its device is here: the page was held up, or this browser keeps none.

        So the next ones are made after a while, a longer one each time in a row, and the neighbour hears what is left to rely on.
        Several that fail in one moment count once.
        """
        state = self._state
        neighbour = state.neighbours.get(link.author or "")
        if link.stage is not LinkStage.WAITING or neighbour is None or neighbour.presence is not Presence.HERE:
            return
        if state.time >= state.arm_at:
            state.arm_at = state.time + ARM_AGAIN * 2 ** min(state.arms_lost, MOST_ARM_DOUBLINGS)
            state.arms_lost += 1
        state.end_link(link)
        newest = state.newest(neighbour)
        if newest is not None:
            self._send_tickets(newest, self._tickets(link.author))

    def disarm(self) -> None:
        """The network changed: connections that wait cannot be reached any more."""
        for link in list(self._state.links.values()):
            if link.stage is LinkStage.WAITING:
                self._state.end_link(link)
        for neighbour in self._state.neighbours.values():
            neighbour.stored_there = 0

    def add_ticket(self, link: Link, ticket: Ticket) -> None:
        """A connection waits now: send its ticket to the device it waits for."""
        neighbour = self._state.neighbours.get(link.author or "")
        newest = self._state.newest(neighbour) if neighbour is not None else None
        link.ticket = ticket
        if newest is None:
            self._state.end_link(link)
            return
        self.send_tickets(newest)

    def send_tickets(self, link: Link) -> None:
        """Send all tickets for the device at the other end. A new link gets them again: the page that had them may be gone."""
        tickets = self._tickets(link.author)
        if tickets:
            self._send_tickets(link, tickets)

    def _tickets(self, author: str | None) -> list[Ticket]:
        return [one.ticket for one in self._waiting(author) if one.ticket is not None]

    def _send_tickets(self, link: Link, tickets: list[Ticket]) -> None:
        self._state.control(link, {"t": "tickets", "p": [[one.offer, one.user, one.password] for one in tickets]})

    # ---- tickets of the neighbours ----

    def receive(self, link: Link, message: Message) -> None:
        """The tickets of the device at the other end. Raises ``ValueError``."""
        tickets = tuple(Ticket(*(str(part) for part in parts)) for parts in message["p"])
        if len(tickets) > MOST_TICKETS:
            raise ValueError("tickets")
        if self._state.can_redeem:
            neighbour = self._state.neighbours[link.author or ""]
            neighbour.tickets = tickets
            self.store(neighbour)

    def store(self, neighbour: Neighbour) -> None:
        """Ask for a neighbour and its tickets to be stored."""
        neighbour.stores_under_way += 1
        self._state.effects.append(Keep(neighbour.author, neighbour.tickets))

    def confirm_store(self, neighbour: Neighbour) -> None:
        """One ``Keep`` is done. After the last one under way, the other device learns that it may rely on it."""
        neighbour.stores_under_way -= 1
        newest = self._state.newest(neighbour)
        if newest is not None and not neighbour.stores_under_way:
            self._state.control(newest, {"t": "kept", "n": len(neighbour.tickets)})

    def can_return(self, neighbour: Neighbour) -> bool:
        """Whether each of the two has stored a ticket of the other's, so that either page may be loaded again."""
        return bool(neighbour.tickets) and not neighbour.stores_under_way and neighbour.stored_there > 0

    def redeem(self) -> None:
        """Try a ticket on each neighbour that is out of reach."""
        state = self._state
        for neighbour in state.neighbours.values():
            silence = state.time - neighbour.heard_at
            newest = state.newest(neighbour)
            is_due = neighbour.is_met and neighbour.tickets and state.can_redeem and state.time >= neighbour.redeem_at
            if not is_due or neighbour.author in state.refused_authors or state.calling(neighbour.author):
                continue
            if newest is not None and silence < REDEEM_AFTER[state.author > neighbour.author]:
                continue
            made = state.try_link(neighbour.author)
            if made is not None:
                neighbour.redeem_at = state.time + min(REDEEM_SELDOM, REDEEM_EVERY * 2 ** neighbour.redeem_tries)
                neighbour.redeem_tries += 1
                made.ticket, neighbour.tickets = neighbour.tickets[0], neighbour.tickets[1:] + neighbour.tickets[:1]
                state.effects.append(Redeem(made.id, made.ticket))

    def settle(self, link: Link, neighbour: Neighbour) -> None:
        """A link is up: forget the tries before it, and the ticket it came by."""
        neighbour.call_tries, neighbour.call_at, neighbour.redeem_tries, neighbour.redeem_at = 0, None, 0, 0.0
        neighbour.tries = neighbour.calls_in_vain = neighbour.replies_in_vain = 0
        neighbour.tickets = tuple(ticket for ticket in neighbour.tickets if ticket != link.ticket)
        link.ticket = None
        neighbour.stored_there = 0
        self.store(neighbour)
