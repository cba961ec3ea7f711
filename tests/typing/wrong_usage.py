"""What both type checkers have to refuse: each line says which finding it gives; one that gives none is a finding."""

from wiretypes import acp, decode, mcp, present
from wiretypes.acp import v1, v2
from wiretypes.mcp import v2025_11_25

v2.TextContentBlock()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
v2.TextContentBlock(text=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
v2.TextContentBlock(text="a", colour="red")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
v2.TextContentBlock(text="a", type="image")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
v2.InitializeRequest(protocolVersion=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
v2025_11_25.ElicitResult(action="agree")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
v2025_11_25.SetLevelRequestParams(level="loud")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

block = decode(v2.ContentBlock, "{}")
print(block.text)  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
text = v2.TextContentBlock(text="a")
text.text = None  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
text.colour = "red"  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
wrong: v2.ImageContentBlock = decode(v2.TextContentBlock, "{}")  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
decode("TextContentBlock", "{}")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
present({"a": 1}, "a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

agent = acp.AgentPeer.from_initialize(b"{}", version="v1")
agent.supports("session.loads")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
agent.supports("fs.read_text_file")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
sides = acp.Negotiated.from_initialize(b"{}", b"{}")
sides.allows("session/load", sender="server")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
acp.Negotiated(client=agent, agent=agent)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
mcp.ServerPeer.from_discover({})  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
print(acp.AgentPears)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]


class Agent(v2.AgentHandler):
    info = v1.Implementation(name="a", version="1")  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    features = ("prompt.imag",)  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]

    async def session_new(self, params: v1.NewSessionRequest) -> v2.NewSessionResponse:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError

    async def session_prompt(self, params: v2.PromptRequest) -> v1.PromptResponse:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        await self.peer.session_update(params)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        await self.peer.session_new(params)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        raise NotImplementedError

    def session_cancel(self, params: v2.CancelSessionNotification) -> None:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError


class Server(v2025_11_25.ServerHandler):
    also = "2025-06-18"  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]


async def send(data: bytes) -> None:
    print(data)


acp.AgentConnection([Agent, v2.ClientHandler], send)  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
acp.AgentConnection([Server()], send)  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
mcp.ServerConnection([Server], print)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
mcp.ServerConnection([Server], send, capabilities="strict")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
print(v2.ServerHandler)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
