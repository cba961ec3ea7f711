"""Version negotiation of the Model Context Protocol, whose versions are dates.

Versions up to 2025-11-25 are agreed on by `initialize`. From 2026-07-28 on there is no handshake: each request names
its version, and `server/discover` tells which ones the server supports. A client that speaks both kinds starts with
`server/discover`; see `first_step` and `next_step`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, TypeAlias

from .negotiation import (
    UnsupportedProtocolVersion,
    VersionMismatch,
    listed,
    member,
    read_error,
    read_unsupported_version,
    versions_in,
)

__all__ = [
    "Discover",
    "GiveUp",
    "Initialize",
    "MissingClientCapability",
    "Step",
    "UnsupportedProtocolVersion",
    "UseVersion",
    "VersionMismatch",
    "accept",
    "first_step",
    "missing_client_capability",
    "negotiate",
    "next_step",
    "opening_method",
    "unsupported_protocol_version",
]

_FIRST_WITHOUT_HANDSHAKE: Final = "2026-07-28"
_HEADER_MISMATCH: Final = -32020
_MISSING_CLIENT_CAPABILITY: Final = -32021


def opening_method(version: str) -> Literal["initialize", "server/discover"]:
    """The request by which a version is reached."""
    return "initialize" if version < _FIRST_WITHOUT_HANDSHAKE else "server/discover"


# --- initialize ---


def negotiate(requested: str, supported: Iterable[str]) -> str:
    """The version with which a server answers `initialize`: the requested one, else the latest that it supports.

    Only versions that are reached by `initialize` count.

    Args:
        requested: `protocolVersion` of the request; any string, also of a version that nobody knows.
        supported: the versions that the server supports.

    Raises:
        VersionMismatch: if the server supports no version that is reached by `initialize`. Its error should name those
            that it supports.
        ValueError: if the request names no version, so that the answer is error -32602 (invalid params), or if
            `supported` is empty or holds anything but dates.
    """
    known = _supported(supported)
    if _version(requested) is None:
        raise ValueError(f"{requested!r} is no MCP version: that is a string")
    reached = _reached_by("initialize", known)
    if not reached:
        raise VersionMismatch(f"this server supports {listed(known)}, without initialize", known, requested)
    return requested if requested in reached else reached[-1]


def accept(offered: str, answer: object, supported: Iterable[str]) -> str:
    """The version that a connection has after `initialize`, as the client decides.

    Args:
        offered: `protocolVersion` of the client's request.
        answer: `protocolVersion` of the result, or an error: the response or its error, as model or parsed JSON.
        supported: the versions that the client supports; only those that are reached by `initialize` count.

    Raises:
        VersionMismatch: if the client does not support the answer, or the answer is an error or no version at all.
        ValueError: if `supported` is empty or holds anything but dates.
    """
    known = _supported(supported)
    speaks = f"this client offered {offered} and supports {listed(known)}"
    version = _version(answer)
    if version is not None:
        if version not in known:
            raise VersionMismatch(f"the server chose MCP version {version}, {speaks}", (version,), answer)
        if opening_method(version) != "initialize":
            message = f"the server answered initialize with MCP version {version}, which has no such handshake"
            raise VersionMismatch(message, (version,), answer)
        return version
    if (unsupported := unsupported_protocol_version(answer)) is not None:
        raise VersionMismatch(
            f"the server supports MCP version {listed(unsupported.supported)}, {speaks}", unsupported.supported, answer
        )
    if (error := read_error(answer)) is not None:
        raise VersionMismatch(f"the server refused to initialize: {error.message} ({error.code})", (), answer)
    raise VersionMismatch(f"the server answered {answer!r}, which is no MCP version", (), answer)


# --- which kind of server it is ---


@dataclass(frozen=True, slots=True)
class Discover:
    """Send `server/discover` next."""

    version: str
    """The version to send it with."""
    refused: tuple[str, ...] = ()
    """Versions that the server refused, which are not tried again."""


@dataclass(frozen=True, slots=True)
class Initialize:
    """Send `initialize` next."""

    version: str
    """The version to offer."""
    refused: tuple[str, ...] = ()
    """Versions that the server refused, which are not tried again."""


@dataclass(frozen=True, slots=True)
class UseVersion:
    """The server is known, for as long as it runs: go on with the version that both sides support."""

    version: str
    """That version."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Close the connection and tell the user."""

    message: str
    """Text for the user."""
    supported: tuple[str, ...] = ()
    """What the server is known to support; empty if it did not say."""


Step: TypeAlias = Discover | Initialize | UseVersion | GiveUp
"""What a client does next."""


def first_step(supported: Iterable[str]) -> Discover | Initialize:
    """What a client that supports these versions sends first.

    Raises:
        ValueError: if `supported` is empty or holds anything but dates.
    """
    known = _supported(supported)
    discovered = _reached_by("server/discover", known)
    return Discover(discovered[-1]) if discovered else Initialize(known[-1])


def next_step(sent: Discover | Initialize, answer: object, supported: Iterable[str]) -> Step:
    """What a client does after the answer to its first request, or to the one that this function told it to send.

    A DiscoverResult and the errors -32020, -32021 and -32022 come from a server without handshake: `initialize` follows
    only where the result or -32022 names a version that needs it, and none in common that does not. Any other error,
    whatever its code, a result that is no DiscoverResult, and silence come from a server with handshake.

    Args:
        sent: what the client sent.
        answer: the response, its result or its error, as model or parsed JSON; None if none came within the caller's
            timeout.
        supported: the versions that the client supports.

    Raises:
        ValueError: if `supported` is empty or holds anything but dates.
    """
    known = _supported(supported)
    if (unsupported := unsupported_protocol_version(answer)) is not None:
        return _after_refusal(sent, unsupported, known)
    result = member(answer, "result")
    if result is None:
        result = answer
    match sent:
        case Discover():
            return _after_discover(sent, result, known)
        case Initialize():
            return _after_initialize(sent, result, known)


def _after_refusal(
    sent: Discover | Initialize, refusal: UnsupportedProtocolVersion[str], known: tuple[str, ...]
) -> Step:
    refused = (*sent.refused, sent.version)
    common = tuple(version for version in known if version in refusal.supported and version not in refused)
    if discovered := _reached_by("server/discover", common):
        return Discover(discovered[-1], refused)
    if common:
        return Initialize(common[-1], refused)
    message = f"the server refused MCP version {listed(refused)} and supports {listed(refusal.supported)}"
    return GiveUp(f"{message}, this client supports {listed(known)}", refusal.supported)


def _after_discover(sent: Discover, answer: object, known: tuple[str, ...]) -> UseVersion | Initialize | GiveUp:
    offered = versions_in(member(answer, "supportedVersions", "supported_versions"), _version)
    if offered is not None:
        common = tuple(version for version in known if version in offered and version not in sent.refused)
        if discovered := _reached_by("server/discover", common):
            return UseVersion(discovered[-1])
        if common:
            return Initialize(common[-1], (*sent.refused, sent.version))
        return GiveUp(f"the server supports MCP version {listed(offered)}, this client {listed(known)}", offered)
    error = read_error(answer)
    if error is not None and error.code in (_HEADER_MISMATCH, _MISSING_CLIENT_CAPABILITY):
        return GiveUp(f"the server refused server/discover: {error.message} ({error.code})")
    legacy = _reached_by("initialize", (version for version in known if version not in sent.refused))
    if legacy:
        return Initialize(legacy[-1], sent.refused)
    return GiveUp(f"the server knows no server/discover, this client supports {listed(known)}, without initialize")


def _after_initialize(sent: Initialize, answer: object, known: tuple[str, ...]) -> UseVersion | GiveUp:
    if answer is None:
        return GiveUp("the server does not answer initialize")
    error = read_error(answer)
    version = member(answer, "protocolVersion", "protocol_version")
    try:
        return UseVersion(accept(sent.version, version if error is None else answer, known))
    except VersionMismatch as mismatch:
        return GiveUp(mismatch.message, tuple(map(str, mismatch.supported)))


# --- the errors ---


@dataclass(frozen=True, slots=True)
class MissingClientCapability:
    """Error -32021: the request needs client capabilities that it did not declare."""

    required: Any
    """Those capabilities, as parsed JSON or a model."""


def unsupported_protocol_version(answer: object) -> UnsupportedProtocolVersion[str] | None:
    """The data of error -32022 in a response or an error, as model or parsed JSON; None for anything else."""
    return read_unsupported_version(read_error(answer), _version)


def missing_client_capability(answer: object) -> MissingClientCapability | None:
    """The data of error -32021 in a response or an error, as model or parsed JSON; None for anything else."""
    error = read_error(answer)
    if error is None or error.code != _MISSING_CLIENT_CAPABILITY:
        return None
    required = member(error.data, "requiredCapabilities", "required_capabilities")
    return None if required is None else MissingClientCapability(required)


def _version(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _reached_by(method: str, versions: Iterable[str]) -> tuple[str, ...]:
    return tuple(version for version in versions if opening_method(version) == method)


def _supported(versions: Iterable[str]) -> tuple[str, ...]:
    known = tuple(versions)
    if not known or not all(map(_is_date, known)):
        raise ValueError(f"the supported versions have to be dates such as 2025-11-25, at least one: {known!r}")
    return tuple(sorted(known))


def _is_date(version: object) -> bool:
    try:
        return isinstance(version, str) and date.fromisoformat(version).isoformat() == version
    except ValueError:
        return False
