"""Runs of `wiregen` in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import wiregen

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "WIREGEN_TRACEBACK")},
    "PYTHONPATH": str(Path(wiregen.__file__).parents[1]),
    "PYTHONUTF8": "1",
}


def python(
    *arguments: str, folder: Path, environment: Mapping[str, str] = ENVIRONMENT
) -> subprocess.CompletedProcess[str]:
    """Runs Python with arguments in a folder, wherever `wiregen` comes from."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def wiregen_in(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `wiregen` with arguments in a folder."""
    return python("-m", "wiregen", *arguments, folder=folder, environment={**ENVIRONMENT, **environment})
