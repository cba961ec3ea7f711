"""What `import wiregen` offers to programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wiregen import catalogue, config, pipeline
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.ir import Protocol
from wiregen.output_check import checked
from wiregen.resolve import resolve
from wiregen.settings import Config


@dataclass(frozen=True, slots=True)
class Result:
    """What was generated, in memory: nothing is written.

    `files` is the text of every file by its path, the folders of the outputs included; it is empty if `diagnostics`
    has an error. Warnings leave it as it is.
    """

    files: Mapping[Path, str] = field(default_factory=dict[Path, str])
    diagnostics: tuple[Diagnostic, ...] = ()


def read_config(folder: Path = Path()) -> Config:
    """What `[tool.wiregen]` of the nearest `pyproject.toml` in or above a folder says.

    Raises:
        InvalidInput: with everything that is wrong with it; also if it names no output, or no versions for one.
    """
    return resolve(config.load(folder))


def generate(config: Config) -> Result:
    """Generate every output of a configuration, in memory.

    What is wrong with outputs, schemas or templates is in the diagnostics of the result; nothing is raised for it.
    """
    try:
        config = checked(config)
    except InvalidInput as error:
        return Result(diagnostics=error.diagnostics)
    files: dict[Path, str] = {}
    diagnostics: list[Diagnostic] = []
    for output in config.outputs:
        try:
            made = pipeline.generate(output)
        except InvalidInput as error:
            diagnostics += error.diagnostics
        else:
            diagnostics += made.warnings
            files |= {output.folder / name: text for name, text in made.files.items()}
    is_good = all(diagnostic.severity != "error" for diagnostic in diagnostics)
    return Result(files if is_good else {}, tuple(diagnostics))


def load(protocol: str, version: str) -> Protocol:
    """One bundled protocol version: its declarations and methods, with their documentation.

    Args:
        protocol: `acp` or `mcp`.
        version: a version of it, such as `v2` or `2025-11-25`.

    Raises:
        InvalidInput: there is no such protocol or version; the diagnostic lists those there are.
    """
    return pipeline.read(catalogue.parse_target(f"{protocol}@{version}"))[0]
