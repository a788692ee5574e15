"""A toy game whose moves tests can spell: lay a card, or have some exchanged. Tests install and remove it."""

GAMES = {"swap": "Swap"}
