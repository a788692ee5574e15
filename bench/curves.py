"""What a multiplication costs: our arithmetic beside libsodium, ``@noble/curves`` and ``ristretto255``, in Node, in one run.

    python3 bench/curves.py

In our environment. Sums of 1 to 700 multiples of points, each by its own scalar; microseconds of processor time a term, the
median of seven turns, decoding and encoding included. The libraries are installed from the lock file in ``bench/npm``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.packages import installed
from workshop.setup import node

SCRIPT: Final = Path(__file__).with_suffix(".mjs")


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("| terms | by | µs a term |\n|---|---|---|", flush=True)
    return subprocess.run([node(), SCRIPT, installed()], check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
