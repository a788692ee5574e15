"""Small scenes for the explorer: three devices at a table where something is about to happen, or several things at once."""

from __future__ import annotations

from collections.abc import Callable

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import canonical
from tabletin.peers.replication.replica import Replica
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, unending
from tests.support.explorer import Bounds, Explorer, World
from tests.support.highcard import HighCard
from tests.support.peer_sim import Network, Node

SEATS = 3
Scene = Callable[[Network], None]


def table(game: str, *, spectators: int = 0) -> Network:
    """Three devices at a table where nothing is asked for; in the toy game nobody moves by itself."""
    rules = HighCard if game == "highcard" else None
    options = {"turns": 2} if game == "highcard" else unending(game)
    net = Network(game, SEATS, 5, options=options, rules=rules, spectators=spectators)
    if game == "highcard":
        net.act = lambda node: None  # type: ignore[method-assign]
    assert net.run(lambda: net.agreed() and not net.state().requests and bool(net.peers[0].match.acting))
    if game == "highcard":
        net.run(lambda: False, 2)
    return net


def move(net: Network, node: Node) -> None:
    match = peer_of(node).match
    for seat in match.acting:
        if match.setup.seats[seat].author == node.author:
            faces = match.view((seat,)).faces
            peer_of(node).move(seat, next(iter(match.rules.moves(match.state, seat, faces))))


def actor(net: Network) -> Node:
    match = net.peers[0].match
    author = match.setup.seats[match.acting[0]].author
    return next(node for node in net.nodes if node.author == author)


def others(net: Network, node: Node) -> list[Node]:
    return [other for other in net.nodes[:SEATS] if other is not node]


def settle(net: Network) -> None:
    for node in net.nodes:
        net.flush(node)
    net.run(lambda: False, 3)


def scene_move(net: Network) -> None:
    """One moves while another takes its seat's name anew."""
    mover = actor(net)
    other = others(net, mover)[0]
    seat = net.nodes.index(other)
    peer_of(other).say("seat", {"seat": seat, "to": peer_of(other).match.setup.seats[seat].to_json()})
    move(net, mover)


def scene_undo(net: Network) -> None:
    """A move is taken back with everybody's consent while the next one is made."""
    mover = actor(net)
    target = len(peer_of(mover).match.entries) - 1
    move(net, mover)
    settle(net)
    for node in others(net, mover):
        peer_of(node).say("consent", {"seat": net.nodes.index(node), "to": target})
    settle(net)
    peer_of(mover).say("undo", {"seat": net.nodes.index(mover), "to": target})
    move(net, actor(net))


def scene_timeout(net: Network) -> None:
    slow = actor(net)
    for node in others(net, slow):
        peer_of(node).choices.timeouts.add(net.nodes.index(slow))


def scene_gone(net: Network) -> None:
    """Two want the one that orders gone, who says something just now."""
    orderer = next(node for node in net.nodes if peer_of(node).orders)
    for node in others(net, orderer):
        peer_of(node).choices.removals.add(orderer.author)
        peer_of(node).state._heard.clear()
    seat = net.nodes.index(orderer)
    peer_of(orderer).say("seat", {"seat": seat, "to": peer_of(orderer).match.setup.seats[seat].to_json()})


def scene_gone_two_ways(net: Network) -> None:
    """Each of two wants somebody else gone: the third is in both ballots."""
    one, two, three = net.nodes[:SEATS]
    peer_of(one).choices.removals.add(two.author)
    peer_of(two).choices.removals.add(one.author)
    peer_of(three).choices.removals |= {one.author, two.author}
    for node in net.nodes:
        peer_of(node).state._heard.clear()


def scene_leave(net: Network) -> None:
    """Somebody goes while another moves."""
    mover = actor(net)
    peer_of(others(net, mover)[0]).leave()
    move(net, mover)


def scene_device(net: Network) -> None:
    old, new = actor(net), net.nodes[SEATS]
    peer_of(old).move_to(peer_of(new).membership.offer(old.author))
    for node in others(net, old):
        peer_of(node).choices.removals.add(old.author)
        peer_of(node).state._heard.clear()


def scene_pass(net: Network) -> None:
    """Somebody waits long for its place."""
    orderer = next(node for node in net.nodes if peer_of(node).orders)
    author, witness = others(net, orderer)
    seat = net.nodes.index(author)
    peer = peer_of(author)
    peer.say("seat", {"seat": seat, "to": peer.match.setup.seats[seat].to_json()})
    assert peer.pending is not None
    peer.outbox.clear()
    peer._ballots._said_at = peer.pending.hash, peer.state.time - 30
    peer_of(witness)._ballots.hear_plea(peer.pending)
    plea = peer_of(witness)._ballots._pleas[author.author]
    peer_of(witness)._ballots._pleas[author.author] = type(plea)(plea.statement, plea.time - 30)


def scene_ballot(net: Network) -> None:
    """Two want a third passed over, and each has heard the other's wish: their votes are on their way."""
    scene_pass(net)
    voters = [node for node in net.nodes if not peer_of(node).orders]
    wishes = [canonical({"t": "wish", "what": peer_of(node)._ballots.subjects()}) for node in voters]
    for node, other, wish in zip(voters, reversed(voters), wishes, strict=True):
        peer_of(other).receive(node.author, wish)
    assert all(peer_of(node).state.is_bound for node in voters)


def scene_order(net: Network) -> None:
    """The hand has ended, and the order is to go to the next: not everybody knows. What was on its way is lost."""
    assert net.run(lambda: any(peer.match.snapshot.must_order for peer in net.peers))
    net.act = lambda node: None  # type: ignore[method-assign]


def scene_next_hand(net: Network) -> None:
    """One prepares the next hand while another moves; what was on its way is lost."""
    def prepares(peer: Replica) -> bool:
        return peer.pending is not None and prepares_next_hand(peer.pending)

    assert net.run(lambda: any(map(prepares, net.peers)) and not net.state().requests and peer_of(actor(net)).pending is None)
    net.act = lambda node: None  # type: ignore[method-assign]
    move(net, actor(net))


SCENES: dict[str, tuple[str, Scene]] = {
    "move": ("highcard", scene_move), "undo": ("highcard", scene_undo), "timeout": ("highcard", scene_timeout),
    "gone": ("highcard", scene_gone), "gone two ways": ("highcard", scene_gone_two_ways), "leave": ("highcard", scene_leave),
    "device": ("highcard", scene_device), "pass": ("highcard", scene_pass), "ballot": ("highcard", scene_ballot),
    "order": (MANY_HANDS, scene_order),
    "next hand": (MANY_HANDS, scene_next_hand),
}


def begin(name: str, altered: int | None, bounds: Bounds, kind: type[Explorer] = Explorer) -> tuple[Explorer, World]:
    """An explorer of the scene with that name, and the world in which it begins."""
    game, scene = SCENES[name]
    net = table(game, spectators=name == "device")
    explorer = kind(net, altered, bounds)
    return explorer, explorer.begin(lambda: scene(net))
