"""Sessions recorded between real peers, where they are present: every message, and its params or result by METHODS."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import wiretypes
from fidelity.cases import Case, Judge
from fidelity.counts import measure
from fidelity.json_values import JSON, read_lines
from fidelity.oracle import oracle
from fidelity.package import Package
from fidelity.schema_methods import SENDERS, schema_methods
from fidelity.shared import material

ACP_VERSIONS = {"1": ("v1", "v1-unstable"), "2": ("v2", "v2-unstable")}
META_VERSION = "io.modelcontextprotocol/protocolVersion"


class Sent(NamedTuple):
    """A message of a session and who sent it."""

    sender: str
    message: dict[str, JSON]


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_traffic(file: Path) -> None:
    protocol = "acp" if file.stem.startswith("acp-") else "mcp"
    checked = 0
    for session in _sessions(protocol, file):
        for version in _versions(protocol, session):
            types: dict[str, Any] = {}
            cases = list(_cases(protocol, version, session, types))
            tally = measure(Package(types), cases)
            assert not tally.failed, tally.report()
            checked += len(cases)
    assert checked >= len(read_lines(file))


def _sessions(protocol: str, file: Path) -> list[list[Sent]]:
    """The sessions of a recording: a scenario each, or all of it. Batches are told apart into their messages."""
    client, server = SENDERS[protocol]
    sessions: dict[str, list[Sent]] = {}
    for row in read_lines(file):
        content = row.get("message")
        messages = content if isinstance(content, list) else [content]
        sender = client if row.get("dir") == "c2s" else server
        session = sessions.setdefault(str(row.get("scenario")), [])
        session += [Sent(sender, message) for message in messages if isinstance(message, dict)]
    return list(sessions.values())


def _versions(protocol: str, session: list[Sent]) -> list[str]:
    """The versions that a session speaks: what was agreed on, or all when nothing was."""
    known = wiretypes.VERSIONS[protocol]
    agreed: list[str] = []
    for _, message in session:
        result, params = message.get("result"), message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        if isinstance(result, dict):
            agreed.append(str(result.get("protocolVersion")))
        if isinstance(meta, dict):
            agreed.append(str(meta.get(META_VERSION)))
    if protocol == "acp":
        agreed = [version for number in agreed for version in ACP_VERSIONS.get(number, ())]
    return [version for version in known if version in agreed] or list(known)


def _cases(protocol: str, version: str, session: list[Sent], types: dict[str, Any]) -> Iterator[Case]:
    """The cases of a session; the type of each goes into `types` under the name of the case."""
    judge = Judge.of(oracle(protocol, version))
    for name, type_, value in _typed(protocol, version, session):
        types[name] = type_
        yield judge.case(name, value)


def _typed(protocol: str, version: str, session: list[Sent]) -> Iterator[tuple[str, Any, JSON]]:
    """Each message as its envelope, then its params or result as METHODS has them."""
    module = wiretypes.load(protocol, version)
    described = schema_methods(oracle(protocol, version))
    asked: dict[tuple[str, str], tuple[str, str]] = {}
    for sender, message in session:
        for name in _envelopes(sender, message):
            if name in module.TYPES:
                yield name, module.TYPES[name], message
        key = (str(message.get("method")), sender)
        if key in described:
            assert key in module.METHODS, f"{protocol} {version} sends {key}, which METHODS lacks"
            asked[sender, repr(message.get("id"))] = key
            pointer = described[key].params
            if pointer is not None and "params" in message:
                yield pointer, module.METHODS[key].params, message["params"]
        answered = asked.get((_other(protocol, sender), repr(message.get("id"))))
        if "result" in message and answered is not None:
            pointer = described[answered].result
            if pointer is not None:
                yield pointer, module.METHODS[answered].result, message["result"]


def _other(protocol: str, sender: str) -> str:
    one, other = SENDERS[protocol]
    return other if sender == one else one


def _envelopes(sender: str, message: dict[str, JSON]) -> list[str]:
    """The definitions, in either protocol, that may hold the whole message."""
    side = sender.capitalize()
    if "method" in message:
        kind = "Request" if "id" in message else "Notification"
        return [f"{side}{kind}", f"JSONRPC{kind}", "JSONRPCMessage"]
    if "error" in message:
        return [f"{side}Response", "JSONRPCError", "JSONRPCErrorResponse", "JSONRPCMessage"]
    return [f"{side}Response", "JSONRPCResponse", "JSONRPCResultResponse", "JSONRPCMessage"]
