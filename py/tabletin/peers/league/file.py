"""Results as a file, which anybody can judge: ``python3 -m tabletin judge``, or the page's own judge. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.log import canonical, count_field, parse
from tabletin.kernel.schema import Malformed
from tabletin.peers.league.signed_result import SignedResult, read_results

FORM: Final = "tabletin-league"
VERSION: Final = 1
MOST_BYTES: Final = 8_000_000
MOST_RESULTS: Final = 2_000
MOST_KEYS: Final = 10_000  # that differ: each signer is one, and what a device keeps may be of 8,000


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """What a file holds: ``results``, and how many more that cannot be read."""

    results: tuple[SignedResult, ...]
    unreadable: int = 0


def league_file(results: Iterable[SignedResult]) -> str:
    """The text of a file with ``results``, in their order."""
    return canonical({"form": FORM, "version": VERSION, "results": [one.to_json() for one in results]}).decode() + "\n"


def read_league_file(text: str) -> LeagueFile:
    """The results in ``text``; their signatures are not checked. Raises ``Malformed``, also if none of them can be read."""
    data = parse(text, MOST_BYTES, keys=MOST_KEYS)
    if type(data) is not dict or data.keys() != {"form", "version", "results"}:
        raise Malformed("not a league")
    results, version = data["results"], count_field(data, "version")
    if (data["form"], version) != (FORM, VERSION) or type(results) is not list or len(results) > MOST_RESULTS:
        raise Malformed("not a league")
    readable, unreadable = read_results(results)
    if unreadable and not readable:
        raise Malformed("not a league")
    return LeagueFile(readable, len(unreadable))


def is_league_file(text: str) -> bool:
    """Whether ``text`` says of itself that it is one."""
    return f'"form":"{FORM}"' in text[:200].replace(" ", "")
