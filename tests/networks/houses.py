"""Homes and the internet between them, on one machine: a namespace for each device, each router and the servers.

::

    device 192.168.1.10 ┐
    device 192.168.1.11 ┴ router 1 (NAT) 203.0.1.2 ─ internet ─ 203.0.2.2 router 2 (NAT) ─ device 192.168.2.10
                                                        └ servers 198.51.100.10, 2001:db8:100::10

A router lets nothing in that nobody inside asked for. Where a house is asked for with a slow line, a program stands between its
router and the internet (``program.py``). It needs a world where we are root (``workshop/namespaces.py``).
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

SERVERS: Final = "198.51.100.10"
SERVERS_6: Final = "2001:db8:100::10"
HANDLES: Final = Path("/run/netns")


class Nat(StrEnum):
    """How a router writes the ports of UDP anew, in nft's words. All filter by address and port, as home routers do."""

    PRESERVING = "masquerade"
    CHANGING = "masquerade to : jhash ip saddr . udp sport mod 65536 seed 0x7 | 0x80"  # one for all destinations
    SYMMETRIC = "masquerade fully-random"  # another one for each destination


OTHER_PORTS: Final = "masquerade to : jhash ip saddr . udp sport mod 65536 seed 0x9 | 0x80"
"""How a router writes them after it has forgotten how it did before.

nft takes the two bytes of a hash for a port the other way round, so the bit makes ports of 32768 and more. Home routers take none
below 1024, and browsers call none there.
"""


def do(*words: str) -> None:
    """Run a program; it has to succeed."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert not done.returncode, f"{' '.join(words)}: {done.stderr}"


def within(namespace: str, *words: str) -> list[str]:
    """The command that runs ``words`` in a namespace."""
    return ["nsenter", f"--net={HANDLES / namespace}", "--", *words]


class Space:
    """A namespace, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name
        do("ip", "netns", "add", name)
        self.ip("link", "set", "dev", "lo", "up")

    def inside(self, *words: str) -> list[str]:
        """The command that runs ``words`` in here."""
        return within(self.name, *words)

    def do(self, *words: str) -> None:
        do(*self.inside(*words))

    def ip(self, *words: str) -> None:
        self.do("ip", *words)

    def set(self, name: str, value: str) -> None:
        self.do("sysctl", "-qw", f"{name}={value}")

    def tell_browser(self, sign: signal.Signals) -> None:
        """Send a signal to the browser in here, all its processes."""
        found = subprocess.run(("ip", "netns", "pids", self.name), capture_output=True, text=True, check=True)
        for process in map(int, found.stdout.split()):
            with suppress(ProcessLookupError, FileNotFoundError):
                if (Path("/proc") / str(process) / "exe").readlink().name.startswith(("chrom", "firefox")):
                    os.kill(process, sign)

    def rules(self, text: str) -> None:
        """Put these rules of nft in place of all others."""
        subprocess.run(self.inside("nft", "-f", "-"), input=f"flush ruleset\n{text}", text=True, check=True)


def cable(here: Space, end: str, there: Space, other_end: str) -> None:
    """A cable between two namespaces. Packets on it are whole: none is left for a network card to split or to sum up."""
    do("ip", "link", "add", "name", end, "netns", here.name, "type", "veth", "peer", "name", other_end, "netns", there.name)
    for space, name in ((here, end), (there, other_end)):
        space.do("ethtool", "-K", name, *(word for what in ("tx", "gso", "tso", "gro") for word in (what, "off")))
        space.ip("link", "set", "dev", name, "up")


class Internet:
    """What routers are plugged into; ``servers`` is the namespace of STUN, TURN and relays."""

    def __init__(self) -> None:
        self.space, self.servers = Space("internet"), Space("servers")
        cable(self.space, "servers", self.servers, "eth0")
        forward(self.space)
        self.space.ip("addr", "add", "198.51.100.1/24", "dev", "servers")
        self.servers.ip("addr", "add", f"{SERVERS}/24", "dev", "eth0")
        self.servers.ip("route", "add", "default", "via", "198.51.100.1")
        self.space.ip("addr", "add", "2001:db8:100::1/64", "dev", "servers", "nodad")
        self.servers.ip("addr", "add", f"{SERVERS_6}/64", "dev", "eth0", "nodad")
        self.servers.ip("route", "add", "default", "via", "2001:db8:100::1")
        self._houses: list[House | House6] = []

    def house(self, nat: Nat, *, slow: bool = False) -> House:
        """One more house; ``slow``: its line is what a program makes of it, and carries nothing before that runs."""
        made = House(self, len(self._houses) + 1, nat, slow=slow)
        self._houses.append(made)
        return made

    def house_6(self) -> House6:
        """One more house, with IPv6 alone."""
        made = House6(self, len(self._houses) + 1)
        self._houses.append(made)
        return made

    def remove(self) -> None:
        """All namespaces, those of a house that could not be finished, too."""
        for handle in HANDLES.iterdir():
            do("ip", "netns", "del", handle.name)


def forward(space: Space) -> None:
    """Make it a router."""
    space.set("net.ipv4.ip_forward", "1")
    space.set("net.ipv6.conf.all.forwarding", "1")


def home_network(number: int) -> Space:
    """A router and its own network, to which ``plug_in`` brings devices."""
    router = Space(f"router{number}")
    forward(router)
    router.ip("link", "add", "name", "lan", "type", "bridge", "mcast_snooping", "0")
    router.ip("link", "set", "dev", "lan", "up")
    return router


def plug_in(router: Space, name: str, port: str) -> Space:
    """A new device at a port of the router."""
    made = Space(name)
    cable(router, port, made, "eth0")
    router.ip("link", "set", "dev", port, "master", "lan")
    return made


class House:
    """A router and the devices behind it. ``lets_udp_out``: whether the router does; set with ``block_udp``.

    ``line``: where the program of a slow line runs, between the interfaces "street" and "home"; None for any other line.
    """

    def __init__(self, internet: Internet, number: int, nat: Nat, *, slow: bool = False) -> None:
        self.number, self.nat, self.lets_udp_out = number, nat, True
        self.router, self.devices = home_network(number), list[Space]()
        self.line: Space | None = None
        if slow:
            self.line = Space(f"line{number}")
            cable(internet.space, f"house{number}", self.line, "street")
            cable(self.line, "home", self.router, "wan")
        else:
            cable(internet.space, f"house{number}", self.router, "wan")
        internet.space.ip("addr", "add", f"203.0.{number}.1/24", "dev", f"house{number}")
        self.router.ip("addr", "add", f"192.168.{number}.1/24", "dev", "lan")
        self._writing: str = nat
        self.address = ""
        self.renew(f"203.0.{number}.2")

    def device(self, *, routed: bool = True) -> Space:
        """One more device; ``routed``: it knows the way out of the house."""
        at = len(self.devices)
        made = plug_in(self.router, f"device{self.number}{at}", f"port{at}")
        self.devices.append(made)
        made.ip("addr", "add", f"192.168.{self.number}.{10 + at}/24", "dev", "eth0")
        if routed:
            made.ip("route", "add", "default", "via", f"192.168.{self.number}.1")
        return made

    def forget(self) -> None:
        """The router forgets by which ports it let whom out, and takes others from now on."""
        self._writing = OTHER_PORTS
        self.renew(self.address)

    def renew(self, address: str) -> None:
        """The router gets this address from its provider, and forgets all ways that went by the one before."""
        if self.address:
            self.router.ip("addr", "del", f"{self.address}/24", "dev", "wan")
        self.address = address
        self.router.ip("addr", "add", f"{address}/24", "dev", "wan")
        self.router.ip("route", "replace", "default", "via", f"203.0.{self.number}.1")
        self._govern()

    def block_udp(self) -> None:
        """No UDP leaves the house any more, as in some offices."""
        self.lets_udp_out = False
        self._govern()

    def _govern(self) -> None:
        wall = "" if self.lets_udp_out else 'oifname "wan" meta l4proto udp drop;'
        self.router.rules(f"""
            table ip home {{
                chain out {{ type nat hook postrouting priority 100;
                    oifname "wan" meta l4proto udp {self._writing};
                    oifname "wan" masquerade; }}
                chain through {{ type filter hook forward priority 0; policy drop;
                    {wall} ct state established,related accept; iifname "lan" accept; }}
                chain here {{ type filter hook input priority 0;
                    ct state established,related accept; iifname "wan" meta l4proto != icmp drop; }}
            }}""")


class House6:
    """A router and the devices behind it, with IPv6 alone: every address is good everywhere, and the router lets nobody in."""

    def __init__(self, internet: Internet, number: int) -> None:
        self.number = number
        self.router, self.devices = home_network(number), list[Space]()
        cable(internet.space, f"house{number}", self.router, "wan")
        internet.space.ip("addr", "add", f"2001:db8:f{number}::1/64", "dev", f"house{number}", "nodad")
        self.router.ip("addr", "add", f"2001:db8:f{number}::2/64", "dev", "wan", "nodad")
        self.router.ip("addr", "add", f"2001:db8:{number}::1/64", "dev", "lan", "nodad")
        self.router.ip("route", "add", "default", "via", f"2001:db8:f{number}::1")
        internet.space.ip("route", "add", f"2001:db8:{number}::/64", "via", f"2001:db8:f{number}::2")
        self.router.rules("""
            table ip6 home {
                chain through { type filter hook forward priority 0; policy drop;
                    ct state established,related accept; meta l4proto ipv6-icmp accept; iifname "lan" accept; }
            }""")

    def device(self) -> Space:
        """One more device."""
        at = len(self.devices)
        made = plug_in(self.router, f"device{self.number}{at}", f"port{at}")
        self.devices.append(made)
        made.ip("addr", "add", f"2001:db8:{self.number}::{10 + at}/64", "dev", "eth0", "nodad")
        made.ip("route", "add", "default", "via", f"2001:db8:{self.number}::1")
        return made
