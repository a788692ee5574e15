"""An offer to go on from another device: its form, as it is sent and as it stands in the log."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.offer import Offer

FORM = {"to": "new", "offer": "AAAA", "agreed": "00"}


def test_an_offer_is_read_as_it_was_written() -> None:
    assert Offer.from_json(FORM) == Offer("new", "AAAA", "00")
    assert Offer.from_json(FORM).to_json() == FORM


@pytest.mark.parametrize("wrong", [
    None, [], "offer", {}, {**FORM, "more": ""}, {"to": "new", "offer": "AAAA"}, *({**FORM, key: 7} for key in FORM),
    {**FORM, "agreed": None}])
def test_another_form_is_no_offer(wrong: Any) -> None:
    with pytest.raises(Malformed):
        Offer.from_json(wrong)
