"""The decoder: exactly the canonical bytes of a message, one exception for everything else."""

from __future__ import annotations

from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.peers.sealed.deck import Cipher
from tabletin.peers.sealed.group import L, PrimeGroup
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.messages import (
    Key,
    Leave,
    Message,
    Play,
    Remask,
    RollShare,
    Share,
    ShuffleTurn,
    decode,
    encode,
    step_of_shuffle,
)
from tabletin.peers.sealed.proofs import Proof
from tabletin.peers.sealed.shuffle import ShuffleProof
from tabletin.peers.sealed.wire import MOST_BYTES, MOST_CARDS, MalformedMessage, MessageReader, Writer
from tests.support.standin_group import StandInGroup

T = TypeVar("T")
SODIUM = SodiumGroup()
STAND_IN = StandInGroup()

scalars = st.integers(0, L - 1)
points = st.integers(1, L - 1).map(lambda value: value.to_bytes(32, "little"))
proofs = st.builds(Proof, scalars, scalars)
ciphers = st.builds(Cipher, points, points)
faces = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=32)
steps = st.integers(0, 2**32)
damages = st.tuples(st.integers(0, 2000), st.integers(0, 255))


def lists(size: int) -> tuple[st.SearchStrategy[tuple[bytes, ...]], st.SearchStrategy[tuple[int, ...]]]:
    return tuples(points, size), tuples(scalars, size)


def tuples(entries: st.SearchStrategy[T], size: int) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(entries, min_size=size, max_size=size).map(tuple)


@st.composite
def messages(draw: st.DrawFn) -> Message:
    size = draw(st.integers(1, 5))
    handles = tuple(sorted(draw(st.sets(st.integers(0, 2**32), min_size=size, max_size=size))))
    some_points, some_scalars = lists(size)
    match draw(st.integers(1, 7)):
        case 1:
            return Key(draw(points), draw(proofs))
        case 2:
            proof = st.builds(
                ShuffleProof,
                *(some_points, some_points, points, points, ciphers),
                *([scalars] * 5),
                *(some_scalars, some_scalars),
            )
            return ShuffleTurn(draw(steps), draw(tuples(ciphers, size)), draw(proof))
        case 3:
            return Share(handles, draw(some_points), draw(proofs))
        case 4:
            return Play(handles, draw(tuples(faces, size)), draw(some_points), draw(proofs))
        case 5:
            return Remask(handles, draw(tuples(ciphers, size)), draw(proofs))
        case 6:
            return RollShare(draw(steps), draw(points), draw(proofs))
        case _:
            return Leave(handles, draw(some_points), draw(proofs))


@given(messages())
def test_what_is_written_is_read(message: Message) -> None:
    assert decode(STAND_IN, encode(message)) == message


def canonical_or_malformed(group: PrimeGroup, data: bytes) -> bool:
    """Either refused (True), or the one encoding of what it was read as."""
    try:
        message = decode(group, data)
    except MalformedMessage:
        return True
    assert encode(message) == data
    return False


@settings(max_examples=800, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes(data: bytes) -> None:
    canonical_or_malformed(STAND_IN, data)
    canonical_or_malformed(SODIUM, data)


@settings(max_examples=800, deadline=None)
@given(messages(), st.lists(damages, max_size=4), st.integers(-3, 3))
def test_damaged_messages(message: Message, damage: list[tuple[int, int]], longer: int) -> None:
    data = bytearray(encode(message))
    for at, value in damage:
        data[at % len(data)] = value
    data = data[:longer] if longer < 0 else data + bytes(longer)
    canonical_or_malformed(STAND_IN, bytes(data))
    canonical_or_malformed(SODIUM, bytes(data))


def test_very_many_damaged_messages(fuzz: int) -> None:
    """Messages of every kind with bytes changed, cut out, doubled or cut off, from one seed."""
    random = Random(9496)
    point, proof, pair = STAND_IN.base, Proof(5, 6), Cipher(STAND_IN.base, STAND_IN.base)
    two = (point, point)
    shuffle_proof = ShuffleProof(two, two, point, point, pair, 1, 2, 3, 4, 5, (6, 7), (8, 9))
    whole: list[Message] = [
        Key(point, proof),
        ShuffleTurn(300, (pair, pair), shuffle_proof),
        Share((1, 200), two, proof),
        Play((0, 7), ("10H", "wild"), two, proof),
        Remask((3,), (pair,), proof),
        RollShare(1, point, proof),
        Leave((4, 5), two, proof),
        Leave((), (), Proof(0, 0)),
    ]
    encoded = [encode(message) for message in whole]
    refused = 0
    for _ in range(fuzz):
        data = bytearray(random.choice(encoded))
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(data) + 1)
            match random.randrange(4):
                case 0:
                    data[at : at + 1] = bytes([random.randrange(256)])
                case 1:
                    del data[at : at + random.randint(1, 40)]
                case 2:
                    data[at:at] = data[: random.randint(1, 40)]
                case _:
                    data[at : at + 1] = random.choice((b"", b"\0", b"\x80", b"\xff", b"\xff\x7f"))
        refused += canonical_or_malformed(STAND_IN, bytes(data))
    assert fuzz // 2 < refused < fuzz


@given(st.integers(0, 2**63 - 1))
def test_counts_have_one_encoding(value: int) -> None:
    out = Writer()
    out.count(value)
    reader = MessageReader(out.bytes())
    assert reader.count(2**63) == value
    reader.end()
    if value:
        padded = out.bytes()[:-1] + bytes([out.bytes()[-1] | 0x80, 0])
        with pytest.raises(MalformedMessage):
            MessageReader(padded).count(2**63)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\x09",
        b"\x08",
        b"\x08\x41",
        b"\x08\x00\x00",
        b"\x08\x80\x00",
        b"\x02\x00\x00",
        b"\x02\x00\xff\xff\xff\xff\x7f",
        b"\x03\x00" + bytes(64),
        b"\x03\xff\xff\x03" + bytes(64),
        b"\x03" + b"\xff" * 20,
        b"\x04\x01\x00\x00" + bytes(96),
        b"\x04\x01\x00\x01\x20" + bytes(96),
        b"\x04\x01\x00\x01\x80" + bytes(96),
    ],
)
def test_plainly_malformed(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode(STAND_IN, data)


def test_too_long_is_refused_unread() -> None:
    with pytest.raises(MalformedMessage, match="too long"):
        decode(STAND_IN, b"\x02" + b"\xff" * MOST_BYTES)


def test_the_largest_shuffle_fits() -> None:
    point = STAND_IN.base
    many = (point,) * MOST_CARDS
    scalars_ = (1,) * MOST_CARDS
    pair = Cipher(point, point)
    proof = ShuffleProof(many, many, point, point, pair, 1, 2, 3, 4, 5, scalars_, scalars_)
    message = ShuffleTurn(1, (pair,) * MOST_CARDS, proof)
    assert decode(STAND_IN, encode(message)) == message


def test_the_writer_refuses_what_the_reader_would() -> None:
    for handles in ((1, 1), (2, 1)):
        with pytest.raises(ValueError, match="ascend"):
            Writer().handles(handles)
    for face in ("", "a b", "x" * 33):
        with pytest.raises(ValueError, match="not a face"):
            Writer().face(face)
    with pytest.raises(ValueError, match="does not fit"):
        Writer().count(-1)


# ---- just at the limit and just beyond ----

def written(value: int) -> bytes:
    writer = Writer()
    writer.count(value)
    return writer.bytes()


@pytest.mark.parametrize(("value", "data"), [(0, b"\0"), (1, b"\1"), (127, b"\x7f"), (128, b"\x80\1"), (16383, b"\xff\x7f"),
                                             (16384, b"\x80\x80\1"), (2**63 - 1, b"\xff" * 8 + b"\x7f")])
def test_a_number_has_one_form(value: int, data: bytes) -> None:
    assert written(value) == data
    reader = MessageReader(data)
    assert reader.count(2**63) == value
    reader.end()
    assert MessageReader(data).count(value) == value
    if value:
        with pytest.raises(MalformedMessage, match="too large"):
            MessageReader(data).count(value - 1)
    with pytest.raises(MalformedMessage, match="leading zeros" if len(data) < 9 else "too long"):
        MessageReader(data[:-1] + bytes([data[-1] | 0x80]) + b"\0").count(2**63)


@pytest.mark.parametrize("value", [-1, 2**63])
def test_a_number_that_has_no_form_is_not_written(value: int) -> None:
    with pytest.raises(ValueError, match="count"):
        written(value)


def test_handles_ascend_and_are_bounded() -> None:
    for handles in ((), (0,), (0, 1, 5), (2**32,), tuple(range(MOST_CARDS))):
        writer = Writer()
        writer.handles(handles)
        reader = MessageReader(writer.bytes())
        assert reader.handles() == handles
        reader.end()
    for unsorted in ((1, 1), (2, 1), (-1,)):
        with pytest.raises(ValueError, match="ascend"):
            Writer().handles(unsorted)
    for far in ((2**32 + 1,), (2**32, 2**32 + 1)):
        writer = Writer()
        writer.handles(far)
        with pytest.raises(MalformedMessage, match="too large"):
            MessageReader(writer.bytes()).handles()
    many = Writer()
    many.handles(tuple(range(MOST_CARDS + 1)))
    with pytest.raises(MalformedMessage, match="too large"):
        MessageReader(many.bytes()).handles()


@pytest.mark.parametrize(("face", "good"), [("!", True), ("~", True), ("a" * 32, True), ("", False), ("a" * 33, False),
                                            (" ", False), ("\x7f", False), ("a b", False)])
def test_a_face_is_short_and_printable(face: str, good: bool) -> None:
    data = bytes([len(face)]) + face.encode()
    if good:
        writer = Writer()
        writer.face(face)
        assert writer.bytes() == data
        assert MessageReader(data).face() == face
        return
    with pytest.raises(ValueError, match="not a face"):
        Writer().face(face)
    with pytest.raises(MalformedMessage, match="face"):
        MessageReader(data).face()


def test_a_message_is_read_to_its_end_and_no_further() -> None:
    reader = MessageReader(b"abc")
    assert (reader.raw(2), reader.byte()) == (b"ab", ord("c"))
    reader.end()
    assert reader.raw(0) == b""
    with pytest.raises(MalformedMessage, match="too short"):
        reader.raw(1)
    for data in (b"", b"a"):
        with pytest.raises(MalformedMessage, match="too short"):
            MessageReader(data).raw(2)
    with pytest.raises(MalformedMessage, match="too long"):
        MessageReader(b"a").end()


def test_a_message_is_long_only_so_far() -> None:
    assert MOST_CARDS == 512
    assert MOST_BYTES == 102_400, "a shuffle of that many cards, and a little"
    MessageReader(b"\0" * MOST_BYTES)
    with pytest.raises(MalformedMessage, match="too long"):
        MessageReader(b"\0" * (MOST_BYTES + 1))


def test_points_are_32_bytes_each() -> None:
    data = bytes(range(64))
    reader = MessageReader(data + b"x")
    assert reader.points(2) == (data[:32], data[32:])
    assert reader.points(0) == () and reader.byte() == ord("x")
    with pytest.raises(MalformedMessage, match="too short"):
        MessageReader(data).points(3)


@pytest.mark.parametrize("step", [0, 1, 300, 2**32])
def test_of_a_shuffle_its_step_is_read_without_the_rest(step: int) -> None:
    point, pair = STAND_IN.base, Cipher(STAND_IN.base, STAND_IN.base)
    proof = ShuffleProof((point,), (point,), point, point, pair, 1, 2, 3, 4, 5, (1,), (1,))
    data = encode(ShuffleTurn(step, (pair,), proof))
    assert step_of_shuffle(data) == step_of_shuffle(data[:6]) == step
    assert step_of_shuffle(encode(RollShare(step, point, Proof(1, 2)))) is None


def test_what_does_not_even_begin_as_a_message_has_no_step() -> None:
    for wrong in (b"", b"\x02"):
        with pytest.raises(MalformedMessage):
            step_of_shuffle(wrong)
    assert step_of_shuffle(b"\x03") is None
