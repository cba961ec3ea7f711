"""`import wiregen`: generating in memory, and protocol versions as data."""

import ast
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import python
from schemas import STRING, document, obj

import wiregen
from wiregen import Config, Output, Target, catalogue
from wiregen.emit import package as emit_package

TARGET = Target("acp", "v2")


@pytest.fixture
def output(tmp_path: Path) -> Output:
    schema = tmp_path / "schema.json"
    schema.write_bytes(document({"Wave": obj({"text": STRING}, "text")}))
    folder = tmp_path / "wire"
    return Output(folder=folder, package="wire", versions=(TARGET,), schemas={TARGET: schema}, emit=("models",))


def test_generating_writes_nothing(output: Output) -> None:
    result = wiregen.generate(Config((output,)))
    assert result.diagnostics == ()
    assert output.folder / "acp/v2/models.py" in result.files
    assert "class Wave(" in result.files[output.folder / "acp/v2/models.py"]
    assert not output.folder.exists()


def test_what_is_wrong_is_a_value(output: Output) -> None:
    output.schemas[TARGET].write_bytes(document({"Wave": {"$ref": "#/$defs/Missing"}}))
    result = wiregen.generate(Config((output,)))
    assert result.files == {}
    assert [diagnostic.code for diagnostic in result.diagnostics] == ["dangling-ref"]
    assert wiregen.generate(Config((output, output))).diagnostics[0].code == "overlapping-outputs"


NOT_CHECKED_BY_TYPES: list[tuple[str, dict[str, Any]]] = [
    ("bad-package", {"package": 'o.wire"""\nimport os\n"""'}),
    ("bad-package", {"package": "a b; import os"}),
    ("bad-package", {"package": "wire\u202e"}),
    ("bad-package", {"package": "app.other"}),
    ("bad-value", {"package": 3}),
    ("bad-value", {"emit": ("foo",)}),
    ("bad-value", {"emit": "models"}),
    ("bad-value", {"emit": ()}),
    ("no-versions", {"versions": (), "schemas": {}}),
    ("bad-value", {"versions": ("acp@v2",)}),
    ("unknown-version", {"versions": (Target("acp", "../../outside"),), "schemas": {}}),
    ("unknown-version", {"versions": (Target("acp", ""),), "schemas": {}}),
    ("unknown-protocol", {"versions": (Target("..", "v2"),), "schemas": {}}),
    ("unused-schema", {"versions": (Target("acp", "v1"),)}),
    ("bad-value", {"schemas": {TARGET: "schema.json"}}),
    ("bad-value", {"schemas": {TARGET: Path("a\0b")}}),
    ("bad-value", {"line_length": 0}),
    ("bad-value", {"line_length": -1}),
    ("bad-value", {"line_length": 5}),
    ("bad-value", {"line_length": 10**6}),
    ("bad-value", {"line_length": "88"}),
    ("bad-value", {"line_length": True}),
    ("bad-value", {"folder": "app/wire"}),
    ("bad-value", {"folder": Path("a\0/wire")}),
    ("bad-value", {"templates": "templates"}),
]


@pytest.mark.parametrize(("code", "given"), NOT_CHECKED_BY_TYPES)
def test_what_a_program_hands_over_is_checked_as_a_file_is(code: str, given: dict[str, Any], output: Output) -> None:
    result = wiregen.generate(Config((replace(output, **given),)))
    assert result.files == {}
    assert [diagnostic.code for diagnostic in result.diagnostics] == [code]
    assert result.diagnostics[0].hint


def test_no_name_gets_out_of_the_docstring_that_it_stands_in() -> None:
    """Even if it were not checked before."""
    harmless, hostile = (
        ast.parse(emit_package.emit([wiregen.load("acp", "v2")], name)["__init__.py"])
        for name in ("o.wire", 'o.wire`"""\nimport os\n"""\\')
    )
    assert [ast.dump(node) for node in hostile.body[1:]] == [ast.dump(node) for node in harmless.body[1:]]
    assert "import os" in (ast.get_docstring(hostile) or "")


def test_a_schema_outside_of_those_that_are_bundled_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_bytes(document({"Wave": obj({"text": STRING}, "text")}))
    outside = os.path.relpath(tmp_path, catalogue.data_root() / "schema" / "acp")
    with pytest.raises(wiregen.InvalidInput, match="unknown version"):
        catalogue.read_schema(Target("acp", outside))


def test_order_and_repetition_make_no_difference(output: Output) -> None:
    given = replace(output, versions=(Target("acp", "v1"), TARGET), emit=("models", "messages"))
    other = replace(given, versions=(TARGET, TARGET, Target("acp", "v1")), emit=("messages", "models", "messages"))
    result = wiregen.generate(Config((given,)))
    assert result.files
    assert wiregen.generate(Config((other,))) == result


def test_the_configuration_of_a_folder(tmp_path: Path) -> None:
    text = '[tool.wiregen]\noutput = "app/wire"\npackage = "app.wire"\nversions = ["acp@v2"]\n'
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    expected = Output(folder=tmp_path / "app/wire", package="app.wire", versions=(TARGET,))
    assert wiregen.read_config(tmp_path) == Config((expected,))
    (tmp_path / "pyproject.toml").write_text("[tool.wiregen]\nfoo = 1\n", encoding="utf-8")
    with pytest.raises(wiregen.InvalidInput) as caught:
        wiregen.read_config(tmp_path)
    assert [diagnostic.line for diagnostic in caught.value.diagnostics] == [2]


def test_a_protocol_version_as_data() -> None:
    protocol = wiregen.load("mcp", "2025-11-25")
    assert isinstance(protocol, wiregen.Protocol)
    assert (protocol.name, protocol.version, protocol.protocol_version) == ("mcp", "2025-11-25", "2025-11-25")
    assert "tools/call" in {method.name for method in protocol.methods}
    assert protocol.declarations["Tool"].description
    with pytest.raises(wiregen.InvalidInput, match="2024-11-05, 2025-03-26"):
        wiregen.load("mcp", "v2")


def test_every_name_is_there_and_loaded_when_it_is_used(tmp_path: Path) -> None:
    for name in wiregen.__all__:
        assert getattr(wiregen, name).__doc__
    with pytest.raises(AttributeError, match="nothing"):
        _ = wiregen.nothing  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    script = "import sys, wiregen; print(len([name for name in sys.modules if name.startswith('wiregen.')]))"
    assert python("-c", script, folder=tmp_path).stdout == "0\n"


def test_the_documented_example(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(__file__).parents[1] / "docs" / "generate.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(example, {"__name__": "example"})
    assert capsys.readouterr().out == "True\nTrue\n"
