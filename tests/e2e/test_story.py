"""A project from its first day with `wiregen` to an upgrade: what the terminal shows at each step is a golden file.

`make golden` writes them anew.
"""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.workshop import Workshop, build, install, transcript
from wiregen import catalogue
from wiregen.catalogue import Target

GOLDEN = Path(__file__).with_name("golden")
PROJECT = """\
[project]
name = "app"
version = "1.0"

[dependency-groups]
dev = ["wiregen"]
"""
HOOKS = """\
repos:
  - repo: local
    hooks:
      - id: wiregen-check
        name: wiregen check
        entry: wiregen generate --check
        language: system
        always_run: true
        pass_filenames: false
"""
TARGET = Target("mcp", "2025-11-25")


class Story:
    """A project, what is typed in it, and what the terminal shows."""

    def __init__(self, folder: Path, environment: dict[str, str], commands: Path) -> None:
        self.folder = folder
        self.environment = environment
        self.commands = commands
        self.told: dict[str, str] = {}

    def step(self, name: str, *lines: str) -> None:
        self.told[name] = transcript(lines, self.folder, self.environment)

    def edit(self, file: str, change: Callable[[str], str]) -> None:
        """Changes a file as a person would in an editor."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(change(text), encoding="utf-8", newline="\n")


@pytest.fixture(scope="module")
def story(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Story:
    base = tmp_path_factory.mktemp("story")
    commands = install(base / "venv", workshop, "wiregen")
    folder = base / "app"
    (folder / "src" / "app").mkdir(parents=True)
    (folder / "src" / "app" / "__init__.py").touch()
    story = Story(folder, workshop.environment(commands), commands)
    story.edit("pyproject.toml", lambda _: PROJECT)
    begin(story)
    commit_with_the_hook(story)
    edit_by_hand(story)
    update_the_schema(story)
    break_the_schema(story)
    remove_a_version(story)
    upgrade(story, workshop)
    return story


def begin(story: Story) -> None:
    story.step("01 begin", "git init -q .", "wiregen init")
    settings = 'versions = ["mcp@2025-11-25", "mcp@2026-07-28"]\nemit = ["models", "messages"]'
    story.edit("pyproject.toml", lambda text: re.sub(r"(?m)^versions = .*$", settings, text))
    python = "from app._wire import VERSIONS; print(*VERSIONS['mcp'])"
    story.environment["PYTHONPATH"] += f":{story.folder / 'src'}"
    story.step("02 generate", "wiregen generate", "wiregen generate", f'python -c "{python}"')


def commit_with_the_hook(story: Story) -> None:
    story.edit(".pre-commit-config.yaml", lambda _: HOOKS)
    story.edit(".gitignore", lambda _: "__pycache__/\n")
    story.step(
        "03 commit", "pre-commit install", "git add -A", "git commit -qm 'Messages of MCP'", "git status --short"
    )


def edit_by_hand(story: Story) -> None:
    # In a file of which the story itself says what is in it.
    story.edit("src/app/_wire/__init__.py", lambda text: text.replace('("2025-11-25"', '("2024-11-05", "2025-11-25"'))
    story.step(
        "04 edit", "git commit -qam 'One more'", "wiregen generate --diff", "wiregen generate", "git status --short"
    )


def update_the_schema(story: Story) -> None:
    data, _ = catalogue.read_schema(TARGET)
    story.edit("schemas/mcp.json", lambda _: data.decode())
    story.edit(
        "pyproject.toml", lambda text: text + '\n[tool.wiregen.schemas]\n"mcp@2025-11-25" = "schemas/mcp.json"\n'
    )
    story.step("05 own schema", "wiregen generate --check", "git add -A", "git commit -qm 'Own schema'")

    def with_newer_field(text: str) -> str:
        schema = json.loads(text)
        schema["$defs"]["Implementation"]["properties"]["motto"] = {"type": "string"}
        return json.dumps(schema, indent=2)

    story.edit("schemas/mcp.json", with_newer_field)
    story.step(
        "06 schema updated",
        "git commit -qam 'Mottos'",
        "wiregen generate --diff",
        "wiregen generate",
        "git commit -qam 'Mottos'",
    )


def break_the_schema(story: Story) -> None:
    before = (story.folder / "schemas/mcp.json").read_text(encoding="utf-8")
    story.edit("schemas/mcp.json", lambda text: text.replace("#/$defs/Role", "#/$defs/Roll", 1))
    story.step("07 schema broken", "wiregen generate", "git status --short")
    story.edit("schemas/mcp.json", lambda _: before)


def remove_a_version(story: Story) -> None:
    story.edit("pyproject.toml", lambda text: text.replace(', "mcp@2026-07-28"', ""))
    story.step(
        "08 version removed",
        "wiregen generate --check",
        "wiregen generate",
        "git status --short",
        "git add -A",
        "git commit -qm 'One version'",
    )


def upgrade(story: Story, workshop: Workshop) -> None:
    newer = story.folder.parent / "newer"
    subprocess.run(["git", "clone", "-q", str(workshop.checkout), str(newer)], env=workshop.environment(), check=True)
    package = newer / "codegen" / "wiregen" / "__init__.py"
    text = package.read_text(encoding="utf-8")
    package.write_text(re.sub(r'__version__ = ".*"', '__version__ = "9.0"', text), encoding="utf-8")
    build(newer, newer / "dist", workshop)
    (wheel,) = (newer / "dist").glob("*.whl")
    install(story.commands.parent, workshop, str(wheel))
    story.step(
        "09 upgrade",
        "wiregen --version",
        "git commit -qm 'Upgrade' --allow-empty",
        "wiregen generate",
        "git commit -qam 'Upgrade'",
        "git status --short",
    )


STEPS = (
    "01 begin",
    "02 generate",
    "03 commit",
    "04 edit",
    "05 own schema",
    "06 schema updated",
    "07 schema broken",
    "08 version removed",
    "09 upgrade",
)


@pytest.mark.parametrize("step", STEPS)
def test_what_the_terminal_shows(step: str, story: Story, request: pytest.FixtureRequest) -> None:
    file = GOLDEN / f"{step.replace(' ', '-')}.txt"
    told = normalised(story.told[step])
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(told, encoding="utf-8", newline="\n")
    assert told == file.read_text(encoding="utf-8")


def normalised(text: str) -> str:
    """The text without what every change of `wiregen` changes: versions, digests, places in files, their number."""
    text = re.sub(r"wiregen \(\d+\.\d+\.\d+ ->", "wiregen (VERSION ->", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "(digest)", text)
    text = re.sub(r'(?m)^     .*"\(digest\)",\n', "", text)  # what stands beside a change in the manifest
    text = re.sub(r"(?m)^@@ -[\d,]+ \+[\d,]+ @@$", "@@ (place) @@", text)
    return re.sub(r"\d{2,} files", "(many) files", text)


def test_every_step_is_told(story: Story) -> None:
    assert tuple(story.told) == STEPS
