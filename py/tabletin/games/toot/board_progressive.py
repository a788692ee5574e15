"""The table of Progressive TooT: everybody's own cards, and the results of a round side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from tabletin.board.layout import resting
from tabletin.board.scene import Control, Heap, Label, Piece, Point, Prompt, Rect, Scene, Sight, Spot, Zone, card_key
from tabletin.games.toot.arrangement import Node, cards_of, pieces_of
from tabletin.games.toot.board_mat import LABEL_HALF, Scenery
from tabletin.games.toot.board_results import (
    BETWEEN_RESULTS,
    EDGE,
    LEAST_LEFT,
    ResultPlaces,
    least_high,
    number_places,
    result_places,
)
from tabletin.games.toot.board_stacks import (
    RATIO,
    TootStack,
    arrange_to_be_read,
    drawing,
    lines,
    number_cards,
    sorted_hand,
)
from tabletin.games.toot.draft_games import Best, ProgressiveDraft
from tabletin.games.toot.progressive import ProgressiveState
from tabletin.kernel.faces import Card, Face
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
    has_pile = False
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
            return self._told_at_the_end() if self.state.end_reason else "", False
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
        is_secret = any(None in left for left in self._left_over())
        secret = self.say("note.secret") if is_secret and len(rounds) == 1 else ""  # said once
        if last is None:
            return secret
        cost, own = rounds[-1], rounds[-1][draft.seat]
        better = next((seat for seat, n in enumerate(cost) if n == min(cost)), draft.seat)
        if last.laid_count != last.could:
            said = self.say("note.more", n=last.could)
        elif own == min(cost):
            said = self.say("note.most" if own else "note.most_all")
        else:
            said = self.say("note.most_beaten", name=self.sight.words.seat(better))
        return f"{said} {secret}".strip()

    def _told_at_the_end(self) -> str:
        """Why it was won, to somebody who played: the points of whoever has fewest, and their own, or the next ones."""
        totals, own = self.sight.view.rules.standings(self.state), self.sight.seat
        first, *others = sorted(range(len(totals)), key=lambda seat: totals[seat])
        if own is None or not others or totals[first] == totals[others[0]] or self._is_coming:
            return ""
        other = others[0] if first == own else own
        return self.say_of("note.fewest", first, n=totals[first], name=self.sight.words.seat(other), m=totals[other])

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
            return [*helper, *(self.solution() or self.mat_controls() or [self.place_for_clearing()]),
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
        """What each seat could not use, None for a face that this device does not know."""
        faces: list[list[Face | None]] = [[None] * count for count in self.state.rounds[-1]]
        for seat, hand in enumerate(self.state.left_over):
            known = {card: self.sight.face(card) for card in hand}
            if hand:
                faces[seat] = [known[card] for card in sorted_hand(hand, known)]
        if self._better is not None and self.sight.seat is not None:
            faces[self.sight.seat] = [*self._better.left_over]
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
        counts_up = len(set(at)) < len(at)  # the one number over the others, all of them in one place
        return pieces, [Label(f"number{seat}-{index}", *place, figure(index + 1 if counts_up else 1, plus=True), "count")
                        for index, place in enumerate(at) if self._is_coming or not counts_up or index == len(at) - 1]

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
            how = arrange_to_be_read([stack], room.grow(-2), places.card, 0)
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
