"""What a request, a call or a connection fails with."""

import logging
from typing import Any

from .codec import encode
from .jsonrpc import METHOD_NOT_FOUND, Error, ErrorResponse, RequestId
from .model import UNSET
from .picklable import Picklable

__all__ = ["ConnectionClosed", "InvalidResult", "MethodNotFound", "OutOfOrder", "RpcError", "TooManyCalls"]

_log = logging.getLogger(__name__)


class RpcError(Picklable):
    """A JSON-RPC error: raised by a handler it is the answer, and a call raises the one that its peer answered."""

    code: int
    """What kind of failure it is, one of the constants of `jsonrpc` or of the peers' own."""
    message: str
    """One sentence for people."""
    data: Any
    """More about it, as JSON or a model; None for nothing."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        """Make an error; raises `TypeError` for a code that is no integer or a message that is no string."""
        _check(code, message)
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.data = data

    def answer(self, id_: RequestId) -> bytes:
        """The message that answers a request with it; what of it is no JSON is logged and left out."""
        data = UNSET if self.data is None else self.data
        try:
            return encode(ErrorResponse(Error(self.code, self.message, data), id_))
        except ValueError:
            _log.exception("error %s cannot be sent as it is", self.code)
            # Half of a surrogate pair, as in the name of a file, can be written in a log, not in JSON.
            message = self.message.encode("utf-8", "backslashreplace").decode()
            return encode(ErrorResponse(Error(self.code, message), id_))


def _check(code: object, message: object) -> None:
    if not isinstance(code, int) or isinstance(code, bool) or not isinstance(message, str):
        raise TypeError(f"an error has an integer and a string, not {code!r} and {message!r}")


class MethodNotFound(RpcError):
    """The answer to a request that nobody serves."""

    def __init__(self, method: str) -> None:
        super().__init__(METHOD_NOT_FOUND, f"Method not found: {method}"[:_LINE])


class ConnectionClosed(ConnectionError):
    """The connection is closed: what was waited for will not come, and nothing can be sent."""


class OutOfOrder(RuntimeError):
    """A message must not be sent at this point of the connection."""


class TooManyCalls(RuntimeError):
    """More calls are open than the connection allows."""


class InvalidResult(Picklable, ValueError):
    """The peer answered a call with a result that the version's schema rejects."""

    method: str
    """The method that was called."""
    value: Any
    """The result as it came, as parsed JSON; None where the answer had none."""

    def __init__(self, method: str, value: Any, problem: str) -> None:
        super().__init__(f"the answer to {method} is not valid: {problem}")
        self.method = method
        self.value = value


_LINE = 200
