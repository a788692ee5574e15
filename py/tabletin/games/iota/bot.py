"""Iota's bots: *easy* looks at two places on the grid, *medium* takes the best turn now, *hard* also looks ahead.

They decide from their own seat's view. Hard imagines what the others may hold, lets the next seat answer with its best play,
plays once more itself, and weighs that against the points of this turn. Once the pile is empty it looks to the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from statistics import fmean
from typing import NamedTuple

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.comparison import Playout
from tabletin.bots.decision import Decision, Position
from tabletin.bots.determinize import HiddenCards
from tabletin.games.iota.ending import (
    INFINITE,
    WIDTHS,
    Ending,
    EndSearch,
    HandPlays,
    OutOfTime,
    play_points,
    play_to_the_end,
)
from tabletin.games.iota.grid import BITS, LONGEST, VALUE, Bits, Cell, HandCard, Play, Plays, changed_lines
from tabletin.games.iota.rules import HAND, Iota, IotaState, Recycles, spell
from tabletin.kernel.faces import Faces
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import LEVELS as LEVELS

WILD_WORTH = 9  # points a wild in hand is worth keeping for, by trial in the arena
CANDIDATES = 6  # turns that hard looks at closely …
ROUNDS = 40  # … in this many imagined worlds, if there is time
OWN_NEXT = 0.5  # what a point that may be made next turn is worth
PLAYOUTS = {"iota": Playout(rounds=1)}
LENIENCE = 1.5  # points of foresight that hard gives for its habit
LATER = 0.5  # what a collector gives for each point of the cards it keeps
NOTING = 2.0  # how much longer it takes to find plays and note where they were looked for
EASY_PLACES = 2  # where easy looks for a play …
EASY_OVERLOOKS = 0.5  # … and of the plays with two cards there how many it does not see


class Sequel(NamedTuple):
    """What may follow a turn, in points as they are weighed: the next seat's answer, and one's own next turn."""

    theirs: float
    mine: float

    @property
    def value(self) -> float:
        return self.mine - self.theirs


class TurnOption(NamedTuple):
    """A turn that could be taken: its points, what it is worth with the cards kept, and the grid and hand after it."""

    worth: float
    points: int
    recycles: Recycles
    play: Play
    bits: Bits
    wilds: tuple[Cell, ...]
    hand: tuple[HandCard, ...]
    rest: tuple[HandCard, ...]

    def grid_after(self) -> Bits:
        """The grid with the play on it."""
        own = dict(self.hand)
        return self.bits | {cell: own[card] for card, cell in self.play}

    @property
    def move(self) -> Move:
        return ("play", self.recycles, spell(self.play))


def choose(position: Position) -> Decision:
    """The move of a bot of ``position.level``."""
    return {"easy": _easy, "medium": _medium, "hard": _hard}[position.level](position)


def _easy(position: Position) -> Decision:
    """The best of what it sees at a few places, like a child who has just learned: one card or two, no recycling."""
    options: dict[Cell, list[TurnOption]] = {}
    for option in _in_time(position, _options(position, recycling=False)):
        if len(option.play) <= 2:
            options.setdefault(min(cell for _, cell in option.play), []).append(option)
    if not options:
        return _no_play(position)
    rng = position.rng
    near = [option for place in rng.sample(sorted(options), min(EASY_PLACES, len(options))) for option in options[place]]
    noticed = [option for option in near if len(option.play) == 1 or rng.random() >= EASY_OVERLOOKS]
    best = max(noticed or near, key=lambda option: option.points)
    return Decision(best.move, _key(position, "plain"), {"n": best.points})


def _medium(position: Position) -> Decision:
    options = list(_in_time(position, _options(position)))
    if not options:
        return _no_play(position)
    most = max(option.points for option in options)
    best = max((option for option in options if option.points == most),
               key=lambda option: (_taste(position.habit, option), option.worth))
    return Decision(best.move, _key(position, "best_now"), {"n": best.points})


def _hard(position: Position) -> Decision:
    options = list(_in_time(position, _options(position), 0.5))  # two wilds make thousands
    if not options:
        return _no_play(position)
    most = max(options, key=lambda option: (option.points, option.worth))
    if _young(position):
        return Decision(most.move, "iota.why.lays", {"n": most.points})
    search_time = position.time_spent / len({option.recycles for option in options})
    if not position.state.pile and not position.out_of_time(0.8, 2 * NOTING * search_time):
        unseen = HiddenCards(position.view)
        if _is_counted(position, unseen):
            return _ending(position, options, most, unseen)
        return _imagined_ending(position, options, most, unseen, NOTING * search_time)
    close = nlargest(CANDIDATES, options, key=lambda option: option.worth)
    foreseen = list(zip(close, _look_ahead(position, close, search_time), strict=True))
    best, sequel = max(foreseen, key=lambda pair: pair[0].worth + pair[1].value)
    if position.habit and best.points == most.points:
        enough = best.worth + sequel.value - LENIENCE
        alike = [pair for pair in foreseen if pair[0].points == most.points and pair[0].worth + pair[1].value >= enough]
        best, sequel = max(alike, key=lambda pair: _taste(position.habit, pair[0]))
    instead = next((other for option, other in foreseen if option is most), None)
    return Decision(best.move, _key(position, _reason(best, sequel, most, instead)), {"n": best.points})


def _in_time(position: Position, options: Iterator[TurnOption], share: float = 0.8) -> Iterator[TurnOption]:
    """``options`` until ``share`` of the time is used up; the first one anyway."""
    for option in options:
        yield option
        if position.out_of_time(share):
            return


def _taste(habit: str, option: TurnOption) -> float:
    """How much a character with ``habit`` likes a turn, among turns of as many points."""
    if habit == SPRINTER:
        return len(option.play)
    if habit == COLLECTOR:
        return sum(WILD_WORTH if not own else LATER * VALUE[own >> 8] for _, own in option.rest)
    if habit in (BOLD, CAREFUL):  # three in a line are a lot for whoever finds the fourth
        ready = sum(len(line.cells) == LONGEST - 1 for line in changed_lines(option.grid_after(), [at for _, at in option.play]))
        return ready if habit == BOLD else -ready
    return 0.0


def _is_counted(position: Position, unseen: HiddenCards) -> bool:
    """Whether there is one other seat, and it holds all that is ``unseen``; with half of the deck not all of it is in play."""
    rules, state = position.rules, position.state
    if len(rules.playing(state)) != 2:
        return False
    held = state.hands[rules.next_seat(state, position.seat)]
    return sum(len(cards) for cards, _ in unseen.groups) == sum(card not in position.faces for card in held)


def _other_hands(position: Position, world: Faces) -> list[tuple[HandCard, ...]]:
    """The hands of the other seats in ``world``, the next one first."""
    rules, state = position.rules, position.state
    found, seat = list[tuple[HandCard, ...]](), rules.next_seat(state, position.seat)
    while seat != position.seat:
        found.append(tuple((card, BITS[world[card]]) for card in state.hands[seat]))
        seat = rules.next_seat(state, seat)
    return found


def _ending(position: Position, options: list[TurnOption], most: TurnOption, unseen: HiddenCards) -> Decision:
    """The turn after which the match of two ends best, or passing; as many turns are tried as there is time for."""
    theirs, = _other_hands(position, unseen.draw(position.rng))
    options = sorted(options, key=lambda option: option.points, reverse=True)
    state = position.state
    stays = Ending(state.bits, state.wilds, theirs, _own(position), has_passed=True)
    search = EndSearch(stays, lambda: position.out_of_time(0.8))
    best: TurnOption | None = most
    for width in WIDTHS:
        tried = options[:max(width, CANDIDATES)]
        search.is_whole = len(tried) == len(options)
        found: TurnOption | None = None
        lead = -INFINITE
        try:
            for option in tried:
                ending = Ending(option.grid_after(), option.wilds, theirs, option.rest)
                value = option.points - search.lead(ending, width, most=option.points - lead)
                if value > lead:
                    lead, found = value, option
            if (0 if state.passes else -search.lead(stays, width, most=-lead)) > lead:
                found = None
        except OutOfTime:
            if width == WIDTHS[0] and found is not None:
                best = found
            break
        best = found
        if search.is_whole:
            break
        if best is not None:  # the best so far first: the others are then soon seen to be worse
            options.remove(best)
            options.insert(0, best)
    if best is None:
        return Decision(("pass", (), ()), "iota.why.waits")
    return Decision(best.move, _key(position, "best_now" if best.points == most.points else "ends_well"), {"n": best.points})


def _imagined_ending(position: Position, options: list[TurnOption], most: TurnOption, unseen: HiddenCards,
                     note_time: float) -> Decision:
    """The turn after which the match ends best in the mean of imagined hands, in which all seats take what makes most.

    ``note_time``: seconds in which the plays of one hand are noted.
    """
    close = nlargest(CANDIDATES, options, key=lambda option: option.points)
    totals, rounds = [0.0] * len(close), 0
    own: dict[Recycles, HandPlays] = {}
    while len(close) > 1 and rounds < ROUNDS:
        hands = _other_hands(position, unseen.draw(position.rng))
        others: dict[Recycles, list[HandPlays]] = {}
        leads = list[float]()
        for option in close:
            base = option.bits, tuple(cell for cell, bit in option.bits.items() if not bit)
            if position.out_of_time(0.9, 0.0 if option.recycles in others else (len(hands) + 1) * note_time):
                break
            if option.recycles not in own:
                own[option.recycles] = HandPlays(*base, option.hand)
            if option.recycles not in others:
                others[option.recycles] = [HandPlays(*base, hand) for hand in hands]
            *theirs, mine = play_to_the_end(option.grid_after(), option.wilds, (*hands, option.rest),
                                            (*others[option.recycles], own[option.recycles]))
            leads.append(mine - fmean(theirs))
        else:
            totals = [total + lead for total, lead in zip(totals, leads, strict=True)]
            rounds += 1
            continue
        break
    position.worlds = rounds
    worths = [option.points + total / max(rounds, 1) for option, total in zip(close, totals, strict=True)]
    best = close[worths.index(max(worths))] if rounds else most
    return Decision(best.move, _key(position, "best_now" if best.points == most.points else "played_on"), {"n": best.points})


def _own(position: Position) -> tuple[HandCard, ...]:
    return tuple((card, BITS[position.faces[card]]) for card in position.state.hands[position.seat])


def _reason(best: TurnOption, sequel: Sequel, most: TurnOption, instead: Sequel | None) -> str:
    """Why ``best`` and not ``most``, the turn with most points: what makes up for the points it lacks.

    ``instead``: what may follow ``most``, if that was position of.
    """
    if best.points == most.points:
        return "best_now"
    gains = {"keeps_wild": best.worth - best.points - (most.worth - most.points)}
    if instead is not None:
        gains |= {"leaves_less": instead.theirs - sequel.theirs, "sets_up": sequel.mine - instead.mine}
    return max(gains, key=lambda reason: gains[reason])


def _young(position: Position) -> bool:
    """Whether no points are counted (IO-9): then a card laid is a point to the bots."""
    return bool(position.rules.option_values["young_children"])


def _key(position: Position, reason: str) -> str:
    return f"iota.why.{'lays' if _young(position) else reason}"


def _options(position: Position, *, recycling: bool = True) -> Iterator[TurnOption]:
    """Every play of the seat with its points; equal cards count once."""
    rules, state = position.rules, position.state
    assert isinstance(rules, Iota) and isinstance(state, IotaState)
    young = _young(position)
    for recycles, bits, wilds, hand in rules.recyclings(state, position.seat, position.faces):
        for play in Plays(bits, wilds, _one_wild_first(hand)):
            own = dict(hand)
            kept = tuple(held for held in hand if all(held[0] != card for card, _ in play))
            points = len(play) if young else play_points(bits, play, own, ends=not state.pile and not kept)
            now_wilds = (*wilds, *(cell for card, cell in play if not own[card]))
            worth = points + WILD_WORTH * sum(not bit for _, bit in kept)
            yield TurnOption(worth, points, recycles, play, bits, now_wilds, hand, kept)
        if not recycling:
            return


def _one_wild_first(hand: tuple[HandCard, ...]) -> tuple[HandCard, ...]:
    """The hand as plays should see it: of two wilds the second is only worth trying beside the first, so it comes last."""
    return tuple(sorted(hand, key=lambda held: not held[1]))


def _best_points(bits: Bits, wilds: tuple[Cell, ...], hand: tuple[HandCard, ...], *, pile: int) -> int:
    own = dict(hand)
    return max((play_points(bits, play, own, ends=not pile and len(play) == len(hand)) for play in Plays(bits, wilds, hand)),
               default=0)


def _look_ahead(position: Position, options: list[TurnOption], search_time: float) -> list[Sequel]:
    """What may follow each option, in the mean: the next seat's best answer, and one's own next turn.

    The same imagined hands serve every option, so that their luck cancels. ``search_time``: seconds in which one hand's plays
    were found; another hand is only begun while there is time for it.
    """
    rules, state, rng = position.rules, position.state, position.rng
    unseen = HiddenCards(position.view)
    pool = [face for _, faces in unseen.groups for face in faces]
    rival = rules.next_seat(state, position.seat)
    weight = 1.0 if len(rules.playing(state)) == 2 else 0.6
    sums = [(0.0, 0.0)] * len(options)
    rounds = 0
    while len(options) > 1 and not position.out_of_time(0.9, NOTING * search_time) and rounds < ROUNDS:
        size = min(len(state.hands[rival]), len(pool))
        drawn = [BITS[face] for face in rng.sample(pool, min(len(pool), size + HAND))]
        theirs = tuple((-1 - index, own) for index, own in enumerate(drawn[:size]))
        mine = tuple((-9 - index, own) for index, own in enumerate(drawn[size:]))
        values = []
        answers = HandPlays(state.bits, state.wilds, theirs)
        for option in options:
            if position.out_of_time(0.9, NOTING * search_time):
                break
            values.append(_sequel(option, theirs, answers, mine, len(state.pile)))
        else:
            sums = [(total[0] + value[0], total[1] + value[1]) for total, value in zip(sums, values, strict=True)]
            rounds += 1
    position.worlds = rounds
    return [Sequel(weight * answer / max(rounds, 1), OWN_NEXT * next_own / max(rounds, 1)) for answer, next_own in sums]


def _sequel(option: TurnOption, theirs: tuple[HandCard, ...], answers: HandPlays, fresh: tuple[HandCard, ...],
            pile: int) -> tuple[int, int]:
    """What follows ``option`` with these imagined hands: the rival's best turn, and one's own next best one.

    ``answers``: the rival's plays as the grid was before.
    """
    bits = option.grid_after()
    answer = (_best_points(bits, option.wilds, theirs, pile=pile) if option.recycles
              else answers.best_points(bits, option.wilds, theirs, ends=not pile))
    hand = (*option.rest, *fresh[:HAND - len(option.rest)]) if pile else option.rest
    return answer, _best_points(bits, option.wilds, hand, pile=pile) if hand else 0


def _no_play(position: Position) -> Decision:
    """Trade what is of least use: everything but wilds, or pass where the pile is empty."""
    state = position.state
    cards = tuple(card for card in state.hands[position.seat] if BITS[position.faces[card]])
    if not state.pile or not cards:
        return Decision(("pass", (), ()), "iota.why.pass")
    return Decision(("pass", (), cards), "iota.why.trade")

