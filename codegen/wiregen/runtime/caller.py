"""The base of all callers: what calls the other side of a connection."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias, TypeVar

__all__ = ["Caller", "Calls", "McpCaller", "OnProgress"]

T = TypeVar("T")

OnProgress: TypeAlias = Callable[[T], Awaitable[None]]
"""Is awaited with the params of each `notifications/progress` about a request, in order and before its result."""


class Calls(Protocol):
    """What a caller calls through: a connection."""

    async def request(self, method: str, params: object, on_progress: OnProgress[Any] | None) -> Any:
        """Send a request and wait for its result."""
        ...

    async def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        ...


class Caller:
    """Calls one side of one version. Each method sends one message; those of requests return the result.

    Raises:
        RpcError: the peer answered with an error.
        InvalidResult: it answered with what the version's schema rejects.
        CapabilityError: something in the message was not declared, and so it was not sent.
        ConnectionClosed: the connection is closed, or was before the answer came.
        OutOfOrder: the message must not be sent yet, or not any more.
        TooManyCalls: too many calls are open.
        pydantic.ValidationError: the params are not those of the method.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def request(self, method: str, params: object = None) -> Any:
        """Send a request and wait for its result. When the waiting task is cancelled, the peer is told.

        Args:
            method: the method on the wire.
            params: a model, or parsed JSON; None leaves them out where that is allowed.

        Returns:
            A value of the result type that the version has for the method, or parsed JSON where it has none.
        """
        return await self._calls.request(method, params, None)

    async def notify(self, method: str, params: object = None) -> None:
        """Send a notification; the arguments are those of `request`."""
        await self._calls.notify(method, params)

    async def extension_request(self, method: str, params: object = None) -> Any:
        """Send a request that the version does not define; its params and its result are parsed JSON."""
        return await self.request(method, params)


class McpCaller(Caller):
    """Calls one side of one version of MCP, where requests can report their progress.

    Raises:
        ValueError: the params have the progress token of another open call. Besides, what `Caller` raises.
    """

    async def request(self, method: str, params: object = None, *, on_progress: OnProgress[Any] | None = None) -> Any:
        """Send a request and wait for its result. When the waiting task is cancelled, the peer is told.

        Args:
            method: the method on the wire.
            params: a model, or parsed JSON; None leaves them out where that is allowed.
            on_progress: asks the peer for reports on progress, and gets them.

        Returns:
            A value of the result type that the version has for the method, or parsed JSON where it has none.
        """
        return await self._calls.request(method, params, on_progress)
