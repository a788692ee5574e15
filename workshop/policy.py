"""The page's Content-Security-Policy: what a browser lets the page load, run and reach. Written into the page by the build.

It knows the page as it is shipped. PyScript's workers inherit it, because their script is a blob; the worker for sockets does
not, because its script is a file. docs/deploy.md tells what follows from that.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import Final

INLINE: Final = re.compile(r"(?s)<script>(.*?)</script>")
META: Final = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
RULES: Final = {
    "default-src": "'none'",
    # And the scripts that stand in the page itself, each by its hash. PyScript makes functions of the text of its own hooks.
    "script-src": "'self' 'wasm-unsafe-eval' 'unsafe-eval'",
    "worker-src": "'self' blob:",
    "connect-src": "'self' blob:",  # a blob is of this page, and reaches nobody
    "style-src": "'self'",
    "style-src-attr": "'unsafe-inline'",  # a figure in a rulebook says how wide it is
    "img-src": "'self' data: blob:",
    "media-src": "'self' blob:",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
}
IN_HEADER_ONLY: Final = "frame-ancestors 'none'"  # a browser ignores this rule within a page


def policy(page: str) -> str:
    """The policy of ``page``."""
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in INLINE.findall(page))
    own = " ".join(f" 'sha256-{one}'" for one in hashes)
    return "; ".join(f"{name} {allowed}{own if name == 'script-src' else ''}" for name, allowed in RULES.items())


def meta(page: str) -> str:
    """The element that states the policy of ``page``. It must stand before everything that it is to rule."""
    return f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy(page), quote=False)}">'


def header(page: str) -> str | None:
    """The policy that ``page`` states, as a server may send it; None where it states none."""
    found = META.search(page)
    return None if found is None else f"{html.unescape(found[1])}; {IN_HEADER_ONLY}"
