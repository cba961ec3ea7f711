"""Compares generated files with the output folder, and writes what differs: each file is old or new, never half.

A manifest in the output folder records which files are ours. Whatever else is there is never touched.
"""

import difflib
import io
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wiregen import manifest
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.manifest import NAME as MANIFEST
from wiregen.manifest import Manifest, Source, read_text, sha256
from wiregen.paths import folders, is_inside


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to happen in `output` for it to hold `files`.

    Every name of `files` is in one of: `added` (new), `changed` (ours, outdated), `edited` (ours, changed by hand),
    `missing` (ours, gone from the disk) and `unchanged`. `stale` names files of ours that are no longer generated.
    `recorded` is the manifest on the disk, `source` what `files` were made of.
    """

    output: Path
    files: Mapping[str, bytes]
    recorded: Manifest
    source: Source
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def to_write(self) -> tuple[str, ...]:
        """The names whose content on the disk is not the generated one, sorted."""
        return tuple(sorted(self.added + self.changed + self.edited + self.missing))

    @property
    def is_current(self) -> bool:
        """Whether the output is as it should be already."""
        return not (self.to_write or self.stale)


def plan(files: Mapping[str, bytes], output: Path, source: Source) -> Plan:
    """Compares `files` (relative names with `/`), which were made of `source`, with the folder `output`.

    Nothing is written. A file that only differs in having Windows line ends, as a checkout may make them, is
    unchanged. Raises `InvalidInput` if a file that is not ours, a link or a folder is in the way, or if the manifest
    is damaged.
    """
    recorded = manifest.read(output)
    everything = {**files, MANIFEST: manifest.of(files, source).encode()}
    if problems := [*_name_errors(files), *_blocked(output, sorted({*everything, *recorded.files}))]:
        raise InvalidInput(problems)
    groups: dict[str, list[str]] = {}
    for name in sorted(everything):
        groups.setdefault(_state(output / name, everything[name], recorded.files.get(name), name), []).append(name)
    if strangers := groups.pop("not ours", []):
        raise InvalidInput(_in_the_way(output, name) for name in strangers)
    stale = [name for name in sorted(recorded.files) if name not in everything and (output / name).exists()]
    return Plan(output, everything, recorded, source, stale=tuple(stale), **{k: tuple(v) for k, v in groups.items()})


def apply(plan: Plan) -> None:
    """Makes the output what `plan` says; raises `InvalidInput` if the disk refuses.

    Files that do not change keep their modification time. New files are entered into the manifest before they are
    written, so that a run that was stopped half-way still knows them as its own.
    """
    if plan.is_current:
        return
    path = plan.output
    try:
        new = [name for name in plan.added if name != MANIFEST]
        if new:
            entries = {**plan.recorded.files, **{name: sha256(plan.files[name]) for name in new}}
            replace_file(path := plan.output / MANIFEST, Manifest(entries).encode())
        for name in plan.to_write:
            if name != MANIFEST:
                replace_file(path := plan.output / name, plan.files[name])
        for name in plan.stale:
            _remove(path := plan.output / name)
        for folder in sorted({folder for name in plan.stale for folder in folders(name)}, reverse=True):
            _remove_if_empty(plan.output / folder)
        replace_file(path := plan.output / MANIFEST, plan.files[MANIFEST])
    except OSError as error:
        raise InvalidInput(
            [
                Diagnostic(
                    "cannot-write",
                    f"cannot be written: {error.strerror or error}",
                    file=path.as_posix(),
                    hint="make the output folder writable, then run the command again",
                )
            ]
        ) from None


def states(plan: Plan) -> list[tuple[str, str]]:
    """The files that are not as they should be, by name, each with what it is.

    `new`: not generated yet; `missing`: generated before, but gone; `outdated`; `edited`: changed by hand;
    `leftover`: no longer generated.
    """
    groups = {
        "new": plan.added,
        "missing": plan.missing,
        "outdated": plan.changed,
        "edited": plan.edited,
        "leftover": plan.stale,
    }
    return sorted((name, state) for state, names in groups.items() for name in names)


def findings(plan: Plan, *, command: str) -> tuple[Diagnostic, ...]:
    """One finding for each file that is not as it should be; `command` is what mends it."""
    texts = {
        "new": "not generated yet",
        "missing": "generated before, but gone",
        "outdated": "outdated",
        "edited": "edited by hand",
        "leftover": "no longer generated",
    }
    return tuple(
        Diagnostic(state, f"{text}; `{command}` mends it", file=(plan.output / name).as_posix())
        for name, state in states(plan)
        for text in [_outdated(plan) if (name, state) == (MANIFEST, "outdated") else texts[state]]
    )


def _outdated(plan: Plan) -> str:
    """Why the manifest is outdated: what the files were made of has changed, as far as it was recorded."""
    recorded = plan.recorded.source
    changed = "; ".join(manifest.differences(recorded, plan.source)) if recorded else ""
    return f"outdated, since this has changed: {changed}" if changed else "outdated"


def diff(plan: Plan) -> str:
    """What writing would change, as a unified diff; the manifest is left out."""
    names = sorted({*plan.to_write, *plan.stale} - {MANIFEST})
    return "".join(line for name in names for line in _diff_file(plan, name))


def _diff_file(plan: Plan, name: str) -> Iterator[str]:
    old, new = read_text(plan.output / name), plan.files.get(name)
    lines = difflib.unified_diff(
        _lines(old),
        _lines(new),
        "/dev/null" if old is None else f"a/{name}",
        "/dev/null" if new is None else f"b/{name}",
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(data: bytes | None) -> list[str]:
    return list(io.StringIO((data or b"").decode(errors="replace"), newline="\n"))


def _state(path: Path, new: bytes, recorded: str | None, name: str) -> str:
    old = read_text(path)
    if old is None:
        return "added" if recorded is None else "missing"
    if old == new:
        return "unchanged"
    if name == MANIFEST:
        return "changed"
    if recorded is None:
        return "not ours"
    return "changed" if sha256(old) == recorded else "edited"


def _name_errors(files: Iterable[str]) -> Iterator[Diagnostic]:
    for name in files:
        if not is_inside(name) or name == MANIFEST:
            yield Diagnostic(
                "internal",
                f"{name!r} is no name for a generated file",
                hint="this is a fault of wiregen; please report it with the schema",
            )


def _blocked(output: Path, names: Iterable[str]) -> Iterator[Diagnostic]:
    """What stands where a file or folder of ours belongs and is neither."""
    above = next((place for place in (output, *output.parents) if place.exists()), output)
    if above.exists() and not above.is_dir():
        yield _obstacle(above, "the output is a file, not a folder, or lies below one")
        return
    reported: set[str] = set()
    for name in names:
        for place in (*reversed(folders(name)), name):
            if place not in reported and (problem := _problem(output / place, is_file=place == name)):
                reported.add(place)
                yield _obstacle(output / place, problem)


def _problem(path: Path, *, is_file: bool) -> str | None:
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(mode):
        return "a link stands where a generated file or folder belongs; links are not followed"
    if is_file and not stat.S_ISREG(mode):
        return "something that is no file stands where a generated file belongs"
    if not is_file and not stat.S_ISDIR(mode):
        return "a file stands where a folder of generated files belongs"
    return None


def _obstacle(path: Path, message: str) -> Diagnostic:
    return Diagnostic("in-the-way", message, file=path.as_posix(), hint="move it away, or choose another output")


def _in_the_way(output: Path, name: str) -> Diagnostic:
    return _obstacle(output / name, "a file that wiregen did not write stands where a generated file belongs")


def replace_file(path: Path, data: bytes) -> None:
    """Writes `data` to `path`, making its folder: at every moment the file is the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as stream:
            stream.write(data)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _remove(path: Path) -> None:
    """Removes a file and what Python compiled from it."""
    path.unlink(missing_ok=True)
    if path.suffix == ".py":
        cache = path.parent / "__pycache__"
        for compiled in cache.glob(f"{path.stem}.*.pyc"):
            compiled.unlink(missing_ok=True)
        _remove_if_empty(cache)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
