"""Sessions recorded between real peers, where the shared material has them: who sent what, in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

from fidelity.json_values import JSON, read_lines

Side: TypeAlias = Literal["client", "server"]
"""Who sends: the client, or the agent or server that it opened the session with."""
Members: TypeAlias = dict[str, JSON]

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"


@dataclass(frozen=True)
class Step:
    """One message of a session."""

    sender: Side
    message: JSON
    """A batch is a list."""


@dataclass(frozen=True, eq=False)
class Recording:
    """One session."""

    name: str
    """Name of the file, and of the scenario where the file has several."""
    protocol: str
    steps: tuple[Step, ...]
    is_probe: bool
    """Whether it tries what a peer makes of an odd message; all scenarios are probes."""

    @property
    def versions(self) -> tuple[str, ...]:
        """What the session comes to: the versions in the server's answers, or else those that requests name."""
        results = [members(members(step.message).get("result")) for step in self.steps if step.sender == "server"]
        answered = [result["protocolVersion"] for result in results if "protocolVersion" in result]
        for result in results:
            answered += cast("list[JSON]", result.get("supportedVersions", []))
        return tuple(dict.fromkeys(str(version) for version in answered or self._requested()))

    def _requested(self) -> Iterator[JSON]:
        for step in self.steps:
            meta = members(members(members(step.message).get("params")).get("_meta"))
            if step.sender == "client" and VERSION_KEY in meta:
                yield meta[VERSION_KEY]

    @property
    def methods(self) -> frozenset[str]:
        """The methods of all requests and notifications."""
        messages = [members(step.message) for step in self.steps]
        return frozenset(str(message["method"]) for message in messages if "method" in message)

    def answer(self, sender: Side, request_id: JSON) -> Members | None:
        """What the other side answered to a request; None for nothing."""
        for step in self.steps:
            message = members(step.message)
            if step.sender != sender and "method" not in message and message.get("id", "") == request_id:
                return message
        return None


def members(value: JSON) -> Members:
    """The members of an object; none for anything else."""
    return value if isinstance(value, dict) else {}


@cache
def recordings(file: Path) -> list[Recording]:
    """The sessions of a file."""
    protocol = "acp" if file.stem.startswith("acp-") else "mcp"
    scenarios: dict[str, list[Step]] = {}
    for row in read_lines(file):
        steps = scenarios.setdefault(str(row.get("scenario", "")), [])
        steps += _steps(row)
    return [
        Recording(f"{file.stem} {scenario}".strip(), protocol, tuple(steps), scenario != "")
        for scenario, steps in scenarios.items()
    ]


def _steps(row: Members) -> Iterator[Step]:
    sender = {"c2s": "client", "s2c": "server"}.get(str(row.get("dir")))
    # A row without a message marks that nothing was answered.
    if sender is not None and row.get("message") is not None:
        yield Step(cast("Side", sender), row["message"])
