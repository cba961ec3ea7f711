"""What a run would change, as a patch that git and other programs apply."""

import difflib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wiregen.manifest import read_text
from wiregen.paths import real
from wiregen.write import Plan

_NOTHING: Final = "/dev/null"
_UNSAFE: Final = re.compile(r'[\x00-\x1f"\\\x7f]')


def diff(plan: Plan, root: Path) -> str:
    """The patch for one output, its files named from the folder `root`; one that lies elsewhere is named in full."""
    place = real(plan.output)
    folder = place.relative_to(real(root)) if place.is_relative_to(real(root)) else place.relative_to(place.anchor)
    names = sorted({*plan.to_write, *plan.stale})
    return "".join(line for name in names for line in _file(plan, name, (folder / name).as_posix()))


def _file(plan: Plan, name: str, path: str) -> Iterator[str]:
    old, new = read_text(plan.output / name), plan.files.get(name)
    before, after = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    yield f"diff --git {before} {after}\n"
    if old is None:
        yield "new file mode 100644\n"
    elif new is None:
        yield "deleted file mode 100644\n"
    lines = difflib.unified_diff(
        _lines(old),
        _lines(new),
        _NOTHING if old is None else _ended(before),
        _NOTHING if new is None else _ended(after),
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(data: bytes | None) -> list[str]:
    return list(io.StringIO((data or b"").decode(errors="replace"), newline="\n"))


def _quoted(path: str) -> str:
    """A name as it stands in a patch: one with control characters, quotes or backslashes is written as in C."""
    if not _UNSAFE.search(path):
        return path
    return '"' + _UNSAFE.sub(lambda found: f"\\{ord(found[0]):03o}", path) + '"'


def _ended(path: str) -> str:
    """A name on a line of its own: a tab ends one that holds spaces."""
    return f"{path}\t" if " " in path and not path.startswith('"') else path
