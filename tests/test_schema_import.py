"""Upstream schemas to structural ones, the lock, and the commands around them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from wiregen import catalogue, schema_import
from wiregen.catalogue import Target
from wiregen.errors import InvalidInput
from wiregen.schema_cli import app
from wiregen.schema_import import Origin, structure

UPSTREAM = Path(__file__).parents[2] / "shared" / "upstream"
TARGET = Target("acp", "v2")
ORIGIN = Origin("a project", "1.0", "schema/a.json", "MIT")
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "description": "prose",
    "$defs": {
        "B": {"description": "prose", "type": "object", "properties": {"description": {"type": "string"}}},
        "A": {"const": "ä", "description": "prose"},
    },
}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for bundled data, with an upstream file beside it."""
    root = tmp_path / "checkout"
    monkeypatch.setattr(catalogue, "data_root", lambda: root)
    monkeypatch.setattr(catalogue, "is_installed", lambda: False)
    (tmp_path / "upstream.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return root


STRUCTURE: list[tuple[Any, Any]] = [
    ({"description": "prose", "type": "string"}, {"type": "string"}),
    ({"properties": {"description": {"description": "prose"}}}, {"properties": {"description": {}}}),
    ({"properties": {"properties": {"description": "prose"}}}, {"properties": {"properties": {}}}),
    ({"$defs": {"description": {"description": "prose"}}}, {"$defs": {"description": {}}}),
    ({"anyOf": [{"description": "prose"}, True]}, {"anyOf": [{}, True]}),
    ({"items": {"description": "prose"}}, {"items": {}}),
    ({"items": [{"description": "prose"}]}, {"items": [{}]}),
    ({"additionalProperties": {"description": "prose"}}, {"additionalProperties": {}}),
    ({"required": ["description"], "x-y": {"description": "data"}}, None),
    ({"default": {"description": "data"}, "const": {"description": "data"}}, None),
    ({"enum": [{"description": "data"}], "examples": [{"description": "data"}]}, None),
    (False, None),
]
"""A schema and what is left of it; None where all of it is."""


@pytest.mark.parametrize(("schema", "expected"), STRUCTURE)
def test_structure_drops_descriptions_and_nothing_else(schema: object, expected: object) -> None:
    assert structure(schema) == (schema if expected is None else expected)


def test_structural_files_keep_order_and_are_plain_utf8() -> None:
    ours = schema_import.structural_file(json.dumps(SCHEMA).encode(), file="a.json")
    assert list(json.loads(ours)["$defs"]) == ["B", "A"]
    assert ours.endswith(b'    "A": {\n      "const": "\xc3\xa4"\n    }\n  }\n}\n')
    assert b"prose" not in ours
    assert schema_import.structural_file(ours, file="a.json") == ours


def test_import_writes_the_schema_and_its_origin(checkout: Path) -> None:
    upstream = json.dumps(SCHEMA).encode()
    schema_import.import_schema(TARGET, upstream, ORIGIN, file="a.json")
    first = (checkout / catalogue.SOURCES).read_bytes()
    schema_import.import_schema(Target("acp", "v1"), upstream, ORIGIN, file="a.json")
    assert list(schema_import.sources()) == [Target("acp", "v1"), TARGET]
    source = schema_import.sources()[TARGET]
    assert source.origin == ORIGIN
    assert source.upstream_sha256 == schema_import.sha256(upstream)
    assert source.sha256 == schema_import.sha256((checkout / "schema/acp/v2/schema.json").read_bytes())
    assert (checkout / catalogue.SOURCES).read_bytes().endswith(first.split(b"\n\n")[1])


def test_import_refuses_what_cannot_be_generated_from(checkout: Path) -> None:
    with pytest.raises(InvalidInput, match="unknown-dialect"):
        schema_import.import_schema(TARGET, b"{}", ORIGIN, file="a.json")
    assert not checkout.exists()


def test_an_installed_catalogue_is_not_changed(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "is_installed", lambda: True)
    with pytest.raises(InvalidInput, match="in a checkout"):
        schema_import.import_schema(TARGET, json.dumps(SCHEMA).encode(), ORIGIN, file="a.json")
    assert not checkout.exists()


def test_verify_tells_apart_what_can_be_wrong(checkout: Path) -> None:
    upstream = checkout.parent / "upstream.json"
    assert [f.code for f in schema_import.verify(TARGET)] == ["no-source"]
    schema_import.import_schema(TARGET, upstream.read_bytes(), ORIGIN, file="a.json")
    assert schema_import.verify(TARGET) == ()
    assert schema_import.verify(TARGET, upstream) == ()
    assert schema_import.verify(TARGET, upstream.parent) == ()

    other = checkout.parent / "other.json"
    other.write_text("{}", encoding="utf-8")
    assert [f.code for f in schema_import.verify(TARGET, other)] == ["upstream-not-found"]

    ours = checkout / "schema/acp/v2/schema.json"
    ours.write_bytes(ours.read_bytes() + b"\n")
    assert [(f.code, f.file) for f in schema_import.verify(TARGET, upstream)] == [
        ("schema-changed", "schema/acp/v2/schema.json"),
        ("schema-not-from-upstream", "schema/acp/v2/schema.json"),
    ]
    ours.unlink()
    assert [f.code for f in schema_import.verify(TARGET)] == ["no-schema"]


@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_the_bundled_schemas_are_those_of_the_lock(target: Target) -> None:
    assert schema_import.verify(target) == ()


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the upstream schemas are not beside the repository")
@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_the_bundled_schemas_come_from_upstream(target: Target) -> None:
    assert schema_import.verify(target, UPSTREAM) == ()


def test_the_bundled_schemas_hold_no_prose() -> None:
    for target in catalogue.targets():
        data, _ = catalogue.read_schema(target)
        schema = json.loads(data)
        assert structure(schema) == schema
        assert "$comment" not in data.decode()


def test_commands(checkout: Path) -> None:
    run = CliRunner()
    upstream = str(checkout.parent / "upstream.json")
    origin = ["--project", "a project", "--release", "1.0", "--path", "a.json"]

    refused = run.invoke(app, ["import", "acp@v2", upstream, *origin])
    assert refused.exit_code == 2
    assert "--licence" in refused.stderr
    assert run.invoke(app, ["import", "acp@v2", upstream, *origin, "--licence", "MIT"]).exit_code == 0
    renewed = run.invoke(app, ["import", "acp@v2", upstream, "--release", "1.1"])
    assert (renewed.exit_code, renewed.stdout) == (0, "schema/acp/v2/schema.json: imported\n")
    listed = run.invoke(app, ["list"])
    assert (listed.exit_code, listed.stdout) == (0, "acp@v2\ta project 1.1\ta.json\tMIT\n")

    verified = run.invoke(app, ["verify", "acp@v2", "--upstream", upstream])
    assert (verified.exit_code, verified.stdout, verified.stderr) == (0, "acp@v2: verified\n", "")
    incomplete = run.invoke(app, ["verify"])
    assert incomplete.exit_code == 1
    assert incomplete.stderr.count("no-source") == len(catalogue.targets()) - 1

    unknown = run.invoke(app, ["verify", "acp@v9"])
    assert unknown.exit_code == 2
    assert "v1, v1-unstable, v2, v2-unstable" in unknown.stderr
    assert run.invoke(app, ["import", "acp@v2", "nowhere.json"]).exit_code == 2
