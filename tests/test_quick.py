"""The way without Typer: that arguments mean the same on it, and what a run with nothing to do loads."""

import json
from pathlib import Path

import pytest
from commands import python, wiregen_in
from typer.testing import CliRunner

from wiregen import generation, quick
from wiregen.cli import app
from wiregen.flags import Request

PLAIN = [
    "",
    "--check",
    "-q --diff",
    "--full --exit-non-zero-on-write",
    "--format json --format text --quiet",
    "acp@v2 mcp@2025-11-25 --output src/wire",
    "--output src/wire acp@v2 --check --package app.wire --quiet",
    "--schema acp@v2=a=b.json --schema acp@v1=c.json --emit models --emit nothing",
    "--line-length 88 --templates t acp@v9",
    "--output -x --output y",
    "--line-length 060",
    "--output=src/wire --check",
    "--output=a=b --package= --schema=acp@v2=c.json --emit=models --emit=",
    "--line-length=88 --templates=--check --format=json",
    "acp@v2=x",
]
NOT_PLAIN = [
    "--outp src/wire",
    "--outp=src/wire",
    "--check=yes",
    "-q=1",
    "--format yaml",
    "-qq",
    "-q1",
    "--help",
    "-- acp@v2",
    "--output",
    "--emit models --schema",
    "--line-length x",
    "--line-length=",
    "--format=yaml",
    "--line-length 20",
    "--line-length 9999",
]


def by_typer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Request:
    """The request that Typer makes of the arguments."""
    seen: list[Request] = []

    def spy(request: Request) -> int:
        seen.append(request)
        return 0

    monkeypatch.setattr(generation, "perform", spy)
    done = CliRunner().invoke(app, ["generate", *arguments])
    assert done.exit_code == 0, done.output
    (request,) = seen
    return request


@pytest.mark.parametrize("line", PLAIN)
def test_arguments_mean_what_they_mean_to_typer(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = line.split()
    assert quick.parse(["generate", *arguments]) == by_typer(arguments, monkeypatch)


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_what_is_not_plain_is_left_to_typer(line: str) -> None:
    assert quick.run(["generate", *line.split()]) is None


@pytest.mark.parametrize("arguments", [[], ["--help"], ["schema", "list"], ["--version"]])
def test_other_commands_are_left_to_typer(arguments: list[str]) -> None:
    assert quick.parse(arguments) is None


@pytest.mark.parametrize("flags", [["--output", "wire", "--emit", "models"], ["--output=wire", "--emit=models"]])
def test_nothing_slow_is_loaded(flags: list[str], tmp_path: Path) -> None:
    """Counted in modules: `make bench` measures the time."""
    arguments = ["generate", "acp@v1", *flags]
    assert wiregen_in(tmp_path, *arguments).returncode == 0
    script = "import sys, json; from wiregen import quick; quick.run(sys.argv[1:]); print(json.dumps([*sys.modules]))"
    done = python("-c", script, *arguments, folder=tmp_path)
    assert done.stderr == "wire: up to date\n"
    slow = {
        "datamodel_code_generator",
        "importlib.metadata",
        "jinja2",
        "jsonschema_rs",
        "pydantic",
        "ruff",
        "shutil",
        "typer",
    }
    assert not slow & {*json.loads(done.stdout)}
