"""What only MCP has: older versions served by a newer class, and requests for input inside results."""

import asyncio
import logging
from typing import TYPE_CHECKING, ClassVar, Unpack, cast

import pytest
from wire import Json, Options, Pair, Wire, code, idle, in_loop, notification, request, result
from wiretypes import RpcError, encode, mcp
from wiretypes.mcp import v2024_11_05, v2025_06_18, v2025_11_25, v2026_07_28

if TYPE_CHECKING:
    from wiretypes.mcp.connections import ServerHandler, ServerHandlerClass

HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

# --- older versions --------------------------------------------------------------------------------------------------


class Server(v2025_11_25.ServerHandler):
    """Serves every version that `initialize` opens."""

    also: ClassVar[tuple[str, ...]] = HANDSHAKE[1:]
    info = v2025_11_25.Implementation(name="server", version="1")
    features = ("tools.list_changed", "tasks.list")

    async def tools_call(self, params: v2025_11_25.CallToolRequestParams) -> v2025_11_25.CallToolResult:
        assert type(params) is v2025_11_25.CallToolRequestParams
        content: dict[str, v2025_11_25.ContentBlock] = {
            "text": v2025_11_25.TextContent(text=self.negotiated.version),
            "audio": v2025_11_25.AudioContent(data="AA==", mime_type="audio/wav"),
            "link": v2025_11_25.ResourceLink(name="l", uri="x:y"),
        }
        return v2025_11_25.CallToolResult(content=[content[params.name]])

    async def completion_complete(self, params: v2025_11_25.CompleteRequestParams) -> v2025_11_25.CompleteResult:
        return v2025_11_25.CompleteResult(completion=v2025_11_25.CompleteResultCompletion(values=[]))

    async def resources_read(self, params: v2025_11_25.ReadResourceRequestParams) -> v2025_11_25.ReadResourceResult:
        roots = await self.peer.roots_list()
        return v2025_11_25.ReadResourceResult(
            contents=[v2025_11_25.TextResourceContents(uri=root.uri, text="") for root in roots.roots]
        )

    async def prompts_get(self, params: v2025_11_25.GetPromptRequestParams) -> v2025_11_25.GetPromptResult:
        await self.peer.elicitation_create(
            v2025_11_25.ElicitRequestURLParams(message="?", url="x:y", elicitation_id="e")
        )
        raise AssertionError


class Newest(v2026_07_28.ServerHandler):
    """Serves every version there is."""

    also = HANDSHAKE
    info = v2026_07_28.Implementation(name="server", version="1")

    def __init__(self) -> None:
        self.others: list[tuple[object, ...]] = []

    async def tools_list(self, params: v2026_07_28.PaginatedRequestParams) -> v2026_07_28.ListToolsResult:
        meta = params.meta
        assert meta.client_info is not None
        self.others.append((meta.protocol_version, meta.client_info.name, meta.client_capabilities.roots is not None))
        return v2026_07_28.ListToolsResult(tools=[], ttl_ms=5, cache_scope="public")

    async def tools_call(
        self, params: v2026_07_28.CallToolRequestParams
    ) -> v2026_07_28.CallToolResult | v2026_07_28.InputRequiredResult:
        if params.name == "input":
            return v2026_07_28.InputRequiredResult(request_state="s")
        return v2026_07_28.CallToolResult(content=[v2026_07_28.TextContent(text="x")])

    async def extension_request(self, method: str, params: object) -> Json:
        self.others.append((method, params))
        return {}

    async def extension_notification(self, method: str, params: object) -> None:
        self.others.append((method, params))


class ClientConnection(mcp.ClientConnection):
    """A client's connection whose handlers are all of 2026-07-28, and so its caller."""

    @property
    def peer(self) -> v2026_07_28.ServerCaller:
        return cast("v2026_07_28.ServerCaller", super().peer)


async def opened(
    handler: "ServerHandler | ServerHandlerClass", version: str, **capabilities: Json
) -> Wire[mcp.ServerConnection]:
    wire = Wire(lambda send: mcp.ServerConnection([handler], send))
    body = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": {"name": "c", "version": "1"}}
    answer = await wire.answers(request("initialize", body, "open"))
    assert answer["result"]["protocolVersion"] == version
    await wire.receive(notification("notifications/initialized"))
    await idle()
    wire.sent.clear()
    return wire


@pytest.mark.parametrize("version", HANDSHAKE)
@in_loop
async def test_an_older_version_is_served_with_the_classes_of_the_handler(version: str) -> None:
    wire = await opened(Server, version)
    answer = await wire.answers(request("tools/call", {"name": "text"}))
    assert answer["result"] == {"content": [{"type": "text", "text": version}]}
    assert wire.connection.negotiated.version == version
    assert wire.connection.handler.negotiated is wire.connection.negotiated


@pytest.mark.parametrize("version", HANDSHAKE)
@in_loop
async def test_what_is_declared_is_what_the_version_has(version: str) -> None:
    wire = Wire(lambda send: mcp.ServerConnection([Server], send))
    body = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    capabilities = (await wire.answers(request("initialize", body)))["result"]["capabilities"]
    assert capabilities["tools"] == {"listChanged": True}
    assert ("tasks" in capabilities) == (version == "2025-11-25")
    assert ("completions" in capabilities) == (version != "2024-11-05")


@pytest.mark.parametrize(
    ("version", "kind", "is_sayable"),
    [
        ("2025-11-25", "link", True),
        ("2025-06-18", "link", True),
        ("2025-03-26", "link", False),
        ("2025-03-26", "audio", True),
        ("2024-11-05", "audio", False),
    ],
)
@in_loop
async def test_a_result_that_the_older_version_cannot_say(
    version: str, kind: str, is_sayable: bool, caplog: pytest.LogCaptureFixture
) -> None:
    wire = await opened(Server, version)
    with caplog.at_level(logging.ERROR):
        answer = await wire.answers(request("tools/call", {"name": kind}))
    assert ("result" in answer) == is_sayable
    if not is_sayable:
        assert answer["error"] == {"code": -32603, "message": "Internal error"}
        assert f"the result of tools/call is none of version {version}: /content/0" in caplog.text


@in_loop
async def test_messages_are_checked_against_the_older_version() -> None:
    wire = await opened(Server, "2024-11-05")
    params = {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "v"}}
    assert "result" in await wire.answers(request("completion/complete", params))
    answer = await wire.answers(request("completion/complete", {**params, "ref": {"type": "ref/other"}}))
    assert (answer["error"]["code"], answer["error"]["data"]) == (-32602, {"pointer": "/params/ref/type"})
    assert code(await wire.answers(request("tasks/list"))) == -32601


@in_loop
async def test_calls_are_translated_both_ways() -> None:
    wire = await opened(Server, "2024-11-05", roots={})
    await wire.receive(request("resources/read", {"uri": "x:y"}, 1))
    await idle()
    (asked,) = wire.sent
    assert asked["method"] == "roots/list"
    await wire.receive(result({"roots": [{"uri": "file:///a", "name": "a"}]}, asked["id"]))
    await wire.connection.drain()
    assert wire.sent[-1] == result({"contents": [{"uri": "file:///a", "text": ""}]})


@in_loop
async def test_what_the_older_version_does_not_have_is_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    wire = await opened(Server, "2024-11-05", elicitation={})
    assert code(await wire.answers(request("prompts/get", {"name": "p"}))) == -32603
    assert "2024-11-05 has no `elicitation/create`" in caplog.text


@pytest.mark.parametrize("version", HANDSHAKE)
@in_loop
async def test_the_newest_class_serves_versions_with_a_handshake(version: str) -> None:
    handler = Newest()
    wire = await opened(handler, version, roots={"listChanged": True})
    listed = await wire.answers(request("tools/list", {}, 1))
    assert listed["result"]["tools"] == []
    assert (await wire.answers(request("ping", None, 2)))["result"] == {}
    called = await wire.answers(request("tools/call", {"name": "x"}, 3))
    assert called["result"]["content"] == [{"type": "text", "text": "x"}]
    await wire.ask(notification("notifications/roots/list_changed"))
    assert handler.others == [
        ("notifications/initialized", None),
        (version, "c", True),
        ("notifications/roots/list_changed", None),
    ]
    assert code(await wire.answers(request("tools/call", {"name": "input"}, 4))) == -32603


@in_loop
async def test_the_newest_class_of_a_client_speaks_older_versions() -> None:
    class Client(v2026_07_28.ClientHandler):
        also = HANDSHAKE
        info = v2026_07_28.Implementation(name="client", version="1")

        async def roots_list(self, params: v2026_07_28.ListRootsRequestParams) -> v2026_07_28.ListRootsResult:
            return v2026_07_28.ListRootsResult(roots=[v2026_07_28.Root(uri="file:///r")])

    def pair_of(also_served: tuple[str, ...]) -> Pair[mcp.ServerConnection, ClientConnection]:
        class Only(Server):
            also = also_served

        return Pair(
            lambda send: mcp.ServerConnection([Only], send),
            lambda send: ClientConnection([Client], send),
        )

    for version in HANDSHAKE:
        pair = pair_of(HANDSHAKE[HANDSHAKE.index(version) :] if version != "2025-11-25" else ())
        await pair.client.open()
        peer = pair.client.peer
        found = await peer.tools_call(v2026_07_28.CallToolRequestParams(name="text"))
        assert isinstance(found, v2026_07_28.CallToolResult)
        read = await peer.resources_read(v2026_07_28.ReadResourceRequestParams(uri="x:y"))
        assert isinstance(read, v2026_07_28.ReadResourceResult)
        assert (read.contents[0].uri, read.ttl_ms, read.cache_scope) == ("file:///r", 0, "private")
        assert all("_meta" not in message.get("params", {}) for message in pair.sent("client", "tools/call"))
        await pair.close()


@in_loop
async def test_a_result_in_which_the_class_of_the_handler_has_another_use_for_something(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Client(v2025_11_25.ClientHandler):
        also = ("2024-11-05",)
        info = v2025_11_25.Implementation(name="client", version="1")

    wire = Wire(lambda send: mcp.ClientConnection([Client], send))
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    body: Json = {
        "protocolVersion": "2024-11-05",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"},
    }
    await wire.receive(result(body))
    assert isinstance(await opening, v2025_11_25.InitializeResult)
    peer = wire.connection.peer
    assert isinstance(peer, v2025_11_25.ServerCaller)
    call = asyncio.ensure_future(peer.tools_list())
    await idle()
    # 2024-11-05 takes any object for the schema of a tool's arguments, with any value under the newer `icons`.
    tool = {"name": "t", "inputSchema": {"type": "object"}, "icons": 7}
    await wire.receive(result({"tools": [tool]}, 2))
    assert encode(await call) == b'{"tools":[{"inputSchema":{"type":"object"},"name":"t"}]}'
    assert "left out, as it is something else in the version of the handler: /tools/0/icons" in caplog.text


# --- input that a result asks for ------------------------------------------------------------------------------------


class Asking(v2026_07_28.ServerHandler):
    """Asks for what the name of the tool says, as many times as its arguments say."""

    info = v2026_07_28.Implementation(name="server", version="1")

    def __init__(self) -> None:
        self.calls: list[v2026_07_28.CallToolRequestParams] = []

    async def tools_call(
        self, params: v2026_07_28.CallToolRequestParams
    ) -> v2026_07_28.CallToolResult | v2026_07_28.InputRequiredResult:
        self.calls.append(params)
        times = (params.arguments or {}).get("times", 1)
        if len(self.calls) > times:
            text = str(params.input_responses)
            return v2026_07_28.CallToolResult(content=[v2026_07_28.TextContent(text=text)])
        if params.name == "state":
            return v2026_07_28.InputRequiredResult(request_state=f"state {len(self.calls)}")
        kinds: dict[str, v2026_07_28.InputRequest] = {
            "roots": v2026_07_28.ListRootsRequest(),
            "elicit": v2026_07_28.ElicitRequest(
                params=v2026_07_28.ElicitRequestFormParams(
                    message="name?", requested_schema=v2026_07_28.ElicitRequestFormParamsRequestedSchema(properties={})
                )
            ),
            "sample": v2026_07_28.CreateMessageRequest(
                params=v2026_07_28.CreateMessageRequestParams(messages=[], max_tokens=5)
            ),
        }
        wanted = kinds if params.name == "all" else {params.name: kinds[params.name]}
        return v2026_07_28.InputRequiredResult(input_requests=wanted, request_state="kept")


class Answering(v2026_07_28.ClientHandler):
    info = v2026_07_28.Implementation(name="client", version="1")

    async def roots_list(self, params: v2026_07_28.ListRootsRequestParams) -> v2026_07_28.ListRootsResult:
        return v2026_07_28.ListRootsResult(roots=[v2026_07_28.Root(uri="file:///r")])

    async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
        assert self.request.get().method == "elicitation/create"
        return v2026_07_28.ElicitResult(action="accept", content={"name": params.message})

    async def sampling_create_message(
        self, params: v2026_07_28.CreateMessageRequestParams
    ) -> v2026_07_28.CreateMessageResult:
        content = v2026_07_28.TextContent(text=str(params.max_tokens))
        return v2026_07_28.CreateMessageResult(role="assistant", content=content, model="m")


async def discovered(
    client: type[v2026_07_28.ClientHandler] = Answering, **options: Unpack[Options]
) -> Pair[mcp.ServerConnection, ClientConnection]:
    pair = Pair(
        lambda send: mcp.ServerConnection([Asking], send, **options),
        lambda send: ClientConnection([client], send, **options),
    )
    await pair.client.discover()
    return pair


def tool(name: str, **arguments: object) -> v2026_07_28.CallToolRequestParams:
    return v2026_07_28.CallToolRequestParams(name=name, arguments=arguments)


@in_loop
async def test_the_handler_answers_and_the_call_is_repeated() -> None:
    pair = await discovered()
    await pair.client.peer.tools_call(tool("all"))
    first, second = pair.sent("client", "tools/call")
    assert first["id"] != second["id"]
    assert "inputResponses" not in first["params"]
    assert second["params"]["inputResponses"] == {
        "roots": {"roots": [{"uri": "file:///r"}]},
        "elicit": {"action": "accept", "content": {"name": "name?"}},
        "sample": {"role": "assistant", "content": {"type": "text", "text": "5"}, "model": "m"},
    }
    assert second["params"]["requestState"] == "kept"
    assert {key: second["params"][key] for key in ("name", "arguments")} == {"name": "all", "arguments": {}}
    await pair.close()


@in_loop
async def test_what_asks_for_nothing_is_repeated_with_its_state() -> None:
    pair = await discovered()
    found = await pair.client.peer.tools_call(tool("state", times=3))
    assert isinstance(found, v2026_07_28.CallToolResult)
    states = [message["params"].get("requestState") for message in pair.sent("client", "tools/call")]
    assert states == [None, "state 1", "state 2", "state 3"]
    await pair.close()


@pytest.mark.parametrize(("times", "is_done"), [(10, True), (11, False), (100, False)])
@in_loop
async def test_a_call_is_repeated_ten_times_at_most(times: int, is_done: bool) -> None:
    pair = await discovered()
    found = await pair.client.peer.tools_call(tool("elicit", times=times))
    assert isinstance(found, v2026_07_28.CallToolResult) == is_done
    assert len(pair.sent("client", "tools/call")) == 11
    await pair.close()


@in_loop
async def test_what_the_handler_does_not_implement_is_left_to_the_caller() -> None:
    class Rooted(v2026_07_28.ClientHandler):
        info = v2026_07_28.Implementation(name="client", version="1")

        async def roots_list(self, params: v2026_07_28.ListRootsRequestParams) -> v2026_07_28.ListRootsResult:
            raise AssertionError

    pair = await discovered(Rooted, capabilities="off")
    found = await pair.client.peer.tools_call(tool("all"))
    assert isinstance(found, v2026_07_28.InputRequiredResult)
    await pair.close()


@in_loop
async def test_a_handler_that_fails_fails_the_call() -> None:
    class Failing(Answering):
        async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
            raise RpcError(-5, "no")

    pair = await discovered(Failing)
    with pytest.raises(RpcError, match="no"):
        await pair.client.peer.tools_call(tool("elicit"))
    assert len(pair.client.calls) == 0
    await pair.close()


@in_loop
async def test_an_answer_that_is_none_is_not_sent() -> None:
    class Wrong(Answering):
        async def roots_list(self, params: v2026_07_28.ListRootsRequestParams) -> v2026_07_28.ListRootsResult:
            # What is no result is what the test is about.
            return {"roots": "none"}  # type: ignore[return-value]  # pyright: ignore[reportReturnType]

    pair = await discovered(Wrong)
    with pytest.raises(ValueError, match="inputResponses"):
        await pair.client.peer.tools_call(tool("roots"))
    await pair.close()


def test_the_versions_are_those_of_the_package() -> None:
    modules = (v2024_11_05, v2025_06_18, v2025_11_25)
    assert {module.VERSION for module in modules} < set(HANDSHAKE)
