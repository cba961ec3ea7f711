"""The first steps of a new user, line by line as README.md prints them, and the other examples of the documentation."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import wiregen as checkout
from e2e.workshop import ROOT, Workshop, transcript
from wiregen import config

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = '[project]\nname = "app"\nversion = "1.0"\n'


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def steps() -> list[str]:
    """The commands of a new user."""
    (block,) = [block for block in blocks("console") if "wiregen init" in block]
    return block.splitlines()


@pytest.mark.parametrize("hooks", blocks("yaml"), ids=["local", "repo"])
def test_a_new_user(hooks: str, workshop: Workshop, tmp_path: Path) -> None:
    """Only where packages come from is arranged: `pip` finds the wheels of this checkout, beside which it lies."""
    base = tmp_path / "base"
    base.mkdir()
    shutil.copytree(workshop.checkout, base / "wiregen")
    folder = base / "app"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (folder / ".pre-commit-config.yaml").write_text(hooks, encoding="utf-8")
    commands = pip_for(base / "venv")
    environment = workshop.environment(commands)
    transcript(["git init -q ."], folder, environment)
    lines = [line.replace("PYTHONPATH=src", "PYTHONPATH=src:$PYTHONPATH") for line in steps()]
    told = transcript(lines, folder, environment)
    assert "[exit" not in told, told
    assert "{'acp': ('v2',), 'mcp': ('2025-11-25',)}" in told
    assert "wiregen check............................................................Passed" in told
    assert "[exit" not in transcript(["wiregen generate --check", "git diff --exit-code"], folder, environment)


def pip_for(venv: Path) -> Path:
    """An empty environment with a `pip` of its own: that of the developers, at work there."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    pip = venv / "bin" / "pip"
    pip.write_text(
        f'#!/bin/sh\nPYTHONPATH= exec "{sys.executable}" -m pip --python "{venv}/bin/python" "$@"\n', encoding="utf-8"
    )
    pip.chmod(0o755)
    return venv / "bin"


def test_hooks_name_this_version() -> None:
    assert f"rev: v{checkout.__version__}\n" in README


@pytest.mark.parametrize("name", ["README.md", "docs/generate.md"])
def test_configurations_are_read(name: str) -> None:
    for block in blocks("toml", (ROOT / name).read_text(encoding="utf-8")):
        if "wiregen" in tomllib.loads(block).get("tool", {}):
            assert config.parse(block.encode(), file=Path("pyproject.toml")).outputs
