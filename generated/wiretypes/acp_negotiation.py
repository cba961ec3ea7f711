"""Version negotiation of the Agent Client Protocol, whose versions are integers from 0 to 65535.

Nothing is coerced: `"1"`, `true`, `null` and a date are no versions. `1.0` is the integer 1, as JSON Schema says.
"""

from collections.abc import Iterable

from .negotiation import (
    UnsupportedProtocolVersion,
    VersionMismatch,
    listed,
    read_error,
    read_unsupported_version,
)

__all__ = ["UnsupportedProtocolVersion", "VersionMismatch", "accept", "negotiate", "unsupported_protocol_version"]


def negotiate(requested: int, supported: Iterable[int]) -> int:
    """The version with which an agent answers `initialize`: the requested one, else the latest that it supports.

    Args:
        requested: `protocolVersion` of the request.
        supported: the versions that the agent supports.

    Raises:
        ValueError: if the request names no version, so that the answer is error -32602 (invalid params), or if
            `supported` is empty or holds anything but versions.
    """
    known = _supported(supported)
    version = _version(requested)
    if version is None:
        raise ValueError(f"{requested!r} is no ACP version: that is an integer from 0 to 65535")
    return version if version in known else max(known)


def accept(offered: int, answer: object, supported: Iterable[int]) -> int:
    """The version that a connection has after `initialize`, as the client decides.

    Args:
        offered: `protocolVersion` of the client's request.
        answer: `protocolVersion` of the result, or an error: the response or its error, as model or parsed JSON.
        supported: the versions that the client supports.

    Raises:
        VersionMismatch: if the client does not support the answer, or the answer is an error or no version at all.
            Where the agent refused and names a version that the client supports, a new connection may offer that one.
        ValueError: if `supported` is empty or holds anything but versions.
    """
    known = _supported(supported)
    speaks = f"this client offered {offered} and supports {listed(known)}"
    version = _version(answer)
    if version in known:
        return version
    if version is not None:
        raise VersionMismatch(f"the agent chose ACP version {version}, {speaks}", (version,), answer)
    if (unsupported := unsupported_protocol_version(answer)) is not None:
        raise VersionMismatch(
            f"the agent supports ACP version {listed(unsupported.supported)}, {speaks}", unsupported.supported, answer
        )
    if (error := read_error(answer)) is not None:
        raise VersionMismatch(f"the agent refused to initialize: {error.message} ({error.code})", (), answer)
    raise VersionMismatch(f"the agent answered {answer!r}, which is no ACP version", (), answer)


def unsupported_protocol_version(answer: object) -> UnsupportedProtocolVersion[int] | None:
    """The data of error -32022 in a response or an error, as model or parsed JSON; None for anything else."""
    return read_unsupported_version(read_error(answer), _version)


def _version(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= 65535 else None


def _supported(versions: Iterable[int]) -> tuple[int, ...]:
    known = tuple(versions)
    if not known or any(_version(version) is None for version in known):
        raise ValueError(f"the supported versions have to be ACP versions, at least one: {known!r}")
    return tuple(sorted(known))
