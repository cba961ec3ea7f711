"""An ACP v1 agent on `agent-client-protocol`."""

import asyncio
from typing import Any, cast

import acp
from acp import schema

from peers.sessions import FILE, NOT_FOUND

OPTIONS = [
    schema.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
    schema.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
]


class Agent:
    """Answers the prompts of the script."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: schema.ClientCapabilities | None = None,
        client_info: schema.Implementation | None = None,
        **_kwargs: object,
    ) -> schema.InitializeResponse:
        del protocol_version, client_capabilities, client_info
        return schema.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION, agent_info=schema.Implementation(name="official", version="1")
        )

    async def new_session(self, cwd: str, *_args: object, **_kwargs: object) -> schema.NewSessionResponse:
        del cwd
        return schema.NewSessionResponse(session_id="s1")

    async def prompt(self, session_id: str, prompt: list[Any], **_kwargs: object) -> schema.PromptResponse:
        text = prompt[0].text
        if text == "count":
            for number in ("one", "two", "three"):
                await self._say(session_id, number)
        elif text == "edit":
            await self._edit(session_id)
        elif text == "wait":
            await self._say(session_id, "waiting")
            await self.cancelled.wait()
            return schema.PromptResponse(stop_reason="cancelled")
        else:
            raise acp.RequestError(NOT_FOUND, f"no such prompt: {text}")
        return schema.PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_kwargs: object) -> None:
        del session_id
        self.cancelled.set()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method != "peers/echo":
            raise acp.RequestError.method_not_found(f"_{method}")
        return params

    async def _say(self, session_id: str, text: str) -> None:
        await self.client.session_update(session_id, acp.update_agent_message_text(text))

    async def _edit(self, session_id: str) -> None:
        await self.client.session_update(session_id, acp.start_tool_call("c1", "edit", status="pending"))
        call = schema.ToolCallUpdate(tool_call_id="c1", title="edit")
        answer = await self.client.request_permission(session_id=session_id, tool_call=call, options=OPTIONS)
        assert isinstance(answer.outcome, schema.AllowedOutcome)
        assert answer.outcome.option_id == "yes"
        file = await self.client.read_text_file(session_id=session_id, path=FILE)
        content = [acp.tool_content(acp.text_block(file.content))]
        await self.client.session_update(session_id, acp.update_tool_call("c1", status="completed", content=content))


if __name__ == "__main__":
    asyncio.run(acp.run_agent(cast("acp.Agent", Agent())))
