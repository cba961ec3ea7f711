"""JSON-RPC messages, error codes, and the error for what is no message.

`decode_message` of a version module reads messages, `encode` writes them.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias

from pydantic_core import CoreConfig, SchemaSerializer

from .annotations import untyped
from .model import UNSET
from .picklable import Picklable

__all__ = [
    "AUTHENTICATION_REQUIRED",
    "HEADER_MISMATCH",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "MISSING_REQUIRED_CLIENT_CAPABILITY",
    "PARSE_ERROR",
    "REQUEST_CANCELLED",
    "RESOURCE_NOT_FOUND",
    "UNSET",
    "UNSUPPORTED_PROTOCOL_VERSION",
    "URL_ELICITATION_REQUIRED",
    "Error",
    "ErrorResponse",
    "Message",
    "MessageError",
    "MessageKind",
    "Notification",
    "Request",
    "RequestId",
    "Result",
    "Results",
]

PARSE_ERROR: Final = -32700
"""JSON-RPC: what arrived is no JSON."""
INVALID_REQUEST: Final = -32600
"""JSON-RPC: the JSON is no message, or one that is out of place."""
METHOD_NOT_FOUND: Final = -32601
"""JSON-RPC: the receiver does not have the method, or does not offer it."""
INVALID_PARAMS: Final = -32602
"""JSON-RPC: the method does not take these params."""
INTERNAL_ERROR: Final = -32603
"""JSON-RPC: the receiver failed for a reason of its own."""

AUTHENTICATION_REQUIRED: Final = -32000
"""ACP: the agent wants the user to log in first."""
RESOURCE_NOT_FOUND: Final = -32002
"""ACP and MCP: there is no such file, session or resource."""
REQUEST_CANCELLED: Final = -32800
"""ACP: the request was given up because its sender cancelled it."""

HEADER_MISMATCH: Final = -32020
"""MCP 2026-07-28: a header of the HTTP request says something else than the message in its body."""
MISSING_REQUIRED_CLIENT_CAPABILITY: Final = -32021
"""MCP 2026-07-28: the request needs a capability that the client did not declare with it."""
UNSUPPORTED_PROTOCOL_VERSION: Final = -32022
"""ACP v2 and MCP 2026-07-28: the receiver does not speak the requested version; the data lists those that it does."""
URL_ELICITATION_REQUIRED: Final = -32042
"""MCP 2025-11-25: the user has to visit an address first; the data lists what is to be asked."""

RequestId: TypeAlias = int | str | None
"""What ties an answer to its request. Null is an id in ACP v1 only; elsewhere it stands for one that is not known."""
MessageKind: TypeAlias = Literal["request", "notification", "response"]
"""What a message is for: to be answered, to be taken note of, or to answer."""
Results: TypeAlias = Mapping[Any, str | None] | Callable[[Any], str | None]
"""The method of the request with an id, by which its result is read; None where it is not known. Asking must not change
anything."""


class _Part:
    """What `encode`, and the validator core with it, writes wherever it stands."""

    __match_args__: ClassVar[tuple[str, ...]]
    __constants__: ClassVar[Mapping[str, str]] = {}
    __reserved__: ClassVar[tuple[str, ...]] = ()
    """Members that would make another message of it."""
    __pydantic_serializer__: ClassVar[SchemaSerializer]

    extra: Mapping[str, object] | None

    def __getstate__(self) -> dict[str, object]:
        # Not every sentinel can be copied; what is left out is what the class says.
        return {name: value for name, value in vars(self).items() if value is not UNSET}


def _members(part: _Part) -> dict[str, object]:
    untyped.add()
    members: dict[str, object] = dict(part.__constants__)
    for name in part.__match_args__:
        value: object = getattr(part, name)
        if value is not UNSET:
            members[name] = value
        elif not hasattr(part.__class__, name):
            raise ValueError(f"{part.__class__.__name__} has no {name}")
    for name, value in (part.extra or {}).items():
        if name not in part.__reserved__:
            members.setdefault(name, value)
    return members


_Part.__pydantic_serializer__ = SchemaSerializer(
    {"type": "any", "serialization": {"type": "function-plain", "function": _members}},
    CoreConfig(ser_json_inf_nan="constants"),
)


class _Message(_Part):
    __constants__: ClassVar[Mapping[str, str]] = {"jsonrpc": "2.0"}
    __reserved__: ClassVar[tuple[str, ...]] = ("id", "method")


@dataclass(frozen=True)
class Request(_Message):
    """A request: the receiver answers it with a result or an error under the same id."""

    id: RequestId
    """Chosen by the sender, and not in use by another of its open requests."""
    method: str
    """What is asked for."""
    params: object = UNSET
    """A value of the params type that the version has for the method, or parsed JSON where it has none. `UNSET` leaves
    them out; None is null, which ACP alone allows."""

    _: KW_ONLY
    extra: Mapping[str, object] | None = None
    """Members that JSON-RPC does not know: they are kept, and written again."""


@dataclass(frozen=True)
class Notification(_Message):
    """A notification: it is not answered, not even with an error."""

    method: str
    """What happened."""
    params: object = UNSET
    """As those of a request."""

    _: KW_ONLY
    extra: Mapping[str, object] | None = None
    """Members that JSON-RPC does not know: they are kept, and written again."""


@dataclass(frozen=True)
class Result(_Message):
    """The answer to a request that succeeded."""

    __reserved__ = ("id", "method", "error")

    id: RequestId
    """Id of the request."""
    result: object
    """A value of the result type that the version has for the request's method, or parsed JSON where it has none or
    where the method is not known."""

    _: KW_ONLY
    extra: Mapping[str, object] | None = None
    """Members that JSON-RPC does not know: they are kept, and written again."""


@dataclass(frozen=True)
class Error(_Part):
    """Why a request failed."""

    code: int
    """What kind of failure it is: one of the constants of this module, or one that the two sides agree on."""
    message: str
    """One sentence for people."""
    data: object = UNSET
    """More about it, as JSON. `UNSET` leaves it out."""

    _: KW_ONLY
    extra: Mapping[str, object] | None = None
    """Members that JSON-RPC does not know: they are kept, and written again."""


@dataclass(frozen=True)
class ErrorResponse(_Message):
    """The answer to a request that failed."""

    __reserved__ = ("id", "method", "result")

    error: Error
    """Why it failed."""
    id: RequestId = UNSET
    """Id of the request. Where it could not be read, ACP has null here, and MCP from 2025-11-25 on nothing."""

    _: KW_ONLY
    extra: Mapping[str, object] | None = None
    """Members that JSON-RPC does not know: they are kept, and written again."""


Message: TypeAlias = Request | Notification | Result | ErrorResponse
"""What one side sends the other."""

_LINE = 1000


class MessageError(Picklable, ValueError):
    """Something is no message of the version that it was read as.

    Where a ValidationError lies behind it, that is its `__cause__`, and `problems` tells what else is wrong.
    """

    code: int
    """`PARSE_ERROR` for what is no JSON, `INVALID_PARAMS` for params, `INVALID_REQUEST` for all else."""
    pointer: str
    """Where the fault lies: a JSON pointer (RFC 6901) from the root of the message, or of the batch."""
    id: RequestId
    """Id of the message; None where it has none or it could not be read."""
    kind: MessageKind | None
    """What the message was meant to be, as far as that could be read: requests alone are answered."""

    def __init__(
        self,
        code: int,
        pointer: str,
        text: str,
        *,
        id: RequestId = None,  # noqa: A002
        kind: MessageKind | None = None,
    ) -> None:
        # Both may be the sender's words, and a log has lines.
        line = f"{pointer or 'message'}: {text}"[:_LINE]
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in line))
        self.code = code
        self.pointer = pointer
        self.id = id
        self.kind = kind
