"""Random worlds in which one client cheats and goes, in all ways that are known here, while honest ones play, stop and come back.

``--network-matches N`` plays one world for each five of N (4 in CI); ``--network-seed 431`` one alone, again."""

from __future__ import annotations

import pytest

from tests.support.cheat_world import CheatWorld
from tests.support.examples import MANY_HANDS, ONE_DEAL, lasting, unending
from tests.support.peer_matches import play_each

BUSY = 75.0  # seconds in which things happen
MORE = 60  # entries by which a match without an end has to go on
TO_REST = 3000.0  # seconds in which all have to come to an end, or to have stopped


def live(seed: int) -> CheatWorld:
    """A whole world: what must hold is checked all the time and at the end."""
    game = ONE_DEAL if seed % 7 == 3 else MANY_HANDS
    world = CheatWorld(game, seed, lasting(game) if seed % 2 else unending(game))
    try:
        for _ in world.live_through(BUSY):
            world.check()
        world.stop_misdeeds()
        if world.rng.random() < 0.5 and world.can_put_out:
            world.put_out()
        goal = max(len(peer.match.entries) for peer in world.net.peers) + MORE if seed % 2 == 0 else 10_000
        assert world.net.run(lambda: world.has_come_to_rest(goal), TO_REST), "honest ones do not come to an end together"
        world.net.act = lambda node: None  # type: ignore[method-assign]
        world.net.run(lambda: False, 30)
        assert world.has_come_to_rest(0), "it did not last"
        assert world.net.run(lambda: not world.puts_off, 60)
        world.check()
        assert len({peer.state.is_stopped for peer in world.players}) <= 1, "one is stopped alone"
        world.check_files()
        world.check_faces()
    except BaseException as error:
        error.add_note(world.describe())
        raise
    return world


def test_nobody_honest_is_hurt_by_a_cheat(network_matches: range, capsys: pytest.CaptureFixture[str]) -> None:
    play_each(network_matches[::5], live, capsys)
