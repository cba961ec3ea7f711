"""The versions that one side of a connection serves, and by which handler."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final, TypeAlias, cast

from .capability_rules import ProtocolRules, VersionRules
from .handler import Handler, McpHandler
from .mcp_negotiation import opening_method
from .message_versions import VersionModule

__all__ = ["AnyHandler", "ServedVersions"]

AnyHandler: TypeAlias = Handler[Any, Any]
"""A handler of any side and version."""


class ServedVersions:
    """The handlers of one side, by the versions on the wire that they serve. Classes are called to make instances."""

    def __init__(self, protocol: ProtocolRules, side: str, handlers: Sequence[AnyHandler | type[AnyHandler]]) -> None:
        self.protocol = protocol
        self.side = side
        self._served: dict[Any, tuple[AnyHandler, str]] = {}
        for given in handlers:
            self._add(given() if isinstance(given, type) else given)
        if not self._served:
            raise ValueError("a connection needs a handler")
        self.numbers: Final[tuple[Any, ...]] = tuple(sorted(self._served))
        """The versions on the wire, in ascending order."""

    def claim(self, connection: object) -> None:
        """Take the handlers for a connection; raises ValueError if one serves another."""
        for handler, _ in self._served.values():
            handler.claim(connection)

    def handler(self, number: Any) -> AnyHandler:
        """The handler of a version."""
        return self._served[number][0]

    def version(self, number: Any) -> str:
        """Name of a version, as in `VERSIONS`."""
        return self._served[number][1]

    def module(self, version: str) -> VersionModule:
        """The module of a version by its name."""
        return cast("VersionModule", self._import(self.protocol.held[version][0]))

    def rules(self, version: str) -> VersionRules:
        """The rules of a version by its name."""
        return cast("VersionRules", self._import(f"rules.{self.protocol.held[version][0]}").RULES)

    def _import(self, name: str) -> Any:
        return import_module(f".{self.protocol.name}.{name}", __package__)

    def _add(self, handler: AnyHandler) -> None:
        role = handler.role
        if role.protocol is not self.protocol or role.side != self.side:
            raise ValueError(f"{type(handler).__name__} is no handler of an {self.protocol.title} {self.side}")
        for version in (role.version, *self._also(handler)):
            number: Any = self.protocol.held[version][1]
            if number in self._served:
                other = type(self._served[number][0]).__name__
                raise ValueError(f"{other} and {type(handler).__name__} both serve {self.protocol.title} {number}")
            self._served[number] = (handler, version)

    def _also(self, handler: AnyHandler) -> Iterable[str]:
        if not isinstance(handler, McpHandler):
            return ()
        for version in handler.also:
            self._check_also(handler, version)
        return handler.also

    def _check_also(self, handler: AnyHandler, version: str) -> None:
        name = f"{type(handler).__name__}.also"
        if version not in self.protocol.held:
            held = ", ".join(self.protocol.held)
            raise ValueError(f"{name}: no {self.protocol.title} {version} in this package, which holds {held}")
        if version >= handler.role.version or opening_method(version) != "initialize":
            raise ValueError(f"{name}: {version} is no older version that initialize opens")
