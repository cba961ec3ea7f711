"""Names of generated files, and where folders lie towards each other."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath


def is_inside(name: str) -> bool:
    """Whether `name` is a plain relative path with `/` between its parts, on every platform."""
    parts = name.split("/")
    return not any(part in ("", ".", "..") or any(char in part for char in "\\:\0") for part in parts)


def folders(name: str) -> list[str]:
    """The folders above the file `name`, innermost first, without the output folder itself."""
    return [parent.as_posix() for parent in PurePosixPath(name).parents][:-1]


def overlapping(places: Sequence[Path]) -> Iterator[tuple[int, int]]:
    """The pairs of folders, by index, of which one is the other or lies in it."""
    resolved = [place.resolve() for place in places]
    for first, second in combinations(range(len(places)), 2):
        one, other = resolved[first], resolved[second]
        if one.is_relative_to(other) or other.is_relative_to(one):
            yield first, second


def project_root(folder: Path) -> Path:
    """The repository that `folder` lies in (a work tree or submodule too); `folder` itself if it lies in none."""
    here = folder.resolve()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)
