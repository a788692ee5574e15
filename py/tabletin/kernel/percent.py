"""Percent-encoding of text for addresses and links (RFC 3986).

It stands here once for the page's addresses and the links of invites. The standard library's own ``urllib.parse`` brings
modules that would delay every start of the page.
"""

from __future__ import annotations

from typing import Final

UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
DIGITS: Final = frozenset(b"0123456789abcdefABCDEF")


def encode(text: str, safe: str = "") -> str:
    """``text`` with every byte of its UTF-8 encoded that is neither unreserved nor in ``safe``.

    >>> encode("me, hard", safe=",")
    'me,%20hard'
    """
    return "".join(char if (char := chr(byte)) in UNRESERVED or char in safe else f"%{byte:02X}"
                   for byte in text.encode("utf-8", "replace"))


def decode(text: str) -> str:
    """What ``encode`` was given; ``+`` is a space, and what is encoded wrongly stays as it is.

    >>> decode("me,%20hard"), decode("50%")
    ('me, hard', '50%')
    """
    first, *rest = text.replace("+", " ").encode("utf-8", "replace").split(b"%")
    for part in rest:
        code = part[:2]
        first += bytes.fromhex(code.decode()) + part[2:] if len(code) == 2 and DIGITS.issuperset(code) else b"%" + part
    return first.decode("utf-8", "replace")
