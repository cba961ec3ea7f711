"""Which templates there are, and which file each is: the bundled one, or one of the user's own of the same name."""

import os
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from wiregen import catalogue
from wiregen.errors import Diagnostic, InvalidInput, limited
from wiregen.paths import project_root, real

SUFFIX = ".jinja2"


def files(own: Path | None = None) -> dict[str, Path]:
    """The file of every template by its name, such as `version.py.jinja2`; those in the folder `own` go first."""
    bundled = dict(_in_folder(catalogue.templates()))
    if own is None:
        return bundled
    return {name: own / name if os.path.lexists(own / name) else path for name, path in bundled.items()}


def check(own: Path) -> None:
    """Raises `InvalidInput` if `own` is no folder, or holds what cannot be used.

    That is a template without a counterpart, one that is no file, or one that lies outside the repository of `own`,
    be it through a link.
    """
    if not os.path.isdir(own):
        hint = "correct the path of the templates"
        raise InvalidInput([Diagnostic("no-folder", "there is no such folder", file=own.as_posix(), hint=hint)])
    known = files()
    found = dict(_in_folder(own))
    findings = [_unknown(path, name, [*known]) for name, path in found.items() if name not in known]
    root = project_root(own)
    for name in known:
        if os.path.lexists(own / name) and (problem := _problem(own / name, root)):
            findings.append(problem)
    if findings:
        raise InvalidInput(limited(findings))


def _problem(path: Path, root: Path) -> Diagnostic | None:
    file = path.as_posix()
    if not real(path).is_relative_to(root):
        message, hint = "the template is a link that leads out of the repository", "put the file itself here"
        return Diagnostic("outside-project", message, file=file, hint=hint)
    if not os.path.exists(path):
        return Diagnostic("no-file", "the template is a link to nothing", file=file, hint="correct or remove it")
    if not os.path.isfile(path):
        return Diagnostic("no-file", "the template is no file", file=file, hint="move it away, or put a file here")
    return None


def _in_folder(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        yield path.relative_to(folder).as_posix(), path


def _unknown(path: Path, name: str, known: list[str]) -> Diagnostic:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"the templates are {', '.join(known)}"
    return Diagnostic("unknown-template", "no template has this name", file=path.as_posix(), hint=hint)
