"""Writes and removes single files, so that each is whole at every moment and no link is followed on the way."""

import re
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from wiregen.paths import is_regular

_ATTEMPTS: Final = 3
_DRAFT: Final = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp", re.DOTALL)


def replace_file(path: Path, data: bytes) -> None:
    """Writes `data` to `path`, making its folder: at every moment the file is the old one or the new one.

    The new one may be read and written by whom the old one might. Raises `OSError` if the disk refuses.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return _replace(path, data)
        except FileNotFoundError:
            # Another run tidied up meanwhile, and took the draft or the folder for a left-over.
            if attempt == _ATTEMPTS - 1:
                raise
    return None


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as stream:
            stream.write(data)
        if is_regular(path):
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def remove_drafts(files: Iterable[Path]) -> None:
    """Removes what runs that were killed while they wrote one of these files have left beside it."""
    names: dict[Path, set[str]] = {}
    for file in files:
        names.setdefault(file.parent, set()).add(file.name)
    for folder, known in names.items():
        for path in _entries(folder):
            draft = _DRAFT.fullmatch(path.name)
            if draft and draft[1] in known and is_regular(path):
                path.unlink(missing_ok=True)


def remove_module(path: Path) -> None:
    """Removes a file and what Python compiled from it."""
    path.unlink(missing_ok=True)
    cache = path.parent / "__pycache__"
    if path.suffix != ".py" or cache.is_symlink():
        return
    for compiled in _entries(cache):
        if compiled.name.startswith(f"{path.stem}.") and compiled.suffix == ".pyc" and is_regular(compiled):
            compiled.unlink(missing_ok=True)
    remove_if_empty(cache)


def remove_if_empty(folder: Path) -> None:
    """Removes a folder in which nothing is left."""
    with suppress(OSError):
        folder.rmdir()


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
