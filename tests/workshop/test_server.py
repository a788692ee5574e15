"""The server's types, cache headers, refusals and paths."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import brotli
import pytest

from workshop import packing, policy
from workshop.server import Server, is_this_machine, server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "files").mkdir(parents=True)
    (site / "index.html").write_text("<h1>Tin</h1>")
    (site / "files" / "a.0123.wasm").write_bytes(b"\0asm")
    (site / "hashed.json").write_text(json.dumps(["files/a.0123.wasm"]))
    (tmp_path / "secret.txt").write_text("secret")
    return site


@pytest.fixture(params=["/", "/sub/path/"])
def running(folder: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Server, str]]:
    prefix = str(request.param)
    with server(folder, prefix=prefix) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield found, prefix
        found.shutdown()
        thread.join()


def get(running: tuple[Server, str], name: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    found, prefix = running
    connection = HTTPConnection("127.0.0.1", found.server_port)
    connection.request(method, prefix + name, headers={key.replace("_", "-"): value for key, value in headers.items()})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_page_is_asked_for_again_each_time(running: tuple[Server, str]) -> None:
    response, body = get(running, "")
    assert (response.status, body) == (200, b"<h1>Tin</h1>")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"


def test_the_policy_of_a_page_is_sent_with_it_and_with_no_script(running: tuple[Server, str], folder: Path) -> None:
    assert get(running, "")[0].headers["Content-Security-Policy"] is None
    (folder / "index.html").write_text(policy.meta("<script>1</script>") + "<script>1</script>")
    assert get(running, "")[0].headers["Content-Security-Policy"] == policy.header((folder / "index.html").read_text())
    assert get(running, "files/a.0123.wasm")[0].headers["Content-Security-Policy"] is None


def test_unchanged_page_is_not_sent_again(running: tuple[Server, str]) -> None:
    tag = get(running, "")[0].headers["ETag"]
    response, body = get(running, "index.html", If_None_Match=tag)
    assert (response.status, body) == (304, b"")


def test_hashed_file_is_kept_for_ever(running: tuple[Server, str]) -> None:
    response, body = get(running, "files/a.0123.wasm")
    assert body == b"\0asm"
    assert response.headers["Content-Type"] == "application/wasm"
    assert "immutable" in response.headers["Cache-Control"]


@pytest.mark.parametrize(("accepted", "way"), [
    ("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("*", "br"), ("identity", None),
])
def test_the_smallest_packed_copy_that_is_accepted_is_sent(
    running: tuple[Server, str], folder: Path, accepted: str, way: str | None,
) -> None:
    module = b"\0asm" * 100
    (folder / "files" / "a.0123.wasm").write_bytes(module)
    packing.pack(folder, ["files/a.0123.wasm"])
    response, body = get(running, "files/a.0123.wasm", Accept_Encoding=accepted)
    assert response.headers["Content-Encoding"] == way
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Content-Type"] == "application/wasm"
    assert response.headers["Content-Length"] == str(len(body))
    assert {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[way](body) == module
    assert (len(body) < len(module)) is (way is not None)


def test_a_packed_copy_of_an_older_file_is_not_sent(running: tuple[Server, str], folder: Path) -> None:
    page = folder / "index.html"
    page.write_text("<h1>Tin</h1>" * 50)
    packing.pack(folder, ["index.html"])
    assert get(running, "", Accept_Encoding="br")[0].headers["Content-Encoding"] == "br"
    page.write_text("<h1>Another tin</h1>" * 50)
    later = (folder / "index.html.br").stat().st_mtime + 1
    os.utime(page, (later, later))
    response, body = get(running, "", Accept_Encoding="br")
    assert (response.headers["Content-Encoding"], body) == (None, b"<h1>Another tin</h1>" * 50)


def test_head_sends_no_body(running: tuple[Server, str]) -> None:
    response, body = get(running, "", method="HEAD")
    assert (response.status, response.headers["Content-Length"], body) == (200, "12", b"")


@pytest.mark.parametrize("name", ["../secret.txt", "%2e%2e/secret.txt", "files/../../secret.txt", "files", "no", "a%00b"])
def test_nothing_outside_the_site(running: tuple[Server, str], name: str) -> None:
    response, body = get(running, name)
    assert response.status == 404
    assert b"secret" not in body


def test_folder_without_slash_leads_into_the_site(folder: Path) -> None:
    with server(folder, prefix="/sub/") as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        connection = HTTPConnection("127.0.0.1", found.server_port)
        connection.request("GET", "/sub")
        response = connection.getresponse()
        assert (response.status, response.headers["Location"]) == (301, "/sub/")
        connection.close()
        found.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("address", "own"), [("127.0.0.1", True), ("::1", True), ("192.168.1.7", False), ("fe80::1%eth0", False)],
)
def test_who_is_this_machine(address: str, own: bool) -> None:
    assert is_this_machine(address) is own
