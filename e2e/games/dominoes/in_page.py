"""What the tests inside the page have to know about dominoes: which doubles were asked for, from the highest down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from e2e.support.in_page.inside_page import ASKED


def asked_doubles(match: Any) -> Sequence[str]:
    doubles: Sequence[str] = match.rules.questions[:match.state.question + 1]
    return doubles


ASKED["dominoes"] = asked_doubles
