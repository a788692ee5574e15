"""Teeth Time: a rummy of teeth for two to ten, with penalties, a dentist and a tooth fairy."""

GAMES = {"teeth-time": "TeethTime"}
RULINGS = ("TT", 17)
PUZZLES = ("teeth-time",)
