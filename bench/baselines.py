"""Random play in public Python engines, for ``bench/rules.py``; runs in their own environment. One JSON line an engine."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from time import process_time


def report(engine: str, game: str, play: Callable[[], int], seconds: float) -> None:
    """Play matches for ``seconds`` and print matches and steps a second."""
    play()
    begun, matches, steps = process_time(), 0, 0
    while (spent := process_time() - begun) < seconds:
        steps += play()
        matches += 1
    print(json.dumps({"engine": engine, "game": game, "matches": matches / spent, "steps": steps / spent}), flush=True)


def rlcard_gin() -> Callable[[], int]:
    from rlcard.games.gin_rummy import Game

    game = Game()

    def play() -> int:
        game.init_game()
        steps = 0
        while not game.is_over():
            game.step(random.choice(game.judge.get_legal_actions()))
            steps += 1
        return steps

    return play


def rlcard_environment() -> Callable[[], int]:
    """The same game through RLCard's own environment, the way its documentation plays: observations included."""
    import rlcard
    from rlcard.agents import RandomAgent

    environment = rlcard.make("gin-rummy")
    environment.set_agents([RandomAgent(num_actions=environment.num_actions) for _ in range(environment.num_players)])

    def play() -> int:
        trajectories, _ = environment.run(is_training=False)
        return sum((len(trajectory) - 1) // 2 for trajectory in trajectories)

    return play


def spiel(name: str) -> Callable[[], int]:
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401  (registers the Python game)

    game = pyspiel.load_game(name)

    def play() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.legal_actions()))
            else:
                state.apply_action(random.choice(state.legal_actions()))
                steps += 1
        return steps

    return play


def main() -> None:
    seconds = float(sys.argv[1])
    report("RLCard, game and judge alone", "gin rummy", rlcard_gin(), seconds)
    report("RLCard, environment", "gin rummy", rlcard_environment(), seconds)
    report("OpenSpiel, Python", "block dominoes", spiel("python_block_dominoes"), seconds)
    report("OpenSpiel, C++", "gin rummy", spiel("gin_rummy"), seconds)


if __name__ == "__main__":
    main()
