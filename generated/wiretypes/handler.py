"""The bases of all handlers: what answers one side of a connection, and what it says of itself."""

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from .caller import Caller, Calls
from .capability_rules import VersionRules
from .declared import Declaring, Role, check, declared, overridden, problems
from .model import Model
from .request_context import RequestContext, current_request
from .rpc_errors import MethodNotFound

__all__ = ["AcpHandler", "Bound", "Handler", "McpHandler", "MethodNotFound", "Role"]

P = TypeVar("P", bound=Caller)
N = TypeVar("N")
M = TypeVar("M", bound=Model)

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Bound(Calls, Protocol):
    """What a handler knows of the connection that it serves, once the version is settled."""

    rules: VersionRules
    """The rules of that version."""
    protocol_version: int | str
    """That version on the wire."""
    supported: tuple[Any, ...]
    """All versions that this side of the connection serves, on the wire."""

    @property
    def negotiated(self) -> Any:
        """What both sides declared; None as long as this side has not."""
        ...


class Handler(Generic[P, N]):
    """Answers what one side of a connection is sent. An instance serves one connection.

    A request that is not overridden is answered with method-not-found, a notification is ignored. Requests are handled
    concurrently. Notifications are handled one at a time, in order, and an answer of the peer waits for those that came
    before it: the handler of a notification may wait for answers to requests of its own, not for those of others.
    """

    role: ClassVar[Role]
    """Which side of which version this class is for."""
    info: ClassVar[Any] = None
    """What this side is."""
    features: ClassVar[tuple[Any, ...]] = ()
    """What it supports beyond what the overridden methods say."""
    auth_methods: ClassVar[tuple[Any, ...]] = ()
    """How a user can sign in, where the protocol asks."""
    request: ClassVar[ContextVar[RequestContext]] = current_request
    """The message that is being handled: its id, method, progress token and `_meta`."""

    peer: P
    """Calls the other side. There before the first call of a method."""

    _connection: object = None
    _bound: Bound | None = None

    @property
    def negotiated(self) -> N:
        """What both sides declared, and so what each may send. There before the first call of a method."""
        if self._bound is None:
            raise RuntimeError("the version of the connection is not settled")
        found: N = self._bound.negotiated
        return found

    async def extension_request(self, method: str, params: Any) -> Any:  # noqa: ARG002
        """A request that the version does not define; params and result are parsed JSON, None for absent params."""
        raise MethodNotFound(method)

    async def extension_notification(self, method: str, params: Any) -> None:
        """A notification that the version does not define; params are parsed JSON, None for absent ones."""

    def problems(self) -> tuple[str, ...]:
        """What is declared and not implemented, and what is implemented and not declared. Nothing is refused for it."""
        role = self.role
        try:
            message = self.declared_in(role.rules, role.protocol.held[role.version][1], role.message)
        except ValueError as error:
            return (str(error),)
        return tuple(problems(self.declares(), message))

    def declaration(self, type_: type[M]) -> M:
        """The message in which this side declares itself: what `initialize` answers unless it is overridden.

        Args:
            type_: the class of the message.

        Raises:
            RuntimeError: the version of the connection is not settled.
        """
        if self._bound is None:
            raise RuntimeError("the version of the connection is not settled")
        return self.declared_in(self._bound.rules, self._bound.protocol_version, type_)

    def declared_in(self, rules: VersionRules, protocol_version: int | str, type_: type[M]) -> M:
        """The message in which this side declares itself in a version, which may be older than that of the class.

        Args:
            rules: the capability rules of the version.
            protocol_version: the version on the wire.
            type_: the class of the message.

        Raises:
            ValueError: `info` is not set although the version wants it, or `features` has a name that is none.
        """
        return declared(self.declares(), rules, protocol_version, type_, _NOTHING)

    def declares(self) -> Declaring:
        """What the handler says of itself."""
        implemented = overridden(self, self.role)
        return Declaring(type(self).__name__, self.role, implemented, self.info, self.features, self.auth_methods)

    def claim(self, connection: object) -> None:
        """Take the handler for a connection, which does this.

        Raises:
            ValueError: it serves another connection, or cannot declare itself.
        """
        if self._connection is not None and self._connection is not connection:
            raise ValueError(f"an instance of {type(self).__name__} serves one connection, and this one has its own")
        check(self.declares())
        self._connection = connection

    def bind(self, bound: Bound) -> None:
        """Give the handler its side of a settled version, which the connection does."""
        peer: Any = self.role.caller(bound)
        self._bound, self.peer = bound, peer


class AcpHandler(Handler[P, N]):
    """Answers one side of an ACP connection."""

    def declaration(self, type_: type[M]) -> M:
        """As that of every handler, without the ways to sign in that the client does not support."""
        made = super().declaration(type_)
        negotiated: Any = self.negotiated
        if self.auth_methods and negotiated is not None:
            offered = [
                method
                for method in self.auth_methods
                if not negotiated.check("initialize", result={"authMethods": [method]}, sender=self.role.side)
            ]
            setattr(made, "auth_methods", offered)  # noqa: B010  (a field of this version's class)
        return made


class McpHandler(Handler[P, N]):
    """Answers one side of an MCP connection."""

    also: ClassVar[tuple[str, ...]] = ()
    """Older versions that the class serves too, of those that `initialize` opens.

    Their messages are checked against that version and handed over as those of the class. A result that the older
    version cannot say is an internal error to the peer, and the log tells what is wrong with it. A notification that
    the class cannot say goes to `extension_notification`; what the older version does not define, and the class has
    another use for, is left out.
    """

    def declared_in(self, rules: VersionRules, protocol_version: int | str, type_: type[M]) -> M:
        """As that of every handler; what `server/discover` says besides is that nothing of it may be kept."""
        discovered: dict[str, Any] = {}
        if "supported_versions" in type_.model_fields:
            supported = (protocol_version,) if self._bound is None else self._bound.supported
            discovered = {"supported_versions": list(supported), "cache_scope": "private", "ttl_ms": 0}
        return declared(self.declares(), rules, protocol_version, type_, discovered)
