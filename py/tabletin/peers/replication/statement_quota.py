"""How many statements beside the play a person may make between two plays: of seats, consents, undos, other devices, the order.

A move that names an entry too far back is dead. So whoever orders could let every move of the others die, if it filled the log
faster than it placed them. A move that was taken back is no play here, or one could make it again and again. A log may hold
more of these statements than the quota; nobody has to place them, and who does is passed over. Who goes on from another device
goes on counting there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Entry, Statement
from tabletin.kernel.undo import MOVES

BESIDE_PLAY: Final = ("seat", "consent", "order", "undo", "device")  # kinds of statements
QUOTA: Final = 12  # of one person since anybody played; of all who play at one time, fewer than MOST_BEHIND


def is_counted(statement: Statement) -> bool:
    """Whether ``statement`` could be said over and over. Who gives the order to somebody else cannot do so again."""
    return statement.kind in BESIDE_PLAY and not (statement.kind == "order" and statement.body.get("to") != statement.author)


def exceeds_quota(newest_first: Iterable[Entry], statement: Statement) -> bool:
    """Whether somebody has said all that it may say beside the play for now: the author of ``statement``, which comes next, or
    anybody else, if ``statement`` takes back the play since which the others count."""
    if not is_counted(statement):
        return False
    entries = list(newest_first) if statement.kind == "undo" else newest_first
    if statement.kind == "undo" and not _is_too_much(_since_play(entries)) and _is_too_much(_since_play(entries, statement)):
        return True
    own = (speaker for speaker in _since_play(entries) if speaker == statement.author)
    return sum(1 for _ in islice(own, QUOTA)) == QUOTA


def was_quota_exceeded(newest_first: Iterable[Entry]) -> bool:
    """Whether somebody's statements got more places beside the play than anybody has to give."""
    return _is_too_much(_since_play(newest_first))


def _is_too_much(speakers: Iterable[str]) -> bool:
    counts: Counter[str] = Counter()
    for speaker in speakers:
        counts[speaker] += 1
        if counts[speaker] > QUOTA:
            return True
    return False


def _since_play(newest_first: Iterable[Entry], undo: Statement | None = None) -> Iterator[str]:
    """Who said each such thing since anybody played, the newest first; who handed over is the one that goes on now. Nobody played
    in a move that was taken back. ``undo``: what comes next."""
    heirs: dict[str, str] = {}
    stands_up_to = math.inf
    if undo is not None:
        stands_up_to = undo.body["to"]
        yield undo.author
    for entry in newest_first:
        said, stands = entry.statement, entry.index <= stands_up_to
        if said.kind == "device":
            to = str(said.body.get("to"))
            heirs[said.author] = heirs.get(to, to)
        elif said.kind == "undo" and stands:
            stands_up_to = said.body["to"]
        if is_counted(said):
            yield heirs.get(said.author, said.author)
        elif said.kind not in BESIDE_PLAY and not prepares_next_hand(said) and (stands or said.kind not in MOVES):
            return
