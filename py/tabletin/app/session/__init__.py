"""Open matches, as a page has them; no browser. In reading order:

``plan`` (a match before it begins) · ``session`` (what every open match can do) · ``bot_driver`` (its bots) · ``local`` (on this
device alone) · ``seeded_dealer`` (who deals there) · ``guided_session`` (a guide on the table) · ``peers`` (among several
devices) · ``room_link`` (what such a match needs of its room) · ``handoff`` (from screen to screen).
"""
