"""What peers cost, side by side with the decoding of the messages that they are read from."""

import json
from collections.abc import Callable, Mapping
from time import process_time
from types import SimpleNamespace

import pytest
from wiretypes import acp, decode

from .sides import PEERS, Side, sides

ROUNDS = 9
CALLS = 1_000


def fastest(cases: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """CPU seconds of a call of each, the least of several rounds in which they take turns."""
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(ROUNDS):
        for name, case in cases.items():
            start = process_time()
            for _ in range(CALLS):
                case()
            best[name] = min(best[name], (process_time() - start) / CALLS)
    return best


@pytest.mark.parametrize("side", sides(), ids=str)
def test_a_peer_costs_less_than_the_decoding_of_its_message(side: Side) -> None:
    everything = {feature.name for feature in side.features}
    for features in ((), everything):
        message = side.declaring(features)
        text, model = json.dumps(message).encode(), decode(side.type_, message)
        read = reader(side)
        read(model)
        cost = fastest({"decode": lambda: decode(side.type_, text), "peer": lambda: read(model)})  # noqa: B023
        assert cost["peer"] < cost["decode"], (sorted(features), cost)


def reader(side: Side) -> Callable[[object], object]:
    """What makes the peer, without a detour."""
    peer = PEERS[side.protocol, side.name]
    if side.name == "server" and side.version == "2026-07-28":
        return lambda message: peer.from_discover(message, version="2026-07-28")
    made: Callable[[object], object] = (
        peer.from_initialize if side.declaration.method == "initialize" else peer.from_request
    )
    return made


def test_a_look_at_a_feature_costs_little_more_than_attributes() -> None:
    message = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True, "promptCapabilities": {"image": True}}}
    peer = acp.AgentPeer.from_initialize(message)
    plain = SimpleNamespace(agent_capabilities=SimpleNamespace(load_session=True))
    cost = fastest(
        {
            "chain": lambda: plain.agent_capabilities.load_session,
            "supported": lambda: peer.supports("session.load"),
            "not supported": lambda: peer.supports("session.delete"),
        }
    )
    assert cost["supported"] <= 5 * cost["chain"], cost
    assert cost["not supported"] <= 5 * cost["chain"], cost
