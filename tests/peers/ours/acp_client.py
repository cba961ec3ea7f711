"""An ACP client on `wiretypes`.

Usage: `python -m peers.ours.acp_client VERSION... [--cancels-requests] AGENT_COMMAND...`, where VERSION is `1` or `2`;
it offers all that are given.
"""

import asyncio
import sys

from wiretypes import RpcError, acp
from wiretypes.acp import v1, v2
from wiretypes.stdio import connect

from peers.sessions import FILE_TEXT, note

CANCELS = "--cancels-requests"


class ClientV1(v1.ClientHandler):
    """Notes what the agent asks and tells, and allows everything."""

    info = v1.Implementation(name="ours", version="1")

    def __init__(self) -> None:
        self.waiting = asyncio.Event()

    async def session_request_permission(self, params: v1.RequestPermissionRequest) -> v1.RequestPermissionResponse:
        note("permission asked", params.tool_call.title)
        if params.tool_call.title == "withdrawn":
            await asyncio.Event().wait()
        allowed = next(option.option_id for option in params.options if option.kind == "allow_once")
        return v1.RequestPermissionResponse(outcome=v1.SelectedRequestPermissionOutcome(option_id=allowed))

    async def fs_read_text_file(self, params: v1.ReadTextFileRequest) -> v1.ReadTextFileResponse:
        note("file read", params.path)
        return v1.ReadTextFileResponse(content=FILE_TEXT)

    async def session_update(self, params: v1.SessionNotification) -> None:
        update = params.update
        if isinstance(update, v1.AgentMessageChunkSessionUpdate):
            assert isinstance(update.content, v1.TextContentBlock)
            note("message", update.content.text)
            if update.content.text == "waiting":
                self.waiting.set()
        elif isinstance(update, v1.ToolCallSessionUpdate | v1.ToolCallUpdateSessionUpdate):
            note("tool call", update.status, *(text_of(item) for item in update.content or []))

    async def session(self, *, cancels_requests: bool) -> None:
        """What the client asks for in the script."""
        session = (await self.peer.session_new(v1.NewSessionRequest(cwd="/w", mcp_servers=[]))).session_id
        note("session opened")
        for text in ("count", "edit", "wait", "fail", *(["withdraw"] if cancels_requests else [])):
            prompt = v1.PromptRequest(session_id=session, prompt=[v1.TextContentBlock(text=text)])
            turn = asyncio.ensure_future(self.peer.session_prompt(prompt))
            if text == "wait":
                await self.waiting.wait()
                await self.peer.session_cancel(v1.CancelNotification(session_id=session))
            try:
                note("stopped", (await turn).stop_reason)
            except RpcError as error:
                note("error", error.code)
        await extensions(self.peer, cancels_requests=cancels_requests)


class ClientV2(v2.ClientHandler):
    """Notes what the agent asks and tells, and allows everything."""

    info = v2.Implementation(name="ours", version="1")
    features = ("elicitation.form",)

    def __init__(self) -> None:
        self.waiting = asyncio.Event()
        self.idle = asyncio.Event()

    async def session_request_permission(self, params: v2.RequestPermissionRequest) -> v2.RequestPermissionResponse:
        note("permission asked", params.title)
        if params.title == "withdrawn":
            await asyncio.Event().wait()
        allowed = next(option.option_id for option in params.options if option.kind == "allow_once")
        return v2.RequestPermissionResponse(outcome=v2.SelectedRequestPermissionOutcome(option_id=allowed))

    async def elicitation_create(self, params: v2.CreateElicitationRequest) -> v2.CreateElicitationResponse:
        assert isinstance(params, v2.SessionFormCreateElicitationRequest)
        note("form asked", params.message, list(params.requested_schema.properties))
        return v2.AcceptCreateElicitationResponse(content={"name": "Ann"})

    async def session_update(self, params: v2.UpdateSessionNotification) -> None:
        update = params.update
        if isinstance(update, v2.AgentMessageChunkSessionUpdate):
            assert isinstance(update.content, v2.TextContentBlock)
            note("message", update.content.text)
            if update.content.text == "waiting":
                self.waiting.set()
        elif isinstance(update, v2.ToolCallUpdateSessionUpdate):
            note("tool call", update.status, *(text_of(item) for item in update.content or []))
        elif isinstance(update, v2.RunningStateUpdateSessionUpdate | v2.RequiresActionStateUpdateSessionUpdate):
            note("state", update.state)
        elif isinstance(update, v2.EndTurnIdleStateUpdateSessionUpdate | v2.CancelledIdleStateUpdateSessionUpdate):
            note("state", update.state, update.stop_reason)
            self.idle.set()

    async def session(self, *, cancels_requests: bool) -> None:
        """What the client asks for in the script."""
        session = (await self.peer.session_new(v2.NewSessionRequest(cwd="/w"))).session_id
        note("session opened")
        for text in ("count", "edit", "wait", "fail", "withdraw"):
            try:
                await self.prompt(session, text)
            except RpcError as error:
                note("error", error.code)
        await extensions(self.peer, cancels_requests=cancels_requests)
        await self.peer.session_close(v2.CloseSessionRequest(session_id=session))
        note("session closed")

    async def prompt(self, session: str, text: str) -> None:
        self.idle.clear()
        await self.peer.session_prompt(v2.PromptRequest(session_id=session, prompt=[v2.TextContentBlock(text=text)]))
        if text == "wait":
            await self.waiting.wait()
            await self.peer.session_cancel(v2.CancelSessionNotification(session_id=session))
        await self.idle.wait()


def text_of(item: v1.ToolCallContent | v2.ToolCallContent) -> str:
    assert isinstance(item, v1.ContentToolCallContent | v2.ContentToolCallContent)
    assert isinstance(item.content, v1.TextContentBlock | v2.TextContentBlock)
    return item.content.text


async def extensions(peer: v1.AgentCaller | v2.AgentCaller, *, cancels_requests: bool) -> None:
    note("echo", await peer.extension_request("_peers/echo", {"text": "x"}))
    if cancels_requests:
        await hang(peer)
    try:
        await peer.extension_request("_peers/unknown", {})
    except RpcError as error:
        note("error", error.code)


async def hang(peer: v1.AgentCaller | v2.AgentCaller) -> None:
    """Calls a method that runs until it is cancelled, and cancels it."""
    call = asyncio.ensure_future(peer.extension_request("_peers/hang", {}))
    await asyncio.sleep(0.2)
    call.cancel()
    await asyncio.wait([call])
    if call.cancelled():
        note("cancelled")
    note("cancellations", (await peer.extension_request("_peers/cancellations", {}))["count"])


async def main(*arguments: str) -> None:
    offered = [argument for argument in arguments if argument in HANDLERS]
    cancels_requests = CANCELS in arguments
    command = arguments[len(offered) + cancels_requests :]
    handlers = [HANDLERS[version] for version in offered]
    async with connect(acp.ClientConnection, handlers, *command) as connection:
        note("initialized", (await connection.initialize()).protocol_version)
        handler = connection.handler
        assert isinstance(handler, ClientV1 | ClientV2)
        await handler.session(cancels_requests=cancels_requests)
    note("closed")


HANDLERS: dict[str, type[ClientV1 | ClientV2]] = {"1": ClientV1, "2": ClientV2}


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
