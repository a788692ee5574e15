"""``python3 -m tabletin``: games, play, verify, show, judge, arena. For people at a terminal and for tests; see ``--help``."""

from tabletin.cli import main

raise SystemExit(main())
