"""A table of peers for the tests of sealed dealing: every message that is said, seen by one replica."""

from __future__ import annotations

from tabletin.peers.sealed.ceremony import accept, ask
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.requests import DealRefusal, Effect, Request

MATCH = b"match".ljust(32, b".")


class Table:
    """One replicated deal and its peers. `said` are all accepted messages; `effects` what came of all."""

    def __init__(self, group: PrimeGroup, seats: tuple[int, ...], seed: int = 1, deal: int = 1) -> None:
        self.deal = DealState(Checker(group), MATCH, deal, seats)
        self.parties = [Party(peer, bytes([peer, seed % 256, seed // 256]) * 11) for peer in self.deal.peers]
        self.said: list[tuple[int, bytes]] = []
        self.effects: list[Effect] = []

    def ask(self, *requests: Request) -> Table:
        for request in requests:
            effects = ask(self.deal, request)
            assert not isinstance(effects, DealRefusal), effects
            self.effects += effects
        return self

    def say(self, author: int, message: bytes) -> list[Effect]:
        effects = accept(self.deal, author, message)
        assert not isinstance(effects, DealRefusal), effects
        self.said.append((author, message))
        self.effects += effects
        return effects

    def settle(self, silent: tuple[int, ...] = ()) -> Table:
        """Everybody says what it owes until nobody (but the silent) owes anything."""
        spoke = True
        while spoke:
            spoke = False
            for party in self.parties:
                if party.peer not in silent:
                    for duty in self.deal.duties(party.peer):
                        self.say(party.peer, party.fulfil(self.deal, duty))
                        spoke = True
        return self
