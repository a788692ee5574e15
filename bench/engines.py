"""How long bots decide, and in how many imagined worlds, in every engine that is here: ``python3 bench/engines.py``.

    python3 bench/engines.py [--engines cpython,chromium,slow,firefox,webkit] [--decisions 12] [--seconds 6] [--games GAME,GAME]

Prints a Markdown table of levels and games by engines: median and longest decision in ms, and the median of worlds where a level
imagines any. A page gives a decision 800 ms. ``slow`` is Chromium at a quarter of its speed; a browser slows only a page's own
thread, so bots think there, else in a worker as they do in a match. ``--document`` puts the table into docs/bots.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import sync_playwright

from bench import deciding
from bench.browser import READY, until
from e2e.support import firefox
from e2e.support.in_worker import DONE, RUN_IN_WORKER, begin
from tabletin.bots.decision import BUDGET
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES
from workshop import server, site
from workshop.chromium import FLAGS, chromium
from workshop.firefox import on_system as firefox_here
from workshop.webkit import is_here as webkit_is_here

SLOWER: Final = 4
SOURCE: Final = (ROOT / "bench" / "deciding.py").read_text("utf-8") + """


def cells(asked):
    import json
    number, seconds, levels, games = json.loads(asked)
    return [json.dumps(few_decisions(game, level, number, seconds)) for game in games for level in levels]
"""
IN_WORKER: Final = f"""{SOURCE}

from pyscript import sync

sync.play = cells
"""
IN_PAGE: Final = """
import json
from js import document
found = {{"__name__": "deciding"}}
exec({source!r}, found)
document.documentElement.dataset.sealed = json.dumps(found["cells"]({asked!r}))
"""
Cells = list[list[tuple[float, int]]]  # by game and level: the milliseconds and worlds of each decision
MARKS: Final = ("<!-- engines -->", "<!-- /engines -->")


def in_cpython(asked: str) -> Cells:
    number, seconds, levels, games = json.loads(asked)
    return [deciding.few_decisions(game, level, number, seconds) for game in games for level in levels]


def in_page(page: Any, address: str, code: str) -> Cells:
    """What the Python ``code`` leaves in a page, whoever drives it."""
    page.goto(f"{address}#/")
    until(lambda: page.evaluate(READY))
    begin(page, code)
    until(lambda: page.evaluate(f"{DONE} !== undefined"))
    return [[(ms, worlds) for ms, worlds in json.loads(cell)] for cell in json.loads(page.evaluate(DONE))]


def in_chromium(asked: str) -> Cells:
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        return in_page(browser.new_page(), address, RUN_IN_WORKER.format(source=json.dumps(IN_WORKER), game=asked))


def in_slow_chromium(asked: str) -> Cells:
    with served() as address, sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS)).new_page()
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        return in_page(page, address, IN_PAGE.format(source=SOURCE, asked=asked))


def in_firefox(asked: str) -> Cells:
    os.environ["NODE_OPTIONS"] = f"--require={firefox.LACKING_COMMANDS}"
    with served() as address, sync_playwright() as playwright:
        browser = playwright.firefox.launch(**firefox.launch_arguments())
        return in_page(browser.new_page(), address, RUN_IN_WORKER.format(source=json.dumps(IN_WORKER), game=asked))


def in_webkit(asked: str) -> Cells:
    from e2e.support.webkit import webkit_page  # it needs Selenium
    with served() as address, TemporaryDirectory() as folder, webkit_page(Path(folder) / "console.log") as page:
        return in_page(page, address, RUN_IN_WORKER.format(source=json.dumps(IN_WORKER), game=asked))


@contextmanager
def served() -> Iterator[str]:
    """The site's address while it is served."""
    running = server.server(site.draft_or_built(), port=0)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{running.server_port}/"
    finally:
        running.shutdown()


ENGINES: Final[dict[str, tuple[str, Callable[[str], Cells]]]] = {
    "cpython": ("CPython", in_cpython), "chromium": ("Chromium", in_chromium),
    "slow": (f"Chromium, {SLOWER} times slower", in_slow_chromium), "firefox": ("Firefox", in_firefox),
    "webkit": ("WebKit", in_webkit)}


def here() -> list[str]:
    """The engines that this machine has."""
    lacking = {"firefox": firefox_here() is None,
               "webkit": not webkit_is_here() or not all(map(find_spec, ("selenium", "PIL")))}
    return [engine for engine in ENGINES if not lacking.get(engine)]


def spelled(cell: list[tuple[float, int]]) -> str:
    """A cell of the table."""
    if not cell:
        return "none in time"
    times, worlds = [ms for ms, _ in cell], median(worlds for _, worlds in cell)
    return f"{median(times):.0f} / {max(times):.0f}" + (f" ({worlds:.0f})" if worlds else "")


def table(games: list[str], engines: list[str], found: dict[str, Cells]) -> str:
    heads = ["game", "level", *(ENGINES[engine][0] for engine in engines)]
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for at, (game, level) in enumerate((game, level) for game in games for level in LEVELS):
        rows.append(f"| {' | '.join([game, level, *(spelled(found[engine][at]) for engine in engines)])} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default=",".join(here()))
    parser.add_argument("--decisions", type=int, default=12, help="of each level and game")
    parser.add_argument("--seconds", type=float, default=6.0, help="for each of them at most")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--kept", type=Path, help="a file in which engines are kept; those there are not measured again")
    parser.add_argument("--document", action="store_true")
    asked = parser.parse_args()
    games, engines = asked.games.split(","), asked.engines.split(",")
    found: dict[str, Cells] = {}
    if asked.kept is not None and asked.kept.exists():
        found = json.loads(asked.kept.read_text("utf-8"))
    for engine in engines:
        if engine not in found:
            print(ENGINES[engine][0], file=sys.stderr, flush=True)
            found[engine] = ENGINES[engine][1](json.dumps([asked.decisions, asked.seconds, LEVELS, games]))
            if asked.kept is not None:
                asked.kept.write_text(json.dumps(found), "utf-8")
    text = table(games, engines, found)
    print(text)
    late = sum(ms > 1000 * BUDGET for engine in engines for cell in found[engine] for ms, _ in cell)
    print(f"\n{late} decisions took longer than {1000 * BUDGET:.0f} ms.")
    if asked.document:
        document = ROOT / "docs" / "bots.md"
        old = document.read_text("utf-8")
        document.write_text(re.sub(rf"{MARKS[0]}.*{MARKS[1]}", f"{MARKS[0]}\n{text}\n{MARKS[1]}", old, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
