"""Connections over pipes, with our programs as child processes."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from wire import Json, in_loop, request
from wiretypes import ConnectionClosed, acp, mcp, stdio
from wiretypes.acp import v1, v2
from wiretypes.mcp import v2025_11_25, v2026_07_28

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "generated")}

AGENT = (sys.executable, str(EXAMPLES / "acp_agent.py"))
SERVER = (sys.executable, str(EXAMPLES / "mcp_server.py"))


@pytest.fixture(autouse=True)
def _find_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "generated"))


def line(message: object) -> bytes:
    return (message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n"


def run(command: tuple[str, ...], *lines: bytes) -> tuple[list[Any], str, int]:
    """What a program writes that is given some lines and then the end of its input."""
    done = subprocess.run(command, input=b"".join(lines), capture_output=True, timeout=30, env=ENVIRONMENT, check=False)
    return [json.loads(text) for text in done.stdout.splitlines()], done.stderr.decode(), done.returncode


INITIALIZE: Json = {"protocolVersion": 1, "clientCapabilities": {}}


def program(source: str, tmp_path: Path) -> tuple[str, ...]:
    """A program that imports what the tests use."""
    file = tmp_path / "program.py"
    file.write_text(
        f"import asyncio, os, sys\nfrom wiretypes import acp, stdio\nfrom wiretypes.acp import v1\n{source}\n"
    )
    return (sys.executable, str(file))


# --- the programs of the README --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["acp_agent.py", "mcp_server.py"])
def test_the_readme_shows_the_programs_as_they_are(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert f"```python\n{text}```" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45


class OldClient(v1.ClientHandler):
    info = v1.Implementation(name="client", version="1")

    def __init__(self) -> None:
        self.heard: list[v1.SessionUpdate] = []

    async def session_update(self, params: v1.SessionNotification) -> None:
        self.heard.append(params.update)


class NewClient(v2.ClientHandler):
    info = v2.Implementation(name="client", version="1")

    def __init__(self) -> None:
        self.heard: list[v2.SessionUpdate] = []
        self.idle = asyncio.Event()

    async def session_update(self, params: v2.UpdateSessionNotification) -> None:
        self.heard.append(params.update)
        if isinstance(params.update, v2.EndTurnIdleStateUpdateSessionUpdate):
            self.idle.set()


def content_of(update: v1.SessionUpdate | v2.SessionUpdate) -> object:
    """What an update says for the agent."""
    assert isinstance(update, v1.AgentMessageChunkSessionUpdate | v2.AgentMessageChunkSessionUpdate)
    return update.content


@in_loop
async def test_the_agent_serves_clients_of_version_1() -> None:
    async with stdio.connect(acp.ClientConnection, [OldClient], *AGENT) as connection:
        await connection.initialize()
        handler = connection.handler
        assert isinstance(handler, OldClient)
        session = await handler.peer.session_new(v1.NewSessionRequest(cwd="/", mcp_servers=[]))
        prompt = v1.PromptRequest(session_id=session.session_id, prompt=[v1.TextContentBlock(text="hello")])
        assert (await handler.peer.session_prompt(prompt)).stop_reason == "end_turn"
        assert [content_of(update) for update in handler.heard] == prompt.prompt


@in_loop
async def test_the_agent_serves_clients_of_version_2() -> None:
    async with stdio.connect(acp.ClientConnection, [OldClient, NewClient], *AGENT) as connection:
        await connection.initialize()
        handler = connection.handler
        assert isinstance(handler, NewClient)
        session = await handler.peer.session_new(v2.NewSessionRequest(cwd="/"))
        prompt = v2.PromptRequest(session_id=session.session_id, prompt=[v2.TextContentBlock(text="hello")])
        await handler.peer.session_prompt(prompt)
        await handler.idle.wait()
        assert [content_of(update) for update in handler.heard[1:-1]] == prompt.prompt


class OldMcpClient(v2025_11_25.ClientHandler):
    info = v2025_11_25.Implementation(name="client", version="1")


class NewMcpClient(v2026_07_28.ClientHandler):
    also = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
    info = v2026_07_28.Implementation(name="client", version="1")


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
@in_loop
async def test_the_server_serves_clients_of_every_version(version: str) -> None:
    also = tuple(older for older in NewMcpClient.also if older <= version)
    client = type("Client", (NewMcpClient,), {"also": also})
    async with stdio.connect(mcp.ClientConnection, [client], *SERVER) as connection:
        await (connection.discover() if version == "2026-07-28" else connection.initialize())
        assert connection.negotiated.version == version
        peer = connection.peer
        assert isinstance(peer, v2026_07_28.ServerCaller)
        assert [tool.name for tool in (await peer.tools_list()).tools] == ["count"]
        reports: list[float] = []

        async def note(params: v2026_07_28.ProgressNotificationParams) -> None:
            reports.append(params.progress)

        params = v2026_07_28.CallToolRequestParams(name="count", arguments={"from": 1})
        found = await peer.tools_call(params, on_progress=note)
        assert isinstance(found, v2026_07_28.CallToolResult)
        assert reports == [0]


# --- lines -----------------------------------------------------------------------------------------------------------


def test_lines_are_read_however_they_end() -> None:
    spaced = json.dumps(request("initialize", INITIALIZE), indent=1).replace("\n", " ").encode()
    sent, _, status = run(AGENT, b"\n", b"  \r\n", spaced + b"\r\n", line(request("x", None, 2))[:-1])
    assert status == 0
    assert sorted(answer["id"] for answer in sent) == [1, 2]


def test_a_line_that_is_cut_is_answered_and_the_next_one_read() -> None:
    whole = line(request("initialize", INITIALIZE))
    sent, _, _ = run(AGENT, whole[:30] + b"\n", b"\xff\xfe\n", whole, whole[:30])
    assert [answer.get("error", {}).get("code") for answer in sent] == [-32700, -32700, None, -32700]


def test_a_line_without_an_end_is_refused_when_it_is_too_long(tmp_path: Path) -> None:
    command = program(
        "class A(v1.AgentHandler):\n"
        "    info = v1.Implementation(name='a', version='1')\n"
        "def make(handlers, send):\n"
        "    return acp.AgentConnection(handlers, send, limits=acp.Limits(message_size=100_000))\n"
        "asyncio.run(stdio.serve(make, [A]))",
        tmp_path,
    )
    sent, _, status = run(command, b"x" * 1_000_000 + b"\n", line(request("initialize", INITIALIZE)), b"y" * 1_000_000)
    assert [answer.get("error", {}).get("code") for answer in sent] == [-32700, None, -32700]
    assert status == 0


def test_what_runs_when_the_input_ends_is_answered() -> None:
    count = request("tools/call", {"name": "count", "arguments": {"from": 1}}, 2)
    body = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    sent, _, status = run(SERVER, line(request("initialize", body)), line(count))
    assert sent[-1]["result"]["content"] == [{"type": "text", "text": "counted down from 1"}]
    assert status == 0


def test_input_and_output_may_be_files(tmp_path: Path) -> None:
    given, taken = tmp_path / "in", tmp_path / "out"
    given.write_bytes(line(request("initialize", INITIALIZE)))
    with given.open("rb") as stdin, taken.open("wb") as stdout:
        subprocess.run(AGENT, stdin=stdin, stdout=stdout, timeout=30, env=ENVIRONMENT, check=True)
    assert json.loads(taken.read_bytes())["result"]["protocolVersion"] == 1


def test_a_reader_that_goes_away_ends_the_program() -> None:
    with subprocess.Popen(AGENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(line(request("initialize", INITIALIZE)))
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_large_messages_pass_both_ways() -> None:
    text = "x" * 3_000_000
    prompt = {"sessionId": "s", "prompt": [{"type": "text", "text": text}]}
    sent, _, _ = run(AGENT, line(request("initialize", INITIALIZE)), line(request("session/prompt", prompt, 2)))
    assert sent[1]["params"]["update"]["content"]["text"] == text


# --- the other side goes away ----------------------------------------------------------------------------------------


@in_loop
async def test_calls_fail_when_the_program_ends(tmp_path: Path) -> None:
    command = program("sys.stdin.readline()", tmp_path)
    async with stdio.connect(acp.ClientConnection, [OldClient], *command) as connection:
        with pytest.raises(ConnectionClosed):
            await connection.initialize()
        with pytest.raises(ConnectionClosed):
            await connection.initialize()


@in_loop
async def test_a_program_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wiretypes.stdio._GRACE", 0.2)
    command = program(
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)", tmp_path
    )
    async with stdio.connect(acp.ClientConnection, [OldClient], *command):
        pass


@in_loop
async def test_a_program_that_there_is_not() -> None:
    with pytest.raises(OSError, match="no-such-program"):
        async with stdio.connect(acp.ClientConnection, [OldClient], "./no-such-program"):
            pass
