"""The network of one page, which a test cuts and mends."""

from __future__ import annotations

from playwright.sync_api import Page


class Network:
    """That of one page, which has no links yet: ``cut`` until it is ``back``. Not a packet comes through, of WebRTC neither."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Network.enable")
        self.back()

    def _be(self, *, offline: bool) -> None:
        self._session.send("Network.emulateNetworkConditions", {  # what is not slowed a little is never asked again
            "offline": offline, "latency": 1, "downloadThroughput": -1, "uploadThroughput": -1,
            "packetLoss": 100 if offline else 0, "packetQueueLength": 100_000})

    def cut(self) -> None:
        self._be(offline=True)

    def back(self) -> None:
        self._be(offline=False)
