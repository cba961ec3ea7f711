"""An MCP client on `wiretypes` for the reference server.

Usage: `python -m peers.ours.everything_client SERVER_COMMAND...`.
"""

import asyncio
import sys

from wiretypes import RpcError, mcp
from wiretypes.mcp import v2025_11_25, v2026_07_28
from wiretypes.stdio import connect

from peers.sessions import ELICITATION_TOOL, EVERYTHING_RESOURCE, LONG_TOOL, ROOT, SAMPLING_TOOL, note

Progress = v2025_11_25.ProgressNotificationParams


class Client(v2025_11_25.ClientHandler):
    """Notes what the server asks for, and answers it."""

    info = v2025_11_25.Implementation(name="ours", version="1")
    features = ("elicitation.form",)

    async def elicitation_create(self, params: v2025_11_25.ElicitRequestParams) -> v2025_11_25.ElicitResult:
        assert isinstance(params, v2025_11_25.ElicitRequestFormParams)
        note("form asked", params.message, len(params.requested_schema.properties))
        return v2025_11_25.ElicitResult(action="accept", content={"name": "Ann", "integer": 7})

    async def sampling_create_message(
        self, params: v2025_11_25.CreateMessageRequestParams
    ) -> v2025_11_25.CreateMessageResult:
        content = params.messages[0].content
        assert isinstance(content, v2025_11_25.TextContent)
        note("sampling asked", content.text)
        return v2025_11_25.CreateMessageResult(
            role="assistant", content=v2025_11_25.TextContent(text="sampled"), model="m"
        )

    async def roots_list(self, params: v2025_11_25.RequestParams) -> v2025_11_25.ListRootsResult:
        return v2025_11_25.ListRootsResult(roots=[v2025_11_25.Root(uri=ROOT)])

    async def session(self) -> None:
        """What the client asks for in the script."""
        await self.call("echo", message="hi")
        await self.call(LONG_TOOL, duration=0.3, steps=3)
        await self.call(ELICITATION_TOOL)
        await self.call(SAMPLING_TOOL, prompt="hi", maxTokens=10)
        resource = v2025_11_25.ReadResourceRequestParams(uri=EVERYTHING_RESOURCE)
        note("resource", (await self.peer.resources_read(resource)).contents[0].uri)
        weather = v2025_11_25.GetPromptRequestParams(name="args-prompt", arguments={"city": "Ulm"})
        prompt = (await self.peer.prompts_get(weather)).messages[0].content
        assert isinstance(prompt, v2025_11_25.TextContent)
        note("prompt", prompt.text)
        note("completion", (await self.peer.completion_complete(COMPLETION)).completion.values)
        await self.cancel()
        await self.call("echo", message="still here")
        try:
            await self.peer.extension_request("peers/unknown", {})
        except RpcError as error:
            note("error", error.code)

    async def call(self, name: str, **arguments: object) -> None:
        params = v2025_11_25.CallToolRequestParams(name=name, arguments=arguments)
        result = await self.peer.tools_call(params, on_progress=progress)
        assert isinstance(result, v2025_11_25.CallToolResult)
        content = result.content[0]
        assert isinstance(content, v2025_11_25.TextContent)
        note("result", name, content.text.split("\n")[0])

    async def cancel(self) -> None:
        """Starts a long operation and cancels it at its first progress."""
        reported = asyncio.Event()

        async def report(params: Progress) -> None:
            await progress(params)
            reported.set()

        params = v2025_11_25.CallToolRequestParams(name=LONG_TOOL, arguments={"duration": 60, "steps": 600})
        call = asyncio.ensure_future(self.peer.tools_call(params, on_progress=report))
        await reported.wait()
        call.cancel()
        await asyncio.wait([call])
        if call.cancelled():
            note("cancelled")


class ModernClient(v2026_07_28.ClientHandler):
    """Offered to a server that has no use for it."""

    info = v2026_07_28.Implementation(name="ours", version="1")


COMPLETION = v2025_11_25.CompleteRequestParams(
    ref=v2025_11_25.PromptReference(name="resource-prompt"),
    argument=v2025_11_25.CompleteRequestParamsArgument(name="resourceType", value="T"),
)


async def progress(params: Progress) -> None:
    note("progress", params.progress, params.total)


async def main(*command: str) -> None:
    async with connect(mcp.ClientConnection, [Client, ModernClient], *command) as connection:
        await connection.open()
        note("opened", connection.negotiated.version)
        assert isinstance(connection.handler, Client)
        await connection.handler.session()
    note("closed")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
