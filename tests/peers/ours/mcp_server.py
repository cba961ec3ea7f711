"""An MCP server on `wiretypes`, of every version or, with the argument `handshake`, of those that initialize opens."""

import asyncio
import sys
from typing import Any

from wiretypes import RpcError, mcp
from wiretypes.jsonrpc import INVALID_PARAMS
from wiretypes.mcp import v2025_11_25, v2026_07_28
from wiretypes.stdio import serve

from peers.sessions import GREETING_URI, TOOLS

QUESTION = "What is your name?"
NUMBER: dict[str, Any] = {"type": "number"}
PARAMETERS: dict[str, dict[str, Any]] = {"add": {"a": NUMBER, "b": NUMBER}, "count": {"to": NUMBER}}
"""The parameters of the tools that have some."""


class HandshakeServer(v2025_11_25.ServerHandler):
    """The server as a client meets it that opens with `initialize`."""

    also = ("2025-06-18", "2025-03-26", "2024-11-05")
    info = v2025_11_25.Implementation(name="ours", version="1")

    def __init__(self) -> None:
        self.cancellations = 0

    async def tools_list(self, params: v2025_11_25.PaginatedRequestParams) -> v2025_11_25.ListToolsResult:
        return v2025_11_25.ListToolsResult(tools=[self.tool(name) for name in TOOLS])

    async def tools_call(self, params: v2025_11_25.CallToolRequestParams) -> v2025_11_25.CallToolResult:
        arguments = params.arguments or {}
        if params.name == "add":
            return self.text(str(arguments["a"] + arguments["b"]))
        if params.name == "count":
            for step in range(1, arguments["to"] + 1):
                await self.progress(step, arguments["to"], f"step {step}")
            return self.text(f"counted to {arguments['to']}")
        if params.name == "ask":
            return self.text(f"hello {await self.ask()}")
        if params.name == "roots":
            found = await self.peer.roots_list(v2025_11_25.RequestParams())
            return self.text(found.roots[0].uri)
        if params.name == "wait":
            return await self.wait()
        if params.name == "cancellations":
            return self.text(str(self.cancellations))
        raise RpcError(INVALID_PARAMS, f"no such tool: {params.name}")

    async def resources_list(self, params: v2025_11_25.PaginatedRequestParams) -> v2025_11_25.ListResourcesResult:
        greeting = v2025_11_25.Resource(name="greeting", uri=GREETING_URI)
        return v2025_11_25.ListResourcesResult(resources=[greeting])

    async def resources_read(self, params: v2025_11_25.ReadResourceRequestParams) -> v2025_11_25.ReadResourceResult:
        return v2025_11_25.ReadResourceResult(contents=[v2025_11_25.TextResourceContents(uri=params.uri, text="hello")])

    async def prompts_get(self, params: v2025_11_25.GetPromptRequestParams) -> v2025_11_25.GetPromptResult:
        content = v2025_11_25.TextContent(text=f"Greet {(params.arguments or {})['who']}")
        return v2025_11_25.GetPromptResult(messages=[v2025_11_25.PromptMessage(role="user", content=content)])

    def tool(self, name: str) -> v2025_11_25.Tool:
        return v2025_11_25.Tool(
            name=name, input_schema=v2025_11_25.ToolInputSchema(properties=PARAMETERS.get(name, {}))
        )

    def text(self, text: str) -> v2025_11_25.CallToolResult:
        return v2025_11_25.CallToolResult(content=[v2025_11_25.TextContent(text=text)])

    async def ask(self) -> object:
        schema = v2025_11_25.ElicitRequestFormParamsRequestedSchema(
            properties={"name": v2025_11_25.StringSchema()}, required=["name"]
        )
        form = v2025_11_25.ElicitRequestFormParams(message=QUESTION, requested_schema=schema)
        answer = await self.peer.elicitation_create(form)
        assert isinstance(answer, v2025_11_25.ElicitResult)
        return (answer.content or {})["name"]

    async def progress(self, done: int, total: int, message: str) -> None:
        token = self.request.get().progress_token
        if token is not None:
            await self.peer.notifications_progress(
                v2025_11_25.ProgressNotificationParams(
                    progress_token=token, progress=done, total=total, message=message
                )
            )

    async def wait(self) -> v2025_11_25.CallToolResult:
        try:
            await self.progress(1, 1, "waiting")
            await asyncio.Event().wait()
        finally:
            self.cancellations += 1
        return self.text("")


class ModernServer(v2026_07_28.ServerHandler):
    """The server as a client meets it that names the version with each request."""

    info = v2026_07_28.Implementation(name="ours", version="1")

    def __init__(self) -> None:
        self.cancellations = 0

    async def tools_list(self, params: v2026_07_28.PaginatedRequestParams) -> v2026_07_28.ListToolsResult:
        tools = [self.tool(name) for name in TOOLS]
        return v2026_07_28.ListToolsResult(tools=tools, cache_scope="private", ttl_ms=0)

    async def tools_call(
        self, params: v2026_07_28.CallToolRequestParams
    ) -> v2026_07_28.CallToolResult | v2026_07_28.InputRequiredResult:
        arguments = params.arguments or {}
        answers = params.input_responses or {}
        if params.name == "add":
            return self.text(str(arguments["a"] + arguments["b"]))
        if params.name == "count":
            for step in range(1, arguments["to"] + 1):
                await self.progress(step, arguments["to"], f"step {step}")
            return self.text(f"counted to {arguments['to']}")
        if params.name == "ask":
            return self.greet(answers["person"]) if "person" in answers else self.ask()
        if params.name == "roots":
            return self.first_root(answers["roots"]) if "roots" in answers else self.ask_for_roots()
        if params.name == "wait":
            return await self.wait()
        if params.name == "cancellations":
            return self.text(str(self.cancellations))
        raise RpcError(INVALID_PARAMS, f"no such tool: {params.name}")

    async def resources_list(self, params: v2026_07_28.PaginatedRequestParams) -> v2026_07_28.ListResourcesResult:
        greeting = v2026_07_28.Resource(name="greeting", uri=GREETING_URI)
        return v2026_07_28.ListResourcesResult(resources=[greeting], cache_scope="private", ttl_ms=0)

    async def resources_read(self, params: v2026_07_28.ReadResourceRequestParams) -> v2026_07_28.ReadResourceResult:
        content = v2026_07_28.TextResourceContents(uri=params.uri, text="hello")
        return v2026_07_28.ReadResourceResult(contents=[content], cache_scope="private", ttl_ms=0)

    async def prompts_get(self, params: v2026_07_28.GetPromptRequestParams) -> v2026_07_28.GetPromptResult:
        content = v2026_07_28.TextContent(text=f"Greet {(params.arguments or {})['who']}")
        return v2026_07_28.GetPromptResult(messages=[v2026_07_28.PromptMessage(role="user", content=content)])

    def tool(self, name: str) -> v2026_07_28.Tool:
        schema: dict[str, Any] = {"type": "object", "properties": PARAMETERS.get(name, {})}
        return v2026_07_28.Tool(name=name, input_schema=v2026_07_28.ToolInputSchema(**schema))

    def text(self, text: str) -> v2026_07_28.CallToolResult:
        return v2026_07_28.CallToolResult(content=[v2026_07_28.TextContent(text=text)])

    def ask(self) -> v2026_07_28.InputRequiredResult:
        schema = v2026_07_28.ElicitRequestFormParamsRequestedSchema(
            properties={"name": v2026_07_28.StringSchema()}, required=["name"]
        )
        form = v2026_07_28.ElicitRequestFormParams(message=QUESTION, requested_schema=schema)
        return v2026_07_28.InputRequiredResult(input_requests={"person": v2026_07_28.ElicitRequest(params=form)})

    def greet(self, answer: v2026_07_28.InputResponse) -> v2026_07_28.CallToolResult:
        assert isinstance(answer, v2026_07_28.ElicitResult)
        return self.text(f"hello {(answer.content or {})['name']}")

    def ask_for_roots(self) -> v2026_07_28.InputRequiredResult:
        return v2026_07_28.InputRequiredResult(input_requests={"roots": v2026_07_28.ListRootsRequest()})

    def first_root(self, answer: v2026_07_28.InputResponse) -> v2026_07_28.CallToolResult:
        assert isinstance(answer, v2026_07_28.ListRootsResult)
        return self.text(answer.roots[0].uri)

    async def progress(self, done: int, total: int, message: str) -> None:
        token = self.request.get().progress_token
        if token is not None:
            await self.peer.notifications_progress(
                v2026_07_28.ProgressNotificationParams(
                    progress_token=token, progress=done, total=total, message=message
                )
            )

    async def wait(self) -> v2026_07_28.CallToolResult:
        try:
            await self.progress(1, 1, "waiting")
            await asyncio.Event().wait()
        finally:
            self.cancellations += 1
        return self.text("")


if __name__ == "__main__":
    handlers = [HandshakeServer] if sys.argv[1:] == ["handshake"] else [HandshakeServer, ModernServer]
    asyncio.run(serve(mcp.ServerConnection, handlers))
