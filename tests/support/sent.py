"""What a simulated network carried, with the long texts put back that went apart from their messages."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator

from tabletin.kernel.log import Json, parse
from tabletin.peers.replication.payloads import text_hash
from tabletin.peers.sealed.messages import RollShare, Share, decode
from tests.support.peer_sim import Network, Node

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


def shares_said(net: Network, node: Node, since: int) -> int:
    """How many dealing messages with shares ``node`` sent to anybody after ``net.sent[since]``."""
    count = 0
    for sender, _, data in net.sent[since:]:
        message = parse(data)
        entries = message["e"] if message["t"] == "put" else ()
        statements = [message["s"]] if message["t"] == "say" else [entry["say"] for entry in entries]
        for said in statements:
            if sender == said["by"] == node.author and "sealed" in said["body"]:
                count += isinstance(decode(net.checker.group, b64decode(said["body"]["sealed"])), Share | RollShare)
    return count
