"""`[tool.wiregen]`: what it says, and what is wrong with it, by line."""

from pathlib import Path

import pytest

from wiregen import config
from wiregen.catalogue import Target
from wiregen.config import Config
from wiregen.errors import InvalidInput

FILE = Path("project/pyproject.toml")


def parse(text: str) -> Config:
    return config.parse(text.encode(), file=FILE)


def test_a_full_configuration() -> None:
    text = """
[tool.wiregen]
output = "src/app/_wire"
package = "app._wire"
versions = ["mcp@2025-11-25", "acp@v2", "acp@v2"]

[tool.wiregen.schemas]
"acp@v2" = "schemas/acp.json"
"""
    assert parse(text) == Config(
        output=Path("project/src/app/_wire"),
        package="app._wire",
        versions=(Target("acp", "v2"), Target("mcp", "2025-11-25")),
        schemas={Target("acp", "v2"): Path("project/schemas/acp.json")},
    )


@pytest.mark.parametrize("text", ["", "[tool]\n", "[tool.ruff]\nline-length = 100\n", "[tool.wiregen]\n"])
def test_nothing_said_is_an_empty_configuration(text: str) -> None:
    assert parse(text) == Config()


BAD = [
    ("not-toml", 2, "correct the syntax", "[tool.wiregen]\noutput = \n"),
    ("unknown-key", 3, "the keys are output, package", '[tool.wiregen]\n\noutputs = "a"\n'),
    ("unknown-key", 2, "the keys are", '[tool]\nwiregen.targets = "a"\n'),
    ("bad-value", 2, "[tool.wiregen]", "[tool]\nwiregen = 3\n"),
    ("bad-value", 2, "in quotation marks", "[tool.wiregen]\noutput = 3\n"),
    ("bad-value", 2, "in quotation marks", '[tool.wiregen]\noutput = ""\n'),
    ("bad-value", 3, "app.wire", '[tool.wiregen]\n# package\npackage = "my-app"\n'),
    ("bad-value", 2, "app.wire", '[tool.wiregen]\npackage = "app.class"\n'),
    ("bad-value", 2, 'versions = ["acp@v2"]', '[tool.wiregen]\nversions = "acp@v2"\n'),
    ("bad-value", 2, "in quotation marks", "[tool.wiregen]\nversions = [2]\n"),
    ("unknown-version", 2, "v1, v1-unstable", '[tool.wiregen]\nversions = ["acp@v3"]\n'),
    ("unknown-protocol", 2, "acp, mcp", '[tool.wiregen]\nversions = ["lsp@3"]\n'),
    ("bad-value", 2, "schema.json", '[tool.wiregen]\nschemas = "a.json"\n'),
    ("unknown-version", 3, "v1, v1-unstable", '[tool.wiregen]\n[tool.wiregen.schemas]\n"acp@v3" = "a.json"\n'),
    ("bad-value", 4, "in quotation marks", "[tool.wiregen]\n\n[tool.\"wiregen\".schemas]\n'acp@v2' = 1\n"),
    ("bad-value", 2, "in quotation marks", '[tool.wiregen]\nschemas = {"acp@v2" = 1}\n'),
    (
        "unused-schema",
        4,
        "add it to versions",
        '[tool.wiregen]\nversions = ["acp@v1"]\n[tool.wiregen.schemas]\n"acp@v2" = "a"\n',
    ),
]


@pytest.mark.parametrize(("code", "line", "says", "text"), BAD)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_bad_configuration_is_told_by_line(code: str, line: int, says: str, text: str, newline: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse(text.replace("\n", newline))
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.file, finding.line) == (code, "project/pyproject.toml", line)
    assert says in str(finding)


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse('[tool.wiregen]\noutput = 1\nfoo = 2\nversions = ["acp@v9", "mcp@1"]\n')
    assert [(f.code, f.line) for f in caught.value.diagnostics] == [
        ("unknown-key", 3),
        ("unknown-version", 4),
        ("unknown-version", 4),
        ("bad-value", 2),
    ]


def test_text_that_is_not_utf8() -> None:
    with pytest.raises(InvalidInput) as caught:
        config.parse(b"[tool.wiregen]\n# \xff\n", file=FILE)
    assert [(f.code, f.line) for f in caught.value.diagnostics] == [("not-utf8", 2)]


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.wiregen]\noutput = "out"\n', encoding="utf-8")
    assert config.load(inner).output == tmp_path / "out"
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert config.load(inner) == Config()
