"""The ballots of one device of a match at rest, by themselves."""

from __future__ import annotations

from tabletin.kernel.log import Json
from tabletin.peers.replication.ballots import Ballots
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.epoch_vote import EpochVote
from tests.support.peer_part import PartOf
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


class Booth(PartOf):
    """The ballots of ``node``."""

    def __init__(self, table: RestingTable, node: Node) -> None:
        super().__init__(table, node)
        self.choices = Choices()
        self.ballots = Ballots(self.state, self.outbox, self.choices)

    def at(self, seconds: float) -> Booth:
        self.state.note_time(seconds)
        return self

    def wish(self, node: Node, *subjects: dict[str, Json]) -> None:
        self.ballots.hear_wish(node.author, {"t": "wish", "what": list(subjects)})

    def hear(self, vote: EpochVote) -> EpochVote | None:
        return self.ballots.hear_vote(vote.voter, {"t": "ballot", **vote.to_json()})

    def votes(self) -> list[tuple[int, dict[str, Json]]]:
        """The votes it sent since this was asked last."""
        return [(message["e"], message["what"]) for _, message in self.told() if message["t"] == "ballot"]
