"""ICE servers (STUN, TURN): those of the settings that this browser can use."""

from __future__ import annotations

from typing import Any, Final, Protocol

import js
from pyodide.ffi import JsException, to_js

ADDRESS: Final = "address"
ACCOUNT: Final = "account"


class IceAddresses(Protocol):
    """Servers that the player switched on; "" for none."""

    @property
    def stun(self) -> str: ...

    @property
    def turn(self) -> str: ...

    @property
    def turn_user(self) -> str: ...

    @property
    def turn_password(self) -> str: ...


def usable(addresses: IceAddresses | None) -> list[dict[str, str]]:
    """The ICE servers, without those that would keep the browser from connecting at all.

    A TURN server is asked by UDP and by TCP, unless its address says by which: some networks let only TCP through.
    """
    if addresses is None:
        return []
    turn = _turn(addresses)
    names_no_transport = addresses.turn.startswith("turn:") and "?" not in addresses.turn
    by_tcp = [{**turn, "urls": f"{addresses.turn}?transport=tcp"}] if names_no_transport else []
    return [server for server in (_stun(addresses), turn, *by_tcp) if server["urls"] and not _wrong(server)]


def wrong(addresses: IceAddresses, name: str) -> str:
    """Why the server "stun" or "turn" cannot be used: "address", or "account" for a missing user name or password.

    "" if it can be used, or is switched off.
    """
    server = _stun(addresses) if name == "stun" else _turn(addresses)
    return _wrong(server) if server["urls"] and hasattr(js, "RTCPeerConnection") else ""


def _stun(addresses: IceAddresses) -> dict[str, str]:
    return {"urls": addresses.stun}


def _turn(addresses: IceAddresses) -> dict[str, str]:
    return {"urls": addresses.turn, "username": addresses.turn_user, "credential": addresses.turn_password}


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
