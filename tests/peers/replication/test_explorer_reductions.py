"""What the explorer merges and leaves out loses nothing: it is held to the search without that, and to what replicas do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.kernel.log import Entry, Statement
from tabletin.peers.sealed.pending import Card
from tests.support.explorer import Bounds, Explorer, Outcome
from tests.support.explorer_scenes import SCENES, begin
from tests.support.peer_sim import Network, Node
from tests.support.replica_prints import LEFT_OUT, Constants, fingerprint, freeze

TINY = [("move", None, Bounds(times=1)), ("leave", None, Bounds(times=1)), ("undo", 1, Bounds(times=0, misdeeds=1)),
        ("timeout", 1, Bounds(times=0, misdeeds=1, told=True)), ("gone", 0, Bounds(times=0, misdeeds=1)),
        ("timeout", None, Bounds(times=0, told=True, crashes=1)), ("order", 2, Bounds(times=0, misdeeds=1)),
        ("timeout", None, Bounds(times=1, apart=True))]


def explored(name: str, altered: int | None, bounds: Bounds) -> Explorer:
    explorer, start = begin(name, altered, bounds)
    assert explorer.explore(start).is_exhausted
    return explorer


def ends(explorer: Explorer) -> set[tuple[object, ...]]:
    """The worlds in which nothing is left to happen but misdeeds and failures, by what is in them."""
    return {(*[explorer.name_of(node) for node in world.nodes], *world[3:6], explorer.history(world.settled),
             explorer.words(world.said), explorer.words(world.heard)) for world in explorer.worlds if explorer.ends(world)}


@pytest.mark.parametrize(("name", "altered", "bounds"), TINY)
def test_fewer_orders_lead_to_the_same_devices_and_the_same_ends(name: str, altered: int | None, bounds: Bounds) -> None:
    all_orders, fewer = explored(name, altered, replace(bounds, reduced=False)), explored(name, altered, bounds)
    assert len(fewer.worlds) < len(all_orders.worlds)
    assert ends(fewer) == ends(all_orders)
    assert {fewer.name_of(device) for world in fewer.worlds for device in world.nodes} \
        == {all_orders.name_of(device) for world in all_orders.worlds for device in world.nodes}


def test_where_too_much_is_left_out_the_ends_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Explorer, "_stays_silent", lambda self, device, queues: True)
    all_orders = explored("leave", None, Bounds(times=1, reduced=False))
    assert ends(explored("leave", None, Bounds(times=1))) != ends(all_orders)


class TwiceMade(Explorer):
    """Keeps for each device a second one with the same print, and other bytes."""

    def __init__(self, net: Network, altered: int | None, bounds: Bounds) -> None:
        super().__init__(net, altered, bounds)
        self.twins: dict[int, bytes] = {}

    def _keep(self, number: int) -> int:
        known = super()._keep(number)
        frozen = freeze(self.net.nodes[number], self.constants)
        if frozen != self.devices[known].frozen:
            self.twins.setdefault(known, frozen)
        return known

    def differences(self) -> list[tuple[Outcome, Outcome]]:
        """What a device and its twin do otherwise, with anything that the device was met with, or what it does otherwise itself
        the second time."""
        found = []
        steps, self._known = self._known, {}
        for (first, *rest), outcome in steps.items():
            if first in ("restart", "gone") or (len(rest) == 2 and self.devices[first].number == self.altered):
                continue
            for frozen in {self.devices[first].frozen, self.twins.get(first, self.devices[first].frozen)}:
                device = self.devices[first]
                self.devices[first] = replace(device, frozen=frozen)
                again = self._receive(first, *rest) if len(rest) == 2 else self._tick(first, *rest)
                self.devices[first] = device
                self._known.clear()
                if again != outcome:
                    found.append((outcome, again))
        return found


def twice(name: str, altered: int | None, bounds: Bounds) -> TwiceMade:
    explorer, start = begin(name, altered, bounds, TwiceMade)
    explorer.explore(start)
    assert isinstance(explorer, TwiceMade)
    return explorer


@pytest.mark.parametrize(("name", "altered"), [("undo", 0), ("leave", 2), ("gone two ways", 1), ("next hand", 0)])
def test_devices_with_one_print_do_the_same(name: str, altered: int) -> None:
    explorer = twice(name, altered, Bounds(times=1, misdeeds=1, worlds=20))
    assert explorer.twins
    assert not explorer.differences()


def test_devices_that_differ_are_noticed() -> None:
    explorer, start = begin("timeout", None, Bounds(times=1), TwiceMade)
    assert isinstance(explorer, TwiceMade)
    explorer.explore(start)
    for device in start.nodes:
        node = explorer.thaw(device)
        assert node.peer is not None
        node.peer.choices.timeouts.clear()
        explorer.twins[device] = freeze(node, explorer.constants)
    assert explorer.differences()


@pytest.mark.parametrize("name", SCENES)
def test_a_frozen_device_thaws_as_it_was(name: str) -> None:
    explorer, start = begin(name, None, Bounds(times=0))
    for device in start.nodes:
        node: Node = explorer.thaw(device)
        assert fingerprint(node, explorer.constants) == explorer.name_of(device)


@pytest.mark.parametrize("name", ["undo", "next hand"])
def test_what_devices_share_stays_as_it_was(name: str) -> None:
    explorer, start = begin(name, 0, Bounds(times=1, misdeeds=1, worlds=20))
    explorer.explore(start)
    constants = explorer.constants
    assert {Entry, Statement, Card} <= {type(value) for value in constants.values}
    assert all(Constants().spelling(value) == constants.spelling(value) for value in constants.values)


def test_what_prints_leave_out_is_there() -> None:
    explorer, start = begin("move", None, Bounds(times=0))
    peer = explorer.thaw(start.nodes[0]).peer
    assert peer is not None
    parts = (peer, peer.state, peer.state.acknowledgements, peer._backfill, peer._ballots, peer.state.authority, peer.dealer,
             peer.dealing.checker, peer.match)
    assert {type(part) for part in parts} == set(LEFT_OUT)
    for part in parts:
        assert LEFT_OUT[type(part)].keys() <= vars(part).keys()
