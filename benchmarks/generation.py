"""What it costs to generate the package, and to find that there is nothing to do."""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

from benchmarks import plain
from benchmarks.figures import Figure, Key
from benchmarks.measure import cpu_of_command, in_turns, run

BENCHMARK: Final = "generation"
WIREGEN: Final = "wiregen"
PLAIN: Final = "datamodel-codegen with ruff"
TYPER: Final = 'python -c "import typer"'

ALL: Final = "all nine versions"
ONE: Final = "acp@v2 alone"
NOTHING: Final = "nothing to do"

_ONE: Final = "acp@v2"
_GENERATE: Final = (sys.executable, "-m", "wiregen", "generate", "--package", "wiretypes", "--output")

GROWTH: Final = tuple(120 * 2**doublings for doublings in range(5))
"""Sizes of a schema that is doubled four times, in definitions."""
_UNIT: Final = 4


def of_size(definitions: int) -> str:
    """Title of the task with a schema of this size."""
    return f"{definitions} definitions"


_Turns: TypeAlias = dict[tuple[str, str], Callable[[], float]]


def measure(*, quick: bool) -> list[Figure]:
    """Figures of all tasks; the quick form leaves out what takes long."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        turns = {**_one_version(folder), **_nothing(folder)}
        if not quick:
            turns |= {**_all_versions(folder), **_growth(folder)}
        values = in_turns(turns, 3 if quick else 5)
    return [Figure(Key(BENCHMARK, *key), "seconds", tuple(seconds)) for key, seconds in values.items()]


def _one_version(folder: Path) -> _Turns:
    return {
        (ONE, WIREGEN): lambda: _cold(folder, "one", _ONE),
        (ONE, PLAIN): lambda: cpu_of_command(plain.command(_ONE, folder / "one.py"), folder),
    }


def _all_versions(folder: Path) -> _Turns:
    return {
        (ALL, WIREGEN): lambda: _cold(folder, "all", *plain.VERSIONS),
        (ALL, PLAIN): lambda: sum(
            cpu_of_command(plain.command(version, folder / "all.py"), folder) for version in plain.VERSIONS
        ),
    }


def _nothing(folder: Path) -> _Turns:
    done = [*_GENERATE, "done/wiretypes", _ONE]
    run(done, folder)
    return {
        (NOTHING, WIREGEN): lambda: cpu_of_command(done, folder),
        (NOTHING, TYPER): lambda: cpu_of_command([sys.executable, "-c", "import typer"], folder),
    }


def _growth(folder: Path) -> _Turns:
    turns: _Turns = {}
    for size in GROWTH:
        path = folder / f"{size}.json"
        path.write_text(json.dumps(_schema(size // _UNIT)))
        arguments = [_ONE, "--schema", f"{_ONE}={path}", "--emit", "models"]
        turns[of_size(size), WIREGEN] = partial(_cold, folder, "grown", *arguments)
    return turns


def _cold(folder: Path, output: str, *arguments: str) -> float:
    rmtree(folder / output, ignore_errors=True)
    return cpu_of_command([*_GENERATE, f"{output}/wiretypes", *arguments], folder)


def _schema(units: int) -> dict[str, Any]:
    """A schema of so many copies of a few definitions, and one method."""
    definitions: dict[str, Any] = {"PingNotification": {"type": "object", "x-method": "ping", "x-side": "client"}}
    for unit in range(units):
        definitions |= _unit(f"N{unit}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}


def _unit(name: str) -> dict[str, Any]:
    string = {"type": "string"}
    return {
        f"{name}State": {"type": "string", "enum": ["open", "closed"]},
        f"{name}Note": {
            "type": "object",
            "properties": {"text": string, "author": {"type": ["string", "null"]}, "size": {"type": "integer"}},
            "required": ["text"],
        },
        f"{name}Board": {
            "type": "object",
            "properties": {
                "notes": {"type": "array", "items": {"$ref": f"#/$defs/{name}Note"}},
                "state": {"$ref": f"#/$defs/{name}State"},
            },
            "required": ["notes"],
        },
        f"{name}Change": {
            "oneOf": [
                _member("added", f"{name}Note"),
                _member("reset", f"{name}Board"),
            ],
            "discriminator": {"propertyName": "change"},
        },
    }


def _member(tag: str, definition: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"change": {"type": "string", "const": tag}},
        "required": ["change"],
        "allOf": [{"$ref": f"#/$defs/{definition}"}],
    }
