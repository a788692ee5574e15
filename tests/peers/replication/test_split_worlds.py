"""Random worlds in which one client is two: it plays honestly with each of two sides that do not hear each other.

``--network-matches N`` plays one world for each five of N (4 in CI); ``--network-seed 431`` one alone, again."""

from __future__ import annotations

import pytest

from tests.support.examples import MANY_HANDS, ONE_DEAL, lasting, unending
from tests.support.peer_matches import play_each
from tests.support.split_world import SplitWorld

TO_MEET = 200.0  # seconds in which two logs have to come to one end


def live(seed: int) -> SplitWorld:
    """A whole world."""
    game = ONE_DEAL if seed % 7 == 3 else MANY_HANDS
    world = SplitWorld(game, seed, lasting(game) if seed % 2 else unending(game))
    try:
        for _ in world.live_through(world.rng.uniform(10, 40)):
            world.check()
        world.split()
        for _ in world.live_through(world.rng.uniform(40, 120)):
            world.check()
        world.join()
        assert world.net.run(lambda: world.has_come_to_rest, TO_MEET), "honest ones go on in two logs"
        world.net.act = lambda node: None  # type: ignore[method-assign]
        world.net.run(lambda: False, 30)
        assert world.has_come_to_rest, "it did not last"
        assert not world.is_one_stopped_alone
        world.check()
    except BaseException as error:
        error.add_note(world.describe())
        raise
    return world


def test_who_plays_with_two_sides_is_found_where_they_meet(network_matches: range, capsys: pytest.CaptureFixture[str]) -> None:
    """Or nothing is left apart. Nobody honest is accused for it."""
    play_each(network_matches[::5], live, capsys)
