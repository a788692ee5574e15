"""What the bar at the table says of devices that are away or gone, and what can be done: wait, skip a turn, go on without, a
bot for a hand, a seat taken back, a seat that went to another device. Pure: from a session to HTML."""

from __future__ import annotations

from typing import Final

from tabletin.app.routes import address
from tabletin.app.session.peers.continuation import BOT, WAIT, WITHOUT
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.ui.html import button, esc, link, tag
from tabletin.peers.net.transport import Presence
from tabletin.words import Catalogue
from tabletin.words.wording import Wording, seat_name

SHORT: Final = 8  # digits of an author in an id


def notice(sentence: str, inner: str = "", look: str = "") -> str:
    return tag("div", f"<p>{esc(sentence)}</p>{inner}", class_=f"notice {look}".strip(), role="status")


def device_name(words: Catalogue, session: PeerSession, author: str) -> str:
    """The name of ``author``'s device: of the people who sit at it, or of its bots."""
    wording = session.wording
    seats = session.status.seats(author)
    people = [seat for seat in seats if not session.match.setup.seats[seat].is_bot]
    names = [wording.seat(seat) for seat in people or seats]
    return words.join_names(names) or words.text("peer_match.somebody")


def first_name(words: Catalogue, session: PeerSession, author: str) -> str:
    """The name under which ``author``'s device sat down at the table: who broke the rules may have taken another's since."""
    begun = session.match.snapshot_at(0).setup
    wording = Wording(words, begun)
    seats = [seat for seat, player in enumerate(begun.seats) if player.author == author]
    people = [seat for seat in seats if not begun.seats[seat].is_bot]
    return words.join_names([wording.seat(seat) for seat in people or seats]) or device_name(words, session, author)


def absent(words: Catalogue, session: PeerSession, author: str) -> str:
    """``author`` is away: wait, or what all who are here would have to choose. "" for a device that is not away."""
    status, continuation, net = session.status, session.continuation, session.net
    if net is None or not status.absent(author):
        return ""
    name, presence = device_name(words, session, author), status.presence(author)
    others = _choices_elsewhere(words, session, author, name)
    ways = ""
    if author in net.lost_authors() or presence in (Presence.LEFT, Presence.UNKNOWN):
        ways += link(words.text("peer_match.invite_again", name=name), address("room", "invite", match=session.id), look="quiet",
                     picture="user-plus", id=f"invite-{author[:SHORT]}")
    for seat in status.skippable(author):
        skip = words.text("peer_match.skip_turn", name=session.wording.seat(seat))
        ways += button(skip, "skip_turn", look="quiet", data_seat=str(seat), id=f"skip-{seat}",
                       aria_pressed="true" if seat in status.wants_timeout else "false")
    choices = _choices(words, session, author, name)
    if not choices and len(status.other_authors) == 1 and session.people:
        others += tag("p", esc(words.text("parting.two", name=name)), class_="quiet")
    choice = continuation.choice(author)
    if choice == WAIT:
        sentence = words.text(f"peer_match.absent.{presence.value}", name=name)
    elif choice == BOT or continuation.deals_anew(author):
        sentence = words.text(f"parting.wish.{choice}", name=name)
    else:
        sentence = words.text("parting.wish.end", name=name)
    return notice(sentence, f'{others}{choices}{tag("div", ways, class_="row") if ways else ""}')


def _choices(words: Catalogue, session: PeerSession, author: str, name: str) -> str:
    """Buttons: to wait, a bot, or without. The one that is chosen is pressed."""
    continuation = session.continuation
    choices = continuation.choices_about(author)
    if not choices:
        return ""
    now = continuation.choice(author)
    inner = ""
    for then in (WAIT, *choices):
        key = "end" if then == WITHOUT and not continuation.deals_anew(author) else then
        inner += button(words.text(f"parting.do.{key}", name=name), "parting", look="chosen" if then == now else "",
                        data_author=author, data_then=then, id=f"{then}-{author[:SHORT]}",
                        aria_pressed="true" if then == now else "false")
    label = words.text("parting.question", name=name)
    return tag("div", inner, class_="row choices", role="group", aria_label=label)


def _choices_elsewhere(words: Catalogue, session: PeerSession, author: str, name: str) -> str:
    """What the people at other tables choose about ``author``."""
    lines = ""
    for other, then in session.continuation.choices.get(author, {}).items():
        if then != WAIT and other in session.status.other_authors:
            key = f"parting.others.{then}"
            lines += tag("p", esc(words.text(key, other=device_name(words, session, other), name=name)), class_="quiet")
    return lines


def own_seat(words: Catalogue, session: PeerSession) -> str:
    """A bot plays a seat of somebody who is back: here with a button to take it back, elsewhere that it will be taken."""
    match, rejoin = session.match, session.rejoin
    if match.outcome is not None:
        return ""
    if session.author not in match.former_authors:
        back = [author for author in sorted(match.former_authors) if rejoin.promised_seats(author)]
        names = [seat_name(words, match.promises[seat].name, seat)
                 for author in back for seat in rejoin.promised_seats(author)]
        return "".join(notice(words.text("returning.theirs", name=name)) for name in names)
    if rejoin.promised_seats(session.author):
        return notice(words.text("returning.promised"))
    if not rejoin.lost_seats:
        return notice(words.text("returning.left_for_good")) if rejoin.is_by_own_will else ""
    if rejoin.asking:
        keeper = device_name(words, session, match.setup.seats[rejoin.lost_seats[0]].author)
        return notice(words.text("returning.asking", name=keeper))
    take = button(words.text("returning.take"), "take_seat", look="primary", id="take-seat")
    return notice(words.text("returning.left" if rejoin.is_by_own_will else "returning.lost"), take)


def elsewhere_notice(words: Catalogue, session: PeerSession) -> str:
    """The person of this device plays on at another one."""
    if session.match.outcome is not None or session.people or session.device_transfer.stage != "done":
        return ""
    return notice(words.text("move.elsewhere"))


def successor(words: Catalogue, session: PeerSession) -> str:
    """The match ended because the others go on without somebody: that there is a new match, or will be; "" otherwise."""
    continuation = session.continuation
    if not continuation.is_ended_without:
        return ""
    if session.author not in session.match.former_authors:
        soon = continuation.genesis is None and continuation.starts_new_match
        return notice(words.text("parting.dealing_anew")) if soon else ""
    watch = ""
    if continuation.genesis is not None:
        watch = button(words.text("parting.watch"), "watch_on", picture="eye", id="watch-on")
    return notice(words.text("parting.you_were_left"), watch)
