"""The arena's memory: every deal it has played, one JSON line each, so that a long run can be stopped and continued.

A deal counts only for the code it was played with: each line carries a mark of the family's rules and bots, and lines with
another mark are passed over. It knows nothing of what is measured.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import tabletin
from tabletin.kernel.schema import Malformed
from tabletin.registry import GAMES


@cache
def mark(game: str) -> str:
    """A short mark of the source a game is played with: its rules and bots, with what they use of their family."""
    root = Path(tabletin.__file__).parent
    folder = root / "games" / GAMES[game].family
    package = f"tabletin.games.{GAMES[game].family}."
    found: dict[str, bytes] = {}
    waiting = ["rules", "bot"]
    while waiting:
        path = folder / f"{waiting.pop()}.py"
        if path.stem not in found and path.exists():
            found[path.stem] = path.read_bytes()
            for node in ast.walk(ast.parse(found[path.stem])):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(package):
                    waiting.append(node.module.removeprefix(package))
    sources = [found[name] for name in sorted(found)] + [(root / "bots" / "determinize.py").read_bytes()]
    return sha256(b"".join(sources)).hexdigest()[:12]


class Record:
    """Deals by what was played and seed, in a file that is only ever added to."""

    def __init__(self, path: Path) -> None:
        """Reads ``path`` if there is one; a last line cut short by an interruption is passed over.

        Raises ``Malformed`` where it is no text.
        """
        self.path = path
        self._deals: dict[str, dict[int, Any]] = {}
        try:
            text = path.read_text("utf-8") if path.exists() else ""
        except UnicodeDecodeError as error:
            raise Malformed(f"{path}: not a text file") from error
        self._cut = bool(text) and not text.endswith("\n")
        for line in text.splitlines():
            try:
                key, seed, deal = json.loads(line)
                self._deals.setdefault(key, {})[seed] = deal
            except (ValueError, TypeError):
                continue

    def deals(self, game: str, key: Sequence[Any]) -> dict[int, Any]:
        """What was kept for ``key`` with the code as it is now: seed → deal."""
        return self._deals.get(_line_key(game, key), {})

    def keep(self, game: str, key: Sequence[Any], seed: int, deal: Any) -> None:
        """Write one deal down at once."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self._cut * "\n" + json.dumps([_line_key(game, key), seed, deal]) + "\n")
        self._cut = False


def _line_key(game: str, key: Sequence[Any]) -> str:
    return json.dumps([mark(game), *key])
