"""Recorded sessions between real peers, replayed into our side: it does what the recorded side did.

Where it does otherwise, an entry of `EXPLAINED` says why.
"""

import asyncio
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import wiretypes
from fidelity.shared import SHARED, material
from recordings import Recording, Side, recordings
from replaying import Difference, Replay
from wiretypes.session import Enforcement

SECONDS = 60
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ACP_NAMES = {"1": "v1", "2": "v2"}
ALSO_DISCOVERS = re.compile("auto-fallback")

ONE_SIDED = {
    "acp-pyclient-asks-2+ts-router": ("v1", "v2"),
    "acp-pyclient+ts-agent-v2only": ("v2",),
    "acp-raw+py-echo-agent-negotiation": ("v1",),
    "acp-raw+ts-v1-negotiation": ("v1",),
    "acp-raw+ts-v2-negotiation": ("v2",),
    "raw+pyserver-negotiation": (*HANDSHAKE, "2026-07-28"),
    "raw+ts-everything-negotiation": HANDSHAKE,
}
"""Recordings whose clients ask what ours never does, and the versions that the agents and servers of them serve."""


@dataclass(frozen=True)
class Explained:
    """Why our side does otherwise than a recorded one; all but the reason are patterns."""

    reason: str
    recording: str
    what: str
    method: str
    details: str = ""

    def covers(self, recording: Recording, difference: Difference) -> bool:
        return (
            re.match(self.recording, recording.name) is not None
            and re.fullmatch(self.what, difference.what) is not None
            and re.fullmatch(self.method, difference.method) is not None
            and re.search(self.details, difference.details) is not None
        )


VIOLATION = "violation"
ANSWER = "another answer"
BAD_RESULT = f"{ANSWER}|the call failed"
PY_AGENT, TS_V1, TS_V2 = "acp-raw[+]py-echo", "acp-raw[+]ts-v1", "acp-(raw[+]ts-v2|pyclient[+]ts-agent-v2only)"
PY_SERVER, EVERYTHING = "raw[+]pyserver", "raw[+]ts-everything"
TWO_ANSWERS = "not answered|sent besides"

EXPLAINED = (
    # Sessions: peers that do what was not agreed on, or send what the version does not have.
    Explained(
        "the agent declares nothing, and the client uses all of it",
        "acp-pyclient[+]py-",
        VIOLATION,
        "session/(new|set_config_option|load|list|fork|close)",
        "needs the",
    ),
    Explained("an empty result has no configOptions", "acp-pyclient[+]py-", BAD_RESULT, "session/set_config_option"),
    Explained("null is no list of sessions", "acp-pyclient[+]py-", BAD_RESULT, "session/list"),
    Explained("the agent archives and leaves `archived` out", "acp-ts-", VIOLATION, "session/list", "archived"),
    Explained("the server logs without declaring it", "(py|ts1)client", VIOLATION, "logging/.*|notifications/message"),
    Explained("the server declares `subscribe: false`", "pyclient[+]pyserver", VIOLATION, "resources/(un)?subscribe"),
    Explained(
        "the server has tools only", "pyclient[+]ts-filesystem", VIOLATION, "(prompts|resources(/templates)?)/list"
    ),
    Explained("the server has no tasks", "ts1client", VIOLATION, "tasks/(list|get)"),
    Explained(
        "the recorded server was never asked what it declares, and ours declares what is implemented",
        "pyclient[+]ts2server",
        VIOLATION,
        "(notifications/)?subscriptions/.*",
        "listChanged|subscribe",
    ),
    Explained("older versions have no elicitation", ".*(2024-11-05|2025-03-26)", VIOLATION, "elicitation/create"),
    Explained("content of newer versions", ".*(2024-11-05|2025-03-26)", BAD_RESULT, "tools/call", "Internal|content"),
    Explained(
        "forms and modes of newer versions",
        "pyclient[+]ts-everything-2025-06-18",
        f"not sent|{BAD_RESULT}",
        "elicitation/create",
        "requestedSchema",
    ),
    # Versions: what the recorded side settles otherwise.
    Explained("the agent says back any version", PY_AGENT, "another result", "initialize", r'"protocolVersion": 1\}'),
    Explained("the agent takes anything for a version", PY_AGENT, ANSWER, "initialize", "is no ACP version"),
    Explained("the server speaks a version of its own", EVERYTHING, "another result", "initialize", '"2025-11-25"'),
    Explained(
        "asked for less than it supports, an agent answers with its latest, as the pages say",
        TS_V2,
        ANSWER,
        "initialize",
        '"protocolVersion": 2.*-32022',
    ),
    Explained("and so the connection is open", TS_V2, "handed over", "session/.*|auth/login", "must be initialized"),
    Explained("and so the params count", TS_V2, ANSWER, "session/new", "/params/mcpServers/0/type"),
    Explained(
        "discovery finds out which versions there are", f"{EVERYTHING}|.*auto-fallback", ANSWER, ".*", "-32022.*in the"
    ),
    # Order: what the recorded side serves too early or once more.
    Explained(
        "a connection is opened once", "acp-raw", ANSWER, "initialize", "initialized already|/params/info: Field"
    ),
    Explained("a connection is opened first", "(acp-)?raw", ANSWER, ".*", "connection opens with initialize"),
    Explained("discovery names its version", PY_SERVER, ANSWER, "server/discover", "names no"),
    Explained("after initialize, no request names a version", EVERYTHING, ANSWER, ".*", "initialize opened"),
    # Messages: what the recorded side reads otherwise.
    Explained("a fraction is no id", "acp-raw", TWO_ANSWERS, ".*", r'"id": 1\.5|/id: must be'),
    Explained(
        "jsonrpc is required, and the id known",
        "acp-raw",
        f"{TWO_ANSWERS}|{ANSWER}",
        ".*",
        "jsonrpc: must|Invalid request",
    ),
    Explained("a batch is refused, once, and not forgotten", "acp-raw", TWO_ANSWERS, ".*", "must be an object|batches"),
    Explained("a request is answered after a batch", PY_AGENT, "sent besides", "initialize", '"protocolVersion": 1'),
    Explained("null and fractions are no ids, a batch no message", "raw", "sent besides", ".*", "/id: must|an object"),
    Explained(
        "params are as their schema says", "(acp-)?raw", f"{ANSWER}|sent besides", ".*", '-32602, "message": "/params'
    ),
    Explained("an error of params is no internal one", EVERYTHING, ANSWER, "initialize", "-32602.*-32603"),
    # Methods: what a version does not have goes to `extension_request`, after a report where another version has it.
    Explained("the handler answers other methods", "(acp-)?raw", "handed over", ".*", "-32601"),
    Explained("a method of the other version", "acp-raw", VIOLATION, "auth/login|session/(load|set_mode)", "has no"),
    Explained(
        "the agent declares nothing", "acp-raw", VIOLATION, "session/load|auth/login", "needs the agent to declare"
    ),
    Explained("the client cannot show a boolean option", TS_V1, VIOLATION, "session/new", "configOptions.boolean"),
)


def versions(recording: Recording, ours: Side) -> tuple[str, ...]:
    """The versions that our side serves: those of the recorded side."""
    one_sided = ONE_SIDED.get(recording.name.split()[0])
    if one_sided is not None:
        return one_sided
    if recording.protocol == "mcp":
        both = ours == "client" and ALSO_DISCOVERS.search(recording.name) is not None
        return (*recording.versions, "2026-07-28") if both else recording.versions
    name = ACP_NAMES[recording.versions[0]]
    known = {method for method, _ in wiretypes.load("acp", name).METHODS}
    has_unstable = any(not method.startswith("_") and method not in known for method in recording.methods)
    return (f"{name}-unstable" if has_unstable else name,)


@cache
def replayed(recording: Recording, ours: Side, capabilities: Enforcement) -> list[Difference]:
    replay = Replay(recording, ours, versions(recording, ours), capabilities)
    return asyncio.run(asyncio.wait_for(replay.run(), SECONDS))


def sides(file: Path) -> tuple[Side, ...]:
    """The sides that ours can play."""
    return ("server",) if file.stem in ONE_SIDED else ("server", "client")


def unexplained(recording: Recording, differences: list[Difference]) -> list[Difference]:
    return [found for found in differences if not any(why.covers(recording, found) for why in EXPLAINED)]


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_our_side_does_what_the_recorded_one_did(file: Path) -> None:
    """What was not agreed on is reported, and the session goes on."""
    for recording in recordings(file):
        for ours in sides(file):
            found = unexplained(recording, replayed(recording, ours, "warn"))
            assert not found, f"{recording.name}, our {ours}: {found}"


@pytest.mark.parametrize("file", material("traffic", "*.jsonl"))
def test_enforced_nothing_else_changes_than_what_was_not_agreed_on(file: Path) -> None:
    for recording in recordings(file):
        for ours in sides(file):
            reported = {found.method for found in replayed(recording, ours, "warn") if found.what == VIOLATION}
            found = unexplained(recording, replayed(recording, ours, "enforce"))
            others = [difference for difference in found if difference.method not in reported]
            assert not others, f"{recording.name}, our {ours}: {others}"


def test_every_explanation_is_needed() -> None:
    files = sorted((SHARED / "traffic").glob("*.jsonl"))
    if not files:
        pytest.skip("../shared/traffic is absent")
    used: set[Explained] = set()
    for file in files:
        for recording in recordings(file):
            for ours in sides(file):
                for found in replayed(recording, ours, "warn"):
                    used |= {why for why in EXPLAINED if why.covers(recording, found)}
    assert not [why.reason for why in EXPLAINED if why not in used]
