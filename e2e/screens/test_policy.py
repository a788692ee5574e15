"""The page's policy in a real browser: what somebody might bring into the page does not run, and nothing is fetched elsewhere.

Sockets are not covered, as the last test shows; docs/deploy.md says what else is not.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from e2e.support.nostr_relay import Relay
from e2e.support.site import Heard

Visit = Callable[..., Page]
INJECT = """async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = 'script'";
    document.body.append(script);
    const remote = document.createElement("script");
    remote.src = "http://127.0.0.2:9/x.js";
    const holder = document.createElement("div");
    holder.innerHTML = `<img src="data:," onerror="globalThis.ran = 'handler'"><a href="javascript:globalThis.ran='link'">x</a>
        <iframe srcdoc="<script>parent.ran = 'frame'</script>"></iframe>
        <base href="http://127.0.0.2:9/"><object data="x"></object>`;
    document.body.append(remote, holder);
    holder.querySelector("a").click();
    const reached = [];
    const ask = async (what, how) => { try { await how(); reached.push(what); } catch { /* as it should be */ } };
    await ask("fetch", () => fetch("http://127.0.0.2:9/", { mode: "no-cors" }));
    await ask("picture", () => new Promise((good, bad) => {
        Object.assign(new Image(), { onload: good, onerror: bad, src: "http://127.0.0.2:9/x.png" }); }));
    await new Promise((done) => setTimeout(done, 300));
    return { ran: globalThis.ran ?? null, reached, base: document.baseURI.startsWith(location.origin) };
}"""


def test_what_is_brought_into_the_page_does_not_run_and_nothing_is_fetched_elsewhere(visit: Visit, heard: Heard) -> None:
    page = visit("#/")
    page.evaluate("""() => {
        globalThis.broken = [];
        addEventListener("securitypolicyviolation", (event) => broken.push(event.effectiveDirective));
    }""")
    heard.provoked = True
    refused: list[str] = []
    page.on("requestfailed", lambda request: refused.append(request.url))
    found = page.evaluate(INJECT)
    assert found == {"ran": None, "reached": [], "base": True}
    broken = set(page.evaluate("broken"))
    assert {"script-src-elem", "script-src-attr", "connect-src", "img-src", "base-uri"} <= broken
    assert set(heard.elsewhere) <= set(refused), "the browser was asked for these, and refused"
    heard.elsewhere.clear()


def test_python_fetches_only_from_the_site(visit: Visit, heard: Heard) -> None:
    page = visit("#/")
    heard.provoked = True
    assert page.evaluate("""() => new Promise((done) => {
        globalThis.told = done;
        const script = document.createElement("script");
        script.type = "py";
        script.textContent = `
import js
from pyodide.http import pyfetch
try:
    await pyfetch("http://127.0.0.2:9/")
    js.told("reached")
except OSError:
    js.told("refused")
`;
        document.body.append(script);
    })""") == "refused"
    assert heard.elsewhere == []


def test_a_worker_from_a_blob_inherits_the_policy(visit: Visit, heard: Heard) -> None:
    """PyScript's workers are such workers."""
    page = visit("#/")
    heard.provoked = True
    assert page.evaluate("""() => new Promise((done) => {
        const source = `addEventListener("securitypolicyviolation", (event) => postMessage(event.effectiveDirective));
            fetch("http://127.0.0.2:9/", { mode: "no-cors" }).catch(() => {});`;
        const worker = new Worker(URL.createObjectURL(new Blob([source])));
        worker.onmessage = ({ data }) => { worker.terminate(); done(data); };
    })""") == "connect-src"
    assert heard.elsewhere == []


def test_a_script_of_the_page_opens_sockets_to_any_address(visit: Visit) -> None:
    """The worker for sockets starts with the first one. It opens whatever address it is told, and no setting stands behind that:
    only the app's own code keeps to the relays that somebody agreed to."""
    relay = Relay().start()
    page = visit("#/")
    workers = len(page.workers)
    assert page.evaluate("""(address) => new Promise((done) => {
        const socket = new WebSocket(address);
        socket.onopen = () => { socket.close(); };
        socket.onerror = () => done("failed");
        socket.onclose = () => done(socket.readyState === WebSocket.CLOSED);
    })""", relay.address) is True
    assert len(page.workers) == workers + 1
    assert page.evaluate("""(address) => new Promise((done) => {
        const worker = new Worker(document.querySelector('link[rel="x-sockets"]').href, { type: "module" });
        worker.onmessage = ({ data: [id, what] }) => { worker.terminate(); done(what); };
        worker.postMessage([1, "open", address]);
    })""", relay.address) == "open"
    relay.stop()
