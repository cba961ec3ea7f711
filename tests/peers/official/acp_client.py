"""An ACP v1 client on `agent-client-protocol`.

Usage: `python -m peers.official.acp_client [--echo] AGENT_COMMAND...`; with `--echo`, the script of an echoing agent.
"""

import asyncio
import sys
from typing import Any, cast

import acp
from acp import schema
from acp.client.connection import ClientSideConnection

from peers.sessions import FILE_TEXT, note


class Client:
    """Notes what the agent asks and tells, and allows everything."""

    def __init__(self) -> None:
        self.waiting = asyncio.Event()

    def on_connect(self, conn: acp.Agent) -> None:
        del conn

    async def request_permission(
        self,
        session_id: str,
        tool_call: schema.ToolCallUpdate,
        options: list[schema.PermissionOption],
        **_kwargs: object,
    ) -> schema.RequestPermissionResponse:
        del session_id
        note("permission asked", tool_call.title)
        allowed = next(option.option_id for option in options if option.kind == "allow_once")
        return schema.RequestPermissionResponse(outcome=schema.AllowedOutcome(outcome="selected", option_id=allowed))

    async def read_text_file(
        self, session_id: str, path: str, line: int | None = None, limit: int | None = None, **_kwargs: object
    ) -> schema.ReadTextFileResponse:
        del session_id, line, limit
        note("file read", path)
        return schema.ReadTextFileResponse(content=FILE_TEXT)

    async def session_update(self, session_id: str, update: object, **_kwargs: object) -> None:
        del session_id
        if isinstance(update, schema.AgentMessageChunk) and isinstance(update.content, schema.TextContentBlock):
            note("message", update.content.text)
            if update.content.text == "waiting":
                self.waiting.set()
        elif isinstance(update, schema.ToolCallStart | schema.ToolCallProgress):
            note("tool call", update.status, *_texts(update.content or []))


def _texts(content: list[Any]) -> list[str]:
    return [item.content.text for item in content]


async def main(*arguments: str) -> None:
    echoes = arguments[0] == "--echo"
    command = arguments[echoes:]
    client = Client()
    spawned = acp.spawn_agent_process(cast("acp.Client", client), *command, transport_kwargs={"stderr": None})
    async with spawned as (agent, process):
        capabilities = schema.ClientCapabilities(fs=schema.FileSystemCapabilities(read_text_file=True))
        initialized = await agent.initialize(
            protocol_version=1,
            client_capabilities=capabilities,
            client_info=schema.Implementation(name="official", version="1"),
        )
        note("initialized", initialized.protocol_version)
        session = (await agent.new_session(cwd="/w", mcp_servers=[])).session_id
        note("session opened")
        if echoes:
            await _prompt(client, agent, session, "one", "two", "three")
        else:
            for text in ("count", "edit", "wait", "fail"):
                await _prompt(client, agent, session, text)
            note("echo", await agent.ext_method("peers/echo", {"text": "x"}))
        try:
            await agent.ext_method("peers/unknown", {})
        except acp.RequestError as error:
            note("error", error.code)
    if process.returncode == 0:
        note("closed")


async def _prompt(client: Client, agent: ClientSideConnection, session: str, *texts: str) -> None:
    turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=[acp.text_block(text) for text in texts]))
    if texts == ("wait",):
        await client.waiting.wait()
        await agent.cancel(session_id=session)
    try:
        note("stopped", (await turn).stop_reason)
    except acp.RequestError as error:
        note("error", error.code)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
