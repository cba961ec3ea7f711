"""An MCP client on `wiretypes`.

Usage: `python -m peers.ours.mcp_client MODE SERVER_COMMAND...`, where MODE is `open` (discover, then fall back to
initialize), `discover` (2026-07-28 only) or an older version, the only one that it offers.
"""

import asyncio
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import wiretypes
from wiretypes import RpcError, mcp
from wiretypes.mcp import v2025_11_25, v2026_07_28
from wiretypes.stdio import connect

from peers.sessions import GREETING_URI, ROOT, note

if TYPE_CHECKING:
    from wiretypes.mcp.connections import ClientHandlerClass


class HandshakeClient(v2025_11_25.ClientHandler):
    """Notes what the server asks for, and answers it."""

    also = ("2025-06-18", "2025-03-26", "2024-11-05")
    info = v2025_11_25.Implementation(name="ours", version="1")
    features = ("elicitation.form",)

    async def elicitation_create(self, params: v2025_11_25.ElicitRequestParams) -> v2025_11_25.ElicitResult:
        assert isinstance(params, v2025_11_25.ElicitRequestFormParams)
        note("form asked", params.message, list(params.requested_schema.properties))
        return v2025_11_25.ElicitResult(action="accept", content={"name": "Ann"})

    async def roots_list(self, params: v2025_11_25.RequestParams) -> v2025_11_25.ListRootsResult:
        note("roots asked")
        return v2025_11_25.ListRootsResult(roots=[v2025_11_25.Root(uri=ROOT)])


class ModernClient(v2026_07_28.ClientHandler):
    """Notes what the server asks for, and answers it."""

    info = v2026_07_28.Implementation(name="ours", version="1")
    features = ("elicitation.form",)

    async def elicitation_create(self, params: v2026_07_28.ElicitRequestParams) -> v2026_07_28.ElicitResult:
        assert isinstance(params, v2026_07_28.ElicitRequestFormParams)
        note("form asked", params.message, list(params.requested_schema.properties))
        return v2026_07_28.ElicitResult(action="accept", content={"name": "Ann"})

    async def roots_list(self, params: v2026_07_28.ListRootsRequestParams) -> v2026_07_28.ListRootsResult:
        note("roots asked")
        return v2026_07_28.ListRootsResult(roots=[v2026_07_28.Root(uri=ROOT)])


def client_of(version: str) -> "ClientHandlerClass":
    """A client of one handshake version, which answers with parsed JSON."""
    module: Any = wiretypes.load("mcp", version)

    async def elicit(_: object, params: Any) -> dict[str, object]:
        note("form asked", params.message, list(params.requested_schema.properties))
        return {"action": "accept", "content": {"name": "Ann"}}

    async def roots(_: object, params: object) -> dict[str, object]:
        del params
        note("roots asked")
        return {"roots": [{"uri": ROOT}]}

    content: dict[str, object] = {"info": module.Implementation(name="ours", version="1"), "roots_list": roots}
    if hasattr(module.ClientHandler, "elicitation_create"):
        content["elicitation_create"] = elicit
    made: ClientHandlerClass = type("Client", (module.ClientHandler,), content)
    return made


async def progress(params: Any) -> None:
    note("progress", params.progress, params.total, params.message)


class Session:
    """What the client asks for in the script, in whichever version was settled."""

    def __init__(self, connection: mcp.ClientConnection) -> None:
        self.version = connection.negotiated.version
        self.methods = wiretypes.load("mcp", self.version).METHODS
        self.peer: Any = connection.peer

    async def run(self) -> None:
        note("opened", self.version)
        note("tools", sorted(tool.name for tool in (await self.peer.tools_list()).tools))
        await self.call("add", a=2, b=3)
        await self.call("count", to=3)
        if ("elicitation/create", "server") in self.methods or self.version == v2026_07_28.VERSION:
            await self.call("ask")
        await self.call("roots")
        read = await self.peer.resources_read(self.params("resources/read", uri=GREETING_URI))
        note("resource", read.contents[0].text)
        # Params may be parsed JSON, too.
        prompt = await self.peer.request("prompts/get", {"name": "greet", "arguments": {"who": "Ann"}})
        note("prompt", prompt.messages[0].content.text)
        await self.cancel()
        await self.call("cancellations")
        try:
            await self.peer.extension_request("peers/unknown", {})
        except RpcError as error:
            note("error", error.code)

    def params(self, method: str, **fields: object) -> Any:
        return self.methods[method, "client"].params(**fields)

    async def call(self, name: str, **arguments: object) -> None:
        params = self.params("tools/call", name=name, arguments=arguments)
        result = await self.peer.tools_call(params, on_progress=progress)
        note("result", name, result.content[0].text)

    async def cancel(self) -> None:
        """Calls a tool that runs until it is cancelled, and cancels it at its first progress."""
        reported = asyncio.Event()

        async def report(params: object) -> None:
            await progress(params)
            reported.set()

        call = asyncio.ensure_future(self.peer.tools_call(self.params("tools/call", name="wait"), on_progress=report))
        await reported.wait()
        call.cancel()
        await asyncio.wait([call])
        if call.cancelled():
            note("cancelled")


async def main(mode: str, *command: str) -> None:
    handlers: dict[str, Sequence[ClientHandlerClass]] = {
        "open": [HandshakeClient, ModernClient],
        "discover": [ModernClient],
    }
    async with connect(mcp.ClientConnection, handlers.get(mode) or [client_of(mode)], *command) as connection:
        if mode == "open":
            await connection.open()
        elif mode == "discover":
            await connection.discover()
        else:
            await connection.initialize()
        await Session(connection).run()
    note("closed")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
