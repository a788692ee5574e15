"""Python packages that only some screens import: micropip installs their wheels from this site when they are first needed.

The build lists the wheels in PyScript's configuration, and micropip in Pyodide's lock. Nothing is asked of another origin.
"""

from __future__ import annotations

import js
import pyodide_js
from pyodide.ffi import to_js
from pyscript import config

from tabletin.app.browser.workers import absolute


async def install(name: str) -> None:
    """Make the package ``name`` importable. Raises ``JsException`` or ``OSError`` where its wheel cannot be fetched."""
    # Progress would go to the console.
    quietly = to_js({"messageCallback": js.Object}, dict_converter=js.Object.fromEntries)
    await pyodide_js.loadPackage("micropip", quietly)
    import micropip

    await micropip.install(absolute(str(config["tabletin"]["wheels"][name])), deps=False)
