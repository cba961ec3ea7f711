"""What every version module offers."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

__all__ = ["Method", "VersionModule"]


class Method(NamedTuple):
    """One method of a protocol version, as one side sends it."""

    name: str
    """The method's name on the wire."""
    kind: Literal["request", "notification"]
    """Whether it is answered."""
    sender: str
    """The side that sends it: `client`, `agent` or `server`."""
    params: Any
    """Type of the params; None where the method has none."""
    result: Any
    """Type of the result; None for a notification."""


class VersionModule(Protocol):
    """A module that holds one version of one protocol."""

    @property
    def PROTOCOL(self) -> str:  # noqa: N802
        """`acp` or `mcp`."""
        ...

    @property
    def VERSION(self) -> str:  # noqa: N802
        """Name of the version, as in `VERSIONS`."""
        ...

    @property
    def PROTOCOL_VERSION(self) -> int | str:  # noqa: N802
        """What `protocolVersion` says on the wire."""
        ...

    @property
    def TYPES(self) -> Mapping[str, Any]:  # noqa: N802
        """Each definition of the schema, by name: a class or an alias."""
        ...

    @property
    def METHODS(self) -> Mapping[tuple[str, str], Method]:  # noqa: N802
        """Each method, by its name and the side that sends it."""
        ...
