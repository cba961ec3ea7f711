"""What a connection answers to what is wrong, and what its callers get: it lives on in every case."""

import asyncio
import logging
from collections.abc import Callable
from typing import NoReturn

import pytest
from acp_pair import Agent, Client, connected, new_session, opened, opened_client, prompt, text_of, update
from wire import Json, Wire, code, idle, in_loop, notification, request, result
from wiretypes import ConnectionClosed, InvalidResult, RpcError, mcp
from wiretypes.acp import v2
from wiretypes.mcp import v2025_03_26

SESSION = {"sessionId": "s", "prompt": [{"type": "text", "text": "hello"}]}

# --- what arrives ----------------------------------------------------------------------------------------------------

BAD = [
    (b"", -32700, ""),
    (b"no", -32700, ""),
    (b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"', -32700, ""),
    (b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"\xff"}}', -32700, ""),
    (b"[" * 300 + b"]" * 300, -32700, ""),
    (b"7", -32600, ""),
    (b"[]", -32600, ""),
    (b'[{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}]', -32600, ""),
    (b'{"id":1,"method":"session/new","params":{"cwd":"/"}}', -32600, "/jsonrpc"),
    (b'{"jsonrpc":"1.0","id":1,"method":"session/new","params":{"cwd":"/"}}', -32600, "/jsonrpc"),
    (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600, "/method"),
    (b'{"jsonrpc":"2.0","id":true,"method":"session/new","params":{"cwd":"/"}}', -32600, "/id"),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"session/new","params":{"cwd":"/"}}', -32600, "/id"),
    (b'{"jsonrpc":"2.0","id":[],"method":"session/new","params":{"cwd":"/"}}', -32600, "/id"),
    (b'{"jsonrpc":"2.0","id":1,"method":"session/new"}', -32602, "/params"),
    (b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":[]}', -32602, "/params"),
    (b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}', -32602, "/params/cwd"),
    (b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":7}}', -32602, "/params/cwd"),
]


@pytest.mark.parametrize(("data", "expected", "pointer"), BAD)
@in_loop
async def test_a_bad_message_is_answered_with_the_right_error(data: bytes, expected: int, pointer: str) -> None:
    wire = await opened()
    (answer,) = await wire.ask(data)
    assert answer["error"]["code"] == expected
    assert answer["error"]["data"] == {"pointer": pointer}
    assert answer["id"] == (1 if b'"id":1,' in data and expected != -32700 and data[:1] == b"{" else None)
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (request("session/nothing", {}), -32601),
        (request("_vendor/x", {}), -32601),
        (request("session/load", {"sessionId": "s"}), -32601),
        (request("session/update", {}), -32601),
        (request("session/cancel", {"sessionId": "s"}), -32600),
    ],
)
@in_loop
async def test_a_request_for_what_is_none(message: Json, expected: int) -> None:
    wire = await opened()
    assert code(await wire.answers(message)) == expected


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","method":"session/cancel"}',
        b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":1}}',
        b'{"jsonrpc":"2.0","method":"session/new","params":{"cwd":"/"}}',
        b'{"method":"session/cancel","params":{"sessionId":"s"}}',
        b'{"jsonrpc":"2.0","result":{}}',
        b'{"jsonrpc":"2.0","id":5,"result":{},"error":{"code":1,"message":"m"}}',
        b'{"jsonrpc":"2.0","id":{},"result":{}}',
        b'{"jsonrpc":"2.0","id":5,"error":"no"}',
    ],
)
@in_loop
async def test_what_is_no_request_is_logged_and_not_answered(data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    wire = await opened()
    with caplog.at_level(logging.WARNING):
        assert await wire.ask(data) == []
    assert len(caplog.records) == 1
    assert "\n" not in caplog.records[0].getMessage()
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}))


@pytest.mark.parametrize(("data", "id_"), [(b'{"jsonrpc":"2.0","id":5}', 5), (b"{}", None), (b'{"params":[]}', None)])
@in_loop
async def test_what_is_neither_a_call_nor_an_answer_is_an_invalid_request(data: bytes, id_: int | None) -> None:
    wire = await opened()
    [answer] = await wire.ask(data)
    assert (code(answer), answer["id"]) == (-32600, id_)
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}))


@in_loop
async def test_initialize_comes_too_late_whatever_its_params_are() -> None:
    wire = await opened()
    late: tuple[object, ...] = ({"protocolVersion": "1"}, {"protocolVersion": 1}, [], None)
    for params in late:
        assert code(await wire.answers(request("initialize", params))) == -32600


@in_loop
async def test_a_log_has_lines_whatever_a_peer_says(caplog: pytest.LogCaptureFixture) -> None:
    wire = await opened()
    await wire.ask(notification("x\nFORGED", {"a": 1}))
    await wire.ask({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId\nFORGED": 1}})
    await wire.ask({"jsonrpc": "2.0", "id": "x\nFORGED", "result": {}})
    assert all("\n" not in record.getMessage() for record in caplog.records)


# --- what handlers do ------------------------------------------------------------------------------------------------


class Failing(Agent):
    """Fails in the way that a prompt's session names."""

    async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        ways: dict[str, Callable[[], object]] = {
            "raise": lambda: self.fail(ValueError("secret")),
            "rpc": lambda: self.fail(RpcError(-32000, "log in", {"a": [1]})),
            "plain": lambda: self.fail(RpcError(-5, "no")),
            "odd": lambda: self.fail(RpcError(-5, "no", object())),
            "nan": lambda: self.fail(RpcError(-5, "no", float("nan"))),
            "none": lambda: None,
            "json": lambda: {"messageId": "j"},
            "wrong": lambda: v2.NewSessionResponse(session_id="x"),
            "unencodable": lambda: v2.PromptResponse(message_id="m", meta={"x": float("inf")}),
        }
        # Some return what is no answer, which is what the tests are about.
        return ways[params.session_id]()  # type: ignore[return-value]  # pyright: ignore[reportReturnType]

    def fail(self, error: Exception) -> NoReturn:
        raise error


@pytest.mark.parametrize(
    ("way", "answer"),
    [
        ("raise", {"error": {"code": -32603, "message": "Internal error"}}),
        ("rpc", {"error": {"code": -32000, "message": "log in", "data": {"a": [1]}}}),
        ("plain", {"error": {"code": -5, "message": "no"}}),
        ("odd", {"error": {"code": -5, "message": "no"}}),
        ("nan", {"error": {"code": -5, "message": "no"}}),
        ("none", {"error": {"code": -32603, "message": "Internal error"}}),
        ("json", {"result": {"messageId": "j"}}),
        ("wrong", {"error": {"code": -32603, "message": "Internal error"}}),
        ("unencodable", {"error": {"code": -32603, "message": "Internal error"}}),
    ],
)
@in_loop
async def test_what_a_handler_does(way: str, answer: Json, caplog: pytest.LogCaptureFixture) -> None:
    wire = await opened(Failing)
    found = await wire.answers(request("session/prompt", {**SESSION, "sessionId": way}))
    assert found == {"jsonrpc": "2.0", "id": 1, **answer}
    is_told = answer.get("error", {}).get("code") == -32603 or way in ("odd", "nan")
    assert bool(caplog.records) == is_told
    if way == "raise":
        assert "secret" in caplog.text
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}, 2))


@in_loop
async def test_a_notification_handler_that_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Raising(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            if text_of(params) == "bad":
                raise ValueError("secret")
            self.heard.append(text_of(params))

    wire = await opened_client(Raising)
    for text in ("good", "bad", "good"):
        assert await wire.ask(notification("session/update", update(text))) == []
    assert wire.connection.handler.heard == ["good", "good"]
    assert "secret" in caplog.text


@in_loop
async def test_a_handler_that_never_returns_holds_up_nobody_else() -> None:
    class Hanging(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            await asyncio.Event().wait()
            raise AssertionError

    wire = await opened(Hanging)
    assert await wire.ask(request("session/prompt", SESSION, 1)) == []
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}, 2))
    await wire.connection.close()


# --- what callers get ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ({"result": {"sessionId": 5}}, {"sessionId": 5}),
        ({"result": None}, None),
        ({"result": {"sessionId": "s"}, "error": {"code": 1, "message": "m"}}, {"sessionId": "s"}),
        ({}, None),
        ({"error": {"code": "x", "message": "m"}}, None),
    ],
)
@in_loop
async def test_a_bad_answer_fails_its_call_and_nothing_else(answer: Json, value: object) -> None:
    wire = await opened_client()
    peer = wire.connection.peer
    calls = [asyncio.ensure_future(peer.session_new(new_session(f"/{n}"))) for n in range(2)]
    await idle()
    wire.sent.clear()
    assert await wire.ask({"jsonrpc": "2.0", "id": 2, **answer}) == []
    with pytest.raises(InvalidResult) as caught:
        await calls[0]
    assert caught.value.value == value
    assert caught.value.method == "session/new"
    await wire.receive(result({"sessionId": "s"}, 3))
    assert (await calls[1]).session_id == "s"


@in_loop
async def test_an_error_of_the_peer_is_raised() -> None:
    wire = await opened_client()
    call = asyncio.ensure_future(wire.connection.peer.session_new(new_session()))
    await idle()
    await wire.receive({"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "bad", "data": {"a": 1}}})
    with pytest.raises(RpcError, match=r"bad \(-32602\)") as caught:
        await call
    assert caught.value.data == {"a": 1}


@in_loop
async def test_params_that_cannot_be_written_are_not_sent() -> None:
    wire = await opened_client()
    with pytest.raises(ValueError):  # noqa: PT011
        await wire.connection.peer.session_new(v2.NewSessionRequest(cwd="/", meta={"x": float("nan")}))
    assert wire.sent == []
    assert len(wire.connection.calls) == 0


# --- batches ---------------------------------------------------------------------------------------------------------


class Server(v2025_03_26.ServerHandler):
    info = v2025_03_26.Implementation(name="server", version="1")

    def __init__(self) -> None:
        self.release = asyncio.Event()
        self.told: list[str] = []

    async def tools_call(self, params: v2025_03_26.CallToolRequestParams) -> v2025_03_26.CallToolResult:
        if params.name == "wait":
            await self.release.wait()
        return v2025_03_26.CallToolResult(content=[])

    async def extension_notification(self, method: str, params: object) -> None:
        self.told.append(method)


async def batching(handler: Server | type[Server] = Server) -> Wire[mcp.ServerConnection]:
    wire = Wire(lambda send: mcp.ServerConnection([handler], send))
    body = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    assert code(await wire.answers([request("initialize", body, "open")])) == -32600
    await wire.receive(request("initialize", body, "open"))
    await wire.receive(notification("notifications/initialized"))
    wire.sent.clear()
    return wire


@in_loop
async def test_a_batch_is_answered_together() -> None:
    handler = Server()
    wire = await batching(handler)
    batch = [
        request("tools/call", {"name": "wait"}, 1),
        request("ping", None, "2"),
        notification("vendor/x"),
        request("nothing", None, 3),
        request("tools/call", {}, 4),
        7,
    ]
    assert await wire.ask(batch) == []
    handler.release.set()
    await wire.connection.drain()
    (answers,) = wire.sent
    assert sorted((str(answer["id"]), answer.get("error", {}).get("code")) for answer in answers) == [
        ("1", None),
        ("2", None),
        ("3", -32601),
        ("4", -32602),
        ("None", -32600),
    ]
    assert handler.told == ["vendor/x"]


@in_loop
async def test_a_batch_without_requests_is_not_answered() -> None:
    wire = await batching()
    assert await wire.ask([notification("vendor/x"), notification("vendor/y")]) == []
    assert await wire.ask([result({}, 99)]) == []
    assert code(await wire.answers([])) == -32600
    assert code(await wire.answers(b"[{]")) == -32700


@in_loop
async def test_what_is_cancelled_in_a_batch_is_left_out() -> None:
    wire = await batching()
    assert await wire.ask([request("tools/call", {"name": "wait"}, 1), request("ping", None, 2)]) == []
    (answers,) = await wire.ask(notification("notifications/cancelled", {"requestId": 1}))
    assert answers == [result({}, 2)]
    assert await wire.ask([request("tools/call", {"name": "wait"}, 1)]) == []
    assert await wire.ask(notification("notifications/cancelled", {"requestId": 1})) == []


# --- the end ---------------------------------------------------------------------------------------------------------


@in_loop
async def test_close_cancels_what_runs_and_fails_what_waits() -> None:
    ended: list[str] = []

    class Hanging(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            try:
                await self.peer.request("_own/never", {})
            finally:
                ended.append("request")
            raise AssertionError

        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("notification")

    wire = await opened(Hanging)
    await wire.receive(request("session/prompt", SESSION, 1))
    await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    await idle()
    wire.sent.clear()
    await wire.connection.close()
    assert sorted(ended) == ["notification", "request"]
    assert await wire.ask(request("session/new", {"cwd": "/"}, 2)) == []
    assert wire.sent == []
    await wire.connection.close()
    await wire.connection.drain()


@in_loop
async def test_calls_fail_when_the_connection_is_closed() -> None:
    wire = await opened_client()
    peer = wire.connection.peer
    call = asyncio.ensure_future(peer.session_new(new_session()))
    await idle()
    await wire.connection.close()
    with pytest.raises(ConnectionClosed):
        await call
    with pytest.raises(ConnectionClosed):
        await peer.session_new(new_session())
    with pytest.raises(ConnectionClosed):
        await peer.session_cancel(v2.CancelSessionNotification(session_id="s"))


@in_loop
async def test_a_peer_that_hangs_up_fails_calls_and_lets_the_rest_end() -> None:
    class Asking(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            try:
                await self.peer.request("_own/never", {})
            except ConnectionClosed:
                return v2.PromptResponse(message_id="gone")
            raise AssertionError

    wire = await opened(Asking)
    await wire.receive(request("session/prompt", SESSION, 1))
    await idle()
    wire.connection.hang_up()
    await wire.connection.drain()
    assert wire.sent[-1] == result({"messageId": "gone"})


@in_loop
async def test_a_handler_may_close_its_connection() -> None:
    class Closing(Agent):
        async def session_close(self, params: v2.CloseSessionRequest) -> v2.CloseSessionResponse:
            await wire.connection.close()
            return v2.CloseSessionResponse()

        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            await wire.connection.close()

    for message in (request("session/close", {"sessionId": "s"}), notification("session/cancel", {"sessionId": "s"})):
        wire = await opened(Closing)
        assert await wire.ask(message) == []
        assert await wire.ask(request("session/new", {"cwd": "/"}, 2)) == []


@in_loop
async def test_a_message_that_cannot_be_sent_closes_the_connection() -> None:
    async def broken(_: bytes) -> None:
        raise BrokenPipeError

    class Hanging(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            await self.say("hello")
            raise AssertionError

    wire = await opened(Hanging)
    wire.take = broken
    await wire.receive(request("session/prompt", SESSION, 1))
    await wire.connection.drain()
    with pytest.raises(ConnectionClosed) as caught:
        await wire.connection.handler.peer.request("_own/x")
    assert isinstance(caught.value.__cause__, BrokenPipeError)
    await wire.connection.close()


@in_loop
async def test_drain_waits_for_all_that_is_under_way() -> None:
    class Slow(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            await asyncio.sleep(0.002)
            await self.peer.session_new(new_session("/" + text_of(params)))
            self.heard.append(text_of(params))

    class Talking(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            await asyncio.sleep(0.002)
            await self.say("a")
            await self.say("b")
            return await super().session_prompt(params)

    pair = await connected(Talking, Slow)
    call = asyncio.ensure_future(pair.client.peer.session_prompt(prompt()))
    await idle()
    await pair.answering.drain()
    await pair.client.drain()
    assert pair.client.handler.heard == ["a", "b"]
    await call
    await pair.close()
