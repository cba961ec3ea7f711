"""A program that is started, and ended with all that it starts."""

import asyncio
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, SubprocessStreamProtocol
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from .grace import in_time

__all__ = ["Program", "start"]

_CHUNK: Final = 1 << 16
_log = logging.getLogger(__name__)


class _Streams(SubprocessStreamProtocol):
    """The streams of a program, and whether it has exited: others may hold its streams open for longer."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=_CHUNK, loop=loop)
        self.has_exited = asyncio.Event()

    def process_exited(self) -> None:
        super().process_exited()
        self.has_exited.set()


async def start(command: Sequence[str]) -> "Program":
    """Start a program in a session of its own, so that it can be ended with all that it starts."""
    loop = asyncio.get_running_loop()
    transport, streams = await loop.subprocess_exec(
        lambda: _Streams(loop), *command, stdin=PIPE, stdout=PIPE, stderr=None, start_new_session=True
    )
    return Program(transport, streams)


class Program:
    """A program that runs."""

    def __init__(self, transport: asyncio.SubprocessTransport, streams: _Streams) -> None:
        assert streams.stdin is not None
        assert streams.stdout is not None
        self._transport = transport
        self._stdin, self._stdout = streams.stdin, streams.stdout
        self._has_exited = streams.has_exited

    async def send(self, data: bytes) -> None:
        """Write a line to its input; raises OSError if it does not read any more."""
        self._stdin.write(data + b"\n")
        await self._stdin.drain()

    async def read(self) -> bytes:
        """A piece of what it writes; empty at the end."""
        try:
            return await self._stdout.read(_CHUNK)
        except OSError as error:
            _log.warning("the output of the program cannot be read any more: %s", error)
            return b""

    async def end(self) -> None:
        """Close its input and see to it that it ends, and what it has started that holds its output open."""
        self._stdin.close()
        has_ended = False
        try:
            has_ended = await self._ends() or (self._signal("SIGTERM") and await self._ends())
        finally:
            if not has_ended:
                self._signal("SIGKILL")
            if self._stdin.transport.get_write_buffer_size():
                self._stdin.transport.abort()
            if not await in_time(self._has_exited.wait()):
                _log.warning("process %s cannot be ended", self._transport.get_pid())
            with suppress(PermissionError):
                self._transport.close()

    async def _ends(self) -> bool:
        """Whether it ends in time."""
        return await in_time(self._end_of_all())

    async def _end_of_all(self) -> None:
        while await self.read():
            pass  # nobody is to wait until what it writes is read
        await self._has_exited.wait()

    def _signal(self, name: str) -> bool:
        """Send a signal to the program and what it has started; returns whether anything is left."""
        try:
            if sys.platform == "win32":
                self._transport.kill()
            else:
                os.killpg(self._transport.get_pid(), signal.Signals[name])
        except (ProcessLookupError, PermissionError):
            return False
        return True
