"""Reading peers: which version, from which form of the message, what is refused and what is warned about."""

import json
from collections.abc import Callable
from typing import Any, cast

import pytest
import wiretypes
from fidelity.shared import SHARED
from wiretypes import acp, decode, mcp
from wiretypes.acp import v1, v1_unstable, v2
from wiretypes.mcp import v2025_11_25, v2026_07_28
from wiretypes.peers import Message

from wiregen.bundled_rules import bundled_rules

from .sides import AnyPeer, Object, Side, at, sides

V1: Object = {
    "protocolVersion": 1,
    "agentCapabilities": {
        "loadSession": True,
        "promptCapabilities": {"image": True},
        "sessionCapabilities": {"list": {}, "fork": {}},
        "_meta": {"example.org": {"beta": True}},
    },
    "agentInfo": {"name": "agent", "version": "1"},
    "authMethods": [{"id": "login", "name": "Login"}],
}
V1_FEATURES = {"session", "mcp.stdio", "session.load", "prompt.image", "session.list", "auth.login"}
V2: Object = {"protocolVersion": 2, "info": {"name": "agent", "version": "1"}, "capabilities": {"session": {}}}
META: Object = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"url": {}}},
    "io.modelcontextprotocol/clientInfo": {"name": "client", "version": "1"},
}
DISCOVERED: Object = {
    **{"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0, "cacheScope": "private"},
    "capabilities": {"tools": {"listChanged": True}, "extensions": {"org.example/a": {"x": 1}}},
    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "server", "version": "1"}},
}


# --- forms and versions ---


@pytest.mark.parametrize("form", [V1, json.dumps(V1), json.dumps(V1).encode(), bytearray(json.dumps(V1).encode())])
def test_a_peer_is_read_from_json_and_from_text(form: Message) -> None:
    peer = acp.AgentPeer.from_initialize(form)
    assert (peer.version, peer.protocol_version) == ("v1", 1)
    assert peer.features == V1_FEATURES
    assert isinstance(peer.capabilities, v1.AgentCapabilities)
    assert peer.info == v1.Implementation(name="agent", version="1")


def test_a_peer_is_read_from_a_model_which_stays_as_it_is() -> None:
    model = decode(v1.InitializeResponse, V1)
    for _ in range(2):
        peer = acp.AgentPeer.from_initialize(model)
        assert peer.features == V1_FEATURES
        assert peer.capabilities is model.agent_capabilities


def test_a_model_of_the_unstable_schema_is_read_as_such() -> None:
    model = decode(v1_unstable.InitializeResponse, V1)
    for _ in range(2):
        peer = acp.AgentPeer.from_initialize(model)
        assert (peer.version, peer.protocol_version) == ("v1-unstable", 1)
        assert peer.supports("session.fork")
        assert acp.AgentPeer.from_initialize(model, version="v1").version == "v1"
        assert acp.AgentPeer.from_initialize(model, version=1).version == "v1"


@pytest.mark.parametrize(
    ("arguments", "version"),
    [
        ({}, "v1"),
        ({"unstable": True}, "v1-unstable"),
        ({"version": "v1"}, "v1"),
        ({"version": "v1", "unstable": True}, "v1-unstable"),
        ({"version": "v1-unstable"}, "v1-unstable"),
        ({"version": 1}, "v1"),
        ({"version": 1, "unstable": True}, "v1-unstable"),
    ],
)
def test_the_version_is_what_the_message_says_or_what_the_caller_says(arguments: dict[str, Any], version: str) -> None:
    for form in (V1, decode(v1.InitializeResponse, V1)):
        peer = acp.AgentPeer.from_initialize(form, **arguments)
        assert peer.version == version
        assert peer.supports("session.fork") is version.endswith("unstable")


def test_a_request_of_a_newer_version_can_be_read_as_one_that_is_known() -> None:
    params: Object = {
        "protocolVersion": 3,
        "info": {"name": "c", "version": "1"},
        "capabilities": {"elicitation": {"url": {}}},
    }
    peer = acp.ClientPeer.from_initialize(params, version="v2")
    assert (peer.version, peer.protocol_version) == ("v2", 2)
    assert peer.supports("elicitation.url")


def test_whole_numbers_are_integers() -> None:
    assert acp.AgentPeer.from_initialize({"protocolVersion": 1.0}).version == "v1"
    assert acp.AgentPeer.from_initialize(b'{"protocolVersion": 1.0}').version == "v1"


def test_a_message_assigned_another_version_is_read_as_that() -> None:
    model = v1.InitializeResponse(protocol_version=1)
    assert acp.AgentPeer.from_initialize(model).version == "v1"
    model.protocol_version = 2
    with pytest.raises(acp.InvalidMessage, match="ACP v2"):
        acp.AgentPeer.from_initialize(model)
    model.protocol_version = cast("int", True)
    with pytest.raises(acp.InvalidMessage, match="found true"):
        acp.AgentPeer.from_initialize(model)


@pytest.mark.parametrize("version", ["v3", "2025-11-25", 3, True, ""])
def test_a_version_that_the_package_does_not_hold_is_an_error(version: str | int) -> None:
    with pytest.raises(ValueError, match="which holds v1, v1-unstable, v2, v2-unstable"):
        acp.AgentPeer.from_initialize(V1, version=version)


def test_mcp_has_no_unstable_versions() -> None:
    with pytest.raises(ValueError, match="no MCP 2025-11-25-unstable in this package"):
        mcp.ServerPeer.from_initialize({"protocolVersion": "2025-11-25"}, unstable=True)


def test_discovery_and_requests() -> None:
    server = mcp.ServerPeer.from_discover(DISCOVERED, version="2026-07-28")
    assert server.features == {"tools", "tools.list_changed"}
    assert server.info == v2026_07_28.Implementation(name="server", version="1")
    assert server.extension("org.example/a") == {"x": 1}
    requests: tuple[Message, ...] = (
        {"_meta": META, "name": "tool", "arguments": {}},
        json.dumps({"_meta": META}),
        decode(v2026_07_28.CallToolRequestParams, {"_meta": META, "name": "tool"}),
        decode(v2026_07_28.RequestParams, {"_meta": META}),
        decode(v2026_07_28.PaginatedRequestParams, {"_meta": META}),
    )
    for params in (*requests, *requests):
        client = mcp.ClientPeer.from_request(params)
        assert client.features == {"elicitation", "elicitation.url"}
        assert (client.version, client.protocol_version) == ("2026-07-28", "2026-07-28")
        assert isinstance(client.capabilities, v2026_07_28.ClientCapabilities)
        assert client.info == v2026_07_28.Implementation(name="client", version="1")


def test_what_is_not_said() -> None:
    assert acp.AgentPeer.from_initialize({"protocolVersion": 1}).info is None
    assert acp.AgentPeer.from_initialize({"protocolVersion": 1, "agentInfo": None}).info is None
    params = {"_meta": {key: value for key, value in META.items() if not key.endswith("Info")}}
    assert mcp.ClientPeer.from_request(params).info is None


# --- features and extensions ---


def test_a_feature_that_does_not_exist_is_an_error_with_the_nearest() -> None:
    peer = acp.AgentPeer.from_initialize(V1)
    assert peer.supports("session.load")
    assert not peer.supports("session.delete")
    with pytest.raises(ValueError, match=r"'prompt.imag'; the nearest are 'prompt.image', "):
        peer.supports(cast("Any", "prompt.imag"))
    with pytest.raises(ValueError, match=r"no feature of the client is called 'tools'; the nearest are"):
        mcp.ClientPeer.from_request({"_meta": META}).supports(cast("Any", "tools"))


def test_a_feature_of_another_version_is_one_that_is_not_supported() -> None:
    assert not acp.AgentPeer.from_initialize(V2).supports("session.load")
    assert not acp.AgentPeer.from_initialize(V2).supports("session.fork")


def test_every_feature_is_named_by_the_type() -> None:
    for protocol, module in (("acp", acp), ("mcp", mcp)):
        for side in {side.name for side in sides() if side.protocol == protocol}:
            names = getattr(module, f"{side.capitalize()}Feature").__args__
            assert names == bundled_rules(protocol).feature_names(cast("Any", side))


def test_extensions() -> None:
    peer = acp.AgentPeer.from_initialize(V1)
    assert peer.extension("example.org") == {"beta": True}
    assert peer.extension("example.com") is None
    assert acp.AgentPeer.from_initialize({"protocolVersion": 1}).extension("example.org") is None
    capabilities = {"experimental": {"a": {"of": "experimental"}, "b": {}}, "extensions": {"a": {"of": "extensions"}}}
    message = {
        "protocolVersion": "2025-11-25",
        "serverInfo": {"name": "s", "version": "1"},
        "capabilities": capabilities,
    }
    server = mcp.ServerPeer.from_initialize(message)
    assert [server.extension(name) for name in "abc"] == [{"of": "extensions"}, {}, None]


# --- messages that cannot be read ---

NO_ACP_VERSIONS: list[object] = ["1", True, False, None, 1.5, 70000, -1, 0, 3, "2025-06-18", [1], {}]
NO_MCP_VERSIONS: list[object] = [1, True, None, "1999-01-01", "2024-10-07", ["2025-11-25"]]


@pytest.mark.parametrize("version", NO_ACP_VERSIONS)
def test_nothing_is_taken_for_an_acp_version(version: object) -> None:
    with pytest.raises(acp.InvalidMessage) as raised:
        acp.AgentPeer.from_initialize({"protocolVersion": version, "agentCapabilities": {}})
    assert [pointer for pointer, _ in raised.value.problems] == ["/protocolVersion"]
    assert f"expected one of 1, 2, found {json.dumps(version)}" in str(raised.value)
    assert raised.value.version is None


@pytest.mark.parametrize("version", NO_MCP_VERSIONS)
def test_nothing_is_taken_for_an_mcp_version(version: object) -> None:
    with pytest.raises(
        mcp.InvalidMessage, match=r"/protocolVersion: expected one of 2024-11-05, .*, 2025-11-25, found"
    ):
        mcp.ServerPeer.from_initialize({"protocolVersion": version, "capabilities": {}})


def refusal(read: Callable[..., AnyPeer], message: object, **arguments: object) -> str:
    """The text of the error that a message gives."""
    with pytest.raises(acp.InvalidMessage) as raised:
        read(message, **arguments)
    assert isinstance(raised.value, ValueError)
    return str(raised.value)


def test_a_whole_message_is_no_params() -> None:
    message = {"jsonrpc": "2.0", "id": 0, "method": "init", "params": {"protocolVersion": 1}}
    text = refusal(acp.ClientPeer.from_initialize, message)
    assert 'expected the params of `initialize` in ACP, found a whole message with method "init" instead' in text
    answer = {"jsonrpc": "2.0", "id": 0, "result": V1}
    assert "found a whole message instead of its result" in refusal(acp.AgentPeer.from_initialize, answer)
    model = v2025_11_25.InitializeRequest(
        id=1,
        params=v2025_11_25.InitializeRequestParams(
            protocol_version="2025-11-25",
            capabilities=v2025_11_25.ClientCapabilities(),
            client_info=v2025_11_25.Implementation(name="c", version="1"),
        ),
    )
    assert 'with method "initialize"' in refusal(mcp.ClientPeer.from_initialize, model)


@pytest.mark.parametrize("capabilities", [[], None, "yes", 1, True])
def test_mcp_capabilities_that_are_no_object(capabilities: object) -> None:
    message = {"protocolVersion": "2025-11-25", "capabilities": capabilities}
    info = {"name": "a", "version": "1"}
    for read, part, key in (
        (mcp.ClientPeer.from_initialize, "params", "clientInfo"),
        (mcp.ServerPeer.from_initialize, "result", "serverInfo"),
    ):
        text = refusal(read, {**message, key: info})
        assert text.startswith(f"expected the {part} of `initialize` in MCP 2025-11-25; /capabilities: ")
        assert text.endswith(f"found {json.dumps(capabilities)}")


def test_a_v1_body_under_version_2() -> None:
    report = SHARED / "reports" / "11-acp-v2-number-with-v1-body.json"
    bodies = [{"protocolVersion": 2, "clientCapabilities": {}, "clientInfo": {"name": "c", "version": "1"}}]
    if report.exists():
        bodies.append(json.loads(report.read_text(encoding="utf-8"))["input"]["params"])
    for body in bodies:
        text = refusal(acp.ClientPeer.from_initialize, body)
        assert text == (
            "expected the params of `initialize` in ACP v2, found `clientCapabilities`, which is of ACP v1 and"
            " v1-unstable; /info: Field required, found nothing"
        )
        assert acp.ClientPeer.from_initialize(body, version="v1").info == v1.Implementation(name="c", version="1")


def test_a_message_of_the_other_era() -> None:
    text = refusal(mcp.ClientPeer.from_initialize, {"_meta": META})
    assert "found a version at /_meta/io.modelcontextprotocol~1protocolVersion, where `server/discover` has it" in text
    text = refusal(mcp.ClientPeer.from_request, {"protocolVersion": "2025-11-25", "capabilities": {}})
    assert "found a version at /protocolVersion, where `initialize` has it" in text
    text = refusal(mcp.ServerPeer.from_initialize, {"protocolVersion": "2026-07-28"})
    assert text.startswith(
        "MCP 2026-07-28 has no `initialize`: there, the server declares its capabilities in the result"
    )
    text = refusal(mcp.ServerPeer.from_discover, DISCOVERED, version="2025-11-25")
    assert text.startswith("MCP 2025-11-25 has no `server/discover`")
    model = decode(v2026_07_28.RequestParams, {"_meta": META})
    assert mcp.ClientPeer.from_request(model).version == "2026-07-28"
    assert "expected the params of `initialize`" in refusal(mcp.ClientPeer.from_initialize, model)


@pytest.mark.parametrize("text", [b"{", "", b"\xff", "\ud800", b'{"protocolVersion": NaN}', b"[" * 100_000])
def test_text_that_is_no_json(text: bytes | str) -> None:
    assert refusal(acp.AgentPeer.from_initialize, text).startswith("expected the result of `initialize`, found what is")


@pytest.mark.parametrize("message", [[], 1, None, [V1]])
def test_json_that_is_no_object(message: object) -> None:
    assert "/protocolVersion" in refusal(acp.AgentPeer.from_initialize, message)
    assert "found" in refusal(acp.AgentPeer.from_initialize, message, version="v1")


def test_what_was_found_is_shown_in_a_few_words() -> None:
    text = refusal(mcp.ServerPeer.from_initialize, {"protocolVersion": "2025-11-25", "capabilities": ["x" * 1000]})
    assert len(text) < 500


# --- warnings ---


def test_capabilities_of_the_other_generation() -> None:
    body = {**V2, "protocolVersion": 1}
    peer = acp.AgentPeer.from_initialize(body)
    assert peer.features == {"session", "mcp.stdio"}
    assert peer.warnings == (
        "/info: this key is of ACP v2 and v2-unstable; ACP v1 reads agentCapabilities and agentInfo,"
        " so it does not count",
        "/capabilities: this key is of ACP v2 and v2-unstable; ACP v1 reads agentCapabilities and agentInfo,"
        " so it does not count",
    )
    both = acp.AgentPeer.from_initialize({**V2, "agentCapabilities": {"loadSession": True}})
    assert [warning.partition(":")[0] for warning in both.warnings] == ["/agentCapabilities"]


@pytest.mark.parametrize(
    ("capabilities", "place", "nearest"),
    [
        ({"loadSesion": True}, "/agentCapabilities/loadSesion", "loadSession"),
        ({"load_session": True}, "/agentCapabilities/load_session", "loadSession"),
        ({"promptCapabilities": {"Image": True}}, "/agentCapabilities/promptCapabilities/Image", "image"),
        ({"sessionCapabilities": {"lists": {}}}, "/agentCapabilities/sessionCapabilities/lists", "list"),
    ],
)
def test_an_unknown_key_close_to_a_known_one(capabilities: Object, place: str, nearest: str) -> None:
    peer = acp.AgentPeer.from_initialize({"protocolVersion": 1, "agentCapabilities": capabilities})
    assert peer.warnings == (f"{place}: there is no such key; `{nearest}` is the nearest",)


def test_a_misspelt_key_beside_the_capabilities() -> None:
    (warning,) = acp.AgentPeer.from_initialize({"protocolVersion": 1, "agentCapabilites": {}}).warnings
    assert warning.startswith("/agentCapabilites: ")
    (warning,) = acp.AgentPeer.from_initialize({"protocolVersion": 1, "clientCapabilities": {}}).warnings
    assert warning == "/clientCapabilities: there is no such key; `agentCapabilities` is the nearest"
    params = {"_meta": {**META, "progresstoken": 1}}
    (warning,) = mcp.ClientPeer.from_request(params).warnings
    assert warning == "/_meta/progresstoken: there is no such key; `progressToken` is the nearest"


def test_a_capability_that_requires_another() -> None:
    capabilities: Object = {"sessionCapabilities": {"archive": {}}}
    message = {"protocolVersion": 1, "agentCapabilities": capabilities}
    assert acp.AgentPeer.from_initialize(message).warnings == ()
    (warning,) = acp.AgentPeer.from_initialize(message, unstable=True).warnings
    assert warning == (
        "`agentCapabilities.sessionCapabilities.archive` is declared without"
        " `agentCapabilities.sessionCapabilities.list`, which ACP v1-unstable requires with it"
    )


def test_a_version_that_the_server_does_not_list() -> None:
    other = {**DISCOVERED, "supportedVersions": ["2027-01-15"]}
    (warning,) = mcp.ServerPeer.from_discover(other, version="2026-07-28").warnings
    assert warning == "/supportedVersions: 2026-07-28 is not among them, so its requests are refused"


@pytest.mark.parametrize("side", sides(), ids=str)
def test_what_other_versions_and_vendors_declare_is_no_mistake(side: Side) -> None:
    """Capabilities of any version of the protocol, and of nobody, in any version that lets them through."""
    others = [other for other in sides() if (other.protocol, other.name) == (side.protocol, side.name)]
    for other in others:
        whole = other.declaring({feature.name for feature in other.features})
        capabilities = at(whole, other.declaration.capabilities)
        assert isinstance(capabilities, dict)
        message = side.message({**capabilities, "_vendor": {}, "x-y": True})
        try:
            peer = side.read(message)
        except acp.InvalidMessage:
            continue
        assert peer.warnings == ()


def test_a_typed_peer_of_each_version_knows_its_capabilities() -> None:
    for side in sides():
        peer = side.read(side.message({}))
        module = wiretypes.load(side.protocol, side.version)
        assert type(peer.capabilities) is module.TYPES[f"{side.name.capitalize()}Capabilities"]
        assert repr(peer).startswith(f"<{side.name.capitalize()}Peer of {side.protocol.upper()} {side.version}: [")


def test_a_version_two_client() -> None:
    request = v2.InitializeRequest(protocol_version=2, info=v2.Implementation(name="c", version="1"))
    peer = acp.ClientPeer.from_initialize(request)
    assert peer.features == {"session.notices", "session.compaction", "config_options.boolean"}


def test_what_other_versions_of_mcp_declare_elsewhere_is_warned_of() -> None:
    info = {"name": "s", "version": "1"}
    (warning,) = mcp.ServerPeer.from_discover({**DISCOVERED, "serverInfo": info}, version="2026-07-28").warnings
    assert warning.startswith("/serverInfo: this key is of MCP 2024-11-05")
    assert mcp.ServerPeer.from_discover(DISCOVERED, version="2026-07-28").warnings == ()
