"""The table: everything between a match and what a player sees and does.

Pure, and run under CPython too: ``board`` (what a game provides), ``arrange`` (fans, rows, seats), ``camera``
(panning and zooming), ``walking`` (arrow keys), ``turning_back`` (undo). In the browser: ``stage`` (draws
scenes), ``pointing`` (pointers and wheel), ``panels`` (log, score sheet, questions), ``announcer``, ``screen``
(puts them together). See docs/boards.md.
"""
