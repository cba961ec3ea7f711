"""Older versions that a newer class serves: what they allow is handed over, whatever the newer one thinks of it."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, cast

import pytest
from fidelity.instances import FULL, MINIMAL, Maker
from fidelity.json_values import JSON
from fidelity.oracle import oracle
from fidelity.schema_methods import schema_methods
from pydantic import ValidationError
from pydantic_core import MISSING
from wire import Json, Wire, idle, in_loop, notification, request, result
from wiretypes import Method, decode, encode, load, mcp
from wiretypes.mcp import v2025_11_25, v2026_07_28
from wiretypes.model import Model, wire_name
from wiretypes.served_versions import AnyHandler
from wiretypes.translation import newer

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
PAIRS = [(old, new) for new in (*HANDSHAKE, "2026-07-28") for old in HANDSHAKE if old < new]
PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
INFO: Json = {"name": "c", "version": "1"}

# --- every message -----------------------------------------------------------------------------------------------


class Translated(NamedTuple):
    """A value that an older version has, at a pointer of its schema, and its types there and in a newer one."""

    pointer: str
    old: Any
    new: Any
    value: JSON

    def names(self, meta: Json) -> "Iterator[tuple[tuple[str | int, ...], str]]":
        """The fields that the newer version has and the older has not, with the keys to the object they are of."""
        yield from _names(decode(self.old, self.value), newer(self.new, decode(self.old, self.value), meta), ())


def fields(value: object) -> dict[str, str]:
    """The fields of a model by their names on the wire."""
    model_fields = type(value).model_fields if isinstance(value, Model) else {}
    return {str(field.validation_alias or wire_name(name)): name for name, field in model_fields.items()}


def _names(old: object, new: object, keys: tuple[str | int, ...]) -> "Iterator[tuple[tuple[str | int, ...], str]]":
    if isinstance(new, list) and isinstance(old, list):
        pairs = zip(cast("list[object]", old), cast("list[object]", new), strict=True)
        for index, (older, item) in enumerate(pairs):
            yield from _names(older, item, (*keys, index))
    elif isinstance(new, Model):
        known = fields(old)
        for wire, name in fields(new).items():
            if wire not in known:
                yield keys, wire
            elif (inside := vars(old).get(known[wire], MISSING)) is not MISSING:
                yield from _names(inside, vars(new).get(name), (*keys, wire))


def translated(old: str, new: str) -> Iterator[Translated]:
    """Everything that a class of the newer version is handed when it serves the older one."""
    older, module = load("mcp", old), load("mcp", new)
    own: dict[tuple[str, str], Method] = dict(module.METHODS)
    for name in ("ServerHandler", "ClientHandler"):
        handler: type[AnyHandler] = getattr(module, name)
        own.update(handler.role.embedded)
    judge = oracle("mcp", old)
    maker, described = Maker(judge), schema_methods(judge)
    for key, method in older.METHODS.items():
        if key not in own or method.name == "initialize":
            continue
        parts = (
            (described[key].params, method.params, own[key].params),
            (described[key].result, method.result, own[key].result),
        )
        for pointer, old_type, new_type in parts:
            if pointer is not None and old_type is not None and new_type is not None:
                for recipe in (MINIMAL, FULL):
                    yield Translated(pointer, old_type, new_type, maker.make(pointer, recipe, method.name).value)


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_what_an_older_version_does_not_define_may_be_anything(old: str, new: str) -> None:
    judge = oracle("mcp", old)
    meta: Json = {PROTOCOL_VERSION: old, CAPABILITIES: {}, CLIENT_INFO: INFO}
    count = 0
    for case in translated(old, new):
        try:
            names = list(case.names(meta))
        except ValidationError:
            # `requestId` of `notifications/cancelled` is required in 2026-07-28 alone.
            assert (case.value, new) == ({}, "2026-07-28")
            continue
        for keys, name in names:
            for odd in (7, "x", None, [1], {"a": 1}):
                value = json.loads(json.dumps(case.value))
                at = value
                for key in keys:
                    at = at[key]
                at[name] = odd
                if judge.accepts(case.pointer, value):
                    newer(case.new, decode(case.old, value), meta)
                    count += 1
    assert count > 10


def test_what_it_defines_has_to_fit() -> None:
    data = {"content": [{"type": "text", "text": "x", "annotations": {"priority": 1, "lastModified": 3}}]}
    old = decode(load("mcp", "2024-11-05").TYPES["CallToolResult"], data)
    found = newer(v2026_07_28.CallToolResult, old, {})
    assert json.loads(encode(found))["content"] == [{"type": "text", "text": "x", "annotations": {"priority": 1}}]
    with pytest.raises(ValidationError):
        newer(v2026_07_28.CancelledNotificationParams, old, {})


def test_what_is_left_out_is_told_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    tools = [{"name": "t", "inputSchema": {"type": "object"}, "icons": 7}] * 1000
    old = decode(load("mcp", "2024-11-05").TYPES["ListToolsResult"], {"tools": tools})
    assert len(newer(v2025_11_25.ListToolsResult, old, {}).tools) == 1000
    (record,) = caplog.records
    assert record.getMessage().endswith(": " + ", ".join(f"/tools/{i}/icons" for i in range(5)) + " and 995 more")


# --- requests and notifications --------------------------------------------------------------------------------------


class Server(v2026_07_28.ServerHandler):
    info = v2026_07_28.Implementation(name="server", version="1")
    also = HANDSHAKE

    def __init__(self) -> None:
        self.heard: list[object] = []

    async def tools_list(self, params: v2026_07_28.PaginatedRequestParams) -> v2026_07_28.ListToolsResult:
        self.heard.append(json.loads(encode(params)))
        return v2026_07_28.ListToolsResult(tools=[], ttl_ms=0, cache_scope="private")

    async def tools_call(self, params: v2026_07_28.CallToolRequestParams) -> v2026_07_28.CallToolResult:
        self.heard.append(json.loads(encode(params)))
        return v2026_07_28.CallToolResult(content=[])

    async def notifications_cancelled(self, params: v2026_07_28.CancelledNotificationParams) -> None:
        self.heard.append(params.request_id)

    async def extension_notification(self, method: str, params: object) -> None:
        self.heard.append((method, params))


async def opened(
    handler: v2026_07_28.ServerHandler, version: str, capabilities: Json, info: Json
) -> Wire[mcp.ServerConnection]:
    wire = Wire(lambda send: mcp.ServerConnection([handler], send))
    body: Json = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": info}
    assert "result" in await wire.answers(request("initialize", body, "open"))
    return wire


@pytest.mark.parametrize("version", HANDSHAKE)
@pytest.mark.parametrize(
    "meta",
    [
        {PROTOCOL_VERSION: 5},
        {CAPABILITIES: {"sampling": {}}},
        {CLIENT_INFO: 5},
        {CLIENT_INFO: {"name": "another", "version": "2"}},
        {"io.modelcontextprotocol/logLevel": "loud"},
    ],
)
@in_loop
async def test_a_request_says_nothing_of_the_client_where_initialize_did(version: str, meta: Json) -> None:
    handler = Server()
    wire = await opened(handler, version, {"roots": {}}, INFO)
    answer = await wire.answers(request("tools/list", {"_meta": {**meta, "progressToken": "p", "vendor": 1}}))
    assert "result" in answer
    (heard,) = cast("list[Json]", handler.heard)
    assert heard["_meta"] == {
        PROTOCOL_VERSION: version,
        CAPABILITIES: {"roots": {}},
        CLIENT_INFO: INFO,
        "progressToken": "p",
        "vendor": 1,
    }


@in_loop
async def test_meta_that_the_version_does_not_know_may_be_no_object() -> None:
    handler = Server()
    wire = await opened(handler, "2024-11-05", {}, INFO)
    answer = await wire.answers(request("tools/call", {"name": "x", "_meta": 5, "inputResponses": "?"}))
    assert "result" in answer
    expected = {PROTOCOL_VERSION: "2024-11-05", CAPABILITIES: {}, CLIENT_INFO: INFO}
    assert handler.heard == [{"name": "x", "_meta": expected}]


@in_loop
async def test_what_initialize_says_beyond_its_version_does_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    handler = Server()
    capabilities: Json = {"roots": {}, "extensions": 5, "elicitation": {"form": 7}}
    info: Json = {**INFO, "icons": "none", "title": "T"}
    wire = await opened(handler, "2025-06-18", capabilities, info)
    assert "result" in await wire.answers(request("tools/list"))
    (heard,) = cast("list[Json]", handler.heard)
    assert heard["_meta"][CAPABILITIES] == {"roots": {}, "elicitation": {}}
    assert heard["_meta"][CLIENT_INFO] == {**INFO, "title": "T"}
    assert "clientCapabilities/elicitation/form" in caplog.text


@in_loop
async def test_a_notification_that_the_class_cannot_say_comes_as_an_extension() -> None:
    handler = Server()
    wire = await opened(handler, "2025-11-25", {}, INFO)
    await wire.ask(notification("notifications/cancelled", {"reason": "a task"}))
    await wire.ask(notification("notifications/cancelled", {}))
    await wire.ask(notification("notifications/cancelled", {"requestId": 3}))
    # What is no notification at all is none of an extension either.
    await wire.ask(notification("tools/list", {}))
    await wire.ask(notification("notifications/cancelled", {"requestId": []}))
    assert handler.heard == [
        ("notifications/cancelled", {"reason": "a task"}),
        ("notifications/cancelled", {}),
        3,
    ]


# --- results ---------------------------------------------------------------------------------------------------------


class Client(v2026_07_28.ClientHandler):
    info = v2026_07_28.Implementation(name="client", version="1")
    also: ClassVar[tuple[str, ...]] = HANDSHAKE


@pytest.mark.parametrize("type_", ["complete", "input_required", "other", 5])
@in_loop
async def test_a_result_of_an_older_version_is_complete(type_: object, caplog: pytest.LogCaptureFixture) -> None:
    wire = Wire(lambda send: mcp.ClientConnection([Client], send))
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    body: Json = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": INFO}
    await wire.receive(result(body))
    await opening
    peer = cast("v2026_07_28.ServerCaller", wire.connection.peer)
    call = asyncio.ensure_future(peer.tools_call(v2026_07_28.CallToolRequestParams(name="x")))
    await idle()
    meta: Json = {"io.modelcontextprotocol/serverInfo": 5}
    answer: Json = {"content": [{"type": "text", "text": "x"}], "resultType": type_, "_meta": meta}
    with caplog.at_level(logging.WARNING):
        await wire.receive(result(answer, 2))
        found = await call
    assert isinstance(found, v2026_07_28.CallToolResult)
    assert json.loads(encode(found)) == {"content": answer["content"], "resultType": "complete", "_meta": {}}
    assert "/_meta/io.modelcontextprotocol~1serverInfo" in caplog.text
