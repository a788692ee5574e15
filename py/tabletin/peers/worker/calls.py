"""What a page asks of the worker that holds its replica: one value a call, and how it travels. ``service`` answers.

Long texts (lines of a log, messages, files) travel as they are (``kernel.envelope``), all else as JSON. Both ends are this
program, but a call that is not of its form is refused, never half understood. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias, get_args

from tabletin.kernel.envelope import pack, unpack
from tabletin.kernel.log import Hash, Json
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.outbox import Pending

Text: TypeAlias = str  # one text that travels as it is
Texts: TypeAlias = tuple[str, ...]  # texts that travel as they are
Names: TypeAlias = tuple[str, ...]
Counts: TypeAlias = tuple[int, ...]
Seats: TypeAlias = tuple[Seat, ...]
Values: TypeAlias = Mapping[str, Json]


# ---- about this device ----


@dataclass(frozen=True, slots=True)
class Identify:
    """This device's secret ``seed`` (hexadecimal). Result: a ``DeviceAuthor``."""

    seed: str


@dataclass(frozen=True, slots=True)
class SignGreeting:
    """Result: a ``Signature`` over ``text``, never one over a statement."""

    text: str


@dataclass(frozen=True, slots=True)
class CheckGreeting:
    """Result: a ``SignatureCheck``, whether ``sig`` is ``author``'s signature over the greeting ``text``."""

    author: str
    text: str
    sig: str


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """Write and sign a new match. Result: its ``Genesis``; it is joined as any other one."""

    game: str
    options: Values
    seats: Seats
    nonce: str
    extra: Values

    @classmethod
    def from_setup(cls, setup: Setup) -> FoundMatch:
        return cls(setup.game, setup.options, setup.seats, setup.nonce, setup.extra)


@dataclass(frozen=True, slots=True)
class CheckGenesis:
    """Refused unless ``line`` begins a match, signed by its founder: the match's hash is the same under a false signature."""

    line: Text


@dataclass(frozen=True, slots=True)
class JudgeAccusation:
    """What the accusation in ``file`` proves. Result: an ``AccusationReport``."""

    file: Text


@dataclass(frozen=True, slots=True)
class VerifyLog:
    """Check the exported log of a match among peers, with every signature and proof. Result: a ``LogReport``."""

    file: Text


@dataclass(frozen=True, slots=True)
class SignLog:
    """Check the exported log of a match that is over, as ``VerifyLog``, and sign how it ended, as ``SignResult``. For a match
    that is joined no more, and whose end everybody has acknowledged."""

    file: Text
    day: str


@dataclass(frozen=True, slots=True)
class CheckResults:
    """Whose signatures in ``file``, a league's results, do not hold. Result: a ``ResultsCheck``."""

    file: Text


# ---- about the match ----


@dataclass(frozen=True, slots=True)
class Join:
    """Take part in a match. ``lines``: the log as this device has stored it, the genesis first; ``pending``: as stored;
    ``restarted``: whether this device has been in the match before."""

    lines: Texts
    pending: Pending
    restarted: bool


@dataclass(frozen=True, slots=True)
class Release:
    """Hold that match no more."""


@dataclass(frozen=True, slots=True)
class Receive:
    """``messages`` of ``senders``, one each, in the order in which they came."""

    senders: Names
    messages: Texts


@dataclass(frozen=True, slots=True)
class Tick:
    """The time is ``time``, in seconds."""

    time: float


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play ``move`` for ``seat``. Result: a ``SpeechResult``."""

    seat: int
    move: Json


@dataclass(frozen=True, slots=True)
class Say:
    """Say a statement of ``kind``. Result: a ``SpeechResult``."""

    kind: str
    body: Values


@dataclass(frozen=True, slots=True)
class SetChoices:
    """What the people here want now. ``removals``: the peers to go on without. ``timeouts``: the seats to time out.
    ``ending_removals``: of the removals, those whose seats no bot shall play, so that the match ends."""

    removals: Names
    timeouts: Counts
    ending_removals: Names


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """Leave as soon as nothing is asked for. The status tells when that is said, the log when it is so."""


@dataclass(frozen=True, slots=True)
class StayInMatch:
    """Not leave after all, if that is not signed yet."""


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """Offer to go on for ``author``, another device of the same person. Result: an ``Offer``."""

    author: str


@dataclass(frozen=True, slots=True)
class AcceptOffer:
    """Hand everything to the device that made ``offer``. Result: a ``SpeechResult``."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class AgreeToSeat:
    """Result: a ``Signature``, that this device will play ``seat`` as ``player`` from the next hand on."""

    seat: int
    player: Seat


@dataclass(frozen=True, slots=True)
class PromiseSeat:
    """Let ``player``, whose device signed ``consent``, play ``seat`` from the next hand on. Result: a ``SpeechResult``."""

    seat: int
    player: Seat
    consent: str


@dataclass(frozen=True, slots=True)
class ListAccusations:
    """All that is proven against anybody. Result: ``Proofs``."""


@dataclass(frozen=True, slots=True)
class HearProof:
    """The accusation in ``file``, from another device: taken in only if it holds."""

    file: Text


@dataclass(frozen=True, slots=True)
class SignResult:
    """Sign how the match ended, as this device's own replica has it, on ``day``. Result: a ``SignedResult``; refused where there
    is nothing that counts, or something is not as it should be."""

    day: str


DeviceCall: TypeAlias = (Identify | SignGreeting | CheckGreeting | FoundMatch | CheckGenesis | JudgeAccusation | VerifyLog
                         | CheckResults | SignLog)
Speech: TypeAlias = PlayMove | Say | AcceptOffer | PromiseSeat
JoinedCall: TypeAlias = (Speech | Receive | Tick | SetChoices | LeaveMatch | StayInMatch | MakeOffer | AgreeToSeat
                         | ListAccusations | HearProof | SignResult)
MatchCall: TypeAlias = Join | Release | JoinedCall
Call: TypeAlias = DeviceCall | MatchCall

CALLS: Final[Mapping[str, type[Call]]] = {kind.__name__: kind for kind in get_args(Call)}


# ---- how a call travels ----


def _exactly(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise Malformed(f"expected {kind.__name__}")
        return value

    return read


def _list_of(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: tuple(map(read, _exactly(list)(value)))


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise Malformed("expected a number")
    return float(value)


READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "str": _exactly(str), "int": _exactly(int), "bool": _exactly(bool), "float": _number, "Json": lambda value: value,
    "Values": _exactly(dict), "Names": _list_of(_exactly(str)), "Counts": _list_of(_exactly(int)),
    "Seats": _list_of(Seat.from_json), "Seat": Seat.from_json, "Offer": Offer.from_json, "Pending": Pending.from_json}
"""How a field is read, by its annotation; fields that are ``Text`` or ``Texts`` are no part of the head."""


def encode(call: Call, match: Hash | None = None) -> str:
    """``call`` as text, for ``match`` alone where that is named."""
    head: dict[str, Json] = {"do": type(call).__name__}
    if match is not None:
        head["match"] = match
    texts: Texts = ()
    for field in fields(call):
        value = getattr(call, field.name)
        if field.type == "Texts":
            texts = value
        elif field.type == "Text":
            texts = (value,)
        else:
            head[field.name] = _plain(value)
    return pack(head, texts)


def _plain(value: Any) -> Json:
    if isinstance(value, Seat | Offer | Pending):
        return value.to_json()
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def decode(packed: str) -> tuple[Call, Hash | None]:
    """The call, and the match it is for or None. Raises ``Malformed``."""
    try:
        head, texts = unpack(packed)
        kind = CALLS[head.pop("do")]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Malformed("expected a call") from error
    match = head.pop("match", None)
    values: dict[str, Any] = {}
    for field in fields(kind):
        if field.type == "Texts":
            values[field.name], texts = tuple(texts), []
        elif field.type == "Text":
            if len(texts) != 1:
                raise Malformed(f"{kind.__name__}: expected one text")
            values[field.name], texts = texts[0], []
        elif field.name not in head:
            raise Malformed(f"{kind.__name__}: {field.name} is missing")
        else:
            values[field.name] = READERS[str(field.type)](head.pop(field.name))
    if head or texts:
        raise Malformed(f"{kind.__name__}: more than was asked for")
    return kind(**values), match
