"""What follows from the secret of a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.net import rendezvous
from tabletin.peers.net.rendezvous import Access, Rendezvous

secrets = st.binary(min_size=16, max_size=16)


def test_hkdf_is_that_of_the_rfc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test case 1 of RFC 5869, its first 32 bytes."""
    monkeypatch.setattr(rendezvous, "SALT", bytes.fromhex("000102030405060708090a0b0c"))
    made = rendezvous.hkdf(bytes([11]) * 22, bytes.fromhex("f0f1f2f3f4f5f6f7f8f9"), 32)
    assert made.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"


@given(secrets)
def test_a_link_leads_to_where_it_was_made(secret: bytes) -> None:
    made = Rendezvous.of_play_secret(secret)
    assert Rendezvous.from_token(made.token(), watch=False) == made
    assert Rendezvous.from_text(made.to_text()) == made
    watching = Rendezvous.from_token(made.token(watch=True), watch=True)
    assert (watching.topic, watching.key, watching.room) == (made.topic, made.key, made.room)
    assert Rendezvous.from_text(watching.to_text()) == watching
    assert len(made.token()) == 22


@given(secrets, st.booleans())
def test_a_link_names_the_device_that_it_leads_to(secret: bytes, watch: bool) -> None:
    made = Rendezvous.of_play_secret(secret)
    found = (Rendezvous(made.watch_secret) if watch else made).led_to("ab" * 8)
    assert Rendezvous.from_text(found.to_text()) == found
    assert found.leads_to("ab" * 32) and not found.leads_to("ab" * 7 + "cd" * 25)
    for none in ("", "ab", "AB" * 8, "ab" * 9, "x" * 16):
        assert found.led_to(none).host == "" and not found.led_to(none).leads_to("ab" * 32)


@given(secrets, st.sampled_from(["ab" * 32, "cd" * 32]))
def test_only_a_link_to_play_lets_somebody_play(secret: bytes, author: str) -> None:
    made = Rendezvous.of_play_secret(secret)
    watching = Rendezvous(made.watch_secret)
    assert made.access(author, made.proof(author)) is Access.PLAY
    assert made.access(author, watching.proof(author)) is Access.WATCH
    assert watching.access(author, watching.proof(author)) is Access.WATCH
    assert watching.access(author, made.proof(author)) is None
    for wrong in ("", "ü", made.proof("ef" * 32), made.token()):
        assert made.access(author, wrong) is None
    with pytest.raises(ValueError, match="watch"):
        watching.token()
    taken_for_one_to_play = Rendezvous.from_token(watching.token(watch=True), watch=False)
    assert taken_for_one_to_play.topic != made.topic


@pytest.mark.parametrize("text", ["", "p", "x" * 23, "pA", "p" + "A" * 21 + "B", "w" + "A" * 21, "p" + "Ä" * 22,
                                  "p" + "A" * 22 + "ab"])
def test_what_is_no_meeting_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Rendezvous.from_text(text)


def test_a_name_leads_all_who_use_it_to_one_place() -> None:
    tin = Rendezvous.from_name("Tin")
    assert tin == Rendezvous.from_name("Tin") == Rendezvous.from_text(tin.to_text())
    assert Rendezvous.from_name("Tin").topic != Rendezvous.from_name("tin").topic
    assert Rendezvous.new() != Rendezvous.new()


def test_what_follows_from_a_secret_does_not_change() -> None:
    """Links lie for hours, and pages are updated meanwhile."""
    made = Rendezvous.of_play_secret(bytes(16))
    assert made.token(watch=True) == "hM1Xz2pgZkloVkXWB-M-kA"
    assert (made.topic, made.room) == ("160521bcff8f8645e048130ab728e1cc", "8e7f647a866a")
    assert made.key.hex() == "8766723dbc7ff499d2175a9687fac9b412688b50f426ad74dc725da100118cc7"
