"""The beginning of a log, up to one entry: all that whatever comes right behind it is judged by.

A log only grows, so a prefix never changes. Nothing that came later can be reached through it: whoever judges a statement
by its prefix comes to the same verdict whenever it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from tabletin.kernel.log import Entry, Hash
from tabletin.kernel.snapshot import Snapshot


class Log(Protocol):
    """A log that grows, and what each of its prefixes amounts to (``Match``)."""

    id: Hash
    entries: list[Entry]

    def snapshot_at(self, index: int) -> Snapshot:
        """The snapshot after entry ``index``; not to be changed."""
        ...


@dataclass(frozen=True, slots=True)
class Prefix:
    """The entries 0 to ``index`` of a log; ``snapshot`` is what they amount to, not to be changed."""

    index: int
    snapshot: Snapshot
    _log: Log

    @property
    def match(self) -> Hash:
        """The id of the match."""
        return self._log.id

    @property
    def head(self) -> Hash:
        """The hash of the last entry."""
        return self._log.entries[self.index].hash

    def hash_at(self, index: int) -> Hash:
        """The hash of entry ``index`` of this prefix; "" for none."""
        return self._log.entries[index].hash if 0 <= index <= self.index else ""

    def snapshot_at(self, index: int) -> Snapshot:
        """The snapshot after entry ``index`` of this prefix; not to be changed. Raises ``IndexError``."""
        if not 0 <= index <= self.index:
            raise IndexError(index)
        return self.snapshot if index == self.index else self._log.snapshot_at(index)

    def newest_first(self) -> Iterator[Entry]:
        """The entries of this prefix, the last one first."""
        return islice(reversed(self._log.entries), len(self._log.entries) - self.index - 1, None)

    def entries_since(self, index: int) -> list[Entry]:
        """The entries of this prefix behind entry ``index``."""
        return self._log.entries[index + 1:self.index + 1]
