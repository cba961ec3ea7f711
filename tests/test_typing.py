"""Strict type checkers find nothing in the package and in documented usage, and what is wrong in other usage."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from golden_cases import CASES, generated
from schemas import write_package

TESTS = Path(__file__).resolve().parent
GENERATED = TESTS.parent / "generated"
EXAMPLES = TESTS.parent / "examples"
USAGE = TESTS / "typing" / "usage.py"
WRONG = TESTS / "typing" / "wrong_usage.py"


def run(module: str, *arguments: object, cwd: Path) -> str:
    """The standard output of a tool that is installed beside the tests."""
    pytest.importorskip(module)
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, "MYPYPATH": str(GENERATED)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    """Where usage is wrong, a finding that is missing is one too: the comment that expects it is then unused."""
    paths = [GENERATED / "wiretypes", EXAMPLES, USAGE, WRONG]
    out = run("mypy", "--strict", "--config-file=", "--cache-dir", tmp_path, *paths, cwd=tmp_path)
    assert out.startswith("Success: no issues found"), out


def basedpyright(folder: Path, *checked: Path, **settings: object) -> list[str]:
    """What basedpyright finds."""
    config = folder / "pyrightconfig.json"
    default = {
        "include": list(map(str, checked)),
        "extraPaths": [str(GENERATED)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    config.write_text(json.dumps({**default, **settings}), encoding="utf-8")
    out = run("basedpyright", "--project", config, "--pythonpath", sys.executable, "--outputjson", cwd=folder)
    report = json.loads(out)
    assert report["summary"]["filesAnalyzed"] >= len(checked)
    return [
        f"{Path(found['file']).name}:{found['range']['start']['line'] + 1} {found.get('rule')} {found['message']}"
        for found in report["generalDiagnostics"]
    ]


def test_basedpyright_finds_nothing(tmp_path: Path) -> None:
    assert basedpyright(tmp_path, GENERATED / "wiretypes", EXAMPLES, USAGE) == []


def test_basedpyright_finds_what_is_expected_in_wrong_usage(tmp_path: Path) -> None:
    """Its own comments say what it has to find; those of mypy count for nothing."""
    more = {"enableTypeIgnoreComments": False, "reportUnnecessaryTypeIgnoreComment": "error"}
    assert basedpyright(tmp_path, WRONG, **more) == []


@pytest.fixture(scope="module")
def constructs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with the modules of every golden case."""
    folder = tmp_path_factory.mktemp("constructs") / "constructs"
    write_package(folder, {case.name: generated(case) for case in CASES})
    return folder


def test_mypy_finds_nothing_in_any_construct(tmp_path: Path, constructs: Path) -> None:
    arguments = ("--strict", "--config-file=", "--cache-dir", tmp_path, constructs / "p")
    out = run("mypy", *arguments, cwd=constructs.parent)
    assert out.startswith("Success: no issues found"), out


def test_basedpyright_finds_nothing_in_any_construct(tmp_path: Path, constructs: Path) -> None:
    assert basedpyright(tmp_path, constructs / "p") == []


def test_the_usage_runs() -> None:
    runpy.run_path(str(USAGE))
