"""The worker that holds this device's replica of a match among peers: text in, text out. It never sees the page."""

from pyodide.code import run_js
from pyscript import config, sync

from tabletin.peers.identity_js import JsIdentity, JsVerifier
from tabletin.peers.sealed.group_js import JsGroup
from tabletin.peers.worker.service import ReplicaService

remotes: list[ReplicaService] = []


async def call(text: str) -> str:
    """Answer one call; libsodium is opened with the first."""
    if not remotes:
        module = await run_js("address => import(address)")(config["sodium"])
        shim = await module.openGroup()
        remotes.append(ReplicaService(JsGroup(shim), JsVerifier(shim), lambda seed: JsIdentity(shim, seed)))
    return remotes[0].call(text)


sync.call = call
