"""`[tool.wiregen]`: what it says, and what is wrong with it, by line."""

import os
import time
from pathlib import Path

import pytest

from wiregen import config
from wiregen.catalogue import Target
from wiregen.config import ConfigFile
from wiregen.errors import MOST, InvalidInput
from wiregen.settings import Settings

FILE = Path("project/pyproject.toml")
ACP, MCP = Target("acp", "v2"), Target("mcp", "2025-11-25")


def parse(text: str, file: Path = FILE) -> ConfigFile:
    return config.parse(text.encode(), file=file)


def test_one_output() -> None:
    text = """
[tool.wiregen]
output = "src/app/_wire"
package = "app._wire"
versions = ["mcp@2025-11-25", "acp@v2", "acp@v2"]
emit = ["messages", "models"]
line-length = 88
templates = "templates/wire"

[tool.wiregen.schemas]
"acp@v2" = "schemas/acp.json"
"""
    expected = Settings(
        output=Path("project/src/app/_wire"),
        package="app._wire",
        versions=(ACP, MCP),
        schemas={ACP: Path("project/schemas/acp.json")},
        emit=("models", "messages"),
        line_length=88,
        templates=Path("project/templates/wire"),
    )
    assert parse(text) == ConfigFile(FILE, expected, (expected,))


def test_several_outputs_share_what_stands_above_them() -> None:
    text = """
[tool.wiregen]
versions = ["acp@v2"]
line-length = 100
schemas = {"acp@v2" = "acp.json"}

[[tool.wiregen.outputs]]
output = "src/app/_wire"
package = "app._wire"

[[tool.wiregen.outputs]]
output = "tests/wire"
versions = ["mcp@2025-11-25", "acp@v2"]
line-length = 80
emit = ["models"]
"""
    schemas = {ACP: Path("project/acp.json")}
    first, second = parse(text).outputs
    assert first == Settings(
        output=Path("project/src/app/_wire"), package="app._wire", versions=(ACP,), schemas=schemas, line_length=100
    )
    assert second == Settings(
        output=Path("project/tests/wire"), versions=(ACP, MCP), schemas=schemas, line_length=80, emit=("models",)
    )


@pytest.mark.parametrize("text", ["", "[tool]\n", "[tool.ruff]\nline-length = 100\n", "[tool.wiregen]\n"])
def test_nothing_said_is_an_empty_configuration(text: str) -> None:
    assert parse(text) == ConfigFile(FILE)


OUTPUTS = '[[tool.wiregen.outputs]]\noutput = "a"\n\n[[tool.wiregen.outputs]]\n'
BAD = [
    ("not-toml", 2, "correct the syntax", "[tool.wiregen]\noutput = \n"),
    ("unknown-key", 3, "the keys are output, package", '[tool.wiregen]\n\noutputz = "a"\n'),
    ("unknown-key", 2, "the keys are", '[tool]\nwiregen.targets = "a"\n'),
    ("unknown-key", 6, "'outputs'", OUTPUTS + 'output = "b"\noutputs = []\n'),
    ("bad-value", 2, "[tool.wiregen]", "[tool]\nwiregen = 3\n"),
    ("bad-value", 2, "in quotation marks", "[tool.wiregen]\noutput = 3\n"),
    ("bad-value", 2, "in quotation marks", '[tool.wiregen]\noutput = ""\n'),
    ("bad-value", 4, "in quotation marks", "[tool.wiregen]\nversions = [\n]\noutput = 3\n"),
    ("bad-value", 5, "in quotation marks", "[tool.wiregen]\nversions = [\n# output = 3\n]\noutput = 3\n"),
    ("bad-value", 6, "in quotation marks", "[tool.other]\na = '''\n[tool.wiregen]\n'''\n[tool.wiregen]\noutput = 3\n"),
    ("bad-package", 3, "app.wire", '[tool.wiregen]\n# package\npackage = "my-app"\n'),
    ("bad-package", 2, "app.wire", '[tool.wiregen]\npackage = "app.class"\n'),
    ("bad-package", 3, "folder called wire", '[tool.wiregen]\noutput = "app/wire"\npackage = "app._wire"\n'),
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
    ("unused-schema", 7, "add it", OUTPUTS + 'output="b"\nversions=["acp@v1"]\nschemas."acp@v2" = "a"\n'),
    ("bad-value", 2, "models, messages, capabilities, dispatch", '[tool.wiregen]\nemit = ["model"]\n'),
    ("bad-value", 2, "models, messages", "[tool.wiregen]\nemit = [{}]\n"),
    ("bad-value", 2, "models, messages", "[tool.wiregen]\nemit = []\n"),
    ("bad-value", 2, "60 to 320", "[tool.wiregen]\nline-length = 20\n"),
    ("bad-value", 2, "60 to 320", '[tool.wiregen]\nline-length = "100"\n'),
    ("bad-value", 2, "60 to 320", "[tool.wiregen]\nline-length = true\n"),
    ("bad-value", 4, "models, messages", '[tool.wiregen]\nemit = [\n"models",\n"model",\n]\n'),
    ("unknown-version", 4, "v1, v1-unstable", '[tool.wiregen]\nversions = [\n"acp@v2",\n"acp@v3",\n]\n'),
    ("bad-package", 2, "rename the folder", '[tool.wiregen]\noutput = "src/a-b"\n'),
    ("bad-package", 4, "rename the folder", "[tool.wiregen]\noutputs = [\n{output = 'a'},\n{output = 'b c'},\n]\n"),
    ("unknown-key", 5, "'x'", "[tool.wiregen]\noutputs = [\n {output = 'a'},\n # b\n {output = 'b', x = 1},\n]\n"),
    ("bad-value", 2, "must be a table", "# 1\ntool = 3\n"),
    ("bad-value", 2, "[[tool.wiregen.outputs]]", "[tool.wiregen]\noutputs = 1\n"),
    ("bad-value", 2, "[[tool.wiregen.outputs]]", "[tool.wiregen]\noutputs = [1]\n"),
    ("bad-value", 2, "beside outputs", '[tool.wiregen]\noutput = "b"\noutputs = [{output = "a"}]\n'),
    ("missing-key", 4, 'output = "..."', OUTPUTS + 'package = "app"\n'),
    ("bad-value", 6, "in quotation marks", OUTPUTS + 'output = "b"\npackage = 1\n'),
    ("overlapping-outputs", 5, "beside the others", OUTPUTS + 'output = "a"\n'),
    ("overlapping-outputs", 5, "'a' and 'b/../a/c'", OUTPUTS + 'output = "b/../a/c"\n'),
    ("outside-project", 2, "inside the repository", '[tool.wiregen]\noutput = "../../../../../../../../out"\n'),
    ("outside-project", 2, "inside the repository", '[tool.wiregen]\ntemplates = "/etc"\n'),
    (
        "outside-project",
        2,
        "inside the repository",
        '[tool.wiregen]\nschemas."acp@v2" = "a/../../../../../../../../passwd"\n',
    ),
    ("outside-project", 2, "leads out", '[tool.wiregen]\noutput = "a\\u0000b"\n'),
]


@pytest.mark.parametrize(("code", "line", "says", "text"), BAD)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_bad_configuration_is_told_by_line(code: str, line: int, says: str, text: str, newline: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse(text.replace("\n", newline))
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.file, finding.line) == (code, "project/pyproject.toml", line)
    assert says in str(finding)


LONG = 30_000


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"[tool.a{i}]\nb = 1\n" for i in range(LONG)) + '[tool.wiregen]\nx = 1\nversions = ["a@1", "b@1"]\n',
        "[tool.wiregen]\nversions = [\n" + '"acp@v9",\n' * LONG + "]\n",
        "[tool.wiregen]\n" + "".join(f"k{i} = [[[{i}]]]\n" for i in range(LONG)),
        "[tool.a]\nb = '''\n" + "\n[c]\n" * LONG + "'''\n[tool.wiregen]\noutput = 1\n",
        "x" + ".x" * 900 + " = 1\n[tool.wiregen]\noutput = 1\n",
    ],
    ids=["tables", "array", "findings", "string", "dotted"],
)
def test_a_long_file_takes_no_time(text: str) -> None:
    start = time.monotonic()
    with pytest.raises(InvalidInput) as caught:
        parse(text)
    assert time.monotonic() - start < 10  # a tenth of that; parsing again for each finding once took minutes
    found = [finding for finding in caught.value.diagnostics if finding.code != "more-findings"]
    assert len(found) <= MOST
    written = text.split("\n")
    assert all(finding.line and written[finding.line - 1] not in ("", "[tool.wiregen]") for finding in found)


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse('[tool.wiregen]\noutput = 1\nfoo = 2\nversions = ["acp@v9", "mcp@1"]\n')
    assert [(f.code, f.line) for f in caught.value.diagnostics] == [
        ("unknown-key", 3),
        ("bad-value", 2),
        ("unknown-version", 4),
        ("unknown-version", 4),
    ]


@pytest.mark.parametrize(
    ("data", "code", "line"), [(b"[tool.wiregen]\n# \xff\n", "not-utf8", 2), (b"a=" + b"[" * 99999, "not-toml", None)]
)
def test_text_that_is_no_toml(data: bytes, code: str, line: int | None) -> None:
    with pytest.raises(InvalidInput) as caught:
        config.parse(data, file=FILE)
    assert [(f.code, f.line) for f in caught.value.diagnostics] == [(code, line)]


def test_paths_may_lead_out_of_the_folder_but_not_out_of_the_repository(tmp_path: Path) -> None:
    text = '[tool.wiregen]\noutput = "../shared/wire"\n'
    file = tmp_path / "packages" / "app" / "pyproject.toml"
    file.parent.mkdir(parents=True)
    with pytest.raises(InvalidInput, match=r"error\[outside-project\]"):
        parse(text, file)
    (tmp_path / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")  # as in a submodule or work tree
    assert parse(text, file).outputs[0].output == file.parent / "../shared/wire"


@pytest.mark.skipif(os.name == "nt", reason="needs links as on POSIX")
@pytest.mark.parametrize("target", ["../outside", "wire"])
def test_links_that_lead_out_or_nowhere_are_refused(tmp_path: Path, target: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "wire").symlink_to(target)
    with pytest.raises(InvalidInput, match=r"error\[outside-project\]"):
        parse('[tool.wiregen]\noutput = "wire"\n', project / "pyproject.toml")


def test_the_nearest_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.wiregen]\noutput = "out"\n', encoding="utf-8")
    assert config.load(inner).common.output == tmp_path / "out"
    monkeypatch.chdir(inner)
    assert config.load(Path()).common.output == Path("../../out")
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert config.load(inner) == ConfigFile(tmp_path / "a" / "pyproject.toml")
