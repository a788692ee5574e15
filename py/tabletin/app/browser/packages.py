"""Python packages that only some screens import: Pyodide installs their wheels from this site when they are first needed.

The build lists the wheels in Pyodide's lock. Nothing is asked of another origin.
"""

from __future__ import annotations

from importlib.util import find_spec

import js
import pyodide_js
from pyodide.ffi import to_js


async def install(name: str) -> None:
    """Make the package ``name`` importable. Raises ``OSError`` where its wheel cannot be fetched."""
    # Progress and faults would go to the console.
    quietly = to_js({"messageCallback": js.Object, "errorCallback": js.Object}, dict_converter=js.Object.fromEntries)
    await pyodide_js.loadPackage(name, quietly)
    if find_spec(name) is None:
        raise OSError(f"The package {name} could not be loaded.")
