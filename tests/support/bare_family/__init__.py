"""A family with rules alone, as a new one is at first: no words, no board, no bots. Tests install and remove it."""

GAMES = {"highcard": "HighCard"}
