"""Firefox in a namespace. Its driver speaks to it by a socket and not by pipes, so a bridge leads from namespace to namespace.

``python -m tests.networks.driven NAMESPACE FIREFOX WORD…`` is what the driver takes for Firefox: it starts Firefox in the
namespace, and by the time it says at which port Firefox listens, that port is open out here, too. ``python -m
tests.networks.driven PATH PORT`` is the bridge's other end: it lets whoever comes by the socket at ``PATH`` to the port.
"""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.networks.houses import within

LISTENS = re.compile(rb"listening on ws://127\.0\.0\.1:(\d+)")
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """All that comes from one end, to the other, until either is closed."""
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()


def across(connect: Callable[[], Awaitable[Ends]]) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    """What a server does with whoever comes: it leads them on to what ``connect`` reaches."""
    async def lead_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other_reader, other_writer = await connect()
        await asyncio.gather(carry(reader, other_writer), carry(other_reader, writer))

    return lead_on


async def other_end(path: str, port: int) -> None:
    """The end inside the namespace. It says when it is there."""
    await asyncio.start_unix_server(across(lambda: asyncio.open_connection("127.0.0.1", port)), path)
    print("ready", flush=True)
    await asyncio.Event().wait()


async def firefox(namespace: str, words: list[str], folder: Path) -> int:
    """Firefox in the namespace, until it ends; its exit code."""
    path = str(folder / "bridge")
    running = await asyncio.create_subprocess_exec(*within(namespace, *words), stderr=PIPE)
    end: asyncio.subprocess.Process | None = None
    assert running.stderr is not None
    async for line in running.stderr:
        if found := LISTENS.search(line):
            port = int(found[1])
            end = await asyncio.create_subprocess_exec(
                *within(namespace, sys.executable, "-m", "tests.networks.driven", path, str(port)), stdout=PIPE)
            assert end.stdout is not None
            await end.stdout.readline()
            await asyncio.start_server(across(lambda: asyncio.open_unix_connection(path)), "127.0.0.1", port)
        sys.stderr.buffer.write(line)
        sys.stderr.flush()
    if end is not None:
        end.kill()
    return await running.wait()


def main(where: str, *words: str) -> int:
    if len(words) == 1:
        asyncio.run(other_end(where, int(words[0])))
        return 0
    with TemporaryDirectory() as folder:
        return asyncio.run(firefox(where, list(words), Path(folder)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
