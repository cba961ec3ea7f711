"""What the READMEs and CONTRIBUTING print works: Python as it stands, configuration as it is read.

The Python blocks of a file are run one after the other in one namespace, as a reader types them. A block that begins with
a docstring is a program instead, and stands alone: one of `examples/` is saved under its name, for those below to start,
any other is run. A comment behind a `print` is what it prints, and nothing else is printed.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wiregen import catalogue, docs, names

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = {file.read_text(encoding="utf-8"): file.name for file in sorted((ROOT / "examples").glob("*.py"))}
FILES = ("README.md", "generated/README.md", "CONTRIBUTING.md")

_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PRINTED = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)

each_file = pytest.mark.parametrize("name", FILES)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a file, and the line of the file on which its text begins."""

    file: str
    line: int
    text: str

    @property
    def is_program(self) -> bool:
        return self.text.startswith('"""')

    def compiled(self) -> Any:
        """The code, with the lines of the file in its tracebacks."""
        return compile("\n" * (self.line - 1) + self.text, self.file, "exec", dont_inherit=True)


def blocks(name: str, language: str) -> Iterator[Block]:
    text = (ROOT / name).read_text(encoding="utf-8")
    for fenced in _FENCED.finditer(text):
        if fenced[1] == language:
            yield Block(name, text.count("\n", 0, fenced.start(2)) + 1, fenced[2])


@each_file
def test_python_runs_and_prints_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = (ROOT / "generated", os.environ.get("PYTHONPATH"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(path) for path in paths if path))
    shared: dict[str, Any] = {"__name__": "blocks"}
    for block in blocks(name, "python"):
        example = EXAMPLES.get(block.text)
        if example:
            Path(example).write_text(block.text, encoding="utf-8")
            continue
        exec(block.compiled(), {"__name__": "__main__"} if block.is_program else shared)
        assert capsys.readouterr().out.splitlines() == _PRINTED.findall(block.text), f"{name}:{block.line}"
