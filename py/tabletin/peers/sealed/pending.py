"""The pieces of a deal's state: its cards, the requests that are worked off, and the memory of verdicts.

Cards and requests are values; `ceremony` and `judging` replace them. Nothing here is secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tabletin.peers.sealed.deck import Cipher
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.shuffle import ShuffleClaim, check

MOST_VERDICTS = 65536


@dataclass(frozen=True, slots=True)
class Card:
    """One handle: its pair, its face once public, the peer it was shown to, and who has shared it since.

    `shares` holds no share of `reader`, unless the face is public: with it, everybody could read the card.
    """

    cipher: Cipher
    face: str | None = None
    reader: int | None = None
    shares: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mixing:
    """A shuffle. `before` is fixed when it begins; `claims` are those of the first `authors`."""

    step: int
    cards: tuple[int | str, ...]
    fresh: tuple[int, ...]
    authors: tuple[int, ...]
    start: tuple[Cipher, ...] | None = None
    claims: tuple[ShuffleClaim, ...] = ()
    done: bool = False

    def touches(self) -> set[int]:
        return {*self.fresh, *(card for card in self.cards if isinstance(card, int))}

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        return self.authors[len(self.claims)]

    @property
    def input(self) -> tuple[Cipher, ...]:
        """What the next author shuffles. Only once begun."""
        assert self.start is not None
        return self.claims[-1].output if self.claims else self.start


@dataclass(frozen=True, slots=True)
class Showing:
    """Cards on their way to one peer, or to all (None)."""

    step: int
    handles: tuple[int, ...]
    reader: int | None
    done: bool = False
    result: tuple[str, ...] | None = None

    def touches(self) -> set[int]:
        return set(self.handles)


@dataclass(frozen=True, slots=True)
class TakingBack:
    """Cards that their holders mask again."""

    step: int
    handles: tuple[int, ...]
    done: bool = False

    def touches(self) -> set[int]:
        return set(self.handles)


@dataclass(frozen=True, slots=True)
class Rolling:
    """A roll: its point, fixed when all keys are there, and the shares of it."""

    step: int
    sides: int
    head: bytes
    shares: Mapping[int, bytes] = field(default_factory=dict)
    done: bool = False
    result: int | None = None

    def touches(self) -> set[int]:
        return set()


Pending = Mixing | Showing | TakingBack | Rolling


class Checker:
    """A group and the verdicts reached with it. Verdicts are facts, so replicas and copies may share one.

    A peer that checks a shuffle as soon as it hears of it (`shuffles`) finds the verdict ready when the deal needs it. A
    peer that waits checks all the shuffles of a deal as one batch.
    """

    def __init__(self, group: PrimeGroup) -> None:
        self.group = group
        self.early = False  # whether what is judged prepares the next hand
        self.own = ""  # the author whose proofs need no check, if any: this device's, while it reads its own statements again
        self.reads_own = False  # whether what is judged is that author's
        self._verdicts: dict[bytes, bool] = {}

    def shuffles(self, claims: Sequence[ShuffleClaim]) -> list[bool]:
        names = [claim.digest() for claim in claims]
        unknown = {name: claim for name, claim in zip(names, claims, strict=True) if name not in self._verdicts}
        fresh = dict(zip(unknown, check(self.group, list(unknown.values())), strict=True))
        verdicts = [fresh[name] if name in fresh else self._verdicts[name] for name in names]
        for name, verdict in fresh.items():
            self._keep(name, verdict)
        return verdicts

    def knows(self, claim: ShuffleClaim) -> bool:
        """Whether its verdict is in."""
        return claim.digest() in self._verdicts

    def note_void(self) -> None:
        """The deal under way was given up: what was put off of it is due."""

    def trust(self, claim: ShuffleClaim) -> None:
        """Count a shuffle as checked: this device's own, or one that was checked before it was stored."""
        self._keep(claim.digest(), True)

    def once(self, name: bytes, judge: Callable[[], bool]) -> bool:
        """The verdict on what `name` is a digest of, by `judge` if there is none yet."""
        verdict = self._verdicts.get(name)
        if verdict is None:
            verdict = judge()
            self._keep(name, verdict)
        return verdict

    def _keep(self, name: bytes, verdict: bool) -> None:
        if len(self._verdicts) >= MOST_VERDICTS:
            self._verdicts.clear()
        self._verdicts[name] = verdict
