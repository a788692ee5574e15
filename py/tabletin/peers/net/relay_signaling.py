"""Signaling by relays: who else is there, and descriptions on their way to one of them.

All who hold a link hear each other there, so relays are one more carrier of descriptions, beside the neighbours. A device
says that it is there only while it misses somebody, ever more seldom, and to whoever asks. Relays are believed nothing: a link
counts once its hello is checked. How messages are sealed is decided elsewhere; no browser is known here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tabletin.kernel.log import parse
from tabletin.kernel.schema import Malformed
from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.peers.net.link import LONG_AGO, Neighbour, Signal
from tabletin.peers.net.mesh_state import MEND_MISSED, RELAYS, MeshState, Message

ASK_AFTER: Final = (0.0, 1.5, 3.0, 6.0, 10.0)  # seconds between one question who is there and the next
ASK_SELDOM: Final = 20.0
MISSED_AFTER: Final = 3.5  # seconds of silence
ANSWER_EVERY: Final = 1.0
MOST_TEXT: Final = 4000  # characters of a message
MOST_NAME: Final = 32
BURST: Final = 120.0  # messages of all others at once
REFILL: Final = 6.0  # a second


class RelaySignaling:
    """What this device says and hears at the relays. ``on_signal(carrier, message)`` takes a description that came for it."""

    def __init__(self, state: MeshState, on_signal: Callable[[str, Message], None]) -> None:
        self._state = state
        self._on_signal = on_signal
        self._page = state.token()
        self._asks = 0
        self._ask_at = 0.0
        self._answered_at = LONG_AGO
        self._owes_answer = False
        self._has_missed = False  # no relay was open until now
        self._budget, self._filled_at = BURST, 0.0

    # ---- commands ----

    def ask(self, *, missed: bool = False) -> None:
        """Begin anew to ask who is there; ``missed``: what was said there until now did not come here."""
        self._asks, self._ask_at = 0, 0.0
        self._has_missed = self._has_missed or missed
        self.tick()

    def tick(self) -> None:
        """Ask who is there when it is time and somebody is missing."""
        state = self._state
        if not state.has_relay:
            return
        self._answer()
        if not self._misses_somebody():
            self._asks, self._ask_at = 0, state.time + ASK_AFTER[1]
        elif state.time >= self._ask_at:
            self._asks += 1
            self._ask_at = state.time + (ASK_AFTER[self._asks] if self._asks < len(ASK_AFTER) else ASK_SELDOM)
            self._say_here(asking=True)

    def _misses_somebody(self) -> bool:
        state = self._state
        is_alone = not any(neighbour.links for neighbour in state.neighbours.values())
        return (state.seeks and is_alone) or any(
            neighbour.is_met and not neighbour.has_left and neighbour.author not in state.refused_authors
            and (not neighbour.links or state.time - neighbour.heard_at >= MISSED_AFTER)
            for neighbour in state.neighbours.values())

    def _say_here(self, *, asking: bool) -> None:
        self._state.publish({"t": "here", "from": self._state.author, "page": self._page, "ask": asking,
                             "missed": self._has_missed})
        self._has_missed = False

    # ---- what comes in ----

    def receive(self, text: str) -> None:
        """A message that somebody sealed for this rendezvous. What is wrong is counted."""
        state = self._state
        if len(text) > MOST_TEXT:
            state.trouble("relay")
            return
        try:
            message = parse(text)
            if type(message) is not dict or digits(author := str(message["from"]), AUTHOR_DIGITS) is None:
                raise ValueError("relay")
            is_for_others = message["t"] == "signal" and message["to"] != state.author
            if author == state.author or author in state.refused_authors or is_for_others:
                return
            if not self._is_within_rate():
                state.trouble("relay flood")
                return
            neighbour = state.neighbours.get(author)
            if neighbour is None:
                if not state.has_room():
                    return
                neighbour = state.neighbours[author] = Neighbour(author)
            if message["t"] == "here":
                self._read_here(neighbour, message)
            elif message["t"] == "signal":
                neighbour.relayed_at = state.time
                self._on_signal(RELAYS, message)
            else:
                raise ValueError("relay")
        except (ValueError, KeyError, TypeError, Malformed):
            state.trouble("relay")

    def _is_within_rate(self) -> bool:
        now = self._state.time
        self._budget = min(BURST, self._budget + (now - self._filled_at) * REFILL)
        self._filled_at = now
        self._budget -= self._budget >= 1
        return self._budget >= 1

    def _read_here(self, neighbour: Neighbour, message: Message) -> None:
        state, page = self._state, str(message["page"])[:MOST_NAME]
        is_new, neighbour.relay_page = page != neighbour.relay_page, page
        heard_before, neighbour.relayed_at = neighbour.relayed_at, state.time
        if is_new:  # its page was loaded anew: no connection waits there any more, and what was tried before counts for nothing
            neighbour.call_tries, neighbour.call_at, neighbour.tickets = 0, None, ()
            neighbour.tries = 0
            for link in state.calling(neighbour.author):
                if link.ticket is not None or (link.carrier == RELAYS and link.signal is Signal.OFFER):
                    state.end_link(link)
        else:
            self._repeat_mend(neighbour, heard_before, missed=message.get("missed") is True)  # an older page does not say so
        self._owes_answer = self._owes_answer or message["ask"] is True
        self._answer()

    def _repeat_mend(self, neighbour: Neighbour, heard_before: float, *, missed: bool) -> None:
        """Who says only now that it is there may have missed a repair before: its sockets may have been dead.

        Once for each repair: another one while its answer is on the way would make that answer useless.
        """
        newest = self._state.newest(neighbour)
        if newest is None or newest.signal is not Signal.MEND or not newest.call:
            return
        if missed or (heard_before < newest.mended_at and self._state.time - newest.mended_at >= MEND_MISSED):
            newest.mended_at = LONG_AGO
            newest.mend_tries = max(0, newest.mend_tries - 1)

    def _answer(self) -> None:
        """Answer all who asked, by one message."""
        if self._owes_answer and self._state.time - self._answered_at >= ANSWER_EVERY:
            self._owes_answer, self._answered_at = False, self._state.time
            self._say_here(asking=False)
