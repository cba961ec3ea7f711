"""Real pipes to a process at the other end: lines in pieces, cut, endless or none, and ends that die."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from wire import in_loop, request
from wiretypes import ConnectionClosed, acp, stdio
from wiretypes.acp import v1

ROOT = Path(__file__).resolve().parents[1]
AGENT = str(ROOT / "examples" / "acp_agent.py")
INITIALIZE = request("initialize", {"protocolVersion": 1})
NEW_SESSION = request("session/new", {"cwd": "/w", "mcpServers": []}, 2)
MEBIBYTE = 1 << 20


class Served:
    """A process of ours that serves standard input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        self.process, self.stdin = process, process.stdin

    async def write(self, data: bytes) -> None:
        self.stdin.write(data)
        await self.stdin.drain()

    async def read(self) -> Any:
        """The next message, or None at the end."""
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        return json.loads(line) if line else None

    async def opens(self) -> None:
        """Assert that it answers `initialize` with version 1."""
        await self.write(line(INITIALIZE))
        assert (await self.read())["result"]["protocolVersion"] == 1

    async def ends(self) -> int:
        """Close its input; returns its exit code."""
        self.stdin.close()
        return await self.process.wait()


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


@asynccontextmanager
async def served(stdout: int = asyncio.subprocess.PIPE) -> AsyncGenerator[Served]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        AGENT,
        stdin=asyncio.subprocess.PIPE,
        stdout=stdout,
        limit=MEBIBYTE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "generated")},
    )
    try:
        yield Served(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@in_loop
async def test_lines_may_come_in_pieces_together_and_with_blanks_between() -> None:
    async with served() as agent:
        data = b"\n  \n" + line(INITIALIZE).replace(b"\n", b"\r\n") + b"\n" + line(NEW_SESSION)
        for start in range(0, len(data), 7):
            await agent.write(data[start : start + 7])
        assert (await agent.read())["id"] == 1
        assert "sessionId" in (await agent.read())["result"]
        assert await agent.ends() == 0


@in_loop
async def test_a_line_that_is_cut_or_no_text_is_refused_and_the_next_one_read() -> None:
    async with served() as agent:
        await agent.opens()
        for data in (line(NEW_SESSION)[:30] + b"\n", b"\xff\xfe\n", b"}\n"):
            await agent.write(data)
            answer = await agent.read()
            assert (answer["id"], answer["error"]["code"]) == (None, -32700)
        await agent.write(line(NEW_SESSION))
        assert "sessionId" in (await agent.read())["result"]
        assert await agent.ends() == 0


@in_loop
async def test_an_endless_line_is_refused_once_and_does_not_fill_the_memory() -> None:
    async with served() as agent:
        await agent.opens()
        for _ in range(200):
            await agent.write(b"x" * MEBIBYTE)
        answer = await agent.read()
        assert (answer["id"], answer["error"]["code"]) == (None, -32700)
        assert _peak(agent.process.pid) < 180 * MEBIBYTE
        await agent.write(b"\n" + line(NEW_SESSION))
        assert "sessionId" in (await agent.read())["result"]
        assert await agent.ends() == 0


def _peak(pid: int) -> int:
    """The most memory that a process has had, in bytes; nothing where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    lines = dict(part.split(":", 1) for part in status.read_text(encoding="utf-8").splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024


@in_loop
async def test_what_is_left_when_the_input_ends_is_read_too() -> None:
    async with served() as agent:
        await agent.opens()
        await agent.write(line(NEW_SESSION).rstrip())
        agent.stdin.close()
        assert "sessionId" in (await agent.read())["result"]
        assert await agent.read() is None
        assert await agent.process.wait() == 0


@in_loop
async def test_a_reader_that_goes_away_does_not_keep_the_program() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    async with served(stdout=writing) as agent:
        os.close(writing)
        await agent.write(line(INITIALIZE) + line(NEW_SESSION) * 10)
        assert await agent.ends() == 0


# --- the other end, which is started ---------------------------------------------------------------------------------

ANSWER = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": 1}})
AGENTS = {
    "ends at once": "",
    "ends in the middle of a line": f"input(); print({ANSWER[:20]!r}, end='', flush=True)",
    "ends before it answers a call": f"input(); print({ANSWER!r}, flush=True); input()",
    "is killed": f"import os; input(); print({ANSWER!r}, flush=True); input(); os.kill(os.getpid(), 9)",
}


async def _ask(connection: acp.ClientConnection) -> None:
    await connection.initialize()
    await connection.peer.extension_request("test/ask")


class Client(v1.ClientHandler):
    info = v1.Implementation(name="client", version="1")


@pytest.mark.parametrize("program", AGENTS.values(), ids=AGENTS)
@in_loop
async def test_a_program_that_ends_fails_the_calls_that_wait(program: str) -> None:
    async with stdio.connect(acp.ClientConnection, [Client], sys.executable, "-c", program) as connection:
        with pytest.raises(ConnectionClosed):
            await _ask(connection)


class Stuck(acp.ClientConnection):
    """A connection that is never done with an empty object."""

    async def receive(self, data: bytes) -> None:
        if data == b"{}":
            await asyncio.Event().wait()
        await super().receive(data)


@in_loop
async def test_calls_fail_at_the_end_even_if_a_message_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wiretypes.grace.GRACE", 0.3)
    program = f"input(); print({ANSWER!r}, flush=True); input(); print('{{}}')"
    async with stdio.connect(Stuck, [Client], sys.executable, "-c", program) as connection:
        with pytest.raises(ConnectionClosed):
            await _ask(connection)


@in_loop
async def test_a_program_that_prints_something_else_is_still_understood() -> None:
    noise = "print('Starting...'); print('x' * 100_000); print()"
    program = f"{noise}; input(); print({ANSWER!r}, flush=True); input(); input(); input()"
    async with stdio.connect(acp.ClientConnection, [Client], sys.executable, "-c", program) as connection:
        assert (await connection.initialize()).protocol_version == 1


@in_loop
async def test_a_program_that_does_not_end_is_ended() -> None:
    program = f"import time; input(); print({ANSWER!r}, flush=True); time.sleep(600)"
    started = asyncio.get_running_loop().time()
    async with stdio.connect(acp.ClientConnection, [Client], sys.executable, "-c", program) as connection:
        await connection.initialize()
    assert asyncio.get_running_loop().time() - started < 15


@in_loop
async def test_a_program_that_cannot_be_started_is_an_os_error() -> None:
    with pytest.raises(OSError, match="no-such-program"):
        async with stdio.connect(acp.ClientConnection, [Client], "./no-such-program"):
            pass
