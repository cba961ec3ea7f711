"""The messages that are decoded and encoded: made up, of ordinary size, as they go over the wire."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal


@dataclass(frozen=True, slots=True)
class Message:
    """The params or the result of a method."""

    title: str
    protocol: Literal["acp", "mcp"]
    version: str
    method: str
    part: Literal["params", "result"]
    """What the text is; params without an id belong to a notification."""
    id: int | None
    sender: Literal["agent", "client", "server"]
    definition: str
    """The type's name in the schema of the version."""
    text: bytes

    @property
    def whole(self) -> bytes:
        """The JSON-RPC message that it stands in."""
        head = b'"jsonrpc":"2.0"' if self.id is None else b'"jsonrpc":"2.0","id":%d' % self.id
        if self.part == "result":
            return b'{%b,"result":%b}' % (head, self.text)
        return b'{%b,"method":"%b","params":%b}' % (head, self.method.encode(), self.text)


def _text(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _update(**update: Any) -> bytes:
    return _text({"sessionId": "sess_7f3a", "update": update})


_ACP_INITIALIZE: Final = _text(
    {
        "protocolVersion": 1,
        "clientCapabilities": {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True},
        "clientInfo": {"name": "inkwell", "title": "Inkwell", "version": "4.2.0"},
    }
)
_CHUNK: Final = _update(
    sessionUpdate="agent_message_chunk",
    content={"type": "text", "text": "The parser drops the last line of the file; "},
)
_TOOL_CALL_UPDATE: Final = _update(
    sessionUpdate="tool_call_update",
    toolCallId="call_19",
    status="completed",
    content=[
        {"type": "content", "content": {"type": "text", "text": "2 of 40 tests failed."}},
        {"type": "diff", "path": "/home/ada/shop/cart.py", "oldText": "total = 0\n", "newText": "total = start\n"},
        {"type": "terminal", "terminalId": "term_4"},
    ],
)
_PROMPT: Final = _text(
    {
        "sessionId": "sess_7f3a",
        "prompt": [
            {"type": "text", "text": "Why is the total of an empty cart not zero?"},
            {
                "type": "resource",
                "resource": {"uri": "file:///home/ada/shop/cart.py", "mimeType": "text/x-python", "text": "total = 0"},
            },
            {"type": "resource_link", "uri": "file:///home/ada/shop/tax.py", "name": "tax.py", "size": 2048},
            {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"},
            {"type": "text", "text": "The screenshot shows what customers see."},
        ],
    }
)
_UNKNOWN_UPDATE: Final = _update(
    sessionUpdate="_inkwell/minimap", ranges=[{"from": 1, "to": 40}, {"from": 90, "to": 95}], visible=True
)
_MCP_INITIALIZE: Final = _text(
    {
        "protocolVersion": "2025-11-25",
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
        "clientInfo": {"name": "inkwell", "title": "Inkwell", "version": "4.2.0"},
    }
)
_TOOL_CALL: Final = _text(
    {
        "name": "find_orders",
        "arguments": {"customer": "C-1815", "status": "open", "limit": 20},
        "_meta": {"progressToken": 7},
    }
)
_TOOL: Final = {
    "name": "find_orders",
    "title": "Find orders",
    "description": "Lists the orders of a customer, the latest first.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "customer": {"type": "string", "description": "Number of the customer"},
            "status": {"type": "string", "enum": ["open", "paid", "sent"]},
            "limit": {"type": "integer", "minimum": 1, "default": 20},
        },
        "required": ["customer"],
    },
}
_TOOLS: Final = _text({"tools": [{**_TOOL, "name": f"find_orders_{number}"} for number in range(50)]})
_BLOB: Final = base64.b64encode(bytes(range(256)) * 3072).decode()
_RESOURCE: Final = _text(
    {"contents": [{"uri": "file:///home/ada/shop/logo.png", "mimeType": "image/png", "blob": _BLOB}]}
)


def _acp(title: str, method: str, definition: str, text: bytes, version: str = "v1") -> Message:
    if method == "session/update":
        return Message(title, "acp", version, method, "params", None, "agent", definition, text)
    return Message(title, "acp", version, method, "params", 7, "client", definition, text)


def _mcp(title: str, method: str, part: Literal["params", "result"], definition: str, text: bytes) -> Message:
    sender: Literal["client", "server"] = "client" if part == "params" else "server"
    return Message(title, "mcp", "2025-11-25", method, part, 7, sender, definition, text)


MESSAGES: Final = (
    _acp("initialize, ACP", "initialize", "InitializeRequest", _ACP_INITIALIZE),
    _acp("session/update, chunk", "session/update", "SessionNotification", _CHUNK),
    _acp("session/update, tool call of 3 items", "session/update", "SessionNotification", _TOOL_CALL_UPDATE),
    _acp("session/prompt, 5 blocks", "session/prompt", "PromptRequest", _PROMPT),
    _acp("session/update, unknown", "session/update", "UpdateSessionNotification", _UNKNOWN_UPDATE, version="v2"),
    _mcp("initialize, MCP", "initialize", "params", "InitializeRequestParams", _MCP_INITIALIZE),
    _mcp("tools/call", "tools/call", "params", "CallToolRequestParams", _TOOL_CALL),
    _mcp("tools/list, 50 tools", "tools/list", "result", "ListToolsResult", _TOOLS),
    _mcp("resources/read, 1 MiB", "resources/read", "result", "ReadResourceResult", _RESOURCE),
)
"""An open union takes the unknown update, which ACP has from v2 on."""
