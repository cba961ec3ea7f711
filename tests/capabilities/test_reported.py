"""Situations from public bug reports, each with an input of its own and, where it is present, the handed one."""

import json
from typing import Any

import pytest
from fidelity.json_values import JSON
from fidelity.shared import SHARED
from wiretypes import acp, mcp


def handed(number: str, own: JSON) -> pytest.MarkDecorator:
    """Runs a test with an input of its own and with that of a report."""
    files = sorted((SHARED / "reports").glob(f"{number}-*.json"))
    inputs = [pytest.param(json.loads(file.read_text(encoding="utf-8"))["input"], id=file.stem) for file in files]
    absent = pytest.param(None, marks=pytest.mark.skip(reason="../shared/reports is absent"), id=f"report-{number}")
    return pytest.mark.parametrize("given", [pytest.param(own, id="own"), *(inputs or [absent])])


@handed(
    "01",
    {
        "sent": {"params": {"protocolVersion": 1}},
        "received": {"result": {"protocolVersion": 2, "agentCapabilities": {"loadSession": True}}},
    },
)
def test_an_answer_of_a_version_that_the_client_does_not_speak(given: dict[str, Any]) -> None:
    sent, received = given["sent"]["params"], given["received"]["result"]
    with pytest.raises(acp.VersionMismatch) as raised:
        acp.accept(sent["protocolVersion"], received["protocolVersion"], [1])
    assert raised.value.supported == (2,)
    with pytest.raises(acp.InvalidMessage, match="found `agentCapabilities`, which is of ACP v1"):
        acp.Negotiated.from_initialize(sent, received)


@handed(
    "02",
    {
        "received_variants": [{"result": {"protocolVersion": version}} for version in ("1", True, None, 70000)],
        "accepted_variant": {"result": {"protocolVersion": 1.0}},
    },
)
def test_a_version_is_not_coerced(given: dict[str, Any]) -> None:
    for variant in given["received_variants"]:
        with pytest.raises(acp.InvalidMessage):
            acp.AgentPeer.from_initialize(variant["result"])
    assert acp.AgentPeer.from_initialize(given["accepted_variant"]["result"]).version == "v1"


@handed("04", {"received_variants": [{"result": {"protocolVersion": 1, "agentCapabilities": {"loadSession": 1}}}]})
def test_a_capability_is_not_coerced(given: dict[str, Any]) -> None:
    for variant in given["received_variants"]:
        for form in (variant["result"], json.dumps(variant["result"])):
            peer = acp.AgentPeer.from_initialize(form)
            assert not peer.supports("session.load")
            assert peer.supports("session")
            sides = acp.Negotiated(client=acp.ClientPeer.from_initialize({"protocolVersion": 1}), agent=peer)
            assert not sides.allows("session/load", sender="client")


@handed(
    "16",
    {
        "sequence": [
            {
                "message": {
                    "method": "server/discover",
                    "params": {
                        "_meta": {
                            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                            "io.modelcontextprotocol/clientCapabilities": {},
                        }
                    },
                }
            },
            {
                "message": {
                    "result": {
                        **{"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0},
                        **{"capabilities": {"tools": {}}, "cacheScope": "private"},
                    }
                }
            },
            {"message": {"method": "initialize", "params": {"protocolVersion": "2025-11-25"}}},
        ]
    },
)
def test_initialize_after_a_discovery(given: dict[str, Any]) -> None:
    asked, answered, again = (step["message"] for step in given["sequence"][:3])
    sides = mcp.Negotiated.from_discover(asked["params"], answered["result"])
    assert sides.check("server/discover", asked["params"], sender="client") == ()
    (found,) = sides.check(again["method"], again["params"], sender="client")
    assert found.feature is None
    assert "`server/discover` takes its place" in found.message
    sent = mcp.Discover("2026-07-28")
    assert mcp.next_step(sent, answered, ["2025-11-25", "2026-07-28"]) == mcp.UseVersion("2026-07-28")


TOOLS_ONLY: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}


@handed("27", {"initialize_result": TOOLS_ONLY, "attempts": ["prompts/list", "resources/subscribe"]})
def test_lists_that_a_server_never_offered(given: dict[str, Any]) -> None:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    sides = mcp.Negotiated.from_initialize(client, given["initialize_result"])
    assert not any(sides.allows(method, sender="client") for method in given["attempts"])
    assert all(sides.allows(method, sender="client") for method in ("tools/list", "tools/call", "ping"))
    given["initialize_result"]["capabilities"]["resources"] = {"subscribe": False}
    sides = mcp.Negotiated.from_initialize(client, given["initialize_result"])
    assert sides.allows("resources/list", sender="client")
    assert not sides.allows("resources/subscribe", sender="client")


FORM_AND_URL = [(True, False), (True, False), (False, True), (True, True), (False, False)]


@handed(
    "29",
    {
        "client_capabilities": [
            {"elicitation": {}},
            {"elicitation": {"form": {}}},
            {"elicitation": {"url": {}}},
            {"elicitation": {"form": {}, "url": {}}},
            {},
        ],
        "acp_same_shape": {"elicitation": {}},
    },
)
def test_modes_of_elicitation(given: dict[str, Any]) -> None:
    for capabilities, expected in zip(given["client_capabilities"], FORM_AND_URL, strict=True):
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": "c", "version": "1"},
        }
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }
        for peer in (mcp.ClientPeer.from_initialize(params), mcp.ClientPeer.from_request({"_meta": meta})):
            assert (peer.supports("elicitation.form"), peer.supports("elicitation.url")) == expected
    older = {"protocolVersion": "2025-06-18", "clientInfo": {"name": "c", "version": "1"}}
    assert mcp.ClientPeer.from_initialize({**older, "capabilities": {"elicitation": {}}}).supports("elicitation.form")
    for body in ({"protocolVersion": 1, "clientCapabilities": given["acp_same_shape"]},):
        peer_of_acp = acp.ClientPeer.from_initialize(body)
        assert not peer_of_acp.supports("elicitation.form")
        assert not peer_of_acp.supports("elicitation.url")
