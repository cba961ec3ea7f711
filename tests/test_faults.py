"""What is wrong with messages, handlers and readers: the error that the peer gets, and that the connection lives on."""

import asyncio
import json
import logging
from typing import Any

import pytest
from opened_sides import DONE, SIDES, Opened, Side
from wire import Json, code, idle, in_loop, result
from wiretypes import ConnectionClosed, InvalidResult
from wiretypes.acp import Limits

CALLING = tuple(side for side in SIDES if side.version != "2026-07-28")
"""The sides that call their peer; a server of 2026-07-28 does not."""
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR, CANCELLED = -32700, -32600, -32602, -32603, -32800


def on(sides: tuple[Side, ...] = SIDES) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("side", sides, ids=lambda side: side.name)


def line(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


async def refused(opened: Opened, message: object) -> Any:
    """The error for a message without a readable id, which it does not have either."""
    answer = await opened.wire.answers(message)
    assert ("id" in answer, answer.get("id")) == (opened.side.has_null_errors, None)
    return answer


# --- messages that are none ------------------------------------------------------------------------------------------

NO_JSON = {
    "a cut line": b'{"jsonrpc": "2.0", "id": 7, "meth',
    "invalid UTF-8": b'{"jsonrpc": "2.0", "id": 7, "method": "\xff\xfe"}',
    "half a surrogate as id": rb'{"jsonrpc": "2.0", "id": "\ud800", "method": "test/answer"}',
    "two messages": line(id=7, method="test/answer") * 2,
    "a byte order mark and no more": b"\xef\xbb\xbf",
}
NO_MESSAGE = {
    "null": b"null",
    "a number": b"7",
    "a text": b'"test/answer"',
    "a fraction as id": line(id=1.5, method="test/answer"),
    "a boolean as id": line(id=True, method="test/answer"),
    "an object as id": line(id={}, method="test/answer"),
    "an empty batch": b"[]",
}
NO_REQUEST = {
    "no jsonrpc": b'{"id": 7, "method": "test/answer"}',
    "another jsonrpc": b'{"jsonrpc": "1.0", "id": 7, "method": "test/answer"}',
    "a method that is no text": line(id=7, method=7),
}


@on()
@pytest.mark.parametrize("data", NO_JSON.values(), ids=NO_JSON)
@in_loop
async def test_what_is_no_json_is_a_parse_error(data: bytes, side: Side) -> None:
    opened = await side.open()
    assert code(await refused(opened, data)) == PARSE_ERROR
    await opened.lives()


@on()
@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e999", "9" * 5000, r'"\ud800"'])
@in_loop
async def test_a_number_or_text_that_is_none_is_answered_under_its_id(value: str, side: Side) -> None:
    opened = await side.open()
    data = b'{"jsonrpc": "2.0", "id": 7, "method": "test/answer", "params": {"x": %b}}' % value.encode()
    answer = await opened.wire.answers(data)
    assert (code(answer), answer["id"]) == (PARSE_ERROR, 7)
    await opened.lives()


@on()
@pytest.mark.parametrize("data", NO_MESSAGE.values(), ids=NO_MESSAGE)
@in_loop
async def test_json_that_is_no_message_is_an_invalid_request(data: bytes, side: Side) -> None:
    opened = await side.open()
    assert code(await refused(opened, data)) == INVALID_REQUEST
    await opened.lives()


@on()
@pytest.mark.parametrize("data", NO_REQUEST.values(), ids=NO_REQUEST)
@in_loop
async def test_a_request_that_is_none_is_refused_under_its_id(data: bytes, side: Side) -> None:
    opened = await side.open()
    answer = await opened.wire.answers(data)
    assert (answer["id"], code(answer)) == (7, INVALID_REQUEST)
    await opened.lives()


@on()
@in_loop
async def test_a_null_id_is_answered_where_the_version_has_it_and_else_refused(side: Side) -> None:
    opened = await side.open()
    if side.version == "v1":
        assert await opened.wire.answers(opened.request("answer", None)) == result(DONE, None)
    else:
        assert code(await refused(opened, opened.request("answer", None))) == INVALID_REQUEST
    await opened.lives()


@on()
@in_loop
async def test_a_batch_is_taken_in_2025_03_26_and_else_refused(side: Side) -> None:
    opened = await side.open()
    told = {"jsonrpc": "2.0", "method": "test/tell"}
    batch = [opened.request("answer", 1), told, opened.request("refuse", 2), 7]
    if not side.has_batches:
        assert code(await refused(opened, batch)) == INVALID_REQUEST
    else:
        answers = {answer["id"]: answer for answer in await opened.wire.answers(batch)}
        assert answers[1] == result(DONE, 1)
        assert (code(answers[2]), code(answers[None])) == (-31999, INVALID_REQUEST)
        assert len(answers) == 3
        assert opened.handler.heard == [("test/tell", None)]
        assert await opened.wire.ask([told]) == []
        assert await opened.wire.ask([opened.request("hang", 3), opened.request("answer", 4)]) == []
        assert await opened.wire.ask(opened.cancellation(3)) == [[result(DONE, 4)]]
    await opened.lives()


@on()
@in_loop
async def test_what_is_too_long_or_nested_too_deep_is_refused(side: Side) -> None:
    opened = await side.open(limits=Limits(message_size=2_000, nesting=20))
    assert code(await refused(opened, line(id=7, method="test/answer", params={"x": "x" * 2_000}))) == PARSE_ERROR
    assert code(await refused(opened, b"[" * 1_500)) == PARSE_ERROR
    deep = b'{"jsonrpc": "2.0", "id": 7, "method": "test/answer", "params": ' + b"[" * 30 + b"]" * 30 + b"}"
    assert code(await refused(opened, deep)) == PARSE_ERROR
    await opened.lives()


# --- answers that are wrong ------------------------------------------------------------------------------------------


@on()
@pytest.mark.parametrize(
    "answer",
    [
        result("nobody asked", 999),
        result("nobody asked", "1"),
        result("nobody asked", None),
        {"jsonrpc": "2.0", "id": 999, "error": {"code": 1, "message": "m"}},
        {"jsonrpc": "2.0", "error": {"code": 1, "message": "m"}},
        {"jsonrpc": "2.0", "id": 999, "result": 1, "error": {"code": 1, "message": "m"}},
        {"jsonrpc": "2.0", "id": 999, "error": 7},
    ],
    ids=json.dumps,
)
@in_loop
async def test_an_answer_that_nobody_asked_for_is_not_answered(answer: Json, side: Side) -> None:
    opened = await side.open()
    assert await opened.wire.ask(answer) == []
    await opened.lives()


@on(CALLING)
@pytest.mark.parametrize(
    "wrong",
    [
        {"result": 1, "error": {"code": 1, "message": "m"}},
        {"error": 7},
        {"error": {"code": "1", "message": "m"}},
        {"error": {"message": "m"}},
    ],
    ids=json.dumps,
)
@in_loop
async def test_an_answer_that_is_none_fails_its_call_and_nothing_else(wrong: Json, side: Side) -> None:
    opened = await side.open()
    calls = [asyncio.ensure_future(opened.connection.peer.extension_request("test/ask")) for _ in range(2)]
    await idle()
    bad, good = (message["id"] for message in opened.wire.sent)
    await opened.wire.receive({"jsonrpc": "2.0", "id": bad, **wrong})
    await opened.wire.receive(result({"x": 1}, good))
    with pytest.raises(InvalidResult) as caught:
        await calls[0]
    assert caught.value.value == wrong.get("result")
    assert await calls[1] == {"x": 1}
    await opened.lives()


@on(CALLING)
@in_loop
async def test_the_first_of_two_answers_counts(side: Side) -> None:
    opened = await side.open()
    call = asyncio.ensure_future(opened.connection.peer.extension_request("test/ask"))
    await idle()
    (asked,) = opened.wire.sent
    for value in ({"x": 1}, {"x": 2}):
        await opened.wire.receive(result(value, asked["id"]))
    assert await call == {"x": 1}
    await opened.lives()


# --- ids -------------------------------------------------------------------------------------------------------------


@on()
@in_loop
async def test_an_id_in_use_is_refused_and_its_request_goes_on(side: Side) -> None:
    opened = await side.open()
    assert await opened.wire.ask(opened.request("hang", 5)) == []
    assert code(await opened.wire.answers(opened.request("answer", 5))) == INVALID_REQUEST
    assert await opened.wire.answers(opened.request("answer", "5")) == result(DONE, "5")
    opened.handler.released.set()
    await idle()
    assert opened.wire.sent[-1] == result(DONE, 5)
    assert await opened.wire.answers(opened.request("answer", 5)) == result(DONE, 5)
    await opened.lives()


# --- handlers --------------------------------------------------------------------------------------------------------


@on()
@in_loop
async def test_a_handler_that_raises_is_an_internal_error_that_only_the_log_explains(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    opened = await side.open()
    caplog.set_level(logging.ERROR)
    answer = await opened.wire.answers(opened.request("raise", 7))
    assert (answer["id"], code(answer)) == (7, INTERNAL_ERROR)
    assert "secret" not in json.dumps(answer)
    assert "a secret" in caplog.text
    await opened.lives()


@on()
@in_loop
async def test_the_handler_of_a_notification_that_raises_is_logged(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    opened = await side.open()
    assert await opened.wire.ask({"jsonrpc": "2.0", "method": "test/raise"}) == []
    assert await opened.wire.ask({"jsonrpc": "2.0", "method": "test/tell"}) == []
    assert [method for method, _ in opened.handler.heard] == ["test/raise", "test/tell"]
    assert "a secret" in caplog.text
    await opened.lives()


@on()
@in_loop
async def test_a_handler_may_choose_its_error(side: Side) -> None:
    opened = await side.open()
    answer = await opened.wire.answers(opened.request("refuse", 7))
    assert answer["error"] == {"code": -31999, "message": "refused", "data": {"why": 1}}
    await opened.lives()


@on()
@in_loop
async def test_a_handler_that_never_returns_can_be_cancelled(side: Side) -> None:
    opened = await side.open()
    assert await opened.wire.ask(opened.request("hang", 7)) == []
    answers = await opened.wire.ask(opened.cancellation(7))
    assert [code(answer) for answer in answers] == ([CANCELLED] if side.answers_cancelled else [])
    assert opened.handler.cancelled == 1
    assert await opened.wire.ask(opened.cancellation(7)) == []
    assert await opened.wire.answers(opened.request("answer", 7)) == result(DONE, 7)
    await opened.lives()


@on()
@in_loop
async def test_a_cancelled_handler_may_still_have_a_result_which_acp_wants(side: Side) -> None:
    opened = await side.open()
    assert await opened.wire.ask(opened.request("persist", 7)) == []
    assert await opened.wire.ask(opened.cancellation(7)) == ([result(DONE, 7)] if side.answers_cancelled else [])
    await opened.lives()


@on()
@in_loop
async def test_closing_ends_a_handler_that_never_returns(side: Side) -> None:
    opened = await side.open()
    assert await opened.wire.ask(opened.request("hang", 7)) == []
    await opened.connection.close()
    assert opened.handler.cancelled == 1
    assert await opened.wire.ask(opened.request("answer", 8)) == []


@on(CALLING)
@in_loop
async def test_closing_fails_the_calls_that_wait(side: Side) -> None:
    opened = await side.open()
    call = asyncio.ensure_future(opened.connection.peer.extension_request("test/ask"))
    await idle()
    await opened.connection.close()
    with pytest.raises(ConnectionClosed):
        await call
    with pytest.raises(ConnectionClosed):
        await opened.connection.peer.extension_request("test/ask")


@on()
@pytest.mark.parametrize("id_", [999, "7", 7.5, True, {}, None], ids=repr)
@in_loop
async def test_cancelling_what_does_not_run_changes_nothing(id_: object, side: Side) -> None:
    opened = await side.open()
    assert await opened.wire.ask(opened.request("hang", 7)) == []
    assert await opened.wire.ask(opened.cancellation(id_)) == []
    assert opened.handler.cancelled == 0
    opened.handler.released.set()
    await idle()
    assert opened.wire.sent == [result(DONE, 7)]
    await opened.lives()


@on()
@pytest.mark.parametrize("turns", range(8))
@in_loop
async def test_a_cancellation_that_races_the_answer_makes_no_second_one(turns: int, side: Side) -> None:
    opened = await side.open()
    await opened.wire.receive(opened.request("hang", 7))
    await idle()
    opened.handler.released.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    await opened.wire.receive(opened.cancellation(7))
    await idle()
    answers = opened.wire.sent
    assert len(answers) == 1 or (not answers and not side.answers_cancelled)
    assert all(answer["id"] == 7 for answer in answers)
    await opened.lives()


@on(CALLING)
@pytest.mark.parametrize("turns", range(6))
@in_loop
async def test_a_call_that_is_given_up_as_its_answer_comes_is_over(turns: int, side: Side) -> None:
    opened = await side.open()
    call = asyncio.ensure_future(opened.connection.peer.extension_request("test/ask"))
    await idle()
    (asked,) = opened.wire.sent
    await opened.wire.receive(result({"x": 1}, asked["id"]))
    for _ in range(turns):
        await asyncio.sleep(0)
    call.cancel()
    await asyncio.wait([call])
    await idle()
    assert len(opened.wire.sent) <= 2
    await opened.lives()


# --- a peer that sends too much, or reads too slowly -----------------------------------------------------------------


@on()
@in_loop
async def test_a_flood_is_answered_up_to_the_bound_and_refused_beyond_it(side: Side) -> None:
    opened = await side.open(limits=Limits(requests=10))
    for id_ in range(15):
        await opened.wire.receive(opened.request("hang", id_))
    await idle()
    assert [answer["id"] for answer in opened.wire.sent] == list(range(10, 15))
    assert {code(answer) for answer in opened.wire.sent} == {INTERNAL_ERROR}
    opened.handler.released.set()
    await idle()
    assert sorted(answer["id"] for answer in opened.wire.sent) == list(range(15))
    await opened.lives()


@on()
@in_loop
async def test_a_flood_of_requests_gets_one_answer_each(side: Side) -> None:
    opened = await side.open()
    for id_ in range(3_000):
        await opened.wire.receive(opened.request("answer", id_))
    await opened.connection.drain()
    assert sorted(answer["id"] for answer in opened.wire.sent) == list(range(3_000))
    await opened.lives()


@on()
@in_loop
async def test_a_slow_reader_is_waited_for_and_loses_nothing(side: Side) -> None:
    opened = await side.open(limits=Limits(requests=10))
    opened.reads.clear()
    received = 0

    async def flood() -> None:
        nonlocal received
        for id_ in range(100):
            await opened.wire.receive(opened.request("answer", id_))
            received += 1

    flooding = asyncio.ensure_future(flood())
    await idle()
    assert 10 <= received <= 30
    assert opened.wire.sent == []
    opened.reads.set()
    await flooding
    await opened.connection.drain()
    # Those that came while ten answers waited to be read were refused; each has its answer.
    assert sorted(answer["id"] for answer in opened.wire.sent) == list(range(100))
    await opened.lives()


@on()
@in_loop
async def test_closing_does_not_wait_for_a_reader(side: Side) -> None:
    opened = await side.open()
    opened.reads.clear()
    await opened.wire.receive(opened.request("answer", 7))
    await idle()
    await opened.connection.close()
    assert opened.wire.sent == []
