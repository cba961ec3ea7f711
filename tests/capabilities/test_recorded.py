"""Sessions recorded between real peers: nothing is wrong where they behaved, and what is wrong is explained here."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from fidelity.json_values import JSON
from fidelity.shared import material
from recordings import Members, Recording, members, recordings
from wiretypes import acp, mcp

from .sides import AnyNegotiated, AnyPeer

META = "io.modelcontextprotocol/protocolVersion"

Sides: TypeAlias = AnyNegotiated | None
"""The two sides of a session; None where they cannot be read."""
Found: TypeAlias = tuple[str, str | None, str, str]
"""Who sends it, the feature that is missing if one is, the method, and where in its params or result."""

# The recorder calls whatever it knows, to see what the agent answers, and never looks at what was declared.
PYTHON_ACP_CLIENT: Counter[Found] = Counter(
    {
        ("client", "mcp.http", "session/new", "/mcpServers/1"): 1,
        ("client", "session.load", "session/load", ""): 1,
        ("client", "session.list", "session/list", ""): 1,
        ("client", "session.fork", "session/fork", ""): 1,
        ("client", "session.close", "session/close", ""): 1,
        # It sets a boolean option, though its own declaration says that it knows none.
        ("client", "config_options.boolean", "session/set_config_option", "/type"): 1,
    }
)
# The TypeScript agent declares that it archives sessions, and then lists some without saying whether they are archived.
ARCHIVED = ("agent", "session.archive", "session/list")
# The Python server logs, and does not declare that it does; the recorder asks it for a level all the same.
PYTHON_SERVER: Counter[Found] = Counter(
    {
        ("server", "logging", "notifications/message", ""): 2,
        ("client", "logging", "logging/setLevel", ""): 1,
        # It offers resources without subscriptions; the recorder tries.
        ("client", "resources.subscribe", "resources/subscribe", ""): 1,
        ("client", "resources.subscribe", "resources/unsubscribe", ""): 1,
    }
)
# A server with tools and nothing else; the recorder lists all that there may be.
FILESYSTEM: Counter[Found] = Counter(
    {
        ("client", "logging", "logging/setLevel", ""): 1,
        ("client", "prompts", "prompts/list", ""): 1,
        ("client", "resources", "resources/list", ""): 1,
        ("client", "resources", "resources/templates/list", ""): 1,
    }
)
# Elicitation came with 2025-06-18. The servers use it in older sessions, with clients that declare it all the same.
OLDER_ELICITATION: Found = ("server", None, "elicitation/create", "")
# The example agent offers a boolean option to a client that did not declare that it knows such options.
BOOLEAN_OPTION: Counter[Found] = Counter({("agent", "config_options.boolean", "session/new", "/configOptions/2"): 1})

EXPLAINED: dict[str, Counter[Found]] = {
    "acp-pyclient+py-agent-v1": PYTHON_ACP_CLIENT,
    "acp-pyclient+py-echo-v1": PYTHON_ACP_CLIENT,
    **{
        name: Counter({(*ARCHIVED, "/sessions/0/archived"): 1, (*ARCHIVED, "/sessions/1/archived"): 1})
        for name in ("acp-ts-v1", "acp-ts-router-v1client")
    },
    **{name: Counter({(*ARCHIVED, "/sessions/0/archived"): 1}) for name in ("acp-ts-v2", "acp-ts-router-v2client")},
    **{
        f"acp-raw+ts-v1-negotiation {scenario}": BOOLEAN_OPTION
        for scenario in (
            *(
                "init-1",
                "init-2",
                "init-twice-same",
                "prompt-unknown-content",
                "v2-mcp-missing-type",
                "v1-relative-cwd",
            ),
        )
    },
    # The probes send methods of the other generation on purpose.
    "acp-raw+py-echo-agent-negotiation v2-method-on-v1": Counter({("client", None, "auth/login", ""): 1}),
    "acp-raw+ts-v1-negotiation v2-method-on-v1": Counter({("client", None, "auth/login", ""): 1}),
    "acp-raw+ts-v2-negotiation v1-method-on-v2": Counter(
        {("client", None, "session/load", ""): 1, ("client", None, "session/set_mode", ""): 1}
    ),
    "pyclient+pyserver-2024-11-05": PYTHON_SERVER + Counter({OLDER_ELICITATION: 1}),
    "pyclient+pyserver-2025-03-26": PYTHON_SERVER + Counter({OLDER_ELICITATION: 1}),
    "pyclient+pyserver-2025-11-25": PYTHON_SERVER,
    "pyclient+pyserver-auto-discover": Counter({("server", "logging", "notifications/message", ""): 2}),
    "pyclient+ts-everything-2024-11-05": Counter({OLDER_ELICITATION: 2}),
    "pyclient+ts-filesystem-2024-11-05": FILESYSTEM,
    "pyclient+ts-filesystem-2025-03-26": FILESYSTEM,
    "pyclient+ts-filesystem-2025-06-18": FILESYSTEM,
    # The probes mix both eras on purpose.
    "raw+pyserver-negotiation init-then-modern-call": Counter({("client", None, "server/discover", ""): 1}),
    "raw+pyserver-negotiation modern-then-init": Counter({("client", None, "initialize", ""): 1}),
    "raw+ts-everything-negotiation init-then-modern-call": Counter({("client", None, "server/discover", ""): 1}),
    # This recorder asks for tasks as well, which the Python server does not have.
    "ts1client+pyserver-2025-11-25": Counter(
        {
            ("client", "tasks.list", "tasks/list", ""): 1,
            ("client", "tasks", "tasks/get", ""): 1,
            ("server", "logging", "notifications/message", ""): 2,
        }
    ),
    # The client answers what the server should not have asked.
    "ts2client+ts2server-2025-03-26": Counter({OLDER_ELICITATION: 1, ("client", None, "elicitation/create", ""): 1}),
}
# Answers to `initialize` that no class reads: the echo agent repeats any version, and has no `info` as version 2 wants;
# the everything server repeats a draft of 2024 that has no schema here.
UNREADABLE = {
    "acp-raw+py-echo-agent-negotiation": {
        *(
            "init-2",
            "init-3-v2shape",
            "init-65535-v2shape",
            "init-2-v1shape-missing-info",
            "init-2-both-shapes",
            "init-0",
        ),
        *("init-string", "init-date-string", "init-float", "init-null", "init-id-null-v2", "init-2-then-1"),
        *("v2-mcp-missing-type", "v2-mcp-unknown-type", "v1-method-on-v2", "v2-relative-cwd"),
    },
    "raw+ts-everything-negotiation": {"init-2024-10-07"},
}


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_recorded_sessions(file: Path) -> None:
    for recording in recordings(file):
        found: Counter[Found] = Counter(_judged(recording))
        assert found == EXPLAINED.get(recording.name, Counter()), recording.name


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_only_odd_openings_cannot_be_read(file: Path) -> None:
    unreadable = {r.name.partition(" ")[2] for r in recordings(file) if any(not sides for sides, *_ in _opened(r))}
    assert unreadable == UNREADABLE.get(file.stem, set())


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_warnings_are_about_bodies_of_the_other_generation(file: Path) -> None:
    for recording in recordings(file):
        for sides, *_ in _opened(recording):
            for peer in _peers(sides):
                assert all("this key is of ACP" in warning for warning in peer.warnings)
                assert not peer.warnings or "negotiation" in recording.name or "v2client-vs-v1agent" in recording.name


def _peers(sides: Sides) -> tuple[AnyPeer, ...]:
    if isinstance(sides, acp.Negotiated):
        return sides.client, sides.agent
    return (sides.client, sides.server) if isinstance(sides, mcp.Negotiated) else ()


def _judged(recording: Recording) -> Iterator[Found]:
    """What is wrong with the messages of a session, once both sides are known."""
    for sides, sender, method, part, content in _opened(recording):
        if sides:
            for violation in sides.check(method, sender=sender, **{part: content}):
                yield sender, violation.feature, violation.method, violation.pointer


def _opened(recording: Recording) -> Iterator[tuple[Sides, str, str, str, JSON]]:
    """The messages from the answer to the opening request on: the two sides then, who sends what, and its content.

    The two sides are None where that answer cannot be read.
    """
    other = "agent" if recording.protocol == "acp" else "server"
    sides: Sides = None
    is_open = False
    asked: dict[tuple[str, str], Members] = {}
    for step in recording.steps:
        sender = "client" if step.sender == "client" else other
        for message in step.message if isinstance(step.message, list) else [step.message]:
            told = members(message)
            if "method" in told:
                asked[step.sender, repr(told.get("id"))] = told
                part, content, method = "params", told.get("params"), str(told["method"])
            else:
                request = asked.get(("server" if step.sender == "client" else "client", repr(told.get("id"))))
                if request is None or "result" not in told:
                    continue
                # One agent answers with null, which is no result to judge.
                part, content, method = "result", told["result"] or {}, str(request["method"])
                if method in ("initialize", "server/discover"):
                    sides, is_open = _sides(recording, method, request.get("params"), content), True
            if is_open:
                yield sides, sender, method, part, content


def _sides(recording: Recording, method: str, params: Any, result: Any) -> Sides:
    """Both sides; those that speak ACP were recorded with the unstable features of their packages."""
    try:
        if recording.protocol == "acp":
            return acp.Negotiated.from_initialize(params, result, unstable=True)
        read = mcp.Negotiated.from_initialize if method == "initialize" else mcp.Negotiated.from_discover
        return read(params, result)
    except acp.InvalidMessage:
        return None
