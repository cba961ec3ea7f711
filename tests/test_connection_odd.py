"""What is odd but may come: strings where JSON may be anything, errors that cannot be written, untimely ends."""

import asyncio
import logging
import random
import sys
from typing import Any

import pytest
from acp_pair import Agent, Client, connected, new_session, opened, opened_client, prompt, update
from opened_sides import Side
from wire import Wire, code, idle, in_loop, notification, request, result
from wiretypes import acp, limits, mcp
from wiretypes.acp import Limits, RpcError, v2
from wiretypes.mcp import v2025_11_25
from wiretypes.rpc_errors import MethodNotFound

SURROGATE = "caf\udce9"


# --- strings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["session/update", "fs/read_text_file", "session/load", "_x/y"])
@in_loop
async def test_params_that_are_a_string_are_no_json_text(method: str) -> None:
    wire = await opened()
    await wire.ask(notification(method) | {"params": "x"})
    assert code(await wire.answers(request(method) | {"params": '{"a":1}'})) in (-32601, -32602)
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}))


@in_loop
async def test_a_result_may_be_a_string() -> None:
    class Ponging(Agent):
        async def extension_request(self, method: str, params: Any) -> Any:
            return "pong"

    pair = await connected(Ponging)
    for _ in range(2):
        assert await pair.client.peer.extension_request("_x/ping", {}) == "pong"
    assert await pair.client.peer.extension_request("_x/ping", "a string") == "pong"
    await pair.close()


@pytest.mark.parametrize("item", [[], [request("ping")], '{"jsonrpc":"2.0","id":5,"method":"ping"}', 7, None, {}])
@in_loop
async def test_a_batch_holds_objects(item: object) -> None:
    opened_side = await Side("mcp", "2025-03-26", "server", has_batches=True).open()
    [answers] = await opened_side.wire.ask([item, request("ping", id_=8)])
    assert [(code(answer) if "error" in answer else answer["result"], answer["id"]) for answer in answers] == [
        (-32600, None),
        ({}, 8),
    ]


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [RpcError(-32002, f"no {SURROGATE}", {SURROGATE: 1}), MethodNotFound(SURROGATE)], ids=["text", "method"]
)
@in_loop
async def test_an_error_that_cannot_be_written_is_answered(error: RpcError, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)  # what reports tests cannot write it either

    class Failing(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            raise error

    wire = await opened(Failing)
    answer = await wire.answers(request("session/new", {"cwd": "/"}))
    assert (code(answer), answer["id"]) == (error.code, 1)
    assert r"caf\udce9" in answer["error"]["message"]
    assert not wire.connection.served


@pytest.mark.parametrize("arguments", [("x", "m"), (1.5, "m"), (True, "m"), (1, None), (None, "m")])
def test_an_error_has_an_integer_and_a_text(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError, match="an integer and a string"):
        RpcError(*arguments)


@pytest.mark.parametrize("number", ["NaN", "1e999", "9" * 5000])
@in_loop
async def test_a_result_with_a_number_that_is_none_fails_its_call(number: str) -> None:
    wire = await opened_client()
    call = asyncio.ensure_future(wire.connection.peer.session_new(new_session()))
    await idle()
    await wire.receive(b'{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s","x":%b}}' % number.encode())
    with pytest.raises(acp.InvalidResult):
        await call
    assert [message.get("method") for message in wire.sent] == ["session/new"]


# --- endings ----------------------------------------------------------------------------------------------------------


class Slow(Client):
    async def session_update(self, params: v2.UpdateSessionNotification) -> None:
        await asyncio.sleep(60)


async def _with_an_answer_that_waits() -> tuple[Any, "asyncio.Future[v2.PromptResponse]"]:
    wire = await opened_client(Slow)
    call = asyncio.ensure_future(wire.connection.peer.session_prompt(prompt()))
    await idle()
    await wire.receive(notification("session/update", update("hello")))
    await wire.receive(result({"messageId": "m"}, 2))
    await idle()
    assert not call.done()
    return wire, call


@in_loop
async def test_an_answer_that_waits_for_a_notification_is_delivered_at_the_end() -> None:
    wire, call = await _with_an_answer_that_waits()
    await wire.connection.close()
    assert (await call).message_id == "m"


@in_loop
async def test_it_is_delivered_too_where_nothing_can_be_sent_any_more() -> None:
    wire, call = await _with_an_answer_that_waits()

    async def broken(_: bytes) -> None:
        raise BrokenPipeError

    wire.take = broken
    with pytest.raises(acp.ConnectionClosed):
        await wire.connection.peer.session_cancel(v2.CancelSessionNotification(session_id="s"))
    assert (await call).message_id == "m"


@in_loop
async def test_a_peer_that_reads_no_answers_is_waited_for_before_the_version_is_settled() -> None:
    side = Side("mcp", "2025-06-18", "server")
    connection: Any = None
    reads = asyncio.Event()

    async def send(_: bytes) -> None:
        await reads.wait()

    connection = mcp.ServerConnection([side.handler()], send, limits=Limits(requests=10))  # type: ignore[list-item]
    pings = [
        asyncio.ensure_future(connection.receive(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % n)) for n in range(50)
    ]
    await idle()
    assert not all(ping.done() for ping in pings)
    reads.set()
    await asyncio.gather(*pings)
    await connection.close()


@in_loop
async def test_initialize_may_ask_the_peer_before_it_answers() -> None:
    class Asking(v2025_11_25.ServerHandler):
        info = v2025_11_25.Implementation(name="s", version="1")

        async def initialize(self, params: v2025_11_25.InitializeRequestParams) -> v2025_11_25.InitializeResult:
            await self.peer.ping()
            return await super().initialize(params)

    wire = Wire(lambda send: mcp.ServerConnection([Asking], send))
    offer = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    opening = asyncio.ensure_future(wire.receive(request("initialize", offer, "open")))
    await idle()
    [ping] = wire.sent
    assert (ping["method"], opening.done()) == ("ping", False)
    await wire.receive(result({}, ping["id"]))
    await opening
    assert wire.sent[1]["id"] == "open"
    assert "result" in wire.sent[1]
    await wire.connection.close()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python has eager tasks from 3.12 on")
@in_loop
async def test_tasks_may_be_eager() -> None:
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined, unused-ignore]
    pair = await connected()
    for _ in range(3):
        assert (await pair.client.peer.session_new(new_session("/x"))).session_id == "/x"
        await pair.answering.handler.say("hello")
        await pair.client.drain()
    assert pair.client.handler.heard == ["hello"] * 3
    await pair.answering.drain()
    await pair.close()


# --- nesting ----------------------------------------------------------------------------------------------------------


def _depth(text: str) -> int:
    depth = deepest = 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        deepest = max(deepest, depth)
    return deepest


def test_nesting_is_counted() -> None:
    numbers = random.Random(0)
    for _ in range(300):
        text = "".join(numbers.choices("[]{}", weights=[3, 2, 3, 2], k=numbers.randrange(60)))
        for limit in (1, 5, 9):
            exceeded = Limits(nesting=limit).exceeded(text.encode()) is not None
            assert exceeded == (_depth(text) > limit), text


def test_brackets_in_strings_do_not_count() -> None:
    text = b'{"a":"[[[[","b\\"[[[[":"\\\\"}'
    assert Limits(nesting=1).exceeded(text) is None
    assert limits.Limits(nesting=1).exceeded(b"[" + text + b"]")


def test_nesting_is_counted_over_long_messages() -> None:
    assert Limits(nesting=3).exceeded(b"[" + b"[[]]," * 50_000 + b"0]") is None
    assert Limits(nesting=3).exceeded(b"[" + b"[[]]," * 50_000 + b"[[[]]]]")
