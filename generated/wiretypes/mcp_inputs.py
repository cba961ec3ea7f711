"""The handlers that answer what a result asks for, in versions of MCP in which a server sends no requests."""

import asyncio
from typing import Any

from .request_context import RequestContext, current_request
from .rpc_errors import ConnectionClosed
from .session import Handle

__all__ = ["InputAnswers"]


class InputAnswers:
    """Runs the handlers each by a task of its own, so that the end of the connection ends them and their calls."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._closed: ConnectionClosed | None = None

    async def answer(self, handle: Handle, context: RequestContext) -> Any:
        """What a handler returns; it is cancelled with the task that waits here.

        Raises:
            ConnectionClosed: the connection is closed, or was before the handler had ended.
        """
        self._check()
        task = asyncio.get_running_loop().create_task(self._handled(handle, context))
        self._running.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            waiting = asyncio.current_task()
            if waiting is None or not waiting.cancelling():
                self._check()
            raise
        finally:
            self._running.discard(task)

    def stop(self, error: ConnectionClosed) -> list[asyncio.Task[Any]]:
        """Cancel all that run, and run no more: whoever waits gets the error. Returns the tasks that end now."""
        self._closed = self._closed or error
        current = asyncio.current_task()
        tasks = [task for task in self._running if task is not current and not task.done()]
        for task in tasks:
            task.cancel()
        return tasks

    def _check(self) -> None:
        if self._closed is not None:
            raise ConnectionClosed(*self._closed.args) from self._closed.__cause__

    async def _handled(self, handle: Handle, context: RequestContext) -> Any:
        if (task := asyncio.current_task()) is not None:
            self._running.add(task)  # an eager one is not there yet
        current_request.set(context)
        return await handle(context.params)
