"""Network namespaces for the tests of home-like networks: the command that opens a world of its own, without root.

Programs that are started by that command see no network but the one that they make themselves; all of it is gone when they end.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import Final

from workshop.console import StepFailed
from workshop.system import installed

NEEDED: Final = {"unshare": "util-linux", "nsenter": "util-linux", "ip": "iproute2", "nft": "nftables",
                 "ethtool": "ethtool", "turnserver": "coturn"}
"""The programs, and the packages of Debian that bring them."""
WORLD: Final = ("unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
                "--", "sh", "-c")
INSIDE: Final = "TABLETIN_WORLD"
"""The variable of the environment that is set there."""
OPEN: Final = f'mount -t tmpfs none /run && mkdir /run/netns && ip link set dev lo up && {INSIDE}=1 exec "$0" "$@"'
TRIAL: Final = "ip netns add trial && ip netns exec trial true && nft list ruleset"


def world() -> list[str]:
    """The words to put before a command that is to run in a world of its own.

    Raises ``StepFailed`` where the system has no namespaces for us.
    """
    if sys.platform != "linux":
        raise StepFailed("Networks of homes are made of network namespaces, which only Linux has.")
    lacking = {package for program, package in NEEDED.items() if shutil.which(program) is None}
    if lacking and not installed(*sorted(lacking)):
        raise StepFailed(f"Networks of homes need {', '.join(sorted(lacking))}. Install them, then run this again.")
    words = [*WORLD, OPEN]
    tried = subprocess.run([*words, "sh", "-c", TRIAL], capture_output=True, text=True, check=False)
    if tried.returncode:
        raise StepFailed("This kernel gives us no network namespaces (unshare --user --net), so no network of homes can be "
                         "made here. A container may forbid them; on Ubuntu see apparmor_restrict_unprivileged_userns.",
                         tried.stderr)
    return words
