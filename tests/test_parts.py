"""The parts of a package: what is not generated is not imported by what is."""

import json
from pathlib import Path

import pytest
from commands import ENVIRONMENT, python

from wiregen import pipeline
from wiregen.catalogue import Target
from wiregen.parts import PARTS, left_out, with_needed
from wiregen.settings import Output

IMPORT_ALL = """
import importlib, json, pkgutil, sys
package = importlib.import_module("wire")
names = [module.name for module in pkgutil.walk_packages(package.__path__, "wire.")]
for name in names:
    importlib.import_module(name)
version = package.load("acp", "v1")
print(json.dumps([names, package.__all__, dir(version)]))
"""
CHOICES = [("models",), ("messages",), ("capabilities",), ("messages", "capabilities"), ("dispatch",)]


@pytest.mark.parametrize("emit", CHOICES, ids="+".join)
def test_a_package_of_some_parts_imports_whole(emit: tuple[str, ...], tmp_path: Path) -> None:
    output = Output(folder=tmp_path / "wire", package="wire", versions=(Target("acp", "v1"),), emit=emit)
    files = pipeline.generate(output).files
    for name, text in files.items():
        path = tmp_path / "wire" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONPATH"}
    done = python("-c", IMPORT_ALL, folder=tmp_path, environment=environment)
    assert not done.stderr
    names, exported, version = json.loads(done.stdout)
    parts = with_needed(emit)
    assert not {f"{module}.py" for module in left_out(parts)} & files.keys()
    assert ("decode_message" in version) == ("messages" in parts)
    assert ("wire.acp.peers" in names) == ("capabilities" in parts)
    assert ("wire.acp.v1.handlers" in names) == ("dispatch" in parts)
    assert ("RpcError" in exported) == ("dispatch" in parts)


def test_what_a_part_needs_comes_with_it() -> None:
    assert with_needed(["models"]) == ("models",)
    assert with_needed(["dispatch"]) == tuple(PARTS)
    assert with_needed(["capabilities", "messages"]) == ("models", "messages", "capabilities")


def test_every_module_that_a_part_brings_exists() -> None:
    runtime = {path.stem for path in Path(pipeline.__file__).with_name("runtime").glob("*.py")}
    assert left_out([]) <= runtime
    assert left_out([]) == {module for part in PARTS.values() for module in part.modules}
