"""What the tests inside the page have to know about Teeth Time: which card somebody who is given a penalty is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from e2e.support.in_page.inside_page import ASKED


def asked_cards(match: Any) -> Sequence[str]:
    """"You have no Prevention card, so you take it." names one that nobody may have, on the table and then in the log."""
    moves = (entry.statement.body["do"][0] for entry in match.entries if entry.statement.kind == "move")
    return ("prevention",) if match.state.phase in ("reply", "counter") or "accept" in moves else ()


ASKED["teeth_time"] = asked_cards
