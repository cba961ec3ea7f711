"""The recorded messages that the schema of their version does not accept, each with the reason."""

from collections.abc import Mapping
from typing import NamedTuple

ACP_V1 = ("v1", "v1-unstable")
ACP_V2 = ("v2", "v2-unstable")
ACP = (*ACP_V1, *ACP_V2)
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


class Refusal(NamedTuple):
    """A fault that some recorded messages have.

    `pointer` is where it lies; `changed` is no pointer, but says that the message is read without what is wrong in it.
    `messages` names, for each recording, the sessions that they are in, once for each message; `-` has no name.
    """

    reason: str
    pointer: str
    versions: tuple[str, ...]
    messages: Mapping[str, str]


REFUSED = [
    Refusal(
        "no batches: an array is no message",
        "",
        ACP,
        {"acp-raw+py-echo-agent-negotiation": "batch", "acp-raw+ts-v2-negotiation": "batch"},
    ),
    Refusal("no batches: an array is no message", "", ACP_V1, {"acp-raw+ts-v1-negotiation": "batch"}),
    Refusal(
        "no batches: an array is no message",
        "",
        ("2025-06-18",),
        {"raw+pyserver-negotiation": "unknown-method", "raw+ts-everything-negotiation": "unknown-method"},
    ),
    Refusal(
        "null is no id",
        "/id",
        ACP_V2,
        {
            "acp-raw+py-echo-agent-negotiation": "init-id-null-v2 init-id-null-v2",
            "acp-raw+ts-v2-negotiation": "init-id-null-v1 init-id-null-v2",
        },
    ),
    Refusal(
        "a fraction is no id",
        "/id",
        ACP_V1,
        {
            "acp-raw+py-echo-agent-negotiation": "init-id-float init-id-float",
            "acp-raw+ts-v1-negotiation": "init-id-float init-id-float",
        },
    ),
    Refusal("a fraction is no id", "/id", ACP, {"acp-raw+ts-v2-negotiation": "init-id-float"}),
    Refusal(
        "neither null nor a fraction is an id",
        "/id",
        ("2025-06-18",),
        {
            "raw+pyserver-negotiation": "unknown-method unknown-method",
            "raw+ts-everything-negotiation": "unknown-method unknown-method",
        },
    ),
    Refusal("`jsonrpc` is missing", "/jsonrpc", ACP_V1, {"acp-raw+py-echo-agent-negotiation": "init-no-jsonrpc"}),
    Refusal(
        "`jsonrpc` is missing",
        "/jsonrpc",
        ACP,
        {"acp-raw+ts-v1-negotiation": "init-no-jsonrpc", "acp-raw+ts-v2-negotiation": "init-no-jsonrpc"},
    ),
    Refusal(
        "`initialize` needs params",
        "/params",
        ACP,
        {
            "acp-raw+py-echo-agent-negotiation": "init-no-params",
            "acp-raw+ts-v1-negotiation": "init-no-params",
            "acp-raw+ts-v2-negotiation": "init-no-params",
        },
    ),
    Refusal(
        "every request needs params, for its `_meta`",
        "/params",
        ("2026-07-28",),
        {"raw+pyserver-negotiation": "call-before-init", "raw+ts-everything-negotiation": "call-before-init"},
    ),
    Refusal(
        "null is no params",
        "/params",
        ("2025-06-18",),
        {"raw+pyserver-negotiation": "unknown-method", "raw+ts-everything-negotiation": "unknown-method"},
    ),
    Refusal(
        "every request needs `_meta`",
        "/params/_meta",
        ("2026-07-28",),
        {"raw+pyserver-negotiation": "discover-no-meta", "raw+ts-everything-negotiation": "discover-no-meta"},
    ),
    Refusal(
        "null is no object",
        "/params/arguments",
        ("2025-06-18",),
        {"raw+pyserver-negotiation": "unknown-method", "raw+ts-everything-negotiation": "unknown-method"},
    ),
    Refusal(
        "null is no object",
        "/params/capabilities",
        HANDSHAKE,
        {
            "raw+pyserver-negotiation": "init-null-capabilities",
            "raw+ts-everything-negotiation": "init-null-capabilities",
        },
    ),
    Refusal(
        "null is no cursor",
        "/params/cursor",
        ("2025-06-18",),
        {"raw+pyserver-negotiation": "unknown-method", "raw+ts-everything-negotiation": "unknown-method"},
    ),
    Refusal(
        "`info` is required, which a client of v1 does not send",
        "/params/info",
        ACP_V2,
        {
            "acp-pyclient+ts-agent-v2only": "-",
            "acp-pyclient-asks-2+ts-router": "-",
            "acp-raw+py-echo-agent-negotiation": "init-2-v1shape-missing-info init-0 batch init-2-then-1",
            "acp-raw+ts-v2-negotiation": (
                "init-1 init-2-v1shape-missing-info init-0 init-float-integral init-1-minimal "
                "init-caps-null init-caps-wrong-type init-caps-unknown-members init-clientinfo-malformed "
                "init-meta-null init-id-string batch init-twice-same init-twice-same init-2-then-1 "
                "unknown-method prompt-unknown-content v1-mcp-missing-args v2-method-on-v1 v1-relative-cwd"
            ),
        },
    ),
    Refusal(
        "`mcpServers` is required, which may be missing in v2",
        "/params/mcpServers",
        ACP_V1,
        {"acp-raw+ts-v1-negotiation": "v2-relative-cwd"},
    ),
    Refusal(
        "`args` is required, which may be missing in v2",
        "/params/mcpServers/0/args",
        ACP_V1,
        {
            "acp-raw+py-echo-agent-negotiation": "v1-mcp-missing-args",
            "acp-raw+ts-v1-negotiation": "v1-mcp-missing-args",
            "acp-raw+ts-v2-negotiation": "v1-mcp-missing-args",
        },
    ),
    Refusal(
        "a server of a type that is not known is one of stdio, and has no command",
        "/params/mcpServers/0/command",
        ACP_V1,
        {"acp-raw+ts-v1-negotiation": "v2-mcp-unknown-type"},
    ),
    Refusal(
        "`type` is required, which may be missing in v1",
        "/params/mcpServers/0/type",
        ACP_V2,
        {
            "acp-pyclient+ts-agent-v2only": "-",
            "acp-pyclient-asks-2+ts-router": "-",
            "acp-raw+py-echo-agent-negotiation": "v2-mcp-missing-type",
            "acp-raw+ts-v2-negotiation": "v1-mcp-missing-args v2-mcp-missing-type",
        },
    ),
    Refusal(
        "the union of content is closed",
        "/params/prompt/0/type",
        ACP_V1,
        {
            "acp-raw+py-echo-agent-negotiation": "prompt-unknown-content",
            "acp-raw+ts-v1-negotiation": "prompt-unknown-content",
            "acp-raw+ts-v2-negotiation": "prompt-unknown-content",
        },
    ),
    Refusal(
        "a version is an integer from 0 to 65535",
        "/params/protocolVersion",
        ACP,
        {
            "acp-raw+py-echo-agent-negotiation": "init-70000 init-negative init-no-version",
            "acp-raw+ts-v1-negotiation": (
                "init-70000 init-negative init-string init-date-string init-float init-null init-no-version"
            ),
            "acp-raw+ts-v2-negotiation": (
                "init-70000 init-negative init-string init-date-string init-float init-null init-no-version"
            ),
        },
    ),
    Refusal(
        "a version is an integer from 0 to 65535",
        "/params/protocolVersion",
        ACP_V1,
        {"acp-raw+py-echo-agent-negotiation": "init-string init-date-string init-float init-null"},
    ),
    Refusal(
        "a version is a string",
        "/params/protocolVersion",
        HANDSHAKE,
        {
            "raw+pyserver-negotiation": "init-no-version init-int-version",
            "raw+ts-everything-negotiation": "init-no-version init-int-version",
        },
    ),
    Refusal(
        "`requestedSchema` is required; a client asked for a URL, which came later",
        "/params/requestedSchema",
        ("2025-06-18",),
        {"pyclient+ts-everything-2025-06-18": "-"},
    ),
    Refusal(
        "arrays of choices came later",
        "/params/requestedSchema/properties/untitledMultipleSelectEnum/type",
        ("2025-06-18",),
        {"pyclient+ts-everything-2025-06-18": "-"},
    ),
    Refusal(
        "the union of updates is closed, and the agent sends one of the unstable schema",
        "/params/update/sessionUpdate",
        ("v1",),
        {"acp-ts-router-v1client": "- -", "acp-ts-v1": "- -"},
    ),
    Refusal(
        "null is no result of `session/list`",
        "/result",
        ACP_V1,
        {"acp-pyclient+py-agent-v1": "-", "acp-pyclient+py-echo-v1": "-"},
    ),
    Refusal(
        "results of lists need `cacheScope`, which a server of an older version does not send",
        "/result/cacheScope",
        ("2026-07-28",),
        {"raw+ts-everything-negotiation": "call-before-init call-2026-without-discover"},
    ),
    Refusal(
        "`configOptions` is required",
        "/result/configOptions",
        ACP_V1,
        {"acp-pyclient+py-agent-v1": "- -", "acp-pyclient+py-echo-v1": "- -"},
    ),
    Refusal(
        "the union of content is closed, and audio and links came later",
        "/result/content/0/type",
        ("2024-11-05",),
        {"pyclient+pyserver-2024-11-05": "-", "pyclient+ts-everything-2024-11-05": "-"},
    ),
    Refusal(
        "the union of content is closed, and links came later",
        "/result/content/0/type",
        ("2025-03-26",),
        {"pyclient+pyserver-2025-03-26": "-"},
    ),
    Refusal(
        "the union of content is closed, and audio and links came later",
        "/result/content/1/type",
        ("2024-11-05",),
        {"pyclient+pyserver-2024-11-05": "-", "pyclient+ts-everything-2024-11-05": "-"},
    ),
    Refusal(
        "arrays of choices came later",
        "/result/content/untitledMultipleSelectEnum",
        ("2025-06-18",),
        {"pyclient+ts-everything-2025-06-18": "-"},
    ),
    Refusal(
        "`info` is required, which an agent of v1 does not send",
        "/result/info",
        ACP_V2,
        {
            "acp-raw+py-echo-agent-negotiation": (
                "init-2 init-3-v2shape init-65535-v2shape init-2-v1shape-missing-info init-2-both-shapes "
                "init-0 init-2-then-1 init-2-then-1 v2-mcp-missing-type v2-mcp-unknown-type v1-method-on-v2 "
                "v2-relative-cwd"
            )
        },
    ),
    Refusal(
        "results need `resultType`, which a server of an older version does not send",
        "/result/resultType",
        ("2026-07-28",),
        {"raw+ts-everything-negotiation": "init-2024-10-07"},
    ),
    Refusal(
        "capabilities or `clientInfo` of a wrong type, which leniency reads as absent",
        "changed",
        ACP_V1,
        {
            "acp-raw+py-echo-agent-negotiation": "init-caps-null init-caps-wrong-type init-clientinfo-malformed",
            "acp-raw+ts-v1-negotiation": "init-caps-null init-caps-wrong-type init-clientinfo-malformed",
            "acp-raw+ts-v2-negotiation": "init-caps-null init-caps-wrong-type init-clientinfo-malformed",
        },
    ),
]
