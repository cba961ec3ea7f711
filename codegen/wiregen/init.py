"""A starting point of the configuration, written into `pyproject.toml`."""

import keyword
import re
from pathlib import Path
from typing import Any, Final

from wiregen import config
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import is_object
from wiregen.write import replace_file

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

    Raises `InvalidInput` if the file has the table already, or is no TOML.
    """
    file = config.nearest(folder) or folder / config.FILE
    try:
        before = file.read_bytes() if file.exists() else b""
        text, content = config.parse_toml(before, file=file)
        tool = content.get("tool", {})
        if not is_object(tool):
            raise _refuse("bad-value", "tool is no table", file, "write [tool.NAME] for each tool")
        if "wiregen" in tool:
            raise _refuse("has-table", "it has tool.wiregen already", file, "edit it there")
        package = f"{_parent_package(file.parent, content)}._wire"
        table = _TABLE.format(folder=f"src/{package.replace('.', '/')}", package=package)
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        added = (gap + table).replace("\n", "\r\n" if b"\r\n" in before else "\n")
        replace_file(file, before + added.encode())
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise _refuse("cannot-write", message, file, "make the file writable") from None
    return file


def _parent_package(folder: Path, content: dict[str, Any]) -> str:
    """The package that the generated one belongs in: the one under `src`, else the name of the project."""
    found = [path.parent.name for path in sorted(folder.glob("src/*/__init__.py")) if path.parent.name.isidentifier()]
    if len(found) == 1:
        return found[0]
    project = content.get("project", {})
    name = project.get("name") if is_object(project) else None
    name = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower() if isinstance(name, str) else ""
    return name if name.isidentifier() and not keyword.iskeyword(name) else "app"


def _refuse(code: str, message: str, file: Path, hint: str) -> InvalidInput:
    return InvalidInput([Diagnostic(code, message, file.as_posix(), hint=hint)])
