"""Links by way of a third device: calls to devices that a neighbour hears, and repairs of links that fell silent.

Each device tells its neighbours which authors it hears. When two devices lack a link, one of them calls the other, and a
neighbour that hears both carries offer and answer. This one rule covers an introduction, a return after a reload, and two
groups that become one. A silent link is repaired the same way: by an ICE restart, then by a new call. No browser is known
here.
"""

from __future__ import annotations

from typing import Final

from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.peers.net.code import MOST_CODE
from tabletin.peers.net.diagnosis import kinds_of
from tabletin.peers.net.effects import Dial, Extend, Finish, Reply
from tabletin.peers.net.link import Link, LinkStage, Neighbour, Signal
from tabletin.peers.net.mesh_state import MEND_MISSED, MOST_PATIENCE, RELAYS, MeshState, Message
from tabletin.peers.net.reconnect import MOST_TICKETS
from tabletin.peers.net.transport import AWAY_AFTER

MEND_AFTER: Final = (4.5, 7.5)  # seconds of silence until the side with the smaller author, the other side, mends a link
MEND_EVERY: Final = 8.0
MENDS: Final = 2  # tries before a new link is called for
MEND_TAKES: Final = 3.0  # seconds in which a repair agreed on through relays shows that it works; else a new link is called for
CALL_AFTER: Final = (1.0, 3.0)  # seconds until the side with the smaller author, the other side, calls
CALL_EVERY: Final = 4.0  # seconds; doubled with each call in vain
CALL_SELDOM: Final = 30.0
CARRIED: Final = frozenset(Signal) - {Signal.NOBODY}
MOST_NAME: Final = 64  # characters of an exchange's name, and of a nonce
LONGEST: Final = {"to": AUTHOR_DIGITS, "k": MOST_NAME, "c": MOST_NAME, "d": MOST_CODE, "n": MOST_NAME}
"""Characters of each part of a message that is carried. What is longer would be too much for the link it goes on by."""
ANSWERS: Final = {Signal.ANSWER: (Signal.OFFER,), Signal.MENDED: (Signal.MEND,), Signal.STALE: (Signal.MEND,),
                  Signal.NOBODY: (Signal.OFFER, Signal.MEND)}


class Signaling:
    """Calls, repairs, and carrying descriptions for others."""

    def __init__(self, state: MeshState) -> None:
        self._state = state

    # ---- calling ----

    def call(self, *, at_once: bool = False) -> None:
        """Call the devices that a neighbour hears and this device does not."""
        state = self._state
        for neighbour in list(state.neighbours.values()):
            newest = state.newest(neighbour)
            carrier = state.carrier(neighbour) if newest is None or self._is_beyond_repair(newest) else None
            if carrier is None or neighbour.author in state.refused_authors:
                neighbour.call_at = None
                continue
            if neighbour.call_at is None:
                neighbour.call_at = state.time + (0.0 if at_once else CALL_AFTER[state.author > neighbour.author])
            if state.calling(neighbour.author) or state.time < max(neighbour.call_at, neighbour.shut_until):
                continue
            neighbour.call_at = state.time + min(CALL_SELDOM, CALL_EVERY * 2 ** neighbour.call_tries)
            neighbour.call_tries += 1
            made = state.try_link(neighbour.author)
            if made is not None:
                begin(made, carrier, Signal.OFFER, state.token())
                state.effects.append(Dial(made.id))

    def _is_beyond_repair(self, link: Link) -> bool:
        """Whether a new link is more likely to work. One that relays carry needs nobody who hears both devices."""
        is_agreed = link.signal is not Signal.MEND or not link.call
        is_in_vain = is_agreed and self._state.time - link.mended_at >= MEND_TAKES
        return link.mend_tries > MENDS or (link.mend_tries > 0 and link.carrier == RELAYS and is_in_vain)

    # ---- descriptions and those who carry them ----

    def send_description(self, link: Link, text: str) -> None:
        """Send this device's description for the exchange that is under way on ``link``."""
        if link.carrier is not None and link.author is not None and link.signal is not None:
            called = self._state.neighbours.get(link.author)
            if called is not None:
                called.own_kinds = kinds_of(text) | (called.own_kinds if called.tries > 1 else frozenset())
            self._state.note_progress(link)
            nonce = link.their_nonce if link.signal is Signal.MEND else ""
            self._send(link.carrier, link.author, link.signal, link.call, text, nonce)

    def send_more(self, link: Link, text: str) -> None:
        """Send addresses that this device found after its description had gone."""
        if link.carrier is not None and link.author is not None and link.exchange:
            called = self._state.neighbours.get(link.author)
            if called is not None:
                called.own_kinds |= kinds_of(text)
            self._send(link.carrier, link.author, Signal.MORE, link.exchange, text)

    def _send(self, carrier: str, to: str, signal: Signal, call: str, text: str, nonce: str = "") -> None:
        if carrier == RELAYS:
            self._state.publish({"t": "signal", "from": self._state.author, "to": to, "k": signal.value, "c": call, "d": text,
                                 "n": nonce})
            return
        neighbour = self._state.neighbours.get(carrier)
        newest = self._state.newest(neighbour) if neighbour is not None else None
        if newest is not None:
            self._state.control(newest, {"t": "relay", "to": to, "k": signal.value, "c": call, "d": text, "n": nonce})

    def carry(self, link: Link, message: Message) -> None:
        """A neighbour asks to carry a message: the name of its sender is taken from the link, never from the message.

        Raises ``ValueError`` for what is no such message: nobody ends a link of others by what it has carried there.
        """
        state = self._state
        if not all(type(part := message[name]) is str and part.isascii() and len(part) <= most for name, most in LONGEST.items()):
            raise ValueError("relay")
        to = state.neighbours.get(message["to"])
        newest = state.newest(to) if to is not None else None
        if signal_of(message["k"]) not in CARRIED or to is None or newest is None or to.author in state.refused_authors:
            state.control(link, {"t": "relayed", "from": message["to"], "k": Signal.NOBODY.value, "c": message["c"], "d": "",
                                 "n": ""})
            return
        if min(link.carry_budget, newest.carried_budget) < 1:
            state.trouble("carried")
            return
        link.carry_budget -= 1
        newest.carried_budget -= 1
        state.control(newest, {"t": "relayed", "from": link.author, "k": message["k"], "c": message["c"],
                               "d": message["d"], "n": message["n"]})

    def receive(self, carrier: str, message: Message) -> None:
        """A message that a neighbour or the relays carried here. Raises ``ValueError``."""
        author, kind, call, text, nonce = (message[name] for name in ("from", "k", "c", "d", "n"))
        if not all(isinstance(value, str) for value in (author, kind, call, text, nonce)):
            raise ValueError("relayed")
        state, signal = self._state, signal_of(kind)
        if digits(author, AUTHOR_DIGITS) is None or author in (state.author, carrier) or author in state.refused_authors:
            raise ValueError("relayed")
        neighbour = state.neighbours.get(author)
        if text and neighbour is not None:
            is_more = signal is Signal.MORE or neighbour.tries > 1
            neighbour.their_kinds = kinds_of(text) | (neighbour.their_kinds if is_more else frozenset())
        if signal is Signal.MORE:
            self._take_more(author, call, text)
        elif signal is Signal.OFFER:
            self._answer_offer(carrier, author, call, text)
        elif signal is Signal.MEND:
            self._answer_mend(carrier, author, call, text, nonce)
        else:
            self._take_answer(author, signal, call, text)

    def _answer_offer(self, carrier: str, author: str, call: str, offer: str) -> None:
        state = self._state
        calling = state.calling(author)
        if any(link.signal is Signal.OFFER for link in calling) and state.author < author:
            return  # both called at once: the call of the smaller author counts
        for link in calling:
            if link.ticket is None:
                state.end_link(link)
        made = state.try_link(author) if len(calling) < MOST_TICKETS else None
        if made is not None:
            self._reply(made, carrier, Signal.ANSWER, call, offer)

    def _answer_mend(self, carrier: str, author: str, call: str, offer: str, nonce: str) -> None:
        state = self._state
        link = next((one for one in state.links.values() if one.nonce == nonce and one.author == author), None)
        if link is None or link.stage is not LinkStage.UP:
            self._send(carrier, author, Signal.STALE, call, "")
        elif (link.signal is not Signal.MEND or not link.call or author < state.author
              or state.time - link.mended_at >= MEND_MISSED):
            # where both mend at once, the offer of the smaller author counts, unless it did not get there
            link.mended_at = self._state.time
            self._reply(link, carrier, Signal.MENDED, call, offer)

    def _reply(self, link: Link, carrier: str, signal: Signal, call: str, offer: str) -> None:
        """Answer ``offer``; its further addresses may have been here first."""
        state = self._state
        begin(link, carrier, signal, call)
        state.effects.append(Reply(link.id, offer))
        early = state.neighbours[link.author].early_addresses if link.author in state.neighbours else ("", "")
        if early[0] == call:
            state.effects.append(Extend(link.id, early[1]))

    def _take_more(self, author: str, call: str, text: str) -> None:
        """Further addresses, for the link they belong to: they may overtake the description before them."""
        state = self._state
        link = next((one for one in state.links.values() if one.exchange == call and one.author == author), None)
        if link is not None and call:
            state.effects.append(Extend(link.id, text))
        elif author in state.neighbours:
            state.neighbours[author].early_addresses = (call, text)

    def _take_answer(self, author: str, signal: Signal | None, call: str, answer: str) -> None:
        state = self._state
        link = next((one for one in state.links.values() if one.call == call and one.author == author), None)
        if link is None or not call or signal is None or link.signal not in ANSWERS[signal]:
            state.trouble("relayed")
        elif signal is Signal.NOBODY:  # this carrier cannot reach the device: another one may
            link.call = ""
            if link.stage is LinkStage.CALLING:
                state.end_link(link)
                state.neighbours[author].call_at = state.time + CALL_AFTER[0]
        elif signal is Signal.STALE:
            state.end_link(link)
            self.call(at_once=True)
        else:
            link.call, link.mended_at = "", state.time
            state.note_progress(link)
            state.effects.append(Finish(link.id, answer))

    # ---- looking after a link ----

    def tend(self, link: Link) -> None:
        """End a call that came to nothing and a link that has a newer one; mend a link that fell silent."""
        state = self._state
        if link.stage in (LinkStage.CALLING, LinkStage.OPEN):
            is_by_hand = link.author is None and link.stage is LinkStage.CALLING  # waits for people
            if state.time - link.stage_time >= self._patience(link) and not is_by_hand:
                self._count_in_vain(link)
                state.end_link(link)
        elif link.stage is LinkStage.UP:
            neighbour = state.neighbours[link.author or ""]
            silence = state.time - link.heard_at
            if neighbour.links[-1] != link.id:
                if silence > AWAY_AFTER or (link.closes_at is not None and state.time >= link.closes_at):
                    state.end_link(link)
            elif silence >= MEND_AFTER[state.author > neighbour.author] and state.time - link.mended_at >= MEND_EVERY:
                self._mend(link, neighbour)

    def _patience(self, link: Link) -> float:
        """A ticket is good for one use: once the other device is there, it is waited for as long as for any."""
        return MOST_PATIENCE if link.ticket is not None and link.stage is LinkStage.OPEN else link.patience

    def _count_in_vain(self, link: Link) -> None:
        """Whether both descriptions were there, and led nowhere."""
        neighbour = self._state.neighbours.get(link.author or "")
        if neighbour is not None and link.signal is Signal.OFFER and not link.call:
            neighbour.calls_in_vain += 1
        elif neighbour is not None and link.signal is Signal.ANSWER:
            neighbour.replies_in_vain += 1

    def _mend(self, link: Link, neighbour: Neighbour) -> None:
        carrier = self._state.carrier(neighbour)
        if carrier is not None:
            link.mended_at = self._state.time
            link.mend_tries += 1
            if link.mend_tries <= MENDS:  # after that a new link is called for
                begin(link, carrier, Signal.MEND, self._state.token())
                self._state.effects.append(Dial(link.id, mend=True))


def begin(link: Link, carrier: str, signal: Signal, call: str) -> None:
    """An exchange begins on ``link``, in which this device sends a description of this kind."""
    link.carrier, link.signal, link.call, link.exchange = carrier, signal, call, call


def signal_of(value: object) -> Signal | None:
    """The signal of a message's "k", or None for a value that is none."""
    return next((signal for signal in Signal if signal.value == value), None)
