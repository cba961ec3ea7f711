"""Documented usage, as both type checkers see it: they find nothing here."""

from collections.abc import Mapping
from typing import Any, Literal, assert_never, assert_type

from pydantic import ValidationError
from wiretypes import VERSIONS, Method, VersionModule, acp, decode, encode, load, mcp, present, problems, stdio
from wiretypes.acp import v1, v2
from wiretypes.mcp import v2025_11_25, v2026_07_28

# --- decode: a class, a union, an alias, a type built of them --------------------------------------------------------

request = decode(v2.InitializeRequest, b'{"protocolVersion": 2, "info": {"name": "n", "version": "1"}}')
assert_type(request, v2.InitializeRequest)
block = decode(v2.ContentBlock, '{"type": "text", "text": "hello"}')
assert_type(
    block,
    v2.TextContentBlock
    | v2.ImageContentBlock
    | v2.AudioContentBlock
    | v2.ResourceLinkContentBlock
    | v2.ResourceContentBlock
    | v2.OtherContentBlock,
)
blocks = decode(list[v2.TextContentBlock], [{"type": "text", "text": "hello"}])
assert_type(blocks, list[v2.TextContentBlock])
assert_type(decode(v2.SessionId, '"a"'), str)
assert_type(decode(v2025_11_25.RequestId, "1"), int | str)

# --- a union is narrowed by isinstance, or by its tag ----------------------------------------------------------------

if isinstance(block, v2.TextContentBlock):
    assert_type(block, v2.TextContentBlock)
    assert_type(block.text, str)
    assert_type(block.type, Literal["text"])
else:
    assert_type(
        block,
        v2.ImageContentBlock
        | v2.AudioContentBlock
        | v2.ResourceLinkContentBlock
        | v2.ResourceContentBlock
        | v2.OtherContentBlock,
    )


def describe(content: v2.ContentBlock) -> str:
    """A match over all members of a union is known to be complete."""
    match content:
        case v2.TextContentBlock(text=text):
            return text
        case v2.ImageContentBlock(mime_type=kind) | v2.AudioContentBlock(mime_type=kind):
            return kind
        case v2.ResourceLinkContentBlock(uri=uri):
            return uri
        case v2.ResourceContentBlock() | v2.OtherContentBlock():
            return content.type
        case _:
            assert_never(content)


# --- fields: required, optional, nullable, with a default ------------------------------------------------------------

assert_type(request.protocol_version, int)
assert_type(request.info, v2.Implementation)
assert_type(request.info.title, str | None)
assert_type(request.meta, dict[str, Any] | None)
assert_type(request.capabilities, v2.ClientCapabilities)
request.info.title = None
request.info.title = "a title"
del request.info.title
result = v2025_11_25.CallToolResult(content=[])
assert_type(result.is_error, bool | None)
assert_type(result.structured_content, dict[str, Any] | None)
assert_type(result.model_extra, dict[str, Any] | None)

# --- constructors: constants are filled in, what is optional may be left out -----------------------------------------

text = v2.TextContentBlock(text="hello")
prompt = v2.PromptRequest(session_id="s", prompt=[text, v2.ResourceLinkContentBlock(name="n", uri="file:///n")])
assert_type(prompt.session_id, str)
tool = v2025_11_25.Tool(
    name="t", input_schema=v2025_11_25.ToolInputSchema(), annotations=v2025_11_25.ToolAnnotations(title="T")
)
listed = v2026_07_28.ListToolsResult(tools=[], cache_scope="private", ttl_ms=0)
assert_type(listed.result_type, str)
elicited = v2025_11_25.ElicitResult(action="accept", content={"n": 1, "s": ["a"], "b": True})

# --- encode, present, problems ---------------------------------------------------------------------------------------

assert_type(encode(prompt), bytes)
assert_type(encode(prompt, v2.PromptRequest), bytes)
assert_type(encode({"a": [1, None]}), bytes)
assert_type(present(request, "meta"), bool)
try:
    decode(v1.PromptRequest, "{}")
except ValidationError as error:
    assert_type(problems(error), list[tuple[str, str]])

# --- versions --------------------------------------------------------------------------------------------------------

assert_type(VERSIONS, Mapping[str, tuple[str, ...]])
module = load("acp", "v2")
assert_type(module, VersionModule)
assert_type(module.PROTOCOL, str)
assert_type(module.VERSION, str)
assert_type(module.PROTOCOL_VERSION, int | str)
assert_type(module.TYPES, Mapping[str, Any])
assert_type(module.METHODS, Mapping[tuple[str, str], Method])
method = module.METHODS["session/prompt", "client"]
assert_type(method.name, str)
assert_type(method.kind, Literal["request", "notification"])
assert_type(method.params, Any)
one_version: VersionModule = v2
other_version: VersionModule = mcp.v2025_11_25
assert_type(acp.v1.PROTOCOL_VERSION, Literal[1])
assert_type(v2.VERSION, Literal["v2"])
any_type = decode(v2.TYPES["ContentBlock"], '{"type": "text", "text": ""}')
assert_type(any_type, Any)

# --- peers and what they may be sent ----------------------------------------------------------------------------------

agent = acp.AgentPeer.from_initialize(b'{"protocolVersion": 1, "agentCapabilities": {"loadSession": true}}')
assert_type(agent, acp.AgentPeer)
assert_type(agent.protocol_version, int)
assert_type(agent.features, frozenset[acp.AgentFeature])
assert_type(agent.supports("session.load"), bool)
assert_type(agent.warnings, tuple[str, ...])
if isinstance(agent.capabilities, v1.AgentCapabilities):
    assert_type(agent.capabilities.load_session, bool)
if agent.info is not None:
    assert_type(agent.info.name, str)
sides = acp.Negotiated(client=acp.ClientPeer.from_initialize(v1.InitializeRequest(protocol_version=1)), agent=agent)
assert_type(sides.allows("session/load", sender="client"), bool)
assert_type(sides.check("session/prompt", {"prompt": []}, sender="client"), tuple[acp.Violation, ...])
assert_type(acp.negotiate(3, [1, 2]), int)
server = mcp.ServerPeer.from_initialize(
    {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "n", "version": "1"}}
)
assert_type(server.protocol_version, str)
assert_type(server.supports("tools.list_changed"), bool)
step: mcp.Step = mcp.first_step(["2025-11-25", "2026-07-28"])


class Editor(v2.ClientHandler):
    info = v2.Implementation(name="editor", version="1")
    features = ("elicitation.form",)

    async def session_update(self, params: v2.UpdateSessionNotification) -> None:
        assert_type(self.peer, v2.AgentCaller)
        assert_type(self.negotiated, acp.Negotiated)
        session = await self.peer.session_new(v2.NewSessionRequest(cwd=params.session_id))
        assert_type(session, v2.NewSessionResponse)


async def use_connections() -> None:
    async with stdio.connect(acp.ClientConnection, [Editor], "agent") as connection:
        assert_type(connection, acp.ClientConnection)
        await connection.initialize()
        if isinstance(connection.peer, v2.AgentCaller):
            listed = await connection.peer.session_list()
            assert_type(listed, v2.ListSessionsResponse)
        assert_type(connection.negotiated, acp.Negotiated)


async def call(peer: v2025_11_25.ServerCaller) -> None:
    async def note(params: v2025_11_25.ProgressNotificationParams) -> None:
        assert_type(params.progress, float)

    tool = v2025_11_25.CallToolRequestParams(name="x")
    found = await peer.tools_call(tool, on_progress=note)
    assert_type(found, v2025_11_25.CallToolResult | v2025_11_25.CreateTaskResult)
