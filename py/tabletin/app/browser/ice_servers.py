"""Servers that help devices reach each other: the ones from the settings that this browser can use."""

from __future__ import annotations

from typing import Any, Final, Protocol

import js
from pyodide.ffi import JsException, to_js

ADDRESS: Final = "address"
ACCOUNT: Final = "account"


class IceHelpers(Protocol):
    """Servers that the player switched on; "" for none."""

    @property
    def stun(self) -> str: ...

    @property
    def turn(self) -> str: ...

    @property
    def turn_user(self) -> str: ...

    @property
    def turn_password(self) -> str: ...


def servers(helpers: IceHelpers | None) -> list[dict[str, str]]:
    """The ICE servers, without those that would keep the browser from connecting at all.

    A TURN server is asked by UDP and by TCP, unless its address says by which: some networks let only TCP through.
    """
    if helpers is None:
        return []
    turn = _turn(helpers)
    by_tcp = [{**turn, "urls": f"{helpers.turn}?transport=tcp"}] if helpers.turn.startswith("turn:") and "?" not in helpers.turn \
        else []
    return [server for server in (_stun(helpers), turn, *by_tcp) if server["urls"] and not _wrong(server)]


def wrong(helpers: IceHelpers, name: str) -> str:
    """Why the server "stun" or "turn" cannot be used: "address", or "account" for a missing user name or password.

    "" if it can be used, or is switched off.
    """
    server = _stun(helpers) if name == "stun" else _turn(helpers)
    return _wrong(server) if server["urls"] and hasattr(js, "RTCPeerConnection") else ""


def _stun(helpers: IceHelpers) -> dict[str, str]:
    return {"urls": helpers.stun}


def _turn(helpers: IceHelpers) -> dict[str, str]:
    return {"urls": helpers.turn, "username": helpers.turn_user, "credential": helpers.turn_password}


def _wrong(server: dict[str, str]) -> str:
    """Only the browser knows which addresses it takes."""
    if not all(server.values()):
        return ACCOUNT
    configuration: Any = to_js({"iceServers": [server]}, dict_converter=js.Object.fromEntries)
    try:
        js.RTCPeerConnection.new(configuration).close()
    except JsException:
        return ADDRESS
    return ""
