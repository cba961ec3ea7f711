"""What waits to be sent, and how answers get there: one by one, or together."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from .rpc_errors import ConnectionClosed
from .tasks import FATAL, Tasks

__all__ = ["Batch", "Outbox", "Send"]

Send: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Sends one message, given without a line end."""

_OnTurn: TypeAlias = Callable[[], object] | None
_Sent: TypeAlias = "asyncio.Future[None] | None"


class Outbox:
    """Hands messages to `send`, one at a time and in order, by a task of its own.

    So whoever gives up waiting leaves no half message behind. The task runs while there is something to send: an idle
    connection has none.
    """

    def __init__(self, send: Send, on_failure: Callable[[ConnectionClosed], None], tasks: Tasks) -> None:
        self._send = send
        self._on_failure = on_failure
        self._tasks = tasks
        self._waiting: deque[tuple[bytes, _OnTurn, _Sent]] = deque()
        self._is_running = False
        self._task: asyncio.Task[None] | None = None
        self._closed: ConnectionClosed | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def is_idle(self) -> bool:
        """Whether everything has been sent."""
        return not self._is_running or self._task is asyncio.current_task()

    def put(self, data: bytes, on_turn: _OnTurn = None, sent: _Sent = None) -> None:
        """Send a message after those that wait already; what is put after closing is dropped.

        Args:
            data: the message; nothing is sent if it is empty.
            on_turn: called right before it is sent.
            sent: gets a result when it has been sent, an exception when it will not be.
        """
        if self._closed is not None:
            _fail(sent, self._closed)
            return
        self._waiting.append((data, on_turn, sent))
        if not self._is_running:
            # Said first: an eager task may be done when it has been made.
            self._is_running = True
            self._task = self._tasks.start(self._run(), "outbox")

    async def send(self, data: bytes) -> None:
        """Send a message and wait until it has been sent; raises `ConnectionClosed` if it will not be."""
        sent = asyncio.get_running_loop().create_future()
        self.put(data, None, sent)
        await sent

    async def flush(self) -> None:
        """Wait until all that waits now has been sent, or will not be."""
        if not self.is_idle:
            try:
                await self.send(b"")
            except ConnectionClosed:
                return

    def expect(self) -> None:
        """Nothing: an answer that is sent by itself need not be waited for."""

    def answer(self, data: bytes | None, on_turn: _OnTurn = None) -> None:
        """Send an answer; None for a request that is not answered."""
        self.put(data or b"", on_turn)

    def stop(self, error: ConnectionClosed) -> list["asyncio.Task[None]"]:
        """Send nothing more; whoever waits gets the error. Returns the tasks that end now."""
        self._closed = self._closed or error
        while self._waiting:
            _fail(self._waiting.popleft()[2], error)
        task = self._task
        if task is None or self.is_idle:
            return []
        task.cancel()
        return [task]

    async def _run(self) -> None:
        self._task = asyncio.current_task()
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
            self._is_running = False
        except FATAL:
            raise
        except BaseException as error:
            failure = self._closed
            if failure is None:
                failure = ConnectionClosed("a message could not be sent")
                failure.__cause__ = error
                self._on_failure(failure)
            _fail(sent, failure)


class Batch:
    """Collects the answers to the requests of a batch, and sends them together when the last is there."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._answers: list[bytes] = []
        self._on_turn: list[Callable[[], object]] = []
        self._expected = 0

    def expect(self) -> None:
        """Wait for one answer more."""
        self._expected += 1

    def answer(self, data: bytes | None, on_turn: _OnTurn = None) -> None:
        """Take one answer that was expected; None for a request that is not answered."""
        self._expected -= 1
        if data is not None:
            self._answers.append(data)
        if on_turn is not None:
            self._on_turn.append(on_turn)
        if not self._expected:
            self._outbox.put(b"[" + b",".join(self._answers) + b"]" if self._answers else b"", self._turn)

    def _turn(self) -> None:
        for on_turn in self._on_turn:
            on_turn()


def _fail(sent: _Sent, error: ConnectionClosed) -> None:
    if sent is not None and not sent.done():
        sent.set_exception(error)
