"""TooTs as a player tries them out: cards picked up, laid, joined, moved, taken back, an X stated, in any order.

It asks ``turn.Turn`` which cards go together, and when they are one TooT. What a finished mat leads to differs between the
games (``draft_games``). It never touches the match and draws nothing; ``board`` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, Generic

from tabletin.board.board import Draft, Reply
from tabletin.board.scene import Key, Point, Rect, Sight, card_of
from tabletin.games.toot.arrangement import Node, Toots, cards_of, nodes, stack, stated_as, top
from tabletin.games.toot.base import S, TootRules
from tabletin.games.toot.cards import NUMBERS, STATED, WILD, kinds
from tabletin.games.toot.draft_targets import carries_only_its_like, half, likeliest
from tabletin.games.toot.solver import best_use, build
from tabletin.games.toot.turn import ON_TABLE, TootTurn
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Move

MAT: Final[Key] = "mat"
HAND: Final[Key] = "hand"
ONTO: Final = "on"  # and the name of a group
AS: Final = "as"  # and what an X stands for; nothing leaves it to its place


class TootDraft(Draft, Generic[S]):
    """``turn``: the mat. ``selection``: the card picked up, of the hand or on top of a TooT on the mat (``ON_TABLE``: the one
    on the table). ``room``: where the board last drew the mat, on the stage. ``asking``: the X that is asked about;
    ``twins``: two X lie together and may be a pair or not. ``looking``: the TooT on the table is opened for a look.
    ``best_score``: how many cards could be used, once asked for. ``carries_pile``: the top card of the pile is in somebody's
    fingers. ``newcomer``: the card that the last tap laid onto something, which a tap on the empty place lays there instead.
    ``decides``: one tap lays a card also where several places make sense; the likeliest is taken.
    """

    rules: TootRules[Any]
    decides = False

    def __init__(self, sight: Sight) -> None:
        assert sight.seat is not None
        self.seat = sight.seat
        self.selection: Card | None = None
        self.room: Rect | None = None
        self.asking: Card | None = None
        self.twins = False
        self.looking = False
        self.best_score: int | None = None
        self.carries_pile = False
        self.newcomer: Card | None = None
        self._steps: list[list[Node]] = []
        self._joins: dict[Card, list[Card]] = {}
        self._take(sight)
        self.turn = TootTurn(self.hand, self.faces, self.top_face)

    def _take(self, sight: Sight) -> None:
        self.state: S = sight.view.state
        assert isinstance(sight.view.rules, TootRules)
        self.rules = sight.view.rules
        self.faces = sight.view.faces
        self._begun_at = self._epoch(self.state)  # the state itself may change where it is
        self.hand: tuple[Card, ...] = self.state.hands[self.seat]
        self.top_face: Face | None = self.state.top_face

    def renew(self, sight: Sight) -> bool:
        """The match has moved on: what is laid stays if its cards are still held and the table is the same."""
        if sight.seat != self.seat or self._epoch(sight.view.state) != self._begun_at:
            return False
        groups, hand = self.turn.groups, self.hand
        if not set(self.turn.mat_cards) <= set(sight.view.state.hands[self.seat]):
            return False
        self._take(sight)
        self.newcomer = None
        self._joins.clear()
        if self.hand != hand:
            self.best_score = None
        self.turn = TootTurn(self.hand, self.faces, self.top_face)
        self.turn.groups = groups
        if self.selection is not None and self.selection not in self.hand:
            self.selection = None
        return True

    def _epoch(self, state: S) -> object:
        """What must stay the same for the mat to stay as it is."""
        raise NotImplementedError

    # ---- reading ----

    @property
    def begun(self) -> bool:
        """Whether any card lies on the mat."""
        return bool(self.turn.mat_cards)

    def names(self) -> list[Card]:
        """How each group is called: by its top card, ``ON_TABLE`` for the TooT on the table by itself."""
        return [node[0][-1][0] if node[0] else ON_TABLE for node in self.turn.groups]

    def groups(self) -> Toots:
        """The groups as they are spelled: each X stated where its place says what it is."""
        return self.turn.toots()

    def fault(self, node: Node) -> Refusal | None:
        """Why the group ``node`` by itself is no TooT; None if it is one."""
        try:
            top(node, self.faces, self.top_face)
        except Refused as error:
            return error.refusal
        return None

    def whole(self) -> list[Node]:
        """The groups that are one TooT each and have a card of the hand."""
        return [node for node in self.groups() if cards_of((node,)) and self.fault(node) is None]

    def joins(self) -> list[Card]:
        """The groups that what is chosen may be joined with, by name; found once for each step."""
        chosen = self.selection
        if chosen is None:
            return []
        if chosen not in self._joins:
            self._joins[chosen] = [name for name in self.names() if self._may_join(chosen, name)]
        return self._joins[chosen]

    def _may_join(self, chosen: Card, name: Card) -> bool:
        return self._put(self._trial(), chosen, name) is None

    def _trial(self) -> TootTurn:
        """The mat as it is, to try something on."""
        trial = TootTurn(self.turn.hand, self.faces, self.top_face)
        trial.groups = list(self.turn.groups)
        return trial

    def points_of(self, turn: TootTurn) -> int | None:
        """What a mat like ``turn`` would score if it were laid as it is; None where it scores nothing or cannot be laid."""
        return None

    def points_at(self, onto: Card | None) -> int | None:
        """What would be scored with what is chosen joined to the group ``onto``, or by itself; None for nothing."""
        return None if self.selection is None else self.points_of(self._tried_at(onto))

    def made_at(self, onto: Card | None) -> Node:
        """The group that what is chosen would be in there."""
        assert self.selection is not None
        trial = self._tried_at(onto)
        return trial.toots()[trial.group(self.selection)]

    def _tried_at(self, onto: Card | None) -> TootTurn:
        """The mat with what is chosen there."""
        chosen, trial = self.selection, self._trial()
        assert chosen is not None
        if onto is not None:
            self._put(trial, chosen, onto)
        elif chosen in trial.hand_left:
            trial.lay(chosen)
        else:
            trial.lift(chosen)
        return trial

    def _put(self, turn: TootTurn, chosen: Card, onto: Card) -> Refusal | None:
        """Join what is chosen with the group ``onto``: where half a TooT or a bare number waits inside, it goes there."""
        if chosen in turn.hand_left:
            turn.lay(chosen)
        else:
            turn.lift(chosen)
        own, other = turn.group(chosen), turn.group(onto)
        if own == other:
            return Refusal("toot.refuse.no_join", rule="TO-2")
        node, part = turn.groups[other], turn.groups[own]
        inside = _inside(node, part, self.faces, _pairs) if half(part, self.faces) else None
        if inside is None:
            refusal = turn.join(chosen, onto)
            inside = None if refusal is None else _inside(node, part, self.faces, _fills)
            if inside is None:
                return refusal
        turn.groups[other] = inside
        del turn.groups[own]
        return None

    @property
    def nested(self) -> bool:
        """Whether what is chosen lies inside a group and could lie by itself."""
        return self.selection is not None and self.selection not in self.turn.hand_left and self.selection not in self.names()

    def best(self) -> int:
        """How many cards of the hand fit in one TooT."""
        use = best_use(kinds(self.faces[card] for card in self.hand), self.top_face)
        return use.size if use else 0

    # ---- what the player does ----

    def draw_move(self) -> Move | None:
        """What a tap on the pile does now; None for nothing."""
        return None

    def targets(self) -> list[Card] | None:
        """The groups that a tap lays the card of the hand that is chosen onto; []: by itself. None: where is for the player to
        say, with another tap."""
        chosen = self.selection
        assert chosen is not None
        groups = {name: self.turn.groups[self.turn.group(name)] for name in self.joins()}
        return likeliest(self.faces[chosen], groups, self.faces, partial(self._would_touch, chosen), decides=self.decides)

    def _would_touch(self, chosen: Card, names: Iterable[Card]) -> bool:
        """Whether with ``chosen`` on ``names`` a number could only touch its like."""
        trial = self._trial()
        for name in names:
            self._put(trial, chosen, name)
        return any(carries_only_its_like(node, self.faces, self.top_face) for node in nodes(trial.toots()) if node[0])

    def tap(self, key: Key) -> Reply:
        self.carries_pile = False
        newcomer, self.newcomer = self.newcomer, None
        if key == MAT and self.selection is None and newcomer is not None:
            self.step_back()
            self.selection = newcomer
        card = card_of(key)
        if card in self.state.pile:
            return self.draw_move()
        if card is not None:
            return self._tap_card(self._named(card))
        if key.startswith(ONTO) and key[len(ONTO):].lstrip("-").isdigit():
            return self._join(int(key[len(ONTO):]))
        if key == MAT:
            return self._by_itself()
        if key == HAND:
            return self._to_hand()
        if key.startswith(f"{AS}:"):
            return self._stated(key[len(AS) + 1:])
        return self._press(key)

    def _press(self, key: Key) -> Reply:
        if key == "clear":
            self._keep()
            self.turn.clear()
            self.selection = None
        elif key == "state":
            self.asking = self.selection
        elif key == "look":
            self.looking = not self.looking
            self.selection = None
        elif key == "best":
            self.best_score = self.best()
        elif key == "best_show":
            self._keep()
            self.solve()
        return None

    def _named(self, card: Card) -> Card:
        """``card``, or the TooT on the table that it is part of."""
        return ON_TABLE if card in self.state.table_cards else card

    def _tap_card(self, card: Card) -> Reply:
        if card == ON_TABLE and self.looking:
            self.looking = False
        elif card == ON_TABLE and self.names() == [ON_TABLE]:
            self.looking = True  # nothing else to be done with it yet
        else:
            asked = self.selection if self.selection in self.turn.hand_left else None
            self.selection = None if card == self.selection else card
            targets = self.targets() if self.selection in self.turn.hand_left else None
            if targets is not None:
                reply = self._lay_onto(card, targets) if targets else self._by_itself()
                self.selection = asked  # where that goes is still to be said
                return reply
        return None

    def _lay_onto(self, card: Card, targets: Iterable[Card]) -> Reply:
        """Lay ``card`` onto ``targets``, a number onto several."""
        self._keep()
        for name in targets:
            self._put(self.turn, card, name)
        self.selection, self.newcomer = None, card
        if self.decides:  # two X are a pair; whoever means one on top of the other carries it there
            self.asking, self.twins = None, False
        else:
            self._ask_twins(card)
        return None

    def _keep(self) -> None:
        """A step is about to be made: remember what it was before."""
        self._steps.append(list(self.turn.groups))
        self._joins.clear()
        self.best_score = None

    def _unkeep(self, refusal: Refusal) -> Refusal:
        self._steps.pop()
        return refusal

    def _join(self, onto: Card) -> Reply:
        chosen = self.selection
        if chosen is None or onto not in self.names():
            return None
        if onto not in self.joins():
            self.selection = None
            return Refusal("toot.refuse.no_join", rule="TO-2")
        self._keep()
        refusal = self._put(self.turn, chosen, onto)
        self.selection = None
        if refusal is not None:
            self.turn.groups = list(self._steps[-1])
            return self._unkeep(refusal)
        self._ask_twins(chosen)
        return None

    def _ask_twins(self, card: Card) -> None:
        """Two X laid together may be a pair, or one on top of the other."""
        node = self.turn.groups[self.turn.group(card)]
        if len(node[0]) == 2 and all(self.faces[own] == WILD and stated is None for own, stated in node[0]):
            self.asking, self.twins = card, True

    def _by_itself(self) -> Reply:
        chosen = self.selection
        if chosen is None:
            return None
        self._keep()
        if chosen in self.turn.hand_left:
            self.turn.lay(chosen)
        else:
            self.turn.lift(chosen)
        self.selection = None
        return None

    def _to_hand(self) -> Reply:
        chosen = self.selection
        self.selection = None
        if chosen is not None and chosen in self.turn.mat_cards:
            self._keep()
            self.turn.take_back(chosen)
        return None

    def _stated(self, face: str) -> Reply:
        card, self.asking = self.asking, None
        twins, self.twins = self.twins, False
        if card is None:
            return None
        self._keep()
        if twins and face == "over":
            index = self.turn.group(card)
            lower, upper = self.turn.groups[index][0]
            self.turn.groups[index] = stack(upper, ((lower,), ()))
        elif not twins:
            self.turn.state(card, face if face in STATED else None)
        self.selection = None
        return None

    def pick(self, key: Key) -> None:
        self.newcomer = None
        card = card_of(key)
        self.carries_pile = card in self.state.pile
        if card is not None:
            self.selection = None if self.carries_pile else self._named(card)

    def drop(self, key: Key, spot: Key) -> Reply:
        """A card of the pile can only be let go over the hand."""
        return self.tap(key) if card_of(key) in self.state.pile else super().drop(key, spot)

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        """Let go somewhere on the mat: a card of the hand lies there by itself, a part of a stack is taken off it."""
        if self.carries_pile:
            self.carries_pile = False
            return None
        inside = self.room is None or self.room.holds(point)
        if key and inside and self.selection is not None and (self.selection in self.turn.hand_left or self.nested):
            return self._by_itself()
        self.selection = None
        return None

    @property
    def has_steps(self) -> bool:
        return bool(self._steps)

    def step_back(self) -> bool:
        self.newcomer = None
        if self.asking is not None:
            self.asking, self.twins = None, False
        elif self.selection is not None:
            self.selection = None
        elif self.looking:
            self.looking = False
        elif self._steps:
            self.turn.groups = self._steps.pop()
            self._joins.clear()
        else:
            return False
        return True

    def put_away(self) -> None:
        """What was picked up goes back. What lies on the mat stays: a hint leaves it there until the turn itself is shown."""
        self.selection = self.asking = None
        self.twins = self.looking = False

    # ---- the solver ----

    def solve(self) -> None:
        """Lay out one TooT of as many cards of the hand as can be."""
        hand = [(card, self.faces[card]) for card in self.hand]
        use = best_use(kinds(face for _, face in hand), self.top_face)
        self.set_out(() if use is None else (build(use, hand, self.top_face),))

    def set_out(self, toots: Iterable[Node]) -> None:
        """Have just ``toots`` on the mat."""
        self.turn.clear()
        groups = list(toots)
        if any(not node[0] for node in nodes(tuple(groups))):
            self.turn.groups = groups
        else:
            self.turn.groups += groups
        self.selection = self.asking = None
        self._joins.clear()

    def compose(self, move: Move) -> None:
        """A play is laid out; with anything else nothing lies on the mat."""
        self._keep()
        self.looking = False
        self.set_out(move[1] if len(move) > 1 else ())


def _inside(node: Node, part: Node, faces: Faces, fits: Callable[[Node, Node, Faces], Node | None]) -> Node | None:
    """``node`` with ``part`` somewhere inside, where it ``fits``; None if nowhere."""
    for index, child in enumerate(node[1]):
        found = _inside(child, part, faces, fits) or fits(child, part, faces)
        if found is not None:
            return node[0], (*node[1][:index], found, *node[1][index + 1:])
    return None


def _pairs(node: Node, part: Node, faces: Faces) -> Node | None:
    lone = half(node, faces) and stated_as(node[0][0], faces) != WILD
    return ((*node[0], *part[0]), ()) if lone else None


def _fills(node: Node, part: Node, faces: Faces) -> Node | None:
    number = stated_as(node[0][0], faces) if len(node[0]) == 1 else ""
    lacks = number in NUMBERS and len(node[1]) < int(number)
    return (node[0], (*node[1], part)) if lacks else None
