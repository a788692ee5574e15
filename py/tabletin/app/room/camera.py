"""Why no camera can be used."""

from __future__ import annotations

from tabletin.kernel.options import Failure, Refusal


class NoCamera(Failure):
    """There is no camera. ``reason``: "denied" or "none"."""

    def __init__(self, reason: str) -> None:
        super().__init__(Refusal(f"invite.camera.{reason}"))
