"""Color Dot Dominoes, Matador and Tiddle-A-Wink. Rulebook ``color-dot-dominoes``, rulings DO-1…DO-10."""

GAMES = {"dominoes": "Dominoes", "matador": "Matador", "tiddle-a-wink": "TiddleAWink"}
RULINGS = ("DO", 10)
PUZZLES = ("dominoes",)
