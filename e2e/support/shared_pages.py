"""Pages that tests leave to each other. Starting Python and its workers is most of what a short test costs.

A test with the mark ``shares_pages`` gets pages at home, with nothing kept and nothing set, in a browser whose Python may have
served other tests. It must not put anything into a page that stays there: scripts that run at each start, routes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

from playwright.sync_api import Browser, Error, Page, ViewportSize

from e2e.support.firefox import FIREFOX
from e2e.support.site import Heard, device_context, ready

MOST_WAITING: Final = 6  # pages
MOST_USES: Final = 25  # of one page
USUAL_VIEWPORT: Final[ViewportSize] = {"width": 1280, "height": 720}
LASTING: Final = ("add_init_script", "route", "expose_function", "expose_binding")
SOURCE: Final = (Path(__file__).parent / "in_page" / "begin_anew.py").read_text("utf-8")
# Scripts of a page share their names; this one has its own.
INSTALL: Final = f"from types import ModuleType\nexec({SOURCE!r}, ModuleType('begin_anew').__dict__)\n"


def install(page: Page) -> None:
    """Run ``begin_anew.py`` in ``page``, unless it is there; a reload takes it away."""
    if page.evaluate("'anew' in globalThis"):
        return
    page.evaluate("""code => {
        const script = document.createElement("script");
        script.type = "py";
        script.textContent = code;
        document.body.append(script);
    }""", INSTALL)
    page.wait_for_function("'anew' in globalThis", polling=50)


def is_shared(page: Page) -> bool:
    return getattr(page, "is_shared", False)


@dataclass
class UsedPage:
    """A page at home that waits for a test. ``arguments``: what of its context cannot be changed, as text; ``asked``: all that
    its last test asked for."""

    page: Page
    arguments: str
    asked: dict[str, Any]
    uses: int = 0
    has_crashed: bool = False

    def crash(self, _page: Page) -> None:
        self.has_crashed = True


@dataclass
class SharedPages:
    """The pages of one browser. ``waiting``: those that no test has; ``used``: those of the test that runs."""

    browser: Browser
    waiting: list[UsedPage] = field(default_factory=list)
    used: list[UsedPage] = field(default_factory=list)

    def take(self, arguments: dict[str, Any], heard: Heard, address: str) -> Page:
        """A page at the home page of the site at ``address``, in a context of its own with ``arguments``."""
        lasting = {name: value for name, value in arguments.items() if name != "viewport"}
        key = json.dumps([lasting, address], sort_keys=True)
        found = next((one for one in self.waiting if one.arguments == key), None)
        if found is None:
            context = device_context(self.browser, arguments)
            heard.prepare(context)
            heard.listen(context)
            found = UsedPage(context.new_page(), key, arguments)
            found.page.on("crash", found.crash)
            found.page.goto(f"{address}#/")
            ready(found.page)
            self._guard(found.page)
        else:
            self.waiting.remove(found)
            heard.listen(found.page.context)
            found.asked = arguments
            self._dress(found)
        found.uses += 1
        self.used.append(found)
        return found.page

    def give_back(self, heard: Heard, *, again: bool = True) -> None:
        """The test is over: its pages wait for the next one, or are closed where they cannot. ``again``: whether they may."""
        for one in self.used:
            try:
                keep = again and self._begin_anew(one)
            except Error as error:
                heard.note(f"a shared page cannot begin anew: {error}")
                keep = False
            heard.unlisten(one.page.context)
            if keep:
                self.waiting.append(one)
            else:
                one.page.context.close()
        self.used.clear()
        while len(self.waiting) > MOST_WAITING:
            self.waiting.pop(0).page.context.close()

    def _begin_anew(self, one: UsedPage) -> bool:
        """Bring a page back to how it was opened; whether that is worth it."""
        page = one.page
        if page.is_closed() or one.has_crashed or one.uses >= MOST_USES:
            return False
        for other in page.context.pages:
            if other is not page:
                other.close()
        self._dress(one)
        install(page)
        page.evaluate("anew.begin()")
        return True

    def _dress(self, one: UsedPage) -> None:
        """The page is as large and as lit as its test asked for."""
        asked = one.asked
        one.page.set_viewport_size(asked.get("viewport", USUAL_VIEWPORT))
        if self.browser.browser_type.name != FIREFOX:  # its driver cannot be told
            one.page.emulate_media(reduced_motion=asked["reduced_motion"], color_scheme=asked.get("color_scheme", "light"))

    def _guard(self, page: Page) -> None:
        """Whatever would outlast the test is refused."""
        def refused(name: str) -> Callable[..., NoReturn]:
            def refuse(*_given: object, **_named: object) -> NoReturn:
                raise AssertionError(f"{name} would last longer than this test: it needs pages of its own (new_pages)")
            return refuse

        for name in LASTING:
            setattr(page, name, refused(name))
            setattr(page.context, name, refused(name))
        page.is_shared = True  # type: ignore[attr-defined]  # tests ask is_shared(page)

    def close(self) -> None:
        for one in (*self.waiting, *self.used):
            one.page.context.close()


def set_up(page: Page, settings: str) -> None:
    """The shared ``page`` has ``settings``, as if it had been opened with them."""
    install(page)
    page.evaluate("(settings) => anew.settings(settings)", settings)

