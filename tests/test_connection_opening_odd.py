"""What opens a connection is read as strictly as what comes when it is open, and a server may change its mind."""

import asyncio
from typing import Any

import pytest
from wire import Json, Wire, code, idle, in_loop, request, result
from wiretypes import InvalidResult, acp, mcp
from wiretypes.acp import v1, v2
from wiretypes.mcp import v2025_11_25, v2026_07_28

INFO: Json = {"name": "x", "version": "1"}


class Server(v2026_07_28.ServerHandler):
    info = v2026_07_28.Implementation(name="server", version="1")
    also = ("2025-11-25", "2024-11-05")


class Client(v2026_07_28.ClientHandler):
    info = v2026_07_28.Implementation(name="client", version="1")
    also = ("2025-11-25", "2024-11-05")


class Older(v2025_11_25.ClientHandler):
    info = v2025_11_25.Implementation(name="client", version="1")


class Agent(v1.AgentHandler):
    info = v1.Implementation(name="agent", version="1")


class Editor(v2.ClientHandler):
    info = v2.Implementation(name="editor", version="1")


def server() -> Wire[mcp.ServerConnection]:
    return Wire(lambda send: mcp.ServerConnection([Server], send))


def client(handler: "type[Client | Older]" = Client) -> Wire[mcp.ClientConnection]:
    return Wire(lambda send: mcp.ClientConnection([handler], send))


def editor() -> Wire[acp.ClientConnection]:
    return Wire(lambda send: acp.ClientConnection([Editor], send))


def body(version: object = "2025-11-25") -> Json:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": INFO}


# --- the answer that opens it ----------------------------------------------------------------------------------------

ACCEPTED: Json = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": INFO}
DISCOVERED: Json = {
    "supportedVersions": ["2026-07-28"],
    "capabilities": {},
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
}
REFUSED: Json = {"code": -32603, "message": "no"}


def answers(accepted: Json) -> list[tuple[Json, str]]:
    """Answers that are no responses, and what is wrong with them."""
    return [
        ({"jsonrpc": "2.0", "result": accepted, "error": REFUSED}, "has both result and error"),
        ({"jsonrpc": "2.0", "result": accepted, "error": None}, "has both result and error"),
        ({"jsonrpc": "2.0"}, "has no result or error"),
        ({"result": accepted}, '/jsonrpc: must be "2.0"'),
        ({"jsonrpc": "1.0", "result": accepted}, '/jsonrpc: must be "2.0"'),
        ({"jsonrpc": 2.0, "error": REFUSED}, '/jsonrpc: must be "2.0"'),
    ]


@pytest.mark.parametrize(("answer", "text"), answers(ACCEPTED))
@in_loop
async def test_what_is_no_response_does_not_initialize(answer: Json, text: str) -> None:
    wire = client()
    await _fails(wire, wire.connection.initialize(), answer, text)
    # A connection that did not open may be opened again.
    opening = asyncio.ensure_future(wire.connection.initialize())
    await idle()
    await wire.receive(result(ACCEPTED, wire.sent[-1]["id"]))
    assert isinstance(await opening, v2025_11_25.InitializeResult)
    await idle()


@pytest.mark.parametrize(("answer", "text"), answers(DISCOVERED))
@in_loop
async def test_what_is_no_response_is_no_discovery(answer: Json, text: str) -> None:
    wire = client()
    await _fails(wire, wire.connection.discover(), answer, text)
    assert [message["method"] for message in wire.sent] == ["server/discover"]


@pytest.mark.parametrize(("answer", "text"), answers({"protocolVersion": 2, "info": INFO, "capabilities": {}}))
@in_loop
async def test_what_is_no_response_does_not_open_a_session_with_an_agent(answer: Json, text: str) -> None:
    wire = editor()
    await _fails(wire, wire.connection.initialize(), answer, text)


async def _fails(wire: Wire[Any], opens: Any, answer: Json, text: str) -> None:
    opening = asyncio.ensure_future(opens)
    await idle()
    await wire.receive({"id": wire.sent[-1]["id"], **answer})
    with pytest.raises(InvalidResult) as caught:
        await opening
    assert str(caught.value).endswith(f"is not valid: {text}")
    assert caught.value.value == answer.get("result")
    assert wire.connection.session is None


# --- requests that come before ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["initialize", "ping", "tools/list", "server/discover"])
@pytest.mark.parametrize("version", ["2025-11-25", "2024-11-05", "2026-07-28", 5])
@in_loop
async def test_null_is_no_id_of_mcp(method: str, version: object) -> None:
    wire = server()
    answer = await wire.answers(request(method, body(version), None))
    assert (code(answer), answer["error"]["data"]) == (-32600, {"pointer": "/id"})
    assert "id" not in answer
    assert (await wire.answers(request("initialize", body())))["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("method", ["ping", "roots/list"])
@in_loop
async def test_null_is_no_id_of_a_server_either(method: str) -> None:
    wire = client(Older)
    answer = await wire.answers(request(method, None, None))
    assert code(answer) == -32600
    assert "id" not in answer


@pytest.mark.parametrize("garbage", [b"{", b"[]", b'{"jsonrpc":"2.0","id":true,"method":"ping"}'])
@in_loop
async def test_a_client_has_no_id_for_garbage(garbage: bytes) -> None:
    answer = await client(Older).answers(garbage)
    assert code(answer) in (-32700, -32600)
    assert "id" not in answer


@in_loop
async def test_null_is_an_id_of_acp_v1() -> None:
    wire = Wire(lambda send: acp.AgentConnection([Agent], send))
    answer = await wire.answers(request("initialize", {"protocolVersion": 1, "clientCapabilities": {}}, None))
    assert (answer["id"], answer["result"]["protocolVersion"]) == (None, 1)


@pytest.mark.parametrize(
    ("message", "refused"),
    [
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 5}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}', -32700),
    ],
)
@in_loop
async def test_a_bad_ping_is_refused_before_and_after(message: object, refused: int) -> None:
    asked = server()
    assert code(await asked.answers(message)) == refused
    assert "result" in await asked.answers(request("initialize", body(), "open"))
    assert code(await asked.answers(message)) == refused
    assert (await asked.answers(request("ping", {"x": 1}, 2)))["result"] == {}
    asking = client()
    assert code(await asking.answers(message)) == refused
    assert (await asking.answers(request("ping", {"x": 1}, 2)))["result"] == {}


# --- a server that discovers what it does not speak ------------------------------------------------------------------


@in_loop
async def test_a_discovery_of_older_versions_alone_leads_to_initialize() -> None:
    wire = client()
    opening = asyncio.ensure_future(wire.connection.open())
    await idle()
    await wire.receive(result({**DISCOVERED, "supportedVersions": ["2024-11-05", "2025-11-25", "2099-01-01"]}))
    await idle()
    assert [message["method"] for message in wire.sent] == ["server/discover", "initialize"]
    assert wire.sent[1]["params"]["protocolVersion"] == "2025-11-25"
    await wire.receive(result(ACCEPTED, 2))
    assert isinstance(await opening, v2025_11_25.InitializeResult)
    await idle()


@in_loop
async def test_a_server_that_leads_in_a_circle_is_given_up() -> None:
    wire = client()
    opening = asyncio.ensure_future(wire.connection.open())
    await idle()
    await wire.receive(result({**DISCOVERED, "supportedVersions": ["2025-11-25"]}))
    await idle()
    data = {"requested": "2025-11-25", "supported": ["2026-07-28"]}
    await wire.receive({"jsonrpc": "2.0", "id": 2, "error": {"code": -32022, "message": "no", "data": data}})
    with pytest.raises(mcp.VersionMismatch, match="refused MCP version 2026-07-28, 2025-11-25"):
        await opening


@in_loop
async def test_a_client_that_only_discovers_gives_up() -> None:
    wire = client()
    opening = asyncio.ensure_future(wire.connection.discover())
    await idle()
    await wire.receive(result({**DISCOVERED, "supportedVersions": ["2025-11-25"]}))
    with pytest.raises(mcp.VersionMismatch) as caught:
        await opening
    assert caught.value.supported == ("2025-11-25",)
