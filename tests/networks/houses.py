"""Homes and the internet between them, on one machine: a namespace for each device, each router and the servers.

::

    device 192.168.1.10 ┐
    device 192.168.1.11 ┴ router 1 (NAT) 203.0.1.2 ─ internet ─ 203.0.2.2 router 2 (NAT) ─ device 192.168.2.10
                                                        └ servers 198.51.100.10

A router lets nothing in that nobody inside asked for. It needs a world where we are root (``workshop/namespaces.py``).
"""

from __future__ import annotations

import subprocess
from enum import StrEnum
from pathlib import Path
from typing import Final

SERVERS: Final = "198.51.100.10"
HANDLES: Final = Path("/run/netns")


class Nat(StrEnum):
    """How a router writes the ports of UDP anew, in nft's words. All filter by address and port, as home routers do."""

    PRESERVING = "masquerade"
    CHANGING = "masquerade to : jhash ip saddr . udp sport mod 20000 seed 0x7 offset 30000"  # one for all destinations
    SYMMETRIC = "masquerade fully-random"  # another one for each destination


def do(*words: str) -> None:
    """Run a program; it has to succeed."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert not done.returncode, f"{' '.join(words)}: {done.stderr}"


class Space:
    """A namespace, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name
        do("ip", "netns", "add", name)
        self.ip("link", "set", "dev", "lo", "up")

    def inside(self, *words: str) -> list[str]:
        """The command that runs ``words`` in here."""
        return ["nsenter", f"--net={HANDLES / self.name}", "--", *words]

    def do(self, *words: str) -> None:
        do(*self.inside(*words))

    def ip(self, *words: str) -> None:
        self.do("ip", *words)

    def set(self, name: str, value: str) -> None:
        self.do("sysctl", "-qw", f"{name}={value}")

    def rules(self, text: str) -> None:
        """Put these rules of nft in place of all others."""
        subprocess.run(self.inside("nft", "-f", "-"), input=f"flush ruleset\n{text}", text=True, check=True)


def cable(here: Space, end: str, there: Space, other_end: str) -> None:
    """A cable between two namespaces."""
    do("ip", "link", "add", "name", end, "netns", here.name, "type", "veth", "peer", "name", other_end, "netns", there.name)
    here.ip("link", "set", "dev", end, "up")
    there.ip("link", "set", "dev", other_end, "up")


class Internet:
    """What routers are plugged into; ``servers`` is the namespace of STUN, TURN and relays."""

    def __init__(self) -> None:
        self.space, self.servers = Space("internet"), Space("servers")
        self.space.set("net.ipv4.ip_forward", "1")
        cable(self.space, "servers", self.servers, "eth0")
        self.space.ip("addr", "add", "198.51.100.1/24", "dev", "servers")
        self.servers.ip("addr", "add", f"{SERVERS}/24", "dev", "eth0")
        self.servers.ip("route", "add", "default", "via", "198.51.100.1")
        self._houses: list[House] = []

    def house(self, nat: Nat) -> House:
        """One more house."""
        made = House(self, len(self._houses) + 1, nat)
        self._houses.append(made)
        return made

    def remove(self) -> None:
        """All namespaces, those of a house that could not be finished, too."""
        for handle in HANDLES.iterdir():
            do("ip", "netns", "del", handle.name)


class House:
    """A router and the devices behind it. ``lets_udp_out``: whether the router does; set with ``block_udp``."""

    def __init__(self, internet: Internet, number: int, nat: Nat) -> None:
        self.number, self.nat, self.lets_udp_out = number, nat, True
        self.router, self.devices = Space(f"router{number}"), list[Space]()
        self.router.set("net.ipv4.ip_forward", "1")
        cable(internet.space, f"house{number}", self.router, "wan")
        internet.space.ip("addr", "add", f"203.0.{number}.1/24", "dev", f"house{number}")
        self.router.ip("link", "add", "name", "lan", "type", "bridge", "mcast_snooping", "0")
        self.router.ip("link", "set", "dev", "lan", "up")
        self.router.ip("addr", "add", f"192.168.{number}.1/24", "dev", "lan")
        self.address = ""
        self.renew(f"203.0.{number}.2")

    def device(self) -> Space:
        """One more device."""
        at = len(self.devices)
        made = Space(f"device{self.number}{at}")
        self.devices.append(made)
        cable(self.router, f"port{at}", made, "eth0")
        self.router.ip("link", "set", "dev", f"port{at}", "master", "lan")
        made.ip("addr", "add", f"192.168.{self.number}.{10 + at}/24", "dev", "eth0")
        made.ip("route", "add", "default", "via", f"192.168.{self.number}.1")
        return made

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
                    oifname "wan" meta l4proto udp {self.nat};
                    oifname "wan" masquerade; }}
                chain through {{ type filter hook forward priority 0; policy drop;
                    {wall} ct state established,related accept; iifname "lan" accept; }}
                chain here {{ type filter hook input priority 0;
                    ct state established,related accept; iifname "wan" meta l4proto != icmp drop; }}
            }}""")
