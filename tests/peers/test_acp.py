"""ACP sessions: our agent and our client against the official ones, and those against each other."""

from pathlib import Path

import pytest

from peers import sessions
from peers.programs import Program, node, official, ours
from peers.running import compare, run

CANCELS = "--cancels-requests"

OFFICIAL_AGENT = official("acp_agent", package="acp")
OFFICIAL_CLIENT = official("acp_client", package="acp")
NODE_ROUTER = node("acp_v2_agent.mjs", "router")
OUR_AGENT = ours("acp_agent")


def v1_pairs() -> list[object]:
    """Every client with every agent. The official Python package has no `$/cancel_request`."""
    pairs: list[object] = []
    for agent in (OFFICIAL_AGENT, node("acp_v1_agent.mjs"), NODE_ROUTER, OUR_AGENT):
        cancels = () if agent is OFFICIAL_AGENT else (CANCELS,)
        pairs.append(pair(OFFICIAL_CLIENT, agent))
        pairs.append(pair(node("acp_v1_client.mjs", *cancels, keeps_order=False), agent))
        pairs.append(pair(ours("acp_client", "1", *cancels), agent))
    return pairs


def v2_pairs() -> list[object]:
    pairs: list[object] = []
    for agent in (node("acp_v2_agent.mjs"), NODE_ROUTER, OUR_AGENT):
        pairs.append(pair(node("acp_v2_client.mjs", keeps_order=False), agent))
        pairs.append(pair(ours("acp_client", "2", CANCELS), agent))
    return pairs


def pair(client: Program, agent: Program) -> object:
    return pytest.param(client, agent, id=f"{client.name}+{agent.name}")


@pytest.mark.parametrize(("client", "agent"), v1_pairs())
def test_v1(client: Program, agent: Program, tmp_path: Path) -> None:
    expected = sessions.acp_v1(cancels_requests=CANCELS in client.command)
    compare(run(client, agent, tmp_path), expected, keeps_order=client.keeps_order)


@pytest.mark.parametrize(("client", "agent"), v2_pairs())
def test_v2(client: Program, agent: Program, tmp_path: Path) -> None:
    compare(run(client, agent, tmp_path), sessions.acp_v2(), keeps_order=client.keeps_order)


@pytest.mark.parametrize(
    ("agent", "version"),
    [(OFFICIAL_AGENT, 1), (node("acp_v1_agent.mjs"), 1), (NODE_ROUTER, 2), (OUR_AGENT, 2)],
    ids=lambda value: value.name if isinstance(value, Program) else f"v{value}",
)
def test_our_client_of_both_versions_settles_on_the_newest_of_the_agent(
    agent: Program, version: int, tmp_path: Path
) -> None:
    cancels = () if agent is OFFICIAL_AGENT else (CANCELS,)
    record = run(ours("acp_client", "1", "2", *cancels), agent, tmp_path)
    assert record == (sessions.acp_v1(cancels_requests=bool(cancels)) if version == 1 else sessions.acp_v2())
