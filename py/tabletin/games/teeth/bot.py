"""Bots for Teeth: *easy* forgets its own cards now and then, *medium* reckons with the plain odds, *hard* reads the opponent.

They decide from their own seat's view. From its own cards and the open ones a bot reckons the chance of winning each column. It
calls a column that it will probably win; otherwise it draws a card and puts it where it helps most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from types import MappingProxyType
from typing import Any, Final

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.evaluation import Evaluator, Option, SeenColumn
from tabletin.games.teeth.lookahead import ColumnCodes, Lookahead
from tabletin.games.teeth.reading import CALLS_AT, World, beliefs, calls, draw_worlds, gains, history, weigh
from tabletin.games.teeth.reckon import Belief, Count, Look, code_of, count_hidden, place, reckoner_of
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import PLACING, TeethState
from tabletin.games.teeth.win_chance import Standing
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import LEVELS as LEVELS

WORLDS: Final = 150  # hard weighs so many ways the closed cards could lie …
ROUNDS: Final = 300  # … and plays on in no more than so many of them, drawn by weight; …
OTHER_WORLDS: Final = 80  # … so many show what the opponent may believe of its cards
LIKELY: Final = 0.35  # columns by which a move may seem worse than the best one and still be tried out
TRIED: Final = 5  # ways to place a card that are tried out
EVEN: Final = 0.5  # a column less likely won than this is called because it will only get worse
SAFE: Final = 0.85  # a column this likely won by the plain odds is safe to call
TRUST: Final = 0.06  # columns by which a move must be better, played on, than the one that seems best; after fewer rounds, more
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
    mind = (HardMind if position.level == "hard" else TeethMind)(position, rules, state)
    return mind.place() if state.phase == PLACING else mind.turn()


class TeethMind:
    """What a bot sees and believes: ``look`` and ``belief`` by open column.

    ``hidden_reasons``: its reasons where none can be seen at the table, by what it does; ``early_reason``: for a call that may
    well fail.
    """

    hidden_reasons: Mapping[str, str] = MappingProxyType({"draw": "plain", "discard": "plain", "replace": "plain"})
    early_reason = "plain"

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
        self.plain = Belief(reckoner, self.pool)
        self.belief: dict[int, Belief] = dict.fromkeys(self.look, self.plain)
        self.in_view = dict(self.look)  # what can be seen, whatever this level makes of it: hints speak of that
        if position.level == "easy":
            self._forget()

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
        """Call a column, or draw."""
        verb, at = self.begin()
        if verb == "draw":
            safest, win = calls(self.in_view, dict.fromkeys(self.in_view, self.plain))
            why = "draw" if win < SAFE else self.hidden_reasons["draw"]
            return Decision(("draw",), f"teeth.why.{why}", _facts(safest, win))
        chance = self.belief[at].chance(self.in_view[at]).win
        why = "call_lost" if not self.state.pile else "call" if chance >= EVEN else self.early_reason
        return Decision(("call", at), f"teeth.why.{why}", {**_facts(at, chance), "chance": round(100 * chance)})

    def begin(self) -> Option:
        """Call the column most likely won, or draw."""
        at, chance = self._calls()
        calls_at = CALLS_AT if self.position.level == "easy" else MEDIUM_CALLS_AT + CALLS_SOONER.get(self.position.habit, 0.0)
        return ("call", at) if chance >= calls_at or not self.state.pile else ("draw", -1)

    def place(self) -> Decision:
        """Put the drawn card where it brings most."""
        drawn = self.state.drawn_card
        assert drawn is not None
        card = self.reckoner.count[self.position.faces[drawn]]
        verb, at = self.put(card)
        if verb == "discard":
            return self._discard(card)
        return Decision((verb, at), self._why_there(verb, at, card), {"column": at + 1})

    def put(self, card: Count) -> Option:
        """How to place ``card``."""
        ways = gains(self.look, self.belief, card)
        return max(ways, key=lambda way: way[0] + self._gathers(way[1]) + self._error())[1:]

    def _gathers(self, verb: str) -> float:
        """What a habit sees in it, in columns."""
        return GATHERS if verb == "double" and self.position.habit == COLLECTOR else 0.0

    def _plain_gains(self, card: Count) -> list[tuple[float, str, int]]:
        """What each way to place ``card`` brings, as anybody could count at the table."""
        return gains(self.in_view, dict.fromkeys(self.in_view, self.plain), card)

    def _discard(self, card: Count) -> Decision:
        """To throw ``card`` away, with what the best of its places would bring where it has one."""
        gain, verb, at = max(self._plain_gains(card))
        if gain <= 0:
            return Decision(("discard",), "teeth.why.discard")
        win = self.plain.chance(place(self.in_view[at], verb, card)).win
        return Decision(("discard",), f"teeth.why.{self.hidden_reasons['discard']}", _facts(at, win))

    def _why_there(self, verb: str, at: int, card: Count) -> str:
        """What can be said for placing ``card`` there that anybody could count at the table."""
        if verb == "double":
            return f"teeth.why.double{'_low' if card[0] < 0 else ''}"
        ways = self._plain_gains(card)
        most = max(gain for gain, _, _ in ways)
        mine = next(gain for gain, *way in ways if way == [verb, at])
        return f"teeth.why.{verb if mine >= most else self.hidden_reasons[verb]}"


class HardMind(TeethMind):
    """Reads the opponent, knows what open columns are worth, and plays its best moves on in worlds that explain what happened."""

    hidden_reasons = MappingProxyType({"draw": "draw_first", "discard": "discard_first", "replace": "ahead"})
    early_reason = "call_soon"

    def __init__(self, position: Position, rules: Teeth, state: TeethState) -> None:
        super().__init__(position, rules, state)
        self.standing = Standing.of_state(state, position.seat, rules.option_values)
        self.worlds = self._read(position.seat, position.faces, self.pool, WORLDS, 0.3)
        self.belief = beliefs(self.reckoner, self.worlds, list(self.look), self.pool)
        self.evaluator = Evaluator(self.belief, self.pool)
        self.table = {at: SeenColumn(self._own(at)[0], code_of(look)) for at, look in self.look.items()}

    def _read(self, seat: int, faces: Faces, pool: Counter[Count], number: int, share: float) -> list[tuple[World, float]]:
        """Worlds that explain to somebody in ``seat``, who sees ``faces``, what the other seat did.

        As many as are weighed before ``share`` of the time is over.
        """
        drawn = draw_worlds(pool, list(self.look), number, self.position.rng)
        befores = history(self.reckoner, self.state, seat, faces)
        return weigh(drawn, befores, Belief(self.reckoner, pool), lambda: self.position.out_of_time(share))

    def _opponent(self) -> Evaluator:
        """The opponent, who knows this seat's closed cards by what it did alone."""
        seat, faces = self.position.seat, self.position.faces
        own = {column.owns[seat] for column in self.state.columns if column is not None}
        open_faces = Faces({card: face for card, face in faces.items() if card not in own})
        pool = self.pool + Counter(map(self._own, self.look))
        worlds = self._read(1 - seat, open_faces, pool, OTHER_WORLDS, 0.45)
        return Evaluator(beliefs(self.reckoner, worlds, list(self.look), pool), pool)

    def begin(self) -> Option:
        """Call a column or draw, whichever leaves most to hope for."""
        sooner = CALLS_SOONER.get(self.position.habit, 0.0)
        hopes = {option: hope - sooner * (option[0] == "call")
                 for option, hope in self.evaluator.turns(self.table, len(self.state.pile)).items()}
        best = max(hopes, key=hopes.__getitem__)
        return self._ahead(best, [option for option, hope in hopes.items() if hope > hopes[best] - LIKELY])

    def put(self, card: Count) -> Option:
        """Place ``card`` where columns are worth most with it."""
        ways = self.evaluator.placings(self.table, card, len(self.state.pile))
        ways.sort(key=lambda way: way[0] + self._gathers(way[1]), reverse=True)
        return self._ahead(ways[0][1:], [way[1:] for way in ways[:TRIED]], card)

    def _ahead(self, first: Option, options: list[Option], drawn: Count | None = None) -> Option:
        """The option after which imagined turns leave most matches won; ``first`` unless another is clearly better."""
        if len(options) < 2:
            return first
        rng, ahead = self.position.rng, Lookahead(self.reckoner, self.evaluator, self._opponent())
        worlds, weights = zip(*self.worlds, strict=True)
        totals = dict.fromkeys([first, *options], 0.0)
        slope, count = 0.0, 0
        for world in rng.choices(worlds, weights, k=ROUNDS):
            stacks, pile = self._stacks(world), self._pile(world)
            if drawn is not None:
                pile.append(drawn)
            for option in totals:
                won, cards, hope, left = ahead.play_on(dict(stacks), pile[:], option)
                worth = self.standing.worth(left)
                totals[option] += self.standing.chance(won, cards, left) + hope * worth
                slope += worth / len(totals)
            count += 1
            if self.position.out_of_time(0.8):
                break
        self.position.worlds = count
        best = max(totals, key=lambda option: totals[option])
        doubt = TRUST * sqrt(ROUNDS / count) * slope  # a mean of few rounds says little
        return best if totals[best] - totals[first] > doubt else first

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


def _facts(at: int, win: float) -> dict[str, Any]:
    """What is said of the column at the place ``at``: its number, and in how many of ten times it is won; never all or none."""
    return {"column": at + 1, "n": min(9, max(1, round(10 * win)))}
