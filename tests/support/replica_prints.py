"""A device as bytes, to go on from it later, and its *print*: two devices with one print do the same with whatever comes.

The print is made of everything that a replica and its parts hold. What is left out is listed in ``LEFT_OUT``, with the reason why
it bears on nothing that the replica does; a field that is new counts by itself. ``test_explorer_reductions`` holds this to what
replicas do.
"""

from __future__ import annotations

import io
import marshal
import pickle
from collections import Counter
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any, Final

from tabletin.kernel.log import Entry, Statement
from tabletin.kernel.match import Match
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.replication.acks import FULL_REPORT, Acknowledgement, Acknowledgements
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.backfill import Backfill
from tabletin.peers.replication.ballots import Ballots
from tabletin.peers.replication.rate_limit import RateLimit
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.sealed.pending import Checker
from tests.support.peer_sim import Node

LEFT_OUT: Final[dict[type, dict[str, str]]] = {
    Replica: {"refusal_counts": "counted for the page alone", "rejections": "kept for the page alone",
              "_rate_limit": "begun anew before each step"},
    ReplicaState: {"refusal_counts": "counted for the page alone", "rejections": "kept for the page alone",
                   "_roster": "follows from the log", "_lives": "follows from the log", "_current": "follows from the log"},
    Acknowledgements: {"_reports": "counts as ``report_state`` tells"},
    Backfill: {"_bytes_served": "begun anew before each step", "_counted_since": "begun anew before each step"},
    Ballots: {"_usable": "verdicts, which follow from the log"},
    SignedAuthority: {"_verified": "remembers a verdict"},
    SealedDealer: {"_seed": "the same all the time", "_unwrapped": "follows from the log"},
    Checker: {"group": "the same all the time", "_verdicts": "facts"},
    Match: dict.fromkeys(("rules", "id", "_authority", "_faces", "_counts", "_index_of", "_now", "_kept", "_recent", "_folded",
                          "_last_judgement"), "follows from the entries"),
}
PLAIN: Final = (type(None), bool, int, float, str, bytes)
SIGNED: Final = (Statement, Entry)
GLOBALS: dict[tuple[str, str], Any] = {}
"""Classes and functions by module and name, as they were found once."""

NAMES: dict[type, tuple[str, ...]] = {}
"""The fields of each class of values; () for any other class."""
NAMES_THAT_COUNT: dict[type, tuple[str, ...]] = {}
"""Those of them by which two values are told apart."""


def names_of(kind: type) -> tuple[str, ...]:
    if kind not in NAMES:
        found = getattr(kind, "__dataclass_params__", None)
        NAMES[kind] = tuple(one.name for one in fields(kind)) if found is not None and found.frozen else ()
    return NAMES[kind]


def names_that_count(kind: type) -> tuple[str, ...]:
    """Those by which two values of a class are told apart; the others remember what was computed of these."""
    if kind not in NAMES_THAT_COUNT:
        NAMES_THAT_COUNT[kind] = tuple(one.name for one in fields(kind) if one.compare)
    return NAMES_THAT_COUNT[kind]


def rebuilt(kind: type[Any], *values: object) -> object:
    made: object = object.__new__(kind)
    for name, value in zip(names_of(kind), values, strict=True):
        object.__setattr__(made, name, value)
    return made


class Constants:
    """Values that never change, each once, for all devices: a device that is written refers to them by number.

    Entries and statements are such values, and cards and ciphers, and all else of frozen fields that hold the like. What is one
    object in a device is one afterwards, too; of what devices compare by identity (``Acknowledgement``) each stays its own."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[tuple[type, bytes], int] = {}
        self._spellings: dict[int, bytes] = {}  # by the ids of the values, which are kept

    def spelling(self, value: Any) -> bytes:
        """The spelling of a constant, shortened; b"" for what may change."""
        known = self._spellings.get(id(value))
        if known is not None:
            return known
        return hash_of(spelled(value, set(), None)) if is_constant(value) else b""

    def number(self, value: Any) -> int | None:
        """The number of a constant; None for what may change."""
        spelling = self.spelling(value)
        if not spelling:
            return None
        number = self._numbers.setdefault((type(value), spelling), len(self.values))
        if number == len(self.values):
            self.values.append(value)
            self._spellings[id(value)] = spelling
        return number


def is_constant(value: Any) -> bool:
    """Whether neither ``value``, of frozen fields, nor anything in it ever changes. What holds a mapping only reads it."""
    kind = type(value)
    if kind in PLAIN or kind in SIGNED:
        return True
    if isinstance(value, tuple | frozenset):
        return all(map(is_constant, value))
    if kind is dict:
        return all(map(is_constant, value.values()))
    names = names_of(kind)
    return bool(names) and kind is not Acknowledgement and all(is_constant(getattr(value, name)) for name in names)


class Freezer(pickle.Pickler):
    """Writes values by their fields, and constants by number. Values' own way looks all fields up each time, which takes long."""

    def __init__(self, file: io.BytesIO, constants: Constants) -> None:
        super().__init__(file, -1)
        self._constants = constants

    def reducer_override(self, value: Any) -> Any:
        names = names_of(type(value))
        if not names:
            return NotImplemented
        number = self._constants.number(value)
        if number is not None:
            return constant, (number,)
        return rebuilt, (type(value), *(getattr(value, name) for name in names))


class Thawer(pickle.Unpickler):
    """Reads what a ``Freezer`` wrote with the same constants."""

    def __init__(self, file: io.BytesIO, constants: Constants) -> None:
        super().__init__(file)
        self._constants = constants

    def find_class(self, module: str, name: str) -> Any:
        known = GLOBALS.get((module, name))
        if known is None:
            known = GLOBALS[module, name] = super().find_class(module, name)
        return self._constants.values.__getitem__ if known is constant else known


def constant(number: int) -> Any:
    """Stands for the constant with that number where it is written."""
    raise NotImplementedError


def freeze(node: Node, constants: Constants) -> bytes:
    """The disk and the peer of ``node``."""
    frozen = io.BytesIO()
    Freezer(frozen, constants).dump((node.disk, node.peer))
    return frozen.getvalue()


def thaw(node: Node, frozen: bytes, constants: Constants) -> Replica:
    """``node`` is from here on as it was when it was frozen; its peer. What it may still take in this second it may take anew:
    limits of what one sender costs are no part of what is explored."""
    node.disk, node.peer = Thawer(io.BytesIO(frozen), constants).load()
    assert node.peer is not None
    node.peer._rate_limit = RateLimit()
    node.peer._backfill._bytes_served = Counter()
    return node.peer


def fingerprint(node: Node, constants: Constants) -> bytes:
    """The print of ``node``: its author's name, its disk and its peer."""
    return hash_of((node.author, spelled(node.disk, set(), constants), spelled(node.peer, set(), constants)))


def hash_of(spelling: Any) -> bytes:
    """The hash of a spelling: of texts, numbers and tuples."""
    return sha256(marshal.dumps(spelling, 2)).digest()  # later forms depend on which parts are the same objects


def spelled(value: Any, met: set[int], constants: Constants | None) -> Any:
    """``value`` as texts, numbers and tuples. ``met``: the parts that were spelled before, to which others refer."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is Statement:
        return value.hash, value.signature
    if kind is Entry:
        return value.hash, value.signature, value.statement.signature
    if kind in (list, tuple):
        return tuple([spelled(one, met, constants) for one in value])
    if isinstance(value, tuple):
        return (kind.__name__, *[spelled(one, met, constants) for one in value])
    if isinstance(value, dict):  # the order in which it was filled may count
        return "{", *[(spelled(name, met, constants), spelled(one, met, constants)) for name, one in value.items()]
    if isinstance(value, set | frozenset):
        return "set", *sorted(spelled(one, met, constants) for one in value)
    names = names_of(kind)
    if names:
        short = constants.spelling(value) if constants is not None else b""
        if short:
            return kind.__name__, short
        return (kind.__name__, *[spelled(getattr(value, name), met, constants) for name in names_that_count(kind)])
    if id(value) in met:
        return kind.__name__
    met.add(id(value))
    left_out = LEFT_OUT.get(kind, {})
    held = {one.name: getattr(value, one.name) for one in fields(value)} if is_dataclass(value) else vars(value)
    extra = report_state(value) if kind is Acknowledgements else ()
    return (kind.__name__, *extra, *[(name, spelled(one, met, constants)) for name, one in held.items() if name not in left_out])


def report_state(value: Acknowledgements) -> tuple[int, tuple[str, ...]]:
    """How far it is to the next full report, and of whom the newest acknowledgement was reported: that very one, not its like."""
    return value._reports % FULL_REPORT, tuple(sorted(author for author, one in value._newest.items()
                                                      if value._reported.get(author) is one))
