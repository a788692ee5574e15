"""How a result feels to those who look at it: a win to celebrate, a kind word to whoever lost, the best one so far.

Pure: it reads outcomes and records, and answers with keys and seats. The page words and draws it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from tabletin.app.storage.matches import MatchRecord
from tabletin.app.storage.profiles import Profiles
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Setup
from tabletin.words import Catalogue
from tabletin.words.wording import Wording

CLOSE = 0.1  # of the best score: a difference no larger was close


def named_for_others(setup: Setup, words: Catalogue) -> Setup:
    """``setup`` with nobody called "You": whoever was sent a result would take it for their own name. Who is the only one called
    so sends it, and speaks of "me"."""
    unnamed = _unnamed(setup, words)
    names = {seat: words.text("newmatch.who_choices.me") if len(unnamed) == 1 else words.text("newmatch.person_name", n=seat + 1)
             for seat in unnamed}
    return replace(setup, seats=tuple(replace(seat, name=names.get(number, seat.name))
                                      for number, seat in enumerate(setup.seats)))


def verdict_for_others(outcome: Outcome, setup: Setup, words: Catalogue) -> str:
    """Who won, in the words of whoever sends it."""
    unnamed = _unnamed(setup, words)
    if len(unnamed) == 1 and list(outcome.winners) == unnamed:
        return words.text("result.i_won")
    return Wording(words, named_for_others(setup, words)).outcome(outcome)


def _unnamed(setup: Setup, words: Catalogue) -> list[int]:
    """The seats that are called "You"."""
    you = words.text("newmatch.me_name")
    return [number for number, seat in enumerate(setup.seats) if seat.name == you]


def ranks(outcome: Outcome) -> list[int]:
    """The seats by score, winners first."""
    sign = 1 if outcome.low_wins else -1
    return sorted(range(len(outcome.scores)), key=lambda seat: (seat not in outcome.winners, sign * outcome.scores[seat]))


def places_of(outcome: Outcome) -> dict[int, int]:
    """Which place every seat has come to, the first is 1; those who have as much, and both won or both did not, share it."""
    order = ranks(outcome)
    worth = [(seat in outcome.winners, outcome.scores[seat]) for seat in order]
    return {seat: 1 + worth.index(own) for seat, own in zip(order, worth, strict=True)}


def spirit_of(outcome: Outcome, people: Collection[int]) -> str:
    """What the people at this device feel: "won", "shared", "close", "lost", "both" where some of them won and some lost, or ""
    where they look at a match of others, or at one that was given up."""
    here = set(people)
    won = here & set(outcome.winners)
    if not here or outcome.unfinished:
        return ""
    if won and won != here:
        return "both"
    if won:
        return "won" if len(outcome.winners) == 1 else "shared"
    if not outcome.winners:
        return ""
    best = outcome.scores[outcome.winners[0]]
    nearest = min(abs(outcome.scores[seat] - best) for seat in here)
    return "close" if nearest <= max(1, CLOSE * abs(best)) else "lost"


def people_in(record: MatchRecord, profiles: Profiles) -> dict[str, int]:
    """Whose best turns count in the match: the seat of every profile that sat here, by its id; of somebody without one by "".

    Nobody's where it was not given its chance: practice, chosen deals, a match that was given up."""
    if record.outcome is None or record.outcome.unfinished or record.practice or "seed" in record.extra:
        return {}
    found = {profile.id: seat for profile in profiles.people if (seat := profile.seat_in(record)) is not None}
    mine = record.own_seat if record.me is None else record.me
    if mine is not None and mine not in found.values():
        found[""] = mine
    return found


def is_personal_best(record: MatchRecord, others: Iterable[MatchRecord]) -> bool:
    """Whether the person of ``record`` never had a better or an equal score in a match of the same kind, and had one."""
    seat, outcome = record.own_seat, record.outcome
    if seat is None or outcome is None or outcome.unfinished or record.practice:
        return False
    earlier = [other.outcome.scores[own] for other in others
               if other.id != record.id and _kind(other) == _kind(record) and not other.practice
               and other.outcome is not None and not other.outcome.unfinished and (own := other.own_seat) is not None]
    mine = outcome.scores[seat]
    return bool(earlier) and (mine < min(earlier) if outcome.low_wins else mine > max(earlier))


def _kind(record: MatchRecord) -> tuple[object, ...]:
    """What makes scores comparable."""
    return record.game, len(record.seats), tuple(sorted((name, str(value)) for name, value in record.options.items()))
