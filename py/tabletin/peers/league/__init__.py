"""A family league without a server: how matches ended, signed by everybody who played, and a season's table of them.

``result`` (how one match ended) · ``signed_result`` (who signed that) · ``collection`` (all that are known, merged) ·
``exchange`` (what two devices that meet tell each other) · ``file`` (results as a file) · ``season`` (the table) · ``verdict``
(a result in words). All are values; nothing here knows a page, a link or a disk. See docs/league.md.
"""
