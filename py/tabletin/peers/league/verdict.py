"""What is to be said of one result: how the match ended, and who has signed it. In words, for a judge and for the page."""

from __future__ import annotations

from collections.abc import Iterable

from tabletin.peers.league.result import LeagueResult
from tabletin.peers.league.signed_result import SignedResult
from tabletin.words import Catalogue, figure
from tabletin.words.wording import name_apart


def names_at(words: Catalogue, result: LeagueResult, author: str) -> str:
    """The people at the device ``author``."""
    names = _names(words, result)
    return words.join_names(name for name, seat in zip(names, result.seats, strict=True)
                            if seat.author == author and not seat.is_bot)


def _names(words: Catalogue, result: LeagueResult) -> list[str]:
    """What to call each seat."""
    given = [seat.name for seat in result.seats]
    return [name_apart(words, given, number) for number in range(len(given))]


def ending(words: Catalogue, result: LeagueResult) -> str:
    """Everybody's score, and who won."""
    names = _names(words, result)
    scores = ", ".join(f"{name} {figure(score)}" for name, score in zip(names, result.scores, strict=True))
    winners = words.join_names(names[seat] for seat in result.winners)
    key = {0: "kernel.nobody_won", 1: "kernel.won"}.get(len(result.winners), "kernel.shared")
    return words.text("league.ending", scores=scores, won=words.text(key, seat=winners) if winners else words.text(key))


def signing(words: Catalogue, one: SignedResult, false_signers: Iterable[str] = ()) -> str:
    """Whether everybody has signed; where not, or where a signature is false, whose it is."""
    result, false_signers = one.result, tuple(false_signers)
    for key, authors in (("false", false_signers), ("missing", one.missing_signers)):
        if authors:
            return words.text(f"league.signing.{key}", n=len(authors),
                              names=words.join_names(names_at(words, result, author) for author in authors))
    return words.text("league.signing.all")
