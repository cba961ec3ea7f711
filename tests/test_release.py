"""Whether the two distributions of this checkout belong together."""

import tomllib
from pathlib import Path

import wiregen
from wiregen import manifest
from wiregen.source import source

ROOT = Path(__file__).parents[1]


def test_both_are_of_one_version() -> None:
    project = tomllib.loads((ROOT / "generated" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == wiregen.__version__
    assert manifest.read(ROOT / "generated" / "wiretypes").source["wiregen"] == wiregen.__version__


def test_the_package_was_made_by_this_code_of_these_schemas() -> None:
    (output,) = wiregen.read_config(ROOT).outputs
    recorded = manifest.read(output.folder)
    assert [*manifest.differences(recorded.source, source(output))] == []
    assert manifest.is_current(output.folder, source(output))
