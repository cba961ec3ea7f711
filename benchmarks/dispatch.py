"""What it costs to call the other side of a connection: request, handler, answer, typed on both sides.

Both sides run in one process. Ours hand each other bytes; the official packages hand over messages that are parsed
already, so their figures lack JSON text.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib import import_module
from time import process_time
from typing import Any, Final, TypeAlias

from wiretypes import acp, mcp
from wiretypes.acp import v1
from wiretypes.mcp import v2025_11_25

from benchmarks.contenders import OFFICIAL, WIRETYPES
from benchmarks.figures import Figure, Key
from benchmarks.measure import settle

BENCHMARK: Final = "dispatch"
ACP: Final = "session/prompt, ACP v1"
MCP: Final = "tools/call, MCP 2025-11-25"

Call: TypeAlias = Callable[[], Awaitable[object]]

_QUESTION: Final = "Why is the total of an empty cart not zero?"
_ARGUMENTS: Final = {"customer": "C-1815", "status": "open", "limit": 20}


def measure(*, quick: bool) -> list[Figure]:
    """Figures of one call for each protocol and contender."""
    return asyncio.run(_measure(calls=100 if quick else 1000, rounds=3 if quick else 15))


async def _measure(calls: int, rounds: int) -> list[Figure]:
    seconds: dict[Key, list[float]] = {}
    async with AsyncExitStack() as stack:
        opened = {key: await stack.enter_async_context(connection()) for key, connection in _CONNECTIONS.items()}
        settle()
        for number in range(rounds + 1):
            for key, call in opened.items():
                start = process_time()
                for _ in range(calls):
                    await call()
                spent = (process_time() - start) / calls
                if number:  # the first round does not count
                    seconds.setdefault(key, []).append(spent)
    return [Figure(key, "seconds", tuple(values)) for key, values in seconds.items()]


class _Agent(v1.AgentHandler):
    info = v1.Implementation(name="agent", version="1")

    async def session_prompt(self, params: v1.PromptRequest) -> v1.PromptResponse:
        return v1.PromptResponse(stop_reason="end_turn" if params.prompt else "refusal")


class _AcpClient(v1.ClientHandler):
    info = v1.Implementation(name="client", version="1")


@asynccontextmanager
async def _acp() -> AsyncGenerator[Call]:
    async def to_agent(message: bytes) -> None:
        await agent.receive(message)

    async def to_client(message: bytes) -> None:
        await client.receive(message)

    agent = acp.AgentConnection([_Agent], to_client)
    client = acp.ClientConnection([_AcpClient], to_agent)
    await client.initialize()
    peer = client.peer
    assert isinstance(peer, v1.AgentCaller)
    prompt = [v1.TextContentBlock(text=_QUESTION)]
    yield lambda: peer.session_prompt(v1.PromptRequest(session_id="s", prompt=list(prompt)))
    await client.close()
    await agent.close()


class _Server(v2025_11_25.ServerHandler):
    info = v2025_11_25.Implementation(name="server", version="1")

    async def tools_call(self, params: v2025_11_25.CallToolRequestParams) -> v2025_11_25.CallToolResult:
        return v2025_11_25.CallToolResult(content=[v2025_11_25.TextContent(text=f"{params.name}: none")])


class _McpClient(v2025_11_25.ClientHandler):
    info = v2025_11_25.Implementation(name="client", version="1")


@asynccontextmanager
async def _mcp() -> AsyncGenerator[Call]:
    async def to_server(message: bytes) -> None:
        await server.receive(message)

    async def to_client(message: bytes) -> None:
        await client.receive(message)

    server = mcp.ServerConnection([_Server], to_client)
    client = mcp.ClientConnection([_McpClient], to_server)
    await client.initialize()
    peer = client.peer
    assert isinstance(peer, v2025_11_25.ServerCaller)
    yield lambda: peer.tools_call(v2025_11_25.CallToolRequestParams(name="find_orders", arguments=dict(_ARGUMENTS)))
    await client.close()
    await server.close()


class _OfficialAgent:
    async def initialize(self, protocol_version: int, **_: Any) -> Any:
        return import_module("acp.schema").InitializeResponse(protocol_version=protocol_version)

    async def prompt(self, prompt: list[Any], **_: Any) -> Any:
        return import_module("acp.schema").PromptResponse(stop_reason="end_turn" if prompt else "refusal")


@asynccontextmanager
async def _official_acp() -> AsyncGenerator[Call]:
    package = import_module("acp")
    near, far = import_module("acp._transport").memory_transport_pair()
    agent = package.AgentSideConnection(_OfficialAgent(), far)
    client = package.ClientSideConnection(object(), near)
    await client.initialize(protocol_version=1)
    prompt = [import_module("acp.schema").TextContentBlock(type="text", text=_QUESTION)]
    yield lambda: client.prompt(session_id="s", prompt=list(prompt))
    await client.close()
    await agent.close()


@asynccontextmanager
async def _official_mcp() -> AsyncGenerator[Call]:
    package, types = import_module("mcp"), import_module("mcp_types")

    async def call_tool(_: object, params: Any) -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=f"{params.name}: none")])

    async def list_tools(*_: object) -> Any:
        # Its client asks once, for the schema of what the tool returns.
        return types.ListToolsResult(tools=[types.Tool(name="find_orders", input_schema={"type": "object"})])

    server = import_module("mcp.server").Server("server", on_call_tool=call_tool, on_list_tools=list_tools)
    async with package.Client(server, mode="legacy") as client:
        yield lambda: client.call_tool("find_orders", dict(_ARGUMENTS))


_CONNECTIONS: Final[dict[Key, Callable[[], AbstractAsyncContextManager[Call]]]] = {
    Key(BENCHMARK, ACP, WIRETYPES): _acp,
    Key(BENCHMARK, ACP, OFFICIAL): _official_acp,
    Key(BENCHMARK, MCP, WIRETYPES): _mcp,
    Key(BENCHMARK, MCP, OFFICIAL): _official_mcp,
}
