"""Doubt: lay a card face down, say the rank that is due, and be believed. The worked example of docs/adding-a-game.md."""

GAMES = {"doubt": "Doubt"}
RULINGS = ("DB", 4)
