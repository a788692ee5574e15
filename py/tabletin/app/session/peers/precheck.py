"""What a device sees to be wrong with its own move before anybody else is asked. Pure; it decides nothing for others."""

from __future__ import annotations

from tabletin.kernel.faces import HIDDEN
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed, Move, read_move


def foresee(match: Match, seat: int, move: Move) -> None:
    """Raises ``Refused`` where what this device knows of ``match`` shows that ``seat`` may not make ``move``."""
    view = match.view((seat,))
    rules, state = view.rules, view.state
    try:
        read = read_move(rules.verbs, move)
    except Malformed as error:
        raise refused("kernel.malformed", what=str(error)) from error
    openings = rules.openings(state, seat, read, view.faces)
    if any(face is HIDDEN for face in openings.values()):
        raise refused("kernel.unknown_card")
    trial = state.copy()
    trial.public.update(openings)
    refusal = rules.own_refusal(state, seat, read, view.faces) or rules.judge(trial, seat, read)
    if refusal is not None:
        raise Refused(refusal)
