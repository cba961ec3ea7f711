"""Ids, order and concurrency: what is answered when, and what reaches whom in which order."""

import asyncio
import logging

import pytest
from acp_pair import Agent, Client, connected, new_session, opened, opened_client, prompt, text_of, update
from wire import Json, Wire, idle, in_loop, notification, request, result
from wiretypes import RpcError
from wiretypes.acp import AgentConnection, v1, v2
from wiretypes.request_context import RequestContext

PROMPT = {"sessionId": "s", "prompt": [{"type": "text", "text": "hello"}]}

# --- ids -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", [1, 0, -7, 2**53 + 1, "1", "", "é", "a" * 300])
@in_loop
async def test_ids_come_back_as_they_are(id_: int | str) -> None:
    wire = await opened()
    answer = await wire.answers(request("session/new", {"cwd": "/"}, id_))
    assert answer["id"] == id_
    assert type(answer["id"]) is type(id_)


@in_loop
async def test_a_whole_number_is_an_integer() -> None:
    wire = await opened()
    (answer,) = await wire.ask(b'{"jsonrpc":"2.0","id":3.0,"method":"session/new","params":{"cwd":"/"}}')
    assert answer["id"] == 3


@in_loop
async def test_a_null_id_is_answered_where_the_version_has_it() -> None:
    class Old(v1.AgentHandler):
        info = v1.Implementation(name="a", version="1")

        async def session_new(self, params: v1.NewSessionRequest) -> v1.NewSessionResponse:
            return v1.NewSessionResponse(session_id="s")

    wire = Wire(lambda send: AgentConnection([Old], send))
    await wire.receive(request("initialize", {"protocolVersion": 1}))
    answer = await wire.answers(request("session/new", {"cwd": "/", "mcpServers": []}, None))
    assert answer == {"jsonrpc": "2.0", "id": None, "result": {"sessionId": "s"}}
    answer = await (await opened()).answers(request("session/new", {"cwd": "/"}, None))
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


@in_loop
async def test_1_and_the_text_1_are_two_ids() -> None:
    release = asyncio.Event()

    class Waiting(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            await release.wait()
            return await super().session_new(params)

    wire = await opened(Waiting)
    await wire.receive(request("session/new", {"cwd": "/a"}, 1))
    await wire.receive(request("session/new", {"cwd": "/b"}, "1"))
    release.set()
    await wire.connection.drain()
    assert [(answer["id"], answer["result"]["sessionId"]) for answer in wire.sent] == [(1, "/a"), ("1", "/b")]


@in_loop
async def test_an_id_that_is_in_use_is_refused_and_can_be_used_again() -> None:
    release = asyncio.Event()

    class Waiting(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            await release.wait()
            return await super().session_new(params)

    wire = await opened(Waiting)
    await wire.receive(request("session/new", {"cwd": "/a"}, 7))
    (refused,) = await wire.ask(request("session/new", {"cwd": "/b"}, 7))
    assert (refused["id"], refused["error"]["code"]) == (7, -32600)
    release.set()
    await wire.connection.drain()
    assert wire.sent[-1] == result({"sessionId": "/a"}, 7)
    assert (await wire.answers(request("session/new", {"cwd": "/c"}, 7)))["result"] == {"sessionId": "/c"}


@in_loop
async def test_an_id_is_free_again_when_its_answer_arrives() -> None:
    """The peer may use it at once, while `send` has not returned yet."""
    answers: list[bytes] = []
    wire = await opened()

    async def again(data: bytes) -> None:
        answers.append(data)
        if len(answers) in range(2, 5):
            await wire.connection.receive(b'{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/"}}')

    wire.take = again
    answers.append(b"")
    await wire.connection.receive(b'{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/"}}')
    await wire.connection.drain()
    assert len(answers) == 5
    assert all(b'"result"' in answer for answer in answers[1:])


@in_loop
async def test_calls_have_ids_of_their_own_and_get_their_own_answers() -> None:
    wire = await opened_client()
    peer = wire.connection.peer
    calls = [asyncio.ensure_future(peer.session_new(new_session(f"/{n}"))) for n in range(5)]
    await idle()
    ids = {message["params"]["cwd"]: message["id"] for message in wire.sent}
    assert len(set(ids.values())) == 5
    for cwd, id_ in reversed(ids.items()):
        await wire.receive(result({"sessionId": cwd}, id_))
    assert [(await call).session_id for call in calls] == [f"/{n}" for n in range(5)]


@pytest.mark.parametrize(
    "answer",
    [result({"sessionId": "x"}, 99), result({"sessionId": "x"}, "2"), result({}, None), result({"sessionId": "x"}, 1)],
)
@in_loop
async def test_an_answer_nobody_waits_for_changes_nothing(answer: Json) -> None:
    wire = await opened_client()
    call = asyncio.ensure_future(wire.connection.peer.session_new(new_session()))
    await idle()
    wire.sent.clear()
    assert await wire.ask(answer) == []
    assert not call.done()
    await wire.receive(result({"sessionId": "right"}, 2))
    assert (await call).session_id == "right"
    assert await wire.ask(result({"sessionId": "again"}, 2)) == []


@in_loop
async def test_an_error_without_an_id_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    wire = await opened_client()
    with caplog.at_level(logging.WARNING):
        assert await wire.ask({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "?"}}) == []
    assert "no open call" in caplog.text


# --- concurrency and order -------------------------------------------------------------------------------------------


@in_loop
async def test_requests_are_handled_concurrently_and_each_is_answered_once() -> None:
    gate = asyncio.Barrier(10)

    class Meeting(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            await gate.wait()
            return await super().session_new(params)

    pair = await connected(Meeting)
    calls = [pair.client.peer.session_new(new_session(f"/{n}")) for n in range(10)]
    assert [answer.session_id for answer in await asyncio.gather(*calls)] == [f"/{n}" for n in range(10)]
    await pair.close()


@in_loop
async def test_notifications_are_handled_one_at_a_time_in_order() -> None:
    class Slow(Client):
        running = 0

        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            self.running += 1
            assert self.running == 1
            text = text_of(params)
            await asyncio.sleep(0.001 if text in "02468" else 0)
            self.heard.append(text)
            self.running -= 1

    wire = await opened_client(Slow)
    for number in range(10):
        await wire.receive(notification("session/update", update(str(number))))
    assert wire.connection.handler.heard == []
    await wire.connection.drain()
    assert wire.connection.handler.heard == list("0123456789")


@in_loop
async def test_an_answer_comes_after_the_notifications_that_came_before_it() -> None:
    class Slow(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            await asyncio.sleep(0.001)
            self.heard.append(text_of(params))

    class Talking(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            for text in "abc":
                await self.say(text)
            return await super().session_prompt(params)

    pair = await connected(Talking, Slow)
    await pair.client.peer.session_prompt(prompt())
    assert pair.client.handler.heard == ["a", "b", "c"]
    await pair.close()


@in_loop
async def test_so_does_an_error() -> None:
    class Slow(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            await asyncio.sleep(0.001)
            self.heard.append(text_of(params))

    wire = await opened_client(Slow)
    call = asyncio.ensure_future(wire.connection.peer.session_new(new_session()))
    await idle()
    await wire.receive(notification("session/update", update("first")))
    await wire.receive({"jsonrpc": "2.0", "id": 2, "error": {"code": -1, "message": "no"}})
    await wire.receive(notification("session/update", update("second")))
    with pytest.raises(RpcError):
        await call
    assert wire.connection.handler.heard == ["first"]
    await wire.connection.drain()


@in_loop
async def test_the_handler_of_a_notification_can_call_the_peer() -> None:
    """Its answer comes after the notification, and must not wait for it."""

    class Asking(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            session = await self.peer.session_new(new_session("/" + text_of(params)))
            self.heard.append(session.session_id)

    class Talking(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            await self.say("a")
            await self.say("b")
            return await super().session_prompt(params)

    pair = await connected(Talking, Asking)
    await pair.client.peer.session_prompt(prompt())
    assert pair.client.handler.heard == ["/a", "/b"]
    await pair.close()


@in_loop
async def test_tasks_of_such_a_handler_can_call_the_peer_too() -> None:
    class Asking(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            calls = [self.peer.session_new(new_session(f"/{n}")) for n in range(3)]
            self.heard += [session.session_id for session in await asyncio.gather(*calls)]

    class Talking(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            await self.say("a")
            return await super().session_prompt(params)

    pair = await connected(Talking, Asking)
    await pair.client.peer.session_prompt(prompt())
    assert pair.client.handler.heard == ["/0", "/1", "/2"]
    await pair.close()


@in_loop
async def test_a_call_that_outlives_its_notification_is_ordered_again() -> None:
    calls: list[asyncio.Task[v2.NewSessionResponse]] = []

    class Later(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            if not calls:
                calls.append(asyncio.ensure_future(self.peer.session_new(new_session())))
            else:
                await asyncio.sleep(0.001)
            self.heard.append(text_of(params))

    wire = await opened_client(Later)
    await wire.receive(notification("session/update", update("a")))
    await idle()
    await wire.receive(notification("session/update", update("b")))
    await wire.receive(result({"sessionId": "s"}, 2))
    await calls[0]
    assert wire.connection.handler.heard == ["a", "b"]


@in_loop
async def test_a_request_does_not_wait_for_notifications() -> None:
    hold = asyncio.Event()

    class Holding(Agent):
        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            await hold.wait()

    wire = await opened(Holding)
    await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}))
    hold.set()
    await wire.connection.drain()


@in_loop
async def test_receive_waits_for_no_handler() -> None:
    class Hanging(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            await asyncio.Event().wait()
            raise AssertionError

        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            await asyncio.Event().wait()

    wire = await opened(Hanging)
    async with asyncio.timeout(1):
        for number in range(10):
            await wire.receive(request("session/new", {"cwd": "/"}, number))
            await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    assert "result" in await wire.answers(request("session/prompt", PROMPT, 99))
    await wire.connection.close()


@in_loop
async def test_messages_are_sent_one_at_a_time_in_the_order_they_were_made() -> None:
    sending: list[bytes] = []
    sent: list[bytes] = []

    async def slowly(data: bytes) -> None:
        sending.append(data)
        assert len(sending) == 1
        await asyncio.sleep(0)
        sent.append(sending.pop())

    class Talking(Agent):
        async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
            for number in range(5):
                await self.say(str(number))
            return v2.PromptResponse(message_id="end")

    wire = await opened(Talking)
    wire.take = slowly
    for id_ in range(3):
        await wire.receive(request("session/prompt", PROMPT, id_))
    await wire.connection.drain()
    assert len(sent) == 18
    texts = [data for data in sent if b"agent_message_chunk" in data]
    assert [
        text.count(b'"text":"%d"' % number) for number in range(5) for text in texts[number * 3 : number * 3 + 3]
    ] == [1] * 15
    assert all(b'"end"' in data for data in sent[-3:])


@in_loop
async def test_the_message_that_is_handled_is_known() -> None:
    seen: list[RequestContext] = []

    class Knowing(Agent):
        async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
            await asyncio.sleep(0)
            seen.append(self.request.get())
            return await super().session_new(params)

        async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
            seen.append(self.request.get())

        async def extension_request(self, method: str, params: object) -> None:
            seen.append(self.request.get())

    wire = await opened(Knowing)
    await wire.receive(request("session/new", {"cwd": "/", "_meta": {"a": 1}}, "x"))
    await wire.receive(request("session/new", {"cwd": "/"}, 5))
    await wire.receive(request("_own", {"_meta": {"b": 2, "progressToken": 9}}, 6))
    await wire.receive(notification("session/cancel", {"sessionId": "s"}))
    await wire.connection.drain()
    found = {(one.id, one.method): (one.meta, one.progress_token) for one in seen}
    assert found == {
        ("x", "session/new"): ({"a": 1}, None),
        (5, "session/new"): (None, None),
        (6, "_own"): ({"b": 2, "progressToken": 9}, 9),
        (None, "session/cancel"): (None, None),
    }


@in_loop
async def test_extensions_go_to_their_own_methods_as_json() -> None:
    told: list[tuple[str, object]] = []

    class Extending(Agent):
        async def extension_request(self, method: str, params: object) -> Json:
            return {"method": method, "params": params}

        async def extension_notification(self, method: str, params: object) -> None:
            told.append((method, params))

    class Plain(Client):
        pass

    pair = await connected(Extending, Plain)
    peer = pair.client.peer
    assert await peer.extension_request("_own/x", {"a": [1]}) == {"method": "_own/x", "params": {"a": [1]}}
    assert await peer.extension_request("_own/y") == {"method": "_own/y", "params": None}
    await peer.notify("_own/z", {"b": None})
    await peer.notify("_own/z")
    await pair.answering.drain()
    assert told == [("_own/z", {"b": None}), ("_own/z", None)]
    with pytest.raises(RpcError) as caught:
        await pair.answering.peer.extension_request("_own/none")
    assert caught.value.code == -32601
    await pair.close()


@in_loop
async def test_params_may_be_json_and_what_is_no_param_of_the_method_is_not_sent() -> None:
    pair = await connected()
    peer = pair.client.peer
    assert (await peer.request("session/new", {"cwd": "/j"})).session_id == "/j"
    before = len(pair.log)
    for params in ({"cwd": 1}, v1.NewSessionRequest(cwd="/", mcp_servers=[]), None, 7):
        with pytest.raises(ValueError):  # noqa: PT011
            await peer.request("session/new", params)
    with pytest.raises(ValueError, match="session/cancel is a notification"):
        await peer.request("session/cancel", {"sessionId": "s"})
    with pytest.raises(ValueError, match="session/new is a request"):
        await peer.notify("session/new", {"cwd": "/"})
    assert len(pair.log) == before
    await pair.close()


@in_loop
async def test_params_that_may_be_left_out_are_made() -> None:
    class Listing(Agent):
        async def session_list(self, params: v2.ListSessionsRequest) -> v2.ListSessionsResponse:
            assert isinstance(params, v2.ListSessionsRequest)
            return v2.ListSessionsResponse(sessions=[])

    pair = await connected(Listing)
    assert (await pair.client.peer.session_list()).sessions == []
    await pair.close()
    wire = await opened(Listing)
    for params in (dict[str, object](), None):
        assert (await wire.answers(request("session/list", params)))["result"] == {"sessions": []}
