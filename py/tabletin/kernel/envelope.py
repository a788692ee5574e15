"""How a page and its workers write to each other: a short head in JSON, and after it whole texts as they are.

The texts are lines of a log, messages of other devices, or files: JSON already, which is never put into JSON again. Both ends
are this program; nothing here is for what comes from elsewhere. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tabletin.kernel.log import Json

LENGTHS = "lengths"  # of the texts, in characters; a reserved key of the head


def pack(head: Mapping[str, Json], texts: Sequence[str] = ()) -> str:
    """``head`` on one line with the lengths of ``texts``, then the texts with nothing between them.

    >>> pack({"do": "receive"}, ["ab", "c"])
    '{"do": "receive", "lengths": [2, 1]}\\nabc'
    """
    if not texts:
        return json.dumps(head)
    return "".join((json.dumps({**head, LENGTHS: [len(text) for text in texts]}), "\n", *texts))


def unpack(packed: str) -> tuple[dict[str, Any], list[str]]:
    """The head and the texts.

    >>> unpack(pack({"do": "receive"}, ["ab", "c"]))
    ({'do': 'receive'}, ['ab', 'c'])
    """
    line, _, rest = packed.partition("\n")
    head: dict[str, Any] = json.loads(line)
    texts, start = [], 0
    for length in head.pop(LENGTHS, ()):
        texts.append(rest[start:start + length])
        start += length
    return head, texts
