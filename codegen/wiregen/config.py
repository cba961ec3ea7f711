"""`[tool.wiregen]` of the nearest `pyproject.toml`, as far as it says what to generate."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from wiregen import catalogue, toml_lines
from wiregen.catalogue import Target
from wiregen.errors import Diagnostic, InvalidInput, limited
from wiregen.json_text import is_array, is_object
from wiregen.output_check import unused_schema
from wiregen.parts import PARTS
from wiregen.paths import overlapping, project_root, real
from wiregen.settings import Settings, emit_problem, folder_name, line_length_problem, package_problem

FILE = "pyproject.toml"
_TABLE = "tool.wiregen"
_OUTPUT_KEYS = ("output", "package", "versions", "schemas", "emit", "line-length", "templates")
_KEYS = (*_OUTPUT_KEYS, "outputs")
_Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What a `pyproject.toml` says of what to generate.

    `file` is the file, None if there is none; `common` holds for every output, `outputs` are the outputs that it
    names, with what is common filled in. Paths are relative to the folder of the file there, and joined with it here.
    `line` is where the table begins, `lines` where each of the outputs does.
    """

    file: Path | None = None
    common: Settings = field(default_factory=Settings)
    outputs: tuple[Settings, ...] = ()
    line: int | None = field(default=None, compare=False)
    lines: tuple[int | None, ...] = field(default=(), compare=False)


def load(folder: Path) -> ConfigFile:
    """What the nearest `pyproject.toml` in or above `folder` says; raises `InvalidInput` with all that is wrong."""
    path = nearest(folder)
    if path is None:
        return ConfigFile()
    try:
        return parse(path.read_bytes(), file=path)
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise _refuse("cannot-read", message, path, None, "make the file readable") from None


def nearest(folder: Path) -> Path | None:
    """The `pyproject.toml` in `folder`, or else in the nearest folder above; relative if `folder` is."""
    for steps, place in enumerate((folder.absolute(), *folder.absolute().parents)):
        if (place / FILE).is_file():
            return (place if folder.is_absolute() else folder.joinpath(*[".."] * steps)) / FILE
    return None


def parse(data: bytes, *, file: Path) -> ConfigFile:
    """What the text of a `pyproject.toml` that lies at `file` says; raises `InvalidInput`."""
    text, content = parse_toml(data, file=file)
    tool = content.get("tool", {})
    if not is_object(tool):
        line = toml_lines.lines(text).get(("tool",))
        raise _refuse("bad-value", "tool must be a table", file, line, f"write [{_TABLE}]")
    if "wiregen" not in tool:
        return ConfigFile(file)
    reader = _Reader(file, text)
    found = reader.read(tool["wiregen"])
    if findings := limited(reader.findings):
        raise InvalidInput(findings)
    return found


def parse_toml(data: bytes, *, file: Path) -> tuple[str, dict[str, Any]]:
    """The text and the content of a TOML file that lies at `file`; raises `InvalidInput` if it is none."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refuse("not-utf8", "not UTF-8", file, line, "save the file as UTF-8") from None
    except RecursionError:
        raise _refuse("not-toml", "nested too deeply", file, None, "make it flatter") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        raise _refuse(
            "not-toml", f"not TOML: {error}", file, int(place[1]) if place else None, "correct the syntax"
        ) from None


def _refuse(code: str, message: str, file: Path, line: int | None, hint: str) -> InvalidInput:
    return InvalidInput([Diagnostic(code, message, file=file.as_posix(), line=line, hint=hint)])


class _Reader:
    """Reads the keys one by one and gathers what is wrong with each."""

    def __init__(self, file: Path, text: str) -> None:
        self.findings: list[Diagnostic] = []
        self._file = file
        self._text = text
        self._root = project_root(file.parent)

    def read(self, table: Any) -> ConfigFile:
        if not is_object(table):
            self._report("bad-value", (), f"{_TABLE} must be a table", f"write [{_TABLE}]")
            return ConfigFile(self._file)
        common = self._settings(table, (), _KEYS)
        entries = table.get("outputs")
        line = self._line(())
        if entries is None:
            self._unused_schemas(common, common.versions, ())
            if common.output is None:
                return ConfigFile(self._file, common, line=line)
            return ConfigFile(self._file, common, (common,), line, (self._line(("output",)),))
        for key in ("output", "package"):
            if key in table:
                hint = f"move it into the entries of {_TABLE}.outputs"
                self._report("bad-value", (key,), f"{key} cannot stand beside outputs", hint)
        outputs = self._outputs(entries, common)
        used = tuple(target for output in outputs for target in output.versions)
        self._unused_schemas(common, used, ())
        lines = tuple(self._line(("outputs", index)) for index in range(len(outputs)))
        return ConfigFile(self._file, common, outputs, line, lines)

    def _outputs(self, entries: Any, common: Settings) -> tuple[Settings, ...]:
        if not (is_array(entries) and entries and all(map(is_object, entries))):
            hint = f"write [[{_TABLE}.outputs]] before the keys of each"
            self._report("bad-value", ("outputs",), "outputs must be an array of tables", hint)
            return ()
        own = [self._settings(entry, ("outputs", index), _OUTPUT_KEYS) for index, entry in enumerate(entries)]
        for index, settings in enumerate(own):
            place: _Place = ("outputs", index)
            if "output" not in entries[index]:
                self._report("missing-key", place, "this entry has no output", 'add output = "..."')
            self._unused_schemas(settings, settings.versions or common.versions, place)
        self._check_overlaps(own, [entry.get("output") for entry in entries])
        return tuple(settings.over(common) for settings in own)

    def _check_overlaps(self, outputs: list[Settings], written: list[Any]) -> None:
        placed = [(index, settings.output) for index, settings in enumerate(outputs) if settings.output]
        for one, other in overlapping([folder for _, folder in placed]):
            first, second = placed[one][0], placed[other][0]
            message = f"the outputs {written[first]!r} and {written[second]!r} overlap"
            hint = "give each output a folder of its own, beside the others"
            self._report("overlapping-outputs", ("outputs", second, "output"), message, hint)

    def _settings(self, table: dict[str, Any], place: _Place, keys: tuple[str, ...]) -> Settings:
        for key in table:
            if key not in keys:
                self._report("unknown-key", (*place, key), f"unknown key {key!r}", f"the keys are {', '.join(keys)}")
        output = self._path(table, "output", place, "the folder of the generated package")
        return Settings(
            output=output,
            package=self._package(table, place, output),
            versions=self._versions(table, place),
            schemas=self._schemas(table, place),
            emit=self._emit(table, place),
            line_length=self._line_length(table, place),
            templates=self._path(table, "templates", place, "the folder of your own templates"),
        )

    def _package(self, table: dict[str, Any], place: _Place, output: Path | None) -> str | None:
        text = self._string(table, "package", place, "the dotted name of the generated package")
        name = text or (output and folder_name(output))
        if name and (problem := package_problem(name, output)):
            message, hint = problem
            if not text:
                message, hint = f"the package would be called like its folder: {message}", "rename the folder"
            self._report("bad-package", (*place, "package" if text else "output"), message, hint)
        return text

    def _versions(self, table: dict[str, Any], place: _Place) -> tuple[Target, ...]:
        value = table.get("versions", [])
        if not is_array(value):
            hint = 'write a list, such as versions = ["acp@v2"]'
            self._report("bad-value", (*place, "versions"), "versions must be a list of PROTOCOL@VERSION", hint)
            return ()
        chosen = {self._target(item, (*place, "versions", index)) for index, item in enumerate(value)}
        return tuple(target for target in catalogue.targets() if target in chosen)

    def _schemas(self, table: dict[str, Any], place: _Place) -> dict[Target, Path]:
        value = table.get("schemas", {})
        if not is_object(value):
            hint = f'write a table, such as [{_TABLE}.schemas] with "acp@v2" = "schema.json"'
            message = "schemas must be a table of PROTOCOL@VERSION to path"
            self._report("bad-value", (*place, "schemas"), message, hint)
            return {}
        schemas: dict[Target, Path] = {}
        for key in value:
            target = self._target(key, (*place, "schemas", key))
            path = self._path(value, key, (*place, "schemas"), "the path of a schema file")
            if target and path:
                schemas[target] = path
        return schemas

    def _unused_schemas(self, settings: Settings, versions: tuple[Target, ...], place: _Place) -> None:
        for target in settings.schemas:
            if versions and target not in versions:
                found = unused_schema(target)
                self._report(found.code, (*place, "schemas", str(target)), found.message, found.hint)

    def _emit(self, table: dict[str, Any], place: _Place) -> tuple[str, ...]:
        if "emit" not in table:
            return ()
        value = table["emit"]
        problems = [emit_problem([item]) for item in value] if is_array(value) and value else [emit_problem(value)]
        for index, problem in enumerate(problems):
            if problem is not None:
                self._report("bad-value", (*place, "emit", index), *problem)
        if not is_array(value):
            return ()
        return tuple(part for part in PARTS if part in value)

    def _line_length(self, table: dict[str, Any], place: _Place) -> int | None:
        value = table.get("line-length")
        if value is None or (problem := line_length_problem(value)) is None:
            return value
        self._report("bad-value", (*place, "line-length"), *problem)
        return None

    def _path(self, table: dict[str, Any], key: str, place: _Place, what: str) -> Path | None:
        text = self._string(table, key, place, what)
        if text is None:
            return None
        path = self._file.parent / text
        # What is still a link then is one of a loop.
        end = None if "\0" in text else real(path)
        if end is None or not end.is_relative_to(self._root) or any(map(os.path.islink, (end, *end.parents))):
            hint = "give a path inside the repository, or name it on the command line"
            self._report("outside-project", (*place, key), f"{text!r} leads out of the project", hint)
            return None
        return path

    def _string(self, table: dict[str, Any], key: str, place: _Place, what: str) -> str | None:
        value = table.get(key)
        if isinstance(value, str) and value:
            return value
        if value is not None:
            message = f"{key} must be a text that is not empty: {what}"
            self._report("bad-value", (*place, key), message, "write it in quotation marks")
        return None

    def _target(self, value: Any, place: _Place) -> Target | None:
        if not isinstance(value, str):
            hint = 'write PROTOCOL@VERSION in quotation marks, such as "acp@v2"'
            self._report("bad-value", place, f"{value!r} is no PROTOCOL@VERSION", hint)
            return None
        try:
            return catalogue.parse_target(value)
        except InvalidInput as error:
            line = self._line(place)
            self.findings.extend(replace(d, file=self._file.as_posix(), line=line) for d in error.diagnostics)
            return None

    def _report(self, code: str, place: _Place, message: str, hint: str | None) -> None:
        file = self._file.as_posix()
        self.findings.append(Diagnostic(code, message, file=file, line=self._line(place), hint=hint))

    def _line(self, place: _Place) -> int | None:
        """The line on which what is at a place begins, or else what holds it."""
        path = (*_TABLE.split("."), *place)
        return next((line for end in range(len(path), 0, -1) if (line := self._lines.get(path[:end]))), None)

    @cached_property
    def _lines(self) -> Mapping[tuple[str | int, ...], int]:
        return toml_lines.lines(self._text)
