"""Three houses with slow lines: dealing, and how long a move takes until it stands everywhere.

Each house's line loses 2.5 % of the packets and takes 75 ms, each way: between two houses that makes 5 % and a round trip of
300 ms. A line carries 256 kbit/s each way.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from typing import Final

import pytest

from e2e.support.peer_tables import Far
from tests.networks.houses import Internet, Nat
from tests.networks.meetings import Browse, gather, start
from tests.networks.programs import Program, Servers
from tests.support.examples import WIDEST

LINE: Final = ("0.025", "0.075", "0.01", "32000")
ROUND_TRIP: Final = 0.3
MOST_TO_DEAL: Final = 20.0  # seconds
MOVES: Final = 12
ENTRIES: Final = 60  # of the log; until then all of them play


@pytest.mark.wide
def test_three_devices_deal_and_a_move_stands_everywhere_soon(internet: Internet, servers: Servers, browse: Browse,
                                                              started: Callable[..., Program]) -> None:
    houses = [internet.house(Nat.PRESERVING, slow=True) for _ in range(3)]
    for house in houses:
        assert house.line is not None
        started(house.line, "line", "street", "home", *LINE)
    pages = [browse(houses[0].device(), servers.settings()), *(browse(house.device()) for house in houses[1:])]
    start(*pages)
    print("\n5 %, 300 ms, 256 kbit/s, three devices", end="")
    _, dealt = gather(WIDEST, pages, servers)
    fars = [Far(page).enter() for page in pages]
    for far in fars:
        assert far.do("adopt_links")
        far.do("watch")
    for number, far in enumerate(fars):
        far.do("play", number, ENTRIES, ENTRIES)
    for far in fars:
        far.until("!state.playing")
    times = [json.loads(far.do("times")) for far in fars]
    acts = {index: begun for one in times for index, begun in one["acts"].items()}
    waits = sorted((max(one["painted"][index] for one in times) - begun) / 1000
                   for index, begun in acts.items() if all(index in one["painted"] for one in times))
    middle = statistics.median(waits)
    print(f"\n  {len(waits)} moves stood everywhere after {middle:.1f} s in the median, {waits[-1]:.1f} s at most; "
          f"{sum(far.state['sent'] for far in fars)} bytes were sent", end="", flush=True)
    assert len(waits) >= MOVES
    assert middle <= 3 * ROUND_TRIP
    assert dealt <= MOST_TO_DEAL
