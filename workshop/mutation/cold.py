"""Runs tests in a process in which one file reads otherwise from the start: for what runs when a module is imported.

Reads ``{"path", "text", "tests"}`` from its input; prints each test before it runs; exits with 1 at the first that fails.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

import pytest

from workshop.mutation import runner


def read_otherwise(path: str, text: str) -> None:
    """Lets the module at ``path`` be ``text`` in this process."""
    get_code = SourceFileLoader.get_code

    def changed(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if os.path.realpath(loader.path) == path:
            return compile(text, path, "exec", dont_inherit=True)
        return get_code(loader, fullname)

    setattr(SourceFileLoader, "get_code", changed)  # noqa: B010 – a method is not assigned to


def main() -> int:
    order: dict[str, Any] = json.load(sys.stdin)
    read_otherwise(order["path"], order["text"])
    tests: Sequence[str] = order["tests"]
    said = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    ended = []

    def run(items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        for name in tests:
            print(name.replace(" ", "_"), file=said)
            runner.run_item(by_name[name])
        ended.append(True)

    pytest.main([*tests, *runner.SMALL, *runner.QUIET], plugins=[runner.Collection(run)])
    return int(not ended)


if __name__ == "__main__":
    raise SystemExit(main())
