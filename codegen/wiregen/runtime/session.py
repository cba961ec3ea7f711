"""A connection whose version is settled: what is sent and received then, typed and checked."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeAlias

from pydantic import ValidationError
from pydantic_core import from_json

from .caller import OnProgress
from .checks import Checker
from .codec import decode, encode
from .jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Message,
    Notification,
    Request,
    RequestId,
)
from .model import UNSET, Model, is_model_class
from .open_calls import OpenCalls
from .problems import problems
from .request_context import RequestContext
from .rpc_errors import InvalidResult, OutOfOrder, RpcError
from .served_requests import ServedRequests
from .served_versions import ServedVersions
from .translation import newer, older
from .versions import Method
from .violations import CapabilityError, Violation

__all__ = ["INITIALIZE", "Enforcement", "Handle", "Link", "PeerClasses", "Session"]

Enforcement: TypeAlias = Literal["enforce", "warn", "off"]
"""What is done about messages that were not agreed on: refuse them, report them, or nothing."""
Handle: TypeAlias = Callable[[Any], Awaitable[Any]]
"""What is awaited with the params of a message, and returns the result of a request."""

INITIALIZE: Final = "initialize"
"""The request that opens a connection."""

_log = logging.getLogger(__name__)


class Link(Protocol):
    """What a session uses of its connection."""

    enforcement: Enforcement
    """What is done about messages that were not agreed on."""
    calls: OpenCalls
    """The requests that were sent."""
    served: ServedRequests
    """The requests of the peer."""

    def report(self, violation: Violation) -> None:
        """Tell of something that was not agreed on."""
        ...

    async def call(self, session: "Session", method: str, params: object, on_progress: OnProgress[Any] | None) -> Any:
        """Send a request and wait for its result as the settled version types it."""
        ...

    async def send(self, message: Message) -> None:
        """Send a message and wait until it has been sent."""
        ...


class PeerClasses(NamedTuple):
    """What reads how the sides of a protocol declare themselves."""

    client: Any
    """The client."""
    answering: Any
    """The side that answers it: agent or server."""
    negotiated: Any
    """Both together."""


class _Served(NamedTuple):
    """A method that the peer may send: what handles it, and its types in the settled version and for the handler.

    With `is_plain`, the handler takes the params as they are decoded.
    """

    handle: Handle
    settled: Method | None
    own: Method | None
    is_plain: bool


class _Direct(NamedTuple):
    """What handles the messages of a method that are handed over as they come, with nothing in them to be agreed on."""

    handle: Handle
    params: Any
    """Their class; messages with other params, or none, need a look."""


class Session:
    """What both sides of a settled version say to each other, from the view of one.

    The handler's types are those of its own version, which may be newer than the settled one. What is special to a
    protocol, or to a kind of version, subclasses add.
    """

    cancellation: ClassVar[str]
    """The notification that cancels a request."""
    answers_cancelled: ClassVar[bool]
    """Whether a cancelled request is answered."""
    heeded: ClassVar[tuple[str, ...]]
    """The notifications that `heed` acts on."""

    takes_batches = False
    unknown_id: RequestId = None
    """The id of the error for a message whose id could not be read; `UNSET` for none."""

    def __init__(self, link: Link, versions: ServedVersions, number: Any, peer_side: str) -> None:
        self.link = link
        self.handler = versions.handler(number)
        self.version = versions.version(number)
        self.protocol_version: int | str = number
        self.supported: tuple[Any, ...] = versions.numbers
        self.rules = versions.rules(self.version)
        self.side = versions.side
        self.peer_side = peer_side
        self._direct: dict[str, _Direct] = {}
        self.checker = None
        self.meta: Mapping[str, Any] = {}
        """What the requests of a newer version say of their sender, where an older one says it once."""
        role, module = self.handler.role, versions.module(self.version)
        self._settled = module.METHODS
        self._own = {**versions.module(role.version).METHODS, **role.embedded}
        self.is_translated = role.version != self.version
        self._decode_message = decode_message = module.decode_message
        method_of = link.calls.method_of
        # Faster than `partial` with names.
        self.decode: Callable[[object], Any] = lambda data: decode_message(data, sender=peer_side, results=method_of)
        """Reads a message of the peer; raises `MessageError`."""
        self._served: dict[str, _Served] = {}

    @property
    def checker(self) -> Checker[Any] | None:
        """What judges the messages of both sides; None as long as this side has not declared itself."""
        return self._checker

    @checker.setter
    def checker(self, checker: Checker[Any] | None) -> None:
        self._checker = checker
        self._direct.clear()

    @property
    def negotiated(self) -> Any:
        """What both sides declared; None as long as this side has not."""
        return self.checker

    def opened_with(self, params: Any) -> None:
        """Take note of what the client said of itself when it opened the connection."""

    def type_of(self, method: str, part: Literal["params", "result"]) -> Any:
        """The type of the params or the result of a method, whoever sends it."""
        return next(getattr(found, part) for (name, _), found in self._settled.items() if name == method)

    # --- what comes in ---

    def admit(self, request: Request) -> None:
        """Raise `RpcError` for a request that is out of place."""

    def heed(self, notification: Notification) -> Handle | None:
        """Act on a notification about the connection itself; returns what handles it in the place of the handler."""
        if notification.method == self.cancellation:
            self.link.served.cancel(getattr(notification.params, "request_id", None))
        return None

    def take_request(self, request: Request) -> tuple[Handle, RequestContext]:
        """What handles a request of the peer, and as what; raises `RpcError`."""
        self.admit(request)
        method, params = request.method, request.params
        direct = self._direct.get(method) or self._make_direct(method, "request")
        if params.__class__ is direct.params:
            return direct.handle, RequestContext(request.id, method, params, self, self._checker)
        self._check(self._received(method, params))
        return self.handed(request)

    def check_method(self, method: str) -> None:
        """Raise `RpcError` for a request that this side did not say it serves, whatever its params are."""
        self._check(violation for violation in self._received(method, None) if violation.declared_by == self.side)

    def _check(self, violations: Iterable[Violation]) -> None:
        for violation in violations:
            self.link.report(violation)
            if violation.severity == "error" and self.link.enforcement == "enforce":
                raise self.refusal(violation)

    def handed(self, request: Request) -> tuple[Handle, RequestContext]:
        """What handles a request, and the request as it takes it; raises `RpcError`."""
        served = self._find(request.method, "request")
        if served.settled is not None and served.settled.kind != "request":
            raise RpcError(INVALID_REQUEST, f"{request.method} is a notification")
        params = self._handed(served, request.params)
        return served.handle, RequestContext(request.id, request.method, params, self, self._checker)

    def take_notification(self, notification: Notification) -> tuple[Handle, RequestContext] | None:
        """What handles a notification of the peer, and as what; None if it is logged and no more."""
        method, params = notification.method, notification.params
        own = self.heed(notification) if method in self.heeded else None
        direct = self._direct.get(method) or self._make_direct(method, "notification")
        if params.__class__ is direct.params:
            return own or direct.handle, RequestContext(None, method, params, self, self._checker)
        served = self._find(method, "notification")
        if served.settled is not None and served.settled.kind != "notification":
            _log.warning("the request %s came without an id", method)
            return None
        for violation in self._received(method, params):
            self.link.report(violation)
        try:
            params = self._handed(served, params)
        except RpcError:
            return None
        return own or served.handle, RequestContext(None, method, params, self, self._checker)

    def take_result(self, method: str, result: object) -> None:
        """Report what in a result of the peer was not agreed on."""
        if self._checker is None or self.link.enforcement == "off" or _holds_nothing(result):
            return
        for violation in self._checker.check(method, result=result, sender=self.peer_side):
            self.link.report(violation)

    def refusal(self, violation: Violation) -> RpcError:
        """The answer to a request that was not agreed on."""
        if not violation.pointer:
            return RpcError(METHOD_NOT_FOUND, violation.message)
        return RpcError(INVALID_PARAMS, violation.message, {"pointer": f"/params{violation.pointer}"})

    def default(self, method: str) -> Handle:
        """What handles a request of the settled version that the handler's version does not have."""
        return partial(self.handler.extension_request, method)

    # --- what is answered ---

    def answer(self, method: str, result: object) -> object:
        """What a handler returned, as a result of the settled version.

        Raises:
            RpcError: it is none.
            CapabilityError: something in it was not agreed on.
        """
        served = self._find(method, "request")
        if served.settled is None:
            return self._extension_result(method, result)
        read = older if self.is_translated and served.own is not None else decode
        try:
            result = read(served.settled.result, result)
        except ValidationError as error:
            _log.error("the result of %s is none of version %s: %s", method, self.version, _told(error))
            raise RpcError(INTERNAL_ERROR, "Internal error") from None
        self._require(self._sent(method, result=result))
        return result

    def _extension_result(self, method: str, result: object) -> object:
        """The same, for a method that the version does not have."""
        try:
            result = from_json(encode(result))
            self._decode_message({"jsonrpc": "2.0", "id": 0, "result": result}, sender=self.side)
        except ValueError as error:
            _log.error("the result of %s is none of version %s: %s", method, self.version, error)
            raise RpcError(INTERNAL_ERROR, "Internal error") from None
        return result

    def failure(self, error: CapabilityError) -> RpcError:
        """The answer to a request whose handler wanted to send something that was not agreed on."""
        _log.error("not sent: %s", error)
        return RpcError(INTERNAL_ERROR, "Internal error")

    # --- what goes out ---

    async def request(self, method: str, params: object, on_progress: OnProgress[Any] | None) -> Any:
        """Send a request and wait for its result, as the handler's version types it."""
        value = await self.link.call(self, method, self._outgoing(method, "request", params), on_progress)
        return self.handed_result(method, value)

    def handed_result(self, method: str, result: object) -> Any:
        """A result of the peer as the handler's version types it; raises `InvalidResult` if it cannot say it."""
        own = self._own.get((method, self.side))
        if not self.is_translated or own is None:
            return result
        try:
            return newer(own.result, result, self.meta)
        except ValidationError as error:
            raise InvalidResult(method, from_json(encode(result)), _told(error)) from None

    async def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        await self.link.send(Notification(method, self._outgoing(method, "notification", params)))

    def may_send(self, method: str) -> None:
        """Raise `OutOfOrder` for a message that must not be sent at this point."""
        if method == INITIALIZE:
            raise OutOfOrder("the connection is initialized already")

    def prepared(
        self,
        params: object,
        id_: int,  # noqa: ARG002
        on_progress: OnProgress[Any] | None,  # noqa: ARG002
    ) -> tuple[object, int | str | None]:
        """The params of the request with an id as they are sent, and the token under which its progress comes."""
        return params, None

    # --- parts ---

    def _find(self, method: str, kind: Literal["request", "notification"]) -> _Served:
        served = self._served.get(method)
        if served is not None:
            return served
        settled = self._settled.get((method, self.peer_side))
        if settled is None:
            # Not kept: names that a peer invents must not fill the memory.
            return _Served(self._extension(method, kind), None, None, is_plain=False)
        attribute = self.handler.role.methods.get(method)
        if attribute is not None:
            own = self._own.get((method, self.peer_side))
            served = _Served(getattr(self.handler, attribute), settled, own, own is settled)
        elif settled.kind == "request":
            served = _Served(self.default(method), settled, None, is_plain=False)
        else:
            served = _Served(self._extension(method, settled.kind), settled, None, is_plain=False)
        self._served[method] = served
        return served

    def _extension(self, method: str, kind: Literal["request", "notification"]) -> Handle:
        handler = self.handler
        return partial(handler.extension_request if kind == "request" else handler.extension_notification, method)

    def _handed(self, served: _Served, params: object) -> Any:
        """Params as the handler takes them."""
        if served.is_plain and isinstance(params, Model):
            return params
        settled, own = served.settled, served.own
        if settled is None or own is None or settled.params is None:
            if isinstance(params, Model):
                return from_json(encode(params))
            return None if params is UNSET else params
        if params is UNSET or params is None:
            params = decode(settled.params, {})
        if not self.is_translated:
            return params
        try:
            return newer(own.params, params, self.meta)
        except ValidationError as error:
            version = self.handler.role.version
            _log.error("%s cannot be handed over as one of version %s: %s", settled.name, version, _told(error))
            raise RpcError(INTERNAL_ERROR, "Internal error") from None

    def _outgoing(self, method: str, kind: str, params: object) -> object:
        """Params as the settled version has them; raises for what may not be sent."""
        self.may_send(method)
        settled = self._settled.get((method, self.side))
        own = self._own.get((method, self.side), settled)
        if own is not None and own.kind != kind:
            raise ValueError(f"{method} is a {own.kind}")
        if own is None or own.params is None:
            params = UNSET if params is None else params
        elif params is None and is_model_class(own.params):
            params = own.params()
        else:
            params = decode(own.params, {} if params is None else params)
        if self.is_translated and settled is not None and settled is not own:
            params = older(settled.params, params)
        self._require(self._sent(method, params))
        return params

    def _make_direct(self, method: str, kind: Literal["request", "notification"]) -> _Direct:
        served = self._find(method, kind)
        type_ = None if served.settled is None else served.settled.params
        checker = self._checker
        is_agreed = checker is None or self.link.enforcement == "off"
        if not is_agreed and checker is not None:
            is_agreed = checker.is_unconditional(method, sender=self.peer_side)
        direct = _Direct(served.handle, type_ if is_agreed and served.is_plain and is_model_class(type_) else None)
        if method in self._served:
            self._direct[method] = direct
        return direct

    def _received(self, method: str, params: object) -> Iterable[Violation]:
        """What in a message of the peer was not agreed on."""
        checker = self._checker
        if checker is None or self.link.enforcement == "off":
            return ()
        return checker.check(method, None if _holds_nothing(params) else params, sender=self.peer_side)

    def _sent(self, method: str, params: object = UNSET, *, result: object = UNSET) -> Iterable[Violation]:
        """What in a message of this side was not agreed on."""
        checker: Checker[Any] | None = self.negotiated
        if checker is None or self.link.enforcement == "off" or isinstance(result, str):
            return ()
        return checker.check(method, None if _holds_nothing(params) else params, result=result, sender=self.side)

    def _require(self, violations: Iterable[Violation]) -> None:
        """Report what this side wants to send and was not agreed on, or refuse it."""
        found = tuple(violations)
        if self.link.enforcement == "enforce" and any(violation.severity == "error" for violation in found):
            raise CapabilityError(found)
        for violation in found:
            self.link.report(violation)


def _holds_nothing(value: object) -> bool:
    """Whether nothing inside has to be agreed on. A checker would take a string for JSON text, which it is not here."""
    return value is UNSET or value is None or isinstance(value, str)


def _told(error: ValidationError) -> str:
    return "; ".join(f"{pointer or 'value'}: {text}" for pointer, text in problems(error))
