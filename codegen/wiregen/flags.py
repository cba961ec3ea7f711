"""What the arguments of `wiregen generate` ask for."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from wiregen import catalogue
from wiregen.catalogue import Target
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.parts import PARTS
from wiregen.settings import Settings


@dataclass(slots=True, kw_only=True)
class Request:
    """The values of all arguments, as they were given."""

    targets: list[str] = field(default_factory=list[str])
    schema: list[str] = field(default_factory=list[str])
    output: Path | None = None
    package: str | None = None
    emit: list[str] = field(default_factory=list[str])
    line_length: int | None = None
    templates: Path | None = None
    check: bool = False
    diff: bool = False
    full: bool = False
    fail_on_write: bool = False
    quiet: bool = False
    format: Literal["text", "json"] = "text"

    def settings(self) -> Settings:
        """What they say of the outputs; raises `InvalidInput` for what they cannot say."""
        return settings(
            targets=self.targets,
            schema=self.schema,
            output=self.output,
            package=self.package,
            emit=self.emit,
            line_length=self.line_length,
            templates=self.templates,
        )

    @property
    def writes(self) -> bool:
        """Whether the outputs are written, and not only looked at."""
        return not (self.check or self.diff)

    @property
    def fails_when_stale(self) -> bool:
        """Whether an output that is not as it should be is a finding."""
        return self.check or (self.writes and self.fail_on_write)


def settings(  # noqa: PLR0913  (each is a flag)
    *,
    targets: Iterable[str] = (),
    schema: Iterable[str] = (),
    output: Path | None = None,
    package: str | None = None,
    emit: Iterable[str] = (),
    line_length: int | None = None,
    templates: Path | None = None,
) -> Settings:
    """The settings that the values of the flags stand for; raises `InvalidInput` for what they cannot be."""
    if not package and package is not None:
        raise _bad_usage("--package: the name is empty", "write the name as in an import statement, such as app.wire")
    return Settings(
        output=output,
        package=package,
        versions=tuple(map(catalogue.parse_target, targets)),
        schemas=dict(map(_own_schema, schema)),
        emit=tuple(map(_part, emit)),
        line_length=line_length,
        templates=templates,
    )


def folder(text: str) -> Path:
    """The folder that a flag names; raises `ValueError` for no text at all, which would be the working directory."""
    if not text:
        raise ValueError("the path is empty: write . for the working directory")
    return Path(text)


def words(flags: Settings) -> list[str]:
    """The flags that stand for these settings."""
    options = {
        "--output": flags.output,
        "--package": flags.package,
        "--line-length": flags.line_length,
        "--templates": flags.templates,
    }
    found = [str(target) for target in flags.versions]
    found += [word for flag, value in options.items() if value is not None for word in (flag, str(value))]
    found += [word for target, path in flags.schemas.items() for word in ("--schema", f"{target}={path}")]
    return found + [word for part in flags.emit for word in ("--emit", part)]


def _own_schema(text: str) -> tuple[Target, Path]:
    target, equals, path = text.partition("=")
    if not equals or not path:
        hint = "write for example acp@v2=schema.json"
        raise _bad_usage(f"--schema {text}: not of the form PROTOCOL@VERSION=PATH", hint)
    return catalogue.parse_target(target), Path(path)


def _part(text: str) -> str:
    if text not in PARTS:
        raise _bad_usage(f"--emit {text}: there is no such part", f"the parts are {', '.join(PARTS)}")
    return text


def _bad_usage(message: str, hint: str) -> InvalidInput:
    return InvalidInput([Diagnostic("bad-usage", message, hint=hint)])
