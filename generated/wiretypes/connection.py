"""The engine of all connections: ids, order, cancellation and errors, over any transport."""

import asyncio
import logging
from collections.abc import Callable

from .arrivals import Arrivals
from .jsonrpc import (
    PARSE_ERROR,
)
from .limits import Limits
from .open_calls import OpenCalls
from .outbox import Outbox, Send
from .rpc_errors import ConnectionClosed, RpcError
from .served_requests import ServedRequests
from .session import Enforcement, Session
from .violations import Violation

__all__ = ["Connection"]

_log = logging.getLogger(__name__)


class Connection:
    """One side of a connection. The transport gives it what arrives, and `send` what is to be sent."""

    def __init__(
        self,
        send: Send,
        *,
        capabilities: Enforcement,
        limits: Limits,
        on_violation: Callable[[Violation], None] | None,
    ) -> None:
        self.enforcement: Enforcement = capabilities
        self.limits = limits
        self.calls = OpenCalls(limits.calls)
        self.served = ServedRequests(limits.requests)
        self.session: Session | None = None
        self._on_violation = on_violation
        self._arrivals = Arrivals()
        self._outbox = Outbox(send, self._stop)
        self._closed: ConnectionClosed | None = None

    # --- for the transport ---

    async def receive(self, data: bytes) -> None:
        """Take one message. Never raises for what is in it, and waits for no handler but that of `initialize`.

        Only if a peer leaves so many answers unread that the bound on its requests is reached, it waits for `send`.

        Args:
            data: the message, with or without a line end.
        """
        if self._closed is not None:
            return
        if (problem := self.limits.exceeded(data)) is not None:
            self.refuse(self._unknown_id(), RpcError(PARSE_ERROR, problem))
        elif self.session is None:
            await self._receive_unsettled(data)
        else:
            self._receive_settled(self.session, data)
        if len(self._outbox) > self.limits.requests:
            await self._outbox.flush()

    async def drain(self) -> None:
        """Wait until all that runs has ended and all answers are sent."""
        while self._closed is None:
            await self._arrivals.drain()
            if running := self.served.running():
                await asyncio.wait(running)
                continue
            await self._outbox.flush()
            if not self.served.running() and self._arrivals.is_idle:
                return

    async def close(self) -> None:
        """Cancel what runs, and fail what waits with `ConnectionClosed`. Nothing is sent or received any more."""
        tasks = self._stop(None)
        ...
