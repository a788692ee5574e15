"""Every engine's start, deal, tap and bots beside PyScript's hello world, and a first visit on a slow phone: all in one run.

``python3 bench/table.py [--runs 3] [--engines chromium,firefox,webkit] [--document]`` in our environment prints two Markdown
tables; ``--document`` puts them into docs/speed.md. It takes about ten minutes on a quiet machine. Firefox is measured once less
often, WebKitGTK and the slow line once: they take long.

Start and bytes: as ``bench/startup.py`` measures them, by turns with hello world. A table of Iota is then begun on a device that
keeps the site, by a tap on *Play* as soon as Python has the form. Deal: from that tap until the hand lies there. Tap: from
choosing a card of the hand until it is painted; a bare button on hello world's page. Bots: two hard ones play each other with no
time to look; from *Play* until the first move is drawn, their worker's start included, and the median of the moves after it. The
slow phone: as ``bench/first_visit.py`` measures it, and hello world on the same line. Medians.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from math import isnan, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, sync_playwright

from bench import first_visit, latency, startup
from bench.browser import READY, until
from bench.engines import here
from e2e.support import firefox
from workshop import site
from workshop.chromium import FLAGS, chromium

NAMES: Final = {"chromium": "Chromium", "firefox": "Firefox", "webkit": "WebKit"}
MARKS: Final = ("<!-- table -->", "<!-- /table -->")
TAPS: Final = 24
MOVES: Final = 8
BEGIN: Final = """() => {
    const seen = window.seen = { turns: [] };
    let last = "";
    new MutationObserver(() => {
        if (document.querySelector(".over > .piece")) seen.dealt ??= performance.now();
        const now = document.querySelector(".plate.thinking")?.dataset.key ?? "";
        if (now !== last) {
            last = now;
            seen.turns.push(performance.now());
        }
    }).observe(document, { attributes: true, childList: true, subtree: true });
    seen.begun = performance.now();
    document.querySelector("#play").click();
}"""
TAP: Final = """([css, number]) => {
    taps.length = 0;
    const all = document.querySelectorAll(css);
    all[number % all.length].click();
}"""
BARE: Final = """() => { document.body.innerHTML = "<button onclick='this.textContent = Math.random()'>tap</button>"; }"""
Figures = dict[str, float]


# ---- the engines ----

@contextmanager
def page_of(engine: str) -> Iterator[tuple[Any, str]]:
    """A page of ``engine``, Playwright's or one like it, and the engine's version."""
    if engine == "webkit":
        from e2e.support.webkit import webkit_page  # it needs Selenium
        with TemporaryDirectory() as folder, webkit_page(Path(folder) / "console.log") as one:
            yield one, str(one.driver.capabilities["browserVersion"])
        return
    os.environ["NODE_OPTIONS"] = f"--require={firefox.LACKING_COMMANDS}"
    with sync_playwright() as playwright:
        browser = playwright.firefox.launch(**firefox.launch_arguments()) if engine == "firefox" else \
            playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(2 * first_visit.PATIENCE)
        yield page, browser.version
        browser.close()


def ready(page: Any) -> None:
    page.evaluate("() => void dispatchEvent(new Event('wheel'))")  # a touch, which hurries it
    until(lambda: page.evaluate(READY), 0.05)


def begin(page: Any, address: str, asked: str) -> None:
    """Tap *Play* as soon as Python has the form."""
    page.goto("about:blank")
    page.goto(f"{address}#/iota/new?{asked}")
    ready(page)
    until(lambda: page.evaluate("document.querySelector('#play') && !document.querySelector('#screen').dataset.preview"), 0.02)
    page.evaluate(BEGIN)


def taps(page: Any, css: str) -> float:
    """The median of taps on what ``css`` finds, one after another: milliseconds until it is painted."""
    page.evaluate(f"() => {{ {latency.WATCH} }}")
    found = []
    for number in range(TAPS):
        page.evaluate(TAP, [css, number])
        until(lambda: page.evaluate("window.taps.length"), 0.05)
        found.append(float(page.evaluate("window.taps[0]")))
    return statistics.median(found)


def play(page: Any, address: str) -> Figures:
    """A hand dealt and its cards tapped; then two bots that play each other."""
    page.goto(address)
    ready(page)
    until(lambda: page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one?.active?.state === 'activated')"))
    page.evaluate(f"() => {{ {latency.QUICK} }}")
    begin(page, address, "seats=me,hard&first_seat=1&seed=3")
    until(lambda: page.evaluate("window.seen.dealt"))
    dealt = float(page.evaluate("seen.dealt - seen.begun"))
    until(lambda: page.evaluate("document.querySelector('.my-turn') !== null"))
    tapped = taps(page, f"{latency.HAND}.is-legal")
    begin(page, address, "seats=hard,hard&first_seat=1&seed=5")
    until(lambda: page.evaluate(f"window.seen.turns.length > {MOVES}"))
    begun, *turns = page.evaluate("[seen.begun, ...seen.turns]")
    moves = [after - before for before, after in pairwise(turns)]
    return {"deal": dealt, "tap": tapped, "first move": turns[1] - begun, "median move": statistics.median(moves[1:])}


def runs_of(engine: str, runs: int) -> int:
    """How often ``engine`` is measured where Chromium is ``runs`` times."""
    return 1 if engine == "webkit" else max(1, runs - (engine == "firefox"))


def engine_rows(engine: str, runs: int) -> list[str]:
    """The rows of ``engine``: hello world, ours, and the ratios of their starts."""
    print(NAMES[engine], file=sys.stderr, flush=True)
    starts = startup.by_turns(engine, runs)
    played: list[Figures] = []
    with startup.served(site.built()) as port, startup.served(startup.baseline()) as hello_port:
        for _ in range(runs):
            with page_of(engine) as (page, version):
                page.goto(f"http://localhost:{hello_port}/")
                ready(page)
                page.evaluate(BARE)
                played.append({"bare": taps(page, "button"), **play(page, f"http://localhost:{port}/")})
    found = {name: statistics.median(one[name] for one in played) for name in played[0]}
    name = f"{NAMES[engine]} {'.'.join(version.split('.')[:2]) if engine == 'webkit' else version.partition('.')[0]}"
    hello, ours = starts["hello"], starts["ours"]
    return [
        row(name, "hello world", *(ms(hello.get(kind, nan)) for kind in startup.KINDS), megabytes(hello["bytes"]), "–",
            ms(found["bare"]), "–", "–"),
        row("", "Tabletin", *(ms(ours.get(kind, nan)) for kind in startup.KINDS), megabytes(ours["bytes"]),
            *(ms(found[figure]) for figure in ("deal", "tap", "first move", "median move"))),
        row("", "ratio", *(ratio(ours.get(kind, nan), hello.get(kind, nan)) for kind in startup.KINDS),
            *[""] * 5)]


# ---- the slow phone ----

SLOW_FIGURES: Final = ("first paint", "tin answered", "play answered", "progress seen", "python", "dealt", "longest task",
                       "bot moved")


def hello_on_slow_line(browser: Browser, address: str) -> Figures:
    """Hello world on a slow phone and a slow line: when it is there."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(2 * first_visit.PATIENCE)
    page.add_init_script(startup.WATCH)
    first_visit.slow_down(page, "slow")
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.readyAfter")
    found = float(page.evaluate("window.readyAfter"))
    context.close()
    return {"python": found}


def slow_rows(runs: int) -> list[str]:
    """The rows of the slow phone, each a median of ``runs``; the slow line once."""
    print("slow phone", file=sys.stderr, flush=True)
    with startup.served(site.built()) as port, startup.served(startup.baseline()) as hello_port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        ours, hello = f"http://localhost:{port}/", f"http://localhost:{hello_port}/"
        visits: dict[str, Callable[[], Figures]] = {
            "slow line, hello world": lambda: hello_on_slow_line(browser, hello),
            "slow line": lambda: first_visit.visit(browser, ours, "slow", later=False),
            "fast line, first visit": lambda: first_visit.visit(browser, ours, "fast", later=False),
            "fast line, later": lambda: first_visit.visit(browser, ours, "fast", later=True)}
        found: dict[str, list[Figures]] = {name: [] for name in visits}
        for number in range(runs):
            for name, visit in visits.items():
                if number == 0 or "slow line" not in name:
                    found[name].append(visit())
        browser.close()
    return [row(name, *(ms(statistics.median(one.get(figure, nan) for one in all_runs)) for figure in SLOW_FIGURES))
            for name, all_runs in found.items()]


# ---- in words ----

def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def ms(value: float) -> str:
    return "–" if isnan(value) else f"{value:.0f}"


def megabytes(value: float) -> str:
    return f"{value / 1e6:.2f}"


def ratio(own: float, stock: float) -> str:
    return "–" if isnan(own) else f"{own / stock:.2f}"


def head(*names: str) -> list[str]:
    return [row(*names), f"|{'---|' * len(names)}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--engines", default=",".join(engine for engine in NAMES if engine in here()))
    parser.add_argument("--document", action="store_true", help="put the tables into docs/speed.md")
    chosen = parser.parse_args()
    load, begun = os.getloadavg()[0], time.monotonic()
    engines = [line for engine in chosen.engines.split(",") for line in engine_rows(engine, runs_of(engine, chosen.runs))]
    phone = slow_rows(chosen.runs)
    often = ", ".join(f"{NAMES[engine]} {runs_of(engine, chosen.runs)}" for engine in chosen.engines.split(","))
    text = "\n".join([
        *head("engine", "page", "cold", "warm", "running", "offline", "MB", "deal", "tap", "bot's first move", "median move"),
        *engines, "", *head("slow phone", *SLOW_FIGURES), *phone, "",
        f"Medians of so many runs: {often}, fast line {chosen.runs}, slow line 1; ms. {os.cpu_count()} processors, load "
        f"{load:.1f} before, {os.getloadavg()[0]:.1f} after; {(time.monotonic() - begun) / 60:.0f} minutes, "
        f"{time.strftime('%Y-%m-%d')}."])
    print(text)
    if chosen.document:
        document = ROOT / "docs" / "speed.md"
        old = document.read_text("utf-8")
        document.write_text(re.sub(rf"{MARKS[0]}.*{MARKS[1]}", lambda _: f"{MARKS[0]}\n{text}\n{MARKS[1]}", old, flags=re.DOTALL),
                            "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
