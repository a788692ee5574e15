"""TooT: four games with one deck of colours, numbers and X (rulebook ``toot``, rulings TO-1…TO-8)."""

GAMES = {"toot-progressive": "Progressive", "toot-fluke": "Fluke", "toot-pursuit": "Pursuit", "toot-speed": "Speed"}
RULINGS = ("TO", 8)
PUZZLES = ("toot-fluke",)
