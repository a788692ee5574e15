"""Bots for Teeth: *easy* forgets its own cards now and then, *medium* reckons with the plain odds, *hard* reads the opponent.

They decide from their own seat's view: the chance of winning each column, given what one's own cards and the open ones
leave for the closed one. A column likely to be won is called; else a card is drawn and put where it helps most.
"""

from __future__ import annotations

from typing import Any, Final

from tabletin.kernel.shapes import Move
from tabletin.search.bots import LEVELS as LEVELS
from tabletin.search.bots import Decision, Thought

from .columns import DECK
from .reading import CALLS_AT, beliefs, calls, draw_worlds, gains, history, weighed
from .reckon import Belief, Look, Reckoner, unseen
from .rules import Teeth
from .state import PLACING, TeethState

WORLDS: Final = 150  # hard weighs so many ways the closed cards could lie
EASY_FORGETS: Final = 0.5  # how often easy does not remember a closed card of its own
EASY_GUESS: Final = (7, 0)  # what it takes it for then
EASY_MISJUDGES: Final = 0.3  # by how much it is wrong about a chance, as a standard deviation
MEDIUM_CALLS_AT: Final = 0.85  # medium waits too long


def choose(thought: Thought) -> Decision:
    """The move of a bot of ``thought.level``."""
    rules, state = thought.rules, thought.state
    assert isinstance(rules, Teeth) and isinstance(state, TeethState)
    if state.phase not in ("turn", PLACING):
        return Decision(("ready",), "teeth.why.ready")
    mind = Mind(thought, rules, state)
    return mind.place() if state.phase == PLACING else mind.turn()


class Mind:
    """What a bot sees and believes: ``look`` and ``belief`` by open column."""

    def __init__(self, thought: Thought, rules: Teeth, state: TeethState) -> None:
        self.thought = thought
        self.state = state
        self.reckoner = reckoner = Reckoner(rules.values)
        seat, faces = thought.seat, thought.faces
        self.look: dict[int, Look] = {at: reckoner.look(column, seat, faces)
                                      for at, column in enumerate(state.columns) if column is not None}
        live = [card for cards in rules.zones(state).values() for card in cards]
        pool = unseen(reckoner, DECK, live, faces)
        self.calls_at = CALLS_AT
        plain = Belief(reckoner, pool)
        self.belief: dict[int, Belief] = dict.fromkeys(self.look, plain)
        if thought.level == "easy":
            self._forget()
        elif thought.level == "medium":
            self.calls_at = MEDIUM_CALLS_AT
        else:
            places = list(self.look)
            worlds = weighed(draw_worlds(pool, places, WORLDS, thought.rng), history(reckoner, state, seat, faces), plain)
            self.belief = beliefs(reckoner, worlds, places, pool)

    def _forget(self) -> None:
        """Take some of one's own closed cards for something middling."""
        count, faces, seat = self.reckoner.count, self.thought.faces, self.thought.seat
        for at, look in self.look.items():
            if self.thought.rng.random() < EASY_FORGETS:
                column = self.state.columns[at]
                assert column is not None
                value, ace = count[faces[column.owns[seat]]]
                mine = (look.mine[0] - value + EASY_GUESS[0], look.mine[1] - ace + EASY_GUESS[1])
                self.look[at] = look._replace(mine=mine)

    def _error(self) -> float:
        return self.thought.rng.gauss(0, EASY_MISJUDGES) if self.thought.level == "easy" else 0.0

    def _calls(self) -> tuple[int, float]:
        """The column most likely won and how likely, as far as this level can tell."""
        if self.thought.level != "easy":
            return calls(self.look, self.belief)
        guesses = [(self.belief[at].chance(look).win + self._error(), at) for at, look in self.look.items()]
        chance, at = max(guesses)
        return at, min(max(chance, 0.0), 1.0)

    def turn(self) -> Decision:
        """Call the column most likely won, or draw."""
        at, chance = self._calls()
        params: dict[str, Any] = {"column": at + 1, "chance": round(100 * chance)}
        if not self.state.pile:
            return Decision(("call", at), "teeth.why.call_lost", params)
        if chance >= self.calls_at:
            return Decision(("call", at), "teeth.why.call", params)
        return Decision(("draw",), "teeth.why.draw")

    def place(self) -> Decision:
        """Put the drawn card where it brings most."""
        drawn = self.state.drawn
        assert drawn is not None
        card = self.reckoner.count[self.thought.faces[drawn]]
        _, verb, at = max(gains(self.look, self.belief, card), key=lambda option: option[0] + self._error())
        move: Move = ("discard",) if verb == "discard" else (verb, at)
        return Decision(move, f"teeth.why.{verb}", {"column": at + 1})
