"""What all games share: cards and faces, rules, requests and dealers, the log, and the match that folds it.

Nothing here knows a particular game, a page, or a network. The tour, in reading order: ``faces`` (what a reader
knows of a card), ``requests`` (chance and disclosure), ``state`` (the public part of a match), ``rules`` (what a game
is), ``log`` (statements and places), ``match`` (reading a log), ``dealing`` (who answers requests), ``table`` (one
device driving a match), ``openform`` (a match as a file).
"""
