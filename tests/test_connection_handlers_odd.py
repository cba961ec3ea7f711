"""Handlers that do what few do: each request is answered all the same, and the connection lives on."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from acp_pair import Agent, opened
from opened_sides import SIDES, Side
from wire import Json, Pair, Wire, code, idle, in_loop, notification, request, result
from wiretypes import acp, mcp
from wiretypes.acp import Limits, RpcError, v2
from wiretypes.mcp import CapabilityError, v2025_11_25, v2026_07_28

BATCHES = Side("mcp", "2025-03-26", "server", has_batches=True)


class Grave(BaseException):
    """An exception that is no `Exception`."""


class Unfinished(RpcError):
    """An error whose class forgot to call that of its base."""

    def __init__(self) -> None:
        self.why = "in a hurry"


def raising(error: type[BaseException]) -> Callable[..., Awaitable[Any]]:
    async def handle(_self: object, *_: object) -> Any:
        raise error

    return handle


@pytest.mark.parametrize("error", [Grave, Unfinished])
@pytest.mark.parametrize("side", SIDES, ids=lambda side: side.name)
@in_loop
async def test_a_request_is_answered_whatever_its_handler_raises(side: Side, error: type[BaseException]) -> None:
    there = await side.open()
    cast("Any", type(there.handler)).hang = raising(error)
    for _ in range(2):
        answer = await there.wire.answers(there.request("hang", 7))
        assert (code(answer), answer["id"]) == (-32603, 7)
    await there.lives()


@in_loop
async def test_a_batch_is_answered_whatever_a_handler_raises() -> None:
    there = await BATCHES.open()
    cast("Any", type(there.handler)).hang = raising(Grave)
    [answers] = await there.wire.ask([there.request("hang", 1), there.request("answer", 2)])
    assert {answer["id"]: "result" in answer for answer in answers} == {1: False, 2: True}
    await there.lives()


@in_loop
async def test_notifications_go_on_whatever_a_handler_raises() -> None:
    there = await SIDES[0].open()
    kind: Any = type(there.handler)
    kind.extension_notification = raising(Grave)
    await there.wire.ask(notification("test/a"))
    del kind.extension_notification
    await there.wire.ask(notification("test/b", {}))
    assert there.handler.heard == [("test/b", {})]
    await there.connection.drain()
    await there.lives()


@in_loop
async def test_what_send_raises_closes_the_connection() -> None:
    there = await SIDES[0].open()

    async def fail(_: bytes) -> None:
        raise Grave

    there.wire.take = fail
    assert await there.wire.ask(there.request("answer", 1)) == []
    with pytest.raises(acp.ConnectionClosed):
        await there.connection.peer.extension_request("test/ask")


# --- drain -----------------------------------------------------------------------------------------------------------


class Draining(Agent):
    """Waits in its handlers until all else has ended."""

    async def extension_request(self, method: str, params: object) -> Any:
        await self.connection.drain()
        return method

    async def extension_notification(self, method: str, params: object) -> None:
        await self.connection.drain()

    connection: acp.AgentConnection


@pytest.mark.parametrize("order", ["rr", "rn", "nr", "rrn", "nrr"])
@in_loop
async def test_handlers_that_wait_for_each_other_do_not_wait_for_ever(order: str) -> None:
    handler = Draining()
    wire = await opened(handler)
    handler.connection = wire.connection
    for id_, kind in enumerate(order):
        await wire.receive(request("_x/wait", {}, id_) if kind == "r" else notification("_x/wait", {}))
    await wire.connection.drain()
    assert [answer["result"] for answer in wire.sent if "_x/wait" in answer.get("result", ())] == ["_x/wait"] * (
        order.count("r")
    )
    await wire.connection.close()


@in_loop
async def test_whoever_is_no_handler_waits_for_all() -> None:
    class Slow(Draining):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            await asyncio.sleep(0.02)
            return await super().session_new(params)

    handler = Slow()
    wire = await opened(handler)
    handler.connection = wire.connection
    wire.sent.clear()
    for message in (request("session/new", {"cwd": "/"}, 0), request("_x/wait", {}, 1), request("_x/wait", {}, 2)):
        await wire.receive(message)
    await asyncio.sleep(0.005)
    await wire.connection.drain()
    assert sorted(answer["id"] for answer in wire.sent) == [0, 1, 2]
    await wire.connection.close()


@in_loop
async def test_a_handler_may_have_a_task_of_its_own_wait() -> None:
    class Delegating(Draining):
        async def extension_request(self, method: str, params: object) -> Any:
            await asyncio.gather(self.connection.drain())
            return method

    handler = Delegating()
    wire = await opened(handler)
    handler.connection = wire.connection
    for id_ in range(2):
        await wire.receive(request("_x/wait", {}, id_))
    await wire.connection.drain()
    assert [answer["result"] for answer in wire.sent[-2:]] == ["_x/wait"] * 2
    await wire.connection.close()


# --- eager tasks -----------------------------------------------------------------------------------------------------

eager = pytest.mark.skipif(sys.version_info < (3, 12), reason="Python has eager tasks from 3.12 on")


class Hasty(Agent):
    """Does something about its request before it waits for anything."""

    connection: acp.AgentConnection
    has_ended = False

    async def extension_request(self, method: str, params: object) -> Any:
        if method == "_x/cancel":
            await self.connection.receive(b'{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"x"}}')
        else:
            self.closing = asyncio.create_task(self.connection.close())
        await asyncio.sleep(0.01)
        self.has_ended = True


@eager
@pytest.mark.parametrize("method", ["_x/cancel", "_x/close"])
@in_loop
async def test_an_eager_handler_can_be_cancelled_in_its_first_step(method: str) -> None:
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined, unused-ignore]
    handler = Hasty()
    wire = await opened(handler)
    handler.connection = wire.connection
    wire.sent.clear()
    await wire.receive(request(method, {}, "x"))
    await wire.connection.drain()
    await wire.connection.close()
    await idle()
    assert not handler.has_ended
    assert [code(answer) for answer in wire.sent] == ([-32800] if method == "_x/cancel" else [])


# --- what is agreed on -----------------------------------------------------------------------------------------------

META: Json = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Discovered(v2026_07_28.ServerHandler):
    """Offers tools, and no resources."""

    info = v2026_07_28.Implementation(name="server", version="1")
    known: object = None

    async def tools_list(self, params: v2026_07_28.PaginatedRequestParams) -> v2026_07_28.ListToolsResult:
        raise AssertionError

    async def extension_notification(self, method: str, params: object) -> None:
        self.known = self.negotiated


@in_loop
async def test_what_was_agreed_on_is_known_from_discovery_on() -> None:
    handler = Discovered()
    wire = Wire(lambda send: mcp.ServerConnection([handler], send))
    assert "result" in await wire.answers(request("server/discover", {"_meta": META}))
    with pytest.raises(CapabilityError):
        await handler.peer.notifications_resources_list_changed()
    await wire.ask(notification("vendor/x", {}))
    assert handler.known is not None


class Completing(v2025_11_25.ServerHandler):
    """Offers nothing."""

    info = v2025_11_25.Implementation(name="server", version="1")


@in_loop
async def test_a_method_that_is_not_offered_is_refused_before_its_params_are() -> None:
    opening: Json = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    for mode, refusal in (("enforce", -32601), ("off", -32602)):
        wire = Wire(lambda send: mcp.ServerConnection([Completing], send, capabilities=mode))  # type: ignore[arg-type]  # noqa: B023
        await wire.answers(request("initialize", opening, 0))
        await wire.ask(notification("notifications/initialized"))
        answer = await wire.answers(request("completion/complete", {"ref": 5}, 3))
        assert (code(answer), answer["id"]) == (refusal, 3)


@pytest.mark.parametrize("is_settled", [False, True])
@in_loop
async def test_what_is_wrong_with_params_is_told_last_in_2026(*, is_settled: bool) -> None:
    class Nothing(v2026_07_28.ServerHandler):
        info = v2026_07_28.Implementation(name="server", version="1")

    wire = Wire(lambda send: mcp.ServerConnection([Nothing], send))
    if is_settled:
        await wire.answers(request("server/discover", {"_meta": META}, 0))
    future: Json = {"io.modelcontextprotocol/protocolVersion": "2027-01-01", "shape": "unknown"}
    for method in ("server/discover", "tools/call"):
        assert code(await wire.answers(request(method, {"_meta": future}))) == -32022
    if is_settled:
        assert code(await wire.answers(request("tools/call", {"_meta": META, "name": 5}, 2))) == -32601


@in_loop
async def test_an_envelope_after_initialize_is_refused_as_one() -> None:
    there = await Side("mcp", "2025-06-18", "server").open()
    answer = await there.wire.answers(request("tools/list", {"_meta": META, "cursor": 5}))
    assert code(answer) == -32600
    await there.connection.close()


# --- what is no JSON -------------------------------------------------------------------------------------------------

HALF = rb'"a\ud83d"'


@pytest.mark.parametrize("side", SIDES, ids=lambda side: side.name)
@in_loop
async def test_a_bad_answer_that_nobody_asked_for_is_not_answered(side: Side) -> None:
    there = await side.open()
    await there.wire.receive(there.request("hang", 77))
    assert await there.wire.ask(b'{"jsonrpc":"2.0","id":77,"result":{"a":%b}}' % HALF) == []
    there.handler.released.set()
    await idle()
    assert [answer["id"] for answer in there.wire.sent] == [77]
    await there.lives()


@in_loop
async def test_a_bad_result_is_attached_as_it_came() -> None:
    there = await Side("acp", "v2", "client").open()
    call = asyncio.ensure_future(there.connection.peer.extension_request("_x/ask"))
    await idle()
    id_ = there.wire.sent[-1]["id"]
    await there.wire.receive(b'{"jsonrpc":"2.0","id":%d,"result":{"a":%b}}' % (id_, HALF))
    with pytest.raises(acp.InvalidResult) as caught:
        await call
    assert caught.value.value == {"a": "a\ud83d"}
    await there.connection.close()


@in_loop
async def test_what_is_no_json_before_the_version_is_settled() -> None:
    wire = Wire(lambda send: acp.AgentConnection([Agent], send))
    answer = await wire.answers(b'{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"a":%b}}' % HALF)
    assert (code(answer), answer["id"]) == (-32700, 5)
    assert await wire.ask(b'{"jsonrpc":"2.0","method":"x","params":{"a":%b}}' % HALF) == []
    answer = await wire.answers(b'{"jsonrpc":"2.0","id":%b,"method":"initialize"}' % HALF)
    assert (code(answer), answer["id"]) == (-32700, None)


# --- what could take all time and memory -----------------------------------------------------------------------------


@in_loop
async def test_many_faults_cost_no_more_than_one() -> None:
    wire = await opened()
    params: Json = {"sessionId": "s", "prompt": [1] * 200_000}
    start = time.process_time()
    answer = await wire.answers(request("session/prompt", params, 3))
    assert time.process_time() - start < 5  # a hundredth of that; telling of all took eleven seconds
    assert (code(answer), answer["error"]["data"]) == (-32602, {"pointer": "/params/prompt/0"})


@in_loop
async def test_a_batch_has_a_bound() -> None:
    there = await BATCHES.open(limits=Limits(requests=3))
    assert len((await there.wire.ask([1, 2, 3]))[0]) == 3
    assert code(await there.wire.answers([1, 2, 3, 4])) == -32600
    await there.lives()


# --- results and progress --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [None, 5, "a", [1], {"a": float("nan")}, object(), {"_meta": 5}])
@pytest.mark.parametrize("side", [side for side in SIDES if side.protocol == "mcp"], ids=lambda side: side.name)
@in_loop
async def test_a_result_of_mcp_is_an_object_be_its_method_known_or_not(side: Side, given: object) -> None:
    there = await side.open()

    async def answer(*_: object) -> Any:
        return given

    cast("Any", type(there.handler)).extension_request = answer
    assert code(await there.wire.answers(there.request("x", 1))) == -32603
    await there.connection.close()


class Reporting(v2025_11_25.ServerHandler):
    """Reports progress under the token of each call, and ends them when it is told to."""

    info = v2025_11_25.Implementation(name="server", version="1")

    def __init__(self) -> None:
        self.tokens: list[object] = []
        self.released = asyncio.Event()

    async def tools_call(self, params: v2025_11_25.CallToolRequestParams) -> v2025_11_25.CallToolResult:
        token = self.request.get().progress_token
        self.tokens.append(token)
        await self.released.wait()
        if token is not None:
            progress = v2025_11_25.ProgressNotificationParams(progress=float(params.name), progress_token=token)
            await self.peer.notifications_progress(progress)
        return v2025_11_25.CallToolResult(content=[])


class Caller(v2025_11_25.ClientHandler):
    info = v2025_11_25.Implementation(name="client", version="1")


@in_loop
async def test_progress_goes_to_its_call_whatever_tokens_others_have() -> None:
    handler = Reporting()
    pair = Pair(lambda send: mcp.ServerConnection([handler], send), lambda send: mcp.ClientConnection([Caller], send))
    await pair.client.initialize()
    peer = cast("v2025_11_25.ServerCaller", pair.client.peer)
    heard: list[tuple[str, float]] = []

    def call(name: str, token: object = None) -> "asyncio.Future[Any]":
        params: Json = {"name": name} | ({} if token is None else {"_meta": {"progressToken": token}})

        async def note(progress: v2025_11_25.ProgressNotificationParams) -> None:
            heard.append((name, progress.progress))

        return asyncio.ensure_future(
            peer.tools_call(v2025_11_25.CallToolRequestParams.model_validate(params), on_progress=note)
        )

    first = call("1", 3)  # this is call 2, so 3 is the token that the next one would have
    await idle()
    calls = [first, call("2"), call("3")]
    await idle()
    with pytest.raises(ValueError, match="token 3"):
        await call("4", 3)
    handler.released.set()
    await asyncio.gather(*calls)
    assert sorted(heard) == [("1", 1.0), ("2", 2.0), ("3", 3.0)]
    assert len(set(handler.tokens)) == 3
    await call("5", 3)
    await pair.close()


# --- loops and limits ------------------------------------------------------------------------------------------------


def test_a_connection_may_live_on_in_another_loop() -> None:
    wires: list[Wire[acp.AgentConnection]] = []

    async def begin() -> None:
        wires.append(await opened(Agent()))

    asyncio.run(begin())

    async def go_on() -> None:
        assert "result" in await wires[0].answers(request("session/new", {"cwd": "/"}, 9))

    asyncio.run(go_on())


@pytest.mark.parametrize("name", ["message_size", "nesting", "requests", "calls"])
def test_a_bound_that_nothing_keeps_is_refused(name: str) -> None:
    for value in (0, -1):
        with pytest.raises(ValueError, match=name):
            Limits(**{name: value})
    assert getattr(Limits(**{name: 1}), name) == 1


@pytest.mark.parametrize("piece", [b'\\"', b'"\\', b'"'])
def test_nesting_is_counted_in_a_time_that_grows_with_the_message(piece: bytes) -> None:
    def seconds(count: int) -> float:
        data = b'{"a":' + b"[" * 20 + b'"' + piece * count
        start = time.process_time()
        Limits(nesting=10).exceeded(data)
        return time.process_time() - start

    assert seconds(400_000) < 5  # a hundredth of that; from each quote on anew, a fifth of this message took minutes


class Modern(v2026_07_28.ClientHandler):
    info = v2026_07_28.Implementation(name="client", version="1")
    also = ("2025-11-25",)


@in_loop
async def test_an_answer_that_comes_as_the_time_for_it_ends_counts() -> None:
    wire = Wire(lambda send: mcp.ClientConnection([Modern], send))
    opening = asyncio.ensure_future(wire.connection.open(timeout=0.05))
    await idle()
    discovered: Json = {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "serverInfo": {"name": "s", "version": "1"},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    coming = asyncio.ensure_future(wire.receive(result(discovered, wire.sent[0]["id"])))
    time.sleep(0.1)  # the loop is busy: it finds the answer and the end of the time together
    await coming
    assert (await opening).supported_versions == ["2026-07-28"]
    assert [message["method"] for message in wire.sent] == ["server/discover"]
    await wire.connection.close()
