"""What a camera may refuse."""

from __future__ import annotations


class NoCamera(Exception):
    """There is no camera to be had; ``key`` is the catalogue's reason: "denied" or "none"."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.key = f"invite.camera.{why}"
