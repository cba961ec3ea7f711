"""An ACP agent of v1 and v2 on `wiretypes`."""

import asyncio

from wiretypes import RpcError, acp
from wiretypes.acp import v1, v2
from wiretypes.stdio import serve

from peers.sessions import FILE, METHOD_NOT_FOUND, NOT_FOUND

PROMPTS = ("count", "edit", "wait", "withdraw")


class Extensions:
    """The methods of the peers' own, which are the same in both versions."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()
        self.cancellations = 0

    async def extension_request(self, method: str, params: object) -> object:
        if method == "_peers/echo":
            return params
        if method == "_peers/hang":
            await self.hang()
        if method == "_peers/cancellations":
            return {"count": self.cancellations}
        raise RpcError(METHOD_NOT_FOUND, "no such method")

    async def hang(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.cancellations += 1


def text_of(block: v1.ContentBlock | v2.ContentBlock) -> str:
    assert isinstance(block, v1.TextContentBlock | v2.TextContentBlock)
    return block.text


class AgentV1(Extensions, v1.AgentHandler):
    """Answers the prompts of the script."""

    info = v1.Implementation(name="ours", version="1")

    async def session_new(self, params: v1.NewSessionRequest) -> v1.NewSessionResponse:
        return v1.NewSessionResponse(session_id="s1")

    async def session_prompt(self, params: v1.PromptRequest) -> v1.PromptResponse:
        session, text = params.session_id, text_of(params.prompt[0])
        if text not in PROMPTS:
            raise RpcError(NOT_FOUND, f"no such prompt: {text}")
        if text == "count":
            for number in ("one", "two", "three"):
                await self.say(session, number)
        elif text == "edit":
            await self.edit(session)
        elif text == "wait":
            await self.say(session, "waiting")
            await self.cancelled.wait()
            return v1.PromptResponse(stop_reason="cancelled")
        else:
            asked = asyncio.ensure_future(self.ask(session, "withdrawn"))
            await asyncio.sleep(0.1)
            asked.cancel()
            await asyncio.wait([asked])
            await self.say(session, "withdrawn")
        return v1.PromptResponse(stop_reason="end_turn")

    async def session_cancel(self, params: v1.CancelNotification) -> None:
        self.cancelled.set()

    async def edit(self, session: str) -> None:
        start = v1.ToolCallSessionUpdate(tool_call_id="c1", title="edit", status="pending")
        await self.peer.session_update(v1.SessionNotification(session_id=session, update=start))
        answer = await self.ask(session, "edit")
        assert isinstance(answer.outcome, v1.SelectedRequestPermissionOutcome)
        assert answer.outcome.option_id == "yes"
        file = await self.peer.fs_read_text_file(v1.ReadTextFileRequest(session_id=session, path=FILE))
        content = v1.ContentToolCallContent(content=v1.TextContentBlock(text=file.content))
        done = v1.ToolCallUpdateSessionUpdate(tool_call_id="c1", status="completed", content=[content])
        await self.peer.session_update(v1.SessionNotification(session_id=session, update=done))

    async def ask(self, session: str, title: str) -> v1.RequestPermissionResponse:
        options = [
            v1.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
            v1.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
        ]
        call = v1.ToolCallUpdate(tool_call_id="c1", title=title)
        request = v1.RequestPermissionRequest(session_id=session, tool_call=call, options=options)
        return await self.peer.session_request_permission(request)

    async def say(self, session: str, text: str) -> None:
        chunk = v1.AgentMessageChunkSessionUpdate(content=v1.TextContentBlock(text=text))
        await self.peer.session_update(v1.SessionNotification(session_id=session, update=chunk))


class AgentV2(Extensions, v2.AgentHandler):
    """Answers the prompts of the script; a turn goes on after its prompt was answered."""

    info = v2.Implementation(name="ours", version="1")

    def __init__(self) -> None:
        super().__init__()
        self.turns: set[asyncio.Task[None]] = set()

    async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        return v2.NewSessionResponse(session_id="s1")

    async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        text = text_of(params.prompt[0])
        if text not in PROMPTS:
            raise RpcError(NOT_FOUND, f"no such prompt: {text}")
        turn = asyncio.ensure_future(self.turn(params.session_id, text))
        self.turns.add(turn)
        turn.add_done_callback(self.turns.discard)
        return v2.PromptResponse(message_id=f"u-{text}")

    async def session_cancel(self, params: v2.CancelSessionNotification) -> None:
        self.cancelled.set()

    async def session_close(self, params: v2.CloseSessionRequest) -> v2.CloseSessionResponse:
        return v2.CloseSessionResponse()

    async def turn(self, session: str, text: str) -> None:
        idle: v2.SessionUpdate = v2.EndTurnIdleStateUpdateSessionUpdate()
        await self.update(session, v2.RunningStateUpdateSessionUpdate())
        if text == "count":
            for number in ("one", "two", "three"):
                await self.say(session, number)
        elif text == "edit":
            await self.edit(session)
        elif text == "wait":
            await self.say(session, "waiting")
            await self.cancelled.wait()
            idle = v2.CancelledIdleStateUpdateSessionUpdate()
        else:
            asked = asyncio.ensure_future(self.ask(session, "withdrawn"))
            await asyncio.sleep(0.1)
            asked.cancel()
            await asyncio.wait([asked])
            await self.say(session, "withdrawn")
        await self.update(session, idle)

    async def edit(self, session: str) -> None:
        await self.update(session, v2.ToolCallUpdateSessionUpdate(tool_call_id="c1", title="edit", status="pending"))
        await self.update(session, v2.RequiresActionStateUpdateSessionUpdate())
        answer = await self.ask(session, "edit")
        assert isinstance(answer.outcome, v2.SelectedRequestPermissionOutcome)
        assert answer.outcome.option_id == "yes"
        await self.update(session, v2.RunningStateUpdateSessionUpdate())
        form = v2.SessionFormCreateElicitationRequest(
            session_id=session,
            message="What is your name?",
            requested_schema=v2.ElicitationSchema(
                properties={"name": v2.StringElicitationPropertySchema()}, required=["name"]
            ),
        )
        filled = await self.peer.elicitation_create(form)
        assert isinstance(filled, v2.AcceptCreateElicitationResponse)
        assert filled.content is not None
        greeting = v2.TextContentBlock(text=f"hello {filled.content['name']}")
        content = v2.ContentToolCallContent(content=greeting)
        done = v2.ToolCallUpdateSessionUpdate(tool_call_id="c1", status="completed", content=[content])
        await self.update(session, done)

    async def ask(self, session: str, title: str) -> v2.RequestPermissionResponse:
        options = [
            v2.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
            v2.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
        ]
        subject = v2.ToolCallRequestPermissionSubject(tool_call=v2.ToolCallUpdate(tool_call_id="c1"))
        request = v2.RequestPermissionRequest(session_id=session, title=title, subject=subject, options=options)
        return await self.peer.session_request_permission(request)

    async def say(self, session: str, text: str) -> None:
        content = v2.TextContentBlock(text=text)
        await self.update(session, v2.AgentMessageChunkSessionUpdate(message_id="m1", content=content))

    async def update(self, session: str, update: v2.SessionUpdate) -> None:
        await self.peer.session_update(v2.UpdateSessionNotification(session_id=session, update=update))


if __name__ == "__main__":
    asyncio.run(serve(acp.AgentConnection, [AgentV1, AgentV2]))
