"""What both type checkers have to refuse: each line says which finding it gives; one that gives none is a finding."""

from wiretypes import acp, decode, mcp, present
from wiretypes.acp import v2
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
