"""The bar above the table of a match among peers: who sits at the other devices. Pure: HTML, and what its buttons do.

It shows who is here, unsteady or away, for whose device the table waits, how far the deal is, and the padlock. Where somebody
has to decide something there is a line with buttons: agreeing to an undo, going on without somebody, keeping proof of who
cheated. It draws, and never changes the match or the room by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from tabletin.app.routes import address
from tabletin.app.screens.match.notices import (
    absent,
    device_name,
    elsewhere_notice,
    first_name,
    notice,
    own_seat,
    successor,
)
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.session.peers.side_channel import UndoRequest
from tabletin.app.ui.html import button, esc, icon, link, tag
from tabletin.app.ui.screen import Shell
from tabletin.kernel.options import Refused
from tabletin.kernel.undo import moves_behind
from tabletin.peers.net.transport import Presence
from tabletin.peers.worker.status import WAITS, Culprit
from tabletin.words import Catalogue

PICTURES: Final = {Presence.HERE: "circle-check", Presence.UNSTABLE: "circle-dashed", Presence.AWAY: "circle-off",
                   Presence.LEFT: "circle-x", Presence.UNKNOWN: "circle-off"}
SOON: Final = 0.05  # seconds


class PeerBar:
    """The bar of ``session`` in the element "peer-bar", kept up to date until ``close``."""

    def __init__(self, shell: Shell, session: PeerSession) -> None:
        self._shell = shell
        self._session = session
        self._html = ""
        self._asks_to_leave = False
        self._timer: asyncio.TimerHandle | None = None
        self._ends = (session.on_change(lambda happenings: self.draw_soon()), session.on_status_change(self.draw_soon))
        session.continuation.show()
        self.draw()

    def draw_soon(self) -> None:
        """Draw the bar once for all that a move brings about, and after the table."""
        if self._timer is None:
            self._timer = asyncio.get_event_loop().call_later(SOON, self.draw)

    def draw(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        html = peer_bar(self._shell.words, self._session, leaving=self._asks_to_leave)
        if html != self._html:
            self._html = html
            self._shell.document.repaint("peer-bar", html)

    def close(self) -> None:
        self._session.continuation.hide()
        for end in self._ends:
            end()
        if self._timer is not None:
            self._timer.cancel()

    async def act(self, do: str, data: Mapping[str, str]) -> bool:
        """Do what was tapped, if it is one of the bar’s; whether it was."""
        session = self._session
        try:
            if do in ("agree_back", "refuse_back"):
                await session.side_channel.answer(agree=do == "agree_back")
            elif do == "parting":
                await session.continuation.choose(data["author"], data["then"])
            elif do == "take_seat":
                session.rejoin.ask()
            elif do == "watch_on":
                await session.continuation.watch_successor()
            elif do == "skip_turn":
                await session.time_out(int(data["seat"]))
            elif do in ("leave_match", "stay"):
                self._asks_to_leave = do == "leave_match"
                self.draw()
            elif do == "really_leave":
                self._asks_to_leave = False
                if await session.leave.go():
                    self._shell.go(address())
            elif do == "stay_after_all":
                await session.leave.stay()
            elif do == "save_evidence":
                text = session.side_channel.evidence.get((data["author"], data["why"]), "")
                self._shell.document.hand_out(f"tabletin-evidence-{session.id}.json", text)
            else:
                return False
        except Refused as refused:
            self._shell.notices.say(session.wording.refusal(refused.refusal))
        return True


def peer_bar(words: Catalogue, session: PeerSession, *, leaving: bool = False) -> str:
    """The bar, and below it what is to be decided; ``leaving``: also whether to leave for good."""
    others = "".join(_peer(words, session, author) for author in session.status.other_authors)
    label = words.text("peer_match.padlock")
    padlock = link(label, address("match", session.id, "sealed"), look="quiet", picture="lock", only_picture=True)
    listing = tag("ul", others, class_="peers", aria_label=words.text("peer_match.who")) if others else ""
    waiting, progress = waiting_words(words, session), progress_words(words, session)
    said = tag("p", esc(waiting), class_="waiting", role="status") + tag("p", "" if waiting else esc(progress), class_="dealing")
    way_out = ""
    if session.people and session.owner and session.match.outcome is None and session.status.other_authors:
        way_out = button(words.text("peer_match.leave_or_move"), "leave_match", look="quiet", picture="log-out",
                         only_picture=True, id="leave-match")
    asked = _leave(words, session) if way_out and (leaving or session.leave.stage) else ""
    return (f'<div class="peer-bar">{listing}<div class="state">{said}</div>{padlock}{way_out}</div>'
            f'{asked}{_notices(words, session)}')


def _leave(words: Catalogue, session: PeerSession) -> str:
    """Asks whether to leave for good, says what that means, and offers to go on at another device. Once this is decided: that
    the device leaves in a moment."""
    stage = session.leave.stage
    if stage:
        back = button(words.text("peer_match.stay"), "stay_after_all", look="quiet", id="stay") if stage == WAITS else ""
        return notice(words.text(f"peer_match.leaving.{stage}"), back)
    ways = (link(words.text("peer_match.move"), address("match", session.id, "move"), picture="monitor-smartphone", id="move")
            + button(words.text("peer_match.leave"), "really_leave", look="danger", id="really-leave")
            + button(words.text("peer_match.stay"), "stay", look="quiet", id="stay"))
    return notice(words.text(f"peer_match.leave_why.{session.leave.consequence()}"), ways)


def _peer(words: Catalogue, session: PeerSession, author: str) -> str:
    presence = session.status.presence(author)
    state = words.text(f"peer_match.presence.{presence.value}")
    quiet = "unseen" if presence is Presence.HERE else "how"
    late = " late" if author in session.status.missing else ""
    return tag("li", f'{icon(PICTURES[presence])}<span class="name">{esc(device_name(words, session, author))}</span>'
                     f'<span class="{quiet}">{esc(state)}</span>', class_=f"peer {presence.value}{late}")


def waiting_words(words: Catalogue, session: PeerSession) -> str:
    """For whom the table waits, in a sentence; "" while everything goes on."""
    if session.match.outcome is not None or not session.owner:
        return ""
    missing = session.status.missing
    if missing:
        names = [device_name(words, session, author) for author in missing]
        return words.text("peer_match.waiting", n=len(names), names=words.join_names(names))
    if session.net is None:
        return words.text("peer_match.looking")
    return ""


def progress_words(words: Catalogue, session: PeerSession) -> str:
    """How far the deal is, in a few words; "" while nothing is dealt."""
    if session.match.outcome is not None or not session.owner:
        return ""
    progress = session.status.progress
    if progress.what in ("keys", "shuffle"):
        now = min(progress.done_count + 1, progress.total)
        return words.text(f"peer_match.progress.{progress.what}", n=now, of=progress.total)
    if progress.checking:
        return words.text("peer_match.progress.checking", n=session.status.checking_of - progress.checking + 1,
                          of=session.status.checking_of)
    if session.sending:
        return words.text("peer_match.progress.sending")
    return ""


def _notices(words: Catalogue, session: PeerSession) -> str:
    notices = [_accused(words, session, accused) for accused in session.status.culprits]
    notices += [notice(words.text("room.refuse.version", name=device_name(words, session, author)))
                for author in session.status.other_versions]
    if session.match.outcome is None and session.owner:
        notices += [_asked(words, session), *(absent(words, session, author) for author in session.status.other_authors)]
    if session.owner:
        notices += [own_seat(words, session), elsewhere_notice(words, session), successor(words, session)]
    return "".join(notices)


def _accused(words: Catalogue, session: PeerSession, accused: Culprit) -> str:
    """Names the device that was proven to have broken the rules, on every screen, and hands the proof out."""
    author, why, refusal = accused.author, accused.why, accused.refusal
    mine = author == session.author
    key = "peer_match.accused_you" if mine else "peer_match.accused"
    sentence = words.text(key, name=first_name(words, session, author), why=words.text(f"peers.why.{why}"))
    if refusal is not None and refusal.key in words:
        sentence = f"{sentence} {session.wording.refusal(refusal)}"
    save = button(words.text("peer_match.save_evidence"), "save_evidence", picture="download", data_author=author, data_why=why,
                  id=f"evidence-{author[:8]}-{why}")
    room = "" if mine else link(words.text("chat.to_room"), address("room"), picture="users", id=f"room-{author[:8]}-{why}")
    return notice(sentence, room + save, "bad")


def _what_is_asked(words: Catalogue, session: PeerSession, request: UndoRequest) -> str:
    """How far back somebody would like to go: who agrees without knowing that could be led to take back a whole hand."""
    seat, moves = session.wording.seat(request.seat), moves_behind(session.match.entries, request.target)
    if moves == (request.seat,):
        return words.text("peer_match.asked_back", seat=seat)
    return words.text("peer_match.asked_far_back", seat=seat, n=len(moves))


def _asked(words: Catalogue, session: PeerSession) -> str:
    """Another device asks to take a move back; or what became of one's own request."""
    channel, wording = session.side_channel, session.wording
    if channel.request is not None:
        ways = (button(words.text("table.offer.agree"), "agree_back", look="primary", id="agree-back")
                + button(words.text("peer_match.no_undo"), "refuse_back", look="quiet", id="refuse-back"))
        return notice(_what_is_asked(words, session, channel.request), ways)
    if channel.own_request is not None:
        return notice(words.text("peer_match.asking_back"))
    if channel.decliner is not None:
        return notice(words.text("peer_match.declined", seat=wording.seat(channel.decliner)))
    return ""
