"""What version negotiation of both protocols has in common: the failure, and the errors that name versions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

__all__ = ["UnsupportedProtocolVersion", "VersionMismatch"]

V = TypeVar("V", int, str)

UNSUPPORTED_PROTOCOL_VERSION: Final = -32022
"""Code of the error by which both protocols refuse a version."""


class VersionMismatch(Exception):
    """The two sides did not agree on a version: close the connection and tell the user."""

    message: str
    """Text for the user."""
    supported: tuple[int | str, ...]
    """What the answering side, agent or server, is known to support; empty if it did not say."""
    answer: object
    """What it answered; None for nothing."""

    def __init__(self, message: str, supported: Iterable[int | str] = (), answer: object = None) -> None:
        super().__init__(message)
        self.message = message
        self.supported = tuple(supported)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class UnsupportedProtocolVersion(Generic[V]):
    """Error -32022: the answering side does not support the version that was requested."""

    requested: V | None
    """The version that was requested; None if the error does not say."""
    supported: tuple[V, ...]
    """Those that the answering side supports."""


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """The parts of a JSON-RPC error."""

    code: int
    """What kind of error it is."""
    message: str
    """What went wrong, for people."""
    data: object
    """Details in a form that depends on the code; None where there are none."""


def read_error(answer: object) -> ErrorAnswer | None:
    """The error in an answer: a response or the error alone, as model or parsed JSON. None for anything else."""
    error = member(answer, "error")
    if error is None:
        error = answer
    code = member(error, "code")
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    return ErrorAnswer(code, str(member(error, "message")), member(error, "data"))


def read_unsupported_version(
    error: ErrorAnswer | None, is_version: Callable[[object], V | None]
) -> UnsupportedProtocolVersion[V] | None:
    """The data of error -32022; None for another error, or for one that names no supported versions."""
    if error is None or error.code != UNSUPPORTED_PROTOCOL_VERSION:
        return None
    supported = versions_in(member(error.data, "supported"), is_version)
    if supported is None:
        return None
    return UnsupportedProtocolVersion(is_version(member(error.data, "requested")), supported)


def versions_in(values: object, is_version: Callable[[object], V | None]) -> tuple[V, ...] | None:
    """The versions in a list; None if it is no list, or holds anything else."""
    if not isinstance(values, list | tuple):
        return None
    versions = tuple(map(is_version, cast("list[object]", values)))
    known = tuple(version for version in versions if version is not None)
    return known if len(known) == len(versions) else None


def member(value: Any, wire_name: str, name: str | None = None) -> Any:
    """A member of parsed JSON or of a model, by its name on the wire and in Python; None where it is absent."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value).get(wire_name)
    return getattr(value, name or wire_name, None)


def listed(versions: Iterable[int | str]) -> str:
    """Versions as a text says them."""
    return ", ".join(map(str, versions)) or "none"
