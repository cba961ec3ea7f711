"""An agent and a client of ACP v2 in memory, which the tests of connections share."""

import asyncio
from typing import Any

from wire import Pair, Wire, request
from wiretypes import acp
from wiretypes.acp import v2

INITIALIZE = {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
TEXT = v2.TextContentBlock(text="hello")


class Agent(v2.AgentHandler):
    """Says back what it is told, or what a test overrides."""

    info = v2.Implementation(name="agent", version="1")

    async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        return v2.NewSessionResponse(session_id=params.cwd)

    async def session_prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        return v2.PromptResponse(message_id="m")

    async def say(self, text: str) -> None:
        """Send an update with a text."""
        update = v2.AgentMessageChunkSessionUpdate(message_id="m", content=v2.TextContentBlock(text=text))
        await self.peer.session_update(v2.UpdateSessionNotification(session_id="s", update=update))


class Client(v2.ClientHandler):
    """Notes what it is told."""

    info = v2.Implementation(name="client", version="1")

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def session_update(self, params: v2.UpdateSessionNotification) -> None:
        self.heard.append(text_of(params))


def text_of(params: v2.UpdateSessionNotification) -> str:
    """The text of an update that has one."""
    assert isinstance(params.update, v2.AgentMessageChunkSessionUpdate)
    assert isinstance(params.update.content, v2.TextContentBlock)
    return params.update.content.text


async def connected(agent: Any = Agent, client: Any = Client, **options: Any) -> Any:
    """Two connections of ours that are open."""
    pair = Pair(
        lambda send: acp.AgentConnection([agent], send, **options),
        lambda send: acp.ClientConnection([client], send, **options),
    )
    await pair.client.initialize()
    return pair


async def opened(agent: Any = Agent, **options: Any) -> Any:
    """An agent's connection that is open, with the test as the client."""
    wire = Wire(lambda send: acp.AgentConnection([agent], send, **options))
    await wire.receive(request("initialize", INITIALIZE, "open"))
    wire.sent.clear()
    return wire


async def opened_client(client: Any = Client, **options: Any) -> Any:
    """A client's connection that is open, with the test as the agent; its calls have the ids from 2 on."""
    wire = Wire(lambda send: acp.ClientConnection([client], send, **options))
    opening = asyncio.ensure_future(wire.connection.initialize())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    answer = {"protocolVersion": 2, "info": {"name": "a", "version": "1"}, "capabilities": {"session": {}}}
    await wire.receive({"jsonrpc": "2.0", "id": 1, "result": answer})
    await opening
    wire.sent.clear()
    return wire


def new_session(cwd: str = "/w") -> v2.NewSessionRequest:
    return v2.NewSessionRequest(cwd=cwd)


def prompt(text: str = "hello") -> v2.PromptRequest:
    return v2.PromptRequest(session_id="s", prompt=[v2.TextContentBlock(text=text)])


def update(text: str) -> dict[str, Any]:
    """The params of an update with a text, as JSON."""
    content = {"type": "text", "text": text}
    return {
        "sessionId": "s",
        "update": {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": content},
    }
