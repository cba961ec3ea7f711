"""JSON-RPC messages as values: what they are written as, and the error codes."""

import dataclasses
import json
import math
from typing import Any

import pytest
from fidelity.json_values import JSON
from fidelity.oracle import oracle
from pydantic import BaseModel
from wiretypes import encode, jsonrpc
from wiretypes.acp import v2
from wiretypes.jsonrpc import UNSET, Error, ErrorResponse, Message, MessageError, Notification, Request, Result

WRITTEN: list[tuple[Message, dict[str, Any]]] = [
    (Request(1, "ping"), {"id": 1, "method": "ping"}),
    (Request("a", "x/y", {"b": [None, 1.5]}), {"id": "a", "method": "x/y", "params": {"b": [None, 1.5]}}),
    (Request(None, "x", None), {"id": None, "method": "x", "params": None}),
    (Request(1, "x", UNSET, extra={"z": 1}), {"id": 1, "method": "x", "z": 1}),
    (
        Request(1, "session/cancel", v2.CancelSessionNotification(session_id="s")),
        {"id": 1, "method": "session/cancel", "params": {"sessionId": "s"}},
    ),
    (Notification("x"), {"method": "x"}),
    (Notification("x", {}), {"method": "x", "params": {}}),
    (Result(1, None), {"id": 1, "result": None}),
    (Result(1, v2.CloseSessionResponse()), {"id": 1, "result": {}}),
    (ErrorResponse(Error(-1, "m"), 1), {"id": 1, "error": {"code": -1, "message": "m"}}),
    (ErrorResponse(Error(-1, "m", None), None), {"id": None, "error": {"code": -1, "message": "m", "data": None}}),
    (ErrorResponse(Error(-1, "m", [1], extra={"e": 2})), {"error": {"code": -1, "message": "m", "data": [1], "e": 2}}),
]


@pytest.mark.parametrize(("message", "members"), WRITTEN)
def test_messages_are_written_with_their_version_and_what_they_hold(message: Message, members: dict[str, Any]) -> None:
    assert json.loads(encode(message)) == {"jsonrpc": "2.0", **members}


def test_several_messages_are_written_as_a_batch() -> None:
    written = json.loads(encode([message for message, _ in WRITTEN]))
    assert written == [{"jsonrpc": "2.0", **members} for _, members in WRITTEN]


def test_a_number_that_json_cannot_say_is_an_error() -> None:
    for number in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match=r"invalid number|expected value"):
            encode(Request(1, "x", {"a": [number]}))


def test_messages_do_not_change() -> None:
    for message, _ in WRITTEN:
        with pytest.raises(dataclasses.FrozenInstanceError):
            message.extra = {}  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def test_messages_compare_by_what_they_hold() -> None:
    for one, members in WRITTEN:
        assert [other for other, _ in WRITTEN if other == one] == [one], members


def test_a_message_is_narrowed_by_match() -> None:
    message: Message = Request(1, "session/cancel", v2.CancelSessionNotification(session_id="s"))
    match message:
        case Request(id, "session/cancel", v2.CancelSessionNotification(session_id=session)):
            assert (id, session) == (1, "s")
        case _:
            pytest.fail("did not match")
    assert isinstance(message.params, BaseModel)


# --- error codes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["v1", "v1-unstable", "v2", "v2-unstable"])
def test_error_codes_are_those_of_the_acp_schema(version: str) -> None:
    named = {code["title"]: code["const"] for code in oracle("acp", version).definitions["ErrorCode"]["anyOf"][:-1]}
    assert named == {title: getattr(jsonrpc, title.upper().replace(" ", "_")) for title in named}


MCP_ERRORS = {
    "HeaderMismatchError": jsonrpc.HEADER_MISMATCH,
    "InternalError": jsonrpc.INTERNAL_ERROR,
    "InvalidParamsError": jsonrpc.INVALID_PARAMS,
    "InvalidRequestError": jsonrpc.INVALID_REQUEST,
    "MethodNotFoundError": jsonrpc.METHOD_NOT_FOUND,
    "MissingRequiredClientCapabilityError": jsonrpc.MISSING_REQUIRED_CLIENT_CAPABILITY,
    "ParseError": jsonrpc.PARSE_ERROR,
    "URLElicitationRequiredError": jsonrpc.URL_ELICITATION_REQUIRED,
    "UnsupportedProtocolVersionError": jsonrpc.UNSUPPORTED_PROTOCOL_VERSION,
}


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_error_codes_are_those_of_the_mcp_schema(version: str) -> None:
    judge = oracle("mcp", version)
    defined = {name for name in judge.definitions if name.endswith("Error")} - {"Error"}
    assert defined <= MCP_ERRORS.keys()
    data: JSON = {"requested": "a", "supported": [], "requiredCapabilities": {}, "elicitations": []}
    for name in defined:
        for code in (MCP_ERRORS[name], -1):
            error: JSON = {"code": code, "message": "m", "data": data}
            response: JSON = {"jsonrpc": "2.0", "id": 1, "error": error}
            accepted = judge.accepts(name, error) or judge.accepts(name, response)
            assert accepted == (code == MCP_ERRORS[name])


# --- what is no message ----------------------------------------------------------------------------------------------


def test_a_message_error_says_what_is_wrong_where_and_in_what() -> None:
    error = MessageError(jsonrpc.INVALID_PARAMS, "/params/a", "Field required", id=3, kind="request")
    assert isinstance(error, ValueError)
    assert (error.code, error.pointer, error.id, error.kind) == (-32602, "/params/a", 3, "request")
    assert str(error) == "/params/a: Field required"
    error = MessageError(jsonrpc.PARSE_ERROR, "", "EOF")
    assert (error.pointer, error.id, error.kind, str(error)) == ("", None, None, "message: EOF")


def test_a_message_error_is_one_short_line_of_a_log() -> None:
    error = MessageError(jsonrpc.INVALID_PARAMS, "/params/a\n\x1b[2J\u2028", "b\rc" + 5000 * "d")
    assert str(error).isprintable()
    assert len(str(error)) < 1100
    assert error.pointer == "/params/a\n\x1b[2J\u2028"


def test_extra_members_change_nothing_else() -> None:
    taken = {"jsonrpc": "1.0", "id": 9, "method": "n", "params": 1, "result": 2, "error": 3, "x": 4}
    request = Request(1, "m", {"a": 1}, extra=taken)
    assert json.loads(encode(request)) == {**taken, "jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": 1}}
    assert "id" not in json.loads(encode(Notification("m", extra=taken)))
    assert json.loads(encode(Result(1, 5, extra=taken))) == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": 5,
        "params": 1,
        "x": 4,
    }
    response = json.loads(encode(ErrorResponse(Error(1, "e", extra={"code": 2}), extra=taken)))
    assert response == {"jsonrpc": "2.0", "error": {"code": 1, "message": "e"}, "params": 1, "x": 4}
