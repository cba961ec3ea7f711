"""What to generate: as far as a table or the flags say it (`Settings`), and in full (`Output`)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from wiregen.catalogue import Target
from wiregen.json_text import is_array
from wiregen.parts import PARTS
from wiregen.text import is_python_name

Problem = tuple[str, str]
"""What is wrong with a value, and what to do about it."""

LINE_LENGTH: Final = 120
LINE_LENGTHS: Final = range(60, 321)
"""The line lengths that ruff takes and that leave room for the longest names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One package to generate.

    Args:
        folder: the folder of the package itself.
        package: the dotted name under which it is imported; its last part is the name of the folder.
        versions: the protocol versions that it holds.
        schemas: schema files to use instead of the bundled ones.
        emit: the parts of the package, keys of `parts.PARTS`; what a part needs comes with it.
        line_length: longest line of the code, in characters.
        templates: folder of templates that take the place of the bundled ones of the same name.
    """

    folder: Path
    package: str
    versions: tuple[Target, ...]
    schemas: Mapping[Target, Path] = field(default_factory=dict[Target, Path])
    emit: tuple[str, ...] = tuple(PARTS)
    line_length: int = LINE_LENGTH
    templates: Path | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """All packages to generate; their folders lie apart from each other."""

    outputs: tuple[Output, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one table of the configuration, or the flags, say of an output; None or empty where they say nothing."""

    output: Path | None = None
    package: str | None = None
    versions: tuple[Target, ...] = ()
    schemas: Mapping[Target, Path] = field(default_factory=dict[Target, Path])
    emit: tuple[str, ...] = ()
    line_length: int | None = None
    templates: Path | None = None

    def over(self, base: "Settings") -> "Settings":
        """These settings, and those of `base` where these say nothing; schemas are put together."""
        return Settings(
            output=self.output or base.output,
            package=self.package or base.package,
            versions=self.versions or base.versions,
            schemas={**base.schemas, **self.schemas},
            emit=self.emit or base.emit,
            line_length=self.line_length or base.line_length,
            templates=self.templates or base.templates,
        )


def package_problem(name: str, folder: Path | None) -> Problem | None:
    """Why a package cannot have this dotted name, in this folder if it is known."""
    if not all(map(is_python_name, name.split("."))):
        return f"{name!r} is no package name", "write the name as in an import statement, such as app.wire"
    if folder is not None and name.rpartition(".")[2] != (last := folder_name(folder)):
        return f"the package {name} cannot lie in a folder called {last}", "end both with the same name"
    return None


def emit_problem(value: Any) -> Problem | None:
    """Why this is no list of parts to emit."""
    hint = f"the parts are {', '.join(PARTS)}"
    if not is_array(value) or not value:
        return "emit must be a list of parts", hint
    unknown = next((item for item in value if not (isinstance(item, str) and item in PARTS)), None)
    return None if unknown is None else (f"unknown part {unknown!r}", hint)


def line_length_problem(value: Any) -> Problem | None:
    """Why this is no line length."""
    if type(value) is int and value in LINE_LENGTHS:
        return None
    message = f"line-length must be a number from {LINE_LENGTHS[0]} to {LINE_LENGTHS[-1]}"
    return message, "write it without quotation marks" if isinstance(value, str) else "choose one of these"


def folder_name(folder: Path) -> str:
    """The name of a folder, however its path is spelt."""
    return Path(os.path.abspath(folder)).name
