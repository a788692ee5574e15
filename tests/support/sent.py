"""What a simulated network carried, with the long texts put back that went apart from their messages."""

from __future__ import annotations

from collections.abc import Iterator

from tabletin.kernel.log import Json, parse
from tabletin.peers.replication.payloads import text_hash
from tests.support.peer_sim import Network

Message = dict[str, Json]


def statements_sent(net: Network) -> Iterator[tuple[str, Message]]:
    """Who sent it, and each statement that was said or placed, whole."""
    messages = [(sender, parse(data)) for sender, _, data in net.sent]
    texts: dict[str, str] = {}
    for _, message in messages:
        if isinstance(message, dict) and message.get("t") == "load":
            text = message["x"]
            assert isinstance(text, str)
            texts[text_hash(text)] = text
    for sender, message in messages:
        if not isinstance(message, dict):
            continue
        entries = message["e"] if message.get("t") == "put" else []
        assert isinstance(entries, list)
        placed = [entry["say"] for entry in entries if isinstance(entry, dict)]
        for said in [message["s"]] if message.get("t") == "say" else placed:
            apart, body = message.get("apart", {}), said["body"] if isinstance(said, dict) else None
            assert isinstance(said, dict) and isinstance(apart, dict) and isinstance(body, dict)
            missing: Message = {name: texts[str(value[0])] for name, value in apart.items() if isinstance(value, list)}
            yield sender, {**said, "body": {**body, **missing}}
