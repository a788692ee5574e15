"""Fluke TooT: roll the die, draw as many cards, lay any that join the TooT on the table. Fewest cards left wins.

Source: rulebook ``toot``, "Fluke TooT", and ruling TO-6.
"""

from __future__ import annotations

from typing import Final

from tabletin.games.toot.arrangement import TOOTS
from tabletin.games.toot.onetable import OneTable, OneTableState
from tabletin.kernel.faces import Card
from tabletin.kernel.requests import Request, Result, Roll
from tabletin.kernel.rules import SheetRow

DIE: Final = 6


class FlukeState(OneTableState):
    """``roll``: what the die showed this turn, 0 before it is rolled and in a last turn. ``leaver_counts``: by seat, how many
    cards it had when it left."""

    __slots__ = ("roll", "leaver_counts")

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.roll = 0
        self.leaver_counts: tuple[int, ...] = (0,) * seats


class Fluke(OneTable[FlukeState]):
    """Fluke TooT for 2–6 seats."""

    id = "toot-fluke"
    forced_verbs_among_bots = frozenset(("pass",))  # whoever could lay may pass, too
    brief_verbs = frozenset(("pass",))  # a plate keeps saying it
    verbs = {"roll": (), "play": (TOOTS,), "pass": ()}
    low_wins = True
    draw_verb = "roll"
    draw_first = "toot.refuse.roll_first"
    ruling = "TO-6"

    def start(self) -> FlukeState:
        state = FlukeState(self.seats)
        state.new_deck(self.deck())
        return state

    def begin_draw(self, state: FlukeState, seat: int) -> None:
        state.ask(Roll(DIE, "die"))

    def take_answer(self, state: FlukeState, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        """A roll draws that many cards, fewer if the deck ends (TO-6)."""
        if isinstance(request, Roll) and request.purpose == "die":
            assert isinstance(result, int)
            state.roll = result
            state.say("toot.log.rolled", state.turn, n=result)
            self.take(state, state.turn, result)
        else:
            super().take_answer(state, request, cards, result)

    def _end_turn(self, state: FlukeState) -> None:
        state.roll = 0
        super()._end_turn(state)

    def play_without(self, state: FlukeState, seats: tuple[int, ...]) -> None:
        """Their cards go with them, and count as they did."""
        state.leaver_counts = tuple(len(state.hands[seat]) if seat in seats else cards
                                    for seat, cards in enumerate(state.leaver_counts))
        super().play_without(state, seats)

    def standings(self, state: FlukeState) -> tuple[int, ...]:
        return tuple(len(hand) + taken for hand, taken in zip(state.hands, state.leaver_counts, strict=True))

    def sheet(self, state: FlukeState) -> list[SheetRow]:
        return [SheetRow("toot.sheet.cards_left", self.standings(state), total=True)]
