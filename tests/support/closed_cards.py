"""What rules get wrong with cards that lie face down, found by watching a match and said to the author of the rules.

A handle is a name that every reader can follow, while people at a table lose sight of a card that is mixed into a hand or
a heap. And among devices a card that its holder has read can be shown to nobody else before it is taken back. The rules
say both as requests; forgetting one breaks no move on one device, so it is looked for here.

A card is not followed through the pile. One that goes from a hand into the pile, and comes from there to a hand under its
old handle, passes: a rulebook may let all know where in the pile it lies.
"""

from __future__ import annotations

from tabletin.kernel.faces import Card
from tabletin.kernel.match import Match
from tabletin.kernel.requests import Request, Roll, Shuffle, TakeBack, discloses_publicly
from tabletin.kernel.rules import Rules, Zone
from tabletin.kernel.state import State

PILE = "pile"  # the zone to draw from: where in it a card lies may be known to all, as the rulebook has it


def closed_card_faults(match: Match) -> list[str]:
    """One sentence for every kind of fault in ``match``: which move, which zones, and the request to leave instead."""
    rules, found = match.rules, dict[str, None]()
    before: dict[Card, Zone] = {}
    read: set[Card] = set()  # handles that have been in a hand
    for entry, state, _ in match.story():
        after = zone_of(rules, state)
        read |= {card for card, zone in after.items() if is_hand(zone)}
        if entry.statement.kind != "undo":
            doing = move_of(entry.statement.kind, entry.statement.body)
            mixed = {card for request in state.requests if isinstance(request, Shuffle) for card in request.cards}
            opened = {card for request in state.requests if discloses_publicly(request) for card in cards_of(request)}
            taken = {card for request in state.requests if isinstance(request, TakeBack) for card in request.cards}
            for card, zone in after.items():
                came = before.get(card)
                if came is None or came == zone or card in state.public or card in opened | mixed:
                    continue
                if is_hand(came) and not is_hand(zone) and card not in taken:
                    found[f"{rules.id}: {doing} lays a card from {named(came)} face down into {named(zone)}, and its holder "
                          f"could still show it. Leave TakeBack(cards) for it, or Shuffle(cards) where its place is to be "
                          f"unknown."] = None
                elif is_hand(zone) and came != PILE and card in read:
                    found[f"{rules.id}: {doing} brings a card face down from {named(came)} into {named(zone)} under its old "
                          f"handle, and everybody could follow it there. Leave Shuffle(cards) first, and give the fresh "
                          f"handles to the hand with Show(cards, seat)."] = None
        before = after
    return list(found)


def zone_of(rules: Rules[State], state: State) -> dict[Card, Zone]:
    return {card: zone for zone, cards in rules.zones(state).items() for card in cards}


def cards_of(request: Request) -> tuple[Card, ...]:
    return () if isinstance(request, Roll) else request.cards


def is_hand(zone: Zone) -> bool:
    return isinstance(zone, tuple) and zone[0] == "hand"


def named(zone: Zone) -> str:
    """A zone as rules write it, the same for every seat: 'pile', ('hand', seat)."""
    return repr(zone) if isinstance(zone, str) else f"({zone[0]!r}, seat)"


def move_of(kind: str, body: dict[str, object]) -> str:
    """What an entry does, in words: "the move 'lay'"."""
    do = body.get("do")
    return f"the move {do[0]!r}" if kind == "move" and isinstance(do, list | tuple) else f"an entry of kind {kind!r}"
