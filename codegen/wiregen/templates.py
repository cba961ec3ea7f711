"""Which templates there are, and which file each is: the bundled one, or one of the user's own of the same name."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from wiregen import catalogue
from wiregen.errors import Diagnostic, InvalidInput

SUFFIX = ".jinja2"


def files(own: Path | None = None) -> dict[str, Path]:
    """The file of every template by its name, such as `version.py.jinja2`; those in the folder `own` go first."""
    bundled = dict(_in_folder(catalogue.templates()))
    if own is None:
        return bundled
    return {name: own / name if (own / name).is_file() else path for name, path in bundled.items()}


def check(own: Path) -> None:
    """Raises `InvalidInput` if `own` is no folder, or holds a template that has no counterpart."""
    if not own.is_dir():
        hint = "correct the path of the templates"
        raise InvalidInput([Diagnostic("no-folder", "there is no such folder", file=own.as_posix(), hint=hint)])
    known = files()
    findings = [_unknown(path, name, [*known]) for name, path in _in_folder(own) if name not in known]
    if findings:
        raise InvalidInput(findings)


def _in_folder(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        yield path.relative_to(folder).as_posix(), path


def _unknown(path: Path, name: str, known: list[str]) -> Diagnostic:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"the templates are {', '.join(known)}"
    return Diagnostic("unknown-template", "no template has this name", file=path.as_posix(), hint=hint)
