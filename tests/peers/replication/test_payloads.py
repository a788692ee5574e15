"""Long texts go from their authors to every device once, and what means them waits for them, or asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tabletin.kernel.log import Json, canonical, parse
from tabletin.peers.replication.payloads import KEPT, LONG, PATIENCE, text_hash, travel_time
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, game_for
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import Faults, Network, Node

Message = dict[str, Json]


def is_dealt(net: Network) -> bool:
    """Whether the first hand is there, everywhere."""
    return net.agreed() and len(net.peers[0].match.entries) > 3 and not net.state().requests


def messages(net: Network, kind: str) -> list[tuple[str, str, Message]]:
    """What was sent of one kind: from, to, message."""
    found = [(sender, to, parse(data)) for sender, to, data in net.sent]
    return [(sender, to, message) for sender, to, message in found if type(message) is dict and message["t"] == kind]


def spoil(net: Network, change: Callable[[str, str, Message], Message | None]) -> None:
    """``change`` alters what is sent, or drops it."""
    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        assert type(message) is dict
        found = change(sender, to, message)
        return None if found is None else data if found is message else canonical(found)

    net.meddle = meddle


def heard(node: Node, sender: str, message: Message) -> None:
    peer_of(node).receive(sender, canonical(message))


def delay_texts(net: Network, seconds: float) -> list[str]:
    """Texts take that much longer than everything else; to whom they go."""
    late: list[str] = []

    def delay(sender: str, to: str, message: Message) -> Message | None:
        if message["t"] != "load":
            return message
        node, data = next(node for node in net.nodes if node.author == to), canonical(message)

        def arrive() -> None:
            peer_of(node).receive(sender, data)
            net.flush(node)

        net.later(seconds, arrive)
        late.append(to)
        return None

    spoil(net, delay)
    return late


def texts_of(net: Network) -> set[str]:
    """The long texts in the log."""
    entries = net.peers[0].match.entries
    return {text for entry in entries for text in entry.statement.body.values() if type(text) is str and len(text) >= LONG}


def test_a_shuffle_goes_to_each_device_once() -> None:
    net = Network(game_for(10), 6, 1)
    assert net.run(lambda: is_dealt(net))
    times = Counter((to, message["x"]) for _, to, message in messages(net, "load"))
    assert len(texts_of(net)) >= 6
    for text in texts_of(net):
        assert sum(times[node.author, text] for node in net.nodes) == 5
    assert set(times.values()) == {1}
    bodies = [len(canonical(message)) for _, _, data in net.sent if (message := parse(data))["t"] in ("say", "put")]
    assert max(bodies) < 2 * LONG, "nothing else carries one"


def test_a_message_that_comes_before_its_text_waits_for_it() -> None:
    """Long texts have a lane of their own."""
    net = network(MANY_HANDS, 3, 5)
    late = delay_texts(net, 1.0)
    assert net.run(lambda: is_dealt(net))
    assert late
    bodies = [len(canonical(message)) for _, _, message in [*messages(net, "say"), *messages(net, "put")]]
    assert max(bodies) < 2 * LONG, "nobody had to ask, or to say it again"
    assert all(not peer.refusal_counts for peer in net.peers)


@pytest.mark.parametrize("lost", ["everywhere", "on the way to one", "on the way to the peer that orders"])
def test_a_text_that_is_lost_comes_with_its_entry(lost: str) -> None:
    net = network(MANY_HANDS, 3, 6)
    orderer = net.peers[0].match.orderer
    other = next(node.author for node in net.nodes if node.author != orderer)

    def lose(sender: str, to: str, message: Message) -> Message | None:
        gone = {"everywhere": True, "on the way to one": to == other}.get(lost, to == orderer)
        return None if message["t"] == "load" and gone else message

    spoil(net, lose)
    assert net.run(lambda: is_dealt(net), 120)
    check_finished(net)


def test_whoever_hears_nothing_of_an_author_does_not_wait_for_its_texts() -> None:
    """Two devices without a link of their own: each asks the peer that orders, once it knows that the other is not heard."""
    net = network(MANY_HANDS, 3, 7)
    first, second = (node.author for node in net.nodes if node.author != net.peers[0].match.orderer)
    spoil(net, lambda sender, to, message: None if {sender, to} == {first, second} else message)
    assert net.run(lambda: is_dealt(net), 120)
    waiting = [node for node in net.nodes if node.author in (first, second)]
    net.run(lambda: False, 10)
    assert all(peer_of(node).state.is_silent(({first, second} - {node.author}).pop()) for node in waiting)


def a_load(net: Network, letter: str) -> tuple[Message, str]:
    text = letter * LONG
    return {"t": "load", "x": text}, text_hash(text)


def test_only_the_newest_texts_of_players_are_kept() -> None:
    net = Network(MANY_HANDS, 2, 8, spectators=1)
    assert net.run(lambda: is_dealt(net))
    node, guest, spectator = net.nodes
    shelves = peer_of(node)._payloads._shelves
    for letter in "abcdefghij":
        heard(node, guest.author, a_load(net, letter)[0])
        heard(node, spectator.author, a_load(net, letter)[0])
    assert list(shelves[guest.author].texts) == [a_load(net, letter)[1] for letter in "ghij"]
    assert KEPT == 4
    assert spectator.author not in shelves


@pytest.mark.parametrize("text", [None, 7, "", "short", "x" * (LONG - 1), "x" * 300_001])
def test_what_is_no_long_text_is_refused(text: Json) -> None:
    net = network(MANY_HANDS, 2, 9)
    assert net.run(lambda: is_dealt(net))
    node, guest = net.nodes
    heard(node, guest.author, {"t": "load", "x": text})
    assert peer_of(node).refusal_counts == {"malformed": 1}


ENTRY: Message = {"i": 9, "prev": "0" * 64, "say": {"by": "a", "body": {}}}


@pytest.mark.parametrize("message", [
    {"t": "say", "s": 7, "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "say", "s": {"body": []}, "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "say", "s": {"body": {}}, "apart": []},
    {"t": "say", "s": {"body": {}}, "apart": {"sealed": "0" * 64}},
    {"t": "say", "s": {"body": {}}, "apart": {"sealed": ["0" * 64, -1]}},
    {"t": "say", "s": {"body": {}}, "apart": {"sealed": ["0" * 64, 300_001]}},
    {"t": "say", "s": {"body": {"more": "x" * 20_000}}, "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "have", "h": []},
    {"t": "say", "s": {"body": {"sealed": "here"}}, "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "put", "e": 7, "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "put", "e": [], "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "put", "e": [ENTRY, ENTRY], "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "put", "e": [{**ENTRY, "i": "9"}], "apart": {"sealed": ["0" * 64, LONG]}},
    {"t": "head", "apart": {"sealed": ["0" * 64, LONG]}},
])
def test_what_no_text_fits_into_is_refused(message: Message) -> None:
    net = network(MANY_HANDS, 2, 9)
    assert net.run(lambda: is_dealt(net))
    node, guest = net.nodes
    heard(node, guest.author, message)
    assert peer_of(node).refusal_counts == {"malformed": 1}


def test_a_text_that_never_comes_is_waited_for_only_for_a_while() -> None:
    """The peer that orders names a text that nobody has: nothing is taken in, and then it is asked for the entry."""
    net = network(MANY_HANDS, 2, 10)
    assert net.run(lambda: is_dealt(net))
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 2)
    orderer = next(node for node in net.nodes if node.author == net.peers[0].match.orderer)
    node = next(node for node in net.nodes if node is not orderer)
    length = len(peer_of(node).match.entries)
    asked = asks(net, node, orderer.author)
    assert len(peer_of(node).match.entries) == length
    wait = PATIENCE + travel_time(30_000)
    assert wait - 1 <= asked[0] < wait + 2


def asks(net: Network, node: Node, sender: str) -> list[float]:
    """``sender`` says every half second that the next entry stands, with a text that nobody has; when ``node`` asks for it."""
    peer, begin = peer_of(node), net.now  # up to half a second after the last tick
    author = next(other.author for other in net.nodes if other is not node)
    said: Message = {**peer.match.entries[-1].statement.to_json(), "by": author, "body": {}}
    entry: Message = {"i": len(peer.match.entries), "prev": peer.match.head, "say": said, "sig": ""}
    peer.take()
    asked: list[float] = []
    while net.now < begin + 15:
        net.now += 0.5
        heard(node, sender, {"t": "put", "e": [entry], "apart": {"sealed": ["0" * 64, 30_000]}})
        peer.tick(net.now)
        asked += [net.now - begin for to, data in peer.take().messages if b'"want"' in data]
    return asked


def test_nobody_but_the_peer_that_orders_keeps_a_device_from_asking() -> None:
    net = network(MANY_HANDS, 3, 12)
    assert net.run(lambda: is_dealt(net))
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 2)
    node, other = (node for node in net.nodes if node.author != net.peers[0].match.orderer)
    asked = asks(net, node, other.author)
    assert asked and asked[0] < PATIENCE + travel_time(30_000) - 1


def test_a_long_statement_is_not_said_again_while_it_is_on_its_way() -> None:
    """Lines on which a shuffle takes three seconds."""
    net = network(MANY_HANDS, 3, 11, faults=Faults(latency=0.1, jitter=0.0))
    late = delay_texts(net, min(3.0, travel_time(30_000)))
    assert net.run(lambda: is_dealt(net))
    assert late
    said = Counter((sender, message["s"]["n"]) for sender, _, message in messages(net, "say") if "apart" in message)
    assert said and set(said.values()) == {1}
