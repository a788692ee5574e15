"""Speed TooT: everybody at once with seven cards each; the first to make one TooT of all their cards wins the round.

Source: rulebook ``toot``, "Speed TooT", and ruling TO-8. There is no clock here: the order of the log decides. A draw
is answered to its own seat alone while the others play on. People who share a device play heats, one after the other; then
the moves that start and finish a heat say what the clock shows. Who plays alone may do so, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any, Final, TypeAlias

from tabletin.games.toot.arrangement import TOOTS, FaceNode, Toots, as_faces, cards_of, flaw, laid_on_table
from tabletin.games.toot.base import MOST_SEATS, TootRules, TootState
from tabletin.games.toot.cards import kinds
from tabletin.games.toot.solver import best_use, build
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.options import Number, Refusal, Switch
from tabletin.kernel.requests import Request, Result, Show, Shuffle
from tabletin.kernel.rules import Outcome, SheetRow, Zone
from tabletin.kernel.schema import Int, Move

HAND: Final = 7
START: Final = Int(0, 2**52)  # milliseconds since any moment, the same for both ends of a heat
END: Final = Int(0, 2**53 - 1)  # so that a heat can always be finished
NOT_YET: Final = 0
NO_TOOT: Final = -1
MINUTE: Final = 60  # seconds
STAR: Final = " ★"


Claim: TypeAlias = tuple[int, tuple[FaceNode, ...], str]
"""A claim: (seat, its TooTs as faces, what was wrong with it or "")."""


WonRound: TypeAlias = tuple[bool, tuple[int, ...]]
"""A round that was won: (whether it was run against the clock, by seat its time, or the cards of who won and else 0)."""


def time_words(needed: int) -> tuple[str, dict[str, Any]]:
    """How ``needed`` milliseconds are told: as "time" in seconds and tenths, or from one minute on as "minutes" and seconds,
    with what these words take."""
    seconds, tenths = needed // 1000, needed % 1000 // 100
    if seconds < MINUTE:
        return "time", {"seconds": seconds, "tenths": tenths}
    return "minutes", {"minutes": seconds // MINUTE, "seconds": f"{seconds % MINUTE:02}", "tenths": tenths}


def fastest_seats(times: tuple[int, ...]) -> Set[int]:
    """The seats with the least of ``times``, all equal ones alike; none where nobody found a TooT."""
    best = min((time for time in times if time > 0), default=None)
    return {seat for seat, time in enumerate(times) if time == best}


class SpeedState(TootState):
    """``phase``: "ready" (waiting for everybody), "go" (playing) or "over" (the round is; draws are still answered).

    ``round``: rounds begun, those played again included. ``ready``: seats that are. ``yielding_seats``: seats that gave up
    since the last draw. ``voiding_seats``: seats whose false claim has voided a round. ``wins`` by seat. ``last``: the last
    claim. In heats ``start_time`` is what the clock showed
    when this one set off, and ``times`` what each seat needed this round, in milliseconds, or ``NOT_YET``, ``NO_TOOT``;
    ``last_times`` are those of the round before, and ``fastest`` the least time of each seat in this match, or ``NOT_YET``.
    ``rounds``: of every round that was won, by seat: whether its ``times`` count, these or how many cards who won had.
    """

    __slots__ = ("start_time", "fastest", "yielding_seats", "last", "last_times", "phase", "ready", "round", "rounds", "times",
                 "voiding_seats", "wins")

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.phase = "ready"
        self.round = 0
        self.ready: frozenset[int] = frozenset()
        self.yielding_seats: frozenset[int] = frozenset()
        self.voiding_seats: frozenset[int] = frozenset()
        self.wins: tuple[int, ...] = (0,) * seats
        self.last: Claim | None = None
        self.start_time = 0
        self.times: tuple[int, ...] = (NOT_YET,) * seats
        self.last_times = self.times
        self.fastest = self.times
        self.rounds: tuple[WonRound, ...] = ()


class Speed(TootRules[SpeedState]):
    """Speed TooT for 1–6 seats; alone, against the page's clock."""

    id = "toot-speed"
    seat_counts = range(1, MOST_SEATS + 1)
    several_hands = True
    random_delay = 60.0
    quiet_events_of_others = frozenset(("toot.log.dealt", "toot.log.drew"))
    options = (Number("target", 1, 20, 7), Switch("gentle"), Switch("heats"))
    verbs = {"ready": (), "draw": (), "claim": (TOOTS,), "give_up": (), "set_off": (START,), "finish": (TOOTS, END)}

    @classmethod
    def can_share(cls, options: Mapping[str, Any]) -> bool:
        """Two people at a device have not the same time, but in heats."""
        return bool(options.get("heats"))

    @property
    def heats(self) -> bool:
        return bool(self.option_values["heats"])

    def is_timed(self, state: SpeedState) -> bool:
        """Whether the claim of this round says what the clock shows: in heats, and alone after setting off by the clock."""
        return self.heats or (self.seats == 1 and not state.ready)

    def _verbs_now(self, state: SpeedState) -> tuple[str, ...]:
        """What may be done in this phase; alone one may begin with the clock or without."""
        if state.phase == "ready":
            return ("set_off",) if self.heats else ("ready", "set_off") if self.seats == 1 else ("ready",)
        return "draw", "give_up", "finish" if self.is_timed(state) else "claim"

    def turns(self, state: SpeedState) -> tuple[int, ...]:
        """Whose go it is: everybody's; in heats the first who has not run, another seat beginning each round."""
        if not self.heats:
            return tuple(self.playing(state))
        order = [(state.round - 1 + index) % self.seats for index in range(self.seats)]
        return tuple(seat for seat in order if state.times[seat] == NOT_YET)[:1]

    # ---- rounds ----

    def start(self) -> SpeedState:
        state = SpeedState(self.seats)
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: SpeedState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "deck":
                state.round += 1
                for seat in range(self.seats):
                    self.deal(state, seat, HAND)  # face down until everybody is ready
                state.say("toot.log.speed_round", n=state.round)
        elif isinstance(request, Show):
            state.say("toot.log.dealt" if request.purpose == "go" else "toot.log.drew", request.reader, cards=cards)
            if state.phase == "over" and not state.requests:
                self._next_round(state)

    def _end_round(self, state: SpeedState) -> None:
        """The round is over; the next is dealt as soon as no draw waits for its answer."""
        state.phase = "over"
        if max(state.wins) >= self.option_values["target"]:
            state.end_reason = "toot.ended.target"
            state.requests = ()  # nobody answers a draw any more
        elif not state.requests:
            self._next_round(state)

    def _next_round(self, state: SpeedState) -> None:
        state.hands, state.pile = ((),) * self.seats, ()
        state.ready = state.yielding_seats = frozenset()
        state.times = (NOT_YET,) * self.seats
        state.phase = "ready"
        state.new_deck(self.deck())

    def redeal(self, state: SpeedState) -> None:
        """A void round is played again; rounds won stand."""
        if not state.end_reason:
            state.round -= state.phase != "ready" or any(state.hands)
            self._next_round(state)

    # ---- who may act ----

    def busy(self, state: SpeedState) -> bool:
        """A draw concerns its own seat alone: the others go on meanwhile."""
        return any(not isinstance(request, Show) or request.purpose != "draw" for request in state.requests)

    def actors(self, state: SpeedState) -> tuple[int, ...]:
        """Everybody but who waits for a card; and giving up is final once there is nothing left to draw."""
        if state.end_reason or state.phase == "over":
            return ()
        if state.phase == "ready":
            return tuple(seat for seat in self.turns(state) if seat not in state.ready)
        out = {request.reader for request in state.requests if isinstance(request, Show)}
        if not state.pile:
            out |= state.yielding_seats
        return tuple(seat for seat in self.turns(state) if seat not in out)

    # ---- judging ----

    def verdict(self, state: SpeedState, seat: int, move: Move) -> Refusal | None:
        verb = move[0]
        if verb not in self._verbs_now(state):
            return Refusal("toot.refuse.not_now", rule="TO-8")
        if verb == "finish" and move[2] <= state.start_time:
            return Refusal("toot.refuse.clock")
        if verb == "draw" and not state.pile:
            return Refusal("toot.refuse.pile_empty", rule="TO-8")
        if verb == "give_up" and seat in state.yielding_seats:
            return Refusal("toot.refuse.gave_up_already", rule="TO-8")
        return self._claim_refusal(state, seat, move[1]) if verb in ("claim", "finish") else None

    def _claim_refusal(self, state: SpeedState, seat: int, toots: Toots) -> Refusal | None:
        """A claim with cards not held is refused; a wrong one only where it no longer voids the round (TO-8)."""
        refusal = laid_on_table(toots, state.hands[seat])
        if refusal is not None:
            return refusal
        return self.claim_flaw(state, seat, toots) if self.option_values["gentle"] or seat in state.voiding_seats else None

    def claim_flaw(self, state: SpeedState, seat: int, toots: Toots) -> Refusal | None:
        """What is wrong with a claim of cards that ``seat`` holds: no TooT, or not all cards; None if nothing is."""
        left = len(state.hands[seat]) - len(cards_of(toots))
        return flaw(toots, state.public) or (Refusal("toot.refuse.cards_left", {"n": left}, "TO-8") if left else None)

    # ---- playing ----

    def opens(self, state: SpeedState, seat: int, move: Move) -> tuple[Card, ...]:
        """The cards claimed."""
        return cards_of(move[1]) if move[0] in ("claim", "finish") else ()

    def apply(self, state: SpeedState, seat: int, move: Move) -> None:
        match move:
            case ("ready",):
                self._ready(state, seat)
            case ("set_off", clock):
                self._set_off(state, seat, clock)
            case ("draw",):
                state.yielding_seats = frozenset()
                self.take(state, seat, 1)
            case ("claim", toots):
                self._claim(state, seat, toots)
            case ("finish", toots, clock):
                self._finish(state, seat, toots, clock - state.start_time)
            case _ if self.heats:
                state.say("toot.log.gave_up", seat)
                self._end_heat(state, seat, NO_TOOT)
            case _:
                self._give_up(state, seat)

    def _ready(self, state: SpeedState, seat: int) -> None:
        state.ready |= {seat}
        state.say("toot.log.ready", seat)
        self._go(state)

    def _go(self, state: SpeedState) -> None:
        """Hands are shown when the last seat is ready, not at the deal (TO-8)."""
        if state.ready.issuperset(self.playing(state)):
            state.phase = "go"
            state.say("toot.log.go")
            for seat in self.playing(state):
                state.ask(Show(state.hands[seat], seat, "go"))

    def _claim(self, state: SpeedState, seat: int, toots: Toots) -> None:
        if self._shown(state, seat, toots, "toot.log.void_claim"):
            self._win(state, {seat})
        else:
            state.voiding_seats |= {seat}
        self._end_round(state)

    def _shown(self, state: SpeedState, seat: int, toots: Toots, wrong_key: str) -> bool:
        """Lay a claim open; whether it is one TooT of all cards."""
        wrong = self.claim_flaw(state, seat, toots)
        state.last = (seat, tuple(as_faces(node, state.public) for node in toots), wrong.key if wrong else "")
        state.say(wrong_key if wrong else "toot.log.claimed", seat, cards=cards_of(toots))
        if wrong:
            state.say(wrong.key, **wrong.params)
        else:
            self.say_wilds(state, seat, toots)
        return wrong is None

    def _win(self, state: SpeedState, seats: Set[int]) -> None:
        state.wins = tuple(wins + (seat in seats) for seat, wins in enumerate(state.wins))
        cards = tuple(len(hand) if seat in seats else 0 for seat, hand in enumerate(state.hands))
        is_timed = any(time > 0 for time in state.times)
        state.rounds = (*state.rounds, (is_timed, state.times if is_timed else cards))
        for seat in sorted(seats):
            state.say("toot.log.won_round", seat)

    def _give_up(self, state: SpeedState, seat: int) -> None:
        state.yielding_seats |= {seat}
        state.say("toot.log.gave_up", seat)
        self._void_if_stuck(state)

    def _void_if_stuck(self, state: SpeedState) -> None:
        """The pile empty and every seat having given up since the last draw, the round is void (TO-8)."""
        if not state.pile and state.yielding_seats.issuperset(self.playing(state)):
            state.say("toot.log.void_given_up")
            self._end_round(state)

    def play_without(self, state: SpeedState, seats: tuple[int, ...]) -> None:
        """They win no round any more, not even by the time they have run."""
        if self.heats and state.phase == "go" and self.turns(state)[0] in seats:
            state.phase = "ready"
        for seat in seats:
            state.hold(seat, ())
        if self.heats:
            state.times = tuple(NO_TOOT if seat in seats else time for seat, time in enumerate(state.times))
            self._win_heats(state)
        elif state.phase == "ready":
            self._go(state)
        else:
            self._void_if_stuck(state)

    # ---- heats ----

    def _set_off(self, state: SpeedState, seat: int, clock: int) -> None:
        """One seat's cards are shown to it, and its clock runs."""
        state.start_time, state.phase = clock, "go"
        state.say("toot.log.set_off", seat)
        state.ask(Show(state.hands[seat], seat, "go"))

    def _finish(self, state: SpeedState, seat: int, toots: Toots, needed: int) -> None:
        """A claim in a heat: a wrong one costs the heat, nobody else's round."""
        if not self._shown(state, seat, toots, "toot.log.lost_heat"):
            needed = NO_TOOT
        else:
            key, params = time_words(needed)
            state.say(f"toot.log.needed{'_minutes' if key == 'minutes' else ''}", seat, **params)
            known = state.fastest[seat]
            fastest = needed if known == NOT_YET else min(needed, known)
            state.fastest = tuple(fastest if index == seat else time for index, time in enumerate(state.fastest))
        self._end_heat(state, seat, needed)

    def _end_heat(self, state: SpeedState, seat: int, needed: int) -> None:
        """The next seat gets ready."""
        state.times = tuple(needed if index == seat else time for index, time in enumerate(state.times))
        state.phase = "ready"
        self._win_heats(state)

    def _win_heats(self, state: SpeedState) -> None:
        """After the last heat the least time wins the round, all equal ones alike."""
        if NOT_YET in state.times:
            return
        state.last_times = state.times
        fastest = fastest_seats(state.times)
        if fastest:
            self._win(state, fastest)
        else:
            state.say("toot.log.void_heats")
        self._end_round(state)

    # ---- the end ----

    def standings(self, state: SpeedState) -> tuple[int, ...]:
        return state.wins

    def outcome(self, state: SpeedState) -> Outcome | None:
        """First to so many rounds (TO-8)."""
        if not state.end_reason:
            return None
        return Outcome(state.wins, self.best(state, state.wins), state.end_reason)

    def sheet(self, state: SpeedState) -> list[SheetRow]:
        """A line for every round won: the time of each seat in heats, else how many cards who won had; then all rounds won."""
        rounds = [_round_row(number, won) for number, won in enumerate(state.rounds, 1)]
        return [*rounds, SheetRow("toot.sheet.wins", state.wins, total=True)]

    # ---- what a seat may do ----

    def moves(self, state: SpeedState, seat: int, faces: Faces) -> Iterator[Move]:
        """Ready; or a claim if all cards make one TooT, a draw, giving up. False claims are never proposed, nor is a time:
        a second for each card."""
        if state.phase == "ready":
            yield ("set_off", 0) if self.heats else ("ready",)
            return
        hand = [(card, faces[card]) for card in state.hands[seat]]
        use = best_use(kinds(face for _, face in hand))
        if use is not None and use.size == len(hand):
            toots = (build(use, hand),)
            is_timed = self.is_timed(state)
            yield ("finish", toots, state.start_time + 1000 * len(hand)) if is_timed else ("claim", toots)
        if state.pile:
            yield ("draw",)
        if seat not in state.yielding_seats:
            yield ("give_up",)

    def default(self, state: SpeedState, seat: int) -> Move | None:
        """A silent seat is ready, and later gives up."""
        if state.phase == "ready":
            return ("set_off", 0) if self.heats else ("ready",)
        return None if seat in state.yielding_seats else ("give_up",)

    # ---- what readers look at ----

    def zones(self, state: SpeedState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}


def clock_key(state: SpeedState, rules: Speed) -> str:
    """The clock of this round, or of this heat."""
    heat = "".join(f"-{seat}" for seat in rules.turns(state)) if rules.heats else ""
    return f"clock{state.round}{heat}"


def _round_row(number: int, won: WonRound) -> SheetRow:
    """A won round on the score sheet; who won a heat has a star."""
    is_timed, amounts = won
    if not is_timed:
        return SheetRow("toot.sheet.cards_round", tuple(cards or None for cards in amounts), {"n": number})
    fastest = fastest_seats(amounts)
    return SheetRow("toot.sheet.heats_round", tuple(
        f"{sheet_time(time)}{STAR if seat in fastest else ''}" if time > 0 else None for seat, time in enumerate(amounts)),
        {"n": number})


def sheet_time(needed: int) -> str:
    """``needed`` milliseconds as a clock shows them: "0:08.4"."""
    seconds, tenths = needed // 1000, needed % 1000 // 100
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}.{tenths}"
