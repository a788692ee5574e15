"""The registry's door to the three domino games. Nothing else lives here."""

from __future__ import annotations

from .dominoes import Dominoes
from .matador import Matador
from .tiddle import TiddleAWink

__all__ = ["Dominoes", "Matador", "TiddleAWink"]
