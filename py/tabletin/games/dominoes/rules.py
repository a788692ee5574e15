"""The registry's door to the three domino games. Nothing else lives here."""

from __future__ import annotations

from tabletin.games.dominoes.dominoes import Dominoes
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.tiddle import TiddleAWink

__all__ = ["Dominoes", "Matador", "TiddleAWink"]
