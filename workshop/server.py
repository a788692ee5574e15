"""Serves a built site: right types, long caching for hashed files, the packed copies that a request accepts. Nothing but files.

It reads the site and its list of hashed files; it never builds. Files without a packed copy are packed for other machines
alone: for this one, that would cost more than it saves.
"""

from __future__ import annotations

import gzip
import ipaddress
import json
import sys
import threading
import webbrowser
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from workshop import policy
from workshop.console import StepFailed, report
from workshop.packing import PACKED, WAYS

TYPES: Final = {
    ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8", ".json": "application/json", ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8", ".png": "image/png", ".py": "text/x-python; charset=utf-8",
    ".svg": "image/svg+xml", ".toml": "application/toml", ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
    ".zip": "application/zip",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"
ALWAYS_ASK: Final = "no-cache"
NEXT_PORTS: Final = 20


@lru_cache(maxsize=64)
def packed(path: Path, modified: float, size: int) -> bytes:
    """The file, gzipped; kept in memory while it does not change."""
    return gzip.compress(path.read_bytes(), 6, mtime=0)


def accepted(header: str) -> list[str]:
    """The ways of packing that an Accept-Encoding header allows, the smallest first.

    >>> accepted("gzip, deflate, br;q=1.0"), accepted("gzip;q=0.5, br;q=0"), accepted("identity")
    (['br', 'gzip'], ['gzip'], [])
    """
    wanted = {}
    for part in header.lower().split(","):
        name, _, rest = part.strip().partition(";")
        weight = rest.strip().removeprefix("q=").strip()
        wanted[name.strip()] = not weight or weight.strip("0.") != ""
    return [way for way in WAYS if wanted.get(way, wanted.get("*", False))]


def is_this_machine(address: str) -> bool:
    """Whether a client's address is this machine's own."""
    return ipaddress.ip_address(address.split("%")[0]).is_loopback


class Files(BaseHTTPRequestHandler):
    """GET and HEAD of the files under ``root``; ``prefix`` is the path they are served under, ``/`` or ``/sub/``."""

    root: Path
    prefix: str
    hashed: frozenset[str]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer(body=True)

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def answer(self, *, body: bool) -> None:
        asked = unquote(urlsplit(self.path).path)
        if asked == self.prefix.rstrip("/") and self.prefix != "/":
            self.reply(HTTPStatus.MOVED_PERMANENTLY, b"", {"Location": self.prefix})
            return
        name = asked.removeprefix(self.prefix) if asked.startswith(self.prefix) else None
        path = self.found(name)
        if name is None or path is None:
            self.reply(HTTPStatus.NOT_FOUND, b"Not found\n", {"Content-Type": TYPES[".txt"]}, body=body)
            return
        known = path.stat()
        tag = f'"{known.st_mtime_ns:x}-{known.st_size:x}"'
        headers = {
            "Content-Type": TYPES.get(path.suffix, "application/octet-stream"), "ETag": tag,
            "Last-Modified": formatdate(known.st_mtime, usegmt=True), "X-Content-Type-Options": "nosniff",
            "Cache-Control": FOR_EVER if name in self.hashed else ALWAYS_ASK,
        }
        if path.suffix == ".html":
            stated = policy.header(path.read_text("utf-8"))
            headers |= {} if stated is None else {"Content-Security-Policy": stated}
        if self.headers.get("If-None-Match") == tag:
            self.reply(HTTPStatus.NOT_MODIFIED, b"", headers)
            return
        if path.suffix in PACKED:
            headers["Vary"] = "Accept-Encoding"
        way, content = self.packed_content(path)
        if way is not None:
            headers["Content-Encoding"] = way
        self.reply(HTTPStatus.OK, content, headers, body=body)

    def found(self, name: str | None) -> Path | None:
        """The file called ``name``; None where there is none, or it would lie outside the site."""
        if name is None or "\0" in name:
            return None
        path = (self.root / (name or "index.html")).resolve()
        if path.is_dir():
            path /= "index.html"
        return path if path.is_file() and path.is_relative_to(self.root) else None

    def packed_content(self, path: Path) -> tuple[str | None, bytes]:
        """What is sent of ``path``, and in which way it is packed. A copy that is older than the file is not of it."""
        known = path.stat()
        ways = accepted(self.headers.get("Accept-Encoding", "")) if path.suffix in PACKED else []
        for way in ways:
            copy = path.with_name(path.name + WAYS[way][0])
            if copy.is_file() and copy.stat().st_mtime_ns >= known.st_mtime_ns:
                return way, copy.read_bytes()
        if "gzip" in ways and not is_this_machine(self.client_address[0]):
            return "gzip", packed(path, known.st_mtime, known.st_size)
        return None, path.read_bytes()

    def reply(self, status: HTTPStatus, content: bytes, headers: dict[str, str], *, body: bool = True) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base class
        """Says nothing for each request."""


class Server(ThreadingHTTPServer):
    """A server whose clients may go away at any moment."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def server(site: Path, host: str = "127.0.0.1", port: int = 0, prefix: str = "/") -> Server:
    """A server of ``site`` that is bound but not yet running. Raises ``OSError`` where the port cannot be had."""
    listing = site / "hashed.json"
    hashed = frozenset(json.loads(listing.read_text("utf-8"))) if listing.exists() else frozenset()
    handler = type("SiteFiles", (Files,), {"root": site.resolve(), "prefix": prefix, "hashed": hashed})
    return Server((host, port), handler)


def serve(site: Path, host: str, port: int, *, open_browser: bool) -> None:
    """Serves until interrupted, on ``port`` or the next free one; says where."""
    running = None
    for attempt in range(NEXT_PORTS):
        try:
            running = server(site, host, port + attempt)
            break
        except OSError as error:
            last = error
        except OverflowError as error:
            raise StepFailed(f"{port} is not a port; take one between 1024 and 65535.") from error
    if running is None:
        raise StepFailed(f"Nothing could be served on {host}:{port}: {last.strerror}. Try another --port or --host.")
    own = host in {"127.0.0.1", "localhost", "::1"}
    address = f"http://{'localhost' if own or host == '0.0.0.0' else host}:{running.server_port}/"
    report(f"Tabletin is at {address}   (Ctrl+C stops)")
    if not own:
        report("On other devices it plays, but browsers allow offline use and matches with friends only over https")
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with running:
        running.serve_forever()
