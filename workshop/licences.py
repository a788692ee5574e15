"""The licences of what the site carries from others, as one text that is shipped with it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from workshop.console import StepFailed
from workshop.paths import NODE_MODULES
from workshop.wheels import Wheel

# In the files of the site, beside what esbuild took in; docs/licences.md lists the tools too.
SHIPPED: Final = frozenset({
    "pyodide", "@pyscript/core", "polyscript", "coincident", "reflected-ffi", "lucide-static",
    "@fontsource-variable/atkinson-hyperlegible-next", "@fontsource-variable/bricolage-grotesque",
})
# Packages that come without the text of their licence.
ELSEWHERE: Final = {
    "pyodide": "Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/ – its source: "
               "https://github.com/pyodide/pyodide. It holds CPython and its standard library under the Python Software "
               "Foundation License 2, https://docs.python.org/3/license.html. The library was compiled, otherwise unchanged.",
}
RULE: Final = "\n" + "-" * 80 + "\n\n"


def licence(package: str) -> str:
    """One package: its name, version, kind of licence and the text."""
    folder = NODE_MODULES / package
    about = json.loads((folder / "package.json").read_text("utf-8"))
    texts = [path for path in sorted(folder.iterdir()) if path.name.upper().startswith(("LICENSE", "LICENCE"))]
    if not texts and package not in ELSEWHERE:
        raise StepFailed(f"{package} has no file with its licence; name where it is to be found in workshop/licences.py.")
    text = "\n".join(path.read_text("utf-8").strip() for path in texts) or ELSEWHERE[package]
    return f"{about['name']} {about['version']} ({about['license']})\n\n{text}\n"


def wheel_licence(wheel: Wheel) -> str:
    """The same of a Python package that a page loads late."""
    return f"{wheel.name} {wheel.version}\n\n{wheel.licence}\n"


def licences(own: Path, bundled: Iterable[str], wheels: Iterable[Wheel]) -> str:
    """All licences: ours (in ``own``), the npm packages ``bundled`` beside those always shipped, the Python ``wheels``."""
    packages = sorted(SHIPPED | set(bundled))
    ours = f"Tabletin\n\n{own.read_text('utf-8')}"
    return RULE.join([ours, *map(licence, packages), *map(wheel_licence, wheels)])
