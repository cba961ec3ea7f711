"""What is dealt with in the order in which it came: notifications, and the answers to calls."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from .request_context import RequestContext, current_notification, current_request
from .tasks import FATAL, Tasks

__all__ = ["Arrivals"]

_log = logging.getLogger(__name__)


class Arrivals:
    """Deals with one notification after the other, and with an answer after the notifications that came before it.

    The answer to a call that the handler of a notification makes does not wait for that notification to be dealt with:
    the handler waits for the answer.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        # What to do, and for a notification, with which params and as what.
        self._waiting: deque[tuple[Callable[..., Any], Any, RequestContext | None]] = deque()
        self._handled: RequestContext | None = None
        self._is_running = False
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False

    def notification(self, handle: Callable[[Any], Awaitable[None]], context: RequestContext) -> None:
        """Have a notification handled after all that came before it."""
        self._waiting.append((handle, context.params, context))
        if not self._is_running:
            # Said first: an eager task may be done when it has been made.
            self._is_running = True
            self._task = self._tasks.start(self._run(), "notifications")

    def answer(self, deliver: Callable[[Any], None], value: Any, made_for: RequestContext | None) -> None:
        """Deliver an answer after all notifications that came before it; `made_for` is what its call was made for."""
        if not self._is_running or (made_for is not None and made_for is self._handled):
            deliver(value)
        else:
            self._waiting.append((deliver, value, None))

    def handles(self, context: RequestContext) -> bool:
        """Whether it is this notification that is being handled."""
        return context is self._handled

    def running(self, left_out: Collection[int] = ()) -> list["asyncio.Task[None]"]:
        """The task that deals with them, unless there is nothing to do, or this is called from it.

        Args:
            left_out: the `id` of the contexts that do not count: it does not either while it handles one of them.
        """
        task = self._task
        if not self._is_running or task is None or task is asyncio.current_task() or id(self._handled) in left_out:
            return []
        return [task]

    def stop(self) -> list["asyncio.Task[None]"]:
        """Cancel the notification that is handled, drop those that wait, and deliver the answers that are there.

        Returns the tasks that end now.
        """
        self._is_stopped = True
        waiting, self._waiting = list(self._waiting), deque()
        for deliver, value, context in waiting:
            if context is None:
                deliver(value)
        tasks = self.running()
        for task in tasks:
            task.cancel()
        return tasks

    async def _run(self) -> None:
        self._task = asyncio.current_task()
        while self._waiting:
            act, value, context = self._waiting.popleft()
            if context is None:
                act(value)
                continue
            self._handled = context
            current_request.set(context)
            current_notification.set(context)
            try:
                await act(value)
            except asyncio.CancelledError:
                if self._is_stopped:
                    raise
                _log.warning("the handler of %r was cancelled, not by this connection", context.method)
            except FATAL:
                raise
            except BaseException:
                _log.exception("the handler of %r failed", context.method)
            self._handled = None
        self._is_running = False
