"""What a device offers to another one of the same person: to go on for it. It is sent between them, and stands in the log.

It knows the form and nothing of keys or signatures: ``authority`` checks what was signed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabletin.kernel.log import Json
from tabletin.kernel.schema import Malformed


@dataclass(frozen=True, slots=True)
class Offer:
    """``author``: the device that would go on; ``point``: what the old device wraps the running deal's secret for, as text;
    ``consent``: the signature of ``author`` over both (``authority.device_agreement``)."""

    author: str
    point: str
    consent: str

    def to_json(self) -> dict[str, Json]:
        return {"to": self.author, "offer": self.point, "agreed": self.consent}

    @classmethod
    def from_json(cls, data: Any) -> Offer:
        """Raises ``Malformed`` for any other form than that of ``to_json``."""
        formed = type(data) is dict and data.keys() == {"to", "offer", "agreed"}
        if not formed or any(type(value) is not str for value in data.values()):
            raise Malformed("expected an offer")
        return cls(data["to"], data["offer"], data["agreed"])
