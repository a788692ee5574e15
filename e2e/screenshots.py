"""Pictures of every table on every size of screen, by day and by lamplight, to be looked at: into screenshots/.

``python3 check.py --screenshots [name …]`` takes those whose name begins with one of the names, all without. Every scene is a
seeded match played on at random, so two runs show the same tables. ``screenshots/<scene>.html`` shows all pictures of a scene.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Browser, Page, sync_playwright

from e2e.support.page_python import get_inside, play_on
from workshop import server, site
from workshop.chromium import FLAGS, chromium
from workshop.paths import ROOT

FOLDER: Final = ROOT / "screenshots"
SIZES: Final = ((360, 640), (360, 740), (390, 844), (820, 1180), (1280, 800), (1920, 1080))
SCHEMES: Final = ("light", "dark")
TOUCHED_UP_TO: Final = 1000  # px of width: fingers point there
SETTINGS: Final = '{{"pace":"quick","text":"{text}"}}'
HAND: Final = ".over > .piece.can-tap"


@dataclass(frozen=True, slots=True)
class Take:
    """A scene: ``game`` with ``seats`` (one letter each: m me, p a person here, b a bot) and ``options``, played on for
    ``moves`` moves, until seat 0 may act and ``asked`` holds. ``tap``: selectors tapped then; ``text``: its size in %.
    """

    name: str
    game: str
    seats: str
    moves: int = 0
    asked: str = ""
    seed: int = 5
    options: dict[str, str | int] = field(default_factory=dict)
    tap: tuple[str, ...] = ()
    text: int = 100
    whoever: bool = False  # it need not be seat 0 who may act

    @property
    def address(self) -> str:
        names = {"m": "me", "p": "person", "b": "easy"}
        query = {"seats": ",".join(names[one] for one in self.seats), "seed": self.seed, **self.options}
        return f"#/{self.game}/new?" + "&".join(f"{key}={value}" for key, value in query.items())


LEGAL: Final = f"{HAND}.is-legal"
LOG: Final = "button.bar-button:nth-of-type(1)"
SHEET: Final = "button.bar-button:nth-of-type(2)"
TAKES: Final = (
    Take("iota-2", "iota", "mb", 14, tap=(LEGAL,)),
    Take("iota-4", "iota", "mbbb", 46, tap=(LEGAL, ".spot")),
    Take("teeth-time-window", "teeth-time", "mbb", 30, "phase=window"),
    Take("teeth-time-play", "teeth-time", "mbbb", 150, "phase=play", tap=(HAND,)),
    Take("teeth-time-late", "teeth-time", "mbbb", 420, "phase=play", options={"one": 1, "contracts": "one"}),
    Take("teeth-time-ten", "teeth-time", "mbbbbbbbbb", 300, "phase=play", options={"one": 1, "contracts": "one"}, seed=7),
    Take("teeth-time-reply", "teeth-time", "mbb", 60, "phase=reply", seed=3),
    Take("teeth-time-scored", "teeth-time", "mbbb", 40, "phase=scored", options={"one": 1, "contracts": "one"}, whoever=True),
    Take("teeth-time-shared", "teeth-time", "mpp", 9, "phase=window"),
    Take("teeth-time-large-text", "teeth-time", "mbbb", 150, "phase=play", text=200),
    Take("teeth-turn", "teeth", "mb", 8, "phase=turn"),
    Take("teeth-placing", "teeth", "mb", 5, "phase=placing", options={"columns": 6}),
    Take("teeth-counted", "teeth", "mb", 5, "phase=counted", whoever=True),
    Take("teeth-large-text", "teeth", "mb", 8, "phase=turn", text=200),
    Take("dominoes-2", "dominoes", "mb", 16, "phase=playing"),
    Take("dominoes-6", "dominoes", "mbbbbb", 40, "phase=playing", options={"set": 12}, tap=(LEGAL,)),
    Take("matador-8", "matador", "mbbbbbbb", 50, "phase=playing", options={"set": 12}, tap=(LEGAL,)),
    Take("tiddle-a-wink-10", "tiddle-a-wink", "mbbbbbbbbb", 70, "phase=playing", options={"set": 12}, tap=(LEGAL,)),
    Take("tiddle-a-wink-counted", "tiddle-a-wink", "mbbbbbbbbb", 70, "phase=counted", options={"set": 12}, whoever=True),
    Take("dominoes-large-text", "dominoes", "mbbb", 20, "phase=playing", text=200),
    Take("toot-progressive", "toot-progressive", "mbb", 20, "phase=work", tap=("[data-key=best]", "[data-key=best_show]")),
    Take("toot-progressive-ten-cards", "toot-progressive", "mbbbbb", 66, "size=10"),
    Take("toot-fluke", "toot-fluke", "mbbb", 12, tap=("[data-key=roll]",)),
    Take("toot-pursuit", "toot-pursuit", "mbbbbb", 20, tap=("[data-key=draw]",)),
    Take("toot-speed", "toot-speed", "m", 2, "phase=go", tap=("[data-key=best]", "[data-key=best_show]")),
    Take("toot-large-text", "toot-pursuit", "mbbb", 16, text=200),
    Take("iota-large-text", "iota", "mbb", 16, text=200),
    Take("teeth-time-reply-large-text", "teeth-time", "mbb", 60, "phase=reply", seed=3, text=200),
    Take("iota-cover-large-text", "iota", "mpp", 3, whoever=True, text=200),
    Take("iota-cover", "iota", "mpp", 3, whoever=True),
    Take("iota-log", "iota", "mbbb", 20, tap=(LOG,)),
    Take("teeth-time-sheet", "teeth-time", "mbbbbb", 300, "phase=play", options={"one": 1, "contracts": "one"}, tap=(SHEET,)),
)


def opened(browser: Browser, address: str, take: Take, size: tuple[int, int], scheme: str) -> Page:
    """A page that shows ``take``."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=width < TOUCHED_UP_TO, locale="en-GB",
                            reduced_motion="reduce", color_scheme=scheme)  # type: ignore[arg-type]
    page.add_init_script(f"localStorage.setItem('tabletin.settings', {SETTINGS.format(text=take.text)!r})")
    page.goto(address + take.address)
    page.wait_for_function("document.documentElement.dataset.python === 'ready'", timeout=60_000)
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_selector(".table-screen .stage")
    get_inside(page)
    play_on(page, take.moves, seat=-1 if take.whoever else 0, asked=take.asked, seed=take.seed)
    return page


def tapped(page: Page, take: Take) -> None:
    """Do what the scene asks for beyond its match."""
    for selector in take.tap:
        page.wait_for_timeout(150)
        target = page.locator(selector)
        if target.count():
            target.first.dispatch_event("click")
    page.wait_for_timeout(200)


def taken(browser: Browser, address: str, take: Take) -> Iterator[Path]:
    """Takes every picture of one scene; where they lie."""
    for _, sizes in groupby(SIZES, lambda size: size[0] < TOUCHED_UP_TO):
        some = list(sizes)
        page = opened(browser, address, take, some[0], SCHEMES[0])
        tapped(page, take)
        for size in some:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.mouse.move(1, 1)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                page.wait_for_timeout(120)
                path = FOLDER / f"{size[0]}x{size[1]}" / scheme / f"{take.name}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=path)
                yield path
        page.close()


def sheet(take: Take, paths: list[Path]) -> None:
    """A page with all pictures of one scene."""
    pictures = "".join(f'<figure><img src="{path.relative_to(FOLDER).as_posix()}" style="height:26rem"><figcaption>'
                       f"{escape(path.relative_to(FOLDER).as_posix())}</figcaption></figure>" for path in paths)
    (FOLDER / f"{take.name}.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>{take.name}</title><style>body{{font:14px sans-serif;background:#777}}'
        f"main{{display:flex;flex-wrap:wrap}}figure{{margin:.5rem}}</style><main>{pictures}</main>", "utf-8")


def main() -> int:
    wanted = tuple(sys.argv[1:])
    takes = [take for take in TAKES if not wanted or take.name.startswith(wanted)]
    if not takes:
        print("There are no such scenes. There are: " + ", ".join(take.name for take in TAKES), file=sys.stderr)
        return 2
    running = server.server(site.built(), port=0)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        for take in takes:
            paths = list(taken(browser, f"http://localhost:{running.server_port}/", take))
            sheet(take, paths)
            print(f"{take.name}: {len(paths)} pictures")
        browser.close()
    running.shutdown()
    print(f"They lie in {FOLDER}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
