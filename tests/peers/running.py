"""Runs a client against its peer, within bounds, and gives the record that the client made."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from peers.programs import Program
from peers.sessions import Record, read_record
from peers.supervise import PYTHONPATH

SUPERVISE = Path(__file__).with_name("supervise.py")
SECONDS = 90
"""The longest a session may take. It takes about one; machines that run the tests are busy."""


def run(client: Program, server: Program, folder: Path, *, ends_by_itself: bool = True) -> Record:
    """The record of a session, held over pipes between two processes.

    Args:
        client: starts the other.
        server: the agent or server.
        folder: an empty one for what is written down on the way.
        ends_by_itself: whether the server has to end, without an error, once the client closes its input.
    """
    for program in (client, server):
        if program.missing is not None:
            pytest.skip(program.missing)
    status = folder / "status"
    command = [*client.command, sys.executable, str(SUPERVISE), str(status), *server.command]
    errors = folder / "stderr"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, "PYTHONPATH": PYTHONPATH},
            start_new_session=True,
        )
        try:
            out, _ = process.communicate(timeout=SECONDS)
            late = ""
        except subprocess.TimeoutExpired as expired:
            out, late = expired.stdout or b"", f"no end after {SECONDS} seconds; "
        finally:
            _end(process, status)
    record = read_record(out.decode())
    told = f"{late}exit code {process.returncode}; record so far: {record}\n{errors.read_text(errors='replace')}"
    assert process.returncode == 0, told
    if ends_by_itself:
        assert status.read_text(encoding="utf-8").split()[1:] == ["0"], told
    return record


def compare(record: Record, expected: Record, *, keeps_order: bool) -> None:
    """Asserts that a record is as expected, in order as far as the client's record is."""
    if keeps_order:
        assert record == expected
    else:
        assert _by_kind(record) == _by_kind(expected)


def _by_kind(record: Record) -> dict[object, Record]:
    kinds: dict[object, Record] = {}
    for entry in record:
        kinds.setdefault(entry[0], []).append(entry)
    return kinds


def _end(process: subprocess.Popen[bytes], status: Path) -> None:
    """Ends the client and the server, where they have not ended by themselves."""
    if process.poll() is None:
        process.kill()
        process.wait()
    written = status.read_text(encoding="utf-8").split() if status.exists() else []
    if len(written) == 1:
        with suppress(ProcessLookupError):
            os.kill(int(written[0]), signal.SIGKILL)
