"""Bots for Teeth: *easy* forgets its own cards now and then, *medium* reckons with the plain odds, *hard* reads the opponent.

They decide from their own seat's view. From its own cards and the open ones a bot reckons the chance of winning each column. It
calls a column that it will probably win; otherwise it draws a card and puts it where it helps most.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.lookahead import ColumnCodes, Lookahead, Option
from tabletin.games.teeth.reading import CALLS_AT, World, beliefs, calls, draw_worlds, gains, history, weigh
from tabletin.games.teeth.reckon import Belief, Count, Look, count_hidden, reckoner_of
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import PLACING, TeethState
from tabletin.games.teeth.win_chance import Standing
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import LEVELS as LEVELS

WORLDS: Final = 150  # hard weighs so many ways the closed cards could lie …
ROUNDS: Final = 300  # … and plays on in no more than so many of them, drawn by weight
PROMISING: Final = 0.3  # chances of winning a column below this are no reason to think of calling it
EVEN: Final = 0.5  # a column less likely won than this is called because it will only get worse
SAFE: Final = 0.85  # a column this likely won by the plain odds is safe to call
TRUST: Final = 0.06  # columns by which playing on must beat the rule of thumb after all these rounds; after fewer, more
EASY_FORGETS: Final = 0.5  # how often easy does not remember a closed card of its own
EASY_GUESS: Final = (7, 0)  # what it takes it for then
EASY_MISJUDGES: Final = 0.3  # by how much it is wrong about a chance, as a standard deviation
MEDIUM_CALLS_AT: Final = 0.85  # medium waits too long
CALLS_SOONER: Final = {BOLD: -0.08, SPRINTER: -0.04, CAREFUL: 0.05}  # what a habit changes of that, not for easy
GATHERS: Final = 0.03  # columns that a collector gives for adding a card to one


def choose(position: Position) -> Decision:
    """The move of a bot of ``position.level``."""
    rules, state = position.rules, position.state
    assert isinstance(rules, Teeth) and isinstance(state, TeethState)
    if state.phase not in ("turn", PLACING):
        return Decision(("ready",), "teeth.why.ready")
    mind = TeethMind(position, rules, state)
    return mind.place() if state.phase == PLACING else mind.turn()


class TeethMind:
    """What a bot sees and believes: ``look`` and ``belief`` by open column."""

    def __init__(self, position: Position, rules: Teeth, state: TeethState) -> None:
        self.position = position
        self.state = state
        chosen = rules.option_values
        self.reckoner = reckoner = reckoner_of(chosen["court"], chosen["joker"], chosen["limit"])
        seat, faces = position.seat, position.faces
        self.look: dict[int, Look] = {at: reckoner.look(column, seat, faces)
                                      for at, column in enumerate(state.columns) if column is not None}
        live = [card for cards in rules.zones(state).values() for card in cards]
        self.pool = count_hidden(reckoner, DECK, live, faces)
        self.calls_at = CALLS_AT
        self.plain = Belief(reckoner, self.pool)
        self.belief: dict[int, Belief] = dict.fromkeys(self.look, self.plain)
        self.in_view = dict(self.look)  # what can be seen, whatever this level makes of it: hints speak of that
        self.worlds: list[tuple[World, float]] = []
        self.standing = Standing.of_state(state, seat, chosen)
        if position.level == "easy":
            self._forget()
        elif position.level == "medium":
            self.calls_at = MEDIUM_CALLS_AT + CALLS_SOONER.get(position.habit, 0.0)
        else:
            places = list(self.look)
            drawn = draw_worlds(self.pool, places, WORLDS, position.rng)
            self.worlds = weigh(drawn, history(reckoner, state, seat, faces), self.plain,
                                lambda: position.out_of_time(0.4))
            self.calls_at = CALLS_AT + CALLS_SOONER.get(position.habit, 0.0)
            self.belief = beliefs(reckoner, self.worlds, places, self.pool)

    def _forget(self) -> None:
        """Take some of the seat's own closed cards for something middling."""
        for at, look in self.look.items():
            if self.position.rng.random() < EASY_FORGETS:
                value, ace = self._own(at)
                mine = (look.mine[0] - value + EASY_GUESS[0], look.mine[1] - ace + EASY_GUESS[1])
                self.look[at] = look._replace(mine=mine)

    def _own(self, at: int) -> Count:
        """What the seat's own closed card of a column counts."""
        column = self.state.columns[at]
        assert column is not None
        return self.reckoner.count[self.position.faces[column.owns[self.position.seat]]]

    def _error(self) -> float:
        return self.position.rng.gauss(0, EASY_MISJUDGES) if self.position.level == "easy" else 0.0

    def _calls(self) -> tuple[int, float]:
        """The column most likely won and how likely, as far as this level can tell."""
        if self.position.level != "easy":
            return calls(self.look, self.belief)
        guesses = [(self.belief[at].chance(look).win + self._error(), at) for at, look in self.look.items()]
        chance, at = max(guesses)
        return at, min(max(chance, 0.0), 1.0)

    def turn(self) -> Decision:
        """Call the column most likely won, or draw."""
        at, chance = self._calls()
        option = ("call", at) if chance >= self.calls_at or not self.state.pile else ("draw", -1)
        if self.worlds:
            options = [("call", at) for at, look in self.look.items() if self.belief[at].chance(look).win > PROMISING]
            options = [*options, ("draw", -1)] if self.state.pile else [("call", at) for at in self.look]
            option = self._ahead(option, options)
        verb, at = option
        if verb == "draw":
            safest = max(self.plain.chance(look).win for look in self.in_view.values())
            return Decision(("draw",), "teeth.why.draw" if safest < SAFE else self._unseen())
        chance = self.belief[at].chance(self.in_view[at]).win
        why = "call_lost" if not self.state.pile else "call" if chance >= EVEN else "call_soon" if self.worlds else "plain"
        return Decision(("call", at), f"teeth.why.{why}", {"column": at + 1, "chance": round(100 * chance)})

    def place(self) -> Decision:
        """Put the drawn card where it brings most."""
        drawn = self.state.drawn_card
        assert drawn is not None
        card = self.reckoner.count[self.position.faces[drawn]]
        gathers = GATHERS if self.position.habit == COLLECTOR else 0.0
        ways = sorted(gains(self.look, self.belief, card), reverse=True,
                      key=lambda way: way[0] + gathers * (way[1] == "double") + self._error())
        option = ways[0][1:]
        if self.worlds:
            option = self._ahead(option, [way[1:] for way in ways[:5]], card)
        verb, at = option
        move: Move = ("discard",) if verb == "discard" else (verb, at)
        return Decision(move, self._why_there(verb, at, card), {"column": at + 1})

    def _why_there(self, verb: str, at: int, card: Count) -> str:
        """What can be said for placing ``card`` there that anybody could count at the table."""
        if verb == "double":
            return f"teeth.why.double{'_low' if card[0] < 0 else ''}"
        ways = gains(self.in_view, dict.fromkeys(self.in_view, self.plain), card)
        most = max(gain for gain, _, _ in ways)
        mine = next(gain for gain, *way in ways if way == [verb, at])
        return f"teeth.why.{verb}" if mine >= most else self._unseen()

    def _unseen(self) -> str:
        """The reason where none can be seen at the table."""
        return "teeth.why.ahead" if self.worlds else "teeth.why.plain"

    def _ahead(self, thumb: Option, options: list[Option], drawn: Count | None = None) -> Option:
        """The option after which imagined rounds leave most matches won; ``thumb`` unless another is clearly better."""
        if len(options) < 2:
            return thumb
        rng, ahead = self.position.rng, Lookahead(self.reckoner, self.belief, self.plain)
        worlds, weights = zip(*self.worlds, strict=True)
        totals = dict.fromkeys([thumb, *options], 0.0)
        slope, count = 0.0, 0
        for world in rng.choices(worlds, weights, k=ROUNDS):
            stacks, pile = self._stacks(world), self._pile(world)
            if drawn is not None:
                pile.append(drawn)
            for option in totals:
                rest = pile[:]
                won, cards = ahead.play_out(dict(stacks), rest, option)
                totals[option] += self.standing.chance(won, cards, len(rest))
                slope += self.standing.worth(len(rest)) / len(totals)
            count += 1
            if self.position.out_of_time(0.8):
                break
        self.position.worlds = count
        best = max(totals, key=lambda option: totals[option])
        doubt = TRUST * sqrt(ROUNDS / count) * slope  # a mean of few rounds says little
        return best if totals[best] - totals[thumb] > doubt else thumb

    def _stacks(self, world: World) -> dict[int, ColumnCodes]:
        """The open columns with the opponent's cards as in ``world``."""
        found = {}
        for at, look in self.look.items():
            own = self._own(at)
            extra = (look.mine[0] - own[0], look.mine[1] - own[1])
            column = self.state.columns[at]
            assert column is not None
            found[at] = ColumnCodes.of_counts(own, extra, look.middle, look.theirs, world[at], len(column.cards))
        return found

    def _pile(self, world: World) -> list[Count]:
        """A pile as it may lie, without the cards that ``world`` puts elsewhere."""
        rest = self.pool.copy()
        rest.subtract(world.values())
        cards = list(rest.elements())
        return self.position.rng.sample(cards, min(len(self.state.pile), len(cards)))
