"""Runs a command on the standard streams of this process and writes down its process id and how it ended.

Usage: `python supervise.py FILE COMMAND...`. FILE holds the process id while the command runs, and the exit code after
it as soon as it has ended by itself. Clients start their peers with little of the environment, so what ours need to be
imported is put in place here.
"""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PYTHONPATH = os.pathsep.join(str(folder) for folder in (TESTS, TESTS.parent / "generated"))


def main(file: str, *command: str) -> None:
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": PYTHONPATH})
    Path(file).write_text(str(process.pid), encoding="utf-8")
    code = process.wait()
    Path(file).write_text(f"{process.pid} {code}", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
