"""The rules of Teeth Time: which moves there are, who may make them when, and the match around the hands.

It says who acts and which moves belong to the moment. ``turn`` (drawing, window), ``plays`` (the field), ``penalties`` and
``scoring`` do the rest. It judges on open faces only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

from tabletin.games.teeth_time import penalties, plays, scoring, turn
from tabletin.games.teeth_time.cards import OWN_PLAYS, PENALTIES, PREVENTION, RANK, RANKS, SHORTEST, deck
from tabletin.games.teeth_time.contracts import EIGHT, MOST_GROUPS, TIE_BREAK, parse, spell, too_few_decks
from tabletin.games.teeth_time.discard_use import DiscardUse, use_of_discard
from tabletin.games.teeth_time.groups import RUN, SET, Contract
from tabletin.games.teeth_time.melds import extra_groups, extra_pieces, hits, lay_out, sorted_hand, swaps, ways
from tabletin.games.teeth_time.state import (
    COUNTER,
    NOBODY,
    OPENING,
    OVER,
    PLAY,
    REPLY,
    SCORED,
    WINDOW,
    TeethTimeState,
)
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Choice, Listing, Number, Refusal, Refused
from tabletin.kernel.requests import Open, Request, Result, Roll, Show, Shuffle
from tabletin.kernel.rules import Outcome, Rules, SheetRow, Zone
from tabletin.kernel.schema import CARD, Int, Move, OneOf, Seq, Tup

RANK_WORD: Final = OneOf(RANKS)  # of a set; in a run the place that a card takes, or its first card's
KIND_WORD: Final = OneOf((SET, RUN))
GROUP_CARDS: Final = Seq(CARD, max_length=40, min_length=SHORTEST)
GROUP_NUMBER: Final = Int(0, 9999)
SEAT: Final = Int(0, 9)

DRAWER_VERBS: Final = ("take", "leave")
PULL_VERBS: Final = ("call", "decline")
PLAY_VERBS: Final = ("down", "group", "hit", "swap", "play", "penalty", "discard")
REPLY_VERBS: Final = ("whammy", "accept")
PHASE_VERBS: Final = {WINDOW: DRAWER_VERBS + PULL_VERBS, PLAY: PLAY_VERBS, REPLY: REPLY_VERBS, COUNTER: REPLY_VERBS,
                      SCORED: ("deal",)}
WRONG_MOMENT: Final = {WINDOW: "window_first", PLAY: "already_drawn", REPLY: "answer_first", COUNTER: "answer_first",
                       SCORED: "deal_first"}
RULE_OF_MOMENT: Final = {WINDOW: "TT-4", PLAY: "TT-1", REPLY: "TT-11", COUNTER: "TT-11", SCORED: "TT-15"}
DRAWER_MOVES: Final[tuple[Move, ...]] = (("take",), ("leave",))
PULL_MOVES: Final[tuple[Move, ...]] = (("call",), ("decline",))
RANDOM_WAYS: Final = 40  # of going down, among which a random move chooses


class TeethTime(Rules[TeethTimeState]):
    """Teeth Time for 2–10 seats: a match of hands, lowest total wins."""

    id = "teeth-time"
    seat_counts = range(2, 11)
    low_wins = True
    plays_on = True
    several_hands = True
    answer_verbs = frozenset(PULL_VERBS + REPLY_VERBS)
    between_verbs = frozenset(("deal",))
    quiet_events = frozenset(("teeth_time.log.left",))
    forced_verbs_among_bots = frozenset(("accept",))  # who holds a Prevention may take it, too: haste would tell who has none
    options = (
        Choice("level", (plays.BEGINNER, "intermediate", plays.ADVANCED), "intermediate"),
        Choice("contracts", ("eight", "one", "custom"), "eight"),
        Choice("one", (1, 2, 3, 4, 5, 6, 7, 8), 1, advanced=True),
        Listing("custom", tuple(map(spell, EIGHT)), max_length=40, min_length=1, words=(SET, RUN)),
        Number("hands", 1, 40, None, off=True),
        Number("limit", 10, 5000, None, off=True, step=10),
        Choice("decks", ("auto", 1, 2), "auto", advanced=True),
    )
    verbs = {
        "deal": (),
        "take": (), "leave": (), "call": (), "decline": (),
        "down": (Seq(Tup((KIND_WORD, RANK_WORD, GROUP_CARDS)), max_length=MOST_GROUPS, min_length=1),),
        "group": (KIND_WORD, RANK_WORD, GROUP_CARDS),
        "hit": (GROUP_NUMBER, RANK_WORD, CARD),
        "swap": (GROUP_NUMBER, RANK_WORD, CARD),
        "play": (CARD,), "penalty": (CARD, SEAT), "discard": (CARD,),
        "whammy": (CARD,), "accept": (),
    }

    def check(self) -> Refusal | None:
        """Contracts, number of hands and decks from the options (TT-16)."""
        chosen = self.option_values
        self.skill: str = chosen["level"]
        self.one_colour = self.skill == plays.ADVANCED
        self.decks = chosen["decks"] if chosen["decks"] != "auto" else 2 if self.seats >= 7 else 1
        try:
            custom = tuple(parse(text) for text in chosen["custom"])
        except Refused as wrong:
            return wrong.refusal
        self.contracts: tuple[Contract, ...] = {
            "eight": EIGHT, "one": (EIGHT[chosen["one"] - 1],) * len(EIGHT), "custom": custom}[chosen["contracts"]]
        self.hands: int = chosen["hands"] or len(self.contracts)
        self.all_faces = deck(self.decks)
        return too_few_decks(self.seats, self.decks)

    def deck(self) -> tuple[Face, ...]:
        return self.all_faces

    # ---- setting up ----

    def start(self) -> TeethTimeState:
        state = TeethTimeState(self.seats)
        state.contract = self.contracts[0]
        state.new_deck(self.all_faces)
        state.ask(Roll(self.seats, "dealer"))
        return state

    def take_answer(self, state: TeethTimeState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Show):
            turn.take_shown_cards(state, request)
        elif isinstance(request, Shuffle):
            if request.purpose == turn.DISCARDS:
                turn.take_reshuffle(state, cards)
            else:
                state.pile = cards
                if request.faces and state.dealer != NOBODY:
                    turn.deal_hand(state)
        elif isinstance(request, Roll):
            assert isinstance(result, int)
            state.dealer = result - 1
            state.say("teeth_time.log.dealer", state.dealer)
            turn.deal_hand(state)
        elif isinstance(request, Open):
            self._score(state)

    def remix(self, state: TeethTimeState) -> None:
        if state.pile:
            state.ask(Shuffle(cards=state.pile, purpose="remix"))

    def redeal(self, state: TeethTimeState) -> None:
        """A void hand is dealt again by the same dealer; one already scored stands, and the next dealer deals."""
        if state.phase in (SCORED, OVER):
            return
        state.clear_table(self.seats)
        state.new_deck(self.all_faces)
        if state.dealer == NOBODY:
            state.ask(Roll(self.seats, "dealer"))
        else:
            state.say("teeth_time.log.void")

    def _deal(self, state: TeethTimeState) -> None:
        """The next hand, by the seat to the left of the last dealer; a tie-break hand by the next of the tied (TT-15)."""
        state.dealer = state.next_dealer()
        state.hand_no += 1
        state.clear_table(self.seats)
        state.contract = TIE_BREAK if state.tie_break else self.contracts[state.hand_no % len(self.contracts)]
        state.new_deck(self.all_faces)

    def _score_if_open(self, state: TeethTimeState) -> None:
        if state.phase == OPENING and not state.requests:  # every hand lies open already
            self._score(state)

    def _score(self, state: TeethTimeState) -> None:
        scoring.score_hand(state, self.hands, self.option_values["limit"])

    # ---- who acts ----

    def playing(self, state: TeethTimeState) -> tuple[int, ...]:
        return state.playing

    def play_without(self, state: TeethTimeState, seats: tuple[int, ...]) -> None:
        """What lies in front of them stays and may be hit, taken and collected; no penalty is carried out there (TT-4)."""
        state.playing = tuple(seat for seat in state.playing if seat not in seats)
        state.penalties = tuple(p._replace(live=False) if p.seat in seats else p for p in state.penalties)
        for seat in seats:
            state.hands[seat] = ()
        turn.play_without(state, seats)
        self._score_if_open(state)

    def actors(self, state: TeethTimeState) -> tuple[int, ...]:
        phase = state.phase
        if phase == PLAY or phase == COUNTER:
            return (state.turn,)
        if phase == WINDOW:
            return state.callers if state.left else (state.turn, *state.callers)
        if phase == REPLY:
            return (state.reply[1],)
        if phase == SCORED:
            return (state.next_dealer(),)
        return ()

    def default(self, state: TeethTimeState, seat: int) -> Move | None:
        """Leave, decline, no whammy, deal; a whole turn has no default: a discard would open a card."""
        if state.phase == WINDOW:
            return ("leave",) if seat == state.turn else ("decline",)
        if state.phase in (REPLY, COUNTER):
            return ("accept",)
        return ("deal",) if state.phase == SCORED else None

    # ---- judging ----

    def opens(self, state: TeethTimeState, seat: int, move: Move) -> tuple[Card, ...]:
        verb = move[0]
        if verb in ("discard", "play", "penalty", "whammy"):
            return (move[1],)
        if verb in ("hit", "swap"):
            return (move[3],)
        if verb == "down":
            return tuple(card for group in move[1] for card in group[2])
        return tuple(move[3]) if verb == "group" else ()

    def verdict(self, state: TeethTimeState, seat: int, move: Move) -> Refusal | None:
        verb, phase = move[0], state.phase
        if verb not in PHASE_VERBS.get(phase, ()):
            too_soon = phase == WINDOW and seat == state.turn and verb in PLAY_VERBS
            key = "draw_first" if too_soon else WRONG_MOMENT.get(phase, "not_now")
            return Refusal(f"teeth_time.refuse.{key}", rule=RULE_OF_MOMENT.get(phase, ""))
        if verb == "discard":
            return None if move[1] in state.hands[seat] else Refusal("kernel.not_yours")
        if phase == WINDOW:
            if (verb in DRAWER_VERBS) != (seat == state.turn):
                key = "drawer_takes" if seat == state.turn else "not_the_drawer"
                return Refusal(f"teeth_time.refuse.{key}", rule="TT-4")
            return None
        if verb == "whammy":
            if move[1] not in state.hands[seat]:
                return Refusal("kernel.not_yours")
            return None if state.public[move[1]] == PREVENTION else Refusal("teeth_time.refuse.no_prevention", rule="TT-11")
        if phase != PLAY:
            return None
        if verb == "down":
            return plays.down_refusal(state, seat, move[1], self.skill)
        if verb == "group":
            return plays.group_refusal(state, seat, (move[1], move[2], move[3]), self.skill)
        if verb == "play":
            return plays.own_play_refusal(state, seat, move[1])
        if verb == "penalty":
            return plays.penalty_refusal(state, seat, move[1], move[2])
        return plays.on_group_refusal(state, seat, verb, move[1], move[2], move[3], self.skill)

    def apply(self, state: TeethTimeState, seat: int, move: Move) -> None:
        match move:
            case ("discard", card):
                plays.discard(state, seat, card)
            case ("take",):
                turn.take(state, seat)
            case ("leave",):
                turn.leave(state, seat)
            case ("call",):
                turn.call(state, seat)
            case ("decline",):
                turn.decline(state, seat)
            case ("hit", number, rank, card):
                plays.hit(state, seat, number, rank, card)
            case ("swap", number, rank, card):
                plays.take_wild(state, seat, number, rank, card)
            case ("down", groups):
                plays.go_down(state, seat, groups, self.skill)
            case ("group", kind, rank, cards):
                plays.lay_group(state, seat, (kind, rank, cards), self.skill)
            case ("play", card):
                penalties.play_own(state, seat, card)
            case ("penalty", card, target):
                penalties.play_penalty(state, seat, card, target)
            case ("whammy", card):
                penalties.whammy(state, seat, card)
            case ("accept",):
                penalties.accept(state, seat)
            case ("deal",):
                self._deal(state)
        self._score_if_open(state)

    # ---- what a seat may do ----

    def moves(self, state: TeethTimeState, seat: int, faces: Faces) -> Iterator[Move]:
        """Every move, cards of a kind taken as one where groups are laid; a group in its shortest form (see ``melds``)."""
        phase = state.phase
        if phase == WINDOW:
            yield from DRAWER_MOVES if seat == state.turn else PULL_MOVES
        elif phase == PLAY:
            yield from self._plays(state, seat, faces)
        elif phase in (REPLY, COUNTER):
            yield ("accept",)
            yield from (("whammy", card) for card in state.hands[seat] if faces[card] == PREVENTION)
        elif phase == SCORED:
            yield ("deal",)

    def _plays(self, state: TeethTimeState, seat: int, faces: Faces) -> Iterator[Move]:
        hand = state.hands[seat]
        for card in hand:
            yield ("discard", card)
        for card in hand:
            face = faces[card]
            if face in OWN_PLAYS:
                yield ("play", card)
            elif face in PENALTIES:
                yield from (("penalty", card, target) for target in penalties.penalty_targets(state, seat))
        if state.has_melded(seat):
            yield from (("hit", *hit) for hit in hits(hand, faces, state.groups))
            if self.skill != plays.BEGINNER:
                yield from (("swap", *swap) for swap in swaps(hand, faces, state.groups))
            yield from (("group", *group) for group in extra_groups(sorted_hand(hand, faces, one_colour=self.one_colour)))
        else:
            holding = sorted_hand(hand, faces, one_colour=self.one_colour)
            yield from (("down", lay_out(holding, way)) for way in ways(holding, state.contract))

    def random_move(self, state: TeethTimeState, seat: int, faces: Faces, rng: Random) -> Move:
        """A random legal move without listing them all; whatever ``moves`` gives can come of it.

        A seat that can go down does so every other time; else a random card is laid somewhere or discarded.
        """
        if state.phase == WINDOW:
            moves = DRAWER_MOVES if seat == state.turn else PULL_MOVES
            return moves[rng.random() < 0.5]
        if state.phase != PLAY:
            return rng.choice(list(self.moves(state, seat, faces)))
        hand = state.hands[seat]
        card = hand[int(rng.random() * len(hand))]
        if rng.random() < 0.5:
            face = faces[card]
            if face in OWN_PLAYS:
                return ("play", card)
            if face in PENALTIES:
                targets = penalties.penalty_targets(state, seat)
                if targets:
                    return ("penalty", card, rng.choice(targets))
            else:
                found = self._random_lay(state, seat, card, faces, rng)
                if found is not None:
                    return found
        return ("discard", card)

    def _random_lay(self, state: TeethTimeState, seat: int, card: Card, faces: Faces, rng: Random) -> Move | None:
        """A random way to lay ``card`` or, if there is none, a random group; None if there is none either."""
        hand = state.hands[seat]
        if not state.has_melded(seat):
            holding = sorted_hand(hand, faces, one_colour=self.one_colour)
            some = list(islice(ways(holding, state.contract), RANDOM_WAYS))
            return ("down", lay_out(holding, rng.choice(some))) if some else None
        places: list[Move] = [("hit", *hit) for hit in hits((card,), faces, state.groups)]
        if self.skill != plays.BEGINNER and faces[card] in RANK:
            places += [("swap", *swap) for swap in swaps((card,), faces, state.groups)]
        if places and rng.random() < 0.8:
            return rng.choice(places)
        if len(hand) < SHORTEST:
            return None
        holding = sorted_hand(hand, faces, one_colour=self.one_colour)
        more = extra_pieces(holding)
        return ("group", *lay_out(holding, (rng.choice(more),))[0]) if more else None

    def forced_move(self, state: TeethTimeState, seat: int, faces: Faces, *, among_people: bool) -> Move | None:
        """Among people a penalty is taken by hand, unless all of them see that ``seat`` has nothing to turn it back (TT-11)."""
        return super().forced_move(state, seat, faces, among_people=among_people and self._may_prevent(state, seat))

    def forced_reason(self, state: TeethTimeState, seat: int, faces: Faces, move: Move) -> str:
        """A penalty taken without a Prevention in hand (TT-11)."""
        return "teeth_time.forced.accept"

    def idle_move(self, state: TeethTimeState, seat: int, faces: Faces) -> Move | None:
        """A discard that helps ``seat`` in nothing is let go (TT-4)."""
        if state.phase != WINDOW or seat == state.turn or self.use_of_discard(state, seat, faces) is not None:
            return None
        return ("decline",)

    def use_of_discard(self, state: TeethTimeState, seat: int, faces: Faces) -> DiscardUse | None:
        """What the top of the discard pile would be good for in the hand of ``seat``; None for nothing."""
        return use_of_discard(state, seat, faces, one_colour=self.one_colour, takes_wilds=self.skill != plays.BEGINNER)

    def _may_prevent(self, state: TeethTimeState, seat: int) -> bool:
        """Whether ``seat`` may hold a Prevention, for all that everybody knows."""
        public, hand = state.public, state.hands[seat]
        shown = sum(face == PREVENTION for card, face in public.items() if card not in hand)
        return shown < self.all_faces.count(PREVENTION) and not public.knows(hand)

    # ---- what readers look at ----

    def standings(self, state: TeethTimeState) -> tuple[int, ...]:
        return state.totals

    def outcome(self, state: TeethTimeState) -> Outcome | None:
        """The lowest total wins; of equal ones the most stars, then the tie-break hand (TT-15)."""
        if state.phase != OVER:
            return None
        return Outcome(state.totals, state.winners, state.end_reason, low_wins=True)

    def sheet(self, state: TeethTimeState) -> list[SheetRow]:
        return scoring.sheet(state)

    def zones(self, state: TeethTimeState) -> dict[Zone, tuple[Card, ...]]:
        found: dict[Zone, tuple[Card, ...]] = {"pile": state.pile, "discards": state.discards, "dead": state.dead}
        for seat, hand in enumerate(state.hands):
            name = str(seat)
            found["hand", name] = hand
            found["penalties", name] = tuple(penalty.card for penalty in state.penalties if penalty.seat == seat)
            found["fairy", name] = state.fairies[seat]
            found["dentist", name] = state.dentists[seat]
            found["prevention", name] = state.preventions[seat]
        for number, group in state.groups.items():
            found["group", str(number)] = group.cards_held
        return found
