"""`[tool.wiregen]` of the nearest `pyproject.toml`, as a checked, typed `Config`."""

import keyword
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wiregen import catalogue
from wiregen.catalogue import Target
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import is_array, is_object

_FILE = "pyproject.toml"
_TABLE = "tool.wiregen"
_KEYS = ("output", "package", "versions", "schemas")
_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_PART = re.compile(_NAME)
_HEADER = re.compile(rf"\s*\[\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]")
_KEY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")


@dataclass(frozen=True, slots=True)
class Config:
    """What to generate. None, or no entry, where the file says nothing.

    `output` is the folder of the generated package, `package` the dotted name under which it is imported,
    `versions` the protocol versions in canonical order, `schemas` the schema files to use instead of the bundled
    ones. Paths are relative to the folder of the configuration file there, and joined with that folder here.
    """

    output: Path | None = None
    package: str | None = None
    versions: tuple[Target, ...] = ()
    schemas: Mapping[Target, Path] = field(default_factory=dict[Target, Path])


def load(folder: Path) -> Config:
    """The configuration in the nearest `pyproject.toml` in or above `folder`; an empty one if there is none.

    Raises `InvalidInput` with everything that is wrong with it.
    """
    for place in (folder, *folder.absolute().parents):
        if (path := place / _FILE).is_file():
            return parse(path.read_bytes(), file=path)
    return Config()


def parse(data: bytes, *, file: Path) -> Config:
    """The configuration in the text of a `pyproject.toml` that lies at `file`; raises `InvalidInput`."""
    try:
        text = data.decode("utf-8-sig")
        content = tomllib.loads(text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refuse("not-utf8", "not UTF-8", file, line, "save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        raise _refuse(
            "not-toml", f"not TOML: {error}", file, int(place[1]) if place else None, "correct the syntax"
        ) from None
    tool = content.get("tool", {})
    table = tool.get("wiregen") if is_object(tool) else None
    if table is None:
        return Config()
    reader = _Reader(file, text)
    config = reader.read(table)
    if reader.findings:
        raise InvalidInput(reader.findings)
    return config


def is_dotted_name(text: str) -> bool:
    """Whether `text` can stand in an import statement, as in `app.wire`."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in text.split("."))


def _refuse(code: str, message: str, file: Path, line: int | None, hint: str) -> InvalidInput:
    return InvalidInput([Diagnostic(code, message, file=file.as_posix(), line=line, hint=hint)])


class _Reader:
    """Reads the keys one by one and gathers what is wrong with each."""

    def __init__(self, file: Path, text: str) -> None:
        self.findings: list[Diagnostic] = []
        self._file = file
        self._lines = text.split("\n")

    def read(self, table: Any) -> Config:
        if not is_object(table):
            self._report("bad-value", ("wiregen",), f"{_TABLE} must be a table", f"write [{_TABLE}]")
            return Config()
        for key in table:
            if key not in _KEYS:
                self._report("unknown-key", (key,), f"unknown key {key!r}", f"the keys are {', '.join(_KEYS)}")
        versions = self._versions(table)
        return Config(self._output(table), self._package(table), versions, self._schemas(table, versions))

    def _output(self, table: dict[str, Any]) -> Path | None:
        text = self._text(table, "output", "the folder of the generated package")
        return self._file.parent / text if text else None

    def _package(self, table: dict[str, Any]) -> str | None:
        text = self._text(table, "package", "the dotted name of the generated package")
        if text and not is_dotted_name(text):
            hint = "write the name as in an import statement, such as app.wire"
            self._report("bad-value", ("package",), f"{text!r} is no package name", hint)
        return text

    def _versions(self, table: dict[str, Any]) -> tuple[Target, ...]:
        value = table.get("versions", [])
        if not is_array(value):
            hint = 'write a list, such as versions = ["acp@v2"]'
            self._report("bad-value", ("versions",), "versions must be a list of PROTOCOL@VERSION", hint)
            return ()
        chosen = {self._target(item, ("versions",)) for item in value}
        return tuple(target for target in catalogue.targets() if target in chosen)

    def _schemas(self, table: dict[str, Any], versions: tuple[Target, ...]) -> dict[Target, Path]:
        value = table.get("schemas", {})
        if not is_object(value):
            hint = f'write a table, such as [{_TABLE}.schemas] with "acp@v2" = "schema.json"'
            self._report("bad-value", ("schemas",), "schemas must be a table of PROTOCOL@VERSION to path", hint)
            return {}
        schemas: dict[Target, Path] = {}
        for key in value:
            target = self._target(key, ("schemas", key))
            text = self._text(value, key, "the path of a schema file", place=("schemas", key))
            if target and versions and target not in versions:
                hint = "add it to versions, or remove the schema"
                self._report("unused-schema", ("schemas", key), f"{key} is not among the versions to generate", hint)
            elif target and text:
                schemas[target] = self._file.parent / text
        return schemas

    def _text(self, table: dict[str, Any], key: str, what: str, place: tuple[str, ...] = ()) -> str | None:
        value = table.get(key)
        if isinstance(value, str) and value:
            return value
        if value is not None:
            self._report(
                "bad-value",
                place or (key,),
                f"{key} must be a text that is not empty: {what}",
                "write it in quotation marks",
            )
        return None

    def _target(self, value: Any, place: tuple[str, ...]) -> Target | None:
        if not isinstance(value, str):
            hint = 'write PROTOCOL@VERSION in quotation marks, such as "acp@v2"'
            self._report("bad-value", place, f"{value!r} is no PROTOCOL@VERSION", hint)
            return None
        try:
            return catalogue.parse_target(value)
        except InvalidInput as error:
            self.findings.extend(
                replace(d, file=self._file.as_posix(), line=self._line(place)) for d in error.diagnostics
            )
            return None

    def _report(self, code: str, place: tuple[str, ...], message: str, hint: str) -> None:
        file = self._file.as_posix()
        self.findings.append(Diagnostic(code, message, file=file, line=self._line(place), hint=hint))

    def _line(self, place: tuple[str, ...]) -> int | None:
        """The line of a key, or of what holds it; the TOML parser does not tell, so the text is searched."""
        header = None
        found: dict[tuple[str, ...], int] = {}
        for number, line in enumerate(self._lines, start=1):
            if match := _HEADER.match(line):
                header = _dotted(match[1])
                found.setdefault(header, number)
            elif header is not None and (match := _KEY.match(line)):
                found.setdefault((*header, *_dotted(match[1])), number)
        path = (*_TABLE.split("."), *place)
        return next((found[path[:end]] for end in range(len(path), 0, -1) if path[:end] in found), None)


def _dotted(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(text))
