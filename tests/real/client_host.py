"""A second host on this machine for the time of a `with`: a network namespace that reaches this one
by a cable of its own, so that what a client in it sends and receives can be counted.

    with ClientHost() as host:
        host.server_address   of this side of the cable: what servers are to listen on
        host.words("ls")      the words that run a command over there
        host.moved()          bytes (to the client, from the client) so far, counted on this side

It needs root and iproute2. It is no test by itself.
"""
import os
import pathlib

import sys
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Failed, Skipped, command, need  # noqa: E402


class ClientHost:
    def __enter__(self):
        need("ip")
        if os.geteuid() != 0:
            raise Skipped("a network namespace needs root")
        number = os.getpid() % 16384
        self.name = f"loadline-{os.getpid()}"
        self.near, self.far = f"ll{number}n", f"ll{number}f"
        net = f"10.{77 + number // 4096}.{number // 64 % 64}"
        base = number % 64 * 4
        self.server_address = f"{net}.{base + 1}"
        try:
            command("ip", "netns", "add", self.name)
        except Failed as why:
            raise Skipped(f"no network namespace can be made here: {why}") from why
        try:
            command("ip", "link", "add", self.near, "type", "veth", "peer", "name", self.far,
                    "netns", self.name)
            command("ip", "address", "add", f"{self.server_address}/30", "dev", self.near)
            command("ip", "link", "set", self.near, "up", "mtu", "9000")
            there = ("ip", "-n", self.name)
            command(*there, "address", "add", f"{net}.{base + 2}/30", "dev", self.far)
            command(*there, "link", "set", self.far, "up", "mtu", "9000")
            command(*there, "link", "set", "lo", "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # The cable goes with its far end.
        command("ip", "netns", "delete", self.name, check=False)

    def words(self, *words) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.name, *map(str, words))

    def moved(self) -> tuple[int, int]:
        folder = pathlib.Path("/sys/class/net") / self.near / "statistics"
        return tuple(int((folder / f"{way}_bytes").read_text()) for way in ("tx", "rx"))
