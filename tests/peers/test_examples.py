"""The two programs of the examples, as they are printed, with the clients of the official packages."""

import sys
from pathlib import Path

import pytest

from peers import sessions
from peers.programs import HERE, Program, node, official
from peers.running import compare, run

EXAMPLES = HERE.parents[1] / "examples"
ECHO = Program("echo", (sys.executable, str(EXAMPLES / "acp_agent.py")), "wiretypes")
COUNTER = Program("counter", (sys.executable, str(EXAMPLES / "mcp_server.py")), "wiretypes")

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"


def name(value: object) -> str | None:
    return value.name if isinstance(value, Program) else None


@pytest.mark.parametrize(
    "client",
    [official("acp_client", "--echo", package="acp"), node("acp_v1_client.mjs", "--echo", keeps_order=False)],
    ids=name,
)
def test_the_agent_serves_clients_of_v1(client: Program, tmp_path: Path) -> None:
    compare(run(client, ECHO, tmp_path), sessions.echo_v1(), keeps_order=client.keeps_order)


def test_the_agent_serves_clients_of_v2(tmp_path: Path) -> None:
    client = node("acp_v2_client.mjs", "--echo", keeps_order=False)
    compare(run(client, ECHO, tmp_path), sessions.echo_v2(), keeps_order=client.keeps_order)


@pytest.mark.parametrize(
    ("client", "version"),
    [
        (official("mcp_client", "legacy", "--counting", package="mcp"), HANDSHAKE[-1]),
        (official("mcp_client", "auto", "--counting", package="mcp"), MODERN),
        (node("mcp_client.mjs", "auto", "--counting"), MODERN),
        *((node("mcp_client.mjs", version, "--counting"), version) for version in HANDSHAKE),
    ],
    ids=name,
)
def test_the_server_serves_clients_of_every_version(client: Program, version: str, tmp_path: Path) -> None:
    assert run(client, COUNTER, tmp_path) == sessions.counting(version)
