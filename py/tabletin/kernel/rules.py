"""What a game is: a small class over its state. Rules judge and apply moves on public knowledge alone.

A ``Rules`` object is fixed for a match (options and number of seats) and holds nothing that changes. Whatever changes
is in the state. Private faces come in at two doors only, both named: ``moves`` (proposing what a seat can do) and
``own_refusal`` (what a seat's own page knows to be wrong).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from tabletin.kernel.faces import HIDDEN, Card, Face, Faces
from tabletin.kernel.options import Option, Options, Refusal, Refused, fill, refused
from tabletin.kernel.requests import Request, Result
from tabletin.kernel.schema import Move, Verbs
from tabletin.kernel.state import State

S = TypeVar("S", bound=State)
Zone: TypeAlias = tuple[str, ...] | str  # a name, or a name with a seat or group: ("hand", "2"), "pile"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. ``scores`` per seat as the rulebook counts them; ``winners`` more than one when they share.

    ``low_wins`` tells a page how to order. ``reason`` is a catalogue key, ``params`` what its words speak of. ``unfinished``:
    given up or broken off.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    low_wins: bool = False
    unfinished: bool = False
    params: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the score sheet: a catalogue key with parameters, and a cell (text already, or None) per seat."""

    key: str
    cells: tuple[str | int | None, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    total: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What the audit found: a catalogue key with parameters, whose doing it was (``seat``), and in which ``entry``.

    Both are None where that cannot be told.
    """

    seat: int | None
    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    entry: int | None = None

    def all_params(self) -> dict[str, Any]:
        """The parameters, with the entry where it is known."""
        return dict(self.params) if self.entry is None else {**self.params, "entry": self.entry}


class Rules(ABC, Generic[S]):
    """Base of every game. Override the abstract methods, and what of the rest the game needs.

    Class facts:

    - ``id``: the game's name in the registry.
    - ``version``: raised when old logs would fold differently.
    - ``seat_counts``: how many may play.
    - ``options`` and ``verbs``: what can be chosen, and the forms of moves.
    - ``several_hands``: whether a match is several deals, so that a void hand can be dealt anew; ``redeal`` does it.
    - ``plays_on``: whether the others can finish a hand that somebody leaves.
    - ``random_delay``: mean seconds that a random player waits before it moves, in a game where speed counts.
    - ``forced_verbs``: what a page does for a person who can do nothing else, because the act itself says all that its speed
      could tell (a pass that everybody knows to be forced).
    - ``forced_verbs_among_bots``: the same where nobody else could learn anything from how fast it came.

    - ``answer_verbs``: answers while it is somebody else's turn. They are no turn of one's own, since which things are retold.
    - ``between_verbs``: what leads on from one hand to the next.
    - ``quiet_events``: keys of events that what follows tells, too, so that no log and no voice does.
    - ``quiet_events_of_others``: the same, but the seat that they are about is told.
    - ``brief_verbs``: acts that are seen at a glance and often come many in a row (an answer “no”, a draw): a page lets the next
      one follow sooner.
    - ``unseen_verbs``: those of them that move nothing on the table: the next act may follow at once.

    ``low_wins`` is a fact of the class or of the options.
    """

    id: ClassVar[str]
    version: ClassVar[int] = 1
    seat_counts: ClassVar[range]
    options: ClassVar[tuple[Option, ...]] = ()
    verbs: ClassVar[Verbs]
    low_wins: bool = False
    several_hands: ClassVar[bool] = False
    plays_on: ClassVar[bool] = False
    random_delay: ClassVar[float] = 0.0
    forced_verbs: ClassVar[frozenset[str]] = frozenset()
    forced_verbs_among_bots: ClassVar[frozenset[str]] = frozenset()
    answer_verbs: ClassVar[frozenset[str]] = frozenset()
    between_verbs: ClassVar[frozenset[str]] = frozenset(("ready",))
    brief_verbs: ClassVar[frozenset[str]] = frozenset()
    unseen_verbs: ClassVar[frozenset[str]] = frozenset()
    quiet_events: ClassVar[frozenset[str]] = frozenset()
    quiet_events_of_others: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, seats: int, options: Options | None = None) -> None:
        """Raises ``Refused`` for a number of seats or options this game does not have."""
        if type(seats) is not int or seats not in self.seat_counts:
            low, high = self.seat_counts.start, self.seat_counts.stop - 1
            raise refused("kernel.seats" if low < high else "kernel.seats_exactly", low=low, high=high)
        self.seats = seats
        self.option_values: dict[str, Any] = fill(self.options, options or {})
        refusal = self.check()
        if refusal is not None:
            raise Refused(refusal)

    def check(self) -> Refusal | None:
        """What is wrong with these options together, or with this number of seats; None if nothing."""
        return None

    # ---- the match ----

    @abstractmethod
    def start(self) -> S:
        """The state before anything happened; it leaves the requests that set the table up."""

    @abstractmethod
    def actors(self, state: S) -> tuple[int, ...]:
        """The seats that may act now (one, or several in a window); empty when the match is over."""

    @abstractmethod
    def verdict(self, state: S, seat: int, move: Move) -> Refusal | None:
        """Why ``seat`` may not make ``move`` now, judged on public faces, those it opens included; None if it may.

        ``move`` has one of the forms in ``verbs``; ``seat`` may be any seat. Changes nothing.
        """

    def opens(self, state: S, seat: int, move: Move) -> tuple[Card, ...]:
        """The cards that ``move`` lays open. Their faces become public before the verdict."""
        return ()

    @abstractmethod
    def apply(self, state: S, seat: int, move: Move) -> None:
        """Make a move whose verdict was None. Changes ``state`` in place; may leave requests."""

    def take_answer(self, state: S, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        """Go on after the dealer answered ``request``. ``cards``: those concerned, fresh handles after a shuffle."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the match ended, or None while it goes on. Never depends on hidden hands.

        None also while requests wait: a dealer can answer nothing after the end.
        """

    @abstractmethod
    def standings(self, state: S) -> tuple[int, ...]:
        """The scores as they stand."""

    # ---- what a seat may do ----

    @abstractmethod
    def moves(self, state: S, seat: int, faces: Faces) -> Iterator[Move]:
        """Every move that ``seat`` can make, lazily, cheap ones first; needs the faces that ``seat`` knows."""

    def random_move(self, state: S, seat: int, faces: Faces, rng: Random) -> Move:
        """A random move out of ``moves``, evenly drawn. A game with very many moves draws one in a way of its own."""
        return rng.choice(list(self.moves(state, seat, faces)))

    def default(self, state: S, seat: int) -> Move | None:
        """The move that a timer would make for a silent seat, or None where nobody times out. Opens nothing."""
        return None

    def is_brief(self, move: Move) -> bool:
        """Whether ``move`` is seen at a glance."""
        return move[0] in self.brief_verbs

    def forced_move(self, state: S, seat: int, faces: Faces, *, among_people: bool) -> Move | None:
        """The one move that ``seat`` has, where its page makes it; None where the seat chooses. ``among_people``: whether
        another seat is a person's."""
        verbs = self.forced_verbs if among_people else self.forced_verbs | self.forced_verbs_among_bots
        if not verbs:
            return None
        found = tuple(islice(self.moves(state, seat, faces), 2))
        return found[0] if len(found) == 1 and found[0][0] in verbs else None

    def forced_reason(self, state: S, seat: int, faces: Faces, move: Move) -> str:
        """Why ``move`` is all that ``seat`` can do at ``state``, where its page makes it: the key of a sentence said to that seat
        alone, so that it may tell what its ``faces`` do; "" where what happens says so itself."""
        return ""

    def idle_move(self, state: S, seat: int, faces: Faces) -> Move | None:
        """The answer of ``seat`` to an offer that is of no use to it, as its ``faces`` tell: its page gives it in a moment,
        unless the person does otherwise. None where the person is asked, or there is no offer."""
        return None

    def own_refusal(self, state: S, seat: int, move: Move, faces: Faces) -> Refusal | None:
        """What the seat's own page knows to be wrong with a move that the table would have to accept (a false claim)."""
        return None

    def busy(self, state: S) -> bool:
        """Whether nobody may act because the dealer has requests to answer. Games with a finer rule override it."""
        return bool(state.requests)

    # ---- what readers look at ----

    @abstractmethod
    def zones(self, state: S) -> dict[Zone, tuple[Card, ...]]:
        """Where every card is: each live handle in exactly one zone."""

    def sheet(self, state: S) -> list[SheetRow]:
        """The score sheet as the rulebook keeps it, oldest line first."""
        return []

    def audit(self, state: S, faces: Faces) -> list[Finding]:
        """Claims still open at ``state`` that ``faces`` contradict."""
        return []

    def deck(self) -> tuple[Face, ...]:
        """The faces in play, in any order."""
        return ()

    def remix(self, state: S) -> None:
        """Ask for the draw pile to be shuffled, in a practice match whose turn was taken back behind a draw."""

    def redeal(self, state: S) -> None:
        """Void the hand being played: a peer is gone, and its cards with it. No request waits.

        A game of one deal is broken off with the scores as they stand. A game with ``several_hands`` deals the hand anew.
        """
        state.broken_off = True

    # ---- a hand played on without somebody ----

    def playing(self, state: S) -> Sequence[int]:
        """The seats that play this hand, in order. Seats that left it, or were never in it, do not."""
        departed = state.absentees
        return [seat for seat in range(self.seats) if seat not in departed] if departed else range(self.seats)

    def next_seat(self, state: S, seat: int, step: int = 1) -> int:
        """The next seat that plays this hand, going by ``step``; ``seat`` itself need not play it."""
        seat, playing = (seat + step) % self.seats, self.playing(state)
        while seat not in playing:
            seat = (seat + step) % self.seats
        return seat

    def can_depart(self, state: S, *seats: int) -> bool:
        """Whether this hand can be played on without ``seats``, who leave together: two others must be left to play it."""
        staying = set(self.playing(state)) - set(seats)
        return self.plays_on and not state.requests and self.result(state) is None and len(staying) >= 2

    def depart(self, state: S, *seats: int) -> None:
        """Take ``seats`` out of the hand being played, which ``can_depart`` without them; may leave requests.

        Their hands leave the table unopened, their open claims fall away, what they laid stays; nobody waits for them any
        more. A hand scores them the worst of those who played it; in a game of one deal their score stands as they left.
        A seat that has left when the match ends does not win it. With the next deck every seat plays again.
        """
        state.absentees |= set(seats)
        self.play_without(state, seats)

    def play_without(self, state: S, seats: tuple[int, ...]) -> None:
        """Go on without ``seats``, who are in ``state.absentees`` by now: hands, turn, windows, claims."""

    def best(self, state: S, scores: Sequence[int]) -> tuple[int, ...]:
        """The seats that win with these scores: who has left, or gave the match up, does not."""
        here = [seat for seat in self.playing(state) if seat != state.resigner] or range(self.seats)
        most = (min if self.low_wins else max)(scores[seat] for seat in here)
        return tuple(seat for seat in here if scores[seat] == most)

    # ---- ends that no rulebook knows ----

    def broken_off_outcome(self, state: S) -> Outcome:
        """The outcome of a match that was broken off: scores as they stand."""
        scores = self.standings(state)
        return Outcome(scores, self.best(state, scores), "kernel.broken_off", self.low_wins, unfinished=True)

    def resignation_outcome(self, state: S, seat: int) -> Outcome:
        """The outcome when ``seat`` gave the match up: scores as they stand, the best of the others win."""
        scores = self.standings(state)
        return Outcome(scores, self.best(state, scores), "kernel.resigned", self.low_wins, unfinished=True)

    @classmethod
    def can_share(cls, options: Mapping[str, Any]) -> bool:
        """Whether several people can play it at one device; not where who is first matters."""
        return True

    # ---- what the kernel and bots call ----

    def to_act(self, state: S) -> tuple[int, ...]:
        """``actors``, and nobody while the dealer is busy or after a resignation."""
        if state.resigner is not None or state.broken_off or self.busy(state):
            return ()
        return self.actors(state)

    def result(self, state: S) -> Outcome | None:
        """``outcome``, resignations included."""
        if state.resigner is not None:
            return self.resignation_outcome(state, state.resigner)
        if state.broken_off:
            return self.broken_off_outcome(state)
        return self.outcome(state)

    def judge(self, state: S, seat: int, move: Move) -> Refusal | None:
        """``verdict`` with what holds in every game: the match goes on and it is for this seat to act."""
        if seat in self.to_act(state):  # so the match goes on
            return self.verdict(state, seat, move)
        if self.result(state) is not None:
            return Refusal("kernel.over")
        if seat not in range(self.seats):
            return Refusal("kernel.no_seat", {"seat": seat})
        return Refusal("kernel.dealing" if self.busy(state) else "kernel.not_your_turn", {"seat": seat})

    def openings(self, state: S, seat: int, move: Move, faces: Mapping[Card, Face]) -> dict[Card, Face]:
        """The openings that ``move`` needs, from what its author knows (``HIDDEN`` where it knows nothing)."""
        cards, public = self.opens(state, seat, move), state.public
        return {card: faces[card] for card in cards if card not in public} if cards else {}

    def make(self, state: S, seat: int, move: Move, faces: Mapping[Card, Face]) -> Refusal | None:
        """Open, judge and apply ``move`` in place, for rollouts and tests; a refused one leaves ``state`` as it was."""
        opened = self.openings(state, seat, move, faces)
        if opened:
            for face in opened.values():
                if face is HIDDEN:
                    return Refusal("kernel.unknown_card")
            state.public.update(opened)
        acts = seat in self.to_act(state)
        refusal = self.verdict(state, seat, move) if acts else self.judge(state, seat, move)
        if refusal is None:
            self.apply(state, seat, move)
        else:
            for card in opened:
                del state.public[card]
        return refusal
