"""What all games share: cards and faces, rules, requests and dealers, the log, and the match that folds it.

Nothing here knows a particular game, a page, or a network. The tour, in reading order:

- ``faces``: what a reader knows of a card; ``deck52``: the faces of playing cards.
- ``requests``: chance and disclosure. ``state``: the public part of a match.
- ``schema``: forms of moves. ``options``: what can be chosen, and refusals. ``rules``: what a game is.
- ``log``: statements and places. ``setup``: what a match is agreed on. ``authority``: who may say what.
- ``snapshot``: what a log's prefix amounts to. ``membership``: who plays which seat. ``prefix``, ``undo``: what a
  statement stands behind, and how far a match may be taken back. ``match``: reading a log.
- ``dealing``: who answers requests. ``table``: one device driving a match. ``trusted``: a match that another has verified.
- ``logfile``: a match as a file. ``percent``: text in addresses.
"""
