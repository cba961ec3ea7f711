"""A long response whose id is seen at a glance is parsed once: what comes out is what comes out of a short one."""

import contextlib
import json
from typing import Any

import pytest
from wiretypes import encode
from wiretypes.jsonrpc import MessageError, Request, Result
from wiretypes.mcp import v2025_11_25 as mcp

TOOLS: dict[str, object] = {"tools": [{"name": f"tool_{n}", "inputSchema": {"type": "object"}} for n in range(100)]}
NOTHING: list[object] = []
TASKS: dict[str, object] = {"tasks": NOTHING, "_meta": {"note": "x" * 4000}}
METHODS: dict[int | str, str] = {7: "tools/list", "a-1": "tools/list", 8: "tasks/list"}


def _text(**members: object) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode()


@pytest.mark.parametrize("id_", [7, "a-1"])
@pytest.mark.parametrize("spaced", [False, True])
@pytest.mark.parametrize(
    "order", [("jsonrpc", "id", "result"), ("result", "jsonrpc", "id"), ("id", "result", "jsonrpc")]
)
def test_the_result_is_typed(id_: int | str, *, spaced: bool, order: tuple[str, ...]) -> None:
    members = {"jsonrpc": "2.0", "id": id_, "result": TOOLS}
    text = json.dumps({name: members[name] for name in order}, separators=None if spaced else (",", ":")).encode()
    message = mcp.decode_message(text, sender="server", results=METHODS)
    assert isinstance(message, Result)
    assert isinstance(message.result, mcp.ListToolsResult)
    assert message.id == id_
    assert json.loads(encode(message)) == members


@pytest.mark.parametrize(
    "text",
    [
        # What looks like the id stands for something else, or is said twice.
        _text(id=8, result={**TASKS, "x": {"jsonrpc": "2.0", "id": 7}})[:-1] + b',"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":7,"result":' + _text(**TASKS) + b',"id":8}',
        b'{"id":7,"result":' + _text(**TASKS) + b',"jsonrpc":"2.0","id":8}',
    ],
)
def test_the_id_that_counts_is_the_last(text: bytes) -> None:
    message = mcp.decode_message(text, sender="server", results=METHODS)
    assert isinstance(message, Result)
    assert message.id == 8
    assert isinstance(message.result, mcp.ListTasksResult)


def test_a_request_may_look_like_a_response() -> None:
    params = {"name": "x", "arguments": {"note": "y" * 4000}}
    text = _text(method="tools/call", params=params, jsonrpc="2.0", id=7)
    message: object = mcp.decode_message(text, sender="client", results=METHODS)
    assert isinstance(message, Request)
    assert isinstance(message.params, mcp.CallToolRequestParams)


@pytest.mark.parametrize("size", [1, 4000])
@pytest.mark.parametrize("result", [{"tools": []}, {"tools": 1}, {"tools": [], "more": 1.5}])
def test_the_method_of_an_id_is_asked_for_once(size: int, result: dict[str, Any]) -> None:
    asked: list[object] = []

    def method_of(id_: object) -> str:
        asked.append(id_)
        return "tools/list"

    text = _text(jsonrpc="2.0", id=7, result={**result, "_meta": {"note": "x" * size}})
    try:
        mcp.decode_message(text, sender="server", results=method_of)
    except MessageError as error:
        assert error.pointer == "/result/tools"  # noqa: PT017
    assert asked == [7]


@pytest.mark.parametrize(
    "id_", ["007", "1e999", "-0", '"\\ud800"', "7.0", "true", "99999999999999999999", "null", '""']
)
def test_odd_ids_are_no_more_than_refused(id_: str) -> None:
    text = f'{{"jsonrpc":"2.0","id":{id_},"result":{json.dumps(TOOLS)}}}'.encode()
    try:
        message = mcp.decode_message(text, sender="server", results=METHODS)
    except MessageError:
        return
    assert isinstance(message, Result)
    assert json.loads(encode(message))["id"] == json.loads(id_)


def test_a_request_is_no_answer_to_one_of_ours() -> None:
    for members in (
        {"method": "sampling/createMessage", "params": {"note": "y" * 4000}},
        {"error": {"data": "y" * 4000}},
    ):
        text = _text(**members, jsonrpc="2.0", id=7)
        asked: list[object] = []
        with contextlib.suppress(MessageError):
            mcp.decode_message(text, sender="server", results=asked.append)
        assert asked == []
