"""Iota: the tin game of colour, shape and number. 2–4 players, rulebook ``iota``, rulings IO-1…IO-10."""

GAMES = {"iota": "Iota"}
RULINGS = ("IO", 10)
PUZZLES = ("iota",)
