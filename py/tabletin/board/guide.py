"""First-play guides: what a guide is made of, and how far one has come. Pure.

A guide is data: a deal and steps over the real table. A step says something, then waits for "go on" or for a move, which it
spells with faces in place of cards. ``Guiding`` follows a match through the steps; it never moves, draws or judges by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from tabletin.board.scene import Control, Key, Piece, Plate, Scene, Spot, Zone
from tabletin.board.spelling import cards_in, spell
from tabletin.kernel.dealing import OpenDealer, answer, plain_body
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.match import Match, View
from tabletin.kernel.options import Refusal
from tabletin.kernel.requests import Roll, Shuffle
from tabletin.kernel.schema import Move, Verbs
from tabletin.kernel.state import State
from tabletin.registry import GAMES

ME: Final = 0  # the seat that the guide teaches
KNOWN: Final = "1"
TAKEN: Final = "chosen"  # the flag of a piece that was picked up


@dataclass(frozen=True, slots=True)
class Step:
    """``say``: its words below ``guide.`` in the game's section, "" to say nothing new. ``do``: the move it waits for, with faces
    where a move has cards; () waits for "go on". ``seat`` makes it; another seat does once the words were read.

    ``any_of``: which other moves do as well: "" none, "cards" with the same cards, "verb" of the same kind. ``point``: what to
    tap, in order, as ``way_to`` names it; the first that is not done yet is pointed at. ``equivalents``: keys of buttons and
    places that lead to the same ("at*": all that begin so); what comes of them is judged like any move. ``correction``: what to
    say to a legal move that is not the one. ``tries``: it waits for no move, but until all that is pointed at is done.
    ``is_brief``: its words about another seat's move wait for nobody, and are no step of their own.
    """

    say: str
    do: Move = ()
    seat: int = ME
    any_of: str = ""
    point: tuple[str, ...] = ()
    equivalents: tuple[str, ...] = ()
    correction: str = ""
    tries: bool = False
    is_brief: bool = False


@dataclass(frozen=True, slots=True)
class Guide:
    """A scripted first hand of ``game``. ``deals``: for each shuffle the faces that come first; ``rolls``: of the die, in order.

    Whatever is not named follows as chance has it, the same each time.
    """

    game: str
    seats: int
    deals: tuple[str, ...]
    steps: tuple[Step, ...]
    rolls: tuple[int, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


def guide_for(game: str) -> Guide | None:
    """The guide that teaches ``game``, or None."""
    guides: Mapping[str, Guide] = GAMES[game].declaration("guide", "GUIDES", {})
    return guides.get(game)


def known_as(game: str) -> str:
    """The key of the small text that says a player here knows ``game``."""
    return f"tabletin.known.{game}"


class FixedDeal(OpenDealer):
    """Deals as a guide has it. ``deals``: for each shuffle the faces that come first; ``rolls``: of the die, in order."""

    def __init__(self, deals: Iterable[str], rolls: Iterable[int] = ()) -> None:
        super().__init__(Random(1))
        self._deals = iter(deals)
        self._rolls = iter(rolls)

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Any], Faces]:
        request = state.requests[0]
        if isinstance(request, Roll):
            rolled = next(self._rolls, None)
            return super().deal(state, knowledge) if rolled is None else (plain_body(rolled), Faces())
        result, faces = answer(state, request, knowledge, self.rng)
        if isinstance(request, Shuffle):
            faces = stack(faces, next(self._deals, "").split())
        return plain_body(result), faces


def stack(faces: Faces, first: Iterable[Face]) -> Faces:
    """The shuffled ``faces`` with those of ``first`` on top, in order. Raises ``ValueError`` for one that is not there."""
    rest, top = list(faces.values()), list(first)
    for face in top:
        rest.remove(face)
    return Faces(zip(faces, (*top, *rest), strict=True))


def in_cards(view: View, seat: int, do: Move) -> Move | None:
    """``do``, spelled with faces, with cards that ``seat`` knows; those of its hand first, and each once as long as there are
    others. None where one is not there.
    """
    faces = view.faces
    zones = view.rules.zones(view.state)
    left: list[Card] = list(dict.fromkeys(card for card in (*zones.get(("hand", str(seat)), ()), *faces) if card in faces))

    used: list[Card] = []

    def card(face: Face) -> Card:
        found = [one for one in (*left, *used) if faces[one] == face]
        if not found:
            raise KeyError(face)
        if found[0] in left:
            left.remove(found[0])
            used.append(found[0])
        return found[0]

    try:
        return spell(view.rules.verbs, do, card)
    except KeyError:
        return None


class Guiding:
    """How far ``match`` has come in ``guide``. ``index``: the step; one past the last when the guide is over."""

    def __init__(self, guide: Guide, match: Match) -> None:
        self.guide = guide
        self.match = match
        self.index = 0
        self._read = -1  # the step whose words were read before another seat moves

    # ---- reading ----

    @property
    def over(self) -> bool:
        return self.index >= len(self.guide.steps)

    @property
    def step(self) -> Step | None:
        return None if self.over else self.guide.steps[self.index]

    @property
    def words(self) -> str:
        """The key, below ``guide.``, of what is said now."""
        said = [step.say for step in self.guide.steps[:self.index + 1] if step.say]
        return said[-1] if said else ""

    @property
    def place(self) -> tuple[int, int]:
        """The number of this step among those that have words, from 1, and how many there are."""
        counted = [bool(step.say) and not step.is_brief for step in self.guide.steps]
        return sum(counted[:self.index + 1]), sum(counted)

    @property
    def reading(self) -> bool:
        """Whether the guide waits for "go on": nothing else is to be done, or another seat is about to move."""
        step = self.step
        if step is None or step.tries or (step.do and step.seat == ME):
            return False
        return not step.do or (bool(step.say) and not step.is_brief and self._read != self.index)

    def next_task(self) -> tuple[int, Step] | None:
        """The next step that waits for a move, and its place. A player may move without reading first."""
        return next(((at, step) for at, step in enumerate(self.guide.steps) if at >= self.index and step.do), None)

    @property
    def astray(self) -> bool:
        """Whether the match has left the script: a seat is to act, but not the one that the script has next."""
        awaited, acting = self.next_task(), self.match.rules.to_act(self.match.state)
        return awaited is not None and bool(acting) and awaited[1].seat not in acting

    # ---- moves ----

    def wanted_move(self, seat: int) -> Move | None:
        """What ``seat`` is to do now, if it is for ``seat``. A match that has left the script goes on with what it can."""
        awaited = self.next_task()
        if awaited is None or (awaited[1].seat != seat and not self.astray):
            return None
        if seat != ME and (awaited[0] != self.index or self.reading):
            return None
        view = self.match.view((seat,))
        faces = view.faces
        written = in_cards(view, seat, awaited[1].do)
        if written is not None and view.refusal(seat, written) is None:
            return written
        return next((move for move in self._instead(seat, awaited[1].do, faces) if view.refusal(seat, move) is None), None)

    def _instead(self, seat: int, do: Move, faces: Faces) -> Iterator[Move]:
        """The nearest to ``do`` comes first: the same cards elsewhere, then the same kind of move, then any."""
        verbs = self.match.rules.verbs
        moves = list(self.match.rules.moves(self.match.state, seat, faces))
        alike = [move for move in moves if move[0] == do[0]]
        yield from (move for move in alike if _same_cards(verbs, spell(verbs, move, faces.__getitem__), do))
        yield from (*alike, *moves)

    def fits(self, seat: int, move: Move) -> bool:
        """Whether ``move`` is one that the script goes on with."""
        awaited = self.next_task()
        if awaited is None or awaited[1].seat != seat:
            return awaited is not None and self.astray
        step, verbs = awaited[1], self.match.rules.verbs
        if move[0] == step.do[0] and step.any_of == "verb":
            return True
        view = self.match.view((seat,))
        faces = view.faces
        own = spell(verbs, move, lambda card: faces.get(card, ""))
        if own == step.do:
            return True
        if step.any_of == "cards" and move[0] == step.do[0] and _same_cards(verbs, own, step.do):
            return True
        return not self._is_possible(step)  # the match has left the script

    def _is_possible(self, step: Step) -> bool:
        """Whether the move of ``step`` can be made as it is written."""
        view = self.match.view((step.seat,))
        written = in_cards(view, step.seat, step.do)
        return written is not None and view.refusal(step.seat, written) is None

    def is_lost(self, scene: Scene) -> bool:
        """Whether the turn being composed shows as ``scene`` and leaves nothing to point at, though it can be what the guide
        waits for. What goes by, such as a countdown, needs nobody.
        """
        step, awaited = self.step, self.next_task()
        if any(map(_goes_by, scene.controls)):
            return False
        if step is None or awaited is None or not step.point or self.pointer_target(scene):
            return False
        return awaited[1].seat == ME and self._is_possible(awaited[1])

    def refusal(self, seat: int, move: Move) -> Refusal | None:
        """Why a legal ``move`` is not made here; None if it is, or if the rules themselves have something to say. The right one
        comes too early while something is still to be tried."""
        if self.over or self.next_task() is None:
            return Refusal("guide.over")
        is_early = seat == ME and not self.astray and self.step is not None and self.step.tries
        if (self.fits(seat, move) and not is_early) or self.match.view((seat,)).refusal(seat, move) is not None:
            return None
        return self.correction()

    def correction(self) -> Refusal:
        """What is said to something else than what the guide waits for."""
        awaited = self.next_task()
        said = awaited[1].correction if awaited is not None else ""
        return Refusal(f"{GAMES[self.guide.game].family}.guide.{said}" if said else "guide.instead")

    # ---- going on ----

    def go_on(self) -> None:
        """The words have been read."""
        if self.reading:
            self._read = self.index
            self.index += not self.guide.steps[self.index].do

    def note_move(self, seat: int) -> None:
        """``seat`` has made a move: the step that waited for it is done."""
        awaited = self.next_task()
        if awaited is not None and awaited[1].seat == seat:
            self.index = awaited[0] + 1

    def tried(self, scene: Scene) -> bool:
        """The turn being composed shows as ``scene``. Returns whether that brings the guide on."""
        step = self.step
        if step is None or not step.tries or any(way_to(scene, name) for name in step.point):
            return False
        self.index += 1
        return True

    def allows(self, scene: Scene, key: Key) -> bool:
        """Whether ``key`` may be tapped: no button of ``scene`` and no place in it leads away from what the guide waits for.

        What lies on the table may be picked up at any time.
        """
        names = self._names()
        if not names or self.astray:
            return True
        answers = scene.prompt.answers if scene.prompt is not None else ()
        if any(control.key == key and _goes_by(control) for control in scene.controls):
            return True
        is_button = any(control.key == key for control in (*answers, *scene.controls))
        step = self.step
        if not is_button and (step is None or step.any_of or not any(spot.key == key for spot in scene.spots)):
            return True
        taken = {piece.drawing.shows for piece in scene.pieces if piece.row == "hand" and TAKEN in piece.flags}
        for face, _, place in (name.partition(">") for name in names):
            if _is_named(key, face) or (face in taken and _is_named(key, place)):
                return True
        return key == self.pointer_target(scene)

    def awaits_choice(self, scene: Scene) -> bool:
        """Whether what is pointed at is first to be taken up, for something else to be done with it."""
        step, key = self.step, self.pointer_target(scene)
        if step is None or all(piece.key != key or piece.row != "hand" for piece in scene.pieces):
            return False
        name = next(name for name in step.point if way_to(scene, name))
        return ">" in name or name != step.point[-1]

    def is_equivalent(self, key: Key) -> bool:
        """Whether the button or place ``key`` leads to the same as what the step points at."""
        return self.step is not None and any(_is_named(key, name) for name in self.step.equivalents)

    def _names(self) -> tuple[str, ...]:
        """What may be tapped now, as ``way_to`` names it; while words are read, for the next thing to do as well."""
        found: list[str] = []
        for step in self.guide.steps[self.index:]:
            if step.seat == ME:
                found += (*step.point, *step.equivalents)
            if step.do or step.tries:
                break
        return tuple(found)

    def start_over(self) -> None:
        """All of the turn that was composed went back: on to the step that tells the whole turn, or back to the first of those
        that try out a part of it."""
        steps, at = self.guide.steps, self.index
        while at < len(steps) and steps[at].tries:
            at += 1
        if at < len(steps) and any(">" in name for name in steps[at].point):
            self.index = at
            return
        while self.index and steps[self.index - 1].tries:
            self.index -= 1

    # ---- pointing ----

    def pointer_target(self, scene: Scene) -> Key:
        """The key of the thing in ``scene`` that the guide points at, or ""."""
        step = self.step
        for name in step.point if step is not None else ():
            key = way_to(scene, name)
            if key:
                return key
        return ""


def _same_cards(verbs: Verbs, one: Move, other: Move) -> bool:
    """Whether two spelled moves name the same faces."""
    return sorted(cards_in(verbs, one)) == sorted(cards_in(verbs, other))


def _goes_by(control: Control) -> bool:
    """Whether ``control`` is pressed by time alone."""
    return bool(control.why) and control.seconds is not None


def _is_named(key: Key, name: str) -> bool:
    """Whether ``name`` stands for ``key``: in full, or by how it begins."""
    return key == name or (name.endswith("*") and key.startswith(name[:-1]))


def way_to(scene: Scene, name: str) -> Key:
    """The key of what is to be tapped next for ``name``, or "" if that is done, or nothing of the kind is there.

    ``name``: the key of a button, a place, a seat, a piece ("at*": the first that begins so); a face, which is done once it is
    taken up; "face>place", which is done once that piece has left the hand.
    """
    face, _, place = name.partition(">")
    pieces = [piece for piece in scene.pieces if piece.drawing.shows == face]
    held = next((piece for piece in pieces if piece.row == "hand"), None)
    if held is not None and TAKEN in held.flags:
        return way_to(scene, place) if place else ""
    if held is not None or place:
        return held.key if held is not None else ""
    answers = scene.prompt.answers if scene.prompt is not None else ()
    controls = [control.key for control in answers or scene.controls if not control.why]
    things: list[Spot | Plate | Zone | Piece] = [*scene.spots, *scene.plates, *scene.zones, *pieces, *scene.pieces]
    for key in (*controls, *(thing.key for thing in things)):
        if _is_named(key, name) or key in (piece.key for piece in pieces):
            return key
    return ""


def with_pointer(scene: Scene, key: Key) -> Scene:
    """``scene`` with ``key`` pointed at, if it is a piece, a place, a seat or an area."""
    if not key:
        return scene

    def flagged(things: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(replace(thing, flags=(*thing.flags, "pointed"),
                             **({"z": thing.z + 40} if isinstance(thing, Piece) else {})) if thing.key == key else thing
                     for thing in things)

    return replace(scene, pieces=flagged(scene.pieces), spots=flagged(scene.spots), plates=flagged(scene.plates),
                   zones=flagged(scene.zones))
