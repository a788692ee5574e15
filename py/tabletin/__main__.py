"""``python -m tabletin``: games, play, verify, show, arena. For people at a terminal and for tests; see ``--help``."""

from tabletin.cli import main

raise SystemExit(main())
