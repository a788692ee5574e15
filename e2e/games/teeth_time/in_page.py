"""What the tests inside the page have to know about Teeth Time: what cards that lie small look like, and which card somebody who
is given a penalty is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tabletin.games.teeth_time import art
from tabletin.games.teeth_time.face_cards import cut_face_card

if TYPE_CHECKING:
    from e2e.support.in_page.inside_page import ASKED, DRAWINGS


def small_drawings() -> list[tuple[str, str]]:
    """Every face as it is drawn on a card that lies small, with its name and without, and on one that is cut short."""
    small = [(face, art.small_front(face, named=named)) for face in art.FACES for named in (True, False)]
    return small + [(face, art.cut_front(face) if face in art.TEETH else cut_face_card(face)) for face in art.FACES]


def asked_cards(match: Any) -> Sequence[str]:
    """"You have no Prevention card." names one that nobody may have, on the table and then in the log."""
    moves = (entry.statement.body["do"][0] for entry in match.entries if entry.statement.kind == "move")
    return ("prevention",) if match.state.phase in ("reply", "counter") or "accept" in moves else ()


ASKED["teeth_time"] = asked_cards
DRAWINGS["teeth_time"] = small_drawings
