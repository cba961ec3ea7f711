"""An agent and a client of ACP v2 in memory, which the tests of connections share."""

import asyncio
from typing import Generic, TypeAlias, TypeVar, Unpack, cast, overload

from wire import Json, Options, Pair, Wire, request
from wiretypes import acp
from wiretypes.acp import v2
from wiretypes.outbox import Send

A = TypeVar("A", bound=v2.AgentHandler)
C = TypeVar("C", bound=v2.ClientHandler)
A_co = TypeVar("A_co", bound=v2.AgentHandler, covariant=True)
C_co = TypeVar("C_co", bound=v2.ClientHandler, covariant=True)

INITIALIZE: Json = {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
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


class AgentConnection(acp.AgentConnection, Generic[A_co]):
    """An agent's connection with one handler, of which its other types follow."""

    def __init__(self, handler: A_co | type[A_co], send: Send, **options: Unpack[Options]) -> None:
        super().__init__([handler], send, **options)

    @property
    def handler(self) -> A_co:
        return cast("A_co", super().handler)

    @property
    def peer(self) -> v2.ClientCaller:
        return cast("v2.ClientCaller", super().peer)


class ClientConnection(acp.ClientConnection, Generic[C_co]):
    """A client's connection with one handler, of which its other types follow."""

    def __init__(self, handler: C_co | type[C_co], send: Send, **options: Unpack[Options]) -> None:
        super().__init__([handler], send, **options)

    @property
    def handler(self) -> C_co:
        return cast("C_co", super().handler)

    @property
    def peer(self) -> v2.AgentCaller:
        return cast("v2.AgentCaller", super().peer)


AcpPair: TypeAlias = Pair[AgentConnection[A], ClientConnection[C]]


@overload
async def connected(**options: Unpack[Options]) -> AcpPair[Agent, Client]: ...
@overload
async def connected(agent: A | type[A], **options: Unpack[Options]) -> AcpPair[A, Client]: ...
@overload
async def connected(agent: A | type[A], client: C | type[C], **options: Unpack[Options]) -> AcpPair[A, C]: ...
async def connected(
    agent: v2.AgentHandler | type[v2.AgentHandler] = Agent,
    client: v2.ClientHandler | type[v2.ClientHandler] = Client,
    **options: Unpack[Options],
) -> AcpPair[v2.AgentHandler, v2.ClientHandler]:
    """Two connections of ours that are open."""
    pair = Pair(
        lambda send: AgentConnection(agent, send, **options),
        lambda send: ClientConnection(client, send, **options),
    )
    await pair.client.initialize()
    return pair


@overload
async def opened(**options: Unpack[Options]) -> Wire[AgentConnection[Agent]]: ...
@overload
async def opened(agent: A | type[A], **options: Unpack[Options]) -> Wire[AgentConnection[A]]: ...
async def opened(
    agent: v2.AgentHandler | type[v2.AgentHandler] = Agent, **options: Unpack[Options]
) -> Wire[AgentConnection[v2.AgentHandler]]:
    """An agent's connection that is open, with the test as the client."""
    wire = Wire(lambda send: AgentConnection(agent, send, **options))
    await wire.receive(request("initialize", INITIALIZE, "open"))
    wire.sent.clear()
    return wire


@overload
async def opened_client(**options: Unpack[Options]) -> Wire[ClientConnection[Client]]: ...
@overload
async def opened_client(client: C | type[C], **options: Unpack[Options]) -> Wire[ClientConnection[C]]: ...
async def opened_client(
    client: v2.ClientHandler | type[v2.ClientHandler] = Client, **options: Unpack[Options]
) -> Wire[ClientConnection[v2.ClientHandler]]:
    """A client's connection that is open, with the test as the agent; its calls have the ids from 2 on."""
    wire = Wire(lambda send: ClientConnection(client, send, **options))
    opening = asyncio.ensure_future(wire.connection.initialize())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    answer: Json = {"protocolVersion": 2, "info": {"name": "a", "version": "1"}, "capabilities": {"session": {}}}
    await wire.receive({"jsonrpc": "2.0", "id": 1, "result": answer})
    await opening
    wire.sent.clear()
    return wire


def new_session(cwd: str = "/w") -> v2.NewSessionRequest:
    return v2.NewSessionRequest(cwd=cwd)


def prompt(text: str = "hello") -> v2.PromptRequest:
    return v2.PromptRequest(session_id="s", prompt=[v2.TextContentBlock(text=text)])


def update(text: str) -> Json:
    """The params of an update with a text, as JSON."""
    content = {"type": "text", "text": text}
    return {
        "sessionId": "s",
        "update": {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": content},
    }
