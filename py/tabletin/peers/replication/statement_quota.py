"""How many statements beside the play a person may make between two plays: of seats, consents, undos, other devices, the order.

A move that names an entry too far back is dead. So whoever orders could let every move of the others die, if it filled the log
faster than it placed them. A log may hold more of these statements than the quota; nobody has to place them, and who does is
passed over. Who goes on from another device goes on counting there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Entry, Statement

BESIDE_PLAY: Final = ("seat", "consent", "order", "undo", "device")  # kinds of statements
QUOTA: Final = 12  # of one device since anybody played; of all keys that play at one time, fewer than MOST_BEHIND


def is_counted(statement: Statement) -> bool:
    """Whether ``statement`` could be said over and over. Who gives the order to somebody else cannot do so again."""
    return statement.kind in BESIDE_PLAY and not (statement.kind == "order" and statement.body.get("to") != statement.author)


def exceeds_quota(newest_first: Iterable[Entry], statement: Statement) -> bool:
    """Whether the author of ``statement``, which comes next, has said all that it may say beside the play for now."""
    own = (speaker for speaker in _since_play(newest_first) if speaker == statement.author)
    return is_counted(statement) and sum(1 for _ in islice(own, QUOTA)) == QUOTA


def was_quota_exceeded(newest_first: Iterable[Entry]) -> bool:
    """Whether somebody's statements got more places beside the play than anybody has to give."""
    counts: Counter[str] = Counter()
    for speaker in _since_play(newest_first):
        counts[speaker] += 1
        if counts[speaker] > QUOTA:
            return True
    return False


def _since_play(newest_first: Iterable[Entry]) -> Iterator[str]:
    """Who said each such thing since anybody played, the newest first; who handed over is the one that goes on now."""
    heirs: dict[str, str] = {}
    for entry in newest_first:
        said = entry.statement
        if said.kind == "device":
            to = str(said.body.get("to"))
            heirs[said.author] = heirs.get(to, to)
        if is_counted(said):
            yield heirs.get(said.author, said.author)
        elif said.kind not in BESIDE_PLAY and not prepares_next_hand(said):
            return
