"""A match: a log, folded. Judges each statement on public knowledge and gives the state at any entry.

It neither speaks nor draws: statements come from a ``Table`` (one device) or from the other peers. Looking back costs
the same however long the log is: every sixteenth state is kept, and each one after an undo.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final

from tabletin.kernel import membership
from tabletin.kernel.authority import Authority, OneDevice
from tabletin.kernel.dealing import Dealing, prepares_next_hand
from tabletin.kernel.faces import HIDDEN, Card, Face, Faces
from tabletin.kernel.log import NOTHING, Entry, Json, Statement, count_field
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.requests import Result, Shuffle
from tabletin.kernel.rules import Outcome, Rules
from tabletin.kernel.schema import Malformed, Move, read_move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.snapshot import Consents, Snapshot
from tabletin.kernel.state import Event, State
from tabletin.kernel.undo import holds_up, undo_refusal

STRIDE: Final = 16
RECENT: Final = 8  # snapshots of the last entries that are kept: what comes a little late is judged by them
MOST_BEHIND: Final = 128  # entries between the head that a statement names and its place
BEHIND_END: Final = ("pass", "consent")  # what may stand behind the entry that ended a match; the second in older logs
EVERYBODY: Final = None  # the reader to whom all knowledge there is belongs: a replay after the end


@dataclass(frozen=True, slots=True)
class View:
    """What some readers at one device see: the public state and the faces that they may know."""

    rules: Rules[Any]
    state: Any
    seats: tuple[int, ...]
    faces: Faces

    def moves(self, seat: int) -> Iterator[Move]:
        """Every move ``seat`` (one of ``seats``) can make."""
        return self.rules.moves(self.state, seat, self.faces)

    def refusal(self, seat: int, move: object) -> Refusal | None:
        """Why ``seat`` may not make ``move``, by all that these readers know; None if it may. Changes nothing.

        ``move`` may be anything: what has not the form of a move is refused, too.
        """
        try:
            read, openings = self.prepare(seat, move)
        except Refused as error:
            return error.refusal
        state = self.state
        if openings:
            state = state.copy()
            state.public.update(openings)
        return self.rules.judge(state, seat, read)

    def prepare(self, seat: int, move: object) -> tuple[Move, dict[Card, Face]]:
        """``move`` as it stands in a log, and the cards that it opens with their faces.

        Raises ``Refused`` where what these readers know shows it to be wrong. What everybody can see is left to whoever
        judges it: ``Match.append``, or ``refusal``.
        """
        try:
            read = read_move(self.rules.verbs, move)
        except Malformed as error:
            raise refused("kernel.malformed", what=str(error)) from error
        if seat not in range(self.rules.seats):
            raise refused("kernel.no_seat", seat=seat)
        openings = self.rules.openings(self.state, seat, read, self.faces)
        if any(face is HIDDEN for face in openings.values()):
            raise refused("kernel.unknown_card")
        refusal = self.rules.own_refusal(self.state, seat, read, self.faces)
        if refusal is not None:
            raise Refused(refusal)
        return read, openings


@dataclass(frozen=True, slots=True)
class Happening:
    """An entry by which a match has grown, and what came with it: ``events``, and private ``faces`` that this device may know.

    ``answers``: in a match that somebody else verifies, what a deal answered; None elsewhere.
    """

    entry: Entry
    events: list[Event] = field(default_factory=list)
    faces: Faces = field(default_factory=Faces)
    answers: tuple[Result, ...] | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A statement that was judged as the next entry, and what it leads to."""

    statement: Statement
    snapshot: Snapshot
    events: list[Event]


def asks_new_deck(state: State) -> bool:
    """Whether a new hand begins: a deck of new faces is what is asked for first."""
    first = state.requests[0] if state.requests else None
    return isinstance(first, Shuffle) and not first.cards


class Match:
    """The fold of one log. ``entries``, ``state`` (after the last entry), ``setup`` as it stands, ``knowledge``.

    ``knowledge`` is all this device knows of private faces; ``view`` gives a reader only its own share of it.
    """

    def __init__(self, rules: type[Rules[Any]], genesis: Entry, dealing: Dealing,
                 authority: Authority | None = None) -> None:
        """Raises ``Malformed`` or ``Refused`` for a genesis that these rules cannot play."""
        setup = Setup.from_statement(genesis.statement)
        if (genesis.index, genesis.previous) != (0, NOTHING):
            raise Malformed("genesis stands first")
        if setup.game != rules.id:
            raise Malformed(f"a log of {setup.game}, not of {rules.id}")
        if setup.version != rules.version:
            raise refused("kernel.rules_version", log=setup.version, ours=rules.version)
        self.rules: Rules[Any] = rules(len(setup.seats), setup.options)
        self.id = genesis.statement.hash
        self.entries = [genesis]
        self.knowledge = Faces()
        self._authority: Authority = authority or OneDevice()
        self._faces = frozenset(self.rules.deck())
        self._counts = {genesis.statement.author: 1}
        self._index_of = {genesis.hash: 0}
        self._now = Snapshot(self.rules.start(), dealing, setup, genesis.statement.author, voters=setup.people)
        self._now.note_order(False, asks_new_deck(self._now.state))
        dealing.note_entry(self._now.state, genesis.hash)
        self._kept = {0: self._now}
        self._recent: dict[int, Snapshot] = {}
        self._folded: tuple[int, Snapshot] | None = None  # what was folded last: who judges behind many entries asks again
        self._last_judgement: Judgement | None = None

    # ---- reading ----

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot after the last entry; not to be changed."""
        return self._now

    @property
    def state(self) -> Any:
        return self._now.state

    @property
    def dealing(self) -> Dealing:
        return self._now.dealing

    @property
    def setup(self) -> Setup:
        return self._now.setup

    @property
    def orderer(self) -> str:
        """The author who puts statements in their places."""
        return self._now.orderer

    @property
    def former_authors(self) -> frozenset[str]:
        """The authors declared gone for good."""
        return self._now.former_authors

    @property
    def promises(self) -> Mapping[int, Seat]:
        """Who plays which seat from the next hand on, where that is somebody else than now."""
        return self._now.promises

    @property
    def head(self) -> str:
        return self.entries[-1].hash

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may make a move now; nobody while something is being dealt, or when the match is over."""
        return tuple(self.rules.to_act(self.state))

    @property
    def outcome(self) -> Outcome | None:
        """Who won, with the scores; None while the match is under way."""
        return self.rules.result(self.state)

    @property
    def end(self) -> Entry | None:
        """The entry with which the match ended; None while it is under way."""
        if self.outcome is None:
            return None
        return next(entry for entry in reversed(self.entries) if entry.statement.kind not in BEHIND_END)

    def count(self, author: str) -> int:
        """The least counter that ``author``'s next statement may have: counters ascend, and a refused one leaves a gap."""
        return self._counts.get(author, 0)

    def snapshot_at(self, index: int) -> Snapshot:
        """The snapshot after entry ``index``; not to be changed."""
        if index == len(self.entries) - 1:
            return self._now
        if not 0 <= index < len(self.entries):
            raise IndexError(index)
        start = index
        while start not in self._kept:
            start -= 1
        if start == index:
            return self._kept[start]
        if index in self._recent:
            return self._recent[index]
        if self._folded is not None and self._folded[0] == index:
            return self._folded[1]
        snapshot = self._kept[start].copy()
        for entry in self.entries[start + 1:index + 1]:
            self._fold(snapshot, entry.statement, None)
            snapshot.dealing.note_entry(snapshot.state, entry.hash)
        self._folded = index, snapshot
        return snapshot

    def events(self, index: int) -> list[Event]:
        """What entry ``index`` brought about."""
        if index == 0:
            return []
        snapshot = self.snapshot_at(index - 1).copy()
        return self._fold_heard(snapshot, self.entries[index].statement)

    def story(self) -> Iterator[tuple[Entry, State, list[Event]]]:
        """Every entry with the state after it and its events, in one pass."""
        for entry, snapshot, events in self.steps():
            yield entry, snapshot.state.copy(), events

    def steps(self) -> Iterator[tuple[Entry, Snapshot, list[Event]]]:
        """Every entry with the snapshot after it and its events. The snapshot is one and the same, and changes with each step."""
        snapshot = self._kept[0].copy()
        yield self.entries[0], snapshot, []
        for entry in self.entries[1:]:
            events = self._fold_heard(snapshot, entry.statement)
            snapshot.dealing.note_entry(snapshot.state, entry.hash)
            yield entry, snapshot, events

    def view(self, seats: Iterable[int] | None = (), index: int | None = None) -> View:
        """What ``seats`` see together after entry ``index`` (default: now); ``EVERYBODY`` sees all there is to know.

        Raises ``Refused`` for a seat that is not at the table.
        """
        state = self.state if index is None else self.snapshot_at(index).state
        if seats is None:
            return View(self.rules, state, tuple(range(self.rules.seats)), Faces({**self.knowledge, **state.public}))
        seats = tuple(seats)
        for seat in seats:
            if seat not in range(self.rules.seats):
                raise refused("kernel.no_seat", seat=seat)
        mask = sum(1 << seat for seat in set(seats))
        known = self.knowledge
        faces = Faces((card, known[card]) for card, shown in state.viewers.items() if shown & mask and card in known)
        faces.update(state.public)
        return View(self.rules, state, seats, faces)

    def index_of(self, head: str) -> int | None:
        """The index of the entry with this hash, or None."""
        return self._index_of.get(head)

    def lateness(self, kind: str, head: str) -> int:
        """Behind how many entries a statement of ``kind`` is judged now, beside ``head``, which it names. Messages of dealing are
        judged once."""
        seen = self.index_of(head)
        if seen is None or kind == "deal":
            return 0
        return min(len(self.entries) - 1 - seen, MOST_BEHIND)

    def learn(self, faces: Faces) -> None:
        """Take in private faces that reached this device.

        Raises ``Refused`` and takes in none if one contradicts what is known or is not in this game's deck.
        """
        for card, face in faces.items():
            self._check_faces((face,))
            if self.knowledge.get(card, face) != face:
                raise refused("kernel.knowledge_contradicts", card=card)
        self.knowledge.update(faces)

    def prefix(self, index: int | None = None) -> Prefix:
        """The log up to entry ``index`` (default: the last)."""
        last = len(self.entries) - 1
        return Prefix(last, self._now, self) if index is None else Prefix(index, self.snapshot_at(index), self)

    # ---- growing ----

    def propose(self, author: str, kind: str, body: dict[str, Json]) -> Statement:
        """The statement with which ``author`` would say this now, unsigned and unjudged."""
        return Statement(self.id, author, self.count(author), self.head, kind, body)

    def judge(self, statement: Statement) -> Snapshot:
        """The snapshot that ``statement`` would lead to, not to be changed. Raises ``Refused``; changes nothing.

        If it is the next to be appended, it is not judged once more."""
        snapshot, events = self._judge(statement)
        self._last_judgement = Judgement(statement, snapshot, events)
        return snapshot

    def append(self, entry: Entry) -> list[Event]:
        """Judge ``entry`` and take it in; its events. Raises ``Refused`` and changes nothing if it is wrong."""
        if entry.index != len(self.entries):
            raise refused("kernel.log.index", index=entry.index, expected=len(self.entries))
        if entry.previous != self.head:
            raise refused("kernel.log.previous")
        self._authority.place(self.prefix(), entry)
        snapshot, events = self._judge(entry.statement)
        self._grow(entry, snapshot)
        return events

    def append_judged(self, entry: Entry) -> None:
        """Take in ``entry``, which was judged in this very place in a ``branch`` of this log."""
        snapshot = self._now.copy()
        self._fold(snapshot, entry.statement, None)
        self._grow(entry, snapshot)

    def _grow(self, entry: Entry, snapshot: Snapshot) -> None:
        snapshot.dealing.note_entry(snapshot.state, entry.hash)
        self.entries.append(entry)
        self._index_of[entry.hash] = entry.index
        self._counts[entry.statement.author] = entry.statement.count + 1
        self._now = snapshot
        if entry.index % STRIDE == 0 or entry.statement.kind == "undo":
            self._kept[entry.index] = snapshot
        self._recent[entry.index] = snapshot
        self._recent.pop(entry.index - RECENT, None)

    def branch(self, length: int) -> Match:
        """Another match that holds the first ``length`` entries, at least 1, and grows by itself: what else could follow on them
        is judged there."""
        twin = copy(self)
        twin.entries, twin.knowledge, twin._recent = list(self.entries), Faces(self.knowledge), {}
        twin.cut(length)
        return twin

    def cut(self, length: int) -> list[Entry]:
        """Take back all entries but the first ``length``, which is at least 1; those that fell away.

        Among peers a new epoch may begin before the end of what some of them hold (``docs/sync.md``)."""
        snapshot = self.snapshot_at(length - 1)
        kept, lost = self.entries[:length], self.entries[length:]
        self.entries[:] = kept
        self._now = snapshot
        free = snapshot.state.next_card  # the cards of a deck that fell away are others, if these handles are given again
        self.knowledge = Faces((card, face) for card, face in self.knowledge.items() if card < free)
        self._index_of = {entry.hash: entry.index for entry in kept}
        self._counts = {entry.statement.author: entry.statement.count + 1 for entry in kept}
        self._kept = {index: one for index, one in self._kept.items() if index < length}
        self._recent.clear()
        self._folded = self._last_judgement = None
        return lost

    def _judge(self, statement: Statement) -> tuple[Snapshot, list[Event]]:
        last, self._last_judgement = self._last_judgement, None
        if last is not None and last.statement == statement:
            return last.snapshot, last.events
        if statement.match != self.id:
            raise refused("kernel.log.other_match")
        if statement.count < self.count(statement.author):
            raise refused("kernel.log.counter", count=statement.count, expected=self.count(statement.author))
        if statement.head not in self._index_of:
            raise refused("kernel.log.unknown_head")
        return self._judge_behind(statement, self.prefix())

    def refusal(self, statement: Statement) -> Refusal | None:
        """Why ``statement`` cannot be the next entry; None if it can."""
        try:
            self._judge(statement)
        except Refused as error:
            return error.refusal
        return None

    def refusal_at(self, index: int, statement: Statement) -> Refusal | None:
        """Why ``statement`` would be refused right after entry ``index``, its counter apart; None if it would not.

        It is the same whenever it is asked: what stands behind that entry plays no part.
        """
        seen = self._index_of.get(statement.head)
        if seen is None or seen > index:
            return Refusal("kernel.log.unknown_head")
        try:
            self._judge_behind(statement, self.prefix(index))
        except Refused as error:
            return error.refusal
        return None

    def _judge_behind(self, statement: Statement, prefix: Prefix) -> tuple[Snapshot, list[Event]]:
        """What ``statement``, which names an entry of ``prefix``, leads to right behind it. Raises ``Refused`` also where an
        earlier entry, from the one that it names on, refuses it: what is late may be dead.

        So nothing that its author's own log refused once can stand later, and an author that says something else then has not
        made two promises. Messages of the dealing leave no choice and are judged where they stand."""
        judged = self._try(statement, prefix)
        if statement.kind == "deal" or prefix.snapshot.setup.protocol < 2:
            return judged
        seen = self._index_of[statement.head]
        if prefix.index - seen > MOST_BEHIND:
            raise refused("kernel.log.too_late")
        between = prefix.entries_since(seen)
        if statement.kind == "consent" and not all(one.statement.kind == "consent" or prepares_next_hand(one.statement)
                                                   for one in between):
            raise refused("kernel.undo.late_consent")
        if not all(prepares_next_hand(entry.statement) for entry in between):  # such an entry changes no verdict
            self._check_meanwhile(statement, seen, between)
        return judged

    def _check_meanwhile(self, statement: Statement, seen: int, between: list[Entry]) -> None:
        """Raises ``Refused`` if ``statement`` was refused right after entry ``seen``, or after one of those ``between`` that and
        the last."""
        snapshot = self.snapshot_at(seen)
        for entry in between:
            if not prepares_next_hand(entry.statement):
                self._try(statement, Prefix(entry.index - 1, snapshot, self))
            known = self._recent.get(entry.index) or self._kept.get(entry.index)
            if known is None:
                known = snapshot.copy()
                self._fold(known, entry.statement, None)
                known.dealing.note_entry(known.state, entry.hash)
            snapshot = known

    def _try(self, statement: Statement, prefix: Prefix) -> tuple[Snapshot, list[Event]]:
        snapshot = prefix.snapshot.copy()
        try:
            self._authority.check(prefix, statement)
            return snapshot, self._fold_heard(snapshot, statement, prefix)
        except Malformed as error:
            raise refused("kernel.malformed", what=str(error)) from error

    def _check_faces(self, faces: Iterable[Face]) -> None:
        """Raises ``Refused`` for a face that this game's deck has not: rules count on faces that they know."""
        for face in faces:
            if face not in self._faces:
                raise refused("kernel.no_face", face=face[:20])

    # ---- folding ----

    def _fold_heard(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None = None) -> list[Event]:
        events: list[Event] = []
        snapshot.state.events = events
        self._fold(snapshot, statement, judged)
        snapshot.state.events = None
        return events

    def _fold(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        """Take ``statement`` into ``snapshot``. ``judged``: the prefix by which it is judged; None for one that was judged
        before and is only applied."""
        fold = getattr(self, f"_fold_{statement.kind}", None)
        if fold is None and statement.kind not in membership.FOLDS:
            raise refused("kernel.log.genesis_again")
        is_over = self.rules.result(snapshot.state) is not None
        if is_over and statement.kind not in (("pass",) if snapshot.setup.protocol > 2 else ("undo", "consent", "pass")):
            raise refused("kernel.over")
        departed, asked = snapshot.state.absentees, asks_new_deck(snapshot.state)
        snapshot.openings = {}
        if fold is not None:
            fold(snapshot, statement, judged)
        else:
            membership.FOLDS[statement.kind](self.rules, snapshot, statement, judged is None)
        if statement.kind != "consent" and not prepares_next_hand(statement):
            snapshot.consents = Consents()
        if snapshot.state.requests and self.rules.result(snapshot.state) is not None:
            snapshot.state.requests = ()  # the match is over: nothing is dealt or shown any more
        asks = asks_new_deck(snapshot.state)
        asked &= statement.kind not in ("gone", "leave")  # that deck is void
        if asks and not (asked and snapshot.setup.protocol > 4):  # who gets a seat while a deck is dealt has no part in it
            membership.keep_promises(snapshot)
        if not snapshot.state.absentees:
            membership.deal_in(snapshot, departed)
        snapshot.note_order(asked, asks)
        snapshot.note_entry(statement)

    def _fold_move(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        body, state, rules = statement.body, snapshot.state, self.rules
        if body.keys() != {"seat", "do", "open"}:
            raise Malformed("a move has seat, do, open")
        seat, move = body["seat"], read_move(rules.verbs, body["do"])
        openings = body["open"]
        if not isinstance(openings, list | tuple) or not all(isinstance(opening, list | tuple) for opening in openings):
            raise Malformed("open: expected a list of lists")
        opened = snapshot.dealing.take_openings(state, statement.author, [list(opening) for opening in openings])
        snapshot.openings = opened
        if judged is None:
            state.public.update(opened)
        else:
            self._check_faces(opened.values())
            if opened.keys() != {card for card in rules.opens(state, seat, move) if card not in state.public}:
                raise refused("kernel.opening.set")
            state.public.update(opened)
            refusal = rules.judge(state, seat, move)
            if refusal is not None:
                raise Refused(refusal)
        rules.apply(state, seat, move)

    def _fold_deal(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        state = snapshot.state
        for answered in snapshot.dealing.read(state, statement.author, statement.body):
            request, cards = state.settle(answered.result)
            if isinstance(answered.result, tuple):
                self._check_faces(answered.result)
                snapshot.openings = {**snapshot.openings, **dict(zip(cards, answered.result, strict=True))}
            self.rules.take_answer(state, request, cards, answered.result)

    def _fold_timeout(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        seat = count_field(statement.body, "seat")
        if not statement.body.keys() <= {"seat", "agreed"}:
            raise Malformed("a timeout has a seat, and who agreed")
        acting = self.rules.to_act(snapshot.state)
        move = self.rules.default(snapshot.state, seat) if seat in acting else None
        if move is None:
            raise refused("kernel.no_timeout", seat=seat)
        refusal = self.rules.judge(snapshot.state, seat, move)
        if refusal is not None:
            raise Refused(refusal)
        snapshot.state.say("kernel.timed_out", seat)
        self.rules.apply(snapshot.state, seat, move)

    def _fold_resign(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        if statement.body.keys() != {"seat"}:
            raise Malformed("a resignation has a seat")
        snapshot.state.resigner = statement.body["seat"]
        snapshot.state.say("kernel.gave_up", snapshot.state.resigner)

    def _fold_consent(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        if statement.body.keys() != {"seat", "to"}:
            raise Malformed("a consent has seat, to")
        target = count_field(statement.body, "to")
        if judged is not None and target > judged.index:
            raise refused("kernel.undo.target")
        snapshot.consents = snapshot.consents.with_consent(statement.body["seat"], target)

    def _fold_undo(self, snapshot: Snapshot, statement: Statement, judged: Prefix | None) -> None:
        """Back to an earlier entry: what was known stays known, and handles given out stay used."""
        seat, target = statement.body["seat"], count_field(statement.body, "to")
        practice = statement.body.get("practice") is True
        if judged is not None:
            if statement.body.keys() - {"practice"} != {"seat", "to"}:
                raise Malformed("an undo has seat, to, and practice or not")
            refusal = undo_refusal(judged, seat, target, practice=practice)
            if refusal is not None:
                raise Refused(refusal)
        now = snapshot.state
        state = self.snapshot_at(target).state.copy()
        state.public.update({card: face for card, face in now.public.items() if card < state.next_card})
        for card, shown in now.viewers.items():
            if card < state.next_card:
                state.viewers[card] = state.viewers.get(card, 0) | shown
        state.next_card = now.next_card
        state.practice = now.practice or practice
        state.events = now.events
        state.say("kernel.undone", seat, practice=practice)
        snapshot.state = state
        if practice:
            self.rules.remix(state)

    def undo_refusal(self, seat: int, target: int, *, practice: bool = False) -> Refusal | None:
        """Why ``seat`` may not take the match back to entry ``target`` now; None if it may. See ``kernel/undo``. Among peers none
        takes an end back: its result is signed, and other devices may have closed the match. Nor is a timeout taken back
        there without consent, nor a move over and over."""
        if self.setup.protocol > 2 and self.outcome is not None:
            return Refusal("kernel.over")
        refusal = undo_refusal(self.prefix(), seat, target, practice=practice)
        if refusal is None and self.setup.protocol > 1 and holds_up(self.prefix(), seat, target):
            return Refusal("kernel.undo.consent")
        return refusal
