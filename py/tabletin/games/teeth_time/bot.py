"""Teeth Time's bots: *easy* plays plainly and overlooks things, *medium* follows sound rules of thumb, *hard* counts too.

They decide from their own seat's view. All use the same sense of a hand (``outlook`` before going down, ``layoff`` after);
the levels differ in what they notice and weigh, which ``HABITS`` says as data.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tabletin.kernel.faces import Card, Face
from tabletin.search.bots import LEVELS as LEVELS
from tabletin.search.bots import Decision, Thought

from .cards import (
    DENTIST,
    FAIRY,
    GUMPSTER,
    GUMPSTER_FILLS_TO,
    IN_HAND,
    OWN_PLAYS,
    PENALTIES,
    PENALTY_DRAWS,
    PREVENTION,
    RANK,
    TOOTHACHE,
    WILDS,
)
from .layoff import Field, Layoff, best_way, lay_off
from .melds import sorted_hand
from .outlook import Outlook, whole_deck
from .penalties import collected_by_dentist, collected_by_fairy, penalty_targets
from .plays import BEGINNER
from .rules import TeethTime
from .state import COUNTER, PLAY, REPLY, SCORED, WINDOW, TeethTimeState


@dataclass(frozen=True, slots=True)
class Habits:
    """What a level notices and weighs.

    counts: knows which cards have gone by. overlooks: the chance not to see that something can be laid. takes: how much
    better than an unknown card a discard must be to be taken. pulls: how many times more promising a hand must become to
    call for a discard, None never. patient: keeps Dentist, Fairy and Prevention until they are worth most or time is
    short. guards: minds what a discard gives the others. plain: at random what to discard of what it does not need.
    """

    counts: bool = False
    overlooks: float = 0.0
    takes: float = 1.0
    pulls: float | None = None
    patient: bool = False
    guards: float = 0.0
    plain: bool = False
    bonus_takes: bool = False


HABITS: Final = {
    "easy": Habits(overlooks=0.45, takes=1.6, plain=True),
    "medium": Habits(takes=1.0, pulls=3.0),
    "hard": Habits(counts=True, takes=1.0, pulls=1.6, patient=True, guards=1.0, bonus_takes=True),
}

POINT: Final = 0.004  # what a point in hand weighs against promise when discarding, by trial
CLOSE: Final = 4  # cards in a hand that went down: it may be out soon


def choose(thought: Thought) -> Decision:
    """The move of a bot of ``thought.level``."""
    rules = thought.rules
    assert isinstance(rules, TeethTime)
    mind = Mind(thought, rules, HABITS[thought.level])
    phase = mind.state.phase
    if phase == WINDOW:
        return mind.drawer() if mind.seat == mind.state.turn else mind.puller()
    if phase in (REPLY, COUNTER):
        return mind.reply()
    if phase == PLAY:
        return mind.turn()
    assert phase == SCORED
    return Decision(("deal",), "teeth_time.why.deal")


class Mind:
    """One decision of one seat: what it knows, sorted on first need."""

    def __init__(self, thought: Thought, rules: TeethTime, habits: Habits) -> None:
        self.rules = rules
        self.state: TeethTimeState = thought.state
        self.seat = thought.seat
        self.faces = thought.faces
        self.rng = thought.rng
        self.habits = habits
        self.hand = self.state.hands[self.seat]
        self.melded = self.state.has_melded(self.seat)

    # ---- what it knows ----

    @cached_property
    def unseen(self) -> Counter[Face]:
        """The faces that may still come: all but those it sees; for those who do not count, all but its own."""
        rest = whole_deck(self.rules.decks)
        if self.habits.counts:
            cards = [card for zone in self.rules.zones(self.state).values() for card in zone if card in self.faces]
        else:
            cards = list(self.hand)
        rest.subtract(self.faces[card] for card in cards)
        return +rest

    @cached_property
    def outlook(self) -> Outlook:
        return Outlook(self.state.contract, self.unseen, one_colour=self.rules.one_colour)

    @cached_property
    def table(self) -> Field:
        return Field(self.state.groups, self.state.next_group, self.faces, one_colour=self.rules.one_colour,
                     takes_wilds=self.rules.skill != BEGINNER)

    @cached_property
    def shown(self) -> tuple[Face, ...]:
        """The faces of its hand."""
        return tuple(self.faces[card] for card in self.hand)

    def threat(self) -> int:
        """How near the nearest other is to going out: its cards, and six more while it is not down."""
        state = self.state
        return min(len(state.hands[other]) + (0 if state.has_melded(other) else 6)
                   for other in state.playing if other != self.seat)

    def can_go_down(self, hand: tuple[Card, ...]) -> bool:
        holding = sorted_hand(hand, self.faces, one_colour=self.rules.one_colour)
        return best_way(hand, holding, self.state.contract, self.table, most=1) is not None

    # ---- the window ----

    def drawer(self) -> Decision:
        """Take the discard if it is worth more than an unknown card."""
        card = self.state.discards[-1]
        take = Decision(("take",), "teeth_time.why.take_lays" if self.melded else "teeth_time.why.take_meld")
        leave = Decision(("leave",), "teeth_time.why.leave")
        face = self.faces[card]
        if face in WILDS:
            return take
        if self._bonus(face):
            return take
        if face not in RANK:
            return leave
        if self.melded:
            before, after = lay_off(self.hand, self.table), lay_off((*self.hand, card), self.table)
            return take if after.left <= before.left else leave
        now = self.outlook.promise((*self.shown, face))
        return take if now > self._expected() * self.habits.takes else leave

    def _expected(self) -> float:
        """How promising the hand will be with an unknown card, on average."""
        total = sum(self.unseen.values())
        plain = self.outlook.promise(self.shown)
        gain = 0.0
        seen_ranks: dict[str, float] = {}
        for face, count in self.unseen.items():
            kind = face if self.rules.one_colour else RANK.get(face, face)
            if face in RANK or face in WILDS:
                if kind not in seen_ranks:
                    seen_ranks[kind] = self.outlook.promise((*self.shown, face)) - plain
                gain += count * seen_ranks[kind]
        return plain + gain / max(1, total)

    def _bonus(self, face: Face) -> bool:
        """Whether a face card on the discard pile pays at once: it is played this turn for its own points."""
        if not self.habits.bonus_takes:
            return False
        if face == PREVENTION:
            return True
        if face == DENTIST:
            return len(self.state.penalties) >= 1
        return face == FAIRY and len(collected_by_fairy(self.state)) >= 4

    def puller(self) -> Decision:
        """Call only for what brings the hand much further: it costs an extra card."""
        decline = Decision(("decline",), "teeth_time.why.decline")
        factor = self.habits.pulls
        face = self.faces[self.state.discards[-1]]
        if factor is None:
            return decline
        if self.melded or (face not in RANK and face not in WILDS):
            return decline
        card = self.state.discards[-1]
        if self.can_go_down(self.hand):
            return decline
        if self.can_go_down((*self.hand, card)):
            return Decision(("call",), "teeth_time.why.pull_down")
        now, then = self.outlook.promise(self.shown), self.outlook.promise((*self.shown, face))
        if then > now * factor and self.habits.counts and self.threat() > CLOSE:
            return Decision(("call",), "teeth_time.why.pull_closer")
        return decline

    # ---- replies ----

    def reply(self) -> Decision:
        """Turn a penalty back with a Prevention, which counts 20 off either way."""
        prevention = next((card for card in self.hand if self.faces[card] == PREVENTION), None)
        if prevention is None:
            return Decision(("accept",), "teeth_time.why.accept")
        if self.habits.patient and self.threat() > CLOSE and self._weight_of_penalty() < 2:
            return Decision(("accept",), "teeth_time.why.keep_prevention")
        return Decision(("whammy", prevention), "teeth_time.why.whammy")

    def _weight_of_penalty(self) -> int:
        """How many cards the penalty costs; a lost turn counts two."""
        face = self.faces[self.state.reply[0]]
        if face == TOOTHACHE:
            return 2
        if face == GUMPSTER:
            return max(0, GUMPSTER_FILLS_TO - len(self.hand))
        return PENALTY_DRAWS[face] if self.melded else PENALTY_DRAWS[face] - 1

    # ---- a turn ----

    def turn(self) -> Decision:
        """Go down, lay, play face cards, discard: the first of these that there is reason for."""
        sees = self.rng.random() >= self.habits.overlooks
        plan: Layoff | None = None
        if sees and not self.melded:
            holding = sorted_hand(self.hand, self.faces, one_colour=self.rules.one_colour)
            way = best_way(self.hand, holding, self.state.contract, self.table)
            if way is not None:
                return Decision(("down", way[0]), "teeth_time.why.down")
        if sees and self.melded:
            plan = lay_off(self.hand, self.table)
            move = self._lay(plan)
            if move is not None:
                return move
        return self._face_card(plan) or self._discard(plan)

    def _lay(self, plan: Layoff) -> Decision | None:
        """The next move of laying off; spare wilds last, and not while they may yet free something."""
        if plan.moves:
            move = plan.moves[0]
            return Decision(move, f"teeth_time.why.{move[0]}")
        specials = sum(self.faces[card] in OWN_PLAYS or self.faces[card] in PENALTIES for card in self.hand)
        out = len(plan.stuck) + specials <= 1
        keep = 1 if self.habits.patient and len(plan.stuck) >= 2 and self.threat() > CLOSE else 0
        if plan.wilds and (out or len(plan.wilds) > keep):
            place = next(iter(self.table.wild_places()), None)
            if place is not None and (len(self.hand) > 1 or out):
                return Decision(("hit", *place, plan.wilds[0]), "teeth_time.why.out" if out else "teeth_time.why.hit")
        return None

    def _face_card(self, plan: Layoff | None) -> Decision | None:
        """A face card to play now, if there is one."""
        plain_cards = len(plan.stuck) + len(plan.wilds) if plan is not None else sum(f not in OWN_PLAYS for f in self.shown)
        going_out = plain_cards <= 1
        urgent = going_out or not self.habits.patient or self.threat() <= CLOSE
        for card, face in zip(self.hand, self.shown, strict=True):
            if face == PREVENTION and urgent:
                return Decision(("play", card), "teeth_time.why.prevention")
            if face == DENTIST:
                count = len(collected_by_dentist(self.state))
                if count >= (3 if self.habits.patient else 1) or (urgent and (going_out or self.threat() <= CLOSE)):
                    return Decision(("play", card), "teeth_time.why.dentist", {"n": count})
            if face == FAIRY:
                count = len(collected_by_fairy(self.state))
                if count >= (9 if self.habits.patient else 3) or (urgent and (going_out or self.threat() <= CLOSE)):
                    return Decision(("play", card), "teeth_time.why.fairy", {"n": count})
        return self._penalty(going_out)

    def _penalty(self, going_out: bool) -> Decision | None:
        targets = penalty_targets(self.state, self.seat)
        penalties = [(card, face) for card, face in zip(self.hand, self.shown, strict=True) if face in PENALTIES]
        if not targets or not penalties:
            return None
        state = self.state
        if self.habits.plain:
            target = self.rng.choice(targets)
        else:
            target = min(targets, key=lambda other: (not state.has_melded(other), len(state.hands[other])))
        card, face = max(penalties, key=lambda held: IN_HAND[held[1]] if held[1] == GUMPSTER
                         else PENALTY_DRAWS.get(held[1], 3))
        return Decision(("penalty", card, target), "teeth_time.why.penalty", {"target": target})

    # ---- the discard ----

    def _discard(self, plan: Layoff | None) -> Decision:
        if self.habits.plain and self.rng.random() < 0.25:
            teeth = [card for card in self.hand if self.faces[card] in RANK] or list(self.hand)
            return Decision(("discard", self.rng.choice(teeth)), "teeth_time.why.plain")
        if self.melded:
            card = max(self.hand, key=self._worth_discarding_melded)
            return Decision(("discard", card), "teeth_time.why.discard_costly")
        best = max(self.hand, key=self._worth_discarding)
        return Decision(("discard", best), f"teeth_time.why.discard_{'safe' if self.habits.guards else 'useless'}")

    def _worth_discarding_melded(self, card: Card) -> float:
        """Once down: what costs most in hand, but what may still be played or laid stays."""
        face = self.faces[card]
        if face in WILDS or face in OWN_PLAYS:
            return -100.0
        if face in PENALTIES:
            return 5.0 if face != GUMPSTER else 8.0
        mates = sum(self.faces[other] in RANK and other != card and _near(face, self.faces[other]) for other in self.hand)
        return IN_HAND[face] - 3.0 * mates

    def _worth_discarding(self, card: Card) -> float:
        """Before going down: what takes least promise away, dear cards first."""
        face = self.faces[card]
        if face in WILDS:
            return -10.0
        if face in OWN_PLAYS or face in PENALTIES:
            return -1.0
        rest = list(self.shown)
        rest.remove(face)
        promise = self.outlook.promise(rest)
        whole = max(self.outlook.promise(self.shown), 1e-9)
        danger = self.habits.guards * self._helps_others(face)
        return promise / whole + POINT * IN_HAND[face] - danger

    def _helps_others(self, face: Face) -> float:
        """How much the discard is worth to the next seat: it could be laid off, or joins what it has taken."""
        state = self.state
        after = state.next_seat(self.seat)
        if state.has_melded(after) and any(RANK[face] in group.open_ranks() for group in state.groups.values()):
            return 0.05
        near = sum(_near(face, self.faces[card]) for card in state.hands[after]
                   if card in state.public and self.faces[card] in RANK)
        return 0.02 * near


def _near(face: Face, other: Face) -> bool:
    """Whether two teeth could lie in one short group."""
    if other not in RANK:
        return False
    a, b = RANK[face], RANK[other]
    return a == b or (a.isdigit() == b.isdigit() and abs(ord(a) - ord(b)) <= 2)
