"""What a message costs whose keys were chosen so that all have one hash, beside as many others: in Chromium's worker.

    python3 bench/colliding_keys.py

Every page has one hash seed (docs/sync-costs.md). Python's hash there is FNV with 32 bits: for any four bytes, four more can
be worked out after which nothing of the difference is left. So keys of twelve printable characters can be had by the
thousand in a second.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.browser import in_worker, site_and_browser
from tabletin.kernel.log import MOST_KEYS

COUNTS: Final = (MOST_KEYS // 2, MOST_KEYS, 2 * MOST_KEYS, 4 * MOST_KEYS)
IN_WORKER: Final = """
import json
from itertools import product
from time import perf_counter

from pyscript import sync

PRINTABLE = bytes(code for code in range(32, 127) if chr(code) not in '"\\\\')
MULTIPLIER, ALL = 1000003, 0xffffffff


def state(four):
    return four[0] * 128 * MULTIPLIER & ALL ^ int.from_bytes(four, "little")


def colliding(count):
    target = state(b"kaaa") * MULTIPLIER & ALL ^ int.from_bytes(b"bcde", "little")
    found = []
    for rest in product(PRINTABLE, repeat=3):
        four = bytes((ord("k"), *rest))
        next_four = (state(four) * MULTIPLIER & ALL ^ target).to_bytes(4, "little")
        if all(code in PRINTABLE for code in next_four):
            found.append((four + next_four + b"tail").decode())
            if len(found) == count:
                return found


def milliseconds(text):
    times = []
    for _ in range(3):
        begun = perf_counter()
        json.loads(text)
        times.append(1000 * (perf_counter() - begun))
    return min(times)


def told(asked):
    told = []
    for count in json.loads(asked):
        keys = colliding(count)
        others = [f"k{number:011}" for number in range(count)]
        times = [milliseconds(json.dumps(dict.fromkeys(one, 1))) for one in (others, keys)]
        told += [count, len(set(map(hash, keys))), *times]
    return told


sync.play = told
"""


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("| keys | other hashes, ms | one hash, ms |", "|---|---|---|", sep="\n")
    with site_and_browser() as (address, browser):
        told = in_worker(address, browser, IN_WORKER, str(list(COUNTS)))
        for count, hashes, others, colliding in zip(*(told[part::4] for part in range(4)), strict=True):
            note = f" {hashes} hashes: they do not collide" if hashes > 1 else ""
            print(f"| {count:,} | {others:.1f} | {colliding:.1f} |{note}")


if __name__ == "__main__":
    main()
