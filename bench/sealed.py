"""What sealed dealing costs one peer under CPython: the table of ``docs/sealed.md``.

Processor time is measured, so a busy machine blurs it less.

    python3 bench/sealed.py [--quick]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.dealing_costs import DEALS, QUICK, run
from tabletin.peers.sealed.group_sodium import SodiumGroup


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the two smallest deals alone")
    print(run(SodiumGroup(), time.process_time, QUICK if parser.parse_args().quick else DEALS))


if __name__ == "__main__":
    main()
