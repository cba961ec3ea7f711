"""The plain datamodel-code-generator: its command line, with nothing but what is needed to get models."""

import sys
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from benchmarks.measure import run

ROOT: Final = Path(__file__).parents[1]

VERSIONS: Final = (
    "acp@v1",
    "acp@v1-unstable",
    "acp@v2",
    "acp@v2-unstable",
    "mcp@2024-11-05",
    "mcp@2025-03-26",
    "mcp@2025-06-18",
    "mcp@2025-11-25",
    "mcp@2026-07-28",
)


def command(version: str, output: Path) -> list[str | Path]:
    """Generates models of a bundled version, formatted with ruff."""
    schema = ROOT.joinpath("schema", *version.split("@"), "schema.json")
    return [
        *(Path(sys.executable).with_name("datamodel-codegen"), "--input", schema, "--input-file-type", "jsonschema"),
        *("--output-model-type", "pydantic_v2.BaseModel", "--formatters", "ruff-check", "ruff-format"),
        *("--output", output),
    ]


def modules(versions: Iterable[str], folder: Path) -> dict[str, ModuleType]:
    """Generated models, imported, by version."""
    loaded: dict[str, ModuleType] = {}
    for version in versions:
        name = version.replace("@", "_").replace("-", "_")
        path = folder / f"{name}.py"
        run(command(version, path), folder)
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise RuntimeError(f"{path} is no module")
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
        loaded[version] = module
    return loaded
