"""What peers say to each other while dealing, as values and as canonical bytes.

The decoder accepts exactly what the encoder writes: a message has one encoding, points and scalars are strict, handles
ascend, lengths are bounded. For everything else it raises `MalformedMessage` and no other exception. `judging` decides who
may say what, and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletin.peers.sealed.deck import Cipher
from tabletin.peers.sealed.group import PrimeGroup, decode_scalar, encode_scalar
from tabletin.peers.sealed.proofs import Proof
from tabletin.peers.sealed.shuffle import ShuffleProof
from tabletin.peers.sealed.wire import MOST_CARDS, MalformedMessage, MessageReader, Writer

MOST_STEPS = 2**32
SHUFFLE_KIND = 2


@dataclass(frozen=True, slots=True)
class Key:
    """X = x·G, and that its author knows x."""

    public: bytes
    proof: Proof


@dataclass(frozen=True, slots=True)
class ShuffleTurn:
    """The author's turn in shuffle or mix number `step`: the cards after it, and the proof."""

    step: int
    output: tuple[Cipher, ...]
    proof: ShuffleProof


@dataclass(frozen=True, slots=True)
class Share:
    """The author's shares of these cards, that others (or all) may read them."""

    handles: tuple[int, ...]
    shares: tuple[bytes, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Play:
    """The author opens cards it holds: their faces, and the shares that were missing."""

    handles: tuple[int, ...]
    faces: tuple[str, ...]
    shares: tuple[bytes, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Remask:
    """Cards leave the author's hand face down: the same cards under fresh randomness."""

    handles: tuple[int, ...]
    output: tuple[Cipher, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class RollShare:
    """The author's share of the point of roll number `step`."""

    step: int
    share: bytes
    proof: Proof


@dataclass(frozen=True, slots=True)
class Leave:
    """The author goes: its shares of every sealed card that is not in its own hand."""

    handles: tuple[int, ...]
    shares: tuple[bytes, ...]
    proof: Proof


Message = Key | ShuffleTurn | Share | Play | Remask | RollShare | Leave

_NOTHING = Proof(0, 0)
"""Stands in a leave that has nothing to share."""


def encode(message: Message) -> bytes:
    """One byte for the kind, then the fields in the order of the class."""
    out = Writer()
    match message:
        case Key(public, proof):
            out.raw(b"\x01" + public)
            _write_proof(out, proof)
        case ShuffleTurn(step, after, proof):
            out.raw(b"\x02")
            out.count(step)
            out.count(len(after))
            _write_ciphers(out, after)
            _write_shuffle_proof(out, proof)
        case Share(handles, shares, proof):
            out.raw(b"\x03")
            out.handles(handles)
            _write_shares(out, shares, proof)
        case Play(handles, faces, shares, proof):
            out.raw(b"\x04")
            out.handles(handles)
            for face in faces:
                out.face(face)
            _write_shares(out, shares, proof)
        case Remask(handles, after, proof):
            out.raw(b"\x05")
            out.handles(handles)
            _write_ciphers(out, after)
            _write_proof(out, proof)
        case RollShare(step, share, proof):
            out.raw(b"\x06")
            out.count(step)
            _write_shares(out, (share,), proof)
        case Leave(handles, shares, proof):
            out.raw(b"\x07")
            out.handles(handles)
            _write_shares(out, shares, proof)
    return out.bytes()


def decode(group: PrimeGroup, data: bytes, *, own: bool = False) -> Message:
    """The message these bytes are; `MalformedMessage` if they are none. ``own``: this device has made and signed them, so that
    what stands where a point should is one."""
    reader = MessageReader(data)
    message = _read(reader, reader.byte())
    reader.end()
    points = () if own else points_of(message)
    if points:
        group.decode_points(points)
    return message


def step_of_shuffle(data: bytes) -> int | None:
    """Which shuffle of its deal a message that begins with ``data`` says that it is a turn of; None for another kind.
    `MalformedMessage` where it does not even begin as one. Its points are not looked at."""
    reader = MessageReader(data)
    return reader.count(MOST_STEPS) if reader.byte() == SHUFFLE_KIND else None


def _read(reader: MessageReader, kind: int) -> Message:
    match kind:
        case 1:
            return Key(reader.raw(32), _read_proof(reader))
        case 2:
            step = reader.count(MOST_STEPS)
            size = reader.count(MOST_CARDS)
            if not size:
                raise MalformedMessage("no cards")
            return ShuffleTurn(step, _read_ciphers(reader, size), _read_shuffle_proof(reader, size))
        case 3:
            handles = _some(reader.handles())
            return Share(handles, reader.points(len(handles)), _read_proof(reader))
        case 4:
            handles = _some(reader.handles())
            faces = tuple(reader.face() for _ in handles)
            return Play(handles, faces, reader.points(len(handles)), _read_proof(reader))
        case 5:
            handles = _some(reader.handles())
            return Remask(handles, _read_ciphers(reader, len(handles)), _read_proof(reader))
        case 6:
            return RollShare(reader.count(MOST_STEPS), reader.raw(32), _read_proof(reader))
        case 7:
            handles = reader.handles()
            shares = reader.points(len(handles))
            proof = _read_proof(reader)
            if not handles and proof != _NOTHING:
                raise MalformedMessage("proof of nothing")
            return Leave(handles, shares, proof)
    raise MalformedMessage("kind")


def nothing_to_prove() -> Proof:
    """The proof of a `Leave` without handles."""
    return _NOTHING


def points_of(message: Message) -> list[bytes]:
    """Every point in it, in the order of its bytes."""
    match message:
        case Key(public, _):
            return [public]
        case ShuffleTurn(_, after, proof):
            points = [point for card in after for point in card]
            return [*points, *proof.commitments, *proof.chain, proof.t1, proof.t3, *proof.t4]
        case Share(_, shares, _) | Play(_, _, shares, _) | Leave(_, shares, _):
            return list(shares)
        case Remask(_, after, _):
            return [point for card in after for point in card]
        case RollShare(_, share, _):
            return [share]


def _some(handles: tuple[int, ...]) -> tuple[int, ...]:
    if not handles:
        raise MalformedMessage("no cards")
    return handles


def _write_proof(out: Writer, proof: Proof) -> None:
    out.raw(encode_scalar(proof.challenge) + encode_scalar(proof.response))


def _read_proof(reader: MessageReader) -> Proof:
    return Proof(decode_scalar(reader.raw(32)), decode_scalar(reader.raw(32)))


def _write_shares(out: Writer, shares: Sequence[bytes], proof: Proof) -> None:
    for share in shares:
        out.raw(share)
    _write_proof(out, proof)


def _write_ciphers(out: Writer, cards: Sequence[Cipher]) -> None:
    for card in cards:
        out.raw(card.a + card.b)


def _read_ciphers(reader: MessageReader, count: int) -> tuple[Cipher, ...]:
    points = reader.points(2 * count)
    return tuple(Cipher(*points[at : at + 2]) for at in range(0, 2 * count, 2))


def _write_shuffle_proof(out: Writer, proof: ShuffleProof) -> None:
    """The lengths are those of the deck in front of it."""
    for point in (*proof.commitments, *proof.chain, proof.t1, proof.t3, *proof.t4):
        out.raw(point)
    for value in (proof.challenge, proof.s1, proof.s2, proof.s3, proof.s4, *proof.s_hat, *proof.s_prime):
        out.raw(encode_scalar(value))


def _read_shuffle_proof(reader: MessageReader, size: int) -> ShuffleProof:
    commitments = reader.points(size)
    chain = reader.points(size)
    t1, t3, t4a, t4b = reader.points(4)
    challenge, s1, s2, s3, s4, *rest = (decode_scalar(part) for part in reader.points(5 + 2 * size))
    s_hat, s_prime = tuple(rest[:size]), tuple(rest[size:])
    return ShuffleProof(commitments, chain, t1, t3, Cipher(t4a, t4b), challenge, s1, s2, s3, s4, s_hat, s_prime)
