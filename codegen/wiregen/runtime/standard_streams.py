"""Standard input and output, without blocking.

They may be pipes, files or terminals, which no event loop reads on every system: threads do. They are daemons, as a
read cannot be interrupted. Whoever shares a terminal with others may find it set to not block.
"""

import asyncio
import logging
import os
import queue
import select
import threading
from contextlib import suppress
from typing import Final

__all__ = ["Input", "Output"]

_CHUNK: Final = 1 << 16
_log = logging.getLogger(__name__)


class Input:
    """Reads a file descriptor, no more than one chunk ahead."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore()
        threading.Thread(target=self._run, daemon=True).start()

    async def read(self) -> bytes:
        """The next chunk; empty at the end."""
        chunk = await self._chunks.get()
        self._room.release()
        return chunk

    def _run(self) -> None:
        chunk = b"?"
        with suppress(RuntimeError):  # the loop has ended
            while chunk:
                self._room.acquire()
                chunk = self._read()
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)

    def _read(self) -> bytes:
        try:
            while True:
                try:
                    return os.read(self._descriptor, _CHUNK)
                except BlockingIOError:
                    select.select([self._descriptor], [], [])
        except (OSError, ValueError) as error:
            _log.warning("the input cannot be read any more: %s", error)
            return b""


class Output:
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
            error: Exception | None = None
            try:
                self._write(memoryview(line))
            except (OSError, ValueError) as problem:
                error = problem
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(_written, written, error)

    def _write(self, line: memoryview) -> None:
        while line:
            try:
                line = line[os.write(self._descriptor, line) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])


def _written(written: "asyncio.Future[None]", error: Exception | None) -> None:
    if written.done():
        return
    if error is None:
        written.set_result(None)
    else:
        written.set_exception(error)
