"""The worker that holds this device's replica of a match among peers: text in, text out. It never sees the page."""

from pyodide.code import run_js
from pyscript import config, sync

from tabletin.peers.identity_js import JsIdentity, JsVerifier
from tabletin.peers.sealed.group_js import JsGroup
from tabletin.peers.worker.service import ReplicaService

services: list[ReplicaService] = []


async def call(text: str) -> str:
    """Answer one call. The first one opens libsodium."""
    if not services:
        module = await run_js("address => import(address)")(config["sodium"])
        shim = await module.openGroup()
        services.append(ReplicaService(JsGroup(shim), JsVerifier(shim), lambda seed: JsIdentity(shim, seed)))
    return services[0].call(text)


sync.call = call
