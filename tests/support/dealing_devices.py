"""Devices that deal to each other by ``SealedDealing``, without a match: what is asked is said by the test, nothing is signed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tabletin.kernel.log import Json
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Request, Result, Shuffle
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing, match_bytes
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.pending import Checker
from tests.support.standin_group import StandInGroup

FACES = tuple("ABCDEF")


@dataclass
class Asked:
    """As much of a state as dealing looks at."""

    requests: tuple[Request, ...] = ()
    next_card: int = 0


class Devices:
    """``dealers[i]`` is device ``"i"``; ``seats`` names the device of each seat. ``state`` is what the rules wait for."""

    def __init__(self, *seats: str, group: PrimeGroup | None = None, checker: Checker | None = None) -> None:
        self.setup = Setup("x", 1, {}, tuple(Seat("person", author) for author in seats), "sealed")
        self.dealing = SealedDealing(self.setup, match_bytes("match"), checker or Checker(group or StandInGroup()))
        self.dealers = {author: SealedDealer(author, author.encode().ljust(32, b".")) for author in seats}
        self.state: Any = Asked()
        self.results: list[Result] = []
        self.entries = 0

    @property
    def head(self) -> str:
        return sha256(bytes([self.entries])).hexdigest()

    def ask(self, *requests: Request) -> Devices:
        """The rules ask this after the next entry."""
        self.state.requests = (*self.state.requests, *requests)
        return self._note()

    def _note(self) -> Devices:
        self.entries += 1
        self.dealing.note_entry(self.state, self.head)
        return self

    def say(self, author: str, body: dict[str, Json]) -> list[Result]:
        """Somebody says it, and the state goes on. Raises ``Refused`` and leaves all as it was."""
        dealing = self.dealing.copy()
        answers = [answer.result for answer in dealing.read(self.state, author, body)]
        self.dealing = dealing
        for request in self.state.requests[:len(answers)]:
            if isinstance(request, Shuffle):
                self.state.next_card += len(request)
        self.state.requests = self.state.requests[len(answers):]
        self._note()
        self.results += answers
        return answers

    def settle(self, silent: Iterable[str] = ()) -> Devices:
        """Everybody but the silent says what is owed; answers that need no message are delivered."""
        spoke = True
        while spoke:
            spoke = False
            for author, dealer in self.dealers.items():
                if author not in silent:
                    for duty in dealer.duties(self.state, self.dealing):
                        self.say(author, dealer.fulfil(self.state, self.dealing, duty))
                        spoke = True
            if any(dealer.idle(self.state, self.dealing) for dealer in self.dealers.values()):
                self.say(next(iter(self.dealers)), {})
                spoke = True
        return self

    def prepare(self) -> Devices:
        """Everybody says its part of the next deck, until nobody has one."""
        spoke = True
        while spoke:
            spoke = False
            for author, dealer in self.dealers.items():
                body = dealer.prepare(self.dealing)
                if body is not None:
                    self.say(author, body)
                    spoke = True
        return self

    def refusal(self, author: str, body: dict[str, Any]) -> str:
        """Why this cannot be said now, "" if it can. Nothing changes."""
        try:
            list(self.dealing.copy().read(self.state, author, body))
        except Refused as error:
            return error.refusal.key
        return ""
