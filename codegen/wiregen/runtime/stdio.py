"""Connections over pipes: one message a line, in UTF-8."""

import asyncio
import os
import queue
import sys
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Protocol, TypeVar

from .limits import Limits
from .outbox import Send

__all__ = ["connect", "serve"]


class Transported(Protocol):
    """A connection as a transport sees it."""

    @property
    def limits(self) -> Limits:
        """The bounds of what it takes."""
        ...

    async def receive(self, data: bytes) -> None:
        """Take one message."""
        ...

    def hang_up(self) -> None:
        """Learn that nothing more will come."""
        ...

    async def drain(self) -> None:
        """Wait until all that runs has ended."""
        ...

    async def close(self) -> None:
        """Cancel what runs."""
        ...


C = TypeVar("C", bound=Transported)

_CHUNK: Final = 1 << 16
_GRACE: Final = 5.0
"""How many seconds what runs gets to end by itself."""


async def serve(connection: Callable[[Any, Send], Transported], handlers: Sequence[Any]) -> None:
    """Serve the peer at standard input and output until it closes its end; what runs then may end, for a few seconds.

    Standard output is for messages alone: `print` to standard error.

    Args:
        connection: makes the connection of its handlers, as the class `acp.AgentConnection` does.
        handlers: the handlers.
    """
    made = connection(handlers, _Output(sys.stdout.fileno()).send)
    try:
        await _receive_lines(made, _Input(sys.stdin.fileno()).read)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await made.drain()
    finally:
        await made.close()


@asynccontextmanager
async def connect(connection: Callable[[Any, Send], C], handlers: Sequence[Any], *command: str) -> AsyncGenerator[C]:
    """Start a program and connect to its standard input and output. Both end with the context.

    Args:
        connection: makes the connection of its handlers, as the class `acp.ClientConnection` does.
        handlers: the handlers.
        command: the program and its arguments.

    Raises:
        OSError: the program cannot be started.
    """
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None

    async def send(data: bytes) -> None:
        stdin.write(data + b"\n")
        await stdin.drain()

    made = connection(handlers, send)
    receiving = asyncio.create_task(_receive_lines(made, lambda: stdout.read(_CHUNK)))
    try:
        yield made
    finally:
        await made.close()
        stdin.close()
        await _end(process)
        await receiving


async def _end(process: asyncio.subprocess.Process) -> None:
    """See to it that a program ends whose input is closed."""
    for insist in (process.terminate, process.kill):
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
                return
        insist()
    await process.wait()


async def _receive_lines(connection: Transported, read: Callable[[], Awaitable[bytes]]) -> None:
    """Hand lines over until the input ends. Of one that is too long, no more than it takes to see that is kept."""
    line = bytearray()
    is_refused = False
    while chunk := await read():
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            if not is_refused:
                line += part
                await _receive(connection, line)
            line.clear()
            is_refused = False
        if not is_refused:
            line += rest
            if len(line) > connection.limits.message_size:
                await _receive(connection, line)
                line.clear()
                is_refused = True
    await _receive(connection, line)
    connection.hang_up()


async def _receive(connection: Transported, line: bytearray) -> None:
    if line and not line.isspace():
        await connection.receive(bytes(line))


# Standard streams may be pipes, files or terminals, which no event loop reads on every system: threads do. They are
# daemons, as a read cannot be interrupted.


class _Input:
    """Reads a file descriptor, no more than one chunk ahead."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue(1)
        threading.Thread(target=self._run, daemon=True).start()

    async def read(self) -> bytes:
        """The next chunk; empty at the end."""
        return await self._chunks.get()

    def _run(self) -> None:
        chunk = b"?"
        while chunk:
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except OSError:
                chunk = b""
            with suppress(RuntimeError, asyncio.CancelledError):  # the loop has ended
                asyncio.run_coroutine_threadsafe(self._chunks.put(chunk), self._loop).result()


class _Output:
    """Writes lines to a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    async def send(self, data: bytes) -> None:
        """Write a line; raises OSError if nobody reads."""
        written = self._loop.create_future()
        self._lines.put((data + b"\n", written))
        await written

    def _run(self) -> None:
        while True:
            line, written = self._lines.get()
            error: OSError | None = None
            try:
                while line:
                    line = line[os.write(self._descriptor, line) :]
            except OSError as problem:
                error = problem
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(_written, written, error)


def _written(written: "asyncio.Future[None]", error: OSError | None) -> None:
    if written.done():
        return
    if error is None:
        written.set_result(None)
    else:
        written.set_exception(error)
