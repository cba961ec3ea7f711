"""Connections over pipes, with our programs as child processes."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from wire import Json, in_loop, request, result
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


# --- streams that do not block, as those of a terminal that is shared may --------------------------------------------


@in_loop
async def test_input_that_does_not_block_is_waited_for() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    async with started(AGENT, stdin=reading) as process:
        os.close(reading)
        with open(writing, "wb", buffering=0) as stdin:
            stdin.write(line(request("initialize", INITIALIZE)))
            assert (await answer_of(process))["id"] == 1
            await asyncio.sleep(0.3)
            stdin.write(line(request("x", None, 2)))
            assert (await answer_of(process))["id"] == 2
        assert await process.wait() == 0


def test_output_that_does_not_block_is_written_whole() -> None:
    text = "x" * 3_000_000
    prompt = {"sessionId": "s", "prompt": [{"type": "text", "text": text}]}
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with subprocess.Popen(AGENT, stdin=subprocess.PIPE, stdout=writing, env=ENVIRONMENT) as process:
        os.close(writing)
        assert process.stdin is not None
        process.stdin.write(line(request("initialize", INITIALIZE)) + line(request("session/prompt", prompt, 2)))
        process.stdin.close()
        time.sleep(1)  # the pipe is full by now
        with open(reading, "rb") as stdout:
            sent = [json.loads(text) for text in stdout]
        assert process.wait(timeout=30) == 0
    assert sent[1]["params"]["update"]["content"]["text"] == text
    assert sent[2]["id"] == 2


@asynccontextmanager
async def started(
    command: tuple[str, ...], stdin: int = subprocess.PIPE, stderr: int | None = None
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A process that is killed in the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=ENVIRONMENT
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def answer_of(process: asyncio.subprocess.Process) -> Any:
    """The next message of a process."""
    assert process.stdout is not None
    return json.loads(await process.stdout.readline())


# --- while initialize is not answered --------------------------------------------------------------------------------

AGENT_OF_VERSION_1 = "class A(v1.AgentHandler):\n    info = v1.Implementation(name='a', version='1')\n"
SERVE = "asyncio.run(stdio.serve(acp.AgentConnection, [A]))"


def test_an_initialize_that_never_returns_does_not_keep_the_program(tmp_path: Path) -> None:
    command = program(
        f"{AGENT_OF_VERSION_1}"
        "    async def initialize(self, params):\n"
        "        await asyncio.Event().wait()\n"
        "from wiretypes import grace\n"
        "grace.GRACE = 0.3\n"
        f"{SERVE}",
        tmp_path,
    )
    sent, _, status = run(command, line(request("initialize", INITIALIZE)), line(request("session/new", {}, 2)))
    assert sent == []
    assert status == 0


def test_what_waits_for_initialize_is_answered_in_order(tmp_path: Path) -> None:
    command = program(
        f"{AGENT_OF_VERSION_1}"
        "    async def initialize(self, params):\n"
        "        await asyncio.sleep(0.3)\n"
        "        return await super().initialize(params)\n"
        f"{SERVE}",
        tmp_path,
    )
    lines = [line(request("initialize", INITIALIZE)), *(line(request("x", None, id_)) for id_ in range(2, 50))]
    sent, _, status = run(command, *lines)
    assert [answer["id"] for answer in sent] == list(range(1, 50))
    assert status == 0


def test_a_question_of_initialize_fails_as_soon_as_no_answer_can_come(tmp_path: Path) -> None:
    command = program(
        f"{AGENT_OF_VERSION_1}"
        "    async def initialize(self, params):\n"
        "        await self.peer.extension_request('test/ask')\n"
        "from wiretypes import grace\n"
        "grace.GRACE = 1000\n"
        f"{SERVE}",
        tmp_path,
    )
    (asked, answer), stderr, status = run(command, line(request("initialize", INITIALIZE)))
    assert asked["method"] == "test/ask"
    assert answer["error"]["code"] == -32603
    assert "ConnectionClosed" in stderr
    assert status == 0


@in_loop
async def test_an_answer_comes_through_while_initialize_waits_for_it(tmp_path: Path) -> None:
    command = program(
        f"{AGENT_OF_VERSION_1}"
        "    async def initialize(self, params):\n"
        "        print('waits', file=sys.stderr, flush=True)\n"
        "        await answered.wait()\n"
        "        return await super().initialize(params)\n"
        "answered = asyncio.Event()\n"
        "class Connection(acp.AgentConnection):\n"
        "    async def receive(self, data):\n"
        "        if b'result' in data:\n"
        "            answered.set()\n"
        "        await super().receive(data)\n"
        "asyncio.run(stdio.serve(Connection, [A]))",
        tmp_path,
    )
    async with started(command, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(line(request("initialize", INITIALIZE)) + line(request("x", None, 2)))
        assert await process.stderr.readline() == b"waits\n"
        process.stdin.write(line(request("x", None, 3)) + line(result({})) + line(request("x", None, 4)))
        assert [(await answer_of(process))["id"] for _ in range(4)] == [1, 2, 3, 4]
        process.stdin.close()
        assert await process.wait() == 0


def test_not_much_is_read_while_initialize_is_not_answered(tmp_path: Path) -> None:
    command = program(
        f"{AGENT_OF_VERSION_1}"
        "    async def initialize(self, params):\n"
        "        while not os.path.exists(sys.argv[1]):\n"
        "            await asyncio.sleep(0.05)\n"
        "        return await super().initialize(params)\n"
        f"{SERVE}",
        tmp_path,
    )
    ready = tmp_path / "ready"
    last = 4000
    written: list[int] = []

    def write() -> None:
        assert process.stdin is not None
        process.stdin.write(line(request("initialize", INITIALIZE)))
        for id_ in range(2, last + 1):
            written.append(process.stdin.write(line(request("x", {"padding": "x" * 1000}, id_))))
        process.stdin.close()

    with subprocess.Popen(
        (*command, str(ready)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        writing = threading.Thread(target=write)
        writing.start()
        ahead, before, end = 0, -1, time.monotonic() + 20
        while (ahead < 1_000_000 or ahead != before) and time.monotonic() < end:
            before = ahead
            time.sleep(1)
            ahead = sum(written)
        ready.touch()
        assert process.stdout is not None
        ids = [json.loads(text)["id"] for text in process.stdout]
        writing.join()
    assert 1_000_000 < ahead < 2_000_000
    assert ids == list(range(1, last + 1))


# --- a connection that fails -----------------------------------------------------------------------------------------


def test_a_message_that_the_connection_fails_to_take_is_logged_and_the_next_one_taken(tmp_path: Path) -> None:
    command = program(
        f"{AGENT_OF_VERSION_1}"
        "class Connection(acp.AgentConnection):\n"
        "    async def receive(self, data):\n"
        "        if b'odd' in data:\n"
        "            raise RecursionError('too odd')\n"
        "        await super().receive(data)\n"
        "asyncio.run(stdio.serve(Connection, [A]))",
        tmp_path,
    )
    odd = line(request("odd", None, 2))
    sent, stderr, status = run(command, odd, line(request("initialize", INITIALIZE)), odd, line(request("x", None, 3)))
    assert [answer["id"] for answer in sent] == [1, 3]
    assert stderr.count("RecursionError: too odd") == 2
    assert status == 0


class Failing(acp.ClientConnection):
    """A connection that takes nothing."""

    async def receive(self, data: bytes) -> None:
        raise RuntimeError(data)


@in_loop
async def test_calls_fail_at_the_end_of_a_program_whose_messages_are_not_taken(tmp_path: Path) -> None:
    command = program("sys.stdin.readline(); print('{}')", tmp_path)
    async with stdio.connect(Failing, [OldClient], *command) as connection:
        with pytest.raises(ConnectionClosed):
            await connection.initialize()


@in_loop
async def test_calls_fail_when_reading_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = asyncio.StreamReader.read

    async def fail_once(_: asyncio.StreamReader, size: int) -> bytes:
        monkeypatch.setattr(asyncio.StreamReader, "read", read)
        raise ConnectionResetError(size)

    monkeypatch.setattr(asyncio.StreamReader, "read", fail_once)
    command = program("sys.stdin.readline()", tmp_path)
    async with stdio.connect(acp.ClientConnection, [OldClient], *command) as connection:
        with pytest.raises(ConnectionClosed):
            await connection.initialize()


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
    monkeypatch.setattr("wiretypes.grace.GRACE", 0.2)
    command = program(
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)", tmp_path
    )
    async with stdio.connect(acp.ClientConnection, [OldClient], *command):
        pass


@pytest.fixture
def lifeline(tmp_path: Path) -> Generator[tuple[Path, int]]:
    """A named pipe, and what reads it: the end comes when nobody is left who has it open for writing."""
    path = tmp_path / "lifeline"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield path, descriptor
    os.close(descriptor)


async def pid_from(lifeline: int) -> int:
    """The id that a process writes, which holds the pipe from then on."""
    while True:
        with suppress(BlockingIOError):
            if said := os.read(lifeline, 100):
                return int(said)
        await asyncio.sleep(0.01)


async def ended(lifeline: int) -> None:
    """Wait until nobody holds the pipe any more."""
    while True:
        with suppress(BlockingIOError):
            if not os.read(lifeline, 100):
                return
        await asyncio.sleep(0.01)


STARTERS = {
    "waits for it": "sh -c 'echo $$ >&3; exec sleep 60' 3>{0}; true",
    "ends before it": "sh -c 'echo $$ >&3; exec sleep 60' 3>{0} & exit 0",
    "waits for it, which does not heed a signal": (
        "trap '' TERM; sh -c 'echo $$ >&3; for i in $(seq 300); do sleep 0.1; done' 3>{0}; true"
    ),
}


@pytest.mark.parametrize("script", STARTERS.values(), ids=STARTERS)
@in_loop
async def test_what_a_program_has_started_ends_too(
    script: str, lifeline: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiretypes.grace.GRACE", 0.3)
    path, held = lifeline
    async with stdio.connect(acp.ClientConnection, [OldClient], "/bin/sh", "-c", script.format(path)):
        await pid_from(held)
    await ended(held)


@in_loop
async def test_nobody_waits_for_what_has_left_a_program(
    lifeline: tuple[Path, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiretypes.grace.GRACE", 0.3)
    path, held = lifeline
    script = f"echo $$ > {path}; exec sleep 60"
    command = program(
        f"import subprocess; subprocess.Popen(['sh', '-c', {script!r}], start_new_session=True)", tmp_path
    )
    async with stdio.connect(acp.ClientConnection, [OldClient], *command):
        left = await pid_from(held)
    os.kill(left, signal.SIGKILL)


@in_loop
async def test_a_program_is_ended_at_once_when_nobody_waits_for_its_end(lifeline: tuple[Path, int]) -> None:
    path, held = lifeline
    script = STARTERS["waits for it"].format(path)

    async def use() -> None:
        async with stdio.connect(acp.ClientConnection, [OldClient], "/bin/sh", "-c", script):
            await pid_from(held)
            using.cancel()
            asyncio.get_running_loop().call_later(0.3, using.cancel)
            await asyncio.Event().wait()

    began = time.monotonic()
    using = asyncio.create_task(use())
    await asyncio.wait([using])
    await ended(held)
    assert time.monotonic() - began < 4


@in_loop
async def test_a_program_ends_when_the_handlers_are_refused(tmp_path: Path) -> None:
    nameless = type("Nameless", (v1.ClientHandler,), {})
    done = tmp_path / "done"
    with pytest.raises(ValueError, match="Nameless"):
        async with stdio.connect(acp.ClientConnection, [nameless, nameless], "/bin/sh", "-c", f"cat; touch {done}"):
            pass
    assert done.exists()


@in_loop
async def test_a_program_that_there_is_not() -> None:
    with pytest.raises(OSError, match="no-such-program"):
        async with stdio.connect(acp.ClientConnection, [OldClient], "./no-such-program"):
            pass
