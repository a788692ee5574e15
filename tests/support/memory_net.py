"""Several ``Net``s in one process, for tests of rooms and matches: nothing happens but when the test says so.

``town = FakeTown()``, ``anna = town.net("anna")``; ``await town.introduce(anna, ben)`` goes the way of invite and reply;
``town.run()`` delivers until all is quiet, ``town.wait(seconds)`` lets time pass; ``cut``/``heal`` hold messages back,
``drop`` ends a link and what was on its way, ``crash`` is a device that is gone without a word.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256

from tabletin.peers.net.code import BadCode
from tabletin.peers.net.diagnosis import Findings
from tabletin.peers.net.rendezvous import Rendezvous
from tabletin.peers.net.transport import AWAY_AFTER, CHANNELS, UNSTABLE_AFTER, Presence, Unreachable

Pair = frozenset[str]


class FakeInvitation:
    """``Invitation`` of a ``FakeNet``."""

    def __init__(self, net: FakeNet, number: int) -> None:
        self.net, self.number = net, number
        self.state = "open"

    @property
    def code(self) -> str:
        return f"invite-{self.net.author}-{self.number}"

    async def accept(self, reply: str) -> str:
        answering = self.net.town.replies.get(reply.strip())
        if answering is None:
            raise BadCode("damaged")
        invitation = answering.invitation
        if invitation.net is not self.net:
            raise BadCode("of_another")
        if invitation.state != "open":
            raise BadCode(invitation.state)
        guest = answering.net
        if Pair((self.net.author, guest.author)) in self.net.town.blocked:
            answering.met.set_exception(Unreachable("no_path"))
            raise Unreachable("no_path")
        invitation.state = "used"
        self.net.town.join(guest, self.net)
        answering.met.set_result(self.net.author)
        return guest.author

    def cancel(self) -> None:
        if self.state == "open":
            self.state = "expired"


class FakeAnswering:
    """``Answering`` of a ``FakeNet``."""

    def __init__(self, net: FakeNet, invitation: FakeInvitation, number: int) -> None:
        self.net, self.invitation, self.number = net, invitation, number
        self.met: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def reply(self) -> str:
        return f"reply-{self.net.author}-{self.number}"

    async def wait_connected(self) -> str:
        return await self.met

    def cancel(self) -> None:
        self.met.cancel()


class FakeNet:
    """``Net`` of one device of a ``FakeTown``."""

    def __init__(self, town: FakeTown, author: str) -> None:
        self.town = town
        self.author = author
        self.sent: Counter[str] = Counter()  # messages by channel
        self._heard: dict[str, Callable[[str, str], None]] = {}
        self._changed: list[Callable[[str], None]] = []
        self.links: dict[str, float] = {}  # author -> when it was last heard
        self.known: dict[str, Presence] = {}
        self.refused: set[str] = set()
        self.retained: frozenset[str] = frozenset()
        self.needs_code: set[str] = set()
        self.gone = False
        self.servers: object = None

    def presence(self, author: str) -> Presence:
        return self.known.get(author, Presence.UNKNOWN)

    def connected_authors(self) -> tuple[str, ...]:
        return tuple(self.links)

    def lost_authors(self) -> tuple[str, ...]:
        return tuple(sorted(self.needs_code))

    def returns(self, author: str) -> bool:
        return author in self.links

    def send(self, to: str | None, channel: str, text: str) -> None:
        assert channel in CHANNELS
        assert isinstance(text, str)
        for author in self.links if to is None else (to,):
            if author in self.links:
                self.sent[channel] += 1
                self.town.sending.append((self.author, author, channel, text))

    def on_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        assert channel in CHANNELS
        self._heard[channel] = heard

    def off_text(self, channel: str, heard: Callable[[str, str], None]) -> None:
        if self._heard.get(channel) == heard:
            del self._heard[channel]

    def on_presence(self, heard: Callable[[str], None]) -> None:
        self._changed.append(heard)

    async def invite(self) -> FakeInvitation:
        return self.town.invitation(self)

    def findings(self, author: str = "") -> Findings:
        return Findings(0.0)

    def use_servers(self, servers: object) -> None:
        self.servers = servers

    async def meet(self, rendezvous: Rendezvous, relays: Sequence[str], *, seeks: bool) -> None:
        assert relays
        self.town.meet(self, rendezvous.topic)

    async def answer(self, invite: str) -> FakeAnswering:
        return self.town.answering(self, invite)

    def admit(self, author: str) -> None:
        self.refused.discard(author)

    def retain(self, authors: Collection[str]) -> None:
        self.retained = frozenset(authors)

    def refuse(self, author: str) -> None:
        self.refused.add(author)
        self.town.drop(self.author, author)

    def close(self) -> None:
        self.town.leave(self)

    # ---- for the town ----

    def hear(self, author: str, channel: str, text: str) -> None:
        heard = self._heard.get(channel)
        if heard is not None:
            heard(author, text)

    def note(self, author: str, presence: Presence, *, always: bool = False) -> None:
        """The presence of ``author`` is this now; tells the listener where that is news."""
        if self.gone or (self.known.get(author) is presence and not always):
            return
        self.known[author] = presence
        for heard in self._changed:
            heard(author)


class FakeTown:
    """All the devices there are, and what lies between them."""

    def __init__(self) -> None:
        self.nets: dict[str, FakeNet] = {}
        self.now = 0.0
        self.sending: list[tuple[str, str, str, str]] = []
        self.cuts: set[Pair] = set()
        self.blocked: set[Pair] = set()  # pairs between which no link can be made
        self.invitations: dict[str, FakeInvitation] = {}
        self.replies: dict[str, FakeAnswering] = {}
        self.topics: dict[str, set[FakeNet]] = {}  # who is found through relays, by topic

    def net(self, name: str) -> FakeNet:
        """A device; an author that is not 64 hexadecimal digits is made one."""
        author = name if len(name) == 64 else sha256(name.encode()).hexdigest()
        self.nets[author] = made = FakeNet(self, author)
        return made

    async def introduce(self, host: FakeNet, guest: FakeNet) -> None:
        """Invite, answer, accept."""
        invitation = await host.invite()
        answering = await guest.answer(invitation.code)
        assert await invitation.accept(answering.reply) == guest.author
        assert await answering.wait_connected() == host.author

    def invitation(self, net: FakeNet) -> FakeInvitation:
        made = FakeInvitation(net, len(self.invitations))
        self.invitations[made.code] = made
        return made

    def answering(self, net: FakeNet, invite: str) -> FakeAnswering:
        invitation = self.invitations.get(invite.strip().rpartition("=")[2])
        if invitation is None:
            raise BadCode("damaged")
        if invitation.net is net:
            raise BadCode("own")
        made = FakeAnswering(net, invitation, len(self.replies))
        self.replies[made.reply] = made
        return made

    def meet(self, net: FakeNet, topic: str) -> None:
        """``net`` finds all who use the same relays for the same topic."""
        here = self.topics.setdefault(topic, set())
        for other in [one for one in here if not one.gone]:
            self.link(net, other)
        here.add(net)

    def join(self, guest: FakeNet, host: FakeNet) -> None:
        """``guest`` is linked with ``host`` and with everybody ``host`` is linked with."""
        for author in (host.author, *host.links):
            self.link(guest, self.nets[author])

    def link(self, one: FakeNet, two: FakeNet) -> None:
        if one is two or one.author in two.refused or two.author in one.refused or Pair((one.author, two.author)) in self.blocked:
            return
        for net, other in ((one, two), (two, one)):
            net.links[other.author] = self.now
            net.needs_code.discard(other.author)
            net.note(other.author, Presence.HERE, always=True)

    def run(self, most: int = 100_000) -> int:
        """Deliver all there is, and what is said in answer; how many messages."""
        delivered = 0
        held: list[tuple[str, str, str, str]] = []
        while self.sending:
            sender, to, channel, text = self.sending.pop(0)
            if Pair((sender, to)) in self.cuts:
                held.append((sender, to, channel, text))
            elif sender in self.nets[to].links:
                self.nets[to].hear(sender, channel, text)
                delivered += 1
                assert delivered <= most, "these never come to rest"
        self.sending = held
        return delivered

    def wait(self, seconds: float) -> None:
        """Time passes; pings arrive where nothing is cut."""
        self.now += seconds
        for net in self.nets.values():
            for author, heard in list(net.links.items()):
                if Pair((net.author, author)) not in self.cuts and not self.nets[author].gone:
                    net.links[author] = heard = self.now
                silent = self.now - heard
                net.note(author, Presence.AWAY if silent >= AWAY_AFTER else
                         Presence.UNSTABLE if silent >= UNSTABLE_AFTER else Presence.HERE)

    def cut(self, one: str, two: str) -> None:
        """Nothing gets through between two authors; what they say waits."""
        self.cuts.add(Pair((one, two)))

    def heal(self, one: str, two: str) -> None:
        self.cuts.discard(Pair((one, two)))
        self.wait(0)

    def drop(self, one: str, two: str, *, lost: bool = False) -> None:
        """The link is gone, and what was on its way with it; ``lost``: only a fresh code brings it back."""
        self.sending = [said for said in self.sending if {said[0], said[1]} != {one, two}]
        for author, other in ((one, two), (two, one)):
            net = self.nets[author]
            if net.links.pop(other, None) is not None:
                if lost:
                    net.needs_code.add(other)
                net.note(other, Presence.AWAY, always=True)

    def restore(self, one: str, two: str) -> None:
        """A new link in place of one that was dropped."""
        self.link(self.nets[one], self.nets[two])

    def leave(self, net: FakeNet) -> None:
        """Goodbye."""
        self.sending = [said for said in self.sending if net.author not in said[:2]]
        net.gone = True
        for author in net.links:
            self.nets[author].links.pop(net.author, None)
            self.nets[author].note(net.author, Presence.LEFT)
        net.links.clear()

    def crash(self, net: FakeNet) -> None:
        """Gone without a word: the others notice by its silence. ``town.net(author)`` starts it anew."""
        self.sending = [said for said in self.sending if net.author not in said[:2]]
        net.gone = True
