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
from hostile.places import BY_NAME, PLACES
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
GROUP = 120
"""How many cases are imported by one process."""
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


class Imports:
    """What the modules of accepted cases did when they were imported, some cases at a time, as one package."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._groups: dict[int, dict[str, dict[str, object]]] = {}

    def __getitem__(self, case: Case) -> dict[str, object]:
        group = case.index // GROUP
        if group not in self._groups:
            self._groups[group] = self._import(group)
        return self._groups[group][case.version]

    def _import(self, group: int) -> dict[str, dict[str, object]]:
        folder = self._folder / str(group)
        cases = [case for case in CASES[group * GROUP : (group + 1) * GROUP] if made(case.place.name, case.text).files]
        for name, text in {**_formatted(cases), **_shared()}.items():
            path = folder / PACKAGE / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        environment = {**ENVIRONMENT, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "hostile.importer", str(folder), PACKAGE],
            env=environment,
            input=json.dumps([_told(case) for case in cases]),
            capture_output=True,
            encoding="utf-8",
            cwd=folder,
            check=False,
        )
        assert not done.stderr, done.stderr
        results = {result["version"]: result for result in map(json.loads, done.stdout.splitlines())}
        assert results.keys() == {case.version for case in cases}, done.returncode
        return results


def _told(case: Case) -> dict[str, object]:
    """What the importer needs to know of a case."""
    return {
        "version": case.version,
        "protocol": case.place.protocol,
        "place": case.place.name,
        "text": case.text,
        "has_dispatch": "handlers.py" in made(case.place.name, case.text).files,
    }


@pytest.fixture(scope="module")
def imports(tmp_path_factory: pytest.TempPathFactory) -> Imports:
    return Imports(tmp_path_factory.mktemp("hostile"))


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
def test_text_is_data(case: Case, imports: Imports) -> None:
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
    assert imports[case] == {"version": case.version, "problem": None, "seen": [], "is_injected": False}


def test_the_corpus_is_large_and_its_places_are_sound() -> None:
    assert len(CASES) >= 500
    assert len({case.id for case in CASES}) == len(CASES)
    assert {case.place.name for case in CASES} == BY_NAME.keys()
    accepted = [place.name for place in PLACES if made(place.name, "harmless").files]
    refused = {"dialect", "pattern", "type", "side", "undeclared required", "reference", "reference to a name"}
    assert {*BY_NAME} - {*accepted} == {*refused, "keyword", "code keyword"}
