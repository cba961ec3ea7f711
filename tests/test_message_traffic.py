"""Sessions recorded between real peers, where they are present, line by line as `decode_message` reads them.

What a version's schema accepts has to come back unchanged. What it does not accept is listed in `refused_messages`,
and the independent validator has to agree on both.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import wiretypes
from fidelity.cases import Judge
from fidelity.json_values import JSON, read_lines, same
from fidelity.oracle import Oracle, oracle
from fidelity.schema_methods import SENDERS, SchemaMethod, schema_methods
from fidelity.shared import material
from refused_messages import REFUSED
from wiretypes import VersionModule, encode
from wiretypes.jsonrpc import MessageError

ACP_VERSIONS = {"1": ("v1", "v1-unstable"), "2": ("v2", "v2-unstable")}
META_VERSION = "io.modelcontextprotocol/protocolVersion"


class Sent(NamedTuple):
    """A line of a session: who sent it, and a message or, where somebody tried one, a batch."""

    sender: str
    message: JSON


class Outcome(NamedTuple):
    """Where a line of a session failed, or that it came back changed."""

    scenario: str
    version: str
    pointer: str


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_recorded_messages_come_back(file: Path) -> None:
    protocol = "acp" if file.stem.startswith("acp-") else "mcp"
    refused: Counter[Outcome] = Counter()
    for scenario, session in _sessions(protocol, file).items():
        for version in _versions(protocol, session):
            refused.update(Outcome(scenario, version, pointer) for pointer in _refused(protocol, version, session))
    listed = Counter(
        {
            Outcome(scenario, version, refusal.pointer): count
            for refusal in REFUSED
            for scenario, count in Counter(refusal.messages.get(file.stem, "").split()).items()
            for version in refusal.versions
        }
    )
    assert refused == listed


def _refused(protocol: str, version: str, session: list[Sent]) -> Iterator[str]:
    """The pointers at which lines of a session are refused; `changed` for what leniency reads as something else."""
    module = wiretypes.load(protocol, version)
    asked: dict[str, dict[object, str]] = {sender: {} for sender in SENDERS[protocol]}
    for sender, message in session:
        for part in _messages(message):
            if "method" in part and "id" in part:
                asked[sender][part["id"]] = str(part["method"])
        methods = next(asked[side] for side in asked if side != sender)
        expected = _expected(protocol, version, sender, message, methods)
        if expected is not None and not same(message, expected[0]):
            yield "changed"
        for data in (message, json.dumps(message), json.dumps(message).encode()):
            back = _back(module, data, sender, methods)
            assert isinstance(back, str) == (expected is None), (message, back)
            assert isinstance(back, str) or (expected and same(back[0], expected[0])), (message, back)
        if isinstance(back, str):
            yield back


def _back(module: VersionModule, data: object, sender: str, methods: dict[object, str]) -> tuple[JSON] | str:
    """What a line is after it was read and written, or where it is refused."""
    try:
        read = module.decode_message(data, sender=sender, results=methods)
    except MessageError as error:
        return error.pointer
    return (json.loads(encode(read)),)


def _expected(
    protocol: str, version: str, sender: str, message: JSON, methods: dict[object, str]
) -> tuple[JSON] | None:
    """What comes back of a line when it is read by the schema alone; None where the schema refuses it."""
    judge = oracle(protocol, version)
    if isinstance(message, list) and "JSONRPCBatchRequest" in judge.definitions:
        parts = [_expected(protocol, version, sender, part, methods) for part in message]
        return None if None in parts else ([part[0] for part in parts if part],)
    if not isinstance(message, dict) or not _is_message(judge, sender, message):
        return None
    described = {
        name: method
        for (name, side), method in schema_methods(judge).items()
        if (side == sender) == ("method" in message)
    }
    method = described.get(str(message["method"]) if "method" in message else methods.get(message["id"], ""))
    pointer, member = _typed(method, message)
    if pointer is None:
        return (message,)
    if member not in message:
        return (message,) if _optional(judge, pointer) else None
    case = Judge.of(judge).case(pointer, message[member])
    return None if case.refused else ({**message, member: case.expected},)


def _is_message(judge: Oracle, sender: str, message: dict[str, JSON]) -> bool:
    """Whether it is a message to the schema, params and results aside.

    What it is meant to be is clear from its members: with an id that is none, a request is no notification, and a
    response has either a result or an error.
    """
    is_call = "method" in message
    if not is_call and ("result" in message) == ("error" in message):
        return False
    kind = ("Request" if "id" in message else "Notification") if is_call else "Response"
    if judge.protocol == "acp":
        return message.get("jsonrpc") == "2.0" and judge.accepts(f"{sender.capitalize()}{kind}", message)
    if not is_call:
        names = ("JSONRPCErrorResponse", "JSONRPCError") if "error" in message else ("JSONRPCResultResponse",)
        kind = next((name for name in names if name in judge.definitions), "JSONRPCResponse")
    return judge.accepts(kind if kind.startswith("JSONRPC") else f"JSONRPC{kind}", message)


def _typed(method: SchemaMethod | None, message: dict[str, JSON]) -> tuple[str | None, str]:
    """Where the schema describes the params or the result of a message."""
    if method is None:
        return None, ""
    if "method" not in message:
        return (method.result if "result" in message else None), "result"
    kind = "request" if "id" in message else "notification"
    return (method.params if method.kind == kind else None), "params"


def _optional(judge: Oracle, params: str) -> bool:
    """Whether the params at a pointer may be left out."""
    if judge.protocol == "acp":
        return judge.accepts(params, {})
    return "params" not in judge.definitions[params.split("/")[2]]["required"]


# --- sessions --------------------------------------------------------------------------------------------------------


def _sessions(protocol: str, file: Path) -> dict[str, list[Sent]]:
    """The sessions of a recording by their names; a recording of one has no name for it."""
    client, server = SENDERS[protocol]
    sessions: dict[str, list[Sent]] = {}
    for row in read_lines(file):
        if row.get("message") is not None:
            sender = client if row["dir"] == "c2s" else server
            sessions.setdefault(str(row.get("scenario", "-")), []).append(Sent(sender, row["message"]))
    return sessions


def _messages(message: JSON) -> list[dict[str, JSON]]:
    items = message if isinstance(message, list) else [message]
    return [item for item in items if isinstance(item, dict)]


def _versions(protocol: str, session: list[Sent]) -> list[str]:
    """The versions that a session speaks: what the handshake agreed on, else what requests say, else all."""
    agreed: set[str] = set()
    said: set[str] = set()
    for message in (part for sent in session for part in _messages(sent.message)):
        result, params = message.get("result"), message.get("params")
        if isinstance(result, dict) and "protocolVersion" in result:
            number = str(result["protocolVersion"])
            agreed.update(ACP_VERSIONS.get(number, ()) if protocol == "acp" else (number,))
        if isinstance(params, dict) and isinstance(meta := params.get("_meta"), dict):
            said.add(str(meta.get(META_VERSION)))
    known = wiretypes.VERSIONS[protocol]
    return [version for version in known if version in (agreed or said)] or list(known)
