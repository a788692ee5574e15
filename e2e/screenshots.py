"""Pictures of every table on every size of screen, by day and by lamplight, to be looked at: into screenshots/.

``python3 check.py --screenshots [name …]`` takes those whose name begins with one of the names, all without. Every scene is a
seeded match played on at random, so two runs show the same tables. Each family declares its scenes in
``tests/games/<family>/example.py``. ``screenshots/<scene>.html`` shows all pictures of a scene.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "py"))

from playwright.sync_api import Browser, Page, sync_playwright

from e2e.support.page_python import get_inside, play_on
from tabletin.registry import GAMES
from tests.support.examples import Picture, pictures_of
from workshop import server, site
from workshop.chromium import FLAGS, chromium
from workshop.paths import ROOT

FOLDER: Final = ROOT / "screenshots"
SIZES: Final = ((360, 640), (360, 740), (390, 844), (820, 1180), (1280, 800), (1920, 1080))
SCHEMES: Final = ("light", "dark")
TOUCHED_UP_TO: Final = 1000  # px of width: fingers point there
SETTINGS: Final = '{{"pace":"instant","own_taps":true,"sound_asked":true,"text":"{text}"}}'


@dataclass(frozen=True, slots=True)
class Take:
    """A picture of ``game``."""

    game: str
    picture: Picture

    @property
    def name(self) -> str:
        return self.picture.name

    @property
    def address(self) -> str:
        names = {"m": "me", "p": "person", "b": "easy"}
        query = {"seats": ",".join(names[one] for one in self.picture.seats), "seed": self.picture.seed, **self.picture.options}
        return f"#/{self.game}/new?" + "&".join(f"{key}={value}" for key, value in query.items())


TAKES: Final = tuple(Take(game, picture) for game in GAMES for picture in pictures_of(game))


def opened(browser: Browser, address: str, take: Take, size: tuple[int, int], scheme: str) -> Page:
    """A page that shows ``take``."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=width < TOUCHED_UP_TO, locale="en-GB",
                            reduced_motion="reduce", color_scheme=scheme)  # type: ignore[arg-type]
    page.add_init_script(f"localStorage.setItem('tabletin.settings', {SETTINGS.format(text=take.picture.text)!r})")
    page.goto(address + take.address)
    page.wait_for_function("document.documentElement.dataset.python === 'ready'", timeout=60_000)
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_selector(".table-screen .stage")
    get_inside(page)
    picture = take.picture
    play_on(page, picture.moves, seat=-1 if picture.whoever else 0, asked=picture.asked, seed=picture.seed)
    return page


def tapped(page: Page, take: Take) -> None:
    """Do what the scene asks for beyond its match."""
    for selector in take.picture.tap:
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
