"""The bundled versions and the data that belong to them."""

from pathlib import Path

import pytest

from wiregen import catalogue, document
from wiregen.catalogue import Target
from wiregen.errors import InvalidInput


def test_targets_are_in_canonical_order() -> None:
    assert [str(target) for target in catalogue.targets()] == [
        "acp@v1",
        "acp@v1-unstable",
        "acp@v2",
        "acp@v2-unstable",
        "mcp@2024-11-05",
        "mcp@2025-03-26",
        "mcp@2025-06-18",
        "mcp@2025-11-25",
        "mcp@2026-07-28",
    ]
    assert [catalogue.parse_target(str(target)) for target in catalogue.targets()] == list(catalogue.targets())


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("acp@v3", "unknown-version", "v1, v1-unstable, v2, v2-unstable"),
        ("mcp@", "unknown-version", "2024-11-05, 2025-03-26"),
        ("lsp@3", "unknown-protocol", "acp, mcp"),
        ("acp", "unknown-target", "acp@v1, acp@v1-unstable"),
        ("", "unknown-target", "PROTOCOL@VERSION"),
    ],
)
def test_an_unknown_target_lists_the_known_ones(text: str, code: str, says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        catalogue.parse_target(text)
    (finding,) = caught.value.diagnostics
    assert finding.code == code
    assert says in str(finding)


@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_every_bundled_schema_is_a_good_document(target: Target) -> None:
    data, name = catalogue.read_schema(target)
    assert name == f"schema/{target.protocol}/{target.version}/schema.json"
    assert document.parse(data, file=name).definitions


def test_a_table_may_be_one_file_or_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "data_root", lambda: tmp_path)
    folder = tmp_path / "schema" / "acp" / "docs"
    folder.mkdir(parents=True)
    assert catalogue.read_table("acp", "docs") == {}
    (folder / "b.toml").write_text("[B]\nx = 1\n", encoding="utf-8")
    (folder / "a.toml").write_text("[A]\n", encoding="utf-8")
    assert catalogue.read_table("acp", "docs") == {"A": {}, "B": {"x": 1}}
    (folder / "c.toml").write_text("[A]\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"docs/c\.toml: error\[duplicate-key\]: A stands"):
        catalogue.read_table("acp", "docs")
    (folder / "c.toml").write_text("[A\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"docs/c\.toml: error\[not-toml\]"):
        catalogue.read_table("acp", "docs")


def test_the_data_are_found_in_a_checkout_and_in_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "codegen" / "wiregen"
    package.mkdir(parents=True)
    monkeypatch.setattr(catalogue, "__file__", str(package / "catalogue.py"))
    assert (catalogue.data_root(), catalogue.is_installed()) == (tmp_path.resolve(), False)
    (package / "_data").mkdir()
    assert (catalogue.data_root(), catalogue.is_installed()) == (package.resolve() / "_data", True)
    assert catalogue.templates() == package.resolve() / "_data" / "templates"
