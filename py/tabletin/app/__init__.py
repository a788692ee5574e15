"""The browser application: what stands between a match and the people who play it. Rules, bots and peers are below it.

Only ``main``, ``browser`` and ``table`` touch a browser; everything else runs under CPython too. The tour, in reading order:
``kept_text`` (small texts, read with care), ``routes`` and ``settings`` (an address, and what a person may set), ``storage``
(what lies on disk), ``session`` (an open match: who acts, who looks, which bots play), ``room`` (where friends far away meet),
``ui`` (what a screen is, and its HTML), ``table`` (a match drawn and played), ``screens`` (every page by its address),
``browser`` (the browser's side of storage, workers and links), ``main`` (the running page). Each of them knows only those
before it.
"""
