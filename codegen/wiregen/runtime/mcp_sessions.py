"""Settled versions of the Model Context Protocol: those that `initialize` opens, and those without a handshake."""

from collections.abc import Iterable
from typing import Any, Final, Protocol, cast

from pydantic import ValidationError
from pydantic_core import from_json

from .caller import OnProgress
from .checks import Checker
from .codec import decode, encode
from .declarations import raw_member
from .declared import capabilities
from .jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    UNSUPPORTED_PROTOCOL_VERSION,
    Notification,
    Request,
    RequestId,
)
from .mcp_inputs import InputAnswers
from .mcp_negotiation import opening_method
from .model import UNSET, Model
from .problems import problems
from .request_context import RequestContext, current_request
from .rpc_errors import OutOfOrder, RpcError
from .served_versions import ServedVersions
from .session import INITIALIZE, Handle, Link, PeerClasses, Session
from .translation import newer
from .violations import CapabilityError, Violation

__all__ = [
    "DISCOVER",
    "INITIALIZED",
    "PING",
    "ClientLink",
    "EnvelopeClient",
    "EnvelopeServer",
    "HandshakeSession",
    "envelope_version",
    "no_envelope",
    "unsupported",
]

PING: Final = "ping"
"""The request that asks whether the other side is there."""
INITIALIZED: Final = "notifications/initialized"
"""The notification by which a client says that it is ready."""
DISCOVER: Final = "server/discover"
"""The request that asks which versions without a handshake a server supports."""

_PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
_CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
_ENVELOPE: Final = (_PROTOCOL_VERSION, _CLIENT_CAPABILITIES, _CLIENT_INFO)
_PROGRESS: Final = "notifications/progress"
_LISTEN: Final = "subscriptions/listen"
_BEFORE_INITIALIZED: Final = (PING, "notifications/message")
_WITH_BATCHES: Final = "2025-03-26"
_FIRST_WITH_ERRORS_WITHOUT_ID: Final = "2025-11-25"
_INPUTS: Final = 10


class McpSession(Session):
    """A settled version of MCP."""

    cancellation = "notifications/cancelled"
    answers_cancelled = False
    heeded = (cancellation, _PROGRESS, INITIALIZED)

    def __init__(self, link: Link, versions: ServedVersions, number: str, peer_side: str) -> None:
        super().__init__(link, versions, number, peer_side)
        opens = opening_method(number)
        self.supported = tuple(version for version in versions.numbers if opening_method(version) == opens)
        self.takes_batches = number == _WITH_BATCHES
        self.unknown_id = UNSET if number >= _FIRST_WITH_ERRORS_WITHOUT_ID else None

    def heed(self, notification: Notification) -> Handle | None:
        """Cancel a request, or find out who asked for a report on progress."""
        if notification.method == _PROGRESS:
            return self.link.calls.reporter(getattr(notification.params, "progress_token", None))
        return super().heed(notification)

    def default(self, method: str) -> Handle:
        """What handles a request of the settled version that the handler's version does not have."""
        if method == PING:
            return _pong
        if method == INITIALIZE:
            return self._initialize
        return super().default(method)

    def prepared(
        self, params: object, id_: int, on_progress: OnProgress[Any] | None
    ) -> tuple[object, int | str | None]:
        """The params with a progress token, if progress is asked for; one that they have already is kept."""
        token = _progress_token(params)
        if on_progress is None or token is not None:
            return params, token
        members = _members(params)
        token = self.link.calls.free_token(id_)
        members["_meta"] = {**(members.get("_meta") or {}), "progressToken": token}
        return members, token

    async def _initialize(self, _: object) -> Model:
        type_: type[Model] = self.type_of(INITIALIZE, "result")
        return self.handler.declaration(type_)


class HandshakeSession(McpSession):
    """A version that `initialize` opens."""

    def __init__(self, link: Link, versions: ServedVersions, number: str, peer_side: str) -> None:
        super().__init__(link, versions, number, peer_side)
        self._is_initialized = self.side == "client"

    def admit(self, request: Request) -> None:
        """Raise `RpcError` for a second `initialize`, and for a request of a version without a handshake."""
        if request.method == INITIALIZE:
            raise RpcError(INVALID_REQUEST, "the connection is initialized already")
        if envelope_version(request.params) is not None:
            raise RpcError(INVALID_REQUEST, f"initialize opened the connection, with {self.version} for all requests")

    def heed(self, notification: Notification) -> Handle | None:
        """See that the client is ready."""
        if notification.method == INITIALIZED:
            self._is_initialized = True
        return super().heed(notification)

    def take_notification(self, notification: Notification) -> tuple[Handle, RequestContext] | None:
        """What handles a notification of the peer, and as what; None if it is logged and no more.

        One that the handler's version cannot say comes as one that it does not have.
        """
        taken = super().take_notification(notification)
        if taken is not None:
            return taken
        settled = self._settled.get((notification.method, self.peer_side))
        if settled is None or settled.kind != "notification":
            return None
        params = from_json(encode(notification.params))
        context = RequestContext(None, notification.method, params, self, self.checker)
        return self._extension(notification.method, "notification"), context

    def may_send(self, method: str) -> None:
        """Raise `OutOfOrder` for a second `initialize`, and for what a server sends before the client is ready."""
        super().may_send(method)
        if not self._is_initialized and method not in _BEFORE_INITIALIZED:
            raise OutOfOrder(f"{method} must not be sent before {INITIALIZED} has come")

    def prepared(
        self, params: object, id_: int, on_progress: OnProgress[Any] | None
    ) -> tuple[object, int | str | None]:
        """The params, without what only a version without a handshake says with each request."""
        params, token = super().prepared(params, id_, on_progress)
        if not self.is_translated:
            return params, token
        members = _members(params)
        meta = {key: value for key, value in members.pop("_meta", {}).items() if key not in _ENVELOPE}
        return {**members, "_meta": meta} if meta else members, token

    def opened_with(self, params: Any) -> None:
        """Take note of what the client said of itself when it opened the connection."""
        own = self._own.get((DISCOVER, "client"))
        if own is None:
            return
        said = {
            _PROTOCOL_VERSION: self.version,
            _CLIENT_CAPABILITIES: raw_member(params, "capabilities", "capabilities"),
            _CLIENT_INFO: raw_member(params, "clientInfo", "client_info"),
        }
        self.meta = from_json(encode(newer(own.params, {"_meta": said}, {})))["_meta"]


class EnvelopeServer(McpSession):
    """The server in a version without a handshake: each request says what its client is and supports."""

    def __init__(self, link: Link, versions: ServedVersions, number: str, peers: PeerClasses) -> None:
        super().__init__(link, versions, number, "client")
        self._peers = peers
        self._server: Any = None
        self._client: object = None
        self._read_client: Any = None

    @property
    def negotiated(self) -> Any:
        """What the server declared, and the client with the request that is being handled; else with the latest one."""
        context = current_request.get(None)
        if context is not None and context.session is self:
            return context.checker
        return self.checker

    def admit(self, request: Request) -> None:
        """Raise `RpcError` for `initialize`, and for a request that does not say what the version wants."""
        self._meet(self.read_envelope(request))

    def read_envelope(self, request: Request) -> Any:
        """The params of a request, or what of them says what its client is; raises `RpcError` as `admit` does."""
        version = envelope_version(request.params)
        if request.method == INITIALIZE:
            asked = raw_member(request.params, "protocolVersion", "protocol_version")
            raise unsupported(asked if isinstance(asked, str) else "", self.supported)
        if version is None:
            raise no_envelope()
        if version != self.protocol_version:
            raise unsupported(version, self.supported)
        params: Any = request.params
        if isinstance(params, Model):
            return params
        # Of a method that the version does not have, whose params are not read.
        try:
            return decode(self.type_of(DISCOVER, "params"), {"_meta": params["_meta"]})
        except ValidationError as error:
            where, text = problems(error)[0]
            raise RpcError(INVALID_PARAMS, f"/params{where}: {text}", {"pointer": f"/params{where}"}) from None

    def answer(self, method: str, result: object) -> object:
        """What a handler returned, as a result of the version; what `server/discover` says is what counts from then.

        The result of a method that the version does not have is complete, unless it says what it is.
        """
        if (method, self.peer_side) not in self._settled and isinstance(result, (dict, Model)):
            result = {"resultType": "complete", **_members(cast("object", result))}
        result = super().answer(method, result)
        if method == DISCOVER:
            self._server = self._peers.answering.from_discover(result, version=self.version)
            self._judge()
        return result

    def refusal(self, violation: Violation) -> RpcError:
        """The answer to a request that was not agreed on."""
        return self._missing((violation,)) or super().refusal(violation)

    def failure(self, error: CapabilityError) -> RpcError:
        """The answer to a request whose handler wanted something of the client that it did not declare."""
        return self._missing(error.violations) or super().failure(error)

    def _meet(self, params: Any) -> None:
        """Take note of the client as a request describes it."""
        client = (params.meta.client_capabilities, params.meta.client_info)
        if self.checker is not None and client == self._client:
            return
        if self._server is None:
            declaration = self.handler.declaration(self.type_of(DISCOVER, "result"))
            self._server = self._peers.answering.from_discover(declaration, version=self.version)
        self._read_client = self._peers.client.from_request(params, version=self.version)
        self._client = client
        self._judge()

    def _judge(self) -> None:
        negotiated = self._peers.negotiated(client=self._read_client, server=self._server)
        self.checker = cast("Checker[Any]", negotiated)

    def _sent(self, method: str, params: object = UNSET, *, result: object = UNSET) -> Iterable[Violation]:
        """What in a message of this side was not agreed on; requests are none that it may send."""
        asks = result is UNSET and (method, self.side) in self.rules.messages
        if not asks or (method, self.side) in self._settled or self.link.enforcement == "off":
            return super()._sent(method, params, result=result)
        text = f"MCP {self.version} has `{method}` inside a result that asks for input, not as a request of the server"
        return (Violation(method, None, None, None, self.version, "", "error", text),)

    def _missing(self, violations: tuple[Violation, ...]) -> RpcError | None:
        """The error for what a client would have to declare; None where that is not what is missing."""
        features = {v.feature for v in violations if v.declared_by == "client" and v.feature is not None}
        if not features:
            return None
        rules = self.rules.sides["client"]
        meta = {"protocol_version": self.version, "client_capabilities": capabilities(rules.declared, features)}
        params: Any = self.type_of(DISCOVER, "params")(meta=meta)
        text = "; ".join(violation.message for violation in violations)
        data = {"requiredCapabilities": params.meta.client_capabilities}
        return RpcError(MISSING_REQUIRED_CLIENT_CAPABILITY, text, data)


class ClientLink(Link, Protocol):
    """What a client uses of its connection in a version without a handshake."""

    def conclude(self, session: Session, id_: RequestId, result: object) -> None:
        """Give a call a result, as if it had come as its answer."""
        ...


class EnvelopeClient(McpSession):
    """The client in a version without a handshake: it says with each request what it is and supports.

    A server that cancels `subscriptions/listen` ends the subscription: the call returns, as if it had been answered.
    """

    def __init__(self, link: ClientLink, versions: ServedVersions, number: str) -> None:
        super().__init__(link, versions, number, "server")
        self.inputs = InputAnswers()
        self._conclude = link.conclude
        declared = self.handler.declared_in(self.rules, number, self.type_of(DISCOVER, "params"))
        self._envelope: dict[str, Any] = from_json(encode(declared))["_meta"]
        self._implemented = self.handler.declares().implemented

    def heed(self, notification: Notification) -> Handle | None:
        """End a subscription, cancel a request, or find out who asked for a report on progress."""
        id_: Any = getattr(notification.params, "request_id", None)
        if notification.method != self.cancellation or self.link.calls.method_of(id_) != _LISTEN:
            return super().heed(notification)
        self._conclude(self, id_, self.type_of(_LISTEN, "result")(meta={"subscription_id": id_}))
        return None

    def prepared(
        self, params: object, id_: int, on_progress: OnProgress[Any] | None
    ) -> tuple[object, int | str | None]:
        """The params with what every request says of its client, and with a progress token if one is asked for."""
        params, token = super().prepared(params, id_, on_progress)
        return self._with_envelope(params), token

    async def request(self, method: str, params: object, on_progress: OnProgress[Any] | None) -> Any:
        """Send a request and wait for its result. What the server wants to know first, the handler answers.

        The result still asks for input where the handler does not implement what is asked, or it was not declared and
        capabilities are enforced; where nothing is asked and no state is to be sent back; and after ten answers.
        """
        if params is not None and not isinstance(params, Model):
            params = self._with_envelope(params)  # a model has what is required from its constructor
        result = await super().request(method, params, on_progress)
        for _ in range(_INPUTS):
            if getattr(result, "result_type", None) != "input_required":
                return result
            inputs: dict[str, Any] = result.input_requests or {}
            state: str | None = result.request_state
            if (not inputs and state is None) or not self._may_ask(method, result):
                return result
            repeated = _members(UNSET if params is None else params)
            repeated.pop("requestState", None)
            repeated["inputResponses"] = {key: await self._answered(asked) for key, asked in inputs.items()}
            if state is not None:
                repeated["requestState"] = state
            result = await super().request(method, repeated, on_progress)
        return result

    def _with_envelope(self, params: object) -> dict[str, Any]:
        members = _members(params)
        members["_meta"] = {**(members.get("_meta") or {}), **self._envelope}
        return members

    def _may_ask(self, method: str, result: Any) -> bool:
        """Whether the handler is to answer what a result asks for. What was not declared is reported already."""
        inputs: dict[str, Any] = result.input_requests or {}
        if not self._implemented.issuperset(asked.method for asked in inputs.values()):
            return False
        if self.checker is None or self.link.enforcement != "enforce":
            return True
        found = self.checker.check(method, result=result, sender=self.peer_side)
        return all(violation.severity != "error" for violation in found)

    async def _answered(self, asked: Any) -> Any:
        """What the handler answers to a request inside a result."""
        handle = getattr(self.handler, self.handler.role.methods[asked.method])
        context = RequestContext(None, asked.method, asked.params, self, self.checker)
        return from_json(encode(await self.inputs.answer(handle, context)))


def envelope_version(params: Any) -> str | None:
    """The version that a request names; None if it names none."""
    meta = raw_member(params, "_meta", "meta")
    found = None if meta is UNSET else raw_member(meta, _PROTOCOL_VERSION, "protocol_version")
    return found if isinstance(found, str) else None


def _progress_token(params: Any) -> int | str | None:
    """The progress token that params have already."""
    meta = raw_member(params, "_meta", "meta")
    found = UNSET if meta is UNSET else raw_member(meta, "progressToken", "progress_token")
    return found if isinstance(found, (int, str)) else None


def unsupported(requested: str, supported: tuple[str, ...]) -> RpcError:
    """The error that refuses a version."""
    data = {"requested": requested, "supported": list(supported)}
    return RpcError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)


def no_envelope() -> RpcError:
    """The error that refuses a request of a version without a handshake that does not say which it is of."""
    return RpcError(INVALID_PARAMS, f"the request names no {_PROTOCOL_VERSION}", {"pointer": "/params/_meta"})


async def _pong(_: object) -> dict[str, Any]:
    return {}


def _members(params: object) -> dict[str, Any]:
    """Params as parsed JSON that may be changed."""
    if params is UNSET or params is None:
        return {}
    return cast("dict[str, Any]", from_json(encode(params)))
