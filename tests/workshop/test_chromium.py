"""The flags that Chromium is started with for the tests."""

from __future__ import annotations

import re
from pathlib import Path

import playwright

from workshop.chromium import FLAGS, PLAYWRIGHT_OMISSIONS

BUNDLE = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "coreBundle.js"


def test_what_playwright_leaves_out_of_chromium_stays_out() -> None:
    """Our list takes the place of Playwright's, which may grow with a new version."""
    found = re.search(r"disabledFeatures = \[(.*?)\]", BUNDLE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    names = re.findall(r'^\s*"(\w+)"', found[1], re.MULTILINE)
    assert len(names) > 5 and set(names) <= set(PLAYWRIGHT_OMISSIONS)


def test_there_is_one_list_of_what_is_left_out() -> None:
    left_out, = (flag for flag in FLAGS if flag.startswith("--disable-features="))
    assert set(PLAYWRIGHT_OMISSIONS) < set(left_out.partition("=")[2].split(","))
