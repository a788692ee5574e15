"""What a page's standard library is: which files of Pyodide's are left out, and which few lines are others.

Left out is what a page has no use for. Lines are changed where a module that every start imports brings along one of those, or
one that only some screens need; and where the page's loop refused a moment that had just passed, which every other loop takes as
due at once. Knows names and texts; never compiles (workshop/runtime.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

# Tools for developers, servers, mail, processes, sockets, terminals, markup, serialised objects, pure-Python twins of compiled
# modules.
DROPPED: Final = (
    "__hello__.py", "__phello__", "_ast_unparse.py", "_compat_pickle.py", "_pydatetime.py", "_pyio.py", "_pyrepl",
    "_ssl.py", "antigravity.py", "argparse.py", "asyncio/__main__.py", "asyncio/base_events.py",
    "asyncio/base_subprocess.py", "asyncio/graph.py", "asyncio/log.py", "asyncio/proactor_events.py",
    "asyncio/protocols.py", "asyncio/selector_events.py", "asyncio/sslproto.py", "asyncio/staggered.py",
    "asyncio/streams.py", "asyncio/subprocess.py", "asyncio/tools.py", "asyncio/transports.py", "asyncio/trsock.py",
    "asyncio/unix_events.py", "asyncio/windows_events.py", "asyncio/windows_utils.py", "bdb.py", "bz2.py", "cProfile.py",
    "cmd.py", "code.py", "colorsys.py", "compileall.py", "compression/bz2.py", "compression/gzip.py", "compression/lzma.py",
    "compression/zlib.py", "compression/zstd", "concurrent/futures/interpreter.py", "concurrent/futures/process.py",
    "concurrent/interpreters", "configparser.py", "ctypes", "curses", "dbm", "difflib.py", "doctest.py", "email/mime",
    "ensurepip", "filecmp.py", "fileinput.py", "ftplib.py", "getopt.py", "getpass.py", "gettext.py", "graphlib.py",
    "html/entities.py", "http", "idlelib", "imaplib.py", "importlib/metadata/diagnose.py", "json/__main__.py",
    "json/tool.py", "lib2to3", "logging/config.py", "logging/handlers.py", "lzma.py", "mailbox.py", "mimetypes.py",
    "modulefinder.py", "multiprocessing", "netrc.py", "nntplib.py", "nturl2path.py", "optparse.py", "pathlib/types.py",
    "pdb.py", "pickle.py", "pickletools.py", "plistlib.py", "poplib.py", "pprint.py", "profile.py", "profiling",
    "pstats.py", "pty.py", "py_compile.py", "pyclbr.py", "pydoc.py", "pydoc_data", "pyodide/_nodesock_transport.py",
    "pyodide/console.py", "rlcompleter.py", "runpy.py", "sched.py", "selectors.py", "shelve.py", "shlex.py", "smtplib.py",
    "socket.py", "socketserver.py", "sqlite3", "sre_compile.py", "sre_constants.py", "sre_parse.py", "ssl.py",
    "stringprep.py", "subprocess.py", "symtable.py", "sysconfig/__main__.py", "tabnanny.py", "tarfile.py", "this.py",
    "timeit.py", "tkinter", "tomllib", "trace.py", "tracemalloc.py", "tty.py", "turtle.py", "turtledemo", "unittest",
    "urllib/request.py", "urllib/robotparser.py", "venv", "wave.py", "webbrowser.py", "wsgiref", "xml/dom", "xml/etree",
    "xml/parsers", "xml/sax/expatreader.py", "xmlrpc", "zipapp.py", "zipfile/__main__.py", "zoneinfo",
)
KEPT_ENCODINGS: Final = frozenset({
    "__init__", "aliases", "ascii", "base64_codec", "cp437", "hex_codec", "latin_1", "raw_unicode_escape", "undefined",
    "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_8", "utf_8_sig",
})

# The loop of a page is Pyodide's own: of asyncio it needs what stands above a loop.
_LOOPLESS: Final = ("base_events", "graph", "protocols", "streams", "subprocess", "transports")
# What unpacks packages needs much that a start does not: until then, its two places are texts.
_PLACE: Final = '''
class Path:
    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def glob(self, pattern):
        return ()
'''
_PACKAGE_LOADER: Final = '''if IN_PYODIDE:
    shutil.register_archive_format('''
_LATE_LOADER: Final = '''def _begin():
    global shutil, NamedTemporaryFile, Path, ZipFile
    if "shutil" in globals():
        return
    import shutil
    from pathlib import Path
    from tempfile import NamedTemporaryFile
    from zipfile import ZipFile
    shutil.register_archive_format('''
_UNPACK: Final = '''    if format:
        format = get_format(format)
'''
# Flags of compiled code, as `dis` has them, which would be imported for these alone.
_CODE_FLAGS: Final = '''{
    1: "OPTIMIZED", 2: "NEWLOCALS", 4: "VARARGS", 8: "VARKEYWORDS", 16: "NESTED", 32: "GENERATOR", 64: "NOFREE",
    128: "COROUTINE", 256: "ITERABLE_COROUTINE", 512: "ASYNC_GENERATOR", 0x4000000: "HAS_DOCSTRING", 0x8000000: "METHOD",
}'''
_LATE: Final = '''"""Modules that are imported when something of them is first asked for."""


class Late:
    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, attribute):
        return getattr(__import__(self.__name__), attribute)
'''


def late(*names: str) -> tuple[str, str]:
    """A change: the lines that import the modules ``names``, and what imports them later."""
    lines = "".join(f"{name} = Late({name!r})\n" for name in names)
    return "".join(f"import {name}\n" for name in names), f"from _late import Late\n{lines}"


_PYSCRIPT_LATE: Final = '''_LATE = {
    "HTML": "display", "display": "display", "fetch": "fetch", "Storage": "storage", "storage": "storage",
    "WebSocket": "websocket", "when": "events", "Event": "events",
    "create_named_worker": "workers", "workers": "workers",
}


def __getattr__(name):
    from importlib import import_module
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"pyscript.{_LATE[name]}"), name)
'''
PYSCRIPT_CHANGES: Final[Mapping[str, Sequence[tuple[str, str]]]] = MappingProxyType({
    "pyscript/__init__.py": ((
        "from pyscript.display import HTML,display\nfrom pyscript.fetch import fetch\n"
        "from pyscript.storage import Storage,storage\n"
        "from pyscript.websocket import WebSocket\nfrom pyscript.events import when,Event\n"
        "if not RUNNING_IN_WORKER:from pyscript.workers import create_named_worker,workers", _PYSCRIPT_LATE,
    ),),
})
"""As ``CHANGES``, for PyScript's own modules: of what they import for everybody, our page uses little."""
_EMPTY: Final = "# What unpacks wheels names this module and uses it for nothing that a page does.\n"
# Names of HTML's letters: a page reads no HTML but its own, which spells few letters so.
_ENTITIES: Final = '''html5 = {"amp;": "&", "apos;": "'", "gt;": ">", "lt;": "<", "nbsp;": "\\xa0", "quot;": '"'}
'''
ADDED: Final[Mapping[str, str]] = MappingProxyType({
    "_late.py": _LATE,
    "html/entities.py": _ENTITIES,
    "subprocess.py": _EMPTY,
    "tarfile.py": _EMPTY,
})
"""By file, what stands there that Pyodide's library has not, or otherwise."""


CHANGES: Final[Mapping[str, Sequence[tuple[str, str]]]] = MappingProxyType({
    "asyncio/__init__.py": (
        *((f"from .{name} import *\n", "") for name in _LOOPLESS),
        *((f"           {name}.__all__ +\n", "") for name in _LOOPLESS if name not in ("base_events", "transports")),
        ("(base_events.__all__ +\n           coroutines", "(coroutines"),
        ("timeouts.__all__ +\n           transports.__all__)", "timeouts.__all__)"),
        ("    from .unix_events import *  # pragma: no cover\n    __all__ += unix_events.__all__\n", "    pass\n"),
        ("unix_events._DefaultEventLoopPolicy", "events._BaseDefaultEventLoopPolicy"),
    ),
    "asyncio/events.py": (
        ("import socket\nimport subprocess\n", ""), ("socket.AF_UNSPEC,", "0,"), ("socket.AI_PASSIVE,", "1,"),
        *((f"{space}stdin=subprocess.PIPE,\n{space}stdout=subprocess.PIPE,\n{space}stderr=subprocess.PIPE,",
           f"{space}stdin=-1, stdout=-1, stderr=-1,") for space in (31 * " ", 30 * " ")),
    ),
    "asyncio/futures.py": (("import logging\n", ""), ("logging.DEBUG", "10")),
    "concurrent/futures/_base.py": (
        ("import logging\n", "from _late import Late\n"),
        ('LOGGER = logging.getLogger("concurrent.futures")', "LOGGER = Late('logging')"),
    ),
    "html/__init__.py": (
        ("from html.entities import html5 as _html5\n", ""),
        ("        # named charref\n", "        # named charref\n        from html.entities import html5 as _html5\n"),
    ),
    "inspect.py": (
        late("dis"), ("\nimport tokenize\n", "\ntokenize = Late('tokenize')\n"),
        ("in dis.COMPILER_FLAG_NAMES.items()", f"in {_CODE_FLAGS}.items()"),
    ),
    "_pyodide/_base.py": (
        late("tokenize"),
        ("    source_io = StringIO(source)\n",
         "    if '#' not in source:\n        return source.rstrip().endswith(';')\n    source_io = StringIO(source)\n"),
    ),
    "traceback.py": (late("tokenize"), ("\nimport _colorize\n", "\n_colorize = Late('_colorize')\n")),
    "pyodide/_package_loader.py": (
        ("import re\nimport shutil\n", "import re\n"), ("from pathlib import Path\n", _PLACE),
        ("from tempfile import NamedTemporaryFile\n", ""), ("from zipfile import ZipFile\n", ""), (_PACKAGE_LOADER, _LATE_LOADER),
        (_UNPACK, f"    _begin()\n{_UNPACK}"),
    ),
    "pyodide/common.py": (
        ("import os\nimport shutil\nfrom pathlib import Path\n", "import os\n"),
        ("    src = Path(src).resolve()\n", "    import shutil\n    from pathlib import Path\n    src = Path(src).resolve()\n"),
    ),
    "pyodide/webloop.py": (("        delay = when - cur_time\n", "        delay = max(0, when - cur_time)\n"),),
    "xml/sax/saxutils.py": (("import os, urllib.parse, urllib.request\n", "import os, urllib.parse\n"),),
})
"""By file, texts and what stands in their place. Each text stands there exactly once, or the build fails."""
