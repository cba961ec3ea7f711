"""The first steps of a new user, line by line as README.md prints them, and the other examples of the documentation."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

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
    """Only what is not ours is arranged: `pip` builds with the tools of the developers, and fetches nothing."""
    base = tmp_path / "base"
    base.mkdir()
    shutil.copytree(workshop.checkout, base / "wiregen")
    folder = base / "app"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    hooks = hooks.replace("rev: COMMIT", f"rev: {workshop.commit()}")
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
    tools = venv / "build-tools"
    tools.mkdir()
    for name in ("hatchling", "packaging", "pathspec", "pluggy", "trove-classifiers"):
        distribution = metadata.distribution(name)
        for part in {file.parts[0] for file in distribution.files or () if file.parts[0] != ".."}:
            (tools / part).symlink_to(str(distribution.locate_file(part)))
    pip = venv / "bin" / "pip"
    command = f'PYTHONPATH="{tools}" exec "{sys.executable}" -m pip --python "{venv}/bin/python" "$@"'
    pip.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    pip.chmod(0o755)
    return venv / "bin"


def test_the_readme_tells_how_to_find_the_commit_of_the_hook(workshop: Workshop) -> None:
    (command,) = re.findall(r"rev: COMMIT .*`(git .*)`", README)
    told = transcript([command], workshop.folder / "dist", workshop.environment())
    assert told.splitlines()[1:] == [workshop.commit()]


@pytest.mark.parametrize("name", ["README.md", "docs/generate.md"])
def test_configurations_are_read(name: str) -> None:
    for block in blocks("toml", (ROOT / name).read_text(encoding="utf-8")):
        if "wiregen" in tomllib.loads(block).get("tool", {}):
            assert config.parse(block.encode(), file=Path("pyproject.toml")).outputs
