"""What one peer holds against others, and how everybody comes to hold it: a misdeed is told with what was signed, no more.

Whoever is told checks it against its own log and believes nothing else, so a false accusation is harmless, and the same
exhibits convict at every table. Only who plays can be accused: what a stranger signs is refused and concerns nobody.
"""

from __future__ import annotations

from typing import Final

from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.ports import Message, ReplicaPort

SAID: Final = ("statement", "counter", "twice")  # kinds that rest on statements; the others rest on entries


class Accusations:
    """The accusations of one peer."""

    def __init__(self, peer: ReplicaPort) -> None:
        self._peer = peer
        self.accusations: list[Accusation] = []
        self._looked_at = ""  # the head at which the unfinished shuffles were looked at

    def accuse(self, accusation: Accusation) -> None:
        """Hold ``accusation``, unless its like is held already, and tell the others."""
        peer = self._peer
        if accusation.against not in peer.live:
            peer.refused["kernel.stranger"] += 1
            return
        if all((known.against, known.why) != (accusation.against, accusation.why) for known in self.accusations):
            self.accusations.append(accusation)
            self._tell(accusation)

    def statement(self, statement: Statement) -> None:
        """A signed statement that was already wrong at the head it names convicts its author, and so does another shuffle
        of the same deck."""
        match = self._peer.match
        accusation = Accusation.of_statement(match, statement) or Accusation.of_twice(match, statement)
        if accusation is not None:
            self.accuse(accusation)

    def look_again(self) -> None:
        """Once a second: tell the others once more, for messages get lost; and where nothing has come since the last look,
        check the shuffles of a chain that is not complete."""
        match = self._peer.match
        for accusation in self.accusations:
            self._tell(accusation)
        if self._looked_at == match.head and not self.accusations and match.outcome is None:
            guilty = self._peer.dealing.unfinished_guilty()
            if guilty is not None:
                self.accuse(Accusation.of_log(match, guilty, "shuffle"))
        self._looked_at = match.head

    def _tell(self, accusation: Accusation) -> None:
        if accusation.exhibits:  # what the log itself holds everybody finds there
            self._peer.send(None, {"t": "blame", "why": accusation.why, "x": list(accusation.exhibits)})

    def hear(self, sender: str, message: Message) -> None:
        """Somebody tells of a misdeed. Raises ``Malformed`` for what proves nothing."""
        exhibits = message.get("x")
        if not isinstance(exhibits, list):
            raise Malformed("expected exhibits")
        accusation = self._made_of(message.get("why"), exhibits)
        if accusation is None:
            raise Malformed("an accusation that proves nothing")
        self.accuse(accusation)

    def _made_of(self, why: Json, exhibits: list[Json]) -> Accusation | None:
        """The accusation these exhibits make beside this peer's own log; None if they make none."""
        peer, match = self._peer, self._peer.match
        if why in SAID:
            said = [Statement.from_json(exhibit) for exhibit in exhibits]
            if not all(peer.authority.statement_signed(one) and one.match == match.id for one in said):
                return None
            if why == "statement" and len(said) == 1:
                return Accusation.of_statement(match, said[0])
            if why == "counter" and len(said) == 2 and differ(said[0], said[1]) and said[0].count == said[1].count:
                return Accusation.of_counter(match, said[0], said[1])
            if why == "twice" and len(said) == 2 and differ(said[0], said[1]):
                return Accusation.of_two_shuffles(match, said[0], said[1])
            return None
        placed = [Entry.from_json(exhibit) for exhibit in exhibits]
        if why == "fork" and len(placed) == 2:
            one, two = placed
            if not 0 < one.index == two.index <= len(match.entries) or one.hash == two.hash:
                return None
            orderer = match.at(one.index - 1).orderer
            if all(peer.authority.place_signed(entry, orderer) for entry in placed):
                return Accusation.of_fork(match, one, two)
        if why == "place" and len(placed) == 1:
            return self._wrong_place(placed[0])
        return None

    def _wrong_place(self, entry: Entry) -> Accusation | None:
        """That ``entry``, signed by whoever orders there, cannot stand where it was put."""
        peer, match = self._peer, self._peer.match
        if not 0 < entry.index <= len(match.entries) or entry.previous != match.entries[entry.index - 1].hash:
            return None
        before = match.at(entry.index - 1)
        if not peer.authority.place_signed(entry, before.orderer):
            return None
        if match.refusal_at(entry.index - 1, entry.statement) is None:
            return None
        return Accusation(before.orderer, "place", tuple(match.entries[:entry.index]), (entry.to_json(),))


def differ(one: Statement, other: Statement) -> bool:
    """Whether these are two statements of one author."""
    return one.author == other.author and one.hash != other.hash
