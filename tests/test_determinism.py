"""The same schemas give the same bytes, whatever the hash seed, the working folder and the output folder are."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

CODEGEN = Path(__file__).resolve().parents[1] / "codegen"


def generated(folder: Path, seed: str) -> dict[str, bytes]:
    """What all versions give in a process of its own that runs in `folder`."""
    command = [
        sys.executable,
        "-m",
        "wiregen",
        "generate",
        *VERSIONS,
        "--output",
        "made",
        "--package",
        "made",
        "--full",
    ]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(CODEGEN)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    root = folder / "made"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


VERSIONS = [
    *("acp@v1", "acp@v1-unstable", "acp@v2", "acp@v2-unstable"),
    *("mcp@2024-11-05", "mcp@2025-03-26", "mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"),
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """All versions, made in two folders with two hash seeds."""
    deep = tmp_path_factory.mktemp("one") / "some" / "deeper folder"
    deep.mkdir(parents=True)
    return [generated(deep, "1"), generated(tmp_path_factory.mktemp("two"), "4242")]


def test_two_runs_give_identical_bytes(outputs: list[dict[str, bytes]]) -> None:
    first, second = outputs
    assert first.keys() == second.keys()
    assert [name for name, data in first.items() if second[name] != data] == []
    assert len(first) > 2 * len(VERSIONS)


def test_no_file_names_a_folder_of_this_machine(outputs: list[dict[str, bytes]]) -> None:
    here = {f"{place}/".encode() for place in (CODEGEN.parents[1], Path.home(), sys.prefix, tempfile.gettempdir())}
    assert not [name for name, data in outputs[0].items() if any(place in data for place in here)]
