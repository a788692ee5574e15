"""A sealed log in a file: the line of faces, which nobody signs, has to be possible, too."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.logfile import export
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.peers.worker.verify import verify_log
from tests.support.examples import MANY_HANDS, ONE_DEAL, short
from tests.support.peer_sim import BAD, Network
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


def never_opened(match: Match) -> set[Card]:
    opened = {card for _, snapshot, _ in match.steps() for card in snapshot.openings}
    return {card for cards in match.rules.zones(match.state).values() for card in cards} - opened


def possible_face(match: Match, card: Card) -> str:
    """A face that nothing in ``match`` says ``card`` cannot have."""
    known = Counter(face for one, face in {**match.knowledge, **match.state.public}.items() if one != card)
    return next(iter(Counter(match.rules.deck()) - known))


def unseen(text: str, net: Network) -> int:
    """How many of the cards that ``text`` names its player never saw, says its refusal."""
    with pytest.raises(Refused) as refused:
        verify_log(text, net.verifier, StandInGroup())
    assert refused.value.refusal.key == "kernel.file.unseen"
    return int(refused.value.refusal.params["n"])


def test_no_file_names_a_card_that_was_never_shown_to_who_saved_it(net: Network) -> None:
    """One face that is possible, of a card in a hand of others or in the draw pile: nobody could contradict it."""
    match = net.peers[0].match
    hidden = sorted(never_opened(match) - match.knowledge.keys())
    assert len(hidden) > 2
    for card in hidden[:3]:
        text = altered(export(match), faces=lambda faces, card=card: faces.update({str(card): possible_face(match, card)}))  # type: ignore[misc]
        assert unseen(text, net) == 1


def test_what_two_devices_saw_is_in_no_file(net: Network) -> None:
    """Though every face of it is true: no device knows the cards of another."""
    first, second = (peer.match for peer in net.peers[:2])
    others = {str(card): second.knowledge[card] for card in never_opened(second) & second.knowledge.keys()}
    own = never_opened(first) & first.knowledge.keys()
    assert others and own
    assert unseen(altered(export(first), faces=lambda faces: faces.update(others)), net) == min(len(others), len(own))


def test_the_file_of_a_seat_names_the_cards_that_it_saw_and_no_others() -> None:
    net = Network(ONE_DEAL, 2, 5, seats=4, options=short(ONE_DEAL))
    assert net.run(lambda: not net.state().requests and len(net.peers[0].match.entries) > 12 and net.agreed(), 300)
    match = net.peers[0].match
    assert match.outcome is None
    assert verify_log(export(match, 0), net.verifier, StandInGroup()).findings == ()
    everything = {str(card): face for card, face in match.knowledge.items()}
    neighbours = len(everything) - len(json.loads(export(match, 0).split("\n")[-3])["faces"])
    assert neighbours > 0, "the seat has a neighbour on its device"
    assert unseen(altered(export(match, 0), faces=lambda faces: faces.update(everything)), net) == neighbours


def test_nobody_names_a_hand_that_was_taken_along() -> None:
    """Who leaves politely leaves their cards locked. The device that plays the seat from the next hand on cannot say what they
    were."""
    net = Network(MANY_HANDS, 3, 5)
    leaver = net.nodes[1]
    assert net.run(lambda: not net.state().requests and len(net.peers[0].match.entries) > 12 and net.agreed(), 300)
    assert leaver.peer is not None
    known = Faces(leaver.peer.match.knowledge)
    leaver.peer.leave()
    net.flush(leaver)
    assert net.run(lambda: all(peer.match.state.absentees for peer in net.peers) and net.agreed(), 60)
    for peer in (net.peers[0], net.peers[2]):
        match = peer.match
        hand = {str(card): face for card, face in known.items() if card not in match.state.public}
        assert hand and match.snapshot.seats_of(leaver.author) == ()
        assert verify_log(export(match), net.verifier, StandInGroup()).findings == ()
        assert unseen(altered(export(match), faces=lambda faces, hand=hand: faces.update(hand)), net) > 0  # type: ignore[misc]
    assert verify_log(export(leaver.peer.match), net.verifier, StandInGroup()).findings == (), "its own file says it"


@pytest.mark.parametrize("seed", range(4))
def test_what_honest_devices_save_holds_whatever_happens_to_their_links(seed: int) -> None:
    net = Network(ONE_DEAL, 3, seed, options=short(ONE_DEAL), faults=replace(BAD, leaves=1))
    net.run(net.finished, 900)
    for peer in net.peers:
        assert peer.match.knowledge
        assert verify_log(export(peer.match), net.verifier, StandInGroup()).findings == ()
