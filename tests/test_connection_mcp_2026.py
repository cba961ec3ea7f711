"""What only MCP 2026-07-28 has: envelopes, subscriptions, and results that ask for input, in the place of requests."""

import asyncio
from typing import TypeAlias, Unpack, cast

import pytest
from wire import Json, Options, Wire, code, idle, in_loop, notification, request, result
from wiretypes import ConnectionClosed, RpcError, mcp
from wiretypes.mcp import CapabilityError, Violation, v2026_07_28
from wiretypes.session import Enforcement

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
META: Json = {PROTOCOL_VERSION: "2026-07-28", CAPABILITIES: {}}
INITIALIZE: Json = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "c", "version": "1"},
}

# --- envelopes -------------------------------------------------------------------------------------------------------


class Server(v2026_07_28.ServerHandler):
    info = v2026_07_28.Implementation(name="server", version="1")
    also = ("2025-11-25",)

    async def tools_call(self, params: v2026_07_28.CallToolRequestParams) -> v2026_07_28.CallToolResult:
        await self.peer.request(params.name)
        return v2026_07_28.CallToolResult(content=[])

    async def extension_request(self, method: str, params: object) -> Json:
        return {"supports": sorted(self.negotiated.client.features)}


def serving(**options: Unpack[Options]) -> Wire[mcp.ServerConnection]:
    return Wire(lambda send: mcp.ServerConnection([Server], send, **options))


@pytest.mark.parametrize(
    ("meta", "pointer"),
    [
        ({PROTOCOL_VERSION: "2026-07-28"}, "/io.modelcontextprotocol~1clientCapabilities"),
        ({**META, CAPABILITIES: 5}, "/io.modelcontextprotocol~1clientCapabilities"),
        ({**META, CAPABILITIES: {"roots": 5}}, "/io.modelcontextprotocol~1clientCapabilities/roots"),
        ({**META, CLIENT_INFO: {"version": "1"}}, "/io.modelcontextprotocol~1clientInfo/name"),
        ({**META, "progressToken": {}}, "/progressToken"),
        ({}, ""),
        (5, ""),
    ],
)
@pytest.mark.parametrize("method", ["vendor/x", "ping", "logging/setLevel"])
@in_loop
async def test_the_envelope_of_a_method_that_the_version_does_not_have(method: str, meta: object, pointer: str) -> None:
    wire = serving()
    answer = await wire.answers(request("server/discover", {"_meta": META}, "open"))
    assert "result" in answer
    answer = await wire.answers(request(method, {"_meta": meta}))
    assert (code(answer), answer["error"]["data"]) == (-32602, {"pointer": f"/params/_meta{pointer}"})
    assert "result" in await wire.answers(request("vendor/x", {"_meta": META}, 2))


@pytest.mark.parametrize("meta", [{PROTOCOL_VERSION: "2026-07-28"}, {**META, CAPABILITIES: []}])
@in_loop
async def test_a_first_request_that_is_refused_settles_nothing(meta: Json) -> None:
    wire = serving()
    assert code(await wire.answers(request("vendor/x", {"_meta": meta}))) == -32602
    answer = await wire.answers(request("initialize", INITIALIZE, 2))
    assert answer["result"]["protocolVersion"] == "2025-11-25"


@in_loop
async def test_extensions_are_judged_by_what_came_with_them() -> None:
    wire = serving()
    for id_, declared in enumerate(("roots", "sampling", "roots")):
        meta: Json = {**META, CAPABILITIES: {declared: {}}}
        answer = await wire.answers(request("vendor/x", {"_meta": meta}, id_))
        assert answer["result"] == {"resultType": "complete", "supports": [declared]}


# --- there are no requests to the client -----------------------------------------------------------------------------

EVERYTHING: Json = {"roots": {}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}


@pytest.mark.parametrize("method", ["roots/list", "sampling/createMessage", "elicitation/create"])
@pytest.mark.parametrize("declared", [{}, EVERYTHING])
@in_loop
async def test_what_a_result_asks_for_is_no_request(
    method: str, declared: Json, caplog: pytest.LogCaptureFixture
) -> None:
    wire = serving()
    params = {"name": method, "_meta": {**META, CAPABILITIES: declared}}
    assert code(await wire.answers(request("tools/call", params))) == -32603
    assert f"MCP 2026-07-28 has `{method}` inside a result that asks for input" in caplog.text
    with pytest.raises(CapabilityError):
        await wire.connection.peer.request(method)


@in_loop
async def test_it_is_sent_where_nobody_enforces() -> None:
    reported: list[Violation] = []
    modes: tuple[Enforcement, ...] = ("warn", "off")
    for mode in modes:
        reported.clear()
        wire = serving(capabilities=mode, on_violation=reported.append)
        await wire.receive(request("tools/call", {"name": "roots/list", "_meta": META}))
        await idle()
        assert [message["method"] for message in wire.sent] == ["roots/list"]
        assert len(reported) == (mode == "warn")
        await wire.connection.close()


# --- the client ------------------------------------------------------------------------------------------------------


class Client(v2026_07_28.ClientHandler):
    """Answers what it is asked as soon as it may."""

    info = v2026_07_28.Implementation(name="client", version="1")

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
        self.heard.append("asked")
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.heard.append("cancelled")
            raise
        return v2026_07_28.ElicitResult(action="decline")

    async def notifications_tools_list_changed(self, params: v2026_07_28.NotificationParams) -> None:
        await self.may_answer.wait()
        self.heard.append("changed")

    async def notifications_cancelled(self, params: v2026_07_28.CancelledNotificationParams) -> None:
        self.heard.append(str(params.reason))


Result: TypeAlias = v2026_07_28.CallToolResult | v2026_07_28.InputRequiredResult


class Playing(Wire[mcp.ClientConnection]):
    """A client whose server is played by the test."""

    def __init__(self, handler: Client, **options: Unpack[Options]) -> None:
        super().__init__(lambda send: mcp.ClientConnection([handler], send, **options))

    @property
    def peer(self) -> v2026_07_28.ServerCaller:
        return cast("v2026_07_28.ServerCaller", self.connection.peer)

    def call(self) -> "asyncio.Task[Result]":
        return asyncio.ensure_future(self.peer.tools_call(v2026_07_28.CallToolRequestParams(name="x")))

    def listen(self) -> "asyncio.Task[v2026_07_28.SubscriptionsListenResult]":
        wanted = v2026_07_28.SubscriptionFilter(tools_list_changed=True)
        params = v2026_07_28.SubscriptionsListenRequestParams(notifications=wanted)
        return asyncio.ensure_future(self.peer.subscriptions_listen(params))

    async def asks(self, **members: object) -> None:
        """Have the last request answered with a result that asks for input."""
        await idle()
        await self.receive(result({"resultType": "input_required", **members}, self.sent[-1]["id"]))
        await idle()


async def discovered(handler: Client, **options: Unpack[Options]) -> Playing:
    wire = Playing(handler, **options)
    opening = asyncio.ensure_future(wire.connection.discover())
    await idle()
    body: Json = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": True}}}
    await wire.receive(result({"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **body}))
    await opening
    wire.sent.clear()
    return wire


@in_loop
async def test_the_server_ends_a_subscription_by_cancelling_it() -> None:
    handler = Client()
    handler.may_answer.clear()
    wire = await discovered(handler)
    listening, call = wire.listen(), wire.call()
    await idle()
    first, second = (message["id"] for message in wire.sent)
    await wire.receive(notification("notifications/tools/list_changed"))
    # Nothing else of the client is the server's to cancel.
    await wire.receive(notification("notifications/cancelled", {"requestId": second, "reason": "tired"}))
    await wire.receive(notification("notifications/cancelled", {"requestId": str(first), "reason": "another"}))
    await wire.receive(notification("notifications/cancelled", {"requestId": first, "reason": "closing"}))
    await idle()
    # It ends after the notifications that came before.
    assert not listening.done()
    handler.may_answer.set()
    ended = await listening
    assert (ended.meta.subscription_id, ended.result_type) == (first, "complete")
    await wire.connection.drain()
    assert handler.heard == ["changed", "tired", "another", "closing"]
    assert not call.done()
    # The answer of a server that sends one too changes nothing.
    await wire.receive(result({"resultType": "complete", "_meta": {}}, first))
    await wire.receive(result({"resultType": "complete", "content": []}, second))
    assert isinstance(await call, v2026_07_28.CallToolResult)
    await idle()
    assert len(wire.sent) == 2


@in_loop
async def test_the_handler_of_a_notification_may_wait_for_a_subscription_to_end() -> None:
    class Listening(Client):
        async def notifications_tools_list_changed(self, params: v2026_07_28.NotificationParams) -> None:
            ended = await wire.listen()
            self.heard.append(str(ended.meta.subscription_id))

    handler = Listening()
    wire = await discovered(handler)
    await wire.receive(notification("notifications/tools/list_changed"))
    await idle()
    await wire.receive(notification("notifications/cancelled", {"requestId": wire.sent[0]["id"]}))
    await wire.connection.drain()
    assert handler.heard == [str(wire.sent[0]["id"]), "None"]


# --- input that a result asks for ------------------------------------------------------------------------------------

FORM: Json = {
    "method": "elicitation/create",
    "params": {"message": "?", "mode": "form", "requestedSchema": {"type": "object", "properties": {}}},
}
URL: Json = {"method": "elicitation/create", "params": {"message": "?", "mode": "url", "url": "https://x.y"}}
ROOTS: Json = {"method": "roots/list"}


@in_loop
async def test_closing_ends_the_handler_and_the_call() -> None:
    handler = Client()
    handler.may_answer.clear()
    wire = await discovered(handler)
    calls = [wire.call()]
    await wire.asks(inputRequests={"a": FORM})
    calls.append(wire.call())
    await wire.asks(inputRequests={"a": FORM, "b": FORM})
    await wire.connection.close()
    assert handler.heard == ["asked", "asked", "cancelled", "cancelled"]
    for call in calls:
        with pytest.raises(ConnectionClosed, match="the connection is closed"):
            await call
    assert len(wire.sent) == 2


@in_loop
async def test_a_server_that_hangs_up_ends_them_too() -> None:
    handler = Client()
    handler.may_answer.clear()
    wire = await discovered(handler)
    call = wire.call()
    await wire.asks(inputRequests={"a": FORM})
    wire.connection.hang_up()
    with pytest.raises(ConnectionClosed, match="sends nothing any more"):
        await call
    assert handler.heard == ["asked", "cancelled"]


@in_loop
async def test_a_transport_that_breaks_ends_them_too() -> None:
    handler = Client()
    handler.may_answer.clear()
    wire = await discovered(handler)
    call = wire.call()
    await wire.asks(inputRequests={"a": FORM})

    async def broken(data: bytes) -> None:
        raise OSError(data)

    wire.take = broken
    await wire.receive(request("vendor/x"))
    with pytest.raises(ConnectionClosed, match="could not be sent") as caught:
        await call
    assert isinstance(caught.value.__cause__, OSError)
    assert handler.heard == ["asked", "cancelled"]


@in_loop
async def test_a_caller_that_gives_up_ends_the_handler() -> None:
    handler = Client()
    handler.may_answer.clear()
    wire = await discovered(handler)
    call = wire.call()
    await wire.asks(inputRequests={"a": FORM})
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert handler.heard == ["asked", "cancelled"]
    other = wire.call()
    handler.may_answer.set()
    await wire.asks(inputRequests={"a": FORM})
    await wire.receive(result({"resultType": "complete", "content": []}, wire.sent[-1]["id"]))
    assert isinstance(await other, v2026_07_28.CallToolResult)


@in_loop
async def test_a_handler_may_close_the_connection() -> None:
    class Closing(Client):
        async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
            await wire.connection.close()
            return await super().elicitation_create(params)

    handler = Closing()
    wire = await discovered(handler)
    call = wire.call()
    await wire.asks(inputRequests={"a": FORM, "b": FORM})
    with pytest.raises(ConnectionClosed):
        await call
    assert handler.heard == ["asked"]
    assert len(wire.sent) == 1


@pytest.mark.parametrize(("mode", "is_answered", "reports"), [("enforce", 0, 1), ("warn", 1, 1), ("off", 1, 0)])
@in_loop
async def test_input_that_was_not_declared(mode: Enforcement, is_answered: int, reports: int) -> None:
    handler = Client()
    reported: list[Violation] = []
    wire = await discovered(handler, capabilities=mode, on_violation=reported.append)
    call = wire.call()
    await wire.asks(inputRequests={"form": FORM, "url": URL})
    assert [(violation.feature, violation.pointer) for violation in reported] == [
        ("elicitation.url", "/inputRequests/url/params/mode")
    ] * reports
    assert handler.heard == ["asked", "asked"] * is_answered
    if is_answered:
        await wire.receive(result({"resultType": "complete", "content": []}, wire.sent[-1]["id"]))
        assert isinstance(await call, v2026_07_28.CallToolResult)
    else:
        found = await call
        assert isinstance(found, v2026_07_28.InputRequiredResult)
        assert found.input_requests is not None
        assert set(found.input_requests) == {"form", "url"}
    assert len(wire.sent) == 1 + is_answered


@in_loop
async def test_input_that_is_declared_is_answered() -> None:
    class Visiting(Client):
        features = ("elicitation.form", "elicitation.url")

    handler = Visiting()
    wire = await discovered(handler)
    call = wire.call()
    await wire.asks(inputRequests={"form": FORM, "url": URL})
    assert wire.sent[-1]["params"]["inputResponses"] == {"form": {"action": "decline"}, "url": {"action": "decline"}}
    await wire.receive(result({"resultType": "complete", "content": []}, wire.sent[-1]["id"]))
    await call


@pytest.mark.parametrize("members", [{}, {"inputRequests": {}}, {"inputRequests": {"r": ROOTS}, "requestState": "s"}])
@in_loop
async def test_what_cannot_be_answered_is_left_to_the_caller(members: Json) -> None:
    wire = await discovered(Client(), capabilities="off")
    call = wire.call()
    await wire.asks(**members)
    found = await call
    assert isinstance(found, v2026_07_28.InputRequiredResult)
    assert len(wire.sent) == 1


@in_loop
async def test_a_call_is_repeated_with_the_latest_state_alone() -> None:
    wire = await discovered(Client())
    params = v2026_07_28.CallToolRequestParams(name="x", request_state="old")
    call = asyncio.ensure_future(wire.peer.tools_call(params))
    await wire.asks(requestState="new")
    await wire.asks(inputRequests={"a": FORM})
    await wire.asks(inputRequests={"a": FORM}, requestState="newer")
    await wire.receive(result({"resultType": "complete", "content": []}, wire.sent[-1]["id"]))
    await call
    assert [message["params"].get("requestState") for message in wire.sent] == ["old", "new", None, "newer"]


@in_loop
async def test_a_handler_that_refuses_fails_its_call_alone() -> None:
    class Refusing(Client):
        async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
            raise RpcError(-5, "no")

    wire = await discovered(Refusing())
    call = wire.call()
    await wire.asks(inputRequests={"a": FORM})
    with pytest.raises(RpcError, match="no"):
        await call
    other = wire.call()
    await idle()
    await wire.receive(result({"resultType": "complete", "content": []}, wire.sent[-1]["id"]))
    assert isinstance(await other, v2026_07_28.CallToolResult)


@in_loop
async def test_what_answers_for_a_notification_may_ask_the_peer_itself() -> None:
    class Curious(Client):
        async def notifications_tools_list_changed(self, params: v2026_07_28.NotificationParams) -> None:
            await self.peer.tools_call(v2026_07_28.CallToolRequestParams(name="x"))
            self.heard.append("called")

        async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
            await self.peer.tools_list()
            return v2026_07_28.ElicitResult(action="decline")

    handler = Curious()
    wire = await discovered(handler)
    await wire.receive(notification("notifications/tools/list_changed"))
    question = {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": EMPTY}}
    await wire.asks(inputRequests={"a": question})
    assert wire.sent[-1]["method"] == "tools/list"
    listed: Json = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
    await wire.receive(result({"resultType": "complete", **listed}, wire.sent[-1]["id"]))
    await idle()
    assert wire.sent[-1]["params"]["inputResponses"] == {"a": {"action": "decline"}}
    await wire.receive(result({"resultType": "complete", "content": []}, wire.sent[-1]["id"]))
    await idle()
    assert handler.heard == ["called"]
    await wire.connection.close()


EMPTY: Json = {"type": "object", "properties": {}}
