"""The next hand, prepared while this one is played: its keys and its shuffles, said early.

They are the very messages the next deal would begin with – new keys, every peer's shuffle, every proof – in a ceremony of its
own that nothing is shared from until the rules ask for a deck of the same faces among the same peers; then it becomes the
deal. If they ask for something else, or somebody goes, it is dropped unopened and its number is never used again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tabletin.kernel.faces import Face
from tabletin.peers.sealed import requests as sealed
from tabletin.peers.sealed.ceremony import Ceremony

SAID_EARLY = (b"\x01", b"\x02")  # the first byte of a key and of a shuffle


@dataclass(frozen=True, slots=True)
class PreparedDeck:
    """A deal of ``faces`` among ``authors`` that nobody has asked for yet. Its handles are 0 … N − 1."""

    faces: tuple[Face, ...]
    authors: tuple[str, ...]
    ceremony: Ceremony

    @classmethod
    def begun(cls, faces: tuple[Face, ...], authors: tuple[str, ...], ceremony: Ceremony) -> PreparedDeck:
        """``ceremony``: one that was asked for nothing yet."""
        ceremony.ask(sealed.Shuffle(faces, tuple(range(len(faces)))))
        return cls(faces, authors, ceremony)

    def copy(self) -> PreparedDeck:
        return replace(self, ceremony=self.ceremony.copy())

    def fits(self, faces: tuple[Face, ...], authors: tuple[str, ...], seats: tuple[int, ...]) -> bool:
        """Whether this is the deal that the rules ask for now."""
        return (self.faces, self.authors, self.ceremony.seats) == (faces, authors, seats) and not self.ceremony.spoiled

    def accept(self, author: str, data: bytes) -> list[sealed.Effect] | sealed.Refusal:
        """A key or a shuffle; nothing else can be said before its time."""
        if author not in self.authors:
            return sealed.Refusal("sealed.stranger")
        if data[:1] not in SAID_EARLY:
            return sealed.Refusal("sealed.not_due")
        checker = self.ceremony.checker
        checker.early = True
        try:
            return self.ceremony.accept(self.authors.index(author), data, own=author == checker.own)
        finally:
            checker.early = False
