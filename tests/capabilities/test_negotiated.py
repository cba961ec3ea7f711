"""Both sides together: what each may send the other, and what a violation tells."""

from typing import Any, cast

import pytest
from wiretypes import acp, decode, mcp
from wiretypes.acp import v1, v2
from wiretypes.mcp import v2025_11_25, v2026_07_28

from .sides import negotiated

V2_BODY: dict[str, Any] = {
    "protocolVersion": 2,
    "info": {"name": "client", "version": "1"},
    "capabilities": {"elicitation": {"form": {}}},
}
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
DISCOVERED: dict[str, Any] = {
    **{"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0, "cacheScope": "private"},
    "capabilities": {"tools": {}},
}


def agent(**members: object) -> acp.Negotiated:
    """A client that declares nothing, and an agent of version 1."""
    return acp.Negotiated.from_initialize({"protocolVersion": 1}, {"protocolVersion": 1, **members})


# --- which version ---


def test_a_body_of_another_version_than_the_answer_declares_nothing() -> None:
    sides = acp.Negotiated.from_initialize(V2_BODY, {"protocolVersion": 1})
    assert (sides.version, sides.client.version, sides.agent.version) == ("v1", "v1", "v1")
    assert sides.client.features == set()
    assert [warning.partition(":")[0] for warning in sides.client.warnings] == ["/info", "/capabilities"]
    assert not sides.allows("elicitation/create", sender="agent")


def test_a_client_that_was_read_alone_is_read_again() -> None:
    alone = acp.ClientPeer.from_initialize(V2_BODY)
    assert alone.supports("elicitation.form")
    sides = acp.Negotiated(client=alone, agent=acp.AgentPeer.from_initialize({"protocolVersion": 1}))
    assert sides.client.version == "v1"
    assert not sides.client.supports("elicitation.form")
    same = acp.Negotiated(client=sides.client, agent=sides.agent)
    assert same.client is sides.client


def test_a_client_that_cannot_be_read_as_the_answered_version_is_an_error() -> None:
    answer = {"protocolVersion": 2, "info": {"name": "agent", "version": "1"}}
    with pytest.raises(acp.InvalidMessage, match="/info: Field required"):
        acp.Negotiated.from_initialize({"protocolVersion": 1}, answer)
    client = acp.ClientPeer.from_initialize({"protocolVersion": 1, "clientInfo": {"name": "c", "version": "1"}})
    with pytest.raises(acp.InvalidMessage, match="found `clientInfo`, which is of ACP v1"):
        acp.Negotiated(client=client, agent=acp.AgentPeer.from_initialize(answer))


def test_the_version_can_be_chosen() -> None:
    body: dict[str, Any] = {"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": {"fork": {}}}}
    sides = acp.Negotiated.from_initialize(V2_BODY, body, unstable=True)
    assert (sides.version, sides.client.version) == ("v1-unstable", "v1-unstable")
    assert sides.allows("session/fork", sender="client")
    sides = acp.Negotiated.from_initialize(V2_BODY, body, version="v1")
    assert not sides.allows("session/fork", sender="client")


def test_the_version_of_a_discovery_is_that_of_the_request() -> None:
    sides = mcp.Negotiated.from_discover({"_meta": META}, DISCOVERED)
    assert (sides.version, sides.client.version, sides.server.version) == ("2026-07-28",) * 3
    assert sides.allows("tools/list", sender="client")
    later = {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2027-01-15"}}
    with pytest.raises(mcp.InvalidMessage, match="expected 2026-07-28, found"):
        mcp.Negotiated.from_discover(later, DISCOVERED)
    assert mcp.Negotiated.from_discover(later, DISCOVERED, version="2026-07-28").version == "2026-07-28"


def test_each_request_may_have_other_capabilities() -> None:
    server = mcp.ServerPeer.from_discover(DISCOVERED, version="2026-07-28")
    with_roots: dict[str, Any] = {**META, "io.modelcontextprotocol/clientCapabilities": {"roots": {}}}
    for meta, allowed in ((META, False), (with_roots, True)):
        sides = mcp.Negotiated(client=mcp.ClientPeer.from_request({"_meta": meta}), server=server)
        assert sides.allows("roots/list", sender="server") is allowed


# --- what a violation tells ---


def test_a_violation_says_what_to_declare_where() -> None:
    (found,) = agent().check("session/load", sender="client")
    assert found == acp.Violation(
        method="session/load",
        feature="session.load",
        capability="agentCapabilities.loadSession",
        declared_by="agent",
        version="v1",
        pointer="",
        severity="error",
        message="`session/load` needs the agent to declare `agentCapabilities.loadSession: true` in the result of"
        " `initialize` (ACP v1)",
    )


def test_the_same_in_the_field_names_of_the_other_generation() -> None:
    prompt = {
        "sessionId": "s",
        "prompt": [{"type": "text", "text": "a"}, {"type": "image", "data": "", "mimeType": "a"}],
    }
    messages = {
        "v1": "`image` at /prompt/1 of the params of `session/prompt` needs the agent to declare"
        " `agentCapabilities.promptCapabilities.image: true` in the result of `initialize` (ACP v1)",
        "v2": "`image` at /prompt/1 of the params of `session/prompt` needs the agent to declare"
        " `capabilities.session.prompt.image: {}` in the result of `initialize` (ACP v2)",
    }
    for version, message in messages.items():
        sides = negotiated("acp", version, (), ["session"])
        for params in (prompt, decode(v1.PromptRequest if version == "v1" else v2.PromptRequest, prompt)):
            (found,) = sides.check("session/prompt", params, sender="client")
            assert (found.message, found.pointer, found.feature) == (message, "/prompt/1", "prompt.image")


def test_a_method_that_the_version_does_not_have() -> None:
    sides = negotiated("acp", "v2", (), ["session"])
    (found,) = sides.check("session/load", {"sessionId": "s"}, sender="client")
    assert found.message == (
        "ACP v2 has no `session/load` of the client: it is in v1, v1-unstable, and `session/resume` with `replayFrom`"
        " takes its place here"
    )
    assert (found.feature, found.capability, found.declared_by, found.severity) == (None, None, None, "error")
    assert not sides.allows("session/load", sender="client")
    (found,) = agent().check("session/fork", sender="client")
    assert found.message == "ACP v1 has no `session/fork` of the client: it is in v1-unstable, v2-unstable"
    (found,) = negotiated("mcp", "2026-07-28", (), ()).check("initialize", sender="client")
    assert found.message.endswith("and `server/discover` takes its place here")


def test_a_method_that_the_other_side_sends() -> None:
    (found,) = agent().check("session/prompt", sender="agent")
    assert found.message == "`session/prompt` is sent by the client, not by the agent (ACP v1)"
    assert not agent().allows("session/prompt", sender="agent")


@pytest.mark.parametrize("method", ["_vendor/method", "vendor/method", "", "init", "session/loads"])
def test_extension_methods_are_allowed(method: str) -> None:
    for sides in (agent(), negotiated("mcp", "2025-11-25", (), ())):
        assert sides.allows(method, sender="client")
        assert sides.check(method, {"prompt": [{"type": "image"}]}, sender="client") == ()
        assert sides.check(method, result={"x": 1}, sender="client") == ()


def test_a_sender_that_does_not_exist_is_an_error() -> None:
    for sender in ("server", "", "Client"):
        with pytest.raises(ValueError, match="the sides are client and agent"):
            agent().check("session/prompt", sender=cast("Any", sender))


def test_require() -> None:
    sides = agent(agentCapabilities={"loadSession": True})
    sides.require("session/load", {"sessionId": "s", "cwd": "/", "mcpServers": []}, sender="client")
    params = {"sessionId": "s", "cwd": "/", "mcpServers": [{"type": "http"}, {"type": "sse"}, {"name": "stdio"}]}
    with pytest.raises(acp.CapabilityError) as raised:
        sides.require("session/load", params, sender="client")
    assert raised.value.violations == sides.check("session/load", params, sender="client")
    assert [violation.pointer for violation in raised.value.violations] == ["/mcpServers/0", "/mcpServers/1"]
    assert str(raised.value).count("\n") == 1


def test_what_is_only_advised_against_is_a_warning() -> None:
    sides = negotiated("mcp", "2025-11-25", ["sampling"], ())
    params: dict[str, Any] = {"messages": [], "maxTokens": 1, "includeContext": "allServers"}
    (found,) = sides.check("sampling/createMessage", params, sender="server")
    assert (found.feature, found.severity, found.pointer) == ("sampling.context", "warning", "/includeContext")
    assert found.message == (
        "`includeContext` `allServers` at /includeContext of the params of `sampling/createMessage` should not be used"
        " unless the client declares `capabilities.sampling.context: {}` in the params of `initialize` (MCP 2025-11-25)"
    )
    sides.require("sampling/createMessage", params, sender="server")
    assert sides.check("sampling/createMessage", {**params, "includeContext": "none"}, sender="server") == ()
    with pytest.raises(mcp.CapabilityError) as raised:
        sides.require("sampling/createMessage", {**params, "tools": []}, sender="server")
    assert {violation.severity for violation in raised.value.violations} == {"error", "warning"}


def test_several_features_that_would_do() -> None:
    (found,) = agent().check("elicitation/create", sender="agent")
    assert "`clientCapabilities.elicitation.form: {}` or `clientCapabilities.elicitation.url: {}`" in found.message
    sides = negotiated("acp", "v1", ["elicitation.form"], ())
    assert sides.allows("elicitation/create", sender="agent")
    (found,) = sides.check("elicitation/create", {"mode": "url"}, sender="agent")
    assert (found.feature, found.pointer) == ("elicitation.url", "/mode")


def test_text_is_judged_like_what_it_says() -> None:
    found = agent().check("session/prompt", '{"prompt": [{"type": "audio"}]}', sender="client")
    assert found == agent().check("session/prompt", {"prompt": [{"type": "audio"}]}, sender="client") != ()
    assert agent().check("session/new", result=b'{"configOptions": [{"type": "boolean"}]}', sender="agent")
    with pytest.raises(acp.InvalidMessage):
        agent().check("session/prompt", b"{", sender="client")


EMPTY: list[object] = []
ODD: tuple[object, ...] = (None, EMPTY, 1, "[]", {"prompt": 1}, {"prompt": [1, None, EMPTY]}, {"prompt": {"0": {}}})


@pytest.mark.parametrize("content", ODD)
def test_anything_can_be_judged(content: object) -> None:
    assert agent().check("session/prompt", content, sender="client") == ()
    if content is not None:
        assert agent().check("session/new", result=content, sender="agent") == ()


def test_many_violations_take_time_in_proportion() -> None:
    prompt = [{"type": "image"}] * 20_000
    assert len(agent().check("session/prompt", {"prompt": prompt}, sender="client")) == len(prompt)


# --- what travels in results ---


def asking(**requests: object) -> dict[str, Any]:
    """A result that asks the client for something."""
    return {"resultType": "input_required", "requestState": "s", "inputRequests": requests}


FORM: dict[str, Any] = {
    "method": "elicitation/create",
    "params": {"message": "m", "requestedSchema": {"type": "object", "properties": {}}},
}
LINK = {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "elicitationId": "e", "url": "u"}}
ROOTS: dict[str, Any] = {"method": "roots/list"}
MESSAGE = {
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 1, "tools": [{"name": "t", "inputSchema": {"type": "object"}}]},
}


def test_input_requests_are_judged_inside_results() -> None:
    result = asking(a=FORM, **{"b/c": LINK}, d=ROOTS, e=MESSAGE, f={"method": "_vendor"})
    nothing = negotiated("mcp", "2026-07-28", (), ["tools"])
    for form in (result, decode(v2026_07_28.InputRequiredResult, asking(a=FORM, **{"b/c": LINK}, d=ROOTS, e=MESSAGE))):
        found = nothing.check("tools/call", result=form, sender="server")
        assert [(one.pointer, one.method, one.feature) for one in found] == [
            ("/inputRequests/a", "elicitation/create", "elicitation"),
            ("/inputRequests/a/params/mode", "elicitation/create", "elicitation.form"),
            ("/inputRequests/b~1c", "elicitation/create", "elicitation"),
            ("/inputRequests/b~1c/params/mode", "elicitation/create", "elicitation.url"),
            ("/inputRequests/d", "roots/list", "roots"),
            ("/inputRequests/e", "sampling/createMessage", "sampling"),
            ("/inputRequests/e/params/tools", "sampling/createMessage", "sampling.tools"),
        ]
    some = negotiated("mcp", "2026-07-28", ["elicitation.form", "sampling"], ["tools"])
    found = some.check("tools/call", result=result, sender="server")
    assert [one.pointer for one in found] == [
        "/inputRequests/b~1c/params/mode",
        "/inputRequests/d",
        "/inputRequests/e/params/tools",
    ]
    for method in ("prompts/get", "resources/read"):
        assert len(some.check(method, result=result, sender="server")) == 3
    assert some.check("tools/list", result=result, sender="server") == ()


def test_input_requests_are_allowed_by_what_the_client_declares() -> None:
    sides = negotiated("mcp", "2026-07-28", ["elicitation"], ())
    assert sides.allows("elicitation/create", sender="server")
    assert not sides.allows("sampling/createMessage", sender="server")


# --- what the same declaration means ---


@pytest.mark.parametrize(
    ("capabilities", "form", "url"),
    [
        ({"elicitation": {}}, True, False),
        ({"elicitation": {"form": {}}}, True, False),
        ({"elicitation": {"url": {}}}, False, True),
        ({"elicitation": {"form": {}, "url": {}}}, True, True),
        ({}, False, False),
    ],
)
def test_the_modes_of_elicitation(capabilities: dict[str, Any], form: bool, url: bool) -> None:
    info = {"clientInfo": {"name": "c", "version": "1"}, "serverInfo": {"name": "s", "version": "1"}}
    legacy = {"protocolVersion": "2025-11-25", "capabilities": {}, **info}
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": capabilities}
    for sides in (
        mcp.Negotiated.from_initialize({**legacy, "capabilities": capabilities}, legacy),
        mcp.Negotiated.from_discover({"_meta": meta}, DISCOVERED),
    ):
        for params, allowed in (({}, form), ({"mode": "form"}, form), ({"mode": "url"}, url)):
            assert (sides.check("elicitation/create", params, sender="server") == ()) is allowed
        assert sides.client.supports("elicitation.form") is form
        assert sides.client.supports("elicitation.url") is url
    of_acp = acp.Negotiated.from_initialize(
        {"protocolVersion": 1, "clientCapabilities": capabilities}, {"protocolVersion": 1}
    )
    assert of_acp.client.supports("elicitation.form") is ("form" in capabilities.get("elicitation", {}))
    assert of_acp.allows("elicitation/create", sender="agent") is bool(capabilities.get("elicitation"))


def test_before_the_modes_elicitation_means_form() -> None:
    sides = negotiated("mcp", "2025-06-18", ["elicitation"], ())
    assert sides.client.features == {"elicitation", "elicitation.form"}
    assert sides.check("elicitation/create", {"message": "m"}, sender="server") == ()


def test_a_notification_whose_sender_never_declared_the_flag() -> None:
    sides = negotiated("mcp", "2025-11-25", ["roots"], ["tools"])
    (found,) = sides.check("notifications/tools/list_changed", sender="server")
    assert (found.declared_by, found.capability) == ("server", "capabilities.tools.listChanged")
    (found,) = sides.check("notifications/roots/list_changed", sender="client")
    assert (found.declared_by, found.capability) == ("client", "capabilities.roots.listChanged")
    assert sides.check("tools/list", sender="client") == ()


def test_a_task_that_nobody_declared() -> None:
    sides = negotiated("mcp", "2025-11-25", ["sampling"], ["tools"])
    call = v2025_11_25.CallToolRequestParams(name="t", task=v2025_11_25.TaskMetadata(ttl=1))
    (found,) = sides.check("tools/call", call, sender="client")
    assert (found.pointer, found.capability) == ("/task", "capabilities.tasks.requests.tools.call")
    assert sides.check("tools/call", v2025_11_25.CallToolRequestParams(name="t"), sender="client") == ()
    (found,) = sides.check("sampling/createMessage", {"task": {}}, sender="server")
    assert found.declared_by == "client"


def test_flags_of_a_subscription() -> None:
    sides = negotiated("mcp", "2026-07-28", (), ["tools", "resources"])
    flags = {"toolsListChanged": True, "promptsListChanged": False, "resourceSubscriptions": ["file:///a"]}
    found = sides.check("subscriptions/listen", {"_meta": META, "notifications": flags}, sender="client")
    assert {one.pointer: one.capability for one in found} == {
        "/notifications/resourceSubscriptions": "capabilities.resources.subscribe",
        "/notifications/toolsListChanged": "capabilities.tools.listChanged",
    }


def test_a_terminal_way_to_sign_in_for_a_client_that_has_none() -> None:
    result = {
        "protocolVersion": 1,
        "authMethods": [{"id": "a", "name": "A"}, {"id": "t", "name": "T", "type": "terminal"}],
    }
    sides = acp.Negotiated.from_initialize({"protocolVersion": 1}, result)
    (found,) = sides.check("initialize", result=result, sender="agent")
    assert (found.pointer, found.capability) == ("/authMethods/1", "clientCapabilities.auth.terminal")
    assert sides.check("initialize", result=decode(v1.InitializeResponse, result), sender="agent") == (found,)


def test_an_answer_of_null_is_judged_as_an_answer() -> None:
    for null in (None, b"null"):
        assert agent().check("session/list", result=null, sender="agent") == ()
    assert agent().check("session/list", sender="agent") != ()
