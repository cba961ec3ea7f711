"""A starting point of the configuration, written into `pyproject.toml`."""

import os
import re
from pathlib import Path
from typing import Any, Final

from wiregen import config, disk
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import is_object
from wiregen.paths import is_regular, real
from wiregen.settings import package_problem
from wiregen.trouble import told

_AS_TABLES: Final = "write [tool.NAME] for each tool"
_TABLE: Final = """\
[tool.wiregen]
# The folder of the generated package, and the name under which it is imported.
output = "{folder}"
package = "{package}"
# The versions to generate; `wiregen schema list` shows all.
versions = ["acp@v2", "mcp@2025-11-25"]
# The parts to generate, each with what it needs; all by default.
# emit = ["models", "messages", "capabilities", "dispatch"]
# line-length = 120
# A folder of templates to use instead of the bundled ones of the same name.
# templates = "templates/wire"
# Your own schema files to use instead of the bundled ones.
# [tool.wiregen.schemas]
# "acp@v2" = "schemas/acp-v2.json"
"""


def add_table(folder: Path) -> Path:
    """Adds the table to the nearest `pyproject.toml`, or to a new one in `folder`; returns the file.

    A file that is a link is written where it leads. Raises `InvalidInput` if the file has the table already, is no
    TOML, or has no place for it.
    """
    file = config.nearest(folder) or folder / config.FILE
    place = real(file)
    if os.path.lexists(file) and not is_regular(place):
        raise _refuse("in-the-way", "it is no file, or a link that leads to none", file, "move it away")
    try:
        before = place.read_bytes() if place.exists() else b""
        after = _with_table(before, file)
        disk.replace_file(place, after)
        disk.remove_drafts([place])
    except OSError as error:
        raise InvalidInput([told(error, "cannot-write", place=file)]) from None
    return file


def _with_table(before: bytes, file: Path) -> bytes:
    text, content = config.parse_toml(before, file=file)
    tool = content.get("tool", {})
    if not is_object(tool):
        raise _refuse("bad-value", "tool is no table", file, _AS_TABLES)
    if "wiregen" in tool:
        raise _refuse("has-table", "it has tool.wiregen already", file, "edit it there")
    package = f"{_parent_package(file.parent, content)}._wire"
    table = _TABLE.format(folder=f"src/{package.replace('.', '/')}", package=package)
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    after = before + (gap + table).replace("\n", "\r\n" if b"\r\n" in before else "\n").encode()
    try:
        config.parse_toml(after, file=file)
    except InvalidInput:
        raise _refuse("bad-value", "tool is written in a way that takes no further table", file, _AS_TABLES) from None
    return after


def _parent_package(folder: Path, content: dict[str, Any]) -> str:
    """The package that the generated one belongs in: the one under `src`, else the name of the project."""
    found = [path.parent.name for path in sorted(folder.glob("src/*/__init__.py"))]
    usable = [name for name in found if not package_problem(name, None)]
    if len(usable) == 1:
        return usable[0]
    project = content.get("project", {})
    name = project.get("name") if is_object(project) else None
    name = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower() if isinstance(name, str) else ""
    return "app" if package_problem(name, None) else name


def _refuse(code: str, message: str, file: Path, hint: str) -> InvalidInput:
    return InvalidInput([Diagnostic(code, message, file.as_posix(), hint=hint)])
