"""Two houses without relays: a code and its reply, which lie a while in a messenger. Both people switched a STUN server on."""

from __future__ import annotations

import pytest

from tests.networks.houses import Internet, Nat
from tests.networks.meetings import Browse, deal_by_codes, start
from tests.networks.programs import Servers

MINUTES = 5 * 60


@pytest.mark.parametrize(("nat", "lies"), [
    (Nat.PRESERVING, 0),
    *(pytest.param(nat, lies, marks=pytest.mark.wide)
      for nat, lies in ((Nat.CHANGING, 0), (Nat.PRESERVING, 60), (Nat.CHANGING, 60), (Nat.PRESERVING, MINUTES)))],
    ids=lambda value: value.name.lower() if isinstance(value, Nat) else f"{value}s")
def test_a_reply_leads_to_the_table_however_long_it_lay(internet: Internet, servers: Servers, browse: Browse, nat: Nat,
                                                        lies: int) -> None:
    ada, bo = (browse(internet.house(nat).device(), servers.settings()) for _ in range(2))
    start(ada, bo)
    linked = deal_by_codes(ada, bo, lies)
    print(f"\n{nat.name.lower()}, codes, the reply lay {lies} s: linked {linked:.1f} s after it was pasted", end="", flush=True)
