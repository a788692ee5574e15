"""Runs in a page of the site: brings it to a match among peers without the room's screens, by ``globalThis.far``.

Everything it uses is the page's own: its key, its links, its worker, its table. ``host``: JSON of game, options and chairs
([author, name, kind, level] each); the room that friends meet in has tests of its own.
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

from js import document, globalThis
from pyodide.ffi import create_once_callable, create_proxy

from tabletin.app.main import app as running
from tabletin.app.routes import address
from tabletin.app.session.peers.session import PeerSession
from tabletin.kernel.log import Entry, Statement
from tabletin.kernel.match import Happening, Match
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.worker.calls import FoundMatch
from tabletin.peers.worker.results import Genesis

held: Any = SimpleNamespace(net=None, invitation=None, answering=None, playing=None, acts={}, painted={}, sent=0, pace=0.0)


def app() -> Any:
    """The running page."""
    return running.app


async def open_links() -> str:
    held.net = await app().rooms.open_transport()
    return str(held.net.author)


def adopt_links() -> bool:
    """After a reload: the links that the table opened by itself; whether they are there."""
    held.net = getattr(here(), "net", None)
    return held.net is not None


def own_author() -> str:
    return str(held.net.author)


async def invite() -> str:
    held.invitation = await held.net.invite()
    return str(held.invitation.code)


async def answer(code: str) -> str:
    held.answering = await held.net.answer(code)
    return str(held.answering.reply)


async def accept(reply: str) -> str:
    return str(await held.invitation.accept(reply))


async def connected() -> str:
    return str(await held.answering.wait_connected())


def can_return() -> bool:
    """Whether all who are linked would find each other again after a reload of either."""
    return bool(held.net.connected_authors()) and all(held.net.returns(author) for author in held.net.connected_authors())


def linked() -> int:
    return len(held.net.connected_authors())


async def found(asked: str) -> str:
    given = json.loads(asked)
    device = await app().device()
    seats = tuple(Seat(kind, by, name, level) for by, name, kind, level in given["chairs"])
    made = await device.call(FoundMatch(given["game"], given["options"], seats, given["nonce"], {}))
    return json.dumps(made.result_as(Genesis).entry)


async def prepare(game: str) -> None:
    """Have loaded what a room loads while people find each other."""
    await app()._prepare(game, False)


async def sit(genesis: str) -> str:
    site = app()
    first = json.loads(genesis)
    await site.rooms.remember_match(Entry.from_json(first).statement.hash, held.net.room)
    session = await PeerSession.begin(first, site.context, await site.device(), held.net)
    site.handoff.put(session)
    site.go(address("match", session.id))
    return session.id


def now() -> float:
    return float(globalThis.performance.timeOrigin + globalThis.performance.now())


def watch() -> None:
    """From now on, remember when acts of the people here began and when each entry was painted."""
    session = here()

    def painted(index: int) -> None:
        channel = globalThis.MessageChannel.new()
        channel.port1.onmessage = create_once_callable(lambda _event: held.painted.setdefault(index, now()))
        channel.port2.postMessage(0)

    def drawn(index: int) -> None:
        globalThis.requestAnimationFrame(create_once_callable(lambda _time: painted(index)))

    loop = asyncio.get_event_loop()

    def changed(happenings: Sequence[Happening]) -> None:
        for entry in (one.entry for one in happenings):
            if entry.statement.kind == "move":
                loop.call_soon(drawn, entry.index)  # the table, which listens longer than this, is drawn before it

    session.on_change(changed)
    send = held.net.send

    def counted(to: str | None, channel: str, text: str) -> None:
        held.sent += len(text) * (1 if to is not None else len(held.net.connected_authors()))
        send(to, channel, text)

    held.net.send = counted


def times() -> str:
    return json.dumps({"acts": held.acts, "painted": held.painted})


def deck(state: Any) -> int:
    """What tells one hand's deck from the next one's."""
    return int(min(state.batches, default=-1))


async def playing(seed: int, most: int, length: int) -> None:
    session, rng, made = here(), Random(seed), 0
    begun_with = deck(session.match.state)
    while made < most and session.match.outcome is None:
        match = session.match
        head = match.head
        if length and (len(match.entries) >= length or (not match.state.requests and deck(match.state) != begun_with)):
            return
        acting = [seat for seat in session.acting if seat in session.people]
        if match.state.requests or not acting:
            await asyncio.sleep(0.02)
            continue
        if held.pace:
            await asyncio.sleep(held.pace)
            if session.match is not match or match.head != head:
                continue
        seat = rng.choice(acting)
        try:
            move = match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng)
            begun = now()
            await session.move(seat, move)
            made += 1
            index = next(entry.index for entry in reversed(session.match.entries) if entry.statement.kind == "move"
                         and entry.statement.author == session.author)
            held.acts[index] = begun
        except Refused:
            if session.match is match and match.head == session.match.head:
                await asyncio.sleep(0.02)


def play(seed: int, most: int, length: int = 0) -> None:
    """Let the people here make up to ``most`` moves by chance, when it is for them to act; ``length``: no further than the next
    deal, or that many entries."""
    held.playing = asyncio.ensure_future(playing(seed, most, length))


def pace(seconds: float) -> None:
    """How long the people here take for a move, once it is for them to act."""
    held.pace = seconds


def break_off(author: str) -> None:
    """Give the connection to ``author`` up, as a browser may."""
    net = here().net
    net.driver.connections[net.driver.mesh.state.neighbours[author].links[-1]]._pc.close()


def here() -> Any:
    """The match at the table."""
    return app().screen.session


def last_said(match: Match) -> Statement:
    """The last statement that is no part of the dealing."""
    return next(entry.statement for entry in reversed(match.entries) if entry.statement.kind != "deal")


def state() -> str:
    session = here()
    match, status = session.match, session.status
    return json.dumps({
        "id": session.id, "opened": bool(last_said(match).body.get("open")),
        "entries": len(match.entries), "head": match.head, "over": match.outcome is not None, "acting": session.acting,
        "people": session.people, "requests": len(match.state.requests), "ready": status.ready,
        "accused": [[one.author, one.why] for one in status.culprits],
        "playing": held.playing is not None and not held.playing.done(),
        "returns": session.net is not None and all(session.net.returns(author) for author in status.other_authors),
        "late": status.waiting_for, "checking": status.progress.checking, "sending": session.sending,
        "sent": held.sent, "bytes": sum(len(entry.line) for entry in match.entries), "knows": sorted(match.knowledge),
        "shown": {card: seats for card, seats in match.state.viewers.items() if card in match.knowledge}})


def hidden_from(reader: str) -> str:
    """The cards that this device's seats hold and ``reader`` may not know: [handle, face, name in words] each."""
    match = here().match
    mask = sum(1 << seat for seat, player in enumerate(match.setup.seats) if player.author == reader)
    return json.dumps([[card, face, here().wording.face(face)] for card, face in match.knowledge.items()
                       if card not in match.state.public and not match.state.viewers.get(card, 0) & mask])


def memory_holds(text: str) -> str:
    """Which of these cards (as ``hidden_from`` tells them) any object in this page's Python knows: by handle, or beside it."""
    wanted = {card: face for card, face, _ in json.loads(text)}
    found: set[int] = set()
    looked: set[int] = set()
    for thing in gc.get_objects():
        for one in (thing, *gc.get_referents(thing)):
            if id(one) in looked or one is wanted:
                continue
            if isinstance(one, dict):
                looked.add(id(one))
                found |= {card for card, face in wanted.items() if face in (dict.get(one, card), dict.get(one, str(card)))}
            elif isinstance(one, list | tuple) and len(one) == 2:
                card, face = one
                if isinstance(card, int) and isinstance(face, str) and wanted.get(card) == face:
                    found.add(card)
            elif type(one) is str and len(one) > 8:
                looked.add(id(one))
                found |= {card for card, face in wanted.items() if f'"{card}":"{face}"' in one or f'"{card}": "{face}"' in one
                          or f'[{card},"{face}"' in one}
    return json.dumps(sorted(found))


async def worker_holds(text: str) -> str:
    """The same of this device's worker, where a test has put the search there."""
    worker = (await app().device()).call.__self__._worker
    return str(await worker.sync.call(json.dumps({"do": "memory_holds", "cards": text})))


async def misbehave(name: str) -> str:
    """Let this device's worker, where a test has altered it, do what ``name`` says; what it withheld so far."""
    worker = (await app().device()).call.__self__._worker
    return str(await worker.sync.call(json.dumps({"misdeed": name}, separators=(",", ":"))))


def send_raw(text: str) -> None:
    """Send ``text`` to everybody as a message of the match, past all that makes such messages."""
    here().net.send(None, "match", text)


async def choose(author: str, then: str) -> None:
    """The people here choose what is to become of ``author``'s seats, as they could while it was away."""
    await here().continuation.choose(author, then)


def end() -> None:
    """Nobody plays any more."""
    if held.playing is not None:
        held.playing.cancel()


ACTS = (open_links, invite, answer, accept, connected, linked, can_return, found, prepare, sit, play, pace, break_off, state,
        watch, times, hidden_from, adopt_links, own_author, memory_holds, worker_holds,
        misbehave, send_raw, choose,
        end)
globalThis.far = create_proxy(SimpleNamespace(**{act.__name__: create_proxy(act) for act in ACTS}))
document.documentElement.dataset.far = "ready"
