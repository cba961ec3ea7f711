"""Text of a schema is data: nothing is injected, nothing escapes, and every value survives or is refused."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from commands import ENVIRONMENT

import wiregen
from hostile.cases import Case, corpus, document
from hostile.compare import compare
from hostile.places import BY_NAME
from hostile.watch import watching
from wiregen import document as documents
from wiregen import names, pipeline
from wiregen.catalogue import Target
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.format import format_files
from wiregen.lower import lower
from wiregen.progress import tell_nobody
from wiregen.settings import Output

CASES = corpus()
PACKAGE = "hostile_package"
TARGETS = {"acp": Target("acp", "v2"), "mcp": Target("mcp", "2025-11-25")}
FOLDERS = {protocol: f"{protocol}/{names.module_name(target.version)}/" for protocol, target in TARGETS.items()}
# Names that generated code needs itself move out of the way of those that the text makes.
HIDDEN = frozenset(
    f"_{name}" for name in ("Any", "Annotated", "Field", "Final", "Literal", "Mapping", "Message", "Method")
)


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of a case: its modules by file name, or what was said about it."""

    files: dict[str, str]
    shared: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]
    seen: tuple[str, ...]


@cache
def made(place: str, text: str) -> Made:
    target = TARGETS[BY_NAME[place].protocol]
    parts = ("messages", "dispatch") if "method" in place else ("messages",)
    output = Output(folder=Path("wire"), package=PACKAGE, versions=(target,), emit=parts)
    data = document(place, text)
    with watching(str(Path(wiregen.__file__).parents[2])) as seen:
        try:
            protocol = lower(documents.parse(data, file="schema.json"), target.protocol, target.version)
            files = pipeline.emit([protocol], output, tell_nobody)
        except InvalidInput as error:
            return Made({}, {}, error.diagnostics, tuple(seen))
    folder = FOLDERS[target.protocol]
    return Made(
        {name.removeprefix(folder): text for name, text in files.items() if name.startswith(folder)},
        {name: text for name, text in files.items() if not name.startswith(folder)},
        (),
        tuple(seen),
    )


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What the modules of each accepted case did when they were imported, as modules of one package."""
    folder = tmp_path_factory.mktemp("hostile")
    accepted = [case for case in CASES if made(case.place.name, case.text).files]
    for name, text in {**_formatted(accepted), **_shared()}.items():
        path = folder / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    told = [
        {
            "version": case.version,
            "protocol": case.place.protocol,
            "place": case.place.name,
            "text": case.text,
            "has_dispatch": "handlers.py" in made(case.place.name, case.text).files,
        }
        for case in accepted
    ]
    tests = str(Path(__file__).parents[1])
    environment = {**ENVIRONMENT, "PYTHONPATH": tests, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "hostile.importer", str(folder), PACKAGE]
    done = subprocess.run(
        command, env=environment, input=json.dumps(told), capture_output=True, encoding="utf-8", cwd=folder, check=False
    )
    assert not done.stderr, done.stderr
    results = {result["version"]: result for result in map(json.loads, done.stdout.splitlines())}
    assert results.keys() == {case.version for case in accepted}, done.returncode
    return results


def _formatted(cases: list[Case]) -> dict[str, str]:
    """The modules of cases as they would be written, each case in a folder of its own."""
    return format_files(
        {
            f"{case.place.protocol}/{case.version}/{name}": text
            for case in cases
            for name, text in made(case.place.name, case.text).files.items()
        }
    )


def _shared() -> dict[str, str]:
    """The modules around the versions: they are the same whatever the text."""
    found: dict[str, str] = {}
    for place in ("mcp method", "method"):
        found |= made(place, "harmless").shared
    return found


def derived(text: str) -> frozenset[str]:
    """The names that the naming module makes of a text."""
    return frozenset(_derived(text)) | HIDDEN


def _derived(text: str) -> Iterator[str]:
    yield text
    for maker in (names.field_name, names.method_name, names.class_name):
        try:
            name = maker(text)
        except names.UnusableName:
            continue
        yield from (name, f"_{name}", f"Holder{name}", f"{name}Choice", f"Choice{name}", f"on_{name}", f"call_{name}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_text_is_data(case: Case, imported: dict[str, dict[str, object]]) -> None:
    found = made(case.place.name, case.text)
    assert not found.seen
    if not found.files:
        assert found.diagnostics
        for diagnostic in found.diagnostics:
            assert diagnostic.code != "internal"
            lines = str(diagnostic).split("\n")
            assert len(lines) <= 2
            assert all(line.isprintable() for line in lines)
            assert len(lines[0]) < 1000
        return
    twin = made(case.place.name, case.twin())
    assert found.files.keys() == twin.files.keys()
    for name, text in found.files.items():
        compare(text, twin.files[name], derived(case.text))
    assert imported[case.version] == {"version": case.version, "problem": None, "seen": [], "is_injected": False}


def test_the_corpus_is_large_and_both_accepted_and_refused() -> None:
    accepted = [case for case in CASES if made(case.place.name, case.text).files]
    assert len(CASES) >= 500
    assert len({case.id for case in CASES}) == len(CASES)
    assert len(accepted) > len(CASES) / 2
    assert {case.place.name for case in CASES} == BY_NAME.keys()
