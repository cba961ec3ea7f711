"""What `decode_message` says of ids that are none and of what is no message."""

import json
from pathlib import Path
from typing import Any

import pytest
import wiretypes
from commands import python
from fidelity.json_values import JSON
from message_cases import different_versions, fault, line
from pydantic import ValidationError
from wiretypes import VersionModule, encode, jsonrpc
from wiretypes.acp import v1, v2
from wiretypes.jsonrpc import ErrorResponse, MessageError, Request, Result

# --- ids -------------------------------------------------------------------------------------------------------------

CALL, RESULT = {"method": "x/y"}, {"result": {"resultType": "complete"}}
FAILED = {"error": {"code": 1, "message": "m"}}
MEMBERS: list[dict[str, Any]] = [CALL, RESULT, FAILED]

NULL_IDS = {"v1"}
NULL_ERROR_IDS = {"v1", "v2"}
NO_ERROR_IDS = {"2025-11-25", "2026-07-28"}


@different_versions
@pytest.mark.parametrize("given_id", [0, -1, 2**64, "", "1", "a\n", 1.0, -0.0, 1e20])
def test_ids_are_integers_and_strings(module: VersionModule, given_id: int | str | float) -> None:
    for members in MEMBERS:
        for _ in range(2):
            read = module.decode_message(line(id=given_id, **members), sender="client")
            assert isinstance(read, (Request, Result, ErrorResponse))
            assert read.id == given_id
            assert type(read.id) is (str if isinstance(given_id, str) else int)
            assert json.loads(encode(read))["id"] == given_id


@different_versions
@pytest.mark.parametrize("given_id", [1.5, True, False, [], {}, [1], {"a": 1}])
def test_nothing_else_is_an_id(module: VersionModule, given_id: object) -> None:
    for members in MEMBERS:
        assert fault(module, line(id=given_id, **members)) == (jsonrpc.INVALID_REQUEST, "/id")


@different_versions
def test_null_ids_are_as_the_schema_says(module: VersionModule) -> None:
    for members in (CALL, RESULT):
        if module.VERSION in NULL_IDS:
            assert json.loads(encode(module.decode_message(line(id=None, **members), sender="client")))["id"] is None
        else:
            assert fault(module, line(id=None, **members)) == (jsonrpc.INVALID_REQUEST, "/id")


@different_versions
def test_ids_of_errors_are_as_the_schema_says(module: VersionModule) -> None:
    for text, allowed in ((line(id=None, **FAILED), NULL_ERROR_IDS), (line(**FAILED), NO_ERROR_IDS)):
        if module.VERSION in allowed:
            assert json.loads(encode(module.decode_message(text, sender="client"))) == json.loads(text)
        else:
            assert fault(module, text) == (jsonrpc.INVALID_REQUEST, "/id")
    assert fault(module, line(result={})) == (jsonrpc.INVALID_REQUEST, "/id")


def test_a_request_with_a_null_id_is_no_notification() -> None:
    params = {"protocolVersion": 1}
    read = v1.decode_message(line(id=None, method="initialize", params=params), sender="client")
    assert isinstance(read, Request)
    assert isinstance(read.params, v1.InitializeRequest)


# --- what is no message ----------------------------------------------------------------------------------------------

NOT_JSON = [
    b"",
    b" ",
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping"',
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping"} {}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "p\xff"}',
    b'\xff\xfe{\x00"\x00',
    b"{'jsonrpc': '2.0'}",
    b'{"jsonrpc": "2.0", "method": "\\ud800"}',
    b'{"jsonrpc": "2.0", "method": "x", "params": {"a": NaN}}',
    b'{"jsonrpc": "2.0", "method": "x", "params": {"a": -Infinity}}',
    b'{"jsonrpc": "2.0", "method": "x", "params": {"a": 1e999}}',
    b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": [1e999]}}',
    b'{"jsonrpc": "2.0", "id": 1, "result": {"a": [1e999]}}',
    b'{"jsonrpc": "2.0", "method": "x", "params": {"a": ' + 300 * b"[" + 300 * b"]" + b"}}",
    b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": '
    + 300 * b'{"a":'
    + b"1"
    + 300 * b"}"
    + b"}}",
    300 * b"[",
    300 * b"[" + 300 * b"]",
    b'{"jsonrpc": "2.0", "id": 1' + 5000 * b"0" + b', "method": "x"}',
]


@different_versions
@pytest.mark.parametrize("text", NOT_JSON, ids=range(len(NOT_JSON)))
def test_what_is_no_json_is_a_parse_error(module: VersionModule, text: bytes) -> None:
    for sender in {sender for _, sender in module.METHODS}:
        for data in (text, bytearray(text), text.decode("utf-8", "surrogateescape")):
            for _ in range(2):
                assert fault(module, data, sender) == (jsonrpc.PARSE_ERROR, "")


@pytest.mark.parametrize("value", [{1: 2}, {"a"}, b"", ..., float("nan")], ids=repr)
def test_parsed_data_is_json(value: object) -> None:
    for data in ({"jsonrpc": "2.0", "method": "x", "params": {"a": value}}, value, [value]):
        with pytest.raises(MessageError):
            v2.decode_message(data, sender="client")


FAULTS: list[tuple[JSON, str]] = [
    (None, ""),
    (1, ""),
    ("{}", ""),
    ({"jsonrpc": "2.0"}, ""),
    ({"jsonrpc": "2.0", "id": 1}, ""),
    ({"jsonrpc": "2.0", "id": 1, "params": {}}, ""),
    ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "m"}}, ""),
    ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": None}, ""),
    ({"id": 1, "method": "x"}, "/jsonrpc"),
    ({"jsonrpc": 2.0, "id": 1, "method": "x"}, "/jsonrpc"),
    ({"jsonrpc": "1.0", "id": 1, "method": "x"}, "/jsonrpc"),
    ({"jsonrpc": None, "method": "x"}, "/jsonrpc"),
    ({"jsonrpc": "2.0 ", "id": 1, "result": {}}, "/jsonrpc"),
    ({"jsonrpc": "2.0", "id": 1, "method": None}, "/method"),
    ({"jsonrpc": "2.0", "id": 1, "method": ["x"]}, "/method"),
    ({"jsonrpc": "2.0", "method": 1}, "/method"),
    ({"jsonrpc": "2.0", "id": 1, "error": None}, "/error"),
    ({"jsonrpc": "2.0", "id": 1, "error": "m"}, "/error"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"message": "m"}}, "/error/code"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": "m"}}, "/error/code"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1.5, "message": "m"}}, "/error/code"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}, "/error/message"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": None}}, "/error/message"),
]


@different_versions
@pytest.mark.parametrize(("message", "pointer"), FAULTS)
def test_what_is_no_message_is_an_invalid_request(module: VersionModule, message: JSON, pointer: str) -> None:
    for data in (json.dumps(message).encode(), json.dumps(message), *([] if isinstance(message, str) else [message])):
        assert fault(module, data) == (jsonrpc.INVALID_REQUEST, pointer)


def test_an_error_knows_the_id_and_what_the_message_was_meant_to_be() -> None:
    def told(data: object) -> tuple[object, ...]:
        with pytest.raises(MessageError) as caught:
            v2.decode_message(data, sender="client")
        return caught.value.id, caught.value.kind, caught.value.code

    assert told(b"{") == (None, None, jsonrpc.PARSE_ERROR)
    assert told(b"[]") == (None, None, jsonrpc.INVALID_REQUEST)
    assert told({"id": 1.0, "method": "x"}) == (1, "request", jsonrpc.INVALID_REQUEST)
    assert told({"method": "x"}) == (None, "notification", jsonrpc.INVALID_REQUEST)
    assert told({"id": "a"}) == ("a", "response", jsonrpc.INVALID_REQUEST)
    assert told({"id": True, "method": "x"}) == (None, "request", jsonrpc.INVALID_REQUEST)
    assert told(line(id=7, method="session/prompt", params={})) == (7, "request", jsonrpc.INVALID_PARAMS)
    assert told(line(method="session/cancel", params={})) == (None, "notification", jsonrpc.INVALID_PARAMS)


def test_all_problems_of_params_are_told() -> None:
    with pytest.raises(MessageError) as caught:
        v2.decode_message(line(id=7, method="session/prompt", params={"prompt": [{"type": "text"}]}), sender="client")
    cause = caught.value.__cause__
    assert isinstance(cause, ValidationError)
    found = dict(wiretypes.problems(cause))
    assert found.keys() == {"/sessionId", "/prompt/0/text"}
    assert str(caught.value) == f"{caught.value.pointer}: {found[caught.value.pointer.removeprefix('/params')]}"


# --- the same whatever came before, and however it comes -------------------------------------------------------------

DROPPED = ("NaN", "-Infinity", "1e999", '{"fs": NaN}')
"""Values that a lenient place drops, and that are no JSON."""


@pytest.mark.parametrize("value", DROPPED)
@pytest.mark.parametrize("size", [0, 3000, 70_000])
def test_a_number_that_is_none_is_refused_where_it_would_be_dropped(value: str, size: int) -> None:
    opening = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":%s}}'
    text = opening % value + " " * size
    for _ in range(2):
        for given in (text, text.encode()):
            assert fault(v1, given)[0] == jsonrpc.PARSE_ERROR
        v1.decode_message(opening % "7", sender="client")  # dropped, and the method is known from here on


@pytest.mark.parametrize("value", ["NaN", '{"a": 1e999}', "[Infinity]"])
def test_it_is_refused_as_an_item_that_would_be_left_out(value: str) -> None:
    result = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"authMethods":[%s]}}'
    for _ in range(2):
        assert fault(v1, result % value, "agent", results={1: "initialize"})[0] == jsonrpc.PARSE_ERROR
        read: Any = v1.decode_message(result % "7", sender="agent", results={1: "initialize"})
        assert read.result.auth_methods == []


@pytest.mark.parametrize("inner", ["[]", "{}", "[1]", '{"a":1}', "1"])
@pytest.mark.parametrize("levels", [195, 196, 197, 198, 199])
def test_the_nesting_limit_is_the_same_in_every_form(inner: str, levels: int) -> None:
    text = '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":%s}}' % ("[" * levels + inner + "]" * levels)
    outcomes: set[object] = set()
    for given in (text, text.encode(), json.loads(text), text + " " * 70_000):
        try:
            v1.decode_message(given, sender="client")
            outcomes.add("taken")
        except MessageError as error:
            outcomes.add(error.code)
    assert len(outcomes) == 1


def test_threads_may_meet_methods_for_the_first_time_together() -> None:
    script = """
import sys, threading
from wiretypes.acp import v1_unstable as version
sys.setswitchinterval(1e-6)
calls = [
    ('{"jsonrpc":"2.0",%s"method":"%s","params":{}}' % ('"id":1,' * (m.kind == "request"), m.name)).encode()
    for m in version.METHODS.values() if m.sender == "client"
]
start, failures = threading.Barrier(4), []
def run(first):
    start.wait()
    for call in calls[first:] + calls[:first]:
        try:
            version.decode_message(call, sender="client")
        except ValueError:
            pass
        except BaseException as error:
            failures.append(error)
threads = [threading.Thread(target=run, args=(5 * n,)) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not failures, failures
"""
    for _ in range(5):
        done = python("-c", script, folder=Path(wiretypes.__file__).parents[1])
        assert not done.returncode, done.stderr


@pytest.mark.parametrize("part", [Result(1, jsonrpc.UNSET), Request(jsonrpc.UNSET, "x"), ErrorResponse(jsonrpc.UNSET)])
def test_what_a_message_has_to_have_cannot_be_left_out(part: object) -> None:
    with pytest.raises(ValueError, match=r"has no (result|id|error)"):
        encode(part)
