"""What the people at one device want of a match whose other devices keep them waiting. It decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Choices:
    """``removals``: the peers to go on without. ``ending_removals``: of these, whose seats shall not be played on, so that the
    match ends. ``timeouts``: the seats that have kept the people here waiting long enough."""

    removals: set[str] = field(default_factory=set)
    ending_removals: set[str] = field(default_factory=set)
    timeouts: set[int] = field(default_factory=set)
