"""Codes: short, read back exactly, refused with a reason when damaged."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.net.code import (
    EPOCH,
    FIRST_LETTER,
    ICE_ALPHABET,
    LEAST_CODE,
    MOST_CANDIDATES,
    ROOM_BYTES,
    TYPES,
    BadCode,
    Candidate,
    Code,
    Description,
    Kind,
    expand,
    shrink,
)

ice = st.integers(1, 8).flatmap(lambda n: st.text(st.sampled_from(sorted(ICE_ALPHABET)), min_size=4 * n, max_size=4 * n))
addresses = st.ip_addresses().map(str) | st.uuids().map(lambda uuid: f"{uuid}.local")
candidates = st.builds(Candidate, addresses, st.integers(0, 65535), st.sampled_from(TYPES))
descriptions = st.builds(Description, ice, ice, st.binary(min_size=32, max_size=32),
                         st.lists(candidates, max_size=MOST_CANDIDATES).map(tuple), st.booleans())
codes = st.builds(Code, st.sampled_from(Kind), st.binary(min_size=ROOM_BYTES, max_size=ROOM_BYTES),
                  st.integers(0, 65535), st.integers(0, 2 ** 24 - 1).map(lambda minutes: EPOCH + 60 * minutes), descriptions)

USUAL = Code(Kind.INVITE, bytes(6), 3, EPOCH + 60, Description("Ab3/", "x" * 24, bytes(range(32)),
                                                (Candidate(f"{UUID(int=7)}.local", 54321),)))

SDP = """v=0
o=- 4611731400430051336 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 0.0.0.0
a=candidate:1 1 udp 2113937151 6a6b0c1e-1111-4222-8333-444455556666.local 50001 typ host generation 0
a=candidate:2 1 tcp 1518280447 192.168.1.4 9 typ host tcptype active
a=candidate:3 1 udp 1677729535 203.0.113.7 40000 typ srflx raddr 0.0.0.0 rport 0
a=ice-ufrag:EsAw
a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1
a=ice-options:trickle
a=fingerprint:sha-256 D2:FA:0E:C3:22:59:5E:14:95:69:92:3D:13:B4:84:24:2C:C2:A2:C0:3E:FD:34:8E:5E:EA:6F:AF:52:CE:E6:0F
a=setup:actpass
a=mid:0
a=sctp-port:5000
a=max-message-size:262144
"""


@given(codes)
def test_a_code_reads_back(code: Code) -> None:
    text = code.to_text()
    assert Code.from_text(text) == code
    assert Code.from_text(f"https://games.example/#/join?code={text}") == code
    assert Code.from_text(f"  {text[:20]}\n{text[20:]} ") == code


@given(codes, st.data())
def test_a_changed_code_is_refused(code: Code, data: st.DataObject) -> None:
    text = code.to_text()
    where = data.draw(st.integers(0, len(text) - 1))
    char = data.draw(st.sampled_from("ABCxyz019-_"))
    changed = text[:where] + char + text[where + 1:]
    if changed != text:
        with pytest.raises(BadCode):
            Code.from_text(changed)
    with pytest.raises(BadCode):
        Code.from_text(text[:where])


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        Code.from_text(text)
    except BadCode as error:
        assert error.key.startswith("peers.code.")


@pytest.mark.parametrize("text", ["hello there", "https://games.example/", "#join=abc", "See you at 5, Grüße", "x" * 60])
def test_what_never_was_a_code_is_called_so(text: str) -> None:
    with pytest.raises(BadCode, match="form"):
        Code.from_text(text)


@given(codes, st.data())
def test_a_code_that_was_cut_short_is_called_damaged(code: Code, data: st.DataObject) -> None:
    text = code.to_text()
    with pytest.raises(BadCode, match="damaged"):
        Code.from_text(text[:data.draw(st.integers(1, len(text) - 1))])


def test_no_code_is_shorter_than_the_least() -> None:
    bare = Code(Kind.REPLY, bytes(6), 0, EPOCH, Description("AAAA", "AAAA", bytes(32), ()))
    assert len(bare.to_text()) == LEAST_CODE
    assert bare.to_text()[0] == FIRST_LETTER


def test_a_usual_code_is_about_a_hundred_characters() -> None:
    assert len(USUAL.to_text()) <= 120


def test_an_older_or_newer_code_says_so() -> None:
    from base64 import urlsafe_b64encode
    from hashlib import sha256

    body = bytes([1 << 4]) + bytes(60)
    text = urlsafe_b64encode(body + sha256(body).digest()[:3]).decode().rstrip("=")
    with pytest.raises(BadCode, match="version"):
        Code.from_text(text)


def test_a_description_is_shrunk_and_expanded() -> None:
    description = shrink(SDP)
    assert description.user == "EsAw" and description.password == "P2uYro0UCOQ4zxjKXaWCBui1"
    assert description.candidates == (Candidate("6a6b0c1e-1111-4222-8333-444455556666.local", 50001),
                                      Candidate("203.0.113.7", 40000, "srflx"))
    again = shrink(expand(description, Kind.REPLY))
    assert again == description
    assert "a=setup:active" in expand(description, Kind.REPLY) and "a=setup:actpass" in expand(description, Kind.INVITE)


@given(descriptions)
def test_any_description_survives_expanding(description: Description) -> None:
    seen: dict[tuple[str, int], Candidate] = {}
    for candidate in description.candidates:
        seen.setdefault((candidate.address, candidate.port), candidate)
    assert shrink(expand(description, Kind.INVITE)).candidates == tuple(seen.values())


@pytest.mark.parametrize("sdp", ["", "v=0", SDP.replace("a=ice-pwd", "a=x"), SDP.replace("sha-256", "sha-1")])
def test_another_description_is_refused(sdp: str) -> None:
    with pytest.raises(BadCode):
        shrink(sdp)
