"""The words of languages other than English: an archive each, which the page fetches when somebody reads that language.

Those of the language that is read at the start are fetched with Python itself (workshop/inside/interpreter.mjs), the others
when they are chosen. Nothing is asked of another origin.
"""

from __future__ import annotations

import os

import js
from pyscript import config

from tabletin.registry import add_archive


def place_of(language: str) -> str:
    """Where the archive of ``language`` is kept, in Python's own files."""
    return f"/lib/words-{language}.zip"


def add_fetched(language: str) -> None:
    """Let the words of ``language`` be read, if they were fetched with Python."""
    if os.path.exists(place_of(language)):
        add_archive(place_of(language))


async def fetch_words(language: str) -> None:
    """Fetch the words of ``language``. Raises ``JsException`` or ``OSError`` where they cannot be fetched."""
    response = await js.fetch(str(config["tabletin"]["languages"][language]))
    if not response.ok:
        raise OSError(f"{response.url}: {response.status}")
    data = (await response.arrayBuffer()).to_bytes()
    with open(place_of(language), "wb") as archive:
        archive.write(data)
    add_archive(place_of(language))
