"""`wiregen generate --diff` is a patch: git takes it at the root of the project, and then nothing is left to do."""

import os
import subprocess
from pathlib import Path

import pytest
from commands import wiregen_in
from schemas import STRING, document, obj

from wiregen import patch, write

CONFIG = """
[tool.wiregen]
emit = ["models"]

[[tool.wiregen.outputs]]
output = "src/a b/wire"
versions = ["acp@v2", "acp@v1"]
schemas = {"acp@v2" = "schema.json"}

[[tool.wiregen.outputs]]
output = "ü/wire"
versions = ["acp@v2"]
schemas = {"acp@v2" = "schema.json"}
"""


def git(folder: Path, *arguments: str, given: str = "") -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=given, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", ".")
    git(tmp_path, "config", "core.autocrlf", "false")
    (tmp_path / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "schema.json").write_bytes(document({"Wave": obj({"text": STRING}, "text")}))
    return tmp_path


def applied(project: Path) -> str:
    """What the command prints, when git has done it, and nothing is left to do."""
    told = wiregen_in(project, "generate", "--diff")
    assert told.returncode == 0
    assert told.stdout == wiregen_in(project, "generate", "--diff", "-q").stdout != ""
    git(project, "apply", "--check", "-", given=told.stdout)
    git(project, "apply", "-", given=told.stdout)
    done = wiregen_in(project, "generate", "--check", "--full")
    assert done.returncode == 0, done.stderr
    assert wiregen_in(project, "generate", "--diff").stdout == ""
    return told.stdout


def test_git_takes_what_would_change(project: Path) -> None:
    first = applied(project)
    assert "+++ b/src/a b/wire/py.typed" not in first  # it is empty: only its head says that it is made
    assert "diff --git a/src/a b/wire/py.typed b/src/a b/wire/py.typed\nnew file mode 100644\n" in first
    assert "+++ b/ü/wire/codec.py\n" in first

    (project / "ü/wire/codec.py").write_text("mine", encoding="utf-8")
    (project / "schema.json").write_bytes(document({"Wave": obj({"word": STRING}, "word")}))
    config = project / "pyproject.toml"
    config.write_text(config.read_text(encoding="utf-8").replace(', "acp@v1"', ""), encoding="utf-8")
    second = applied(project)
    assert "--- a/src/a b/wire/acp/v1/models.py\t\n+++ /dev/null\n" in second
    assert "-mine\n\\ No newline at end of file\n" in second


def test_a_manifest_that_alone_is_outdated_is_told(project: Path) -> None:
    assert wiregen_in(project, "generate").returncode == 0
    (project / "schema.json").write_bytes((project / "schema.json").read_bytes() + b" ")
    told = applied(project)
    assert [line for line in told.splitlines() if line.startswith("+++")] == [
        "+++ b/src/a b/wire/.wiregen.json\t",
        "+++ b/ü/wire/.wiregen.json",
    ]


@pytest.mark.skipif(os.name == "nt", reason="such names are those of POSIX")
def test_names_are_written_so_that_git_reads_them(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    output = tmp_path / 'q"\t\n\\ ü' / "wire"
    plan = write.plan({"a.py": b"1\n"}, output, {})
    git(tmp_path, "apply", "-", given=patch.diff(plan, tmp_path))
    assert (output / "a.py").read_bytes() == b"1\n"
    assert write.plan({"a.py": b"1\n"}, output, {}).is_current


def test_an_output_that_lies_elsewhere_is_named_in_full(tmp_path: Path) -> None:
    plan = write.plan({"a.py": b"1\n"}, tmp_path / "one" / "wire", {})
    named = (tmp_path / "one" / "wire" / "a.py").relative_to(tmp_path.anchor).as_posix()
    assert f"+++ b/{named}\n" in patch.diff(plan, tmp_path / "other")


def test_the_patch_is_unified(tmp_path: Path) -> None:
    write.apply(write.plan({"a.py": b"1\n2\n", "b.py": b"x", "same.py": b""}, tmp_path, {}))
    plan = write.plan({"a.py": b"1\n3\n", "c.py": b"y\x0c\n", "same.py": b""}, tmp_path, {})
    _, told = patch.diff(plan, tmp_path).split("diff --git a/a.py b/a.py\n")
    assert told == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n"
        "diff --git a/b.py b/b.py\ndeleted file mode 100644\n"
        "--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n"
        "diff --git a/c.py b/c.py\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/c.py\n@@ -0,0 +1 @@\n+y\x0c\n"
    )
