"""TooT: four games with one deck of colours, numbers and X (rulebook ``toot``, rulings TO-1…TO-8)."""
