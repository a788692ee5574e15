"""The table of Speed TooT: a race against the clock, and a claim verified step by step."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Final

from tabletin.board.layout import resting
from tabletin.board.scene import Control, Label, Piece, Scene, Zone
from tabletin.games.toot.arrangement import Node, flaw, nodes, top
from tabletin.games.toot.board_examples import ExamplePlacement
from tabletin.games.toot.board_pile import PileBeside
from tabletin.games.toot.board_stacks import (
    LARGEST_SHOWN,
    RATIO,
    TootStack,
    arrange_to_be_read,
    drawing,
    lines,
    number_cards,
)
from tabletin.games.toot.draft_games import Best, Reach, SpeedDraft, claim_steps
from tabletin.games.toot.speed import (
    HAND,
    NO_TOOT,
    NOT_YET,
    Claim,
    Speed,
    SpeedState,
    clock_key,
    fastest_seats,
    time_words,
)
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refused

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
        if not self.can_read(shown):
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
        found = self.mat_controls() or (self.helper() if len(state.wins) == 1 else [self.place_for_clearing()])
        if fault is None:  # no other button comes near this one
            return [*found, Control("claim", self.say("do.claim", n=len(draft.hand)), primary=True, shortcut="c")]
        if draft.best_score == len(draft.hand) and not draft.begun:
            found += self.solution()
        elif state.pile:
            found.append(Control("draw", self.say("do.draw"), shortcut="d"))
        elif draft.seat not in state.yielding_seats:
            found.append(Control("give_up", self.say("do.give_up"), shortcut="g"))
        return [*found, Control("claim", self.say("do.claim_off"), why=self.reason(fault), shortcut="c")]

    def _ready_controls(self, draft: SpeedDraft) -> list[Control]:
        ready = Control("ready", self.say("do.set_off" if self.heats else "do.ready"), primary=True, shortcut="c")
        if self._reviewing and draft.is_checking:
            # never where being ready is said, which is offered next
            return [Control("hurry", self.say("do.skip"), shortcut="c", seconds=min(STEP, FILM / draft.steps),
                            lapse=f"step{draft.step}"), Control("ready", "", why=self.sight.say("toot.refuse.not_now"))]
        if draft.count is not None:  # nobody hurries it: it is the same for all
            return [Control(f"count{draft.count}", "", why=self.say("note.ready"), seconds=BEAT)]
        if draft.waiting:
            return []
        if not self._reviewing or self.heats:
            return [ready]
        best = [] if self._better is None else \
            [Control("best_of_all", self.say("do.claim_again" if draft.shows_best else "do.best_of_all"))]
        return [*best, replace(ready, label=self.say("do.to_next_round"))]

    # ---- a claim, step by step ----

    @property
    def _claim(self) -> Claim:
        """The claim that is looked at."""
        assert self.state.last is not None
        return self.state.last

    def _verification(self) -> tuple[list[Piece], list[Zone], list[Label], str, bool]:
        state, draft = self.state, self.draft
        if draft is not None and draft.shows_best and self._better is not None:
            return self._own_best(self._better)
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
        how = arrange_to_be_read(stacks, self.mat, LARGEST_SHOWN, self.caption)
        pieces: list[Piece] = []
        for stack, at in zip(how.stacks, how.rects, strict=True):
            pieces += [self._flagged(piece, good, bad) for piece in
                       self.stack_pieces(stack, at, how, len(pieces) + 1, faces={**faces}, prefix=f"v{seat}-")]
        zones = [Zone(f"claim{index}", at, "mat", flags=("legal",) if is_whole else ()) for index, at in enumerate(how.rects)]
        return pieces, zones, self._result_words(len(faces), is_whole=is_whole), sentence, warning

    def _own_best(self, best: Best) -> tuple[list[Piece], list[Zone], list[Label], str, bool]:
        """What the reader could have built, in the place of the claim."""
        assert self.draft is not None
        node, faces = number_cards(best.toot)
        stack = TootStack(tuple(lines(node)))
        how = arrange_to_be_read([stack], self.mat, LARGEST_SHOWN, self.caption)
        pieces = self.stack_pieces(how.stacks[0], how.rects[0], how, 1, faces={**faces}, prefix="best-")
        said = self.say("own_best", n=len(faces))
        return pieces, [Zone("claim0", how.rects[0], "mat")], [Label("own-best", *self._clock_at, said, "time")], "", False

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

    @property
    def _better(self) -> Best | None:
        """The larger TooT that there was in the reader's own hand when somebody else was first."""
        reach = None if self.draft is None or self.draft.is_checking else self._reach
        return None if reach is None else reach.better

    @property
    def _reach(self) -> Reach | None:
        """How far the reader was when somebody else was first; None where nobody was, or where that is not known."""
        draft, (seat, _, wrong) = self.draft, self._claim
        if self.heats or wrong or seat == self.sight.seat:
            return None
        if draft is not None:
            return draft.last_reach
        return self.last_draft.reach() if self.last_draft is not None and self.state.end_reason else None

    def _with_own(self, sentence: str) -> str:
        """``sentence`` about somebody's claim, and how far the reader was, or could have been."""
        if self._reach is None:
            return sentence
        used, of, better = self._reach
        if better is not None:
            return self.say("could" if better.left_over else "could_all", sentence=sentence, n=of - len(better.left_over), of=of)
        return self.say("had_all" if used == of else "had", sentence=sentence, used=used, of=of) if used else sentence

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
            return set(), self._with_own(found), False
        if not done:
            return set(), self.say_of("verified.begin", seat), False
        cards = [self.stated_name(self.sight.words.face(faces[card]), stated) for card, stated in done[-1][0]]
        key = "verified.number" if done[-1][1] else "verified.pair" if len(cards) == 2 else "verified.single"
        found = self.say(key, card=cards[0], other_card=cards[-1], n=len(done[-1][1]))
        return set(), found[:1].upper() + found[1:], False  # a sentence, whatever card it begins with
