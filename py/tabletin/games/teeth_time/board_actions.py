"""What may be done now in Teeth Time, in words: buttons, the line beside the hand, the whammy question.

There is one primary button, named by what it does. Pure: it reads a sight and a draft, and knows only what that reader knows.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tabletin.board.scene import ButtonShape, Control, Prompt, Sight
from tabletin.games.teeth_time.cards import COLOUR, OWN_PLAYS, PENALTIES, PENALTY_DRAWS, RANK, TOOTHACHE
from tabletin.games.teeth_time.draft import TeethTimeDraft
from tabletin.games.teeth_time.groups import RUN, SET, Contract, NamedGroup
from tabletin.games.teeth_time.scoring import hand_items, hand_winners
from tabletin.games.teeth_time.state import COUNTER, NOBODY, OVER, PLAY, REPLY, SCORED, WINDOW, TeethTimeState
from tabletin.kernel.faces import Card
from tabletin.kernel.schema import Move
from tabletin.words import figure

PULL_SECONDS: Final = 8.0  # then a silent seat has declined
SHARED_SECONDS: Final = 14.0  # … where several people bend over one device
WHAMMY_SECONDS: Final = 15.0


class Actions:
    """Words and buttons for one scene."""

    def __init__(self, sight: Sight, draft: TeethTimeDraft | None) -> None:
        self.sight = sight
        self.draft = draft
        self.state: TeethTimeState = sight.view.state

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth_time.board.{key}", **params)

    # ---- names ----

    def short(self, card: Card) -> str:
        """A card's name without what it teaches: "red 6"; "a card" where it is not known."""
        face = self.sight.face(card)
        if face is None or face not in RANK:
            return self.sight.words.card(card, self.sight.view.faces)
        colour = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}[COLOUR[face]]
        return self.say("tooth", colour=f"teeth_time.art.colour.{colour}", rank=RANK[face])

    def contract(self, contract: Contract) -> str:
        """The contract in a few words: "set + run"."""
        counts = Counter(kind for kind, _ in contract)
        return " + ".join(self.say(f"kinds.{kind}", n=counts[kind]) for kind in (SET, RUN) if counts[kind])

    def lay_label(self, laid: NamedGroup) -> str:
        """A group in a few words: "set of 6", "run 2–5"."""
        kind, base, cards = laid
        if kind == SET:
            return self.say("group.set", rank=base)
        suite = "ABCDE" if base in "ABCDE" else "12345678"
        return self.say("group.run", first=base, last=suite[suite.index(base) + len(cards) - 1])

    def way(self, way: tuple[NamedGroup, ...]) -> str:
        return " + ".join(self.lay_label(group) for group in sorted(way, reverse=True))

    def on_group(self, number: int) -> str:
        """A group on the field by whose it is and what: "your set of 6", "Bea's run"."""
        group = self.state.groups[number]
        mine = "my_" if group.owner == self.sight.seat else "their_"
        return self.say(f"on.{mine}{group.kind}", seat=self.sight.words.seat(group.owner), rank=group.rank)

    def change(self, points: int) -> str:
        """How many points a lay takes off what the hand counts (TT-15), or a wild that comes for it adds, in a word: where the
        fewest points win, "−30" looks like a loss."""
        return self.say("more" if points > 0 else "off", points=abs(points))

    # ---- one line ----

    def status(self) -> str:
        state, seat = self.state, self.sight.seat
        turn = self.sight.say("table.status.turn", seat=self.sight.words.seat(max(0, state.turn)))
        if self.sight.stepping:
            return turn
        if self.sight.past or state.phase not in (WINDOW, PLAY, REPLY, COUNTER, SCORED):
            return ""
        if state.phase == SCORED:
            winners = hand_winners(state)
            key = "won" if len(winners) == 1 else "scored"
            return self.say(f"status.{key}", n=state.hand_no + 1, seat=next(iter(winners), 0))
        if state.phase in (REPLY, COUNTER):
            asked = state.reply[1] if state.phase == REPLY else state.turn
            return "" if self.sight.may_act else self.say("status.reply", seat=self.sight.words.seat(asked))
        if state.phase == WINDOW:
            if seat == state.turn and not state.left:
                return ""
            if self.sight.may_act and not self.sight.idle:
                return self.say("status.pull", card=self.short(state.discards[-1])) if state.discards else ""
            if state.left:
                return self.say("status.pulls", card=self.short(state.discards[-1]))
            return self.sight.say("table.status.yours") if self.sight.words.me == state.turn else turn
        return ""

    def ask(self) -> str:
        """What the seat whose turn it is may do, in two or three words."""
        state = self.state
        if self.sight.may_act and state.phase in (REPLY, COUNTER):
            return self.say("ask.reply" if self.draft is not None and self.draft.preventions else "ask.accept")
        if not self.sight.may_act or self.sight.seat != state.turn:
            return ""
        if state.phase == WINDOW and not state.left:
            return self.say("ask.draw")
        return self.say("ask.play") if state.phase == PLAY else ""

    def note(self) -> tuple[str, bool]:
        """The line beside the hand, and whether it says that something is wrong."""
        draft, state = self.draft, self.state
        if state.phase == SCORED and not self.sight.past:
            if self.sight.answered:
                return "", False
            counted = self.count_note(self.sight.seat) if self.sight.seat is not None else ""
            if counted:
                return self.say("note.counted", counted=counted), False
            return self.star_note(), False
        if draft is None:
            return "", False
        if draft.playing:
            return self._note_of_play(draft), False
        if state.phase == WINDOW and state.discards:
            if draft.drawing:
                return self.say("note.draw", card=self.short(state.discards[-1])), False
            return ("" if self.sight.idle else self._note_of_pull(draft)), False
        return "", False

    def _note_of_pull(self, draft: TeethTimeDraft) -> str:
        """What the discard would be good for, and what it costs."""
        use, cost = draft.use_of_discard, "extra" if self.state.left else "pull"
        said = self.say(f"note.{cost}", seat=self.sight.words.seat(self.state.turn))
        if use is None:
            return said
        cards = self.sight.catalogue.join_names([self.short(card) for card in use.cards])
        why = self.say(f"use.{use.what}", cards=cards, n=len(use.cards), points=figure(use.points, plus=True))
        return f"{why} {said}"

    @property
    def is_won_by_stars(self) -> bool:
        """Whether the match is over and stars decided, as the lowest totals are the same."""
        return self.state.phase == OVER and self.state.end_reason == "teeth_time.ended.stars"

    def star_note(self) -> str:
        """Who has the star of the hand just counted, and what wins it; at the end of a match with equal totals, what decides
        (TT-15)."""
        if self.is_won_by_stars:
            return self.sight.say("teeth_time.ended.stars")
        out, winners = self.state.first_out, hand_winners(self.state)
        if out == NOBODY:
            return self.say("note.blocked")
        said = self.say("note.out", seat=out)
        return said if out in winners else self.say("note.fewest", out=said)

    def count_note(self, seat: int) -> str:
        """How the hand just counted came about for ``seat``, item by item; "" where no hand has been counted, or its own is
        not known."""
        return ", ".join(self.counted_items(seat))

    def counted_items(self, seat: int) -> list[str]:
        """The items of ``count_note``."""
        state = self.state
        if state.phase not in (SCORED, OVER) or len(state.scores) <= state.hand_no or seat in state.absentees:
            return []
        if not state.public.knows(state.hands[seat]):
            return []
        said = [self.say(f"counted.{name}", n=n, points=figure(points, plus=True))
                for name, (n, points) in hand_items(state, seat).items() if n]
        return said or [self.say("counted.nothing")]

    def _note_of_play(self, draft: TeethTimeDraft) -> str:
        card, way = draft.single, draft.way
        if way is not None:
            left = len(self.state.hands[draft.seat]) - len(draft.selection)
            said = self.say("note.way", way=self.way(way), n=left)
            return said[:1].upper() + said[1:]
        if card is not None:
            face = draft.face(card)
            if face in PENALTIES:
                key = "penalty_one" if len(draft.targets) == 1 else "penalty" if draft.targets else "no_target"
                return self.say(f"note.{key}", seat=self.sight.words.seat(draft.targets[0]) if draft.targets else "")
            if face in OWN_PLAYS:
                return self.say(f"note.{face}")
            places = len(draft.places(card))
            return self.say("note.places", n=places) if places else self.say("note.card")
        if draft.selection:
            wanted = self.say("any_group") if draft.down else self.contract(self.state.contract)
            return self.say("note.no_way", contract=wanted)
        if draft.order.way_down is not None:
            return self.say("note.can_go_down")
        if draft.order.moves:
            return self._note_of_move(draft.order.moves[0])
        held = [card for card in self.state.hands[draft.seat]
                if draft.face(card) in OWN_PLAYS or (draft.face(card) in PENALTIES and draft.targets)]
        if held:
            return self.say("note.give" if draft.face(held[0]) in PENALTIES else "note.play", card=self.short(held[0]))
        return self.say("note.discard")

    def _note_of_move(self, move: Move) -> str:
        """What could be laid, where nothing is picked."""
        if move[0] == "group":
            return self.say("note.may_lay", what=self.lay_label((move[1], move[2], move[3])))
        said = self.say("note.may_add", card=self.short(move[3]))
        return said[:1].upper() + said[1:]

    # ---- buttons ----

    def controls(self) -> tuple[Control, ...]:
        state, draft = self.state, self.draft
        if self.sight.past:
            return ()
        if state.phase == WINDOW:
            return self._window()
        if state.phase == SCORED:  # nobody needs a hand to deal
            dealer = state.next_dealer()
            deal = Control("deal", self.say("do.deal"), primary=True, shortcut="c", seat=dealer, move=("deal",))
            return (deal,) if dealer in self.sight.people and dealer in self.sight.acting else ()
        return self._play(draft) if draft is not None and draft.playing else ()

    def _window(self) -> tuple[Control, ...]:
        state, draft, sight = self.state, self.draft, self.sight
        made: list[Control] = []
        shared = len(sight.people) > 1
        if draft is not None and draft.drawing:
            takes = draft.advice == ("take",)  # what a hint advises has the large button
            made.append(Control("take", self.say("do.take", card=self.short(state.discards[-1])), primary=takes, shortcut="t"))
            made.append(Control("leave", self.say("do.leave"), primary=not takes, shortcut="c"))
        elif draft is not None and sight.idle:  # it helps in nothing: nobody is asked, but may call
            made.append(Control("call", self.say("do.call"), shortcut="p"))
        elif draft is not None and draft.pulling and not shared:
            decline, call = (draft.advice == (verb,) for verb in ("decline", "call"))  # a gamble: only a hint prefers one
            made.append(Control("decline", self.say("do.decline"), primary=decline, shortcut="n", seconds=PULL_SECONDS))
            made.append(Control("call", self.say("do.call"), primary=call, shortcut="p"))
        if shared:
            waiting = [seat for seat in sight.acting if seat in sight.people and seat != state.turn]
            for number, seat in enumerate(waiting, 1):
                made.append(Control(f"call{seat}", self.say("do.call_by", seat=sight.words.seat(seat)), seat=seat,
                                    move=("call",), shortcut=str(number) if number < 10 else ""))
            drawer_first = state.turn in sight.people and not state.left
            if waiting and not drawer_first:
                moves: tuple[tuple[int, Move], ...] = tuple((seat, ("decline",)) for seat in waiting)
                made.append(Control("nobody", self.say("do.nobody"), primary=True, shortcut="n", moves=moves,
                                    seconds=SHARED_SECONDS))
        return tuple(made)

    def _play(self, draft: TeethTimeDraft) -> tuple[Control, ...]:
        if len(draft.selection) > 1:
            return self._lay(draft)
        card = draft.single
        if card is not None:
            return self._one(draft, card)
        if draft.order.way_down is not None:
            return (self._propose(),)
        if draft.order.moves:
            return (Control("next", self._move(draft.order.moves[0]), primary=True, shortcut="c"),)
        return (Control("discard", self.say("do.discard_none"), primary=True, why=self.say("why.discard"),
                        shortcut="c", shape=ButtonShape.MODEST),)

    def _propose(self) -> Control:
        """The button that picks what can go down."""
        return Control("propose", self.say("do.propose", contract=self.contract(self.state.contract)), primary=True, shortcut="c",
                       is_help=True)

    def _lay(self, draft: TeethTimeDraft) -> tuple[Control, ...]:
        clear = Control("clear", self.say("do.clear"))
        ways = draft.ways()
        if not ways:
            wanted = self.say("any_group") if draft.down else self.contract(self.state.contract)
            return (clear, Control("lay", self.say("do.lay", what=wanted), primary=True, shortcut="c",
                                   why=self.say("note.no_way", contract=wanted)))
        way = draft.way
        assert way is not None
        label = self.say("do.lay", what=self.lay_label(way[0])) if draft.down else \
            self.say("do.lay_down", contract=self.contract(self.state.contract))
        lay = Control("lay", label, primary=True, shortcut="c")
        if len(ways) == 1:
            return (clear, lay)
        other = ways[(draft.way_index + 1) % len(ways)]
        return (clear, Control("otherwise", self.say("do.otherwise", way=self.way(other)), shortcut="o"), lay)

    def _one(self, draft: TeethTimeDraft, card: Card) -> tuple[Control, ...]:
        face = draft.face(card)
        name = self.short(card)
        places = draft.places(card)
        act: Control | None = None
        if face in OWN_PLAYS:
            act = Control("play", self.say(f"do.{face}"), primary=True, shortcut="c")
        elif face in PENALTIES and draft.targets:
            target = draft.targets[0]
            act = Control(f"at{target}", self.say("do.penalty", card=name, seat=self.sight.words.seat(target)),
                          primary=True, shortcut="c")
        elif places:
            move = draft.advice if draft.advice in places else places[0]
            assert move is not None
            act = Control(place_key(move), self._move(move), primary=True, shortcut="c")
        elif any(card in cards for _, _, cards in draft.order.way_down or ()):
            act = self._propose()
        is_asked = act is None and not draft.is_building and card not in draft.order.fits  # else a group may be meant
        discard = Control("discard", self.say("do.discard", card=name), primary=is_asked, shortcut="c" if is_asked else "d",
                          shape=ButtonShape.MODEST)
        return (discard,) if act is None else (discard, act)

    def _move(self, move: Move) -> str:
        """A laying move as a button says it."""
        if move[0] == "group":
            return self.say("do.lay", what=self.lay_label((move[1], move[2], move[3])))
        verb, number, rank, card = move
        return self.say(f"do.{verb}", card=self.short(card), rank=rank, group=self.on_group(number))

    # ---- the question ----

    def prompt(self) -> Prompt | None:
        """The question "whammy?" to the seat that a penalty was played on, with any hand (TT-11): others see no difference. Who
        has nothing to answer with has one button, and is told why; who has, what that would do.
        """
        state, draft = self.state, self.draft
        if draft is None or state.phase not in (REPLY, COUNTER) or self.sight.past:
            return None
        card, target = state.reply
        face = self.sight.face(card)
        if face is None:
            return None
        key = "reply" if state.phase == REPLY else "counter"
        other = state.turn if state.phase == REPLY else target
        title = self.say(f"{key}.title", seat=self.sight.words.seat(other), card=self.sight.words.face(face))
        if face == TOOTHACHE:
            text = self.say("reply.toothache")
        elif face in PENALTY_DRAWS:
            text = self.say("reply.draw", n=PENALTY_DRAWS[face])
        else:
            text = self.say("reply.gumpster")
        accept = Control("accept", self.say("do.accept"), primary=not draft.preventions)
        answers = (accept, Control("whammy", self.say("do.whammy"), primary=True)) if draft.preventions else (accept,)
        if not draft.preventions:
            text = self.say("reply.no_prevention", text=text)
        elif state.phase == REPLY:
            text = self.say("reply.turns_back", text=text, seat=self.sight.words.seat(other))
        else:
            text = self.say("counter.takes_out", text=text)
        return Prompt(key, title, answers, text, seconds=WHAMMY_SECONDS, lapse="accept")


def place_key(move: Move) -> str:
    """The key of a place on the field: of a hit or the taking of a wild."""
    verb, number, rank, _ = move
    return f"{verb}.{number}.{rank}"
