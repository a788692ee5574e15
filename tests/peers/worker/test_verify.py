"""A sealed log in a file: the line of faces, which nobody signs, has to be possible, too."""

from __future__ import annotations

import json

import pytest

from tabletin.kernel.logfile import export
from tabletin.kernel.options import Refused
from tabletin.peers.worker.verify import verify_log
from tests.support.examples import ONE_DEAL, short
from tests.support.peer_sim import Network
from tests.support.rigged_logs import altered
from tests.support.standin_group import StandInGroup


@pytest.fixture(scope="module")
def net() -> Network:
    net = Network(ONE_DEAL, 3, 5, options=short(ONE_DEAL))
    assert net.run(lambda: all(peer.match.outcome for peer in net.peers), 900)
    return net


def test_what_each_seat_saved_holds(net: Network) -> None:
    for peer in net.peers:
        assert verify_log(export(peer.match), net.verifier, StandInGroup()).findings == ()


@pytest.mark.parametrize("count", [2, 66])
def test_no_file_tells_of_more_cards_of_a_face_than_the_deck_has(net: Network, count: int) -> None:
    """Nothing contradicts a face that was never opened; a page that takes such a file in would show it."""
    match = net.peers[0].match
    opened = {card for _, snapshot, _ in match.steps() for card in snapshot.openings}
    hidden = [card for cards in match.rules.zones(match.state).values() for card in cards if card not in opened]
    face = match.rules.deck()[0]
    assert len(hidden) >= 2
    text = altered(export(match), faces=lambda faces: faces.update({str(card): face for card in hidden[:count]}))
    assert str(json.loads(text.split("\n")[-3])["faces"]).count(f"'{face}'") >= 2
    with pytest.raises(Refused) as refused:
        verify_log(text, net.verifier, StandInGroup())
    assert refused.value.refusal.key == "kernel.file.faces"
