"""MCP sessions: our server and our client against the official ones, and those against each other."""

from pathlib import Path

import pytest

from peers import sessions
from peers.programs import NODE_MODULES, Program, node, official, ours
from peers.running import run

MODERN = "2026-07-28"
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
WITHOUT_ELICITATION = HANDSHAKE[:2]

SERVERS = (official("mcp_server", package="mcp"), node("mcp_server.mjs"), ours("mcp_server"))
EVERYTHING = node(str(NODE_MODULES / "@modelcontextprotocol/server-everything/dist/index.js"), "stdio")


def pairs() -> list[object]:
    """Every client in every way that it opens a session, with every server, and the version that it comes to."""
    clients = [
        (official("mcp_client", "legacy", package="mcp"), HANDSHAKE[-1]),
        (official("mcp_client", "auto", package="mcp"), MODERN),
        (official("mcp_client", MODERN, package="mcp"), MODERN),
        (node("mcp_client.mjs", "auto"), MODERN),
        *((node("mcp_client.mjs", version), version) for version in (*HANDSHAKE, MODERN)),
        (ours("mcp_client", "open"), MODERN),
        (ours("mcp_client", "discover"), MODERN),
        *((ours("mcp_client", version), version) for version in HANDSHAKE),
    ]
    return [
        pytest.param(client, version, server, id=f"{client.name}+{server.name}")
        for server in SERVERS
        for client, version in clients
    ]


@pytest.mark.parametrize(("client", "version", "server"), pairs())
def test_session(client: Program, version: str, server: Program, tmp_path: Path) -> None:
    expected = sessions.mcp(version, elicits=version not in WITHOUT_ELICITATION)
    assert run(client, server, tmp_path) == expected


@pytest.mark.parametrize(
    "client",
    [official("mcp_client", "auto", package="mcp"), node("mcp_client.mjs", "auto"), ours("mcp_client", "open")],
    ids=lambda client: client.name,
)
def test_clients_fall_back_to_the_handshake_where_our_server_has_that_alone(client: Program, tmp_path: Path) -> None:
    assert run(client, ours("mcp_server", "handshake"), tmp_path) == sessions.mcp(HANDSHAKE[-1], elicits=True)


@pytest.mark.parametrize(
    "client",
    [official("everything_client", package="mcp"), ours("everything_client")],
    ids=lambda client: client.name,
)
def test_the_reference_server(client: Program, tmp_path: Path) -> None:
    """A server of the handshake alone, so a client that discovers has to fall back."""
    # It does not end while an operation runs, cancelled or not.
    record = run(client, EVERYTHING, tmp_path, ends_by_itself=False)
    assert record == sessions.everything(HANDSHAKE[-1])
