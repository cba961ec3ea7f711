"""An ACP agent that says back what it is told, to clients of version 1 and of version 2."""

import asyncio
from uuid import uuid4

from wiretypes import stdio
from wiretypes.acp import AgentConnection, v1, v2


class EchoV1(v1.AgentHandler):
    info = v1.Implementation(name="echo", version="1.0")

    async def session_new(self, params: v1.NewSessionRequest) -> v1.NewSessionResponse:
        return v1.NewSessionResponse(session_id=uuid4().hex)

    async def session_prompt(self, params: v1.PromptRequest) -> v1.PromptResponse:
        for block in params.prompt:
            chunk = v1.AgentMessageChunkSessionUpdate(content=block)
            await self.peer.session_update(v1.SessionNotification(session_id=params.session_id, update=chunk))
        return v1.PromptResponse(stop_reason="end_turn")


class EchoV2(v2.AgentHandler):
    info = v2.Implementation(name="echo", version="1.0")

    async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        return v2.NewSessionResponse(session_id=uuid4().hex)

    async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        self.turn = asyncio.create_task(self.say_back(params))
        return v2.PromptResponse(message_id=uuid4().hex)

    async def say_back(self, prompt: v2.PromptRequest) -> None:
        message = uuid4().hex
        chunks = [v2.AgentMessageChunkSessionUpdate(message_id=message, content=block) for block in prompt.prompt]
        updates: list[v2.SessionUpdate] = [v2.RunningStateUpdateSessionUpdate(), *chunks]
        updates.append(v2.EndTurnIdleStateUpdateSessionUpdate())
        for update in updates:
            await self.peer.session_update(v2.UpdateSessionNotification(session_id=prompt.session_id, update=update))


if __name__ == "__main__":
    asyncio.run(stdio.serve(AgentConnection, [EchoV1, EchoV2]))
