"""`wiregen capabilities`, and the texts of all violations, as golden files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import wiregen_in

from wiregen import catalogue
from wiregen.capability_table import as_json, as_markdown, as_text, table
from wiregen.catalogue import parse_target

from .sides import VERSIONS, both, negotiated, rules_of
from .uses import uses

GOLDEN = Path(__file__).resolve().parents[1] / "golden_capabilities"
PRINTERS = {"txt": as_text, "md": as_markdown, "json": as_json}


def check_golden(name: str, text: str, request: pytest.FixtureRequest) -> None:
    """Compares a text with a golden file, or writes it under `--update-golden`."""
    file = GOLDEN / name
    if request.config.getoption("--update-golden"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("kind", PRINTERS)
@pytest.mark.parametrize("target", ["acp@v1-unstable", "mcp@2026-07-28"])
def test_tables(target: str, kind: str, request: pytest.FixtureRequest) -> None:
    check_golden(f"{target}.{kind}", PRINTERS[kind]([table(parse_target(target))]), request)


@pytest.mark.parametrize("protocol", catalogue.PROTOCOLS)
def test_texts_of_violations(protocol: str, request: pytest.FixtureRequest) -> None:
    check_golden(f"violations-{protocol}.txt", "\n".join(_texts(protocol)) + "\n", request)


def _texts(protocol: str) -> Iterator[str]:
    """What is said about each thing that needs a feature, between sides that declare nothing, by version."""
    for version in (held for name, held in VERSIONS if name == protocol):
        yield f"--- {protocol}@{version}"
        nothing = negotiated(protocol, version, (), ())
        for use in uses(rules_of(protocol, version)):
            if use.feature.name == use.features[0] and not getattr(use.gate, "required", False):
                part = "result" if use.is_in_result else "params"
                found = nothing.check(use.method, sender=use.gate.sender, **{part: use.content()})
                yield from (one.message for one in found if one.pointer == use.pointer)
        for replaced in rules_of(protocol, version).replaced:
            yield from (one.message for one in nothing.check(replaced.method, sender=replaced.sender))


def test_every_capability_of_every_version_is_in_its_table() -> None:
    for protocol, version in VERSIONS:
        rows = table(parse_target(f"{protocol}@{version}")).rows
        rules = rules_of(protocol, version)
        assert {row.feature for row in rows} - {None} == {feature.name for feature in rules.features}
        assert {row.declared_by for row in rows} == {side.name for side in both(protocol, version)}
        assert sum(len(row.gates) for row in rows) == sum(len(feature.gates) for feature in rules.features)


def test_the_command(tmp_path: Path) -> None:
    one = wiregen_in(tmp_path, "capabilities", "acp@v2", "--format", "json")
    assert (one.returncode, one.stderr) == (0, "")
    assert one.stdout == as_json([table(parse_target("acp@v2"))])
    every = json.loads(wiregen_in(tmp_path, "capabilities", "--format", "json").stdout)
    assert [(entry["protocol"], entry["version"]) for entry in every] == VERSIONS
    assert wiregen_in(tmp_path, "capabilities", "acp@v2").stdout.startswith("acp@v2\n  client  ")
    assert wiregen_in(tmp_path, "capabilities", "acp@v2", "--format", "markdown").stdout.startswith("## acp@v2\n\n| ")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["acp@v3"], "the known versions are v1, v1-unstable, v2, v2-unstable"),
        (["acp"], "not of the form PROTOCOL@VERSION"),
        (["lsp@3"], "the known protocols are acp, mcp"),
        (["acp@v2", "--format", "yaml"], "yaml"),
    ],
)
def test_bad_usage(tmp_path: Path, arguments: list[str], text: str) -> None:
    done = wiregen_in(tmp_path, "capabilities", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert text in done.stderr
    assert "Traceback" not in done.stderr
