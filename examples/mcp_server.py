"""An MCP server with a tool that counts, for clients of every version, with a handshake or without."""

import asyncio

from wiretypes import RpcError, decode, stdio
from wiretypes.jsonrpc import INVALID_PARAMS
from wiretypes.mcp import ServerConnection
from wiretypes.mcp import v2026_07_28 as mcp

ARGUMENTS = {"type": "object", "properties": {"from": {"type": "integer"}}, "required": ["from"]}
COUNT = decode(mcp.Tool, {"name": "count", "description": "Counts down, a number a second.", "inputSchema": ARGUMENTS})


class Counter(mcp.ServerHandler):
    info = mcp.Implementation(name="counter", version="1.0")
    also = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

    async def tools_list(self, params: mcp.PaginatedRequestParams) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=[COUNT], ttl_ms=60_000, cache_scope="public")

    async def tools_call(self, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        start = (params.arguments or {}).get("from")
        if params.name != COUNT.name or not isinstance(start, int):
            raise RpcError(INVALID_PARAMS, "the only tool is count, from an integer")
        token = self.request.get().progress_token
        for done in range(start):
            if token is not None:
                progress = mcp.ProgressNotificationParams(progress_token=token, progress=done, total=start)
                await self.peer.notifications_progress(progress)
            await asyncio.sleep(1)
        return mcp.CallToolResult(content=[mcp.TextContent(text=f"counted down from {start}")])


if __name__ == "__main__":
    asyncio.run(stdio.serve(ServerConnection, [Counter]))
