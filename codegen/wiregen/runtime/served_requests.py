"""The requests of the peer: each is handled and answered by a task of its own."""

import asyncio
import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from .codec import encode
from .jsonrpc import INTERNAL_ERROR, REQUEST_CANCELLED, RequestId, Result
from .outbox import Batch, Outbox
from .request_context import RequestContext, current_notification, current_request
from .rpc_errors import RpcError
from .tasks import FATAL, Tasks
from .violations import CapabilityError

if TYPE_CHECKING:
    from .session import Handle, Session

__all__ = ["ServedRequests"]

_Work: TypeAlias = tuple["Handle", Callable[[str, object], object]]
"""What handles a request, and what makes an answer of what it returns."""

_CANCELLED: Final = (REQUEST_CANCELLED, "Request cancelled")
_INTERNAL: Final = (INTERNAL_ERROR, "Internal error")
_log = logging.getLogger(__name__)


class _Served:
    """A request that is being served."""

    __slots__ = ("context", "is_cancelled", "is_running", "task")

    def __init__(self, context: RequestContext) -> None:
        self.context = context
        self.is_cancelled = False
        self.is_running = False
        self.task: asyncio.Task[None] | None = None


class ServedRequests(dict[RequestId, _Served]):
    """All that are served, by id. An id is in use until its answer is about to be sent."""

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._is_stopped = False

    def start(
        self, session: "Session", context: RequestContext, work: _Work, answers: Outbox | Batch
    ) -> asyncio.Task[None]:
        """Serve a request; the task ends when the answer is among the answers."""
        served = self[context.id] = _Served(context)
        served.task = self._tasks.start(self._serve(session, served, work, answers), context.method)
        return served.task

    def cancel(self, id_: RequestId) -> None:
        """Cancel the request with an id for the peer, if it is being served; a second time changes nothing."""
        served = self.get(id_)
        if served is None or served.is_cancelled:
            return
        served.is_cancelled = True
        # A task that has not begun sees it when it begins.
        if served.is_running and served.task is not None:
            served.task.cancel()

    def serves(self, context: RequestContext) -> bool:
        """Whether it is this request that has an id of its own here."""
        served = self.get(context.id)
        return served is not None and served.context is context

    def running(self, left_out: Collection[int] = ()) -> list[asyncio.Task[None]]:
        """The tasks that have not ended, but for the one that this is called from.

        Args:
            left_out: the `id` of the contexts that do not count.
        """
        current = asyncio.current_task()
        tasks = (served.task for served in self.values() if id(served.context) not in left_out)
        return [task for task in tasks if task is not None and task is not current and not task.done()]

    def stop(self) -> list[asyncio.Task[None]]:
        """Cancel all that run, and release every id; returns the tasks that end now."""
        self._is_stopped = True
        tasks = self.running()
        for task in tasks:
            task.cancel()
        self.clear()
        return tasks

    async def _serve(self, session: "Session", served: _Served, work: _Work, answers: Outbox | Batch) -> None:
        context = served.context
        handle, answer = work
        served.is_running = True
        if served.task is None:  # it is eager
            served.task = asyncio.current_task()
        current_request.set(context)
        if current_notification.get() is not None:
            current_notification.set(None)
        try:
            if served.is_cancelled:
                raise asyncio.CancelledError
            data = encode(Result(context.id, answer(context.method, await handle(context.params))))
        except asyncio.CancelledError:
            if self._is_stopped:
                raise
            if not served.is_cancelled:
                _log.warning("the handler of %r was cancelled, not by this connection", context.method)
            data = RpcError(*(_CANCELLED if served.is_cancelled else _INTERNAL)).answer(context.id)
        except FATAL:
            raise
        except BaseException as error:
            data = _failure(session, context, error)
        is_answered = session.answers_cancelled or not served.is_cancelled
        answers.answer(data if is_answered else None, partial(self.pop, context.id, None))


def _failure(session: "Session", context: RequestContext, error: BaseException) -> bytes:
    """The answer to a request whose handler failed."""
    try:
        if isinstance(error, CapabilityError):
            return session.failure(error).answer(context.id)
        if isinstance(error, RpcError):
            return error.answer(context.id)
    except Exception as failed:
        error = failed
    _log.error("the handler of %r failed", context.method, exc_info=error)
    return RpcError(*_INTERNAL).answer(context.id)
