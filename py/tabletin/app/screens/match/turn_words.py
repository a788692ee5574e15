"""A turn that was looked back at, in words: what was done, what *hard* would have done, what that gained and how sure it is.

Pure. It names only what the seat knew when it was its turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tabletin.app.session.review import TurnReview, events_of
from tabletin.app.ui.html import cards, esc, icon, tag
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import Match
from tabletin.kernel.state import Event
from tabletin.words import Catalogue, figure
from tabletin.words.wording import Wording

MOST_EVENTS: Final = 2  # of a move that are told
MOST_DRAWN: Final = 16  # cards of a turn that are drawn
MOST_DEALT: Final = 2  # entries after a move in which what it asked for may be dealt
MANY: Final = 2  # any number that is told in the plural
FEW, FEW_PLACES = 10, 1  # points below which a mean is told with so many places


class TurnWords:
    """Words for the turns of ``seat`` in ``match``, to a person who is spoken to as ``me`` if that is a seat."""

    def __init__(self, words: Catalogue, match: Match, seat: int, me: int | None) -> None:
        self.words = words
        self.match = match
        self.seat = seat
        self.own = Wording(words, match.setup, me)
        seats = list(match.setup.seats)
        seats[seat] = replace(seats[seat], name=words.text("review.hard"))
        self.other = Wording(words, replace(match.setup, seats=tuple(seats)), None if me == seat else me)

    def played_move(self, look: TurnReview) -> str:
        """What was done. A move that says nothing by itself, as one that draws, is told by what was dealt for it."""
        events, at = self.match.events(look.index), look.index
        for later in range(look.index + 1, min(look.index + 1 + MOST_DEALT, len(self.match.entries))):
            if any(event.seat == self.seat for event in events):
                break
            events, at = self.match.events(later), later
        return _told(events, self.seat, self.own, self._faces_then(at))

    def _faces_then(self, index: int) -> Faces:
        """What the seat knew as entry ``index`` came: what it laid open, too, though a new deck has swept it off the table."""
        entry = self.match.entries[index]
        opened = entry.statement.body["open"] if entry.statement.kind == "move" else ()
        before = self.match.view((self.seat,), max(0, index - 1)).faces
        return Faces({**before, **self.match.view((self.seat,), index).faces, **{card: face for card, face, *_ in opened}})

    def cards(self, events: Iterable[Event], faces: Faces) -> str:
        """The cards of a turn as small drawings; "" where there are none, or one is not known."""
        own = [event for event in events if event.seat == self.seat and event.cards]
        shown = own[0].cards if own else ()
        if not all(card in faces for card in shown) or len(shown) > MOST_DRAWN:
            return ""
        return cards(self.match.setup.game, (("", faces[card]) for card in shown), self.words.language)

    def hard(self, look: TurnReview) -> str:
        """What hard would have done, and why."""
        faces = self.match.view((self.seat,), look.index - 1).faces
        did = _told(events_of(self.match, self.seat, look.index - 1, look.hard), self.seat, self.other, faces)
        did = self.words.text("review.instead", did=did)
        return did if not look.why else f"{did} {self.own.phrase(look.why, look.params)}"

    def gain(self, look: TurnReview) -> str:
        """The points that hard's turn gained, where that is sure; a sign else. Where fewest win: how many fewer or more."""
        if look.comparison is None or look.verdict in ("same", "even", "open"):
            return "?" if look.verdict == "open" else "="
        found = self._gained(look.comparison.mean)
        return f"{found}?" if look.verdict == "maybe" else found

    def _gained(self, points: float) -> str:
        """A gain as points are counted: "+9", or where fewest win "9 fewer"."""
        if not self.match.rules.low_wins:
            return self._points(points, plus=True)
        return self.words.text("review.fewer" if points > 0 else "review.more", n=self._points(abs(points)))

    def _points(self, points: float, *, plus: bool = False) -> str:
        """A mean of points: with a place behind the point where it is a small one."""
        places, sign = FEW_PLACES if abs(points) < FEW else 0, "+" if plus else ""
        written = f"{points:{sign}.{places}f}".removesuffix(".0")
        return figure(written.replace(".", self.words.text("review.decimal")))

    def verdict(self, look: TurnReview) -> str:
        return self.words.text(f"review.verdict.{look.verdict}")

    def certainty(self, look: TurnReview) -> str:
        """How sure the look is, and what could not be known."""
        found, text = look.comparison, self.words.text
        if found is not None and found.is_certain:
            return "" if look.verdict == "even" else text("review.certain", points=self._in_points(found.mean))
        closed = text("review.closed", n=look.closed_cards) if look.closed_cards else text("review.nothing_closed")
        if found is None or not found.worlds:
            return closed
        tried = text("review.tried", n=found.worlds, better=found.better, worse=found.worse)
        margin = text("review.margin", points=self._in_points(found.mean), half=self._points(found.half)) \
            if found.worlds > 1 else ""
        return " ".join(filter(None, (margin, tried, closed)))

    def _in_points(self, points: float) -> str:
        """A mean with the word for points: "+9 points", or where fewest win "9 points fewer"."""
        low = self.match.rules.low_wins
        told = self._points(abs(points) if low else points, plus=not low)
        key = "points" if not low else "points_fewer" if points > 0 else "points_more"
        return self.words.text(f"review.{key}", n=1 if told in ("1", "+1") else MANY, points=told)

    def line(self, look: TurnReview, to: str) -> str:
        """A turn as a line that leads to its moment."""
        number = f'<span class="gain {look.verdict}">{esc(self.gain(look))}</span>'
        own = self.cards(self.match.events(look.index), self._faces_then(look.index))
        hard = ""
        if look.verdict != "same":
            faces = self.match.view((self.seat,), look.index - 1).faces
            drawn = self.cards(events_of(self.match, self.seat, look.index - 1, look.hard), faces)
            hard = f'<span class="quiet">{esc(self.hard(look))}</span>{drawn}'
        told = (f'<span class="told">{esc(self.played_move(look))}{own}{hard}'
                f'<span class="verdict-of">{esc(self.verdict(look))}</span></span>')
        return tag("li", tag("a", f'{number}{told}{icon("arrow-right")}', href=to, class_="line"))


def _told(events: Iterable[Event], seat: int, wording: Wording, faces: Faces) -> str:
    """What ``seat`` did, in a sentence or two."""
    own = [event for event in events if event.seat == seat] or list(events)
    return " ".join(wording.event(event, faces) for event in own[:MOST_EVENTS])
