"""The next hand's deck, prepared while this hand is played.

The messages are those that the next deal would begin with: new keys, every peer's shuffle, every proof. They make up a deal
of its own, from which nothing is shared yet. When the rules ask for a deck of the same faces among the same peers, it
becomes the deal. When they ask for something else, or somebody leaves, it is dropped unopened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tabletin.kernel.faces import Face
from tabletin.peers.sealed import ceremony
from tabletin.peers.sealed import requests as sealed
from tabletin.peers.sealed.deal import DealState

EARLY_KINDS = (b"\x01", b"\x02")  # the first byte of a key and of a shuffle


@dataclass(frozen=True, slots=True)
class PreparedDeck:
    """A deal of ``faces`` among ``authors`` that nobody has asked for yet. Its handles are 0 … N − 1."""

    faces: tuple[Face, ...]
    authors: tuple[str, ...]
    deal: DealState

    @classmethod
    def prepare(cls, faces: tuple[Face, ...], authors: tuple[str, ...], deal: DealState) -> PreparedDeck:
        """Ask ``deal``, which was asked for nothing yet, for a deck of ``faces``."""
        ceremony.ask(deal, sealed.Shuffle(faces, tuple(range(len(faces)))))
        return cls(faces, authors, deal)

    def copy(self) -> PreparedDeck:
        return replace(self, deal=self.deal.copy())

    def fits(self, faces: tuple[Face, ...], authors: tuple[str, ...], seats: tuple[int, ...]) -> bool:
        """Whether this is the deal that the rules ask for now."""
        return (self.faces, self.authors, self.deal.seats) == (faces, authors, seats) and not self.deal.void

    def accept(self, author: str, data: bytes) -> list[sealed.Effect] | sealed.DealRefusal:
        """Take in a key or a shuffle. Any other message is refused: it comes before its time."""
        if author not in self.authors:
            return sealed.DealRefusal("sealed.stranger")
        if data[:1] not in EARLY_KINDS:
            return sealed.DealRefusal("sealed.not_due")
        checker = self.deal.checker
        checker.early = True
        try:
            return ceremony.accept(self.deal, self.authors.index(author), data, own=author == checker.own)
        finally:
            checker.early = False
