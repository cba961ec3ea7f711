"""The requests of the peer that wait for their answers."""

import asyncio

from .jsonrpc import RequestId

__all__ = ["ServedRequest", "ServedRequests"]


class ServedRequest:
    """A request that is being served."""

    __slots__ = ("id", "is_cancelled", "is_running", "task")

    def __init__(self, id_: RequestId) -> None:
        self.id = id_
        self.is_cancelled = False
        self.is_running = False
        self.task: asyncio.Task[None] | None = None

    def cancel(self) -> None:
        """Cancel it for the peer, once; a task that has not begun sees that when it begins."""
        if not self.is_cancelled:
            self.is_cancelled = True
            if self.is_running and self.task is not None:
                self.task.cancel()


class ServedRequests(dict[RequestId, ServedRequest]):
    """All that are served, by id, each by a task of its own. An id is in use until its answer is about to be sent."""

    def cancel(self, id_: RequestId) -> None:
        """Cancel the request with an id for the peer, if it is being served."""
        served = self.get(id_)
        if served is not None:
            served.cancel()

    def release(self, id_: RequestId) -> None:
        """Let the peer use an id again."""
        self.pop(id_, None)

    def running(self) -> list[asyncio.Task[None]]:
        """The tasks that have not ended, but for the one that this is called from."""
        current = asyncio.current_task()
        tasks = (served.task for served in self.values())
        return [task for task in tasks if task is not None and task is not current and not task.done()]

    def stop(self) -> list[asyncio.Task[None]]:
        """Cancel all that run, and release every id; returns the tasks that end now."""
        tasks = self.running()
        for task in tasks:
            task.cancel()
        self.clear()
        return tasks
