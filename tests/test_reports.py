"""Situations from public bug reports: what decode and encode make of each.

Each test has an input of its own, and the input of the handed report where that is present.
"""

import json
from typing import Any

import pytest
import wiretypes
from fidelity.json_values import JSON, same
from fidelity.shared import SHARED
from pydantic import ValidationError


def report(number: str, own: object) -> pytest.MarkDecorator:
    """Parametrises a test by its own input and by the input of a report."""
    files = sorted((SHARED / "reports").glob(f"{number}-*.json"))
    handed = [pytest.param(json.loads(file.read_text(encoding="utf-8"))["input"], id=file.stem) for file in files]
    if not handed:
        absent = pytest.mark.skip(reason="../shared/reports is absent")
        handed = [pytest.param(None, marks=absent, id=f"report-{number}")]
    return pytest.mark.parametrize("given", [pytest.param(own, id="own"), *handed])


def decoded(protocol: str, version: str, definition: str, value: JSON) -> Any:
    """A value as a definition of a version reads it, from JSON text."""
    return wiretypes.decode(wiretypes.load(protocol, version).TYPES[definition], json.dumps(value).encode())


def kept(protocol: str, version: str, definition: str, value: JSON) -> bool:
    """Whether decode and encode give the same JSON back."""
    return same(json.loads(wiretypes.encode(decoded(protocol, version, definition, value))), value)


@report("05", {"params": {"sessionId": "s", "update": {"sessionUpdate": "later", "size": 1, "used": 2}}})
def test_an_unknown_session_update_is_an_error_in_v1_and_the_open_member_in_v2(given: dict[str, Any]) -> None:
    params = given["params"]
    with pytest.raises(ValidationError):
        decoded("acp", "v1", "SessionNotification", params)
    notification = decoded("acp", "v2", "UpdateSessionNotification", params)
    assert type(notification.update).__name__ == "OtherSessionUpdate"
    assert notification.update.session_update == params["update"]["sessionUpdate"]
    rest = {name: value for name, value in params["update"].items() if name != "sessionUpdate"}
    assert notification.update.model_extra == rest
    assert kept("acp", "v2", "UpdateSessionNotification", params)


@report("07", {"params": {"cwd": "/", "mcpServers": [{"type": "stdio", "name": "n", "command": "/c"}]}})
def test_a_stdio_server_without_args_is_an_error_in_v1_only(given: dict[str, Any]) -> None:
    params = given["params"]
    with pytest.raises(ValidationError):
        decoded("acp", "v1", "NewSessionRequest", params)
    assert kept("acp", "v2", "NewSessionRequest", params)


def test_empty_arrays_that_a_message_requires_are_written() -> None:
    server = wiretypes.load("acp", "v1").TYPES["McpServerStdio"]
    written: JSON = {"name": "n", "command": "/c", "args": [], "env": []}
    assert same(json.loads(wiretypes.encode(server(name="n", command="/c", args=[], env=[]))), written)
    with pytest.raises(ValidationError):
        server(name="n", command="/c", args=[], env={"A": "1"})


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", "2026-07-28"])
@report("20", {"result": {"action": "accept", "content": {"a": 4.5, "b": "x", "c": True, "d": 2}}})
def test_elicitation_answers_hold_any_number(version: str, given: dict[str, Any]) -> None:
    assert kept("mcp", version, "ElicitResult", given["result"])


def test_json_values_hold_numbers_and_null() -> None:
    assert kept("mcp", "2026-07-28", "JSONValue", [4.5, None, {"a": None, "b": 0.1}])


@report(
    "22",
    {
        "result": {
            **{"protocolVersion": "2025-06-18", "capabilities": {}},
            "serverInfo": {"name": "s", "version": "1", "icons": [{"src": "i", "sizes": ["1x1"]}]},
        }
    },
)
def test_a_newer_member_in_an_older_session_is_kept_and_not_looked_into(given: dict[str, Any]) -> None:
    result = given["result"]
    server = decoded("mcp", "2025-06-18", "InitializeResult", result).server_info
    assert server.model_extra == {"icons": result["serverInfo"]["icons"]}
    assert kept("mcp", "2025-06-18", "InitializeResult", result)
    result["serverInfo"]["icons"][0]["sizes"] = "24x24"
    assert kept("mcp", "2025-06-18", "InitializeResult", result)
    with pytest.raises(ValidationError):
        decoded("mcp", "2025-11-25", "InitializeResult", result)


CHOICES = {
    "instances": [
        {"type": "boolean", "default": True},
        {"type": "number", "maximum": 5},
        {"type": "string", "enum": ["x"]},
        {"type": "string", "oneOf": [{"const": "x", "title": "X"}]},
        {"type": "array", "items": {"type": "string", "enum": ["x"]}},
        {"type": "array", "items": {"anyOf": [{"const": "x", "title": "X"}]}},
        {"type": "string", "enum": ["x"], "enumNames": ["X"]},
        {"type": "string", "minLength": 1},
    ],
    "expected_class": [
        "BooleanSchema",
        "NumberSchema",
        "UntitledSingleSelectEnumSchema",
        "TitledSingleSelectEnumSchema",
        "UntitledMultiSelectEnumSchema",
        "TitledMultiSelectEnumSchema",
        "LegacyTitledEnumSchema",
        "StringSchema",
    ],
}


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@report("24", CHOICES)
def test_a_schema_of_choices_is_no_plain_string(version: str, given: dict[str, Any]) -> None:
    definition = "PrimitiveSchemaDefinition"
    classes = [type(decoded("mcp", version, definition, instance)).__name__ for instance in given["instances"]]
    assert classes == given["expected_class"]
    assert all(kept("mcp", version, definition, instance) for instance in given["instances"])


@report("25", {"request": {"jsonrpc": "2.0", "id": "1", "method": "ping"}})
@pytest.mark.parametrize("definition", ["JSONRPCRequest", "PingRequest"])
def test_ids_keep_their_type(definition: str, given: dict[str, Any]) -> None:
    request: dict[str, Any] = given["request"]
    assert decoded("mcp", "2025-11-25", definition, request).id == "1"
    for number in ("1", "", 1, 0, -1, 2**63 + 1):
        assert kept("mcp", "2025-11-25", definition, {**request, "id": number})
    refusals: list[JSON] = [None, 1.5, True, []]
    for refused in refusals:
        with pytest.raises(ValidationError):
            decoded("mcp", "2025-11-25", definition, {**request, "id": refused})


def test_an_id_is_null_in_acp_v1_only() -> None:
    assert decoded("acp", "v1", "RequestId", None) is None
    assert kept("acp", "v1", "RequestId", "1")
    assert kept("acp", "v1", "RequestId", 1)
    with pytest.raises(ValidationError):
        decoded("acp", "v2", "RequestId", None)
