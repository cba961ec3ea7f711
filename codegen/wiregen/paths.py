"""Names of generated files, and where folders lie towards each other."""

import os
import stat
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Final

_LONGEST_NAME: Final = 255
"""Bytes that file systems give the name of a file."""


def is_inside(name: str) -> bool:
    """Whether `name` is a plain relative path with `/` between its parts, on every platform."""
    return all(map(_is_name, name.split("/")))


def _is_name(part: str) -> bool:
    try:
        is_short = len(part.encode()) <= _LONGEST_NAME
    except UnicodeEncodeError:  # half of a character
        return False
    return is_short and part not in ("", ".", "..") and not any(char in part for char in "\\:\0")


def is_regular(path: Path) -> bool:
    """Whether `path` is itself a plain file: no link, no folder, no pipe. Raises `OSError` if that cannot be told."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def folders(name: str) -> list[str]:
    """The folders above the file `name`, innermost first, without the output folder itself."""
    return [parent.as_posix() for parent in PurePosixPath(name).parents][:-1]


def overlapping(places: Sequence[Path]) -> Iterator[tuple[int, int]]:
    """The pairs of folders, by index, of which one is the other or lies in it."""
    resolved = [*map(real, places)]
    for first, second in combinations(range(len(places)), 2):
        one, other = resolved[first], resolved[second]
        if one.is_relative_to(other) or other.is_relative_to(one):
            yield first, second


def real(place: Path) -> Path:
    """Where `place` lies when all links are followed; a loop of links is left as it is."""
    return Path(os.path.realpath(place))


def project_root(folder: Path) -> Path:
    """The repository that `folder` lies in (a work tree or submodule too); `folder` itself if it lies in none."""
    here = real(folder)
    return next((place for place in (here, *here.parents) if os.path.exists(place / ".git")), here)
