"""Two houses without relays: a code and its reply, which lie a while in a messenger. Both people switched a STUN server on."""

from __future__ import annotations

import pytest

from tests.networks.houses import Internet, Nat
from tests.networks.meetings import Browse, deal_by_codes, start
from tests.networks.programs import CHROMIUM, FIREFOX, Servers

MINUTES = 5 * 60


@pytest.mark.wide
@pytest.mark.parametrize(("nat", "lies", "guest"), [
    (Nat.PRESERVING, 0, CHROMIUM), (Nat.CHANGING, 0, FIREFOX), (Nat.PRESERVING, 60, CHROMIUM), (Nat.PRESERVING, 60, FIREFOX),
    (Nat.CHANGING, 60, CHROMIUM), (Nat.PRESERVING, MINUTES, CHROMIUM), (Nat.PRESERVING, MINUTES, FIREFOX)],
    ids=lambda value: value.name.lower() if isinstance(value, Nat) else str(value))
def test_a_reply_leads_to_the_table_however_long_it_lay(internet: Internet, servers: Servers, browse: Browse, nat: Nat,
                                                        lies: int, guest: str) -> None:
    ada, bo = (browse(internet.house(nat).device(), servers.settings(), browser) for browser in (CHROMIUM, guest))
    start(ada, bo)
    linked = deal_by_codes(ada, bo, lies)
    print(f"\n{nat.name.lower()}, {guest}, codes, the reply lay {lies} s: linked {linked:.1f} s after it was pasted", end="",
          flush=True)
