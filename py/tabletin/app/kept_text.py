"""Small texts this device keeps, read back with care: what cannot be used is as if it had never been kept. Pure."""

from __future__ import annotations

import json
from typing import Any


def kept_value(text: str | None) -> Any:
    """The JSON value that was kept as ``text``; None where nothing was kept, or it is damaged."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None


def kept_object(text: str | None) -> dict[str, Any]:
    """The JSON object that was kept as ``text``; an empty one where it is anything else."""
    found = kept_value(text)
    return found if isinstance(found, dict) else {}
