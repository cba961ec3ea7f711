"""The short way of a run with nothing to do: what it loads, and that it reads arguments as Typer does."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from commands import python, wiregen_in
from typer.testing import CliRunner

from wiregen import generate_cli, quick
from wiregen.cli import app
from wiregen.flags import settings
from wiregen.generate_cli import Mode
from wiregen.report import Report
from wiregen.settings import Settings
from wiregen.terminal import Terminal

SWITCHES = {"-q": "quiet", "--exit-non-zero-on-write": "fail_on_write"}
ARGUMENTS = [
    "",
    "--check",
    "-q --diff",
    "--exit-non-zero-on-write",
    "acp@v2 mcp@2025-11-25 --output src/wire",
    "--output src/wire acp@v2 --check --package app.wire --quiet",
    "--schema acp@v2=a=b.json --schema acp@v1=c.json --emit models --emit messages",
    "--line-length 88 --templates t",
    "--output -x",
]
LEFT_TO_TYPER = [
    "--output=src/wire",
    "--outp src/wire",
    "--format json",
    "--full",
    "-qq",
    "--help",
    "-- acp@v2",
    "--output",
    "--line-length x",
    "--emit nothing",
    "acp@v9",
]


def by_typer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[Settings, dict[str, bool]]:
    """The settings and switches that the command gets from Typer."""
    seen: list[Any] = []

    def spy(given: Settings, mode: Mode, terminal: Terminal) -> Report:
        seen.extend((given, {**asdict(mode), "quiet": terminal.is_quiet}))
        return Report(exit_code=0)

    monkeypatch.setattr(generate_cli, "_run", spy)
    done = CliRunner().invoke(app, ["generate", *arguments])
    assert done.exit_code == 0, done.output
    given, switches = seen
    return given, switches


@pytest.mark.parametrize("line", ARGUMENTS)
def test_arguments_mean_what_they_mean_to_typer(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = line.split()
    parsed = quick.parse(["generate", *arguments])
    assert parsed is not None
    values, switches = parsed
    given, typed = by_typer(arguments, monkeypatch)
    assert settings(**values) == given
    assert {name for name, is_on in typed.items() if is_on} == {
        SWITCHES.get(switch, switch.removeprefix("--")) for switch in switches
    }


@pytest.mark.parametrize("line", LEFT_TO_TYPER)
def test_what_is_not_plain_is_left_to_typer(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not quick.is_done(["generate", *line.split()])


@pytest.mark.parametrize("arguments", [[], ["--help"], ["schema", "list"], ["--version"]])
def test_other_commands_are_left_to_typer(arguments: list[str]) -> None:
    assert quick.parse(arguments) is None


def test_nothing_slow_is_loaded(tmp_path: Path) -> None:
    """Counted in modules: time is measured by `python -m e2e.cost`."""
    arguments = ["generate", "acp@v1", "--output", "wire", "--emit", "models"]
    assert wiregen_in(tmp_path, *arguments).returncode == 0
    script = "import sys, json; from wiregen.__main__ import main; main(); print(json.dumps([*sys.modules]))"
    done = python("-c", script, *arguments, folder=tmp_path)
    assert done.stderr == "wire: up to date\n"
    slow = {"datamodel_code_generator", "jinja2", "jsonschema_rs", "pydantic", "ruff", "typer", "importlib.metadata"}
    assert not slow & {*json.loads(done.stdout)}
