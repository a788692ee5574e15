"""Plays: sets everything up, builds the site, serves it here and opens the browser. ``--help`` tells the rest.

Runs under any Python from 3.11 on, with the standard library alone; what it installs stays in ignored folders here.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from workshop import setup
from workshop.console import StepFailed, report, report_failure

PORT = 8340


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play Tabletin: set up, build, serve, open the browser.")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument("--port", type=int, default=PORT, help=f"port to serve on (default {PORT}, or the next free)")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve on (default: this machine only)")
    parser.add_argument("--build", metavar="DIR", type=Path, help="write the static site into DIR and stop")
    return parser.parse_args()


def main() -> int:
    wanted = arguments()
    try:
        setup.for_serving()
        setup.go_inside(Path(__file__), sys.argv[1:])
        from workshop import server, site

        if wanted.build:
            site.export(wanted.build)
            report(f"The site is in {wanted.build}: any static host will do, under any path")
        else:
            server.serve(site.draft_or_built(), wanted.host, wanted.port, open_browser=not wanted.no_open)
    except StepFailed as failure:
        report_failure(failure)
        return 1
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
