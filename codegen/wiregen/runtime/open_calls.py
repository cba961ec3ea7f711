"""The requests that were sent and wait for their answers."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

from .caller import OnProgress
from .jsonrpc import RequestId
from .request_context import RequestContext, current_notification
from .rpc_errors import TooManyCalls

__all__ = ["OpenCall", "OpenCalls"]


class OpenCall:
    """A request that waits for its answer.

    `made_for` is the notification for which it is made. `settle` makes the value of a raw result as soon as it comes,
    where the version is not settled before that.
    """

    __slots__ = ("answer", "id", "made_for", "method", "on_progress", "settle", "token")

    def __init__(self, id_: int, method: str, settle: Callable[[Any], Any] | None) -> None:
        self.id = id_
        self.method = method
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.made_for: RequestContext | None = current_notification.get()
        self.settle = settle
        self.on_progress: OnProgress[Any] | None = None
        self.token: int | str | None = None

    def succeed(self, value: Any) -> None:
        """Give the caller its result, if it still waits."""
        if not self.answer.done():
            self.answer.set_result(value)

    def fail(self, error: Exception) -> None:
        """Give the caller an exception, if it still waits."""
        if not self.answer.done():
            self.answer.set_exception(error)


class OpenCalls:
    """All calls of a connection. Ids are the integers from 1 on, and none is used twice."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._ids = count(1)
        self._last = 0
        self._open: dict[RequestId, OpenCall] = {}
        self._progress: dict[int | str, OpenCall] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(self, method: str, settle: Callable[[Any], Any] | None = None) -> OpenCall:
        """A new call; raises `TooManyCalls`."""
        if len(self._open) >= self._limit:
            raise TooManyCalls(f"{self._limit} calls are open")
        self._last = next(self._ids)
        call = self._open[self._last] = OpenCall(self._last, method, settle)
        return call

    def report_to(self, call: OpenCall, token: int | str, on_progress: OnProgress[Any] | None) -> None:
        """Have progress under a token reported to a call; raises `ValueError` if it is another open call's."""
        if token in self._progress:
            raise ValueError(f"the progress token {token!r} is that of another open call")
        call.on_progress, call.token = on_progress, token
        self._progress[token] = call

    def free_token(self, id_: int) -> int | str:
        """A progress token that no open call has."""
        token: int | str = id_
        while token in self._progress:
            token = f"{token}+"
        return token

    def reporter(self, token: object) -> OnProgress[Any] | None:
        """What hears of progress under a token; None for a token that belongs to no open call."""
        call = self._progress.get(token) if isinstance(token, (int, str)) else None
        return None if call is None else call.on_progress

    def method_of(self, id_: RequestId) -> str | None:
        """The method of the call with an id; None if there is none."""
        call = self._open.get(id_)
        return None if call is None else call.method

    def settles(self, id_: RequestId) -> bool:
        """Whether the answer with an id settles the version."""
        call = self._open.get(id_)
        return call is not None and call.settle is not None

    def close(self, id_: RequestId) -> OpenCall | None:
        """Take the call with an id out; None if there is none, as when it has been answered already."""
        call = self._open.pop(id_, None)
        if call is not None and call.token is not None:
            self._progress.pop(call.token, None)
        return call

    def was_open(self, id_: RequestId) -> bool:
        """Whether there has been a call with an id."""
        return isinstance(id_, int) and 0 < id_ <= self._last

    def fail_all(self, error: Exception) -> None:
        """Fail every call."""
        for id_ in list(self._open):
            call = self.close(id_)
            if call is not None:
                call.fail(error)
