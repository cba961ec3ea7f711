"""What waits to be sent: one message at a time, in order, and each whole."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from .rpc_errors import ConnectionClosed

__all__ = ["Outbox", "Send"]

Send: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Sends one message, given without a line end."""

_Sent: TypeAlias = "asyncio.Future[None] | None"


class Outbox:
    """Hands messages to `send`, by a task of its own: whoever gives up waiting leaves no half message behind.

    The task runs while there is something to send, so that an idle connection has none.
    """

    def __init__(self, send: Send, on_failure: Callable[[Exception], None]) -> None:
        self._send = send
        self._on_failure = on_failure
        self._waiting: deque[tuple[bytes, Callable[[], None] | None, _Sent]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed: ConnectionClosed | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, data: bytes, on_turn: Callable[[], None] | None = None, sent: _Sent = None) -> None:
        """Send a message after those that wait already; what is put after closing is dropped.

        Args:
            data: the message; nothing is sent if it is empty.
            on_turn: called right before it is sent.
            sent: gets a result when it has been sent, an exception when it will not be.
        """
        if self._closed is not None:
            if sent is not None:
                sent.set_exception(self._closed)
            return
        self._waiting.append((data, on_turn, sent))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def send(self, data: bytes) -> None:
        """Send a message and wait until it has been sent; raises `ConnectionClosed` if it will not be."""
        sent = asyncio.get_running_loop().create_future()
        self.put(data, None, sent)
        await sent

    async def flush(self) -> None:
        """Wait until everything has been sent that waits now, or until the connection is closed."""
        if self._task is not None and self._task is not asyncio.current_task():
            try:
                await self.send(b"")
            except ConnectionClosed:
                return

    async def close(self, error: ConnectionClosed) -> None:
        """Send nothing more; whoever waits gets the error."""
        self.stop(error)
        task = self._task
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait([task])
            self._task = None  # a task that had not begun does not do it itself

    def stop(self, error: ConnectionClosed) -> None:
        """Drop what waits and what will be put; a message that is being sent is not interrupted."""
        self._closed = self._closed or error
        while self._waiting:
            _fail(self._waiting.popleft()[2], error)

    async def _run(self) -> None:
        sent: _Sent = None
        try:
            while self._waiting:
                data, on_turn, sent = self._waiting.popleft()
                if on_turn is not None:
                    on_turn()
                if data:
                    await self._send(data)
                if sent is not None and not sent.done():
                    sent.set_result(None)
        except Exception as error:
            failure = ConnectionClosed("the message could not be sent")
            failure.__cause__ = error
            _fail(sent, failure)
            self.stop(failure)
            self._on_failure(error)
        except asyncio.CancelledError:
            _fail(sent, self._closed or ConnectionClosed("sending was cancelled"))
            raise
        finally:
            self._task = None


def _fail(sent: _Sent, error: ConnectionClosed) -> None:
    if sent is not None and not sent.done():
        sent.set_exception(error)
