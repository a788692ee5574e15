"""TooT Pursuit's bots. *Easy* lays all it notices at once, *medium* a few cards, *hard* looks to the end of the match.

A point costs a number card, and what lies under it does not matter, so thrift wins. Hard plays each of its likely plays out to
the end in many imagined worlds, where everybody lays as thriftily as can be, and takes the one with the best lead. It knows what
its seat knows: how many cards the others hold, not which.

It may wait though it could lay, nearly always while a 1 lies on top: whoever covers it lets the next player score with a 1 alone.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Final, NamedTuple

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.cards import Kinds, kinds
from tabletin.games.toot.solver import Use, best_use, uses
from tabletin.games.toot.table_bot import count_hidden, hand_of, laying, nothing, notice

OVERLOOKS: Final = 0.15
FEW: Final = 3  # cards that medium lays in one turn
LOOKED_AT: Final = 400
MOST_CARDS: Final = 5  # in a play that hard thinks about
WORLDS: Final = 150
LIVELINESS: Final = 0.01  # points of its lead that hard gives for laying now instead of waiting …
LIVELINESS_OF_ADVICE: Final = 0.1  # … where it advises a person: a sure point is more fun …
LIVELINESS_BY_HABIT: Final = {SPRINTER: 0.03, BOLD: 0.02, CAREFUL: 0.0, COLLECTOR: -0.02}  # … or as its habit has it
FEW_BY_HABIT: Final = {SPRINTER: 4, BOLD: 4, CAREFUL: 2, COLLECTOR: 2}

NO_TOOT, SHOWS_ONE, SHOWS_OTHER = range(3)  # the TooT on the table, as far as it matters
ONE, TWO, THREE, FOUR, WILD, PRIMARY, SECONDARY = range(7)


class PlayOption(NamedTuple):
    """A play, or None for none; with a 1 on top or not; and what the table shows after it."""

    use: Use | None
    one_on_top: bool
    base: int


def pursuit(position: Position) -> Decision:
    """What a bot of TooT Pursuit does."""
    if not position.state.drawn:
        return Decision(("draw",), "toot.why.draw")
    if position.level == "hard":
        return _hard(position)
    hand, shown = hand_of(position), position.state.top_face
    own = kinds(face for _, face in hand)
    if position.level == "easy":
        use = best_use(notice(hand, OVERLOOKS, position.rng), shown)
    else:
        small = [use for use in islice(uses(own, shown), LOOKED_AT) if use.size <= FEW_BY_HABIT.get(position.habit, FEW)]
        use = position.rng.choice(small) if small else best_use(own, shown)
    if use is None:
        return nothing(position, own)
    return Decision(laying(position, use), "toot.why.cheap", {"n": use.size})


# ---- hard ----

def _hard(position: Position) -> Decision:
    hand = kinds(face for _, face in hand_of(position))
    options = _options(hand, position.state.top_face)
    if len(options) == 1:
        use = best_use(hand, position.state.top_face)
        if use is None:
            return nothing(position, hand)
        return Decision(laying(position, use), "toot.why.cheap", {"n": use.size})
    best, waits = _look_ahead(position, hand, options)
    assert best.use is not None
    move, n = laying(position, best.use, one_on_top=best.one_on_top), best.use.size
    if not waits:
        return Decision(move, "toot.why.block" if best.base == SHOWS_ONE else "toot.why.cheap", {"n": n})
    shown = position.state.top_face
    return Decision(
        ("pass",), _why_wait(hand, shown), {"n": n, "seat": position.rules.next_seat(position.state, position.seat)},
        short_why="toot.why.again_one" if shown == "1" else "toot.why.again", other=move, or_else="toot.why.or_lay")


def _why_wait(hand: Kinds, shown: str | None) -> str:
    """What the plays that there are have in common that speaks for laying nothing: the key of a sentence.

    On a 1 every play has a number with what lies under it: it fits on any other top as well, so that nothing is lost by waiting.
    Whoever covers the 1 first pays for it, and whoever comes next can score with a 1 or an X alone.
    """
    if next(uses(hand._replace(wilds=0), shown), None) is None:
        return "toot.why.wait_wild_one" if shown == "1" else "toot.why.wait_wild"
    if shown == "1":
        return "toot.why.wait_one" if hand.ones else "toot.why.wait_open"
    is_dear = shown is not None and all(use.size > 1 for use in islice(uses(hand, shown), LOOKED_AT))
    return "toot.why.wait_dear" if is_dear else "toot.why.wait"


def _options(hand: Kinds, shown: str | None) -> list[PlayOption]:
    """Laying nothing, and every small play, with a 1 on top and without."""
    base = NO_TOOT if shown is None else SHOWS_ONE if shown == "1" else SHOWS_OTHER
    options = [PlayOption(None, False, base)]
    for use in islice(uses(hand, shown), LOOKED_AT):
        if use.size > MOST_CARDS:
            continue
        if use.may_show_other(shown):
            options.append(PlayOption(use, False, SHOWS_OTHER))
        if use.ones:
            options.append(PlayOption(use, True, SHOWS_ONE))
    return options


def _look_ahead(position: Position, hand: Kinds, options: list[PlayOption]) -> tuple[PlayOption, bool]:
    """The play with the best mean lead at the end, all options in the same worlds, and whether waiting is much better."""
    state, playing = position.state, position.rules.playing(position.state)
    seat, seats = playing.index(position.seat), len(playing)  # seats are counted among those that play
    queue = tuple(playing.index(last) for last in state.queue) if state.closing else None
    sizes = [len(state.hands[other]) for other in playing]
    pool, sums, worlds = count_hidden(position), [0.0] * len(options), 0
    rests = [list(hand if option.use is None else option.use.rest(hand)) for option in options]
    others = [other for other in range(seats) if other != seat]
    while worlds < WORLDS and not position.out_of_time(0.7):
        hands, pile = _world(pool, sizes, len(state.pile), seat, position.rng)
        for index, (option, rest) in enumerate(zip(options, rests, strict=True)):
            trial = [cards.copy() for cards in hands]
            trial[seat] = rest.copy()
            points = [0] * seats
            points[seat] = option.use is not None
            _play_out(trial, points, option.base, pile, (seat + 1) % seats, queue)
            sums[index] += points[seat] - sum(points[other] for other in others) / len(others)
        worlds += 1
    position.worlds = worlds
    best, total = max(zip(options[1:], sums[1:], strict=True), key=lambda pair: pair[1])
    lively = LIVELINESS_OF_ADVICE if position.is_advice else LIVELINESS_BY_HABIT.get(position.habit, LIVELINESS)
    return best, total < sums[0] - lively * worlds


def _world(pool: list[int], sizes: list[int], pile: int, seat: int, rng: Random) -> tuple[list[list[int]], list[int]]:
    """Hands by kind for the other seats and a pile of so many, dealt from ``pool``."""
    rng.shuffle(pool)
    hands, begin = [], 0
    for other, size in enumerate(sizes):
        counts = [0] * len(Kinds._fields)
        if other != seat:
            for kind in pool[begin:begin + size]:
                counts[kind] += 1
            begin += size
        hands.append(counts)
    return hands, pool[begin:begin + pile]


def _play_out(hands: list[list[int]], points: list[int], base: int, pile: list[int], turn: int,
              queue: tuple[int, ...] | None) -> None:
    """Everybody draws and lays thriftily to the end; ``queue``: last turns to come, None while cards are left."""
    seats = len(hands)
    for kind in pile:
        hands[turn][kind] += 1
        base = _thrifty_turn(hands[turn], points, turn, base)
        turn = (turn + 1) % seats
    order = queue if queue is not None else tuple((turn + step) % seats for step in range(seats))
    for last in order:
        base = _thrifty_turn(hands[last], points, last, base)


def _thrifty_turn(hand: list[int], points: list[int], seat: int, base: int) -> int:
    """Lay the cheapest play there is, if any; what the table shows then."""
    play = thrifty(hand, base)
    if not play:
        return base
    for kind in play:
        hand[kind] -= 1
    points[seat] += 1
    return SHOWS_ONE if base == SHOWS_OTHER and len(play) == 1 else SHOWS_OTHER


def thrifty(hand: list[int], base: int) -> tuple[int, ...]:
    """A play for the point that costs least: no more than one number, pairs only where no secondary is, X last."""
    ones, twos, threes, fours, wilds, primaries, secondaries = hand
    leaf = (SECONDARY,) if secondaries else (PRIMARY, PRIMARY) if primaries > 1 else ()
    if base == NO_TOOT:
        return leaf or ((WILD,) if wilds else ())
    if ones and base == SHOWS_OTHER:
        return (ONE,)
    if twos and leaf:
        return (TWO, *leaf)
    if (threes or fours) and secondaries + primaries // 2 >= (2 if threes else 3):
        number, leaves = (THREE, 2) if threes else (FOUR, 3)
        alone = min(leaves, secondaries)
        return (number, *(SECONDARY,) * alone, *(PRIMARY,) * (2 * (leaves - alone)))
    if wilds and base == SHOWS_OTHER:
        return (WILD,)
    if wilds and (leaf or twos):
        return (WILD, *(leaf or (TWO,)))
    return ()
