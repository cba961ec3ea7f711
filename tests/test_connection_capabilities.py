"""What was not agreed on: refused, reported or let through, when it is sent and when it arrives."""

import asyncio

import pytest
from acp_pair import Agent, connected, opened
from wire import Json, Pair, Wire, idle, in_loop, notification, request, result
from wiretypes import RpcError, acp, mcp
from wiretypes.acp import v1, v2
from wiretypes.checks import Violation
from wiretypes.mcp import v2025_11_25, v2026_07_28
from wiretypes.session import Enforcement

IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png"}
PROMPT = {"sessionId": "s", "prompt": [{"type": "text", "text": "x"}, IMAGE]}


class Prompted(Agent):
    """Counts what gets through."""

    prompts = 0

    async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        self.prompts += 1
        return await super().session_prompt(params)

    async def session_delete(self, params: v2.DeleteSessionRequest) -> v2.DeleteSessionResponse:
        return v2.DeleteSessionResponse()


def image_prompt() -> v2.PromptRequest:
    return v2.PromptRequest(session_id="s", prompt=[v2.ImageContentBlock(data="AA==", mime_type="image/png")])


# --- sending ---------------------------------------------------------------------------------------------------------


@in_loop
async def test_what_was_not_declared_is_not_sent() -> None:
    pair = await connected()
    before = len(pair.log)
    with pytest.raises(acp.CapabilityError, match=r"prompt\.image"):
        await pair.client.peer.session_prompt(image_prompt())
    with pytest.raises(acp.CapabilityError, match=r"session\.delete"):
        await pair.client.peer.session_delete(v2.DeleteSessionRequest(session_id="s"))
    with pytest.raises(acp.CapabilityError, match="elicitation"):
        await pair.answering.peer.elicitation_complete(v2.CompleteElicitationNotification(elicitation_id="e"))
    with pytest.raises(acp.CapabilityError, match="session/load"):
        await pair.client.peer.request("session/load", {"sessionId": "s"})
    assert len(pair.log) == before
    await pair.close()


@in_loop
async def test_what_was_declared_is_sent() -> None:
    class Able(Prompted):
        features = ("prompt.image",)

    pair = await connected(Able)
    await pair.client.peer.session_prompt(image_prompt())
    assert pair.answering.handler.prompts == 1
    await pair.client.peer.session_delete(v2.DeleteSessionRequest(session_id="s"))
    await pair.close()


@in_loop
async def test_warn_reports_and_sends() -> None:
    violations: list[Violation] = []
    pair = await connected(Prompted, capabilities="warn", on_violation=violations.append)
    await pair.client.peer.session_prompt(image_prompt())
    assert pair.answering.handler.prompts == 1
    # Once by who sends it, once by who gets it.
    assert [(one.method, one.feature, one.pointer) for one in violations] == [
        ("session/prompt", "prompt.image", "/prompt/0")
    ] * 2
    await pair.close()


@in_loop
async def test_off_does_not_look() -> None:
    violations: list[Violation] = []
    pair = await connected(Prompted, capabilities="off", on_violation=violations.append)
    await pair.client.peer.session_prompt(image_prompt())
    assert (pair.answering.handler.prompts, violations) == (1, [])
    await pair.close()


@in_loop
async def test_extensions_are_always_sent() -> None:
    pair = await connected()
    with pytest.raises(RpcError):
        await pair.client.peer.extension_request("_own/x", {})
    await pair.close()


# --- what arrives ----------------------------------------------------------------------------------------------------


@in_loop
async def test_an_undeclared_method_is_not_found() -> None:
    class Unsaid(Prompted):
        async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
            answer = await super().initialize(params)
            answer.capabilities.session = v2.SessionCapabilities()
            return answer

    violations: list[Violation] = []
    wire = await opened(Unsaid, on_violation=violations.append)
    answer = await wire.answers(request("session/delete", {"sessionId": "s"}))
    assert answer["error"]["code"] == -32601
    assert "capabilities.session.delete" in answer["error"]["message"]
    assert [one.feature for one in violations] == ["session.delete"]


@in_loop
async def test_a_gate_inside_params_is_named_by_a_pointer() -> None:
    wire = await opened(Prompted)
    answer = await wire.answers(request("session/prompt", PROMPT))
    assert (answer["error"]["code"], answer["error"]["data"]) == (-32602, {"pointer": "/params/prompt/1"})
    assert wire.connection.handler.prompts == 0


@pytest.mark.parametrize("mode", ["warn", "off"])
@in_loop
async def test_both_get_through_otherwise(mode: Enforcement) -> None:
    wire = await opened(Prompted, capabilities=mode)
    assert "result" in await wire.answers(request("session/prompt", PROMPT))


@pytest.mark.parametrize("mode", ["enforce", "warn"])
@in_loop
async def test_a_notification_is_delivered_and_reported(mode: Enforcement) -> None:
    class Sessionless(Agent):
        is_cancelled = False

        async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
            return v2.InitializeResponse(protocol_version=2, info=self.info, capabilities=v2.AgentCapabilities())

        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            self.is_cancelled = True

    violations: list[Violation] = []
    wire = await opened(Sessionless, capabilities=mode, on_violation=violations.append)
    await wire.ask(notification("session/cancel", {"sessionId": "s"}))
    assert wire.connection.handler.is_cancelled
    assert [one.feature for one in violations] == ["session"]


@in_loop
async def test_what_only_ought_not_to_be_is_reported_and_done() -> None:
    class Sampling(v2025_11_25.ClientHandler):
        info = v2025_11_25.Implementation(name="c", version="1")

        async def sampling_create_message(
            self, params: v2025_11_25.CreateMessageRequestParams
        ) -> v2025_11_25.CreateMessageResult:
            return v2025_11_25.CreateMessageResult(
                role="assistant", content=v2025_11_25.TextContent(text="x"), model="m"
            )

    class Server(v2025_11_25.ServerHandler):
        info = v2025_11_25.Implementation(name="s", version="1")

    violations: list[Violation] = []
    pair = Pair(
        lambda send: mcp.ServerConnection([Server], send, on_violation=violations.append),
        lambda send: mcp.ClientConnection([Sampling], send, on_violation=violations.append),
    )
    await pair.client.initialize()
    await idle()
    peer = pair.answering.peer
    assert isinstance(peer, v2025_11_25.ClientCaller)
    await peer.sampling_create_message(
        v2025_11_25.CreateMessageRequestParams(messages=[], max_tokens=1, include_context="allServers")
    )
    assert [(one.feature, one.severity) for one in violations] == [("sampling.context", "warning")] * 2
    await pair.close()


@in_loop
async def test_a_hook_that_fails_changes_nothing() -> None:
    def fail(violation: Violation) -> None:
        raise ValueError(violation)

    wire = await opened(Prompted, on_violation=fail, capabilities="warn")
    assert "result" in await wire.answers(request("session/prompt", PROMPT))


# --- results ---------------------------------------------------------------------------------------------------------


class Optioned(v1.AgentHandler):
    info = v1.Implementation(name="a", version="1")

    async def session_new(self, params: v1.NewSessionRequest) -> v1.NewSessionResponse:
        option = v1.BooleanSessionConfigOption(id="o", name="O", current_value=True)
        return v1.NewSessionResponse(session_id="s", config_options=[option])


@pytest.mark.parametrize(
    ("mode", "declared", "is_answered"),
    [("enforce", False, False), ("enforce", True, True), ("warn", False, True), ("off", False, True)],
)
@in_loop
async def test_a_result_is_judged_like_a_request(mode: Enforcement, declared: bool, is_answered: bool) -> None:
    wire = Wire(lambda send: acp.AgentConnection([Optioned], send, capabilities=mode))
    capabilities: Json = {"session": {"configOptions": {"boolean": {}}}} if declared else {}
    await wire.receive(request("initialize", {"protocolVersion": 1, "clientCapabilities": capabilities}))
    answer = await wire.answers(request("session/new", {"cwd": "/", "mcpServers": []}, 2))
    assert ("result" in answer) == is_answered
    if not is_answered:
        assert answer["error"] == {"code": -32603, "message": "Internal error"}


@in_loop
async def test_a_result_of_the_peer_is_reported_and_delivered() -> None:
    class Plain(v1.ClientHandler):
        info = v1.Implementation(name="c", version="1")

    violations: list[Violation] = []
    wire = Wire(lambda send: acp.ClientConnection([Plain], send, on_violation=violations.append))
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    await wire.receive(result({"protocolVersion": 1}))
    await opening
    peer = wire.connection.peer
    assert isinstance(peer, v1.AgentCaller)
    call = asyncio.ensure_future(peer.session_new(v1.NewSessionRequest(cwd="/", mcp_servers=[])))
    await idle()
    option = {"type": "boolean", "id": "o", "name": "O", "currentValue": True}
    await wire.receive(result({"sessionId": "s", "configOptions": [option]}, 2))
    assert (await call).session_id == "s"
    assert [(one.feature, one.pointer) for one in violations] == [("config_options.boolean", "/configOptions/0")]


# --- MCP without a handshake: the client's capabilities come with each request ---------------------------------------


def envelope(**capabilities: object) -> Json:
    return {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }
    }


class Asking(v2026_07_28.ServerHandler):
    info = v2026_07_28.Implementation(name="s", version="1")

    async def tools_call(
        self, params: v2026_07_28.CallToolRequestParams
    ) -> v2026_07_28.CallToolResult | v2026_07_28.InputRequiredResult:
        assert self.negotiated is self.request.get().checker
        if params.name == "ask":
            return v2026_07_28.InputRequiredResult(
                input_requests={
                    "q": v2026_07_28.ElicitRequest(
                        params=v2026_07_28.ElicitRequestURLParams(message="?", url="https://x.y")
                    ),
                    "r": v2026_07_28.ListRootsRequest(),
                }
            )
        if params.name == "require":
            self.negotiated.require("sampling/createMessage", sender="server")
        supported = sorted(self.negotiated.client.features)
        return v2026_07_28.CallToolResult(content=[v2026_07_28.TextContent(text=" ".join(supported))])


@in_loop
async def test_a_missing_client_capability_has_an_error_of_its_own() -> None:
    wire = Wire(lambda send: mcp.ServerConnection([Asking], send))
    answer = await wire.answers(request("tools/call", {"name": "ask", **envelope()}))
    assert answer["error"]["code"] == -32021
    assert answer["error"]["data"] == {"requiredCapabilities": {"elicitation": {"url": {}}, "roots": {}}}
    answer = await wire.answers(request("tools/call", {"name": "ask", **envelope(roots={})}, 2))
    assert answer["error"]["data"] == {"requiredCapabilities": {"elicitation": {"url": {}}}}
    answer = await wire.answers(
        request("tools/call", {"name": "ask", **envelope(roots={}, elicitation={"url": {}})}, 3)
    )
    assert answer["result"]["resultType"] == "input_required"
    answer = await wire.answers(request("tools/call", {"name": "require", **envelope()}, 4))
    assert answer["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}


@in_loop
async def test_each_request_is_judged_by_what_came_with_it() -> None:
    wire = Wire(lambda send: mcp.ServerConnection([Asking], send))
    found: dict[int, str] = {}
    declared: tuple[Json, ...] = ({}, {"roots": {}}, {"sampling": {}}, {"roots": {}}, {})
    for id_, capabilities in enumerate(declared):
        await wire.receive(request("tools/call", {"name": "x", **envelope(**capabilities)}, id_))
    await wire.connection.drain()
    for answer in wire.sent:
        found[answer["id"]] = answer["result"]["content"][0]["text"]
    assert found == {0: "", 1: "roots", 2: "sampling", 3: "roots", 4: ""}


@in_loop
async def test_what_discover_says_counts() -> None:
    class Silent(Asking):
        async def server_discover(self, params: v2026_07_28.RequestParams) -> v2026_07_28.DiscoverResult:
            answer = await super().server_discover(params)
            answer.capabilities = v2026_07_28.ServerCapabilities()
            return answer

    wire = Wire(lambda send: mcp.ServerConnection([Silent], send))
    assert "result" in await wire.answers(request("tools/call", {"name": "x", **envelope()}))
    assert (await wire.answers(request("server/discover", envelope(), 2)))["result"]["capabilities"] == {}
    answer = await wire.answers(request("tools/call", {"name": "x", **envelope()}, 3))
    assert answer["error"]["code"] == -32601
