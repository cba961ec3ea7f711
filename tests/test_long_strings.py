"""Text with long strings is read in two steps: what comes out is what comes out of any other text."""

import json
from typing import Any

import pytest
from wiretypes import codec, decode, encode, problems
from wiretypes.jsonrpc import MessageError, Request, Result
from wiretypes.mcp import v2025_11_25 as mcp

LONG = "A" * 200_000
SHORT = "A"

SOUND = [
    '{"contents":[{"uri":"a","text":"%s"}]}',
    '{"contents":[{"uri":"a","blob":"%s","mimeType":"image/png"}],"_meta":{"count":1.0,"big":9223372036854775809}}',
    '{"contents":[{"uri":"a","uri":"b","text":"%s","_meta":{"k":1,"k":2},"z":1,"z":[1.5,null,true]}]}',
    '{"contents":[{"uri":"\\u00e9\\ud83d\\ude00","text":"%s"}],"nextCursor":null}',
]
BROKEN = [
    '{"contents":[{"uri":"a","text":"%s","_meta":{"k":1e400}}]}',
    '{"contents":[{"uri":"a","text":"%s","_meta":{"k":[NaN]}}]}',
    '{"contents":[{"uri":"a","text":"%s","x":-Infinity}]}',
    '{"contents":[{"uri":1,"text":"%s"}]}',
    '{"contents":[{"uri":"\\ud800","text":"%s"}]}',
    '{"contents":[{"uri":"a","text":"%s"}',
    '{"contents":[{"uri":"a","text":"%s"}]}]',
]


def _with(template: str, text: str) -> bytes:
    return template.replace("%s", text).encode()


def _response(result: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"result":' + result + b"}"


def _read(data: bytes) -> Any:
    return mcp.decode_message(data, sender="server", results={1: "resources/read"})


def test_such_text_is_recognised() -> None:
    assert codec.is_mostly_strings(_with(SOUND[0], LONG))
    assert not codec.is_mostly_strings(json.dumps([{"name": "value"}] * 20_000).encode())


@pytest.mark.parametrize("template", SOUND)
def test_it_reads_as_short_text_does(template: str) -> None:
    data = _with(template, LONG)
    value = decode(mcp.ReadResourceResult, data)
    assert json.loads(encode(value)) == json.loads(data)
    assert encode(value).replace(LONG.encode(), SHORT.encode()) == encode(
        decode(mcp.ReadResourceResult, _with(template, SHORT))
    )
    message = _read(_response(data))
    assert isinstance(message, Result)
    assert encode(message.result) == encode(value)


@pytest.mark.parametrize("template", BROKEN)
def test_it_is_refused_where_short_text_is(template: str) -> None:
    found: list[tuple[str, int, str]] = []
    for text in (SHORT, LONG):
        with pytest.raises(ValueError, match="validation error") as refused:
            decode(mcp.ReadResourceResult, _with(template, text))
        with pytest.raises(MessageError) as message:
            _read(_response(_with(template, text)))
        found.append((problems(refused.value)[0][0], message.value.code, message.value.pointer))  # type: ignore[arg-type]
    assert found[0] == found[1]


def test_a_request_is_typed() -> None:
    arguments = {"name": "draw", "arguments": {"image": LONG}}
    data = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": arguments}).encode()
    message: object = mcp.decode_message(data, sender="client")
    assert isinstance(message, Request)
    assert isinstance(message.params, mcp.CallToolRequestParams)
    assert json.loads(encode(message)) == json.loads(data)
