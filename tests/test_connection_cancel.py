"""Cancellation from either side, and progress."""

import asyncio
from contextlib import suppress
from typing import cast

import pytest
from acp_pair import Agent, Client, connected, new_session, opened, opened_client
from wire import Json, Pair, Wire, idle, in_loop, notification, request, result
from wiretypes import RpcError, mcp
from wiretypes.acp import v2
from wiretypes.mcp import v2025_11_25


class Waiting(Agent):
    """Opens no session until a test lets it."""

    def __init__(self) -> None:
        self.release = asyncio.Event()
        self.ended: list[str] = []

    async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.ended.append(params.cwd)
            raise
        return await super().session_new(params)


def cancel(id_: object) -> Json:
    return notification("$/cancel_request", {"requestId": id_})


# --- ACP: the peer cancels -------------------------------------------------------------------------------------------


@in_loop
async def test_a_cancelled_request_is_answered_as_such() -> None:
    handler = Waiting()
    wire = await opened(handler)
    for id_ in (1, 2):
        await wire.receive(request("session/new", {"cwd": f"/{id_}"}, id_))
    await idle()
    (answer,) = await wire.ask(cancel(1))
    assert answer == {"jsonrpc": "2.0", "id": 1, "error": {"code": -32800, "message": "Request cancelled"}}
    handler.release.set()
    await wire.connection.drain()
    assert wire.sent[-1] == result({"sessionId": "/2"}, 2)
    assert handler.ended == ["/1"]


@in_loop
async def test_a_request_can_be_cancelled_before_it_is_begun() -> None:
    handler = Waiting()
    wire = await opened(handler)
    await wire.receive(request("session/new", {"cwd": "/"}, 1))
    await wire.receive(cancel(1))
    await wire.connection.drain()
    assert [answer["error"]["code"] for answer in wire.sent] == [-32800]
    assert handler.ended == []


@in_loop
async def test_a_handler_may_answer_all_the_same() -> None:
    class Saving(Waiting):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            try:
                return await super().session_new(params)
            except asyncio.CancelledError:
                await asyncio.sleep(0.001)
                await self.say("saved")
                return v2.NewSessionResponse(session_id="partial")

    wire = await opened(Saving)
    await wire.receive(request("session/new", {"cwd": "/"}, 1))
    await idle()
    for _ in range(3):  # the first counts, further ones do not disturb the handler
        await wire.receive(cancel(1))
        await idle()
    await wire.connection.drain()
    assert [message.get("method") for message in wire.sent] == ["session/update", None]
    assert wire.sent[-1] == result({"sessionId": "partial"}, 1)


@in_loop
async def test_a_cancel_that_comes_too_late_changes_nothing() -> None:
    wire = await opened()
    assert len(await wire.ask(request("session/new", {"cwd": "/"}, 1))) == 1
    for id_ in (1, 2, "1", None):
        assert await wire.ask(cancel(id_)) == []


@in_loop
async def test_a_cancel_that_races_the_answer_leaves_one_answer() -> None:
    for turns in range(8):
        handler = Waiting()
        wire = await opened(handler)
        await wire.receive(request("session/new", {"cwd": "/"}, 1))
        await idle()
        handler.release.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        await wire.receive(cancel(1))
        await wire.connection.drain()
        assert len(wire.sent) == 1
        assert "result" in wire.sent[0] or wire.sent[0]["error"]["code"] == -32800


@in_loop
async def test_the_handler_hears_of_it_too() -> None:
    heard: list[v2.RequestId] = []

    class Hearing(Waiting):
        async def cancel_request(self, params: v2.CancelRequestNotification) -> None:
            heard.append(params.request_id)

    wire = await opened(Hearing)
    await wire.receive(cancel(5))
    await wire.connection.drain()
    assert heard == [5]


@in_loop
async def test_a_handler_that_is_cancelled_by_something_else_has_failed() -> None:
    class Broken(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            raise asyncio.CancelledError

        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            raise asyncio.CancelledError

    wire = await opened(Broken)
    answer = await wire.answers(request("session/new", {"cwd": "/"}, 1))
    assert answer["error"] == {"code": -32603, "message": "Internal error"}
    await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    await wire.connection.drain()


# --- ACP: our caller cancels -----------------------------------------------------------------------------------------


@in_loop
async def test_cancelling_a_call_tells_the_peer() -> None:
    wire = await opened_client()
    call = asyncio.ensure_future(wire.connection.peer.session_new(new_session()))
    await idle()
    call.cancel()
    await asyncio.wait([call])
    assert call.cancelled()
    await idle()
    assert wire.sent[1:] == [cancel(2)]
    assert await wire.ask({"jsonrpc": "2.0", "id": 2, "error": {"code": -32800, "message": "Request cancelled"}}) == []
    assert len(wire.connection.calls) == 0


@in_loop
async def test_a_timeout_cancels() -> None:
    handler = Waiting()
    pair = await connected(handler)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await pair.client.peer.session_new(new_session("/late"))
    await pair.answering.drain()
    assert handler.ended == ["/late"]
    await pair.close()


@in_loop
async def test_a_call_is_cancelled_whose_request_was_not_sent_yet() -> None:
    hold = asyncio.Event()
    sent: list[bytes] = []

    async def slowly(data: bytes) -> None:
        await hold.wait()
        sent.append(data)

    wire = await opened_client()
    wire.take = slowly
    calls = [asyncio.ensure_future(wire.connection.peer.session_new(new_session(f"/{n}"))) for n in range(2)]
    await idle()
    calls[1].cancel()
    await asyncio.wait([calls[1]])
    hold.set()
    await idle()
    assert [b"cancel_request" in data for data in sent] == [False, False, True]
    await wire.receive(result({"sessionId": "s"}, 2))
    await calls[0]


# --- MCP -------------------------------------------------------------------------------------------------------------


class Server(v2025_11_25.ServerHandler):
    info = v2025_11_25.Implementation(name="server", version="1")

    def __init__(self) -> None:
        self.release = asyncio.Event()

    async def tools_call(self, params: v2025_11_25.CallToolRequestParams) -> v2025_11_25.CallToolResult:
        token = self.request.get().progress_token
        if token is not None:
            for number in range(3):
                progress = v2025_11_25.ProgressNotificationParams(progress_token=token, progress=number)
                await self.peer.notifications_progress(progress)
        if params.name == "wait":
            await self.release.wait()
        if params.name == "keep":
            with suppress(asyncio.CancelledError):
                await self.release.wait()
        return v2025_11_25.CallToolResult(content=[])


class McpClient(v2025_11_25.ClientHandler):
    info = v2025_11_25.Implementation(name="client", version="1")

    def __init__(self) -> None:
        self.progress: list[tuple[v2025_11_25.ProgressToken, float]] = []

    async def notifications_progress(self, params: v2025_11_25.ProgressNotificationParams) -> None:
        self.progress.append((params.progress_token, params.progress))


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}


async def mcp_server() -> Wire[mcp.ServerConnection]:
    wire = Wire(lambda send: mcp.ServerConnection([Server], send))
    await wire.receive(request("initialize", INITIALIZE, "open"))
    await wire.receive(notification("notifications/initialized"))
    wire.sent.clear()
    return wire


class ServerConnection(mcp.ServerConnection):
    """A server's connection that only `Server` serves, of which its other types follow."""

    @property
    def peer(self) -> v2025_11_25.ClientCaller:
        return cast("v2025_11_25.ClientCaller", super().peer)


class ClientConnection(mcp.ClientConnection):
    """A client's connection that only `McpClient` serves, of which its other types follow."""

    @property
    def handler(self) -> McpClient:
        return cast("McpClient", super().handler)

    @property
    def peer(self) -> v2025_11_25.ServerCaller:
        return cast("v2025_11_25.ServerCaller", super().peer)


async def mcp_pair() -> Pair[ServerConnection, ClientConnection]:
    pair = Pair(lambda send: ServerConnection([Server], send), lambda send: ClientConnection([McpClient], send))
    await pair.client.initialize()
    return pair


@pytest.mark.parametrize("tool", ["wait", "keep"])
@in_loop
async def test_mcp_does_not_answer_what_was_cancelled(tool: str) -> None:
    wire = await mcp_server()
    for turns in (0, 5):
        await wire.receive(request("tools/call", {"name": tool}, 1))
        for _ in range(turns):
            await asyncio.sleep(0)
        assert await wire.ask(notification("notifications/cancelled", {"requestId": 1, "reason": "enough"})) == []
    assert "result" in await wire.answers(request("tools/call", {"name": "now"}, 1))


@in_loop
async def test_mcp_is_told_of_a_cancelled_call() -> None:
    pair = await mcp_pair()
    call = asyncio.ensure_future(pair.client.peer.tools_call(v2025_11_25.CallToolRequestParams(name="wait")))
    await idle()
    call.cancel()
    await asyncio.wait([call])
    await pair.answering.drain()
    (request_,) = pair.sent("client", "tools/call")
    assert pair.sent("client", "notifications/cancelled") == [
        notification("notifications/cancelled", {"requestId": request_["id"]})
    ]
    assert pair.log[-1][0] == "client"
    await pair.close()


# --- progress --------------------------------------------------------------------------------------------------------


@in_loop
async def test_progress_goes_to_the_call_that_asked_for_it_before_its_result() -> None:
    pair = await mcp_pair()
    peer = pair.client.peer
    seen: dict[str, list[float]] = {"a": [], "b": []}

    async def call(name: str) -> None:
        async def note(params: v2025_11_25.ProgressNotificationParams) -> None:
            await asyncio.sleep(0)
            seen[name].append(params.progress)

        await peer.tools_call(v2025_11_25.CallToolRequestParams(name=name), on_progress=note)
        assert seen[name] == [0, 1, 2]

    await asyncio.gather(call("a"), call("b"))
    assert pair.client.handler.progress == []
    await pair.close()


@in_loop
async def test_without_a_listener_nobody_is_asked_for_progress() -> None:
    pair = await mcp_pair()
    await pair.client.peer.tools_call(v2025_11_25.CallToolRequestParams(name="x"))
    assert pair.sent("answering", "notifications/progress") == []
    await pair.close()


@in_loop
async def test_a_token_of_ones_own_is_kept() -> None:
    pair = await mcp_pair()
    peer = pair.client.peer
    seen: list[v2025_11_25.ProgressToken] = []

    async def note(params: v2025_11_25.ProgressNotificationParams) -> None:
        seen.append(params.progress_token)

    params = {"name": "x", "_meta": {"progressToken": "mine", "other": 1}}
    await peer.request("tools/call", params, on_progress=note)
    assert seen == ["mine"] * 3
    await peer.request("tools/call", params)
    assert pair.client.handler.progress == [("mine", 0), ("mine", 1), ("mine", 2)]
    assert pair.sent("client", "tools/call")[0]["params"]["_meta"] == {"progressToken": "mine", "other": 1}
    await pair.close()


@in_loop
async def test_a_listener_that_fails_does_not_fail_the_call() -> None:
    pair = await mcp_pair()

    async def fail(params: v2025_11_25.ProgressNotificationParams) -> None:
        raise ValueError(params)

    await pair.client.peer.tools_call(v2025_11_25.CallToolRequestParams(name="x"), on_progress=fail)
    await pair.close()


@in_loop
async def test_late_progress_goes_to_the_handler() -> None:
    pair = await mcp_pair()

    async def note(params: v2025_11_25.ProgressNotificationParams) -> None: ...

    await pair.client.peer.tools_call(v2025_11_25.CallToolRequestParams(name="x"), on_progress=note)
    token = pair.sent("answering", "notifications/progress")[0]["params"]["progressToken"]
    late = v2025_11_25.ProgressNotificationParams(progress_token=token, progress=9)
    await pair.answering.peer.notifications_progress(late)
    await pair.client.drain()
    assert pair.client.handler.progress == [(token, 9)]
    await pair.close()


@in_loop
async def test_errors_are_raised_where_the_call_is() -> None:
    class Refusing(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            raise RpcError(-32000, "log in first", {"how": "x"})

    pair = await connected(Refusing, Client)
    with pytest.raises(RpcError) as caught:
        await pair.client.peer.session_new(new_session())
    assert (caught.value.code, caught.value.message, caught.value.data) == (-32000, "log in first", {"how": "x"})
    await pair.close()
