"""Teeth Time's bots: *easy* plays plainly and overlooks much, *medium* follows rules of thumb, *hard* counts and looks ahead.

They decide from their own seat's view. All use the same sense of a hand (``outlook`` before going down, ``layoff`` after);
the levels differ in what they notice and weigh, which ``HABITS`` says as data. There are no rollouts: a hand takes some
forty milliseconds to play on, and twenty of them are lost in the luck of the draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth_time.cards import (
    BROKEN,
    CAVITY,
    DENTIST,
    DENTIST_EACH,
    FAIRY,
    FAIRY_EACH,
    GUMPSTER,
    GUMPSTER_FILLS_TO,
    IN_HAND,
    OWN_PLAYS,
    PENALTIES,
    PENALTY_DRAWS,
    PREVENTION,
    PREVENTION_EACH,
    RANK,
    TOOTHACHE,
    WILDS,
)
from tabletin.games.teeth_time.hint_facts import good_use, little_use
from tabletin.games.teeth_time.layoff import WAYS_WEIGHED, Field, Layoff, best_way, lay_off
from tabletin.games.teeth_time.melds import sorted_hand, swaps
from tabletin.games.teeth_time.outlook import LOOKS, Outlook, whole_deck
from tabletin.games.teeth_time.penalties import collected_by_dentist, collected_by_fairy, penalty_targets
from tabletin.games.teeth_time.plays import BEGINNER
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import COUNTER, PLAY, REPLY, SCORED, WINDOW, TeethTimeState
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.setup import LEVELS as LEVELS

INFINITE: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Habits:
    """What a level notices and weighs.

    counts: knows which cards have gone by. looks: how many cards ahead it hopes (``outlook``). overlooks: the chance not to
    see that something can be laid. takes: how much better than an unknown card a discard must be to be taken. pulls: how
    many times more promising a hand must become to call for a discard; INFINITE: only what completes the contract.
    hurries: how much more the points in hand weigh once somebody may be out soon. waits: how many cards Dentist and Tooth
    Fairy must find before they are played unurged. bonus: takes a face card off the discard pile for its points. guards:
    minds what a discard gives the next seat. ahead: once down, discards with the next draw in mind. holds: keeps penalties for
    a seat that may be out soon. plain: penalises anybody, and discards at random now and then.
    """

    counts: bool = False
    looks: float = LOOKS
    overlooks: float = 0.0
    takes: float = 1.0
    pulls: float = INFINITE
    hurries: float = 0.0
    waits: tuple[int, int] = (1, 3)
    bonus: bool = False
    guards: float = 0.0
    ahead: bool = False
    holds: bool = False
    plain: bool = False


HABITS: Final = {
    "easy": Habits(overlooks=0.45, takes=1.6, plain=True),
    "medium": Habits(overlooks=0.15),
    "hard": Habits(counts=True, looks=2.5, pulls=1.3, hurries=0.03, waits=(3, 6), bonus=True, guards=0.5, ahead=True,
                   holds=True),
}

PENALTY_ORDER: Final = (CAVITY, TOOTHACHE, BROKEN, GUMPSTER)  # the hardest last
RESTLESS: Final = 0.25  # the chance to draw from the pile where cards may go to and fro: no two bots do that for ever
POINT: Final = 0.005  # what a point in hand weighs against promise when discarding, by trial
LEFT: Final = 6.0  # what a card that stays stuck weighs beyond its points
DRAWN: Final[Card] = -1  # a card that may come, in thought
MATE: Final = 4.0  # what a card that could join another weighs in points, once down
CALLING: Final = 2.5  # seconds before a bot calls "Pull It!": a person has a chance to be first
ANSWERING: Final = 1.5  # seconds before any answer to a penalty, so that its moment tells nothing
LOOKING: Final = 7.0  # seconds in which people look at the scores before the next hand is dealt
CLOSE: Final = 4  # cards in a hand that went down: it may be out soon
FOOD: Final = 0.5  # what a discard is worth to a next seat that can lay it at once …
LAST_FOOD: Final = 2.0  # … and may be out with it
LOST_TURN: Final = 3  # cards that a lost turn is worth, about
OF_ONE: Final = frozenset(("single", "rare", "gone", "alone"))  # facts of a card that are said in one way where it is held

Why = tuple[str, Mapping[str, Any]]
"""A reason: its key and parameters."""


def habits_of(level: str, habit: str) -> Habits:
    """What ``level`` notices and weighs, as a character with ``habit`` does."""
    habits = HABITS[level]
    dentist, fairy = habits.waits
    if habit == BOLD:
        return replace(habits, takes=0.9 * habits.takes, pulls=0.9 * habits.pulls)
    if habit == CAREFUL:
        return replace(habits, takes=1.1 * habits.takes, hurries=habits.hurries + 0.02)
    if habit == COLLECTOR:
        return replace(habits, waits=(dentist + 1, fairy + 2))
    if habit == SPRINTER:
        return replace(habits, waits=(0, 0))
    return habits


def choose(position: Position) -> Decision:
    """The move of a bot of ``position.level``."""
    rules = position.rules
    assert isinstance(rules, TeethTime)
    mind = TeethTimeMind(position, rules, habits_of(position.level, position.habit))
    phase = mind.state.phase
    if phase == WINDOW:
        return mind.drawer() if mind.seat == mind.state.turn else mind.puller()
    if phase in (REPLY, COUNTER):
        return mind.reply()
    if phase == PLAY:
        return mind.turn()
    assert phase == SCORED
    return Decision(("deal",), "teeth_time.why.deal", delay=LOOKING)


class TeethTimeMind:
    """One decision of one seat: what it knows, sorted on first need."""

    def __init__(self, position: Position, rules: TeethTime, habits: Habits) -> None:
        self.position = position
        self.rules = rules
        self.state: TeethTimeState = position.state
        self.seat = position.seat
        self.faces = position.faces
        self.rng = position.rng
        self.habits = habits
        self.hand = self.state.hands[self.seat]
        self.has_melded = self.state.has_melded(self.seat)

    # ---- what it knows ----

    @cached_property
    def hidden_faces(self) -> Counter[Face]:
        """The faces that may still come: all but those it sees; for those who do not count, all but its own."""
        rest = whole_deck(self.rules.decks)
        if self.habits.counts:
            live = {card for zone in self.rules.zones(self.state).values() for card in zone if card in self.faces}
            cards = live | self.state.public.keys()  # those too that left the table with a seat
        else:
            cards = set(self.hand)
        rest.subtract(self.faces[card] for card in cards)
        return +rest

    @cached_property
    def outlook(self) -> Outlook:
        return Outlook(self.state.contract, self.hidden_faces, one_colour=self.rules.one_colour, looks=self.habits.looks)

    @cached_property
    def table(self) -> Field:
        return Field(self.state.groups, self.state.next_group, self.faces, one_colour=self.rules.one_colour,
                     takes_wilds=self.rules.skill != BEGINNER)

    @cached_property
    def hand_faces(self) -> tuple[Face, ...]:
        """The faces of its hand."""
        return tuple(self.faces[card] for card in self.hand)

    def threat(self) -> int:
        """How near the nearest other is to going out: its cards, and six more while it is not down."""
        state = self.state
        return min(len(state.hands[other]) + (0 if state.has_melded(other) else 6)
                   for other in state.playing if other != self.seat)

    def can_go_down(self, hand: tuple[Card, ...]) -> bool:
        return self._down(hand, 1) is not None

    def _down(self, hand: tuple[Card, ...], most: int = WAYS_WEIGHED) -> Layoff | None:
        """What would be left of ``hand`` after going down now, the best of so many ways; None if there is no way."""
        holding = sorted_hand(hand, self.faces, one_colour=self.rules.one_colour)
        way = best_way(hand, holding, self.state.contract, self.table, most)
        return None if way is None else way[1]

    # ---- the window ----

    def drawer(self) -> Decision:
        """Take the discard if it is worth more than an unknown card.

        What goes to and fro between seats has lain open before. So only where the card let go for it is such a card, too, may
        nothing new ever come: there the pile is drawn from now and then all the same.
        """
        why, card = self._wish(), self.state.discards[-1]
        if why is None:
            return Decision(("leave",), *self._why_left(card))
        if why == "take_meld":
            given = self._least_needed((*self.hand, card))
            if given in self.state.public and self.rng.random() < RESTLESS:
                return Decision(("leave",), "teeth_time.why.leave_restless")
            use = good_use(card, self.hand, self.faces, self.state.contract, one_colour=self.rules.one_colour)
            if use is not None:
                return Decision(("take",), f"teeth_time.why.take_{use[0]}", use[1])
        params = {"n": self._off(self.faces[card])} if why == "take_bonus" else {}
        return Decision(("take",), f"teeth_time.why.{why}", params)

    def _why_left(self, card: Card) -> Why:
        """Why the discard ``card`` does not help."""
        if self.has_melded:
            return "teeth_time.why.leave_stuck" if self._goes_nowhere(card, self.hand) else "teeth_time.why.leave", {}
        fact = little_use(card, self.hand, self.faces, self.state.contract, one_colour=self.rules.one_colour)
        if fact is None:
            return "teeth_time.why.leave", {}
        return f"teeth_time.why.{'leave' if fact[0] in OF_ONE else 'apart'}_{fact[0]}", fact[1]

    def _goes_nowhere(self, card: Card, others: Iterable[Card]) -> bool:
        """Whether ``card`` is a tooth that fits nowhere on the table and goes with none of ``others``."""
        face = self.faces[card]
        return face in RANK and not any(other != card and _near(face, self.faces[other]) for other in others) \
            and not self._can_be_laid(card)

    def _wish(self) -> str | None:
        """Why it wants the discard, a key of the catalogue; None if it does not."""
        card = self.state.discards[-1]
        face = self.faces[card]
        if face in WILDS:
            return "take_wild"
        if self._bonus(face):
            return "take_bonus"
        if face not in RANK:
            return None
        grown = (*self.hand, card)
        if self.has_melded:
            return "take_lays" if lay_off(grown, self.table).stuck_count <= lay_off(self.hand, self.table).stuck_count else None
        if self.habits.ahead:
            now, then = self._down(self.hand), self._down(grown)
            if then is not None:
                if now is None:
                    return "take_down"
                return "take_lays" if then.stuck_count <= now.stuck_count else None
        faces = [*self.hand_faces, face]
        kept = max(self.outlook.promise(faces[:at] + faces[at + 1:]) for at in range(len(self.hand_faces)))
        if kept <= self._expected() * self.habits.takes or self._least_needed(grown) == card:
            return None
        return "take_meld"

    def _expected(self) -> float:
        """How promising the hand will be with an unknown card, on average; of those there was time to think of."""
        plain = self.outlook.promise(self.hand_faces)
        gain, total = 0.0, 0
        gains: dict[str, float] = {}
        for face, count in self.hidden_faces.items():
            kind = face if self.rules.one_colour else RANK.get(face, face)
            if kind not in gains:
                useful = face in RANK or face in WILDS
                gains[kind] = self.outlook.promise((*self.hand_faces, face)) - plain if useful else 0.0
            gain += count * gains[kind]
            total += count
            if self.position.out_of_time(0.5):
                break
        return plain + gain / max(1, total)

    def _off(self, face: Face) -> int:
        """The points that playing a Dentist, Tooth Fairy or Prevention now counts off."""
        if face == PREVENTION:
            return -PREVENTION_EACH
        if face == DENTIST:
            return -DENTIST_EACH * (1 + len(collected_by_dentist(self.state)))
        return -FAIRY_EACH * (1 + len(collected_by_fairy(self.state)))

    def _bonus(self, face: Face) -> bool:
        """Whether a face card on the discard pile pays at once: it is played this turn for its own points."""
        if not self.habits.bonus:
            return False
        if face == PREVENTION:
            return True
        if face == DENTIST:
            return len(self.state.penalties) >= 1
        return face == FAIRY and len(collected_by_fairy(self.state)) >= 4

    def puller(self) -> Decision:
        """Call only for what brings the hand much further: it costs an extra card."""
        decline = Decision(("decline",), "teeth_time.why.decline")
        face = self.faces[self.state.discards[-1]]
        if self.has_melded or (face not in RANK and face not in WILDS):
            return decline
        card = self.state.discards[-1]
        if self.can_go_down(self.hand):
            return Decision(("decline",), "teeth_time.why.decline_ready")
        if self.can_go_down((*self.hand, card)):
            return Decision(("call",), "teeth_time.why.pull_down", delay=CALLING)
        if self.habits.pulls < INFINITE and self.threat() > CLOSE:
            now, then = self.outlook.promise(self.hand_faces), self.outlook.promise((*self.hand_faces, face))
            if then > now * self.habits.pulls:
                return Decision(("call",), "teeth_time.why.pull_closer", delay=CALLING)
        return decline

    # ---- replies ----

    def reply(self) -> Decision:
        """Turn a penalty back with a Prevention, which counts 20 off either way."""
        prevention = next((card for card in self.hand if self.faces[card] == PREVENTION), None)
        if prevention is None:
            return Decision(("accept",), "teeth_time.why.accept", delay=ANSWERING)
        why = "whammy" if self.state.phase == REPLY else "whammy_dead"
        return Decision(("whammy", prevention), f"teeth_time.why.{why}", delay=ANSWERING)

    # ---- a turn ----

    def turn(self) -> Decision:
        """Go down, lay, play face cards, discard: the first of these that there is reason for."""
        sees = self.rng.random() >= self.habits.overlooks
        plan: Layoff | None = None
        if sees and not self.has_melded:
            holding = sorted_hand(self.hand, self.faces, one_colour=self.rules.one_colour)
            way = best_way(self.hand, holding, self.state.contract, self.table)
            if way is not None:
                return Decision(("down", way[0]), "teeth_time.why.down")
        if sees and self.has_melded:
            plan = lay_off(self.hand, self.table)
            move = self._lay(plan)
            if move is not None:
                return move
        return self._face_card(plan) or self._discard(plan)

    def _lay(self, plan: Layoff) -> Decision | None:
        """The next move of laying off, then the wilds that are left over."""
        if plan.moves:
            move = plan.moves[0]
            cards = move[3] if move[0] == "group" else move[3:]
            return Decision(move, f"teeth_time.why.{move[0]}", {"n": sum(IN_HAND[self.faces[card]] for card in cards)})
        place = next(iter(self.table.wild_places()), None)
        if plan.wilds and place is not None:
            return Decision(("hit", *place, plan.wilds[0]), "teeth_time.why.hit", {"n": IN_HAND[self.faces[plan.wilds[0]]]})
        return None

    def _face_card(self, plan: Layoff | None) -> Decision | None:
        """A face card to play now: at the latest when somebody, it or another, may be out soon."""
        stuck = len(plan.stuck_cards) if plan is not None else sum(face in RANK or face in WILDS for face in self.hand_faces)
        penalties = sum(face in PENALTIES for face in self.hand_faces)
        leaves = stuck + max(0, penalties - len(penalty_targets(self.state, self.seat))) <= 1
        urgent = leaves or self.threat() <= CLOSE
        least_penalties, least_letters = self.habits.waits
        for card, face in zip(self.hand, self.hand_faces, strict=True):
            if face == PREVENTION:
                return Decision(("play", card), "teeth_time.why.prevention")
            if face == DENTIST:
                count = len(collected_by_dentist(self.state))
                if urgent or count >= least_penalties:
                    return Decision(("play", card), "teeth_time.why.own_play", {"n": self._off(face)})
            if face == FAIRY:
                count = len(collected_by_fairy(self.state))
                if urgent or count >= least_letters:
                    return Decision(("play", card), "teeth_time.why.own_play", {"n": self._off(face)})
        return self._penalty(leaves)

    def _penalty(self, leaves: bool) -> Decision | None:
        """A penalty to play now, if there is reason to. ``leaves``: it can be out this turn."""
        state = self.state
        targets = penalty_targets(state, self.seat)
        penalties = [card for card, face in zip(self.hand, self.hand_faces, strict=True) if face in PENALTIES]
        if not targets or not penalties:
            return None
        nearest = min(targets, key=lambda other: (not state.has_melded(other), len(state.hands[other])))
        if not self.habits.holds:
            card = max(penalties, key=lambda held: PENALTY_ORDER.index(self.faces[held]))
            return self._against(card, self.rng.choice(targets) if self.habits.plain else nearest)
        card = max(penalties, key=lambda held: self._harm(self.faces[held], nearest))
        if leaves or (len(state.hands[nearest]) <= CLOSE and self._harm(self.faces[card], nearest)):
            return self._against(card, nearest)
        return None

    def _harm(self, face: Face, target: int) -> int:
        """What a penalty costs ``target``, in cards, after those that lie in front of it."""
        live = [self.faces[penalty.card] for penalty in self.state.live_penalties(target)]
        if face == TOOTHACHE:
            return 0 if TOOTHACHE in live else LOST_TURN  # several cost one turn (TT-1)
        if face != GUMPSTER:
            return PENALTY_DRAWS[face]
        if GUMPSTER in live:
            return 0
        return max(0, GUMPSTER_FILLS_TO - len(self.state.hands[target]) - sum(PENALTY_DRAWS.get(other, 0) for other in live))

    def _against(self, card: Card, target: int) -> Decision:
        """``card`` played on ``target``, and what can be said for it."""
        sizes = {other: len(self.state.hands[other]) for other in self.state.playing if other != self.seat}
        harm, n = self._harm(self.faces[card], target), sizes[target]
        if not harm:
            why = "penalty_rid"
        elif len(sizes) > 1 and n == min(sizes.values()):
            why = "penalty_nearest"
        elif self.habits.holds and n <= CLOSE:
            why = "penalty_held"
        elif self.faces[card] == TOOTHACHE:
            why = "penalty_skip"
        else:
            why, n = "penalty_draw", harm
        return Decision(("penalty", card, target), f"teeth_time.why.{why}", {"seat": target, "n": n})

    # ---- the discard ----

    def _discard(self, plan: Layoff | None) -> Decision:
        """What is let go, and why: of several the one that is needed least, or that would cost most."""
        if len(self.hand) == 1:
            return Decision(("discard", self.hand[0]), "teeth_time.why.discard_out")
        if self.habits.plain and self.rng.random() < 0.25:
            teeth = [card for card in self.hand if self.faces[card] in RANK] or list(self.hand)
            return Decision(("discard", self.rng.choice(teeth)), "teeth_time.why.plain")
        if self.has_melded:
            stuck = plan.stuck_cards if plan is not None and self.habits.ahead else []
            if len(stuck) > 1 and (self.habits.holds or not any(face in PENALTIES for face in self.hand_faces)):
                card = self._least_useful(stuck)
                why = "stuck" if self._goes_nowhere(card, self.hand) else "chances"
            else:
                card = max(self.hand, key=self._worth_discarding_melded)
                dearest = all(IN_HAND[self.faces[card]] >= IN_HAND[face] for face in self.hand_faces)
                why = "stuck" if self._goes_nowhere(card, self.hand) else "costly" if dearest else "useless"
            return Decision(("discard", card), f"teeth_time.why.discard_{why}", {"n": IN_HAND[self.faces[card]]})
        best, useless = self._least_needed(self.hand), self._least_needed(self.hand, guarding=False)
        return Decision(("discard", best), *self._why_discarded(best, useless))

    def _why_discarded(self, card: Card, useless: Card) -> Why:
        """Why ``card`` is discarded before going down; ``useless``: what it would be if nobody else could use it."""
        guards = self.habits.guards and self.faces[card] in RANK
        if guards and card != useless and self._helps_others(useless) > self._helps_others(card):
            return "teeth_time.why.discard_denies", {}
        others = tuple(held for held in self.hand if held != card)
        fact = little_use(card, others, self.faces, self.state.contract, one_colour=self.rules.one_colour,
                          unseen=self.hidden_faces if self.habits.counts else None)
        if fact is not None:
            return f"teeth_time.why.{'discard' if fact[0] in OF_ONE else 'apart'}_{fact[0]}", fact[1]
        after = self.state.next_seat(self.seat)
        has_shown = self.state.has_melded(after) or any(held in self.state.public for held in self.state.hands[after])
        return f"teeth_time.why.discard_{'safe' if guards and has_shown and not self._helps_others(card) else 'useless'}", {}

    def _least_useful(self, stuck: list[Card]) -> Card:
        """The stuck tooth without which the rest is likeliest to be laid with the next card drawn."""
        coming: dict[Face, int] = {}
        for face, count in self.hidden_faces.items():
            if face in RANK or face in WILDS:
                kind = face if self.rules.one_colour or face in WILDS else "r" + RANK[face]
                coming[kind] = coming.get(kind, 0) + count
        faces = Faces(self.faces)
        table = Field(self.state.groups, self.state.next_group, faces, one_colour=self.rules.one_colour,
                      takes_wilds=self.rules.skill != BEGINNER)

        def worth(card: Card) -> float:
            rest = [other for other in stuck if other != card]
            total = 0.0
            for face, count in coming.items():
                faces[DRAWN] = face
                after = lay_off((*rest, DRAWN), table)
                total += count * (after.points + LEFT * after.stuck_count)
            return total

        first = {self.faces[card] if self.rules.one_colour else RANK[self.faces[card]]: card for card in stuck}
        best: Card | None = None
        least = INFINITE
        for card in sorted(first.values(), key=self._worth_discarding_melded, reverse=True):
            if best is not None and self.position.out_of_time(0.5):
                break
            value = worth(card)
            if value < least:
                best, least = card, value
        assert best is not None
        return best

    def _worth_discarding_melded(self, card: Card) -> float:
        """Once down: what costs most in hand, but what may still be played or laid stays."""
        face = self.faces[card]
        if face in WILDS or face in OWN_PLAYS:
            return -100.0
        if face in PENALTIES:
            return 0.0 if self.habits.holds else 5.0 if face != GUMPSTER else 8.0
        mates = sum(other != card and _near(face, self.faces[other]) for other in self.hand)
        worth: float = IN_HAND[face] - MATE * mates
        return worth

    def _least_needed(self, hand: tuple[Card, ...], *, guarding: bool = True) -> Card:
        """Before going down: of ``hand`` what takes least promise away, dear cards first.

        ``guarding``: what the next seat could use is worth keeping, as far as this level minds.
        """
        faces = [self.faces[card] for card in hand]
        whole = max(self.outlook.promise(faces), 1e-9)
        weight = POINT + (self.habits.hurries if self.threat() <= CLOSE else 0.0)

        def worth_discarding(card: Card) -> float:
            face = self.faces[card]
            if face in WILDS:
                return -10.0
            if face in OWN_PLAYS or face in PENALTIES:
                return -2.0
            rest = faces.copy()
            rest.remove(face)
            guard = self.habits.guards * self._helps_others(card) if guarding and self.habits.guards else 0.0
            return self.outlook.promise(rest) / whole + weight * IN_HAND[face] - guard

        return max(hand, key=worth_discarding)

    def _helps_others(self, card: Card) -> float:
        """How much a tooth discarded is worth to the next seat: it could be laid, or joins what it has taken."""
        state, face = self.state, self.faces[card]
        if face not in RANK:
            return 0.0
        after = state.next_seat(self.seat)
        if state.has_melded(after) and self._can_be_laid(card):
            return LAST_FOOD if len(state.hands[after]) <= CLOSE else FOOD
        near = sum(_near(face, self.faces[held]) for held in state.hands[after]
                   if held in state.public and self.faces[held] in RANK)
        return 0.02 * near

    def _can_be_laid(self, card: Card) -> bool:
        """Whether a seat that is down can put the tooth ``card`` on the table at once."""
        if self.table.place_for(card, ()) is not None:
            return True
        return self.table.takes_wilds and any(swaps((card,), self.faces, self.state.groups))


def _near(face: Face, other: Face) -> bool:
    """Whether two teeth could lie in one short group."""
    if other not in RANK:
        return False
    a, b = RANK[face], RANK[other]
    return a == b or (a.isdigit() == b.isdigit() and abs(ord(a) - ord(b)) <= 2)
