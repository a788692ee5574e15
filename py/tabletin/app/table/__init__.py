"""A match on the page: drawn from a board's scenes, played by taps, keys and buttons, told in words. See docs/boards.md.

The tour, in reading order. ``screen`` puts everything together and owns the draft of the turn. Drawing: ``viewpoint`` (which
moment, through whose eyes), ``stage`` (a scene as elements), ``elements`` (what lies there), ``motion`` (how it gets there),
``camera`` (panning and zooming). A player's hands: ``pointer``, ``keyboard``, ``arrows`` and ``roving_tabindex`` (what the
keyboard reaches). Words and buttons: ``note``, ``buttons`` (bars of them, and a question over the hand), ``controls`` (what
the table itself offers), ``timeouts``, ``undo``, ``replay_bar``. What happened: ``narration`` (all of it, in order),
``updates`` (when the table takes it), ``announcer`` (said to screen readers), ``recap`` and ``recap_sheet`` (retold to who
looked away). Beside the table: ``side_panel``, ``panels``,
``rules_panel``. ``dom`` names the few calls of the browser that they need.

``viewpoint``, ``camera``, ``arrows``, ``undo``, ``narration``, ``recap`` and ``updates`` know no browser.
"""
