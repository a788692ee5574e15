"""What the three domino games share: dealing, asking for the lead, turns, claims, counting, rounds up to a target.

A game adds how a domino fits, what it opens, and when a seat may draw or pass. This module judges public faces only. A claim
about closed dominoes (DO-10) is noted with the hand it was made on, and checked when the round is counted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Final

from tabletin.games.dominoes.scoring import every_difference, score
from tabletin.games.dominoes.state import (
    COUNTED,
    COUNTING,
    DEALING,
    LEADING,
    OVER,
    PLAYING,
    Claim,
    DominoState,
    HandCount,
)
from tabletin.games.dominoes.table import LEAD, LaidTile
from tabletin.games.dominoes.tiles import HALVES, doubles, key_about, pips, tile_set, words_of
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.requests import Open, Request, Result, Show, Shuffle
from tabletin.kernel.rules import Finding, Outcome, Rules, SheetRow, Zone
from tabletin.kernel.schema import CARD, Int, Move

PLACE: Final = Int(0, 4 * 91 - 1)
ASKING: Final = {"lead": (CARD,), "none": (), "ready": ()}  # verbs outside a turn, the same in every game


class DominoRules(Rules[DominoState]):
    """Base of Dominoes, Matador and Tiddle-A-Wink. ``most_seats``: how many each set is for."""

    plays_on = True
    several_hands = True
    brief_verbs = frozenset(("none", "draw"))
    forced_verbs = frozenset(("none", "draw", "pass"))  # each says that the seat can do nothing else (DO-1, DO-3, DO-8)
    most_seats: ClassVar[Mapping[int, int]]
    table_rule: ClassVar[str] = "DO-2"  # the ruling on what may be laid where

    # ---- what a game says of itself ----

    @property
    @abstractmethod
    def hand_size(self) -> int:
        """How many dominoes each seat is dealt."""

    def leads(self) -> tuple[Face, ...]:
        """The dominoes asked for as a lead, in order (DO-1)."""
        return doubles(self.option_values["set"])

    @abstractmethod
    def lays(self, state: DominoState, card: Card, face: Face) -> list[Move]:
        """Every way to lay ``card``, which shows ``face``."""

    @abstractmethod
    def halves(self, state: DominoState, move: Move) -> tuple[int, int] | None:
        """The inner and outer half of a "lay" with its domino face up on an open place; None if it does not fit."""

    @abstractmethod
    def new_places(self, tile: int, laid: LaidTile) -> dict[int, int]:
        """The places that the ``tile``-th domino on the table opens, with their numbers."""

    @abstractmethod
    def had_to_play(self, verb: str, face: Face, ends: tuple[int, ...]) -> bool:
        """Whether a seat that holds ``face`` may not "draw" or "pass" (``verb``) with ``ends`` open."""

    @abstractmethod
    def wait_refusal(self, state: DominoState, verb: str) -> Refusal | None:
        """Why no seat may "draw" or "pass" (``verb``) now, with any hand."""

    def turn_moves(self, state: DominoState, hand: tuple[Card, ...], faces: Mapping[Card, Face]) -> list[Move]:
        """What the seat to move, holding ``hand``, can do honestly."""
        found = [move for card in hand for move in self.lays(state, card, faces[card])]
        return found or [("draw",) if self.wait_refusal(state, "draw") is None else ("pass",)]

    def lay_words(self, state: DominoState, seat: int, laid: LaidTile) -> str:
        """The key of what is told as ``seat`` lays ``laid``: that it goes on, too."""
        game = "tiddle-a-wink" if self.keeps_turn(laid) and len(state.hands[seat]) > 1 else "dominoes"
        return f"{game}.log.{'led' if laid.place == LEAD else 'laid'}"

    def keeps_turn(self, laid: LaidTile) -> bool:
        """Whether the seat that laid ``laid`` plays again."""
        return False

    def balance(self, own: int, others: list[int]) -> int:
        """What the winner of a blocked round scores, holding ``own`` pips (DO-4)."""
        return every_difference(own, others)

    # ---- setting up ----

    def check(self) -> Refusal | None:
        highest = self.option_values["set"]
        self.questions = self.leads()
        if self.seats > self.most_seats[highest]:
            return Refusal("dominoes.refuse.set_too_small", {"set": highest, "most": self.most_seats[highest]}, "DO-3")
        return None

    def deck(self) -> tuple[Face, ...]:
        return tile_set(self.option_values["set"])

    def start(self) -> DominoState:
        state = DominoState(self.seats)
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: DominoState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        if isinstance(request, Show):
            state.say(f"dominoes.log.{request.purpose}", request.reader, cards=cards, to=request.reader, n=len(cards))
        elif isinstance(request, Open):
            self._write_down(state)
        elif isinstance(request, Shuffle):
            state.pile = cards
            if request.purpose == "deck":
                self._deal(state)

    def _deal(self, state: DominoState) -> None:
        size, hands, pile = self.hand_size, list(state.hands), state.pile
        for step in range(self.seats):
            seat = (state.dealer + 1 + step) % self.seats
            hands[seat], pile = pile[:size], pile[size:]
            state.ask(Show(hands[seat], seat, "dealt"))
        state.hands, state.pile = tuple(hands), pile
        state.say("dominoes.log.round", n=state.round)
        state.phase = LEADING
        self._ask_for_lead(state, 0)

    def _ask_for_lead(self, state: DominoState, asked: int) -> None:
        """Ask for the next domino that may lead. When nobody has any, open all hands and check the answers (DO-1)."""
        state.question = asked
        if asked == len(self.questions):
            state.say("dominoes.log.no_lead")
            self._count(state)
        else:
            state.waiting = tuple(self.playing(state))

    def _next_round(self, state: DominoState) -> None:
        counted = state.last_count
        if counted is not None and counted.ending != "remix":
            state.round += 1
            state.dealer = (state.dealer + 1) % self.seats
        self._deal_anew(state)

    def _deal_anew(self, state: DominoState) -> None:
        state.phase = DEALING
        state.hands = ((),) * self.seats
        state.pile, state.tiles, state.open, state.first_out, state.passes = (), (), {}, None, 0
        state.new_deck(self.deck())

    def redeal(self, state: DominoState) -> None:
        """A void round is dealt again; one already written down stands and the next is dealt."""
        state.turn, state.waiting, state.claims = -1, (), ()
        if state.phase == COUNTED:
            self._next_round(state)
        elif state.phase != OVER:
            self._deal_anew(state)

    def remix(self, state: DominoState) -> None:
        if state.pile:
            state.ask(Shuffle(state.pile, purpose="pile"))

    # ---- judging ----

    def actors(self, state: DominoState) -> tuple[int, ...]:
        return (state.turn,) if state.phase == PLAYING else state.waiting

    def opens(self, state: DominoState, seat: int, move: Move) -> tuple[Card, ...]:
        return (move[1],) if move[0] == "lay" or move[0] == "lead" else ()

    def verdict(self, state: DominoState, seat: int, move: Move) -> Refusal | None:
        verb, phase = move[0], state.phase
        if phase == PLAYING:
            if verb == "lay":
                return self._lay_refusal(state, seat, move)
            if verb in ("draw", "pass"):
                return self.wait_refusal(state, verb)
            return Refusal("dominoes.refuse.while_playing")
        if phase == LEADING:
            asked = self.questions[state.question]
            if verb == "lead":
                if move[1] not in state.hands[seat]:
                    return Refusal("kernel.not_yours")
                if state.public[move[1]] == asked:
                    return None
                return Refusal(key_about("dominoes.refuse.not_asked", asked), words_of(asked), "DO-1")
            return None if verb == "none" else Refusal(key_about("dominoes.refuse.while_leading", asked), words_of(asked), "DO-1")
        return None if verb == "ready" else Refusal("dominoes.refuse.while_counted")

    def _lay_refusal(self, state: DominoState, seat: int, move: Move) -> Refusal | None:
        card, place = move[1], move[2]
        if card not in state.hands[seat]:
            return Refusal("kernel.not_yours")
        if place not in state.open:
            return Refusal("dominoes.refuse.not_open", rule=self.table_rule)
        face = state.public[card]
        if face not in HALVES:
            return Refusal("dominoes.refuse.no_domino")
        return None if self.halves(state, move) is not None else self.misfit(state, face, place)

    def misfit(self, state: DominoState, face: Face, place: int) -> Refusal:
        """The reason to give when ``face`` does not fit ``place``."""
        words = {**words_of(face), "number": state.open[place]}
        return Refusal(key_about("dominoes.refuse.no_match", face), words, self.table_rule)

    def fits_nowhere(self, face: Face) -> Refusal:
        """The reason to give when ``face`` fits no open place at all."""
        return Refusal(key_about("dominoes.board.fits_nowhere", face), words_of(face), self.table_rule)

    # ---- playing ----

    def forced_reason(self, state: DominoState, seat: int, faces: Faces, move: Move) -> str:
        """A draw or a pass: nothing in hand fits an open end (DO-3, DO-7). "I don't have it" says itself why."""
        return f"dominoes.forced.{move[0]}" if move[0] in ("draw", "pass") else ""

    def apply(self, state: DominoState, seat: int, move: Move) -> None:
        verb = move[0]
        if verb == "lay":
            halves = self.halves(state, move)
            assert halves is not None
            laid = LaidTile(move[1], move[2], *halves)
            state.say(self.lay_words(state, seat, laid), seat, cards=(move[1],), number=state.open.pop(move[2]))
            self._lay(state, seat, laid)
        elif verb == "draw":
            self._claim(state, seat, verb)
            card, state.pile = state.pile[:1], state.pile[1:]
            self._hold(state, seat, state.hands[seat] + card)
            state.ask(Show(card, seat, "drawn"))
            state.say("dominoes.log.drew", seat, n=len(state.pile))
        elif verb == "pass":
            self._claim(state, seat, verb)
            state.say(f"{self.id}.log.passed", seat)
            self._pass_turn(state, seat)
        elif verb == "none":
            asked = self.questions[state.question]
            state.claims += (Claim(seat, verb, state.hands[seat], (), asked),)
            state.say(key_about("dominoes.log.none", asked), seat, **words_of(asked))
            self._answer(state, seat)
        elif verb == "lead":
            state.waiting, state.phase = (), PLAYING
            high, low = HALVES[state.public[move[1]]]
            laid = LaidTile(move[1], LEAD, low, high)
            state.say(self.lay_words(state, seat, laid), seat, cards=(move[1],))
            self._lay(state, seat, laid)
        else:
            self._answer(state, seat)

    def _answer(self, state: DominoState, seat: int) -> None:
        """``seat`` has answered in a window; when the last one has, go on."""
        state.waiting = tuple(other for other in state.waiting if other != seat)
        if not state.waiting:
            if state.phase == LEADING:
                self._ask_for_lead(state, state.question + 1)
            else:
                self._next_round(state)

    def _hold(self, state: DominoState, seat: int, cards: tuple[Card, ...]) -> None:
        hands = state.hands
        state.hands = (*hands[:seat], cards, *hands[seat + 1:])

    def _claim(self, state: DominoState, seat: int, verb: str) -> None:
        state.claims += (Claim(seat, verb, state.hands[seat], tuple(sorted({*state.open.values()}))),)

    def _lay(self, state: DominoState, seat: int, laid: LaidTile) -> None:
        hand = state.hands[seat]
        where = hand.index(laid.card)
        self._hold(state, seat, hand[:where] + hand[where + 1:])
        state.open.update(self.new_places(len(state.tiles), laid))
        state.tiles += (laid,)
        state.passes = 0
        if not state.hands[seat]:
            state.first_out = seat
            state.say(f"{self.id}.log.out", seat)
            self._count(state)
        elif self.keeps_turn(laid):
            state.turn = seat
            state.say("tiddle-a-wink.log.again", seat)
        else:
            state.turn = self.next_seat(state, seat)

    def _pass_turn(self, state: DominoState, seat: int) -> None:
        """Blocked once every seat in turn has passed since the last domino was laid (DO-4)."""
        state.passes += 1
        self._pass_on(state, seat)

    def _pass_on(self, state: DominoState, seat: int) -> None:
        """The turn of ``seat``, which laid nothing, is over."""
        if state.passes == len(self.playing(state)):
            state.say("dominoes.log.blocked")
            self._count(state)
        else:
            state.turn = self.next_seat(state, seat)

    def play_without(self, state: DominoState, seats: tuple[int, ...]) -> None:
        """Nobody looks at their claims; a pass of theirs counts no longer towards a block (DO-4)."""
        state.passes -= sum(claim.seat in seats for claim in state.claims[len(state.claims) - state.passes:])
        state.claims = tuple(claim for claim in state.claims if claim.seat not in seats)
        for seat in seats:
            self._hold(state, seat, ())
        if state.turn in seats:
            self._pass_on(state, state.turn)
        for seat in seats:
            if seat in state.waiting:
                self._answer(state, seat)

    # ---- counting ----

    def _count(self, state: DominoState) -> None:
        state.phase, state.turn = COUNTING, -1
        closed = tuple(card for hand in state.hands for card in hand if card not in state.public)
        if closed:
            state.ask(Open(closed))
        else:  # all was seen before a move was taken back
            self._write_down(state)

    def _write_down(self, state: DominoState) -> None:
        """Check the round's claims, score it, and end the match or ask who is ready for the next (DO-4, DO-5, DO-10)."""
        left = tuple(pips(state.public[card] for card in hand) for hand in state.hands)
        found = self.false_claims(state, state.public)
        liars = tuple(sorted({claim.seat for claim, _ in found}))
        how = "remix" if not state.tiles else "blocked" if state.first_out is None else "out"
        winner, points = score(left, state.first_out, liars, self.balance, state.absentees)
        if how == "remix":  # nothing was won: only who answered wrongly loses
            winner, points = None, tuple(min(own, 0) for own in points)
        state.claims = ()
        state.last_count = HandCount(how, winner, left, points, liars)
        state.totals = tuple(total + own for total, own in zip(state.totals, points, strict=True))
        if how != "remix" or liars:
            state.sheet += (state.last_count,)
        self._tell(state, state.last_count, found)
        if winner is not None and state.totals[winner] >= self.option_values["target"]:
            state.phase = OVER
        else:
            state.phase, state.waiting = COUNTED, tuple(self.playing(state))

    def _tell(self, state: DominoState, counted: HandCount, found: list[tuple[Claim, Card]]) -> None:
        for seat in counted.liars:
            claim, card = next(item for item in found if item[0].seat == seat)
            state.say(f"dominoes.caught.{claim.verb}", seat, cards=(card,), n=-counted.points[seat])
        if counted.winner is not None:
            state.say("dominoes.log.won", counted.winner, n=counted.points[counted.winner])
        else:
            state.say("dominoes.log.remix" if counted.ending == "remix" else "dominoes.log.nobody")

    def false_claims(self, state: DominoState, faces: Faces) -> list[tuple[Claim, Card]]:
        """The claims of this round that ``faces`` contradict, each with the domino that does (DO-10)."""
        found = []
        for claim in state.claims:
            for card in claim.hand:
                if card in faces and self.contradicts(claim, faces[card]):
                    found.append((claim, card))
                    break
        return found

    def contradicts(self, claim: Claim, face: Face) -> bool:
        return face == claim.tile if claim.verb == "none" else self.had_to_play(claim.verb, face, claim.ends)

    def audit(self, state: DominoState, faces: Faces) -> list[Finding]:
        return [Finding(claim.seat, key_about(f"dominoes.audit.{claim.verb}", faces[card]), words_of(faces[card]))
                for claim, card in self.false_claims(state, faces)]

    def outcome(self, state: DominoState) -> Outcome | None:
        if state.phase != OVER:
            return None
        winners = self.best(state, state.totals)
        return Outcome(state.totals, winners, "dominoes.ended.target",
                       params={"seat": winners[0], "points": self.option_values["target"]})

    def standings(self, state: DominoState) -> tuple[int, ...]:
        return state.totals

    # ---- what a seat may do ----

    def moves(self, state: DominoState, seat: int, faces: Faces) -> Iterator[Move]:
        yield from self._choices(state, seat, faces)

    def random_move(self, state: DominoState, seat: int, faces: Faces, rng: Random) -> Move:
        return rng.choice(self._choices(state, seat, faces))

    def _choices(self, state: DominoState, seat: int, faces: Faces) -> list[Move]:
        if seat not in self.actors(state):
            return []
        hand = state.hands[seat]
        if state.phase == PLAYING:
            return self.turn_moves(state, hand, faces)
        if state.phase == LEADING:
            asked = self.questions[state.question]
            return [("lead", card) for card in hand if faces[card] == asked] or [("none",)]
        return [("ready",)]

    def own_refusal(self, state: DominoState, seat: int, move: Move, faces: Faces) -> Refusal | None:
        """A claim that the seat's own hand contradicts: the table would have to believe it (DO-10)."""
        verb = move[0]
        if seat not in self.actors(state):
            return None
        if verb == "none" and state.phase == LEADING:
            asked = self.questions[state.question]
            if any(faces[card] == asked for card in state.hands[seat]):
                return Refusal(key_about("dominoes.refuse.holds_asked", asked), words_of(asked), "DO-1")
        if verb in ("draw", "pass") and state.phase == PLAYING and self.wait_refusal(state, verb) is None:
            ends = tuple(state.open.values())
            for card in state.hands[seat]:
                if self.had_to_play(verb, faces[card], ends):
                    return Refusal(key_about("dominoes.refuse.must_play", faces[card]), words_of(faces[card]), "DO-10")
        return None

    def default(self, state: DominoState, seat: int) -> Move | None:
        """Only "ready": any other word of a silent seat might be a false one."""
        return ("ready",) if state.phase == COUNTED else None

    # ---- what readers look at ----

    def zones(self, state: DominoState) -> dict[Zone, tuple[Card, ...]]:
        return {"pile": state.pile, "table": tuple(laid.card for laid in state.tiles),
                **{("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}}

    def sheet(self, state: DominoState) -> list[SheetRow]:
        """A line a round: what its winner scored and what a seat found out lost; then the totals."""
        rows: list[SheetRow] = []
        number = 0
        for counted in state.sheet:
            number += counted.ending != "remix"
            cells = tuple(own if own or seat == counted.winner else None for seat, own in enumerate(counted.points))
            kind = "remix" if counted.ending == "remix" else "round"
            rows.append(SheetRow(f"dominoes.sheet.{kind}", cells, {"n": number}))
        return [*rows, SheetRow("dominoes.sheet.total", state.totals, total=True)]
