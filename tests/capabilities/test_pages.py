"""The messages of the specifications' pages that declare capabilities: the features that the pages describe."""

from pathlib import Path
from typing import Any

import pytest
from fidelity.json_values import read_lines
from fidelity.shared import material
from wiretypes import acp, mcp

from .sides import AnyPeer

AGENT_V1 = {"session", "mcp.stdio"}
CLIENT_V2 = {"session.notices", "session.compaction", "config_options.boolean"}
SESSION_V2 = {"session", "session.list", "session.resume", "session.close"}
PROMPTS = {"prompt.image", "prompt.audio", "prompt.embedded_context"}
OLD_CLIENT = {"roots", "roots.list_changed", "sampling"}
OLD_SERVER = {
    *("logging", "prompts", "prompts.list_changed", "resources", "resources.subscribe", "resources.list_changed"),
    *("tools", "tools.list_changed"),
}

# By the page, and whether the client sends the message: what each of its messages declares, in their order.
EXPECTED: dict[str, list[tuple[str, bool, set[str]]]] = {
    "acp-v1": [
        ("v1/authentication", False, AGENT_V1 | {"auth.logout", "auth.login"}),
        ("v1/authentication", True, {"auth.terminal"}),
        ("v1/extensibility", False, AGENT_V1 | {"session.load"}),
        # The page puts what the client declares into the agent's answer: the agent declares nothing.
        ("v1/file-system", False, AGENT_V1),
        ("v1/initialization", True, {"fs.read_text_file", "fs.write_text_file", "terminal"}),
        ("v1/initialization", False, AGENT_V1 | PROMPTS | {"session.load", "mcp.http", "mcp.sse"}),
        ("v2/migration", True, {"fs.read_text_file", "fs.write_text_file", "terminal"}),
        (
            "v2/migration",
            False,
            AGENT_V1
            | {"session.load", "prompt.image", "prompt.embedded_context", "mcp.http"}
            | {"session.list", "session.resume", "session.close"},
        ),
        ("v1/session-delete", False, AGENT_V1 | {"session.delete"}),
        ("v1/session-list", False, AGENT_V1 | {"session.list"}),
        ("v1/session-setup", False, AGENT_V1 | {"session.load"}),
        ("v1/session-setup", False, AGENT_V1 | {"session.resume"}),
        ("v1/session-setup", False, AGENT_V1 | {"session.close"}),
        ("v1/session-setup", False, AGENT_V1 | {"mcp.http", "mcp.sse"}),
        # The same mistake as on the page about files.
        ("v1/terminals", False, AGENT_V1),
    ],
    "acp-v2": [
        ("v2/initialization", True, CLIENT_V2),
        ("v2/initialization", False, SESSION_V2 | PROMPTS | {"mcp.stdio", "mcp.http"}),
        ("v2/migration", True, CLIENT_V2),
        (
            "v2/migration",
            False,
            SESSION_V2
            | {"prompt.image", "prompt.embedded_context", "mcp.stdio", "mcp.http"}
            | {"session.delete", "session.additional_directories"},
        ),
    ],
    "mcp-2024-11-05": [
        ("basic/lifecycle", True, OLD_CLIENT),
        ("basic/lifecycle", False, OLD_SERVER | {"completions"}),
        ("learn/architecture", True, {"sampling"}),
        ("learn/architecture", False, {"tools", "tools.list_changed", "resources", "completions"}),
    ],
    "mcp-2025-03-26": [
        ("basic/lifecycle", True, OLD_CLIENT),
        ("basic/lifecycle", False, OLD_SERVER),
        ("learn/architecture", True, {"sampling"}),
        ("learn/architecture", False, {"tools", "tools.list_changed", "resources"}),
    ],
    "mcp-2025-06-18": [
        ("basic/lifecycle", True, OLD_CLIENT | {"elicitation", "elicitation.form"}),
        ("basic/lifecycle", False, OLD_SERVER),
        ("learn/architecture", True, {"elicitation", "elicitation.form"}),
        ("learn/architecture", False, {"tools", "tools.list_changed", "resources"}),
    ],
    "mcp-2025-11-25": [
        (
            "basic/lifecycle",
            True,
            OLD_CLIENT
            | {"elicitation", "elicitation.form", "elicitation.url", "tasks", "tasks.elicitation", "tasks.sampling"},
        ),
        ("basic/lifecycle", False, OLD_SERVER | {"tasks", "tasks.list", "tasks.cancel", "tasks.tools_call"}),
        ("learn/architecture", True, {"elicitation", "elicitation.form"}),
        ("learn/architecture", False, {"tools", "tools.list_changed", "resources"}),
    ],
    "mcp-2026-07-28": [
        ("learn/architecture", True, {"elicitation", "elicitation.form"}),
        ("learn/architecture", False, {"tools", "tools.list_changed", "resources"}),
        ("server-discover-request", True, set()),
        ("server-capabilities-discovery", False, {"tools", "resources"}),
        ("discover-result-response", False, {"tools", "resources"}),
        ("server/discover", True, set()),
        ("server/discover", False, {"tools", "resources"}),
    ],
}


@pytest.mark.parametrize("file", material("corpus", "*.jsonl"))
def test_the_pages_declare_what_they_describe(file: Path) -> None:
    declared: list[tuple[str, bool, AnyPeer]] = []
    for row in read_lines(file):
        source = str(row["source"]).removesuffix(".mdx").removesuffix(".json")
        if row.get("method") not in ("initialize", "server/discover") or row["kind"] == "error":
            continue
        asks = row["kind"] == "request"
        if not row["schema_valid"]:
            with pytest.raises(acp.InvalidMessage):
                peer(file.stem, row["message"], asks)
            continue
        declared.append((source, asks, peer(file.stem, row["message"], asks)))
    for (source, asks, found), (page, by_client, features) in zip(declared, EXPECTED[file.stem], strict=True):
        assert source.endswith(page)
        assert asks is by_client
        assert found.features == features, source


def peer(stem: str, message: Any, asks: bool) -> AnyPeer:
    """The peer that a message on a page makes."""
    protocol, version = stem.split("-", 1)
    content = message["params"] if asks else message.get("result", message)
    if protocol == "acp":
        return (acp.ClientPeer if asks else acp.AgentPeer).from_initialize(content)
    if version != "2026-07-28":
        return (mcp.ClientPeer if asks else mcp.ServerPeer).from_initialize(content)
    if asks:
        return mcp.ClientPeer.from_request(content)
    return mcp.ServerPeer.from_discover(content, version=version)


def test_an_answer_that_declares_for_the_client_is_warned_about() -> None:
    answer = {"protocolVersion": 1, "clientCapabilities": {"terminal": True}}
    (warning,) = acp.AgentPeer.from_initialize(answer).warnings
    assert warning.startswith("/clientCapabilities: ")
