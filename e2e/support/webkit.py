"""WebKitGTK, the nearest to Safari that Debian has, behind the part of Playwright's ``Page`` that a player of tables uses.

Selenium drives it by its own WebDriver on a display of Xvfb. What it stores lasts as long as the browser runs, and it has neither
WebRTC nor touch.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from PIL import ImageGrab
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.webkitgtk.service import Service

from e2e.support.pictures import QUALITY
from e2e.support.site import PATIENCE, READY

DISPLAY: Final = ":77"
SIZE: Final = "1280x900x24"
KEYS: Final = {"PageDown": Keys.PAGE_DOWN, "PageUp": Keys.PAGE_UP, "Tab": Keys.TAB, "Enter": Keys.ENTER}
RUN: Final = """const [source, arg, done] = arguments;
try {
    const found = (0, eval)(`(${source})`);
    const value = typeof found === "function" ? found(arg) : found;
    Promise.resolve(value).then((got) => done([true, JSON.stringify(got instanceof Node ? true : got) ?? "null"]),
                                (error) => done([false, String(error)]));
} catch (error) {
    done([false, String(error)]);
}"""

AT_REST: Final = """() => new Promise((resolve) => {
    let last = "", same = 0;
    const look = () => {
        const boxes = [...document.querySelectorAll(".piece, .tin")].map((one) => one.getBoundingClientRect());
        const now = boxes.map(({ x, y, width }) => [x, y, width]).join();
        same = now === last && document.fonts.status === "loaded" ? same + 1 : 0;
        last = now;
        if (same < 30) requestAnimationFrame(look);
        else resolve(true);
    };
    look();
})"""


class Answer:
    """What was waited for."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def json_value(self) -> Any:
        return self._value


class Mouse:
    """The pointer of ``page``."""

    def __init__(self, page: WebKitPage) -> None:
        self._page = page

    def click(self, x: float, y: float) -> None:
        actions = ActionBuilder(self._page.driver, duration=20)
        actions.pointer_action.move_to_location(int(x), int(y)).click()
        actions.perform()


class Keyboard:
    """The keyboard of ``page``."""

    def __init__(self, page: WebKitPage) -> None:
        self._page = page

    def press(self, key: str) -> None:
        ActionChains(self._page.driver, duration=20).send_keys(KEYS.get(key, key)).perform()


class Locator:
    """What a selector of CSS finds."""

    def __init__(self, page: WebKitPage, selector: str) -> None:
        self._page = page
        self._selector = selector

    def count(self) -> int:
        return int(self._page.evaluate("(css) => document.querySelectorAll(css).length", self._selector))

    def inner_text(self) -> str:
        return str(self._page.evaluate("(css) => document.querySelector(css).innerText", self._selector))

    def click(self) -> None:
        """Click the first, once it is there."""
        self._page.wait_for_function("(css) => document.querySelector(css)?.checkVisibility()", arg=self._selector)
        self._page.driver.find_element(By.CSS_SELECTOR, self._selector).click()


class WebKitPage:
    """The one page of the browser that ``driver`` drives."""

    def __init__(self, driver: WebKitGTK) -> None:
        self.driver = driver
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)

    def goto(self, address: str) -> None:
        self.driver.get(address)

    def reload(self) -> None:
        self.driver.refresh()

    def evaluate(self, source: str, arg: Any = None) -> Any:
        good, value = self.driver.execute_async_script(RUN, source, arg)
        if not good:
            raise RuntimeError(value)
        return json.loads(value)

    def wait_for_function(self, source: str, arg: Any = None, polling: float = 50) -> Answer:
        """As Playwright's; ``polling``: ms between two looks."""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            with suppress(RuntimeError, WebDriverException):  # a page that is being loaded answers nothing
                value = self.evaluate(source, arg)
                if value:
                    return Answer(value)
            time.sleep(polling / 1000)
        raise TimeoutError(source[:200])

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def locator(self, selector: str) -> Locator:
        return Locator(self, selector)

    def picture(self, path: Path) -> None:
        """What the display shows, in little: the driver's own pictures never come."""
        self.wait_for_function(AT_REST)
        shown = ImageGrab.grab(xdisplay=DISPLAY)
        shown.crop(shown.getbbox()).resize((800, 600)).save(path, quality=QUALITY)

    def ready(self) -> None:
        """Wait until Python is there."""
        self.evaluate("() => void dispatchEvent(new Event('wheel'))")  # a touch, which hurries it
        self.wait_for_function(READY)

    def to(self, address: str) -> None:
        """Another address of the site that is shown."""
        self.evaluate("(address) => { location.hash = address; }", address)


@contextmanager
def webkit_page(console: Path) -> Iterator[WebKitPage]:
    """A WebKitGTK with one page; what pages say in the console is written to ``console``."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    display = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", SIZE, "-nolisten", "tcp"], **quiet)  # type: ignore[call-overload]
    os.environ |= {"DISPLAY": DISPLAY, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
                   "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}
    options = WebKitGTKOptions()
    options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))
    for argument in ("--automation", "--enable-write-console-messages-to-stdout=1"):
        options.add_argument(argument)
    try:
        with console.open("w") as log:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # Selenium's own way of reaching this driver
                driver = WebKitGTK(options=options, service=Service("/usr/bin/WebKitWebDriver", log_output=log))
            driver.set_script_timeout(PATIENCE / 1000)
            driver.set_page_load_timeout(2 * PATIENCE / 1000)
            try:
                yield WebKitPage(driver)
            finally:
                with suppress(WebDriverException):
                    driver.quit()
    finally:
        display.terminate()
        display.wait(10)
