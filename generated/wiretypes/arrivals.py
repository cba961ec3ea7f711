"""What is dealt with in the order in which it came: notifications, and the answers to calls."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from .request_context import RequestContext, current_request

__all__ = ["Arrivals"]

_log = logging.getLogger(__name__)


class Arrivals:
    """Deals with one notification after the other, and with an answer after the notifications that came before it.

    The answer to a call that is made while a notification is handled, and for it, does not wait: the notification may
    be waiting for the answer.
    """

    def __init__(self) -> None:
        # What to do, and for a notification, with which params and as what.
        self._waiting: deque[tuple[Callable[..., Any], Any, RequestContext | None]] = deque()
        self._handled: RequestContext | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def notification(self, handle: Callable[[Any], Awaitable[None]], params: Any, context: RequestContext) -> None:
        """Have a notification handled after all that came before it."""
        self._waiting.append((handle, params, context))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def answer(self, deliver: Callable[[], None], made_for: RequestContext | None) -> None:
        """Deliver an answer after all notifications that came before it; `made_for` is what its call was made for."""
        if self._task is None or (made_for is not None and made_for is self._handled):
            deliver()
        else:
            self._waiting.append((deliver, None, None))

    async def drain(self) -> None:
        """Wait until everything has been dealt with; not for what this is called from."""
        while self._task is not None and self._task is not asyncio.current_task():
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Drop what waits and cancel what is being handled."""
        self._closed = True
        self._waiting.clear()
        task = self._task
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait([task])
            self._task = None  # a task that had not begun does not do it itself

    async def _run(self) -> None:
        waiting = self._waiting
        try:
            while waiting:
                act, params, context = waiting.popleft()
                if context is None:
                    act()
                    continue
                self._handled = context
                current_request.set(context)
                try:
                    await act(params)
                except asyncio.CancelledError:
                    if self._closed:
                        raise
                    _log.warning("the handler of %s was cancelled by itself", context.method)
                except Exception:
                    _log.exception("the handler of %s failed", context.method)
        finally:
            self._handled = None
            self._task = None
