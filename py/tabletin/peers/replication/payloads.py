"""Long texts of statements: each goes from its author to every device once, apart from the messages that mean it.

A shuffle is thirty thousand characters. If it went to the peer that orders and from there to the others, each would wait twice
for it. So its author sends it to all, and a message names it by its hash. One that comes before its text waits for a moment.
Whoever waits for nothing asks for the whole entry, as for any other. A text is believed no more than a message: its statement
is signed over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaState

LONG: Final = 2_000  # characters from which on a text goes apart
LONGEST: Final = 300_000  # of all texts of a message; several times what the largest deck's shuffle takes
KEPT: Final = 4  # texts of each author, the newest; it has one statement on its way at a time
MOST_WAITING: Final = 8  # messages of one sender
MOST_ALONE: Final = 20_000  # bytes of a message without the texts that it names
MOST_AWAITED: Final = 64  # entries
PACE: Final = 8_000  # characters a second that a slow line carries
MOST_TRAVEL: Final = 4.0  # seconds
PATIENCE: Final = 1.0  # seconds to wait beyond the time that a text travels


def travel_time(size: int) -> float:
    """Seconds for which ``size`` characters may be on their way on a slow line, where they are many."""
    return min(size / PACE, MOST_TRAVEL) if size >= LONG else 0.0


def text_hash(text: str) -> Hash:
    return sha256(text.encode()).hexdigest()


def long_texts(body: Message) -> dict[str, str]:
    """The long texts of a statement's ``body``, by their fields."""
    return {name: text for name, text in body.items() if type(text) is str and len(text) >= LONG}


def texts_apart(statement: Statement) -> dict[str, str]:
    """Those that go apart: of a deal's messages alone, which are for all to read as soon as they are said. A leave gives shares
    away, and nobody needs them who does not place it."""
    return long_texts(statement.body) if statement.kind == "deal" else {}


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A message that waits for a text. ``index``: of the entry in it, None for a statement; ``deadline``: seconds."""

    sender: str
    message: Message
    index: int | None
    deadline: float


@dataclass(frozen=True, slots=True)
class EarlyTexts:
    """Texts that were sent before they are said: who has them, and how long (seconds) to wait for the others."""

    names: frozenset[Hash]
    deadline: float
    takers: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Shelf:
    """What one author sent apart, the newest last."""

    texts: dict[Hash, str] = field(default_factory=dict)

    def put(self, text: str) -> None:
        name = text_hash(text)
        self.texts.pop(name, None)
        self.texts[name] = text
        while len(self.texts) > KEPT:
            del self.texts[next(iter(self.texts))]


class Payloads:
    """The texts that came, and the messages that wait for one."""

    def __init__(self, state: ReplicaState, outbox: Outbox) -> None:
        self._state = state
        self._outbox = outbox
        self._shelves: dict[str, Shelf] = {}
        self._waiting: list[Incomplete] = []
        self._deadlines: dict[int, float] = {}  # by when the texts of an entry have to be here; it never moves
        self._early: EarlyTexts | None = None

    # ---- sending ----

    def say(self, statement: Statement) -> Message:
        """The message that asks for a place of this device's own ``statement``, without what everybody is sent beside it."""
        texts = self._send_own(statement)
        return {"t": "say", **self._without(statement, texts, "s", statement.to_json())}

    def put(self, entry: Entry) -> Message:
        """The message that tells everybody ``entry``, without what its author sent them."""
        statement = entry.statement
        if statement.author == self._state.author:
            texts = self._send_own(statement)
        else:
            texts = texts_apart(statement)
            texts = {name: text for name, text in texts.items() if self._has(statement.author, text_hash(text))}
        found = self._without(statement, texts, "say", statement.to_json())
        entries: list[Json] = [{**entry.to_json(), "say": found.pop("say")}]
        return {"t": "put", "e": entries, **found}

    def offer(self, body: Message) -> bool:
        """Send everybody the long texts of the ``body`` that this device will say next; whether it may say it now, because all
        of them have it, or there was time enough. Until then nothing is signed, and a move need not wait for it."""
        texts = long_texts(body)
        self._send_texts(texts)
        names = frozenset(map(text_hash, texts.values()))
        if self._early is None or self._early.names != names:
            self._early = EarlyTexts(names, self._state.time + PATIENCE + travel_time(sum(map(len, texts.values()))))
        has_all = all(peer in self._early.takers or self._state.is_silent(peer) for peer in self._state.other_authors)
        return not names or has_all or self._state.time >= self._early.deadline

    def hear_have(self, sender: str, message: Message) -> None:
        """``sender`` has a text that was offered. Raises ``Malformed``."""
        name = message.get("h")
        if type(name) is not str:
            raise Malformed("expected a hash")
        if self._early is not None and name in self._early.names:
            self._early.takers.add(sender)

    def _send_own(self, statement: Statement) -> dict[str, str]:
        """Send everybody the long texts of an own statement that they were not sent yet; all of its long texts."""
        texts = texts_apart(statement)
        self._send_texts(texts)
        return texts

    def _send_texts(self, texts: dict[str, str]) -> None:
        own = self._state.author
        for text in texts.values():
            if not self._has(own, text_hash(text)):
                self._shelves.setdefault(own, Shelf()).put(text)
                self._outbox.send(None, {"t": "load", "x": text})

    @staticmethod
    def _without(statement: Statement, texts: dict[str, str], name: str, data: dict[str, Json]) -> Message:
        """``data`` of the statement under ``name``, and how to fill in the ``texts`` that are left out."""
        if not texts:
            return {name: data}
        body: Json = {field: value for field, value in statement.body.items() if field not in texts}
        apart: Json = {field: [text_hash(text), len(text)] for field, text in texts.items()}
        return {name: {**data, "body": body}, "apart": apart}

    # ---- hearing ----

    def hear(self, sender: str, message: Message) -> Iterator[tuple[str, Message]]:
        """A text came: take it, and give the messages that are complete with it, each with its sender. Raises ``Malformed``."""
        text = message.get("x")
        if type(text) is not str or not LONG <= len(text) <= LONGEST:
            raise Malformed("expected a long text")
        if sender not in self._state.live:
            return
        self._shelves.setdefault(sender, Shelf()).put(text)
        self._outbox.send(sender, {"t": "have", "h": text_hash(text)})
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.deadline > self._state.time:
                found = self._fill(one.message)
                if found is None:
                    self._waiting.append(one)
                else:
                    yield one.sender, found

    def fill(self, sender: str, message: Message) -> Message | None:
        """``message`` with the texts that it names; None if one of them is missing: then it waits, where its author is there to
        send it. Raises ``Malformed``."""
        found = self._fill(message)
        if found is None:
            if len(canonical(message)) > MOST_ALONE:
                raise Malformed("expected less beside the texts")
            said, index, sizes = self._parts(message)
            deadline = self._deadline(sender, index, self._state.time + PATIENCE + travel_time(sizes))
            self._waiting = [one for one in self._waiting if one.deadline > self._state.time]
            if not self._state.is_silent(str(said.get("by"))):
                own = [one for one in self._waiting if one.sender == sender]
                if len(own) >= MOST_WAITING:
                    self._waiting.remove(own[0])
                self._waiting.append(Incomplete(sender, message, index, deadline))
        return found

    def _deadline(self, sender: str, index: int | None, wanted: float) -> float:
        """How long a message waits. An entry waits once, and only if the peer that orders told it: nobody else leaves texts out,
        and so nobody keeps this device from asking for what it lacks."""
        if index is None:
            return wanted
        match = self._state.match
        if sender != match.orderer or not 0 <= index - len(match.entries) < MOST_AWAITED:
            return self._state.time
        self._deadlines = {one: deadline for one, deadline in self._deadlines.items() if one >= len(match.entries)}
        return self._deadlines.setdefault(index, wanted)

    def missing_entry(self, message: Message) -> int | None:
        """The index of the entry that ``message`` brings; None if it brings a statement."""
        return self._parts(message)[1]

    def size_apart(self, message: Message) -> int:
        """How long the texts are that ``message`` names. Raises ``Malformed``."""
        return self._parts(message)[2]

    def is_awaited(self, index: int) -> bool:
        """Whether a text for entry ``index`` is likely to be on its way."""
        return any(one.index == index and one.deadline > self._state.time for one in self._waiting)

    def _has(self, author: str, name: Hash) -> bool:
        return author in self._shelves and name in self._shelves[author].texts

    def _fill(self, message: Message) -> Message | None:
        said, index, _ = self._parts(message)
        apart, author = message["apart"], said.get("by")
        assert type(apart) is dict
        texts: dict[str, Json] = {}
        for name, value in apart.items():
            assert type(value) is list
            if type(author) is not str or not self._has(author, str(value[0])):
                return None
            text = self._shelves[author].texts[str(value[0])]
            if len(text) != value[1]:
                return None  # no text has that hash and another length
            texts[name] = text
        body = said.get("body")
        assert type(body) is dict
        whole: Json = {**said, "body": {**body, **texts}}
        rest = {name: value for name, value in message.items() if name != "apart"}
        if index is None:
            return {**rest, "s": whole}
        entry = message["e"]
        assert type(entry) is list and type(entry[0]) is dict
        return {**rest, "e": [{**entry[0], "say": whole}]}

    @staticmethod
    def _parts(message: Message) -> tuple[dict[str, Json], int | None, int]:
        """The statement in ``message``, the index of its entry, and how long the texts are that it lacks.

        Raises ``Malformed``."""
        index: int | None = None
        said = message.get("s")
        if message.get("t") == "put":
            match message.get("e"):
                case [{"i": index, "say": said}] if type(index) is int:
                    pass
                case _:
                    raise Malformed("expected one entry")
        body = said.get("body") if type(said) is dict else None
        apart = message.get("apart")
        if type(said) is not dict or type(body) is not dict or type(apart) is not dict:
            raise Malformed("expected what a text goes into")
        size = 0
        for name, value in apart.items():
            match value:
                case [str(), length] if type(length) is int and name not in body and length >= LONG:
                    size += length
                case _:
                    raise Malformed("expected a text's hash and length")
        if size > LONGEST:  # a text named a thousand times would fill the memory
            raise Malformed("expected less")
        return said, index, size
