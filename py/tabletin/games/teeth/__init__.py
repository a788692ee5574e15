"""Teeth: three columns between two players, scored from either end. 2 players, rulebook ``teeth``, rulings TE-1…TE-7."""

GAMES = {"teeth": "Teeth"}
RULINGS = ("TE", 7)
