"""Names of generated files: relative, and never leading out of the output folder."""

from pathlib import PurePosixPath


def is_inside(name: str) -> bool:
    """Whether `name` is a plain relative path with `/` between its parts, on every platform."""
    parts = name.split("/")
    return not any(part in ("", ".", "..") or any(char in part for char in "\\:\0") for part in parts)


def folders(name: str) -> list[str]:
    """The folders above the file `name`, innermost first, without the output folder itself."""
    return [parent.as_posix() for parent in PurePosixPath(name).parents][:-1]
