"""Which message is being handled."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple, cast

from .jsonrpc import RequestId
from .model import Model

__all__ = ["RequestContext", "current_notification", "current_request"]


class RequestContext(NamedTuple):
    """The request or notification that a handler is dealing with."""

    id: RequestId
    """Id of the request; None for a notification."""
    method: str
    """Name of the method on the wire."""
    params: Any
    """The params that the handler got: a model, or parsed JSON for what is no method of the version."""
    session: object
    """The session of the connection that it came by."""
    checker: Any
    """What both sides had declared when it came."""

    @property
    def meta(self) -> Any:
        """The `_meta` of the params, as the version types it; None where there is none."""
        if isinstance(self.params, Model):
            return getattr(self.params, "meta", None)
        return cast("Mapping[str, Any]", self.params).get("_meta") if isinstance(self.params, Mapping) else None

    @property
    def progress_token(self) -> int | str | None:
        """The token under which the sender wants to hear of progress (MCP); None if it does not."""
        meta = self.meta
        if isinstance(meta, Mapping):
            return cast("Mapping[str, Any]", meta).get("progressToken")
        return cast("int | str | None", getattr(meta, "progress_token", None))


current_request: ContextVar[RequestContext] = ContextVar("current_request")
"""The message that is being handled; in a task that a handler starts, the one that it was started for."""
current_notification: ContextVar[RequestContext | None] = ContextVar("current_notification", default=None)
"""The notification that is being handled, also while something else is handled for it; None for none."""
