"""One message a line, in UTF-8: from the pieces of a stream into a connection."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol, TypeAlias, cast

from pydantic_core import from_json

from . import grace
from .limits import Limits

__all__ = ["Read", "Transported", "receiving"]

Read: TypeAlias = Callable[[], Awaitable[bytes]]
"""Reads the next piece of a stream; it is empty at the end."""

_AHEAD: Final = 1 << 20
"""How many bytes of lines may wait for the connection before no more is read."""
_log = logging.getLogger(__name__)


class Transported(Protocol):
    """A connection as a transport sees it."""

    @property
    def limits(self) -> Limits:
        """The bounds of what it takes."""
        ...

    @property
    def is_opening(self) -> bool:
        """Whether it is being opened: then `receive` may wait for a handler."""
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


@asynccontextmanager
async def receiving(
    connection: Transported, read: Read
) -> AsyncGenerator[tuple[asyncio.Task[None], asyncio.Task[None]]]:
    """Let a connection receive lines, and close it in the end.

    The tasks that it is given read, until the input ends, and hand over what was read.
    """
    lines = _Lines(connection)
    tasks = asyncio.create_task(lines.read_all(read)), asyncio.create_task(lines.hand_over())
    try:
        yield tasks
    finally:
        await connection.close()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


class _Lines:
    """Hands lines over to a connection, one at a time and in order, and reads on while the connection takes its time.

    So it is seen when the input ends, and an answer comes to a handler that asks the peer before it has answered
    `initialize` itself, as nothing else is taken before that.
    """

    def __init__(self, connection: Transported) -> None:
        self._connection = connection
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: there are no more
        self._size = 0
        self._has_room = asyncio.Event()
        self._is_taking = False

    async def read_all(self, read: Read) -> None:
        """Read lines until the input ends. Of one that is too long, no more than it takes to see that is kept."""
        try:
            line = bytearray()
            is_refused = False
            while chunk := await read():
                *ended, rest = chunk.split(b"\n")
                for part in ended:
                    if not is_refused:
                        await self._put(line + part)
                    line.clear()
                    is_refused = False
                if not is_refused:
                    line += rest
                    if len(line) > self._connection.limits.message_size:
                        await self._put(line)
                        line.clear()
                        is_refused = True
            await self._put(line)
        finally:
            self._end()

    async def hand_over(self) -> None:
        """Hand over line by line until there are no more; then nobody waits any longer for what does not come."""
        try:
            while (line := await self._waiting.get()) is not None:
                self._size -= len(line)
                self._has_room.set()
                self._is_taking = True
                await self._take(line)
                self._is_taking = False
        finally:
            self._connection.hang_up()

    async def _put(self, line: bytearray) -> None:
        if not line or line.isspace():
            return
        data = bytes(line)
        if self._is_held_up and _is_answer(data):
            await self._take(data)
            return
        self._waiting.put_nowait(data)
        self._size += len(data)
        while self._size > _AHEAD:
            self._has_room.clear()
            await self._has_room.wait()

    async def _take(self, line: bytes) -> None:
        try:
            await self._connection.receive(line)
        except Exception:
            _log.exception("a message was lost, as the connection failed to take it")

    def _end(self) -> None:
        self._waiting.put_nowait(None)
        if self._is_held_up:
            self._connection.hang_up()  # no answer waits, see `_put`
        else:
            asyncio.get_running_loop().call_later(grace.GRACE, self._connection.hang_up)

    @property
    def _is_held_up(self) -> bool:
        """Whether lines wait for the connection to be open."""
        return self._is_taking and self._connection.is_opening


def _is_answer(line: bytes) -> bool:
    """Whether a message is neither a request nor a notification."""
    try:
        message: object = from_json(line)
    except ValueError:
        return False
    return isinstance(message, dict) and "method" not in cast("dict[str, Any]", message)
