"""What a table looks like, as plain data: all that a family needs to show its game, and nothing of a browser.

The tour, in reading order: ``scene`` (pieces, places, seats and buttons as values), ``board`` (what a family provides),
``layout`` (fans, rows and seats measured), ``svg`` (drawing by hand), ``plain`` and ``plain_art`` (the board of a family that
has none), ``deck52`` (playing cards), ``figures`` (pieces in a rulebook), ``guide`` (a first hand, step by step), ``lesson`` (a
page to learn from), ``highlights`` (the best turns of a match), ``app_icon``. See docs/boards.md.
"""
