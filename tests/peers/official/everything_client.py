"""An MCP client on `mcp` for the reference server.

Usage: `python -m peers.official.everything_client SERVER_COMMAND...`.
"""

import sys
from typing import Any

import anyio
import mcp
import mcp_types as types
from mcp.client.client import Client
from pydantic import FileUrl

from peers.official.mcp_client import Unknown
from peers.sessions import ELICITATION_TOOL, EVERYTHING_RESOURCE, LONG_TOOL, ROOT, SAMPLING_TOOL, note


async def _elicit(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    del context
    assert isinstance(params, types.ElicitRequestFormParams)
    note("form asked", params.message, len(params.requested_schema["properties"]))
    return types.ElicitResult(action="accept", content={"name": "Ann", "integer": 7})


async def _sample(context: object, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    del context
    content = params.messages[0].content
    assert isinstance(content, types.TextContent)
    note("sampling asked", content.text)
    return types.CreateMessageResult(role="assistant", content=types.TextContent(text="sampled"), model="m")


async def _roots(context: object) -> types.ListRootsResult:
    del context
    return types.ListRootsResult(roots=[types.Root(uri=FileUrl(ROOT))])


async def _progress(progress: float, total: float | None, message: str | None) -> None:
    del message
    note("progress", progress, total)


async def main(*arguments: str) -> None:
    command, *rest = arguments
    parameters = mcp.StdioServerParameters(command=command, args=rest)
    answers: dict[str, Any] = {
        "elicitation_callback": _elicit,
        "sampling_callback": _sample,
        "list_roots_callback": _roots,
    }
    async with Client(parameters, **answers) as client:
        note("opened", client.protocol_version)
        await _call(client, "echo", message="hi")
        await _call(client, LONG_TOOL, duration=0.3, steps=3)
        await _call(client, ELICITATION_TOOL)
        await _call(client, SAMPLING_TOOL, prompt="hi", maxTokens=10)
        note("resource", (await client.read_resource(EVERYTHING_RESOURCE)).contents[0].uri)
        prompt = (await client.get_prompt("args-prompt", {"city": "Ulm"})).messages[0].content
        assert isinstance(prompt, types.TextContent)
        note("prompt", prompt.text)
        argument = {"name": "resourceType", "value": "T"}
        completed = await client.complete(types.PromptReference(name="resource-prompt"), argument)
        note("completion", completed.completion.values)
        await _cancel(client)
        await _call(client, "echo", message="still here")
        try:
            await client.session.send_request(Unknown(), types.EmptyResult)
        except mcp.MCPError as error:
            note("error", error.code)
    note("closed")


async def _call(client: Client, name: str, **arguments: object) -> None:
    result = await client.call_tool(name, arguments, progress_callback=_progress)
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    note("result", name, content.text.split("\n")[0])


async def _cancel(client: Client) -> None:
    async with anyio.create_task_group() as group:

        async def cancel(progress: float, total: float | None, message: str | None) -> None:
            await _progress(progress, total, message)
            group.cancel_scope.cancel()

        await client.call_tool(LONG_TOOL, {"duration": 60, "steps": 600}, progress_callback=cancel)
    note("cancelled")


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
