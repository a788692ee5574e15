"""Any family can be taken out of the registry: what all games share still works, and no shared test needs that family to load.

Each family is removed in a process of its own, where importing its two folders fails as if they were deleted.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tabletin.registry import FAMILIES
from workshop.paths import PACKAGE, ROOT

WITHOUT = r'''
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from _pytest.outcomes import Skipped


class Deleted:
    """Finds no module of the folders that are gone."""

    def find_spec(self, name, path=None, target=None):
        if any(name == gone or name.startswith(gone + ".") for gone in GONE):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


family = sys.argv[1]
GONE = (f"tabletin.games.{family}", f"tests.games.{family}")

from tabletin import registry

names = list(registry.HOMES[f"tabletin.games.{family}"].games)
left = [game for game in registry.GAMES if game not in names]
registry.remove(f"tabletin.games.{family}")
for module in [module for module in sys.modules if module.startswith(GONE)]:
    del sys.modules[module]
sys.meta_path.insert(0, Deleted())
assert list(registry.GAMES) == left

from tabletin import words
from tabletin.app.routes import address, parse
from tabletin.app.screens.home import static_page
from tabletin.app.ui.html import game_name
from workshop.site import description

for language in words.languages():
    page = static_page(words.load(language))
    assert all(f'data-tin="{game}"' in page for game in left), language
    assert not any(f'data-tin="{game}"' in page for game in names), language
for game in left:
    assert parse(address(game, "new")).screen == "new_match", game
for game in names:
    assert parse(address(game, "new")).screen == "not_found", game
catalogue, sentence = words.load(), description()
assert all(game_name(catalogue, game) in sentence for game in left), sentence

for path in sorted(Path("tests").rglob("test_*.py")):
    module = ".".join(path.with_suffix("").parts)
    if not module.startswith(GONE[1] + "."):
        with suppress(Skipped):  # it runs in the browser's Python only
            import_module(module)
'''


@pytest.mark.parametrize("family", FAMILIES)
def test_the_house_stands_without_a_family(family: str) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, family], cwd=ROOT, text=True, capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(PACKAGE.parent)])})
    assert done.returncode == 0, done.stderr
