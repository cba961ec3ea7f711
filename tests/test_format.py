"""Formatting: the same everywhere, whatever configuration is around."""

import subprocess
from pathlib import Path

import pytest

from wiregen.errors import InvalidInput
from wiregen.format import format_files

MESSY = "import sys, os\nfrom typing import (Any)\nimport pydantic\nx={ 'a':Any , \"b\":sys,'c':pydantic }\n"
NEAT = 'import sys\nfrom typing import Any\n\nimport pydantic\n\nx = {"a": Any, "b": sys, "c": pydantic}\n'


@pytest.mark.parametrize("name", ["a.py", "acp/v2.py", "build/a.py", "venv/.hidden/a.py", "acp/__init__.py"])
def test_imports_are_sorted_and_code_is_formatted(name: str) -> None:
    expected = NEAT if not name.endswith("__init__.py") else NEAT.replace("import sys\n", "import os\nimport sys\n")
    assert format_files({name: MESSY, "py.typed": ""}) == {name: expected, "py.typed": ""}


def test_other_files_and_their_order_stay() -> None:
    files = {"b.md": "a  b", "a.py": "x=1\n", "A.toml": "[a]"}
    assert list(format_files(files).items()) == [("b.md", "a  b"), ("a.py", "x = 1\n"), ("A.toml", "[a]")]
    assert format_files({}) == {}


def test_no_configuration_on_the_way_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruff.toml").write_text('line-length = 20\n[format]\nquote-style = "single"\n', encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*\n", encoding="utf-8")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert format_files({"a.py": MESSY}) == {"a.py": NEAT}
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitignore", "ruff.toml"]


def test_lines_are_long_and_end_with_a_line_feed() -> None:
    line = f"xyz = [{', '.join(['1'] * 38)}]\n"
    assert len(line) == 120 + len("\n")
    assert format_files({"a.py": line.replace("\n", "\r\n")}) == {"a.py": line}


def test_code_that_does_not_parse_is_a_fault_of_ours() -> None:
    with pytest.raises(InvalidInput) as caught:
        format_files({"a.py": "x = 1\n", "acp/b.py": "x = (\n"})
    (finding,) = caught.value.diagnostics
    assert finding.code == "internal"
    assert "acp/b.py:2:1" in finding.message.replace("\\", "/")
    assert "report" in str(finding.hint)


def test_a_name_that_leads_out_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"error\[internal\]"):
        format_files({"../a.py": "x = 1\n"})


def test_a_missing_ruff_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> subprocess.CompletedProcess[bytes]:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(subprocess, "run", missing)
    with pytest.raises(InvalidInput, match=r"error\[no-ruff\]: ruff cannot be run: No such file"):
        format_files({"a.py": "x = 1\n"})
