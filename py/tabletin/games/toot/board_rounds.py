"""The tables of Progressive TooT and Speed TooT: everybody's own cards, the results of a round side by side, a claim
verified step by step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from tabletin.board.layout import resting
from tabletin.board.scene import (
    ButtonShape,
    Control,
    Heap,
    Label,
    Piece,
    Point,
    Prompt,
    Rect,
    Scene,
    Sight,
    Spot,
    Zone,
    card_key,
)
from tabletin.games.toot.arrangement import Node, cards_of, flaw, nodes, pieces_of, top
from tabletin.games.toot.board_examples import ExamplePlacement
from tabletin.games.toot.board_mat import LABEL_HALF, Scenery
from tabletin.games.toot.board_pile import PileBeside
from tabletin.games.toot.board_results import (
    BETWEEN_RESULTS,
    EDGE,
    LARGEST_SHOWN,
    LEAST_LEFT,
    ResultPlaces,
    least_high,
    number_places,
    result_places,
)
from tabletin.games.toot.board_stacks import RATIO, TootStack, arrange, drawing, lines, number_cards, sorted_hand
from tabletin.games.toot.draft_games import Best, ProgressiveDraft, SpeedDraft, claim_steps, clock_key
from tabletin.games.toot.progressive import ProgressiveState
from tabletin.games.toot.speed import HAND, NO_TOOT, NOT_YET, Claim, Speed, SpeedState, fastest_seats, time_words
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refused
from tabletin.words import figure

COST_LETTER: Final = 0.46  # rem that a letter takes of what a result costs …
COST_EDGE: Final = 4.0  # … and px left and right of it
COUNTED: Final = 2.8  # seconds in which results come, at most …
COUNT_SEAT: Final = 0.7  # … for each seat …
COUNT_CARD: Final = 0.22  # … and for each card
LANDS: Final = 0.3  # seconds until what lies open already lies in its place
UNSEEN: Final = 1.0  # px of width of a card that waits behind a plate
NUMBER: Final = 1.3  # rem that a number on a card takes
SHOWING: Final = 1.2  # seconds until what was said to be done is shown by itself
NEXT_ROUND: Final = "toot.log.round"  # what is told of it waits until the results of the last one have been seen
STEP: Final = 0.75  # seconds for one step of a verification …
FILM: Final = 3.6  # … and for all of them, at most
CLOCK: Final = 2.6  # rem of height for the clock of a round
HALF_CLOCK: Final = 3.2  # … and half of its width …
UNDER_PILE: Final = 10.0  # … and px between the pile and the clock under it
AIM: Final = 4.4  # … and for what is to be done, where what a TooT is stands under it
RESULT: Final = 4.6  # rem of height for a time and what is said of it …
UNDER_GAIN: Final = 2.1  # … and at how many the time stands: a gain flies over it
BESIDE: Final = 10.0  # … or of width, on a phone held sideways
AIM_LETTER: Final = 0.72  # rem that a letter of what is to be done takes …
AIM_LEAST: Final = 17  # … and so many at least …
AIM_GAP: Final = 14.0  # … and px between the pile and these words
GO_LETTER: Final = 0.1  # of a phone's width that a letter of GO takes
USUALLY_DRAWN: Final = 3  # cards in a round of Speed TooT
BEAT: Final = 0.8  # seconds for one number of the countdown


@dataclass(slots=True)
class RoundMemory:
    """What a page remembers of a round of Progressive TooT that the match does not tell. ``draft``: what the reader builds, or
    has built. ``shown_seats``: those whose TooTs lay open in ``round``, counted from 1, before the last one was shown."""

    draft: ProgressiveDraft | None = None
    round: int = 0
    shown_seats: frozenset[int] = frozenset()


class Result(NamedTuple):
    """What is drawn of what a seat showed in a round."""

    toot: tuple[Piece, ...]
    left_over: tuple[Piece, ...]
    zone: Zone | None
    labels: tuple[Label, ...]


class ProgressiveScenery(Scenery[ProgressiveState]):
    """One scene of Progressive TooT."""

    draft: ProgressiveDraft | None
    memory: RoundMemory
    aside = False
    _count_seconds = 0.0  # of results that come seat by seat

    def __init__(self, sight: Sight, draft: ProgressiveDraft | None) -> None:
        super().__init__(sight, draft)
        self.memory = RoundMemory()
        self._won_at: dict[int, Point] = {}
        self._won_after: dict[int, float] = {}

    @property
    def playable(self) -> bool:
        return self.draft is not None and not self.draft.reviewing

    def scene(self) -> Scene:
        state, draft = self.state, self.draft
        pieces: list[Piece] = []
        zones: list[Zone] = []
        labels: list[Label] = []
        spots: list[Spot] = []
        rests: list[Heap] = []
        unseen: Sequence[Card] = ()
        if draft is not None and not draft.reviewing:
            self.memory.draft = draft
            self.take_the_empty_tray()
            room = self.mat if draft.begun else self._leave_room_over()
            pieces, zones, labels, spots, rests = self.building_scenery(room)
            if not draft.begun:
                labels.append(Label("round", room.centre[0], room.y - LABEL_HALF, self._round(), "title"))
        elif state.phase == "show" and state.answered_seats and not state.end_reason:
            pieces, zones, labels = self._shown_now()
        elif self._shows_results:
            # the new hand is dealt when the results have been looked at
            if draft is not None or state.end_reason or (self.sight.landing and self.sight.seat is not None):
                self.mat = Rect(self.mat.x, self.mat.y, self.mat.width, self.tray.bottom - self.mat.y - 4)
                unseen = self.hand_cards
                self.hand_cards = []
            pieces, zones, labels = self._results()
        elif self._stands:
            pieces, zones, labels = self._standing()
        else:
            labels.append(Label("empty", *self.mat.centre, self._waiting()))
        above = self.mat.centre[0], self.mat.y - self.card
        rests.append(resting((*state.pile, *state.set_aside, *unseen), above, self.card * 0.6, drawing(None)))
        if state.phase == "show" and not state.end_reason:
            rests += self._reveals(len(state.rounds) + 1, state.answered_seats if draft is None else (), pieces)
        elif self.sight.laying:
            rests += self._reveals(len(state.rounds), (), ())
        note, warning = self._note()
        scene = self.compose(pieces=pieces, spots=spots, zones=zones, labels=labels, rests=rests,
                             scores=[str(total) for total in self.sight.view.rules.standings(state)],
                             counted=False, notes=self._notes(), ask=self._ask(), status=self._status(),
                             controls=self._controls(), note=note, warning=warning)
        is_held = not state.end_reason and (self._is_coming or (draft is not None and draft.reviewing))
        return replace(scene, log_until=NEXT_ROUND if is_held else "", won_at=self._won_at, won_after=self._won_after,
                       count_seconds=self._count_seconds)

    @property
    def _shows_results(self) -> bool:
        """Whether the last round is looked at: until the next one is begun, and at the end of the match."""
        state = self.state
        if not state.rounds:
            return False
        return bool(state.end_reason) or state.phase == "deal" or (
            state.phase == "work" and (self.sight.landing or self.sight.seat not in state.finished_seats))

    @property
    def _is_coming(self) -> bool:
        """Whether the results of a round are coming, seat by seat."""
        return self.sight.landing and self._shows_results

    # ---- the round ----

    def _round(self) -> str:
        """Which round it is, and of how many."""
        number = len(self.state.rounds) + 1
        return self.say("round", n=number, of=number + self.rules.option_values["last_round"] - self.state.size)

    def _leave_room_over(self) -> Rect:
        """The mat, and over it a line that says which round it is."""
        return self.mat.top(2 * LABEL_HALF)[1]

    def _notes(self) -> list[str]:
        state = self.state
        if self._is_coming or (self.draft is not None and self.draft.reviewing):
            return []
        settled = state.finished_seats if state.phase == "work" else state.answered_seats
        return [self.say("seat.done") if seat in settled and not state.end_reason else ""
                for seat in range(self.sight.view.rules.seats)]

    def _status(self) -> str:
        state = self.state
        if self._is_coming:
            return self.say("all_show")
        if state.end_reason:
            return ""
        if self.draft is not None and self.draft.reviewing:
            return self._round_over()
        if self.draft is not None:
            return ""
        if state.phase == "show":
            return self.say("all_show")
        return self.say("waiting") if self._stands else self._round()

    def _ask(self) -> str:
        """What is asked of whoever builds, or has built."""
        return self.say("ask.show" if self.state.phase == "show" else "ask.build")

    def _round_over(self) -> str:
        """Who was best in the last round, unless all were alike."""
        cost = self.state.rounds[-1]
        best = [seat for seat, n in enumerate(cost) if n == min(cost)]
        if len(best) == len(cost):
            return self.say("round_equal" if len(cost) > 1 else "round_over")
        if len(best) == 1:
            return self.say_of("round_best", *best)
        return self.say("round_bests", names=self.sight.catalogue.join_names(map(self.sight.words.seat, best)))

    def _waiting(self) -> str:
        return self.say("all_show") if self.state.phase == "show" else self.say("waiting")

    def _note(self) -> tuple[str, bool]:
        draft = self.draft
        if draft is None:
            return "", False
        if draft.reviewing:
            return self._taught(draft), False
        said, wrong = self.mat_note()
        node = draft.showing()
        if said and (node is None or draft.selection is not None or draft.best_score is not None):
            return said, wrong
        if self.state.phase == "show":
            return self._price(draft, node), False
        if len(draft.whole()) > 1:
            return self.say("note.several", n=len(draft.whole())), False
        if node is not None:
            n = len(cards_of((node,)))
            return self.say("note.left" if n < len(draft.hand) else "note.none_left", n=len(draft.hand) - n, used=n), False
        if not draft.best():
            return self.say("note.none_fit"), False
        return self.say("note.begin_alone" if self.state.rounds else "note.begin_first"), False

    def _price(self, draft: ProgressiveDraft, node: Node | None) -> str:
        """What it costs to show ``node``, or nothing (TO-5)."""
        left = len(draft.hand) - (0 if node is None else len(cards_of((node,))))
        if node is None:
            return self.say("note.show_none" if draft.best() else "note.show_none_fits", n=left)
        return self.say("note.show" if left else "note.show_all", n=left)

    def _taught(self, draft: ProgressiveDraft) -> str:
        """What the solver would have found in the last round."""
        last, rounds = draft.last, self.state.rounds
        secret = self.say("note.secret") if len(rounds) == 1 and sum(rounds[0]) > rounds[0][draft.seat] else ""  # said once
        said = "" if last is None else self.say("note.most" if last.laid_count == last.could else "note.more", n=last.could)
        return f"{said} {secret}".strip()

    def _controls(self) -> list[Control]:
        draft, state = self.draft, self.state
        if draft is None:
            return []
        if draft.reviewing:
            best = [] if draft.last is None or draft.last.best is None else \
                [Control("best_of_all", self.say("do.own_again" if draft.shows_best else "do.best_of_all"))]
            return [*best, Control("next", self.say("do.next_round", n=state.size), primary=True, shortcut="c")]
        node = draft.showing()
        if state.phase == "work":
            helper = self.helper() if draft.best() else []
            # nobody should tap it first while cards would fit: that costs points
            return [*helper, *(self.solution() or self.mat_controls()),
                    Control("done", self.say("do.done"), primary=not draft.has_choice, shortcut="c")]
        if node is None:
            # not primary: it costs points, and nobody should tap it first; by itself where there is nothing else to show, and
            # where it was said to be meant
            is_forced = not draft.begun and draft.selection is None and not draft.best()
            return [*self.mat_controls(), Control("none", self.say("do.show_none", n=len(draft.hand)), shortcut="p",
                                                  seconds=SHOWING if is_forced or draft.shows_itself else None)]
        by_itself = SHOWING if draft.shows_itself and draft.selection is None else None
        return [*self.mat_controls(), Control("show", self.say("do.show", n=len(cards_of((node,)))), primary=True, shortcut="c",
                                              seconds=by_itself)]

    def _prompt(self) -> Prompt | None:
        """Whether being done with no TooT is meant."""
        draft = self.draft
        if draft is None or not draft.asks_done:
            return super()._prompt()
        answers = (Control("build_on", self.say("do.build_on"), primary=True),
                   Control("done_without", self.say("do.done_without")))
        return Prompt("done", self.say("without.title"), answers, self.say("without.text", n=len(draft.hand)))

    # ---- results ----

    @property
    def _line(self) -> float:
        """Px of a line of words in a result."""
        return self.sight.layout.rem * 1.3 + 4

    def _stacks(self) -> list[TootStack | None]:
        """What each seat has shown, in the round that is looked at."""
        shown = [None if toot is None else number_cards(toot)[0] for toot in self.state.last] if self._shows_results else \
            self.state.toots
        return [None if node is None else TootStack(tuple(lines(node))) for node in shown]

    @cached_property
    def _places(self) -> ResultPlaces:
        """Where the result of each seat stands, and how large its cards are."""
        return result_places(self._stacks(), self._left_counts, self.mat, self.sight.layout, line=self._line, held=self.card)

    @property
    def _left_counts(self) -> Sequence[int]:
        """By seat: how many cards it has left over, as far as that is known."""
        state = self.state
        if self._shows_results:
            return state.rounds[-1]
        return [len(hand) if seat in state.answered_seats else 0 for seat, hand in enumerate(state.hands)]

    def _results(self) -> tuple[list[Piece], list[Zone], list[Label]]:
        """What every seat showed in the last round, and what it cost. As it comes, at first only what lay open before does."""
        cost, best = self.state.rounds[-1], self._better
        found: list[tuple[Node | None, dict[Card, Face | None]]] = []
        for seat, shown in enumerate(self.state.last):
            lies = shown if best is None or seat != self.sight.seat else best.toot
            node, faces = (None, {}) if lies is None else number_cards(lies, 100 * seat)
            found.append((node, {**faces}))
        if self.sight.laying:
            settled = self._lay_open
            found = [one if seat in settled else (None, {}) for seat, one in enumerate(found)]
            left = [one if seat == self.sight.seat else [] for seat, one in enumerate(self._left_over())]
            return self._side_by_side(found, [""] * len(cost), self._prefix, [False] * len(cost), settled=settled, left_over=left)
        words = [self._cost(n) for n in cost]
        if best is not None and self.sight.seat is not None:
            words[self.sight.seat] = self.say("could_be", cost=self.say("cost", n=len(best.left_over)))
        return self._side_by_side(found, words, self._prefix, [n == min(cost) and not self._is_coming for n in cost],
                                  left_over=self._left_over())

    @property
    def _prefix(self) -> str:
        """What the keys of the last round's results begin with."""
        return f"r{len(self.state.rounds)}-"

    @property
    def _lay_open(self) -> Collection[int]:
        """The seats whose TooTs the reader had before their eyes before the last one was shown: their own is one."""
        seen = self.memory.shown_seats if self.memory.round == len(self.state.rounds) else frozenset[int]()
        return seen | ({self.sight.seat} if self.sight.seat is not None else set())

    @property
    def _better(self) -> Best | None:
        """The larger TooT that the reader looks at in place of their own."""
        draft = self.draft
        return draft.last.best if draft is not None and draft.shows_best and draft.last is not None else None

    def _reveals(self, number: int, lie_there: Collection[int], pieces: Sequence[Piece]) -> list[Heap]:
        """From where the results of round ``number`` will come: each card from where it lies among ``pieces``, else from its
        seat. ``lie_there``: the seats whose TooTs are among these."""
        state, draft = self.state, self.draft
        lies = {piece.key: piece for piece in (*pieces, *self._hand())}
        heaps = []
        for seat in range(len(state.hands)):
            toot = draft.showing() if draft is not None and seat == draft.seat else state.toots[seat]
            shown = cards_of(() if toot is None else (toot,))
            keys = [f"r{number}-{100 * seat + index}" for index in range(self.rules.option_values["last_round"])]
            left = [f"left{seat}-{index}" for index in range(len(keys))]
            found = dict(zip(keys, shown, strict=False))
            if seat == self.sight.seat:
                held = [card for card in state.hands[seat] if card not in shown]
                found |= zip(left, sorted_hand(held, {card: self.sight.face(card) for card in held}), strict=False)
            there = {key: lies[card_key(card)] for key, card in found.items() if card_key(card) in lies}
            heaps += [Heap((piece.x, piece.y), piece.width, frozenset((key,))) for key, piece in there.items()]
            at = self._places.rects[seat].centre if seat in lie_there else self.seats[seat].centre
            heaps.append(Heap(at, UNSEEN, frozenset((*keys, *left)) - there.keys()))
        return heaps

    def _left_over(self) -> list[list[Face | None]]:
        """What each seat could not use: its own cards for the reader, the backs of the others'. At the end of the match all that
        are known lie open."""
        faces: list[list[Face | None]] = [[None] * count for count in self.state.rounds[-1]]
        built = self.memory.draft
        if self._better is not None and self.sight.seat is not None:
            faces[self.sight.seat] = [*self._better.left_over]
        elif self.state.end_reason:
            for seat, hand in enumerate(self.state.hands):
                known = {card: self.sight.face(card) for card in hand}
                faces[seat] = [known[card] for card in sorted_hand(hand, known)]
        elif self.draft is not None:
            if self.draft.last is not None:
                faces[self.draft.seat] = [*self.draft.last.left_over]
        elif self._is_coming and built is not None and built.seat == self.sight.seat and built.result is not None \
                and built.round == len(self.state.rounds) - 1:
            faces[built.seat] = [*built.result.left_over]
        return faces

    def _left_pieces(self, seat: int, faces: Sequence[Face | None], room: Rect) -> tuple[list[Piece], list[Label]]:
        """What ``seat`` could not use, in ``room``, and that each of these is a point, where that covers nothing (TO-5)."""
        width, lies = self._places.left_lies(len(faces), room)
        if width * RATIO < LEAST_LEFT:
            return [], []
        pieces = [Piece(f"left{seat}-{index}", drawing(face, None, self.language), lie.x, lie.y, width, z=index,
                        label=self.say("left_over", card=self.sight.words.face(face)) if face else "", owner=seat)
                  for index, (face, lie) in enumerate(zip(faces, lies, strict=False))]
        at = number_places(pieces, NUMBER * self.sight.layout.rem, has_index=any(faces))
        return pieces, [Label(f"number{seat}-{index}", *place, figure(1, plus=True), "count") for index, place in enumerate(at)]

    def _cost(self, n: int) -> str:
        """What ``n`` cards left over cost, and where there is room for it why (TO-5)."""
        said = self.say("cost_why", n=n) if n else self.say("cost_none")
        width = self._places.rects[0].width - 2 * COST_EDGE
        return said if len(said) * COST_LETTER * self.sight.layout.rem <= width else self.say("cost", n=n)

    def _shown_now(self) -> tuple[list[Piece], list[Zone], list[Label]]:
        """What has been shown so far in this round."""
        state = self.state
        if not self.sight.past:
            self.memory.round, self.memory.shown_seats = len(state.rounds) + 1, frozenset(state.answered_seats)
        faces: dict[Card, Face | None] = dict(state.public)
        words = [self.sight.say("table.left") if seat in state.absentees else
                 self._cost(len(state.hands[seat])) if seat in state.answered_seats else self.say("not_yet")
                 for seat in range(len(state.hands))]
        return self._side_by_side([(node, faces) for node in state.toots], words, "c", [False] * len(words),
                                  settled=state.answered_seats | set(state.absentees))

    def _side_by_side(self, found: list[tuple[Node | None, dict[Card, Face | None]]], words: list[str], prefix: str,
                      best: list[bool], *, left_over: Sequence[Sequence[Face | None]] = (),
                      settled: Collection[int] | None = None) -> tuple[list[Piece], list[Zone], list[Label]]:
        """A result each; with the cards ``left_over`` of each, if these are told. ``settled``: the seats that have shown
        something, or that they have nothing; None for all: as results come they are counted seat by seat then."""
        results = [self._result(seat, toot, faces, words[seat], prefix, best[seat], left_over,
                                is_settled=settled is None or seat in settled)
                   for seat, (toot, faces) in enumerate(found)]
        if settled is None and self._is_coming:
            self._count(results)
        order = self._order if settled is None else range(len(results))
        return ([piece for seat in order for piece in (*results[seat].toot, *results[seat].left_over)],
                [result.zone for result in results if result.zone is not None],
                [label for result in results for label in result.labels])

    @property
    def _order(self) -> list[int]:
        """The seats in the order in which they are counted: the reader's first, then to the left."""
        seats, first = self.sight.view.rules.seats, self.sight.seat or 0
        return [(first + step) % seats for step in range(seats)]

    def _result(self, seat: int, node: Node | None, faces: Mapping[Card, Face | None], words: str, prefix: str,
                is_best: bool, left_over: Sequence[Sequence[Face | None]], *, is_settled: bool) -> Result:
        """What ``seat`` showed, in its place."""
        places = self._places
        at, name = places.rects[seat], self.sight.words.seat(seat)
        kind = "title" if is_best else "plain"
        if at.height < least_high(self._line) - 2 * BETWEEN_RESULTS:
            said = self.say("in_short", seat=name, cost=words) if words else name
            return Result((), (), None, (Label(f"who{seat}", *at.centre, said, kind),))
        head, rest = at.top(self._line)
        foot, room = rest.foot(self._line)
        left = left_over[seat] if left_over else ()
        is_alone = node is None and is_settled and len(left) > 0
        none_at, whole = room.top(self._line)
        strip = places.strip(at)
        if not places.is_beside:
            room = room.foot(strip.height)[1]
        elif self._left_counts[seat]:
            room = room.end(strip.width + EDGE)[1]
        labels = [Label(f"who{seat}", *head.centre, name, "title")]
        if words:
            labels.append(Label(f"cost{seat}", *foot.centre, words, kind))
        pieces: list[Piece] = []
        told = self.say("nothing_shown")
        if node is not None:
            stack = TootStack(tuple(lines(node)))
            how = arrange([stack], room.grow(-2), places.card, 0)
            pieces = self.stack_pieces(how.stacks[0], how.rects[0], how, 1, faces=faces, prefix=prefix)
            laid = pieces_of((node,))[::-1]
            told = ", ".join(self.stated_name(self.sight.words.face(faces[card] or ""), stated) for card, stated in laid)
        elif is_settled:
            labels.append(Label(f"none{seat}", *(none_at if is_alone else room).centre, told))
        else:
            told = self.say("waits_for")
        zone = Zone(f"result{seat}", at, "mat", self.say("result", seat=name, cards=told, cost=words or self.say("not_yet")),
                    flags=("legal",) if is_best else ())
        lie, numbers = self._left_pieces(seat, left, whole if is_alone else strip)  # of a seat with no TooT where that would lie
        return Result(tuple(pieces), tuple(lie), zone, (*labels, *(numbers if words else ())))

    def _count(self, results: list[Result]) -> None:
        """Have ``results`` come seat by seat: a TooT, then one by one what is left over, then what that costs flies off."""
        lay_open = self._lay_open
        coming = [(() if seat in lay_open else result.toot) + (() if seat == self.sight.seat else result.left_over)
                  for seat, result in enumerate(results)]
        total = sum(map(len, coming))
        seconds = min(COUNTED, COUNT_SEAT * len(results), COUNT_CARD * total if total else COUNTED)
        at = 0.0
        for done, seat in enumerate(self._order, 1):
            result, begins = results[seat], at
            at = at + seconds * len(coming[seat]) / total if total else seconds * done / len(results)
            ends, lie = max(LANDS, at), len(result.left_over)
            each = (at - begins) / max(1, len(coming[seat]))
            numbered = {f"number{seat}-{index}": max(LANDS, ends - each * (lie - 1 - index)) for index in range(lie)}
            there = {f"who{seat}"} if result.zone is not None else set()
            results[seat] = result._replace(labels=tuple(
                label if label.key in there else replace(label, delay=numbered.get(label.key, ends)) for label in result.labels))
            self._won_at[seat] = self._places.rects[seat].foot(self._line)[0].centre
            self._won_after[seat] = ends
        self._count_seconds = seconds

    # ---- what the reader has built ----

    @property
    def _stands(self) -> bool:
        """Whether the reader is done with what lies on the mat, and others still build."""
        state, built = self.state, self.memory.draft
        return (state.phase == "work" and built is not None and not self.sight.past and self.sight.seat == built.seat
                and built.seat in state.finished_seats and built.round == len(state.rounds) and built.begun
                and set(built.hand) == set(state.hands[built.seat]))

    def _standing(self) -> tuple[list[Piece], list[Zone], list[Label]]:
        """It lies as it was laid, until it is shown."""
        self.draft = built = self.memory.draft
        assert built is not None
        self.hand_cards = [card for card in self.hand_order if card in built.turn.hand_left]
        self.take_the_empty_tray()
        pieces, zones, labels, _, _ = self.building_scenery(self.mat)
        self.draft = None
        return ([replace(piece, tap=False, drag=False, pressed=None, flags=("past",)) for piece in pieces],
                [zone for zone in zones if zone.key != "place"],
                [label for label in labels if not label.key.startswith("another")])


class SpeedScenery(PileBeside[SpeedState]):
    """One scene of Speed TooT."""

    rules: Speed
    draft: SpeedDraft | None
    last_draft: SpeedDraft | None = None  # of the reader, where nothing is composed any more: it knows when the round began
    closes_up = False  # nothing moves under a finger in a hurry

    @property
    def least_held(self) -> int:
        """A draw makes no card smaller, as there is room for a few more; on a phone held sideways all would be small."""
        return super().least_held if self.sight.layout.low else HAND + USUALLY_DRAWN

    def _held(self) -> list[Card]:
        """Cards that were drawn lie last: those that were there stay in their order."""
        held, dealt = super()._held(), self.state.hands[self.sight.seat][:HAND] if self.sight.seat is not None else ()
        return sorted(held, key=lambda card: card not in dealt)

    @property
    def playable(self) -> bool:
        return self.draft is not None and self.state.phase == "go"

    def hand_face(self, card: Card) -> Face | None:
        return None if self.state.phase == "ready" else self.sight.face(card)

    def scene(self) -> Scene:
        state, draft = self.state, self.draft
        going = draft is not None and state.phase == "go"
        if self._reviewing:
            self._clear_the_tray()
        else:
            self._stand_by_the_clock()
        pieces, zones, labels, spots, rests = self.pile(self.say("do.draw"), live=going)
        if draft is not None and draft.shows_pile:
            pieces = [replace(piece, flags=("marked",)) if piece.tap else piece for piece in pieces]
        note, warning = "", False
        if draft is not None and going:
            if draft.claim_fault() is None:  # only then: nothing moves under a finger in a hurry
                self.take_the_empty_tray()
            mat = self.building_scenery(self.mat)
            pieces, zones, labels, spots, rests = (
                [*pieces, *mat[0]], [*zones, *mat[1]], [*labels, *mat[2]], [*spots, *mat[3]], [*rests, *mat[4]])
            note, warning = self._note()
            heat = f"-{draft.seat}" if self.heats else ""
            x, y = self._clock_at
            labels.append(Label(clock_key(state, self.rules), x, y, "", "clock"))
            rests += [self.coming(seat, [f"v{seat}-{index}" for index in range(len(hand))])
                      for seat, hand in enumerate(state.hands)]
            if not draft.begun:
                word, (x, y), width = self.say("go"), self._middle, self.sight.layout.width
                if self.sight.layout.narrow:  # on a phone a long word is as wide as it can be
                    x = max(width / 2, min(x, width * (1 - GO_LETTER * len(word) / 2)))
                labels.append(Label(f"go{state.round}{heat}", x, y, word, "go"))
        elif self._reviewing:
            pieces, zones, labels, note, warning = self._verification()
            rests = [resting((*state.pile, *self._put_away), self.pile_at(), self.pile_width, drawing(None))]
        elif draft is not None and draft.count is not None:
            labels += [self._stopped_clock(), Label(f"count{draft.count}", *self._middle, str(draft.count), "huge")]
        elif state.phase == "ready":
            note = self._before()
            told = self._leave_room_for_examples()
            if told is None or self.sight.layout.low:
                labels.append(self._stopped_clock())
            if told is not None:
                shown, place, words = self.first_place("first", told, self.say("example.title"), self.say("aim", n=HAND))
                pieces, zones, labels = [*pieces, *shown], [*zones, place], [*labels, *words]
            labels += self._before_the_round()
        elif self.sight.seat in state.yielding_seats:
            note = self.say("note.gave_up")
        return self.compose(pieces=pieces, spots=spots, zones=zones, labels=labels, rests=rests,
                            scores=[str(wins) for wins in self._wins()], notes=self._notes(), status=self._status(),
                            controls=self._controls(), note=note, warning=warning, is_checking=self._is_checking,
                            counts=self.draft.counts_before if self._reviewing and self.draft is not None else None,
                            won=() if state.last is not None and state.phase == "ready" and len(self.sight.acting) > 1 else None)

    def _stand_by_the_clock(self) -> None:
        """The clock runs above the mat, and the first place stands in the middle under it, as long as there is room beside the
        pile. On a phone held sideways the clock runs under the pile."""
        layout, high = self.sight.layout, CLOCK * self.sight.layout.rem
        if layout.low:
            self.px_beneath = UNDER_PILE + high
            self.mat = self.stand_pile()
            self._middle = self.mat.centre
            self.middle, (x, y) = self._middle[0], self.pile_at()
            self._clock_at = max(x, HALF_CLOCK * layout.rem), y + self.pile_width * RATIO / 2 + UNDER_PILE + high / 2
        else:
            over, self.mat = self.mat.top(high)
            self._clock_at = layout.width / 2, over.centre[1]
            self._middle = self.around_mat().centre
            self.mat = self.stand_pile()
            self.middle = layout.width / 2
        if self.draft is not None:
            self.draft.room = self.mat

    def _clear_the_tray(self) -> None:
        """What was claimed has the room of pile and hand, too: the next one comes when this has been seen."""
        self._put_away = () if self.sight.seat is None else self.state.hands[self.sight.seat]
        left = min(self.side.x, self.mat.x)
        if not self._is_passed_on:  # there stands to whom the device is passed
            self.mat = self.mat._replace(height=self.tray.bottom - self.mat.y - 4)
        self.mat = self.mat._replace(x=left, width=self.mat.right - left)
        self.hand_cards = []
        if self.sight.layout.low:
            beside, self.mat = self.mat.left(BESIDE * self.sight.layout.rem)
            self._clock_at = beside.centre
        else:
            over, self.mat = self.mat.top(RESULT * self.sight.layout.rem)
            self._clock_at = over.centre[0], over.y + UNDER_GAIN * self.sight.layout.rem

    def _leave_room_for_examples(self) -> ExamplePlacement | None:
        """Before the first round there is time to see what a TooT is: under what is to be done, where there is room for it. This
        has the place of the clock above the mat."""
        if self.state.round > 1 or self.state.last is not None:
            return None
        over = 0.0 if self.sight.layout.low else CLOCK * self.sight.layout.rem
        room = self.mat._replace(y=self.mat.y - over, height=self.mat.height + over)
        head, rest = room.top(AIM * self.sight.layout.rem)
        shown = self.place_examples(rest.grow(-4))
        if not shown.has_room:
            return None
        self._middle = self._middle[0], head.centre[1]
        return shown

    def _stopped_clock(self) -> Label:
        """The clock before it runs, where it will."""
        return Label("stopped", *self._clock_at, self.say("stopped"), "time")

    def _before_the_round(self) -> list[Label]:
        """What is to be done, and the time that is to be beaten."""
        x, y = self._middle
        line = 1.9 * self.sight.layout.rem
        best = self._to_beat()
        said = self.say("to_beat", time=self._time(best)) if best != NOT_YET else \
            self.say("how_fast" if self.heats or len(self.state.wins) == 1 else "who_first")
        aim = self.say("aim", n=HAND)
        if self.sight.layout.narrow:  # in the middle, as far as long words have room beside the pile
            half = AIM_LETTER * self.sight.layout.rem * max(len(aim), AIM_LEAST) / 2
            x = max(x, min(self.mat.x + AIM_GAP + half, self.mat.centre[0]))
        return [Label("empty", x, y - line / 2, aim, "aim", speech=aim),
                Label("to-beat", x, y + line / 2, said, "title", speech=said)]

    def _to_beat(self) -> int:
        """The least time of those who have run in this round, or of all rounds that the reader has run alone."""
        if self.heats:
            return min((time for time in self.state.times if time > 0), default=NOT_YET)
        return self.state.fastest[self.sight.seat] if self.sight.seat is not None else NOT_YET

    @property
    def _is_checking(self) -> bool:
        return self._reviewing and self.draft is not None and self.draft.is_checking

    def _wins(self) -> tuple[int, ...]:
        """The rounds won; while a claim is verified, those won before it."""
        return self.draft.wins_before if self._is_checking and self.draft is not None else self.state.wins

    @property
    def heats(self) -> bool:
        return bool(self.rules.heats)

    def _before(self) -> str:
        """What is said while cards are face down."""
        if self.heats:
            (seat,) = self.rules.turns(self.state)
            return self.say_of("note.heat", seat)
        if self.draft is None or self.draft.waiting:
            return self.say("note.waiting")
        return self.say("note.again" if self.draft.is_repeat else "note.ready")

    @property
    def _reviewing(self) -> bool:
        state, draft = self.state, self.draft
        if state.last is None or state.phase == "go":
            return False
        return bool(state.end_reason) or self._is_passed_on or (draft is not None and draft.step is not None)

    @property
    def _is_passed_on(self) -> bool:
        """Whether a heat is over and the device about to be passed on: then what was claimed lies on the table for all."""
        return self.heats and self.state.last is not None and self.sight.seat is None and not self.state.end_reason

    def _notes(self) -> list[str]:
        state = self.state
        if self.heats:
            return [self._time(time) for time in (state.last_times if self._is_round_over else state.times)]
        if len(state.wins) == 1:
            best = state.fastest[0]
            return [self.say("seat.best", time=self._time(best)) if best != NOT_YET and not self._is_checking else ""]
        aim = "" if state.end_reason else self.say("seat.first_to", n=self.rules.option_values["target"])
        key, seats = ("seat.ready", state.ready) if state.phase == "ready" else ("seat.gave_up", state.yielding_seats)
        return [self.say(key) if seat in seats and not self._is_checking else aim if seat == self.sight.seat else ""
                for seat in range(len(state.wins))]

    @property
    def _is_round_over(self) -> bool:
        """Whether the claim that is looked at was made in the last heat of a round."""
        return self._reviewing and not self.state.end_reason and not any(self.state.times) and any(self.state.last_times)

    @property
    def _decided_times(self) -> tuple[int, ...]:
        """The times of the round that the claim which is looked at has decided; none where it has not."""
        state = self.state
        if not self.heats:
            return ()
        return state.last_times if self._is_round_over else state.times if NOT_YET not in state.times else ()

    def _fastest(self, best: Set[int]) -> str:
        """Who won a round of heats, and with which time."""
        time = self._time(min(self._decided_times[seat] for seat in best))
        if len(best) == 1:
            return self.say_of("verified.fastest", *best, time=time)
        names = self.sight.catalogue.join_names(self.sight.words.seat(seat) for seat in sorted(best))
        return self.say("verified.as_fast", names=names, time=time)

    def _took(self) -> int | None:
        """The milliseconds that the claim took that is looked at; None where nobody knows."""
        state, draft = self.state, self.draft
        seat = self._claim[0]
        times = state.last_times if self._is_round_over or len(state.wins) == 1 else state.times
        if times[seat] != NOT_YET:
            return times[seat] if times[seat] > 0 else None
        if draft is not None:
            return draft.took
        return self.last_draft.until_end() if self.last_draft is not None and state.end_reason else None

    def _time(self, needed: int) -> str:
        """How long a heat took, in a word or two."""
        if needed == NOT_YET:
            return ""
        if needed == NO_TOOT:
            return self.say("seat.no_toot")
        key, params = time_words(needed)
        return self.say(f"seat.{key}", **params)

    def _status(self) -> str:
        state, draft = self.state, self.draft
        if state.end_reason:
            return ""
        if self._reviewing:
            seat, _, wrong = self._claim
            if draft is None or draft.step == draft.steps:
                winners = fastest_seats(state.last_times) if self.heats and self._is_round_over else \
                    set[int]() if self.heats or wrong else {seat}
                if len(winners) == 1:
                    return self.say_of("round_won", *winners)
            return self.say("round_n", n=state.round) if draft is None else self.say_of("verify", seat)
        if self.heats and state.phase == "go" and draft is None:
            return self.say_of("heat", *self.rules.turns(state))
        if draft is not None and draft.count is not None:
            return self.say("get_ready")
        if draft is None or draft.waiting:
            return self.say("round_n", n=state.round)
        return self.say("all_cards") if state.phase == "go" else self.say("round_ready", n=state.round)

    def _note(self) -> tuple[str, bool]:
        draft = self.draft
        assert draft is not None
        said, wrong = self.mat_note()
        if draft.selection is None and draft.best_score is None and draft.begun and draft.turn.flaw() is None:
            left = len(draft.turn.hand_left)
            return self.say("note.to_go", n=left) if left else self.say("note.all"), False
        return (said, wrong) if said else (self.say("note.speed", n=len(draft.hand)), False)

    def _controls(self) -> list[Control]:
        draft, state = self.draft, self.state
        if draft is None:
            return []
        if state.phase == "ready":
            return self._ready_controls(draft)
        fault = draft.claim_fault()
        found = self.mat_controls() or (self.helper() if len(state.wins) == 1 else [self._place_for_clearing()])
        if fault is None:  # no other button comes near this one
            return [*found, Control("claim", self.say("do.claim", n=len(draft.hand)), primary=True, shortcut="c")]
        if draft.best_score == len(draft.hand) and not draft.begun:
            found += self.solution()
        elif state.pile:
            found.append(Control("draw", self.say("do.draw"), shortcut="d"))
        elif draft.seat not in state.yielding_seats:
            found.append(Control("give_up", self.say("do.give_up"), shortcut="g"))
        return [*found, Control("claim", self.say("do.claim_off"), why=self.reason(fault), shortcut="c")]

    def _place_for_clearing(self) -> Control:
        """The place of that button, so that no other moves when it comes."""
        return Control("clear", "", why=self.sight.say("toot.refuse.not_now"), shape=ButtonShape.SHARED)

    def _ready_controls(self, draft: SpeedDraft) -> list[Control]:
        ready = Control("ready", self.say("do.set_off" if self.heats else "do.ready"), primary=True, shortcut="c")
        if self._reviewing and draft.is_checking:
            # never where being ready is said, which is offered next
            return [Control("hurry", self.say("do.skip"), shortcut="c", seconds=min(STEP, FILM / draft.steps),
                            lapse=f"step{draft.step}"), Control("ready", "", why=self.sight.say("toot.refuse.not_now"))]
        if draft.count is not None:  # nobody hurries it: it is the same for all
            return [Control(f"count{draft.count}", "", why=self.say("note.ready"), seconds=BEAT)]
        return [] if draft.waiting else [ready]

    # ---- a claim, step by step ----

    @property
    def _claim(self) -> Claim:
        """The claim that is looked at."""
        assert self.state.last is not None
        return self.state.last

    def _verification(self) -> tuple[list[Piece], list[Zone], list[Label], str, bool]:
        state, draft = self.state, self.draft
        seat, shown, wrong = self._claim
        step = claim_steps(state.last) if draft is None or draft.step is None else draft.step
        toots: list[Node] = []
        faces: dict[Card, Face] = {}
        for toot in shown:
            node, own = number_cards(toot, 100 * len(toots))
            toots.append(node)
            faces.update(own)
        checked = list(nodes(tuple(toots)))
        done = checked[:step]
        bad, sentence, warning = self._judged(checked, done, faces, tuple(toots))
        is_whole = step > len(checked) and not wrong
        good = set() if is_whole else {card for node in done for card, _ in node[0]} - bad  # then it is marked as a whole
        stacks = [TootStack(tuple(lines(node))) for node in toots]
        how = arrange(stacks, self.mat, LARGEST_SHOWN, self.caption)
        pieces: list[Piece] = []
        for stack, at in zip(how.stacks, how.rects, strict=True):
            pieces += [self._flagged(piece, good, bad) for piece in
                       self.stack_pieces(stack, at, how, len(pieces) + 1, faces={**faces}, prefix=f"v{seat}-")]
        zones = [Zone(f"claim{index}", at, "mat", flags=("legal",) if is_whole else ()) for index, at in enumerate(how.rects)]
        return pieces, zones, self._result_words(len(faces), is_whole=is_whole), sentence, warning

    def _result_words(self, count: int, *, is_whole: bool) -> list[Label]:
        """How long it took, once it was found to be right also that it was all ``count`` cards, and whether that is the best of
        several times."""
        took, state = self._took(), self.state
        x, y = self._clock_at
        told = is_whole and not self.sight.layout.low  # beside the claim there is only room for the time
        if took is None and self.heats:
            is_lost = bool(self._claim[2]) and self._is_passed_on
            return [Label("no-toot", x, y, self.say("seat.no_toot"), "time")] if is_lost else []
        if took is None:
            return [Label("all-of", x, y, self.say("all_of", n=count), "time")] if told else []
        time = self._time(took)
        found = [Label(f"time{state.round}", x, y, self.say("all_in", n=count, time=time) if told else time, "time")]
        is_best = is_whole and len(state.wins) == 1 and state.wins[0] > 1 and took == state.fastest[0]
        return [*found, Label("best", x, y + 1.6 * self.sight.layout.rem, self.say("best_yet"), "title")] if is_best else found

    def _flagged(self, piece: Piece, good: set[Card], bad: set[Card]) -> Piece:
        card = int(piece.key.rpartition("-")[2])
        flags = ("wrong",) if card in bad else ("marked",) if card in good else ()
        return Piece(piece.key, piece.drawing, piece.x, piece.y, piece.width, z=piece.z, flags=flags)

    def _judged(self, checked: list[Node], done: list[Node], faces: dict[Card, Face],
                toots: tuple[Node, ...]) -> tuple[set[Card], str, bool]:
        """The cards found wrong so far, and what the last step found."""
        seat, _, wrong = self._claim
        for node in done:
            try:
                top(node, faces, None)
            except Refused as error:
                return {card for card, _ in node[0]}, self.reason(error.refusal), True
        if len(done) == len(checked) and (self.draft is None or self.draft.step is None
                                          or self.draft.step > len(checked)):
            fault = flaw(toots, faces)
            if fault is not None:
                return set(), self.reason(fault), True
            if wrong:
                return set(), self.say("verified.left_over_heat" if self.heats else "verified.left_over"), True
            best = fastest_seats(self._decided_times)
            if best:
                return set(), self._fastest(best), False
            is_timed = self.heats or len(self.state.wins) == 1  # then the time is what counts
            found = self.say_of("verified.heat" if is_timed else "verified.all", seat, n=len(faces))
            draft = self.draft
            if draft is not None and draft.used and seat != draft.seat and not self.heats:
                found = self.say("had_all" if draft.used == draft.of else "had", sentence=found, used=draft.used, of=draft.of)
            return set(), found, False
        if not done:
            return set(), self.say_of("verified.begin", seat), False
        cards = [self.stated_name(self.sight.words.face(faces[card]), stated) for card, stated in done[-1][0]]
        key = "verified.number" if done[-1][1] else "verified.pair" if len(cards) == 2 else "verified.single"
        found = self.say(key, card=cards[0], other_card=cards[-1], n=len(done[-1][1]))
        return set(), found[:1].upper() + found[1:], False  # a sentence, whatever card it begins with

