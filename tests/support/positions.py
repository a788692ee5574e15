"""What a bot sees, as tests look at it."""

from __future__ import annotations

from tabletin.bots.decision import Position


def hand_of(position: Position) -> list[str]:
    """The faces in the hand of the seat that decides."""
    return [position.faces[card] for card in position.state.hands[position.seat]]
