"""An MCP client on `mcp`.

Usage: `python -m peers.official.mcp_client MODE [--counting] SERVER_COMMAND...`, where MODE is `legacy` (initialize),
`auto` (discover, then fall back to initialize) or a version of 2026 or later, adopted without a question. With
`--counting`, it follows the script of a server that counts.
"""

import sys
from typing import Literal

import anyio
import mcp
import mcp_types as types
from mcp.client.client import Client
from pydantic import FileUrl

from peers.sessions import GREETING_URI, ROOT, note


async def _elicit(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    del context
    assert isinstance(params, types.ElicitRequestFormParams)
    note("form asked", params.message, list(params.requested_schema["properties"]))
    return types.ElicitResult(action="accept", content={"name": "Ann"})


async def _roots(context: object) -> types.ListRootsResult:
    del context
    note("roots asked")
    return types.ListRootsResult(roots=[types.Root(uri=FileUrl(ROOT))])


async def _progress(progress: float, total: float | None, message: str | None) -> None:
    note("progress", progress, total, message)


async def main(*arguments: str) -> None:
    mode, *command = arguments
    counts = command[0] == "--counting"
    program, *rest = command[counts:]
    parameters = mcp.StdioServerParameters(command=program, args=rest)
    client = Client(parameters, mode=mode, elicitation_callback=_elicit, list_roots_callback=_roots, cache=None)
    async with client:
        note("opened", client.protocol_version)
        note("tools", sorted(tool.name for tool in (await client.list_tools()).tools))
        if counts:
            await _call(client, "count", **{"from": 2})
            await _cancel(client, "count", **{"from": 60})
        else:
            await _script(client)
        try:
            await client.session.send_request(Unknown(), types.EmptyResult)
        except mcp.MCPError as error:
            note("error", error.code)
    note("closed")


async def _script(client: Client) -> None:
    await _call(client, "add", a=2, b=3)
    await _call(client, "count", to=3)
    await _call(client, "ask")
    await _call(client, "roots")
    content = (await client.read_resource(GREETING_URI)).contents[0]
    assert isinstance(content, types.TextResourceContents)
    note("resource", content.text)
    prompt = (await client.get_prompt("greet", {"who": "Ann"})).messages[0].content
    assert isinstance(prompt, types.TextContent)
    note("prompt", prompt.text)
    await _cancel(client, "wait")
    await _call(client, "cancellations")


class Unknown(types.Request[None, Literal["peers/unknown"]]):
    """A method that no server has."""

    method: Literal["peers/unknown"] = "peers/unknown"
    params: None = None


async def _call(client: Client, name: str, **arguments: object) -> None:
    result = await client.call_tool(name, arguments, progress_callback=_progress)
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    note("result", name, content.text)


async def _cancel(client: Client, name: str, **arguments: object) -> None:
    async with anyio.create_task_group() as group:

        async def cancel(progress: float, total: float | None, message: str | None) -> None:
            await _progress(progress, total, message)
            group.cancel_scope.cancel()

        await client.call_tool(name, arguments, progress_callback=cancel)
    note("cancelled")


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
