"""What a generated package is made of, as digests: cheap to take, the same on every machine."""

import hashlib
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wiregen import __version__, catalogue, templates
from wiregen.manifest import CODE, VERSION
from wiregen.parts import with_needed
from wiregen.settings import Output

_CODE = Path(__file__).parent
_TABLES = ("capabilities", "docs", "errata")
_LARGEST = 64 * 2**20
"""Size in bytes beyond which no input is read; the limits of what is accepted are lower."""


def source(output: Output) -> dict[str, Any]:
    """The version of wiregen, the options, and a digest of each input.

    An input counts by its content with `\\n` line ends, not by its name or time. Raises `OSError` if one cannot be
    read, and `InvalidInput` for templates that have no counterpart.
    """
    if output.templates is not None:
        templates.check(output.templates)
    protocols = sorted({target.protocol for target in output.versions})
    return {
        VERSION: __version__,
        CODE: _digest(_code()),
        "templates": _digest(templates.files(output.templates).items()),
        **{f"schema {target}": _digest([("", _schema(target, output))]) for target in output.versions},
        **{f"tables {protocol}": _digest(_tables(protocol)) for protocol in protocols},
        "option emit": list(with_needed(output.emit)),
        "option line-length": output.line_length,
        "option package": output.package,
    }


def _schema(target: catalogue.Target, output: Output) -> Path:
    return output.schemas.get(target) or catalogue.data_root() / catalogue.schema_name(target)


def _tables(protocol: str) -> Iterator[tuple[str, Path]]:
    """The tables of a protocol, each a file, a folder of files, or both, and the schemas that they are checked with."""
    for version in catalogue.versions(protocol):
        yield version, catalogue.data_root() / catalogue.schema_name(catalogue.Target(protocol, version))
    for table in _TABLES:
        file = catalogue.data_root() / catalogue.table_name(protocol, table)
        if file.is_file():
            yield file.name, file
        yield from ((f"{table}/{path.name}", path) for path in sorted(file.with_suffix("").glob("*.toml")))


def _code() -> Iterator[tuple[str, Path]]:
    """The modules that decide what is generated: all but those of the command line."""
    for path in sorted(_CODE.rglob("*.py")):
        name = path.relative_to(_CODE).as_posix()
        if not name.endswith("cli.py") and name != "__main__.py":
            yield name, path


def _digest(files: Iterable[tuple[str, Path]]) -> str:
    total = hashlib.sha256()
    for name, path in files:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
            raise OSError(f"{path} is no file, or too large")
        data = path.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{name}\0{len(data)}\0".encode() + data)
    return total.hexdigest()
