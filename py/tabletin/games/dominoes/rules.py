"""The rules of the three domino games, gathered for the registry."""

from __future__ import annotations

from tabletin.games.dominoes.dominoes import Dominoes
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.tiddle import TiddleAWink

__all__ = ["Dominoes", "Matador", "TiddleAWink"]
