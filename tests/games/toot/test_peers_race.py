"""Speed TooT among peers: in a race the order of the log decides."""

from __future__ import annotations

from tabletin.kernel.log import Statement
from tests.support.peer_matches import QUICK, check_finished
from tests.support.peer_sim import Faults, Network
from tests.support.sent import statements_sent


def test_who_comes_first_in_the_log_comes_first() -> None:
    """In a race both seats call; the order of the log decides, the other call is refused, and nobody is accused of it."""
    net = Network("toot-speed", 3, 12, options=QUICK["toot-speed"], faults=Faults(jitter=0.3))
    late = 0
    assert net.run(net.finished)
    said = {statement.hash: statement for statement in (Statement.from_json(one) for _, one in statements_sent(net))}
    check_finished(net)
    match = net.peers[0].match
    placed = {entry.statement.hash: entry for entry in match.entries}
    for entry in match.entries[1:]:
        head = match.index_of(entry.statement.head)
        assert head is not None
        late += entry.statement.kind == "move" and entry.index > head + 1  # others came between, and it stood all the same
    for statement in (one for one in said.values() if one.hash not in placed):
        head = match.index_of(statement.head)
        assert head is not None and match.refusal_at(head, statement) is None, "right when it was said, too late when it came"
    assert late
