"""Who sits at the other end: the strip above the table of a match among peers. Pure: HTML, and what its buttons do.

Who is here, unsteady or away, for whose device the table waits, how far the deal is, the padlock – and, where somebody has to
decide something, a line with its buttons: agreeing to an undo, going on without somebody, keeping proof of who cheated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.kernel.options import Refused
from tabletin.peers.net import Presence
from tabletin.words import Catalogue

from .markup import button, esc, icon, link, tag
from .peersession import PeerSession
from .routes import address
from .screen import Shell

PICTURES: Final = {Presence.HERE: "circle-check", Presence.UNSTABLE: "circle-dashed", Presence.AWAY: "circle-off",
                   Presence.LEFT: "circle-x", Presence.UNKNOWN: "circle-off"}


class Company:
    """The strip of ``session`` in the element "company", kept up to date until ``close``."""

    def __init__(self, shell: Shell, session: PeerSession) -> None:
        self._shell = shell
        self._session = session
        self._drawn = ""
        self._leaving = False
        self._ends = (session.on_change(lambda events, index: self.draw()), session.on_standing(self.draw))
        self.draw()

    def draw(self) -> None:
        html = strip(self._shell.words, self._session, leaving=self._leaving)
        if html != self._drawn:
            self._drawn = html
            self._shell.repaint("company", html)

    def close(self) -> None:
        for end in self._ends:
            end()

    async def act(self, do: str, data: Mapping[str, str]) -> bool:
        """Do what was tapped, if it is one of the strip's; whether it was."""
        session = self._session
        try:
            if do in ("agree_back", "refuse_back"):
                await session.asides.answer(agree=do == "agree_back")
            elif do == "go_on_without":
                await session.standing.go_on_without(data["author"])
            elif do == "wait_for":
                await session.standing.wait_for(data["author"])
            elif do == "skip_turn":
                await session.time_out(int(data["seat"]))
            elif do in ("leave_match", "stay"):
                self._leaving = do == "leave_match"
                self.draw()
            elif do == "really_leave":
                self._leaving = False
                await session.leave()
                self._shell.go(address())
            elif do == "save_evidence":
                text = session.asides.evidence.get((data["author"], data["why"]), "")
                self._shell.hand_out(f"tabletin-evidence-{session.id}.json", text)
            else:
                return False
        except Refused as refused:
            self._shell.say(session.wording.refusal(refused.refusal))
        return True


def strip(words: Catalogue, session: PeerSession, *, leaving: bool = False) -> str:
    """The strip, and below it what is to be decided; ``leaving``: also whether to leave for good."""
    others = "".join(_peer(words, session, author) for author in session.standing.others)
    label = words.text("peer_match.padlock")
    padlock = link(label, address("match", session.id, "sealed"), look="quiet", picture="lock", only_picture=True)
    listing = tag("ul", others, class_="peers", aria_label=words.text("peer_match.who")) if others else ""
    waiting, progress = waiting_words(words, session), progress_words(words, session)
    said = tag("p", esc(waiting), class_="waiting", role="status") + tag("p", "" if waiting else esc(progress), class_="dealing")
    way_out = ""
    if session.people and session.owner and session.match.outcome is None and session.standing.others:
        way_out = button(words.text("peer_match.leave"), "leave_match", look="quiet", picture="log-out", only_picture=True,
                         id="leave-match")
    asked = _leave(words) if leaving and way_out else ""
    return (f'<div class="company">{listing}<div class="state">{said}</div>{padlock}{way_out}</div>'
            f'{asked}{_notices(words, session)}')


def _leave(words: Catalogue) -> str:
    """Whether to leave for good, and what comes of it."""
    ways = (button(words.text("peer_match.leave"), "really_leave", look="danger", id="really-leave")
            + button(words.text("peer_match.stay"), "stay", look="quiet", id="stay"))
    return _notice(words.text("peer_match.leave_why"), ways)


def device_name(words: Catalogue, session: PeerSession, author: str) -> str:
    """Whose device it is: the people who sit at it, or its bots."""
    wording = session.wording
    seats = session.standing.seats(author)
    people = [seat for seat in seats if not session.match.setup.seats[seat].is_bot]
    names = [wording.seat(seat) for seat in people or seats]
    if len(names) < 2:
        return names[0] if names else words.text("peer_match.somebody")
    return words.text("kernel.and", first=", ".join(names[:-1]), last=names[-1])


def _peer(words: Catalogue, session: PeerSession, author: str) -> str:
    presence = session.standing.presence(author)
    state = words.text(f"peer_match.presence.{presence.value}")
    quiet = "unseen" if presence is Presence.HERE else "how"
    late = " late" if author in session.standing.missing else ""
    return tag("li", f'{icon(PICTURES[presence])}<span class="name">{esc(device_name(words, session, author))}</span>'
                     f'<span class="{quiet}">{esc(state)}</span>', class_=f"peer {presence.value}{late}")


def waiting_words(words: Catalogue, session: PeerSession) -> str:
    """For whom the table waits, in a sentence; "" while everything goes on."""
    if session.match.outcome is not None or not session.owner:
        return ""
    missing = session.standing.missing
    if missing:
        names = [device_name(words, session, author) for author in missing]
        listed = names[0] if len(names) < 2 else words.text("kernel.and", first=", ".join(names[:-1]), last=names[-1])
        return words.text("peer_match.waiting", n=len(names), names=listed)
    if session.net is None:
        return words.text("peer_match.looking")
    return ""


def progress_words(words: Catalogue, session: PeerSession) -> str:
    """How far the deal is, in a few words; "" while nothing is dealt."""
    if session.match.outcome is not None or not session.owner:
        return ""
    progress = session.standing.progress
    if progress.what in ("keys", "shuffle"):
        now = min(progress.done + 1, progress.of)
        return words.text(f"peer_match.progress.{progress.what}", n=now, of=progress.of)
    if progress.checking:
        return words.text("peer_match.progress.checking", n=progress.checking_of - progress.checking + 1,
                          of=progress.checking_of)
    if session.sending:
        return words.text("peer_match.progress.sending")
    return ""


def _notices(words: Catalogue, session: PeerSession) -> str:
    notices = [_accused(words, session, author, why) for author, why in session.standing.accused]
    if session.match.outcome is None and session.owner:
        notices += [_asked(words, session), *(_absent(words, session, author) for author in session.standing.others)]
    return "".join(notices)


def _notice(sentence: str, buttons: str = "", look: str = "") -> str:
    return tag("div", f"<p>{esc(sentence)}</p>{buttons}", class_=f"notice {look}".strip(), role="status")


def _accused(words: Catalogue, session: PeerSession, author: str, why: str) -> str:
    """Names who was proven to have broken the rules, on every screen, and hands the proof out."""
    mine = author == session.author
    key = "peer_match.accused_you" if mine else "peer_match.accused"
    sentence = words.text(key, name=device_name(words, session, author), why=words.text(f"peers.why.{why}"))
    save = button(words.text("peer_match.save_evidence"), "save_evidence", picture="download", data_author=author, data_why=why,
                  id=f"evidence-{author[:8]}-{why}")
    return _notice(sentence, save, "bad")


def _asked(words: Catalogue, session: PeerSession) -> str:
    """Another device asks to take a move back; or what became of one's own asking."""
    asides, wording = session.asides, session.wording
    if asides.asked is not None:
        ways = (button(words.text("table.offer.agree"), "agree_back", look="primary", id="agree-back")
                + button(words.text("peer_match.no_undo"), "refuse_back", look="quiet", id="refuse-back"))
        return _notice(words.text("peer_match.asked_back", seat=wording.seat(asides.asked.seat)), ways)
    if asides.wish is not None:
        return _notice(words.text("peer_match.asking_back"))
    if asides.declined is not None:
        return _notice(words.text("peer_match.declined", seat=wording.seat(asides.declined)))
    return ""


def _absent(words: Catalogue, session: PeerSession, author: str) -> str:
    """What can be done about somebody who is away: invite again, or go on without, if the others are enough."""
    standing = session.standing
    presence = standing.presence(author)
    if presence not in (Presence.AWAY, Presence.LEFT, Presence.UNKNOWN) or session.net is None:
        return ""
    name = device_name(words, session, author)
    if author in standing.gone:
        back = button(words.text("peer_match.wait_again", name=name), "wait_for", data_author=author, id=f"wait-{author[:8]}")
        return _notice(words.text("peer_match.gone_voted", name=name), back)
    ways = ""
    if author in session.net.lost() or presence is Presence.LEFT:
        ways += link(words.text("peer_match.invite_again", name=name), address("room"), look="quiet", picture="users")
    for seat in standing.skippable(author):
        skip = words.text("peer_match.skip_turn", name=session.wording.seat(seat))
        ways += button(skip, "skip_turn", look="quiet", data_seat=str(seat), id=f"skip-{seat}",
                       aria_pressed="true" if seat in standing.timeouts else "false")
    if standing.can_go_on(author):
        ways += button(words.text("peer_match.go_on_without", name=name), "go_on_without", look="quiet", data_author=author,
                       id=f"without-{author[:8]}")
    return _notice(words.text(f"peer_match.absent.{presence.value}", name=name), ways) if ways else ""
