"""The pre-commit hooks: from a `repo:` entry and as `local` ones, in a repository, a submodule and a work tree."""

import subprocess
from pathlib import Path

import pytest
from schemas import STRING, document, obj

from e2e.workshop import Workshop, transcript

CONFIG = """
[tool.wiregen]
output = "src/app/_wire"
package = "app._wire"
versions = ["acp@v1"]
schemas = {"acp@v1" = "schema.json"}
emit = ["models"]
"""
LOCAL = """
repos:
  - repo: local
    hooks:
      - id: wiregen-{kind}
        name: wiregen {kind}
        entry: wiregen generate {flag}
        language: system
        always_run: true
        pass_filenames: false
"""
REPOSITORY = """
repos:
  - repo: {repository}
    rev: {commit}
    hooks:
      - id: wiregen-{kind}
"""
FLAGS = {"check": "--check", "generate": "--exit-non-zero-on-write"}


class Repository:
    """A git repository with the hooks installed."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def run(self, *commands: str) -> str:
        return transcript(commands, self.folder, self.environment)

    def commit(self) -> str:
        """What committing everything prints."""
        return self.run("git add -A", "git commit -qm Change")


def make(place: str, folder: Path, environment: dict[str, str]) -> Repository:
    """A repository to commit in: one of its own, a submodule of another, or a second work tree."""
    main = folder / "main"
    main.mkdir()
    repository = Repository(main, environment)
    repository.run("git init -q .", "git commit -qm First --allow-empty")
    if place == "plain":
        return repository
    if place == "worktree":
        repository.run("git worktree add -q ../other")
        return Repository(folder / "other", environment)
    outer = folder / "outer"
    outer.mkdir()
    Repository(outer, environment).run("git init -q .", "git submodule add -q ../main inner")
    return Repository(outer / "inner", environment)


# Each pair of two of them once.
@pytest.mark.parametrize(
    ("tool", "entry", "place"),
    [
        ("pre-commit", "repo", "plain"),
        ("pre-commit", "repo", "submodule"),
        ("pre-commit", "local", "worktree"),
        ("prek", "repo", "worktree"),
        ("prek", "local", "plain"),
        ("prek", "local", "submodule"),
    ],
)
def test_the_hooks(  # noqa: PLR0913, PLR0917  (half of them are fixtures)
    tool: str, entry: str, place: str, workshop: Workshop, wiregen: Path, tmp_path: Path
) -> None:
    # A hook from a repository brings its own wiregen.
    environment = workshop.environment(*([wiregen] if entry == "local" else []))
    repository = make(place, tmp_path, environment)
    (repository.folder / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
    (repository.folder / "schema.json").write_bytes(document({"Wave": obj({"text": STRING}, "text")}))
    for kind in ("check", "generate"):
        text = LOCAL if entry == "local" else REPOSITORY
        held = {"repository": workshop.checkout.as_posix(), "commit": workshop.commit()}
        text = text.format(kind=kind, flag=FLAGS[kind], **held)
        (repository.folder / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
        assert "[exit" not in repository.run("git add -A", f"{tool} install")
        told = repository.commit()
        assert f"wiregen {kind}" in told
        if kind == "check":
            assert "error[new]: not generated yet; `wiregen generate` mends it" in told
            assert "[exit 1]" in told
            assert not (repository.folder / "src").exists()
        else:
            assert "files written" in told
            assert "[exit 1]" in told
            assert (repository.folder / "src/app/_wire/codec.py").is_file()
            assert "Passed" in repository.commit()
            assert not subprocess.run(
                ["git", "status", "--porcelain"],
                cwd=repository.folder,
                env=environment,
                capture_output=True,
                check=True,
            ).stdout
