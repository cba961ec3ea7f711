"""The parts of a generated package: what each brings, and which others it imports."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Part:
    """One part: the support modules that not all use, and the parts without which it cannot be imported."""

    modules: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


PARTS: Final[Mapping[str, Part]] = {
    "models": Part(),
    "messages": Part(
        ("jsonrpc", "message_decoder", "message_schemas", "message_versions", "picklable"), needs=("models",)
    ),
    "capabilities": Part(
        (
            "acp_negotiation",
            "capability_rules",
            "checks",
            "declarations",
            "features",
            "gates",
            "mcp_negotiation",
            "negotiation",
            "peer_warnings",
            "peers",
            "picklable",
            "violations",
        ),
        needs=("models",),
    ),
    "dispatch": Part(
        (
            "acp_connection",
            "arrivals",
            "caller",
            "connection",
            "declared",
            "grace",
            "handler",
            "limits",
            "lines",
            "mcp_connection",
            "mcp_inputs",
            "mcp_sessions",
            "open_calls",
            "opening",
            "outbox",
            "program",
            "request_context",
            "rpc_errors",
            "served_requests",
            "served_versions",
            "session",
            "standard_streams",
            "stdio",
            "tasks",
            "translation",
        ),
        needs=("messages", "capabilities"),
    ),
}


def with_needed(names: Iterable[str]) -> tuple[str, ...]:
    """The parts of these names and all that they need, in the order of `PARTS`."""
    chosen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in chosen:
            chosen.add(name)
            waiting += PARTS[name].needs
    return tuple(name for name in PARTS if name in chosen)


def left_out(names: Iterable[str]) -> frozenset[str]:
    """The support modules that a package of these parts does without: those that only others use."""
    used = {module for name in names for module in PARTS[name].modules}
    return frozenset(module for part in PARTS.values() for module in part.modules if module not in used)
