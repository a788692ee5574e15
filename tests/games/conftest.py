"""Which tests of the games run inside Pyodide under Node, too: all but those of sessions and of peers.

Those need a loop and libsodium, which a page has there and Node has not.
"""

from __future__ import annotations

import sys

collect_ignore_glob = ["*/test_session_*.py", "*/test_peers_*.py"] if sys.platform == "emscripten" else []
