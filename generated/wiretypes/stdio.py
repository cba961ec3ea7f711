"""Connections over pipes: one message a line, in UTF-8."""

import asyncio
import logging
import os
import queue
import select
import signal
import sys
import threading
from asyncio.subprocess import PIPE, SubprocessStreamProtocol
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Protocol, TypeAlias, TypeVar, cast

from pydantic_core import from_json

from .limits import Limits
from .outbox import Send

__all__ = ["connect", "serve"]


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


C = TypeVar("C", bound=Transported)
_Read: TypeAlias = Callable[[], Awaitable[bytes]]

_CHUNK: Final = 1 << 16
_AHEAD: Final = 1 << 20
"""How many bytes of lines may wait for the connection before no more is read."""
_GRACE: Final = 5.0
"""How many seconds what runs gets to end by itself."""
_log = logging.getLogger(__name__)


async def serve(connection: Callable[[Any, Send], Transported], handlers: Sequence[Any]) -> None:
    """Serve the peer at standard input and output until it closes its end; what runs then may end, for a few seconds.

    Standard output is for messages alone: `print` to standard error.

    Args:
        connection: makes the connection of its handlers, as the class `acp.AgentConnection` does.
        handlers: the handlers.
    """
    made = connection(handlers, _Output(sys.stdout.fileno()).send)
    async with _receiving(made, _Input(sys.stdin.fileno()).read) as (reading, handing_over):
        await reading
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await handing_over
                await made.drain()


@asynccontextmanager
async def connect(connection: Callable[[Any, Send], C], handlers: Sequence[Any], *command: str) -> AsyncGenerator[C]:
    """Start a program and connect to its standard input and output. Both end with the context.

    Once its input is closed, the program has a few seconds to end by itself, and so has what it has started that holds
    its output open. Then both are ended; on Windows the program alone.

    Args:
        connection: makes the connection of its handlers, as the class `acp.ClientConnection` does.
        handlers: the handlers.
        command: the program and its arguments.

    Raises:
        OSError: the program cannot be started.
        ValueError: the handlers are refused.
    """
    program = await _start(command)
    try:
        made = connection(handlers, program.send)
        async with _receiving(made, program.read):
            yield made
    finally:
        await program.end()


# --- lines -----------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _receiving(
    connection: Transported, read: _Read
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

    async def read_all(self, read: _Read) -> None:
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
            asyncio.get_running_loop().call_later(_GRACE, self._connection.hang_up)

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


# --- a program that is started ---------------------------------------------------------------------------------------


class _Streams(SubprocessStreamProtocol):
    """The streams of a program, and whether it has exited: others may hold its streams open for longer."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=_CHUNK, loop=loop)
        self.has_exited = asyncio.Event()

    def process_exited(self) -> None:
        super().process_exited()
        self.has_exited.set()


async def _start(command: Sequence[str]) -> "_Program":
    """Start a program in a session of its own, so that it can be ended with all that it starts."""
    loop = asyncio.get_running_loop()
    transport, streams = await loop.subprocess_exec(
        lambda: _Streams(loop), *command, stdin=PIPE, stdout=PIPE, stderr=None, start_new_session=True
    )
    return _Program(transport, streams)


class _Program:
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
            if not await _in_time(self._has_exited.wait()):
                _log.warning("process %s cannot be ended", self._transport.get_pid())
            with suppress(PermissionError):
                self._transport.close()

    async def _ends(self) -> bool:
        """Whether it ends in time."""
        return await _in_time(self._end_of_all())

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


async def _in_time(awaited: Awaitable[object]) -> bool:
    """Whether something happens within the few seconds that there are for it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_GRACE):
            await awaited
            return True
    return False


# --- standard streams ------------------------------------------------------------------------------------------------
#
# They may be pipes, files or terminals, which no event loop reads on every system: threads do. They are daemons, as a
# read cannot be interrupted. Whoever shares a terminal with others may find it set to not block.


class _Input:
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
