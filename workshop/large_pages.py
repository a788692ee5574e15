"""Large pages of memory for Python, where Linux gives them to a program that asks.

On a virtual machine, finding a page of memory can cost more than the work on it. On one that was slow that day, the tests of one
game took 21 to 22 s of processor with large pages and 68 to 93 s without (two runs each, by turns).
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

SWITCH: Final = Path("/sys/kernel/mm/transparent_hugepage/enabled")
ON_REQUEST: Final = "[madvise]"
ASKING: Final[Mapping[str, str]] = MappingProxyType({
    "PYTHONMALLOC": "malloc",  # Python's own allocator takes pieces that are smaller than a large page
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
})


def wanted(switch: Path = SWITCH, library: str = platform.libc_ver()[0]) -> Mapping[str, str]:
    """What a Python started from here needs in its environment to ask for large pages; nothing where asking does not help.

    ``switch``: the file in which Linux says who gets large pages; ``library``: the C library's name.
    """
    helps = library == "glibc" and switch.exists() and ON_REQUEST in switch.read_text("ascii")
    return ASKING if helps else {}
