"""A puzzle a day: the same for everybody, from the date alone. Pure.

``puzzle`` says what a puzzle is and what a family contributes, ``calendar`` which one a day has. Families declare theirs in a
module ``puzzle``. Nothing here knows a page or a game.
"""
