"""Opening a connection: which version is settled, what comes before it, and what it is refused with."""

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from wire import Json, Pair, Wire, code, idle, in_loop, notification, request, result
from wiretypes import InvalidResult, acp, encode, mcp
from wiretypes.acp import v1, v1_unstable, v2
from wiretypes.mcp import v2024_11_05, v2025_06_18, v2025_11_25, v2026_07_28

if TYPE_CHECKING:
    from wiretypes.acp.connections import AgentHandler, AgentHandlerClass, ClientHandlerClass
    from wiretypes.mcp.connections import ClientHandlerClass as McpClientClass
    from wiretypes.mcp.connections import ServerHandler, ServerHandlerClass


class AgentV1(v1.AgentHandler):
    info = v1.Implementation(name="agent", version="1")


class AgentV2(v2.AgentHandler):
    info = v2.Implementation(name="agent", version="1")

    async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        return v2.NewSessionResponse(session_id="s")


class ClientV1(v1.ClientHandler):
    info = v1.Implementation(name="client", version="1")

    async def fs_read_text_file(self, params: v1.ReadTextFileRequest) -> v1.ReadTextFileResponse:
        return v1.ReadTextFileResponse(content="")


class ClientV2(v2.ClientHandler):
    info = v2.Implementation(name="client", version="1")


class Handshake(v2025_11_25.ServerHandler):
    also = ("2025-06-18", "2024-11-05")
    info = v2025_11_25.Implementation(name="server", version="1")


class Envelope(v2026_07_28.ServerHandler):
    info = v2026_07_28.Implementation(name="server", version="1")

    async def tools_list(self, params: v2026_07_28.PaginatedRequestParams) -> v2026_07_28.ListToolsResult:
        return v2026_07_28.ListToolsResult(tools=[], ttl_ms=0, cache_scope="private")


class McpClient(v2025_11_25.ClientHandler):
    info = v2025_11_25.Implementation(name="client", version="1")


class EnvelopeClient(v2026_07_28.ClientHandler):
    info = v2026_07_28.Implementation(name="client", version="1")


class OldServer(v2024_11_05.ServerHandler):
    info = v2024_11_05.Implementation(name="s", version="1")


class AnyClient(EnvelopeClient):
    also = ("2025-06-18", "2024-11-05")


V1_BODY: Json = {"protocolVersion": 1, "clientCapabilities": {}}
V2_BODY: Json = {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
META: Json = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def agent(*handlers: "AgentHandler | AgentHandlerClass") -> Wire[acp.AgentConnection]:
    return Wire(lambda send: acp.AgentConnection(handlers or (AgentV1, AgentV2), send))


def server(*handlers: "ServerHandler | ServerHandlerClass") -> Wire[mcp.ServerConnection]:
    return Wire(lambda send: mcp.ServerConnection(handlers or (Handshake, Envelope), send))


def acp_client(*handlers: "ClientHandlerClass") -> Wire[acp.ClientConnection]:
    return Wire(lambda send: acp.ClientConnection(handlers or (ClientV1, ClientV2), send))


def mcp_client(*handlers: "McpClientClass") -> Wire[mcp.ClientConnection]:
    return Wire(lambda send: mcp.ClientConnection(handlers or (McpClient, EnvelopeClient), send))


def acp_pair(
    agents: "Sequence[AgentHandlerClass]", clients: "Sequence[ClientHandlerClass]"
) -> Pair[acp.AgentConnection, acp.ClientConnection]:
    return Pair(lambda send: acp.AgentConnection(agents, send), lambda send: acp.ClientConnection(clients, send))


def mcp_pair(
    servers: "Sequence[ServerHandlerClass]", clients: "Sequence[McpClientClass]"
) -> Pair[mcp.ServerConnection, mcp.ClientConnection]:
    return Pair(lambda send: mcp.ServerConnection(servers, send), lambda send: mcp.ClientConnection(clients, send))


def mcp_body(version: object) -> Json:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}


# --- which handlers a connection takes -------------------------------------------------------------------------------


async def nowhere(data: bytes) -> None: ...


@pytest.mark.parametrize(
    ("handlers", "text"),
    [
        ([], "needs a handler"),
        ([AgentV1, AgentV1()], "AgentV1 and AgentV1 both serve ACP 1"),
        ([AgentV1, type("U", (v1_unstable.AgentHandler,), {})], "AgentV1 and U both serve ACP 1"),
        ([ClientV1], "ClientV1 is no handler of an ACP agent"),
        ([Handshake], "Handshake is no handler of an ACP agent"),
        ([type("Nameless", (v2.AgentHandler,), {})], "Nameless.info is not set"),
    ],
)
def test_handlers_that_are_refused(handlers: "Sequence[AgentHandler | AgentHandlerClass]", text: str) -> None:
    with pytest.raises(ValueError, match=text):
        acp.AgentConnection(handlers, nowhere)


@pytest.mark.parametrize(
    ("also", "text"),
    [
        (("2025-11-25",), "2025-11-25 is no older version"),
        (("2026-07-28",), "2026-07-28 is no older version"),
        (("2023-01-01",), "no MCP 2023-01-01 in this package"),
        (("2025-06-18", "2025-06-18"), "both serve MCP 2025-06-18"),
    ],
)
def test_also_is_checked(also: tuple[str, ...], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mcp.ServerConnection([type("Older", (Handshake,), {"also": also})], nowhere)


def test_an_instance_serves_one_connection() -> None:
    handler = AgentV1()
    acp.AgentConnection([handler], nowhere)
    with pytest.raises(ValueError, match="serves one connection"):
        acp.AgentConnection([handler], nowhere)


# --- ACP: the agent --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "answered"),
    [(V1_BODY, 1), (V2_BODY, 2), ({**V2_BODY, "protocolVersion": 3}, 2), ({**V1_BODY, "protocolVersion": 1.0}, 1)],
)
@in_loop
async def test_the_agent_answers_with_the_requested_version_or_its_latest(body: Json, answered: int) -> None:
    wire = agent()
    (answer,) = await wire.ask(request("initialize", body))
    assert answer["result"]["protocolVersion"] == answered
    key = "info" if answered == 2 else "agentInfo"
    assert answer["result"][key] == {"name": "agent", "version": "1"}
    await wire.connection.close()


@in_loop
async def test_initialize_is_answered_before_receive_returns() -> None:
    wire = agent()
    await wire.receive(request("initialize", V2_BODY))
    assert len(wire.sent) == 1


@pytest.mark.parametrize(("agent_of", "body", "answered"), [(AgentV2, V1_BODY, 2), (AgentV1, V2_BODY, 1)])
@in_loop
async def test_a_client_of_another_generation_learns_what_the_agent_speaks(
    agent_of: "AgentHandlerClass", body: Json, answered: int
) -> None:
    answer = await agent(agent_of).answers(request("initialize", body))
    assert answer["result"]["protocolVersion"] == answered


@pytest.mark.parametrize("version", ["1", True, None, -1, 65536, "2025-11-25", 1.5])
@in_loop
async def test_what_is_no_version_is_refused_and_can_be_mended(version: object) -> None:
    wire = agent()
    answer = await wire.answers(request("initialize", {**V1_BODY, "protocolVersion": version}))
    assert answer["error"]["code"] == -32602
    assert answer["error"]["data"] == {"pointer": "/params/protocolVersion"}
    assert "result" in await wire.answers(request("initialize", V1_BODY, 2))


@in_loop
async def test_bad_params_of_initialize_are_refused_with_a_pointer() -> None:
    answer = await agent().answers(request("initialize", {"protocolVersion": 2, "capabilities": {}}))
    assert (answer["error"]["code"], answer["error"]["data"]) == (-32602, {"pointer": "/params/info"})


@in_loop
async def test_before_initialize_there_is_nothing_else_and_after_it_no_second_one() -> None:
    wire = agent()
    assert code(await wire.answers(request("session/new", {"cwd": "/", "mcpServers": []}))) == -32600
    assert await wire.ask(notification("session/cancel", {"sessionId": "s"})) == []
    assert await wire.ask(result({}, 7)) == []
    assert "result" in await wire.answers(request("initialize", V2_BODY))
    assert code(await wire.answers(request("initialize", V2_BODY, 2))) == -32600
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}, 3))


@in_loop
async def test_nothing_is_answered_while_initialize_is() -> None:
    ready = asyncio.Event()

    class Slow(AgentV2):
        async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
            await ready.wait()
            return await super().initialize(params)

    wire = agent(Slow)
    opening = asyncio.ensure_future(wire.receive(request("initialize", V2_BODY)))
    await idle()
    assert code(await wire.answers(request("session/new", {"cwd": "/"}, 2))) == -32600
    assert code(await wire.answers(request("initialize", V2_BODY, 3))) == -32600
    ready.set()
    await opening
    assert wire.sent[-1]["id"] == 1
    assert wire.sent[-1]["result"]["protocolVersion"] == 2


@in_loop
async def test_an_overridden_initialize_decides_what_is_declared() -> None:
    class Own(AgentV2):
        async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
            assert self.negotiated.client.info is not None
            assert self.request.get().method == "initialize"
            assert isinstance(self.peer, v2.ClientCaller)
            answer = await super().initialize(params)
            answer.capabilities.session = None
            return answer

    wire = agent(Own)
    answer = await wire.answers(request("initialize", V2_BODY))
    assert answer["result"]["capabilities"] == {"session": None}
    assert code(await wire.answers(request("session/new", {"cwd": "/"}, 2))) == -32601


@in_loop
async def test_an_overridden_initialize_does_not_decide_the_version(caplog: pytest.LogCaptureFixture) -> None:
    class Wrong(AgentV2):
        async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
            answer = await super().initialize(params)
            answer.protocol_version = 1
            return answer

    wire = agent(Wrong)
    assert code(await wire.answers(request("initialize", V2_BODY))) == -32603
    assert "names version 1, settled is 2" in caplog.text


@pytest.mark.parametrize("info", [{"name": "x"}, "x", None])
@in_loop
async def test_a_client_of_another_generation_may_name_itself_badly(info: object) -> None:
    wire = agent(AgentV2)
    answer = await wire.answers(request("initialize", {**V1_BODY, "clientInfo": info}))
    assert answer["result"]["protocolVersion"] == 2


@in_loop
async def test_an_initialize_that_fails_leaves_the_connection_unopened() -> None:
    class Refusing(AgentV2):
        is_ready = False

        async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
            if not self.is_ready:
                raise acp.RpcError(-32000, "log in first")
            return await super().initialize(params)

    handler = Refusing()
    wire = agent(handler)
    assert code(await wire.answers(request("initialize", V2_BODY))) == -32000
    assert code(await wire.answers(request("session/new", {"cwd": "/"}, 2))) == -32600
    handler.is_ready = True
    assert "result" in await wire.answers(request("initialize", V2_BODY, 3))


@in_loop
async def test_ways_to_sign_in_that_the_client_cannot_take_are_not_offered() -> None:
    class Terminal(AgentV2):
        auth_methods = (
            v2.AgentAuthMethod(method_id="here", name="Here"),
            v2.TerminalAuthMethod(method_id="there", name="There"),
        )

    cases: tuple[tuple[Json, list[str]], ...] = (({}, ["here"]), ({"auth": {"terminal": {}}}, ["here", "there"]))
    for capabilities, offered in cases:
        answer = await agent(Terminal).answers(request("initialize", {**V2_BODY, "capabilities": capabilities}))
        assert [method["methodId"] for method in answer["result"]["authMethods"]] == offered


# --- ACP: the client -------------------------------------------------------------------------------------------------


@in_loop
async def test_a_client_offers_its_newest_version_and_what_older_agents_read() -> None:
    wire = acp_client()
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    assert wire.sent[0]["params"] == {
        "protocolVersion": 2,
        "info": {"name": "client", "version": "1"},
        "capabilities": {},
        "clientInfo": {"name": "client", "version": "1"},
        "clientCapabilities": {"fs": {"readTextFile": True}},
    }
    await wire.receive(result({"protocolVersion": 1}))
    assert isinstance(await opening, v1.InitializeResponse)
    connection = wire.connection
    assert isinstance(connection.handler, ClientV1)
    peer = connection.peer
    assert isinstance(peer, v1.AgentCaller)
    assert connection.negotiated.client.supports("fs.read_text_file")
    with pytest.raises(acp.OutOfOrder):
        await connection.initialize()
    with pytest.raises(acp.OutOfOrder):
        await peer.initialize(v1.InitializeRequest(protocol_version=1))


@in_loop
async def test_before_it_is_open_a_client_has_nothing_to_call() -> None:
    connection = acp.ClientConnection([ClientV2], nowhere)
    for name in ("handler", "peer", "negotiated"):
        with pytest.raises(acp.OutOfOrder):
            getattr(connection, name)


@pytest.mark.parametrize(
    "answer",
    [
        {"result": {"protocolVersion": 3}},
        {"result": {"protocolVersion": "2"}},
        {"result": {}},
        {"result": None},
        {"error": {"code": -32022, "message": "no", "data": {"requested": 2, "supported": [3]}}},
        {"error": {"code": -32603, "message": "Internal error"}},
    ],
)
@in_loop
async def test_a_client_that_finds_no_common_version_says_so(answer: Json) -> None:
    wire = acp_client()
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    await wire.receive({"jsonrpc": "2.0", "id": 1, **answer})
    with pytest.raises(acp.VersionMismatch):
        await opening


@in_loop
async def test_an_answer_that_is_none_of_its_version_fails_to_open() -> None:
    wire = acp_client()
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    await wire.receive(result({"protocolVersion": 2, "capabilities": {}}))
    with pytest.raises(InvalidResult) as caught:
        await opening
    assert caught.value.value == {"protocolVersion": 2, "capabilities": {}}


@in_loop
async def test_requests_of_an_agent_that_come_too_early_are_refused() -> None:
    wire = acp_client()
    assert code(await wire.answers(request("session/request_permission", {}))) == -32600
    assert await wire.ask(notification("session/update", {})) == []


@in_loop
async def test_what_comes_right_behind_the_answer_is_of_the_settled_version() -> None:
    updates: list[v2.SessionUpdate] = []

    class Noting(ClientV2):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            updates.append(params.update)

    wire = acp_client(Noting)
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    update = {"sessionUpdate": "state_update", "state": "running"}
    role = AgentV2.role
    declared = AgentV2().declared_in(role.rules, role.protocol.held[role.version][1], role.message)
    await wire.receive(result(json.loads(encode(declared))))
    await wire.receive(notification("session/update", {"sessionId": "s", "update": update}))
    await opening
    await idle()
    assert [type(found) for found in updates] == [v2.RunningStateUpdateSessionUpdate]


@in_loop
async def test_both_sides_of_ours_agree() -> None:
    cases: tuple[tuple[Sequence[AgentHandlerClass], Sequence[ClientHandlerClass], str], ...] = (
        ([AgentV1, AgentV2], [ClientV1, ClientV2], "v2"),
        ([AgentV1], [ClientV1, ClientV2], "v1"),
        ([AgentV1, AgentV2], [ClientV1], "v1"),
    )
    for handlers, clients, version in cases:
        pair = acp_pair(handlers, clients)
        await pair.client.initialize()
        assert pair.client.negotiated.version == pair.answering.negotiated.version == version
        await pair.close()


# --- MCP: the server -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("requested", "answered"),
    [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2026-07-28", "2025-11-25"), ("x", "2025-11-25")],
)
@in_loop
async def test_the_server_answers_with_the_requested_version_or_its_latest(requested: str, answered: str) -> None:
    answer = await server().answers(request("initialize", mcp_body(requested)))
    assert answer["result"]["protocolVersion"] == answered


@in_loop
async def test_what_is_no_mcp_version_is_refused() -> None:
    answer = await server().answers(request("initialize", mcp_body(1)))
    assert (answer["error"]["code"], answer["error"]["data"]) == (-32602, {"pointer": "/params/protocolVersion"})


@in_loop
async def test_before_the_era_is_settled_there_is_ping_alone() -> None:
    wire = server()
    assert (await wire.answers(request("ping")))["result"] == {}
    assert code(await wire.answers(request("tools/list"))) == -32600
    assert code(await wire.answers(request("server/discover"))) == -32602
    assert code(await server(Envelope).answers(request("tools/list"))) == -32602
    assert code(await server(Envelope).answers(request("ping"))) == -32602
    assert code(await server(Handshake).answers(request("server/discover"))) == -32600


@in_loop
async def test_after_discover_initialize_is_refused() -> None:
    wire = server()
    answer = await wire.answers(request("server/discover", {"_meta": META}))
    assert answer["result"]["supportedVersions"] == ["2026-07-28"]
    answer = await wire.answers(request("initialize", mcp_body("2025-11-25"), 2))
    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"] == {"requested": "2025-11-25", "supported": ["2026-07-28"]}
    assert code(await wire.answers(request("tools/list", {}, 3))) == -32602
    assert "result" in await wire.answers(request("tools/list", {"_meta": META}, 4))


@in_loop
async def test_an_envelope_settles_the_era_too() -> None:
    wire = server()
    assert "result" in await wire.answers(request("tools/list", {"_meta": META}))
    assert code(await wire.answers(request("initialize", mcp_body("2025-11-25"), 2))) == -32022


@in_loop
async def test_after_initialize_envelopes_are_refused() -> None:
    wire = server()
    await wire.answers(request("initialize", mcp_body("2025-11-25")))
    await wire.receive(notification("notifications/initialized"))
    for method in ("server/discover", "tools/list", "vendor/x"):
        assert code(await wire.answers(request(method, {"_meta": META}, 2))) == -32600
    assert code(await wire.answers(request("initialize", mcp_body("2025-11-25"), 3))) == -32600


@in_loop
async def test_a_version_that_is_not_served_settles_nothing() -> None:
    wire = server()
    other: Json = {**META, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    answer = await wire.answers(request("server/discover", {"_meta": other}))
    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"]["requested"] == "2030-01-01"
    assert "2026-07-28" in answer["error"]["data"]["supported"]
    assert "result" in await wire.answers(request("initialize", mcp_body("2025-11-25"), 2))


@in_loop
async def test_an_envelope_that_lacks_something_settles_nothing() -> None:
    wire = server()
    bare = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    answer = await wire.answers(request("tools/list", {"_meta": bare}))
    assert answer["error"]["code"] == -32602
    assert answer["error"]["data"]["pointer"].startswith("/params/_meta")
    assert "result" in await wire.answers(request("initialize", mcp_body("2025-11-25"), 2))


@in_loop
async def test_a_server_without_handshake_refuses_initialize_with_what_it_supports() -> None:
    answer = await server(Envelope).answers(request("initialize", mcp_body("2025-11-25")))
    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"] == {"requested": "2025-11-25", "supported": ["2026-07-28"]}


@in_loop
async def test_a_server_sends_nothing_but_ping_and_logging_until_the_client_is_ready() -> None:
    class Logging(Handshake):
        features = ("logging",)

    handler = Logging()
    wire = server(handler)
    await wire.answers(request("initialize", mcp_body("2025-11-25")))
    with pytest.raises(mcp.OutOfOrder):
        await handler.peer.roots_list()
    with pytest.raises(mcp.OutOfOrder):
        await handler.peer.notifications_progress(v2025_11_25.ProgressNotificationParams(progress_token=1, progress=1))
    await handler.peer.notifications_message(v2025_11_25.LoggingMessageNotificationParams(level="info", data="x"))
    ping = asyncio.ensure_future(handler.peer.ping())
    await idle()
    assert [message["method"] for message in wire.sent[1:]] == ["notifications/message", "ping"]
    await wire.receive(result({}, wire.sent[-1]["id"]))
    await ping
    await wire.receive(notification("notifications/initialized"))
    await handler.peer.notifications_progress(v2025_11_25.ProgressNotificationParams(progress_token=1, progress=1))


# --- MCP: the client -------------------------------------------------------------------------------------------------


@in_loop
async def test_initialize_is_followed_by_initialized() -> None:
    wire = mcp_client(McpClient)
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    assert wire.sent[0]["params"]["protocolVersion"] == "2025-11-25"
    assert (await wire.answers(request("ping", None, "p")))["result"] == {}
    assert code(await wire.answers(request("roots/list", None, "r"))) == -32600
    await wire.receive(result({**mcp_body("2025-11-25"), "serverInfo": {"name": "s", "version": "1"}}))
    assert isinstance(await opening, v2025_11_25.InitializeResult)
    await idle()
    assert wire.sent[-1] == notification("notifications/initialized")


@in_loop
async def test_open_takes_what_the_server_speaks() -> None:
    cases: tuple[tuple[Sequence[ServerHandlerClass], Sequence[McpClientClass], str], ...] = (
        ([Handshake, Envelope], [McpClient, EnvelopeClient], "2026-07-28"),
        ([Handshake], [McpClient, EnvelopeClient], "2025-11-25"),
        ([Handshake, Envelope], [McpClient], "2025-11-25"),
        ([Envelope], [McpClient, EnvelopeClient], "2026-07-28"),
        ([OldServer], [AnyClient], "2024-11-05"),
    )
    for handlers, clients, version in cases:
        pair = mcp_pair(handlers, clients)
        await pair.client.open()
        await idle()
        assert pair.client.negotiated.version == version
        await pair.close()


@pytest.mark.parametrize("code_", [-32601, -32602, -32600, -1])
@in_loop
async def test_any_other_error_leads_to_initialize(code_: int) -> None:
    wire = mcp_client()
    opening = asyncio.ensure_future(wire.connection.open())
    await idle()
    assert wire.sent[0]["method"] == "server/discover"
    await wire.receive({"jsonrpc": "2.0", "id": 1, "error": {"code": code_, "message": "no"}})
    await idle()
    assert wire.sent[1]["method"] == "initialize"
    await wire.receive(result({**mcp_body("2025-11-25"), "serverInfo": {"name": "s", "version": "1"}}, 2))
    assert isinstance(await opening, v2025_11_25.InitializeResult)
    await idle()


@in_loop
async def test_silence_leads_to_initialize() -> None:
    wire = mcp_client()
    opening = asyncio.ensure_future(wire.connection.open(timeout=0.01))
    await asyncio.sleep(0.05)
    assert [message["method"] for message in wire.sent] == ["server/discover", "initialize"]
    opening.cancel()
    await asyncio.wait([opening])
    assert [message["method"] for message in wire.sent] == ["server/discover", "initialize"]


@in_loop
async def test_a_client_that_cannot_go_on_gives_up() -> None:
    wire = mcp_client(EnvelopeClient)
    opening = asyncio.ensure_future(wire.connection.discover())
    await idle()
    await wire.receive({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}})
    with pytest.raises(mcp.VersionMismatch):
        await opening
    with pytest.raises(ValueError, match="no handler of a version that initialize opens"):
        await wire.connection.initialize()


@in_loop
async def test_each_request_says_what_the_client_is() -> None:
    pair = mcp_pair([Envelope], [EnvelopeClient])
    await pair.client.discover()
    peer = pair.client.peer
    assert isinstance(peer, v2026_07_28.ServerCaller)
    await peer.tools_list()
    await peer.tools_list(v2026_07_28.PaginatedRequestParams(cursor="c"))
    for message in (message for sender, message in pair.log if sender == "client"):
        assert message["params"]["_meta"] == {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "client", "version": "1"},
        }
    await pair.close()
    assert v2025_06_18.VERSION == "2025-06-18"
