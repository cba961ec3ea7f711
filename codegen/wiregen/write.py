"""Compares generated files with the output folder, and writes what differs: each file is old or new, never half.

A manifest in the output folder records which files are ours. Whatever else is there is never touched, and neither is
what was changed by hand since, unless it is generated anew.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wiregen import disk, manifest
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.manifest import NAME as MANIFEST
from wiregen.manifest import Manifest, Source, read_text, sha256
from wiregen.paths import folders, is_inside
from wiregen.trouble import told


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to happen in `output` for it to hold `files`.

    Every name of `files` is in one of: `added` (new), `changed` (ours, outdated), `edited` (ours, changed by hand),
    `covered` (edited, and the manifest with it), `missing` (ours, gone from the disk) and `unchanged`. Of the files
    that are no longer generated, `stale` names those that are as we wrote them, and `kept` those that were changed by
    hand: they stay, and are ours no more. `recorded` is the manifest on the disk, `source` what `files` were made of.
    """

    output: Path
    files: Mapping[str, bytes]
    recorded: Manifest
    source: Source
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def to_write(self) -> tuple[str, ...]:
        """The names whose content on the disk is not the generated one, sorted."""
        return tuple(sorted(self.added + self.changed + self.edited + self.covered + self.missing))

    @property
    def is_current(self) -> bool:
        """Whether the output is as it should be already."""
        return not (self.to_write or self.stale or self.kept)


def plan(files: Mapping[str, bytes], output: Path, source: Source) -> Plan:
    """Compares `files` (relative names with `/`), which were made of `source`, with the folder `output`.

    Nothing is written. A file that only differs in having Windows line ends, as a checkout may make them, is
    unchanged. Raises `InvalidInput` if a file that is not ours, a link or a folder is in the way, if the manifest is
    damaged, or if the disk refuses to tell.
    """
    try:
        return _plan(files, output, source)
    except OSError as error:
        raise InvalidInput([told(error, "cannot-read", place=None if error.filename else output)]) from None


def _plan(files: Mapping[str, bytes], output: Path, source: Source) -> Plan:
    if problem := _no_folder(output):
        raise InvalidInput(
            [_obstacle(problem, "the output is a file or a broken link, not a folder, or lies below one")]
        )
    recorded = manifest.read(output)
    everything = {**files, MANIFEST: manifest.of(files, source).encode()}
    if problems := [*_name_errors(files), *_blocked(output, sorted({*everything, *recorded.files}))]:
        raise InvalidInput(problems)
    groups: dict[str, list[str]] = {}
    is_same_source = recorded.source == source
    for name in sorted(everything):
        state = _state(output / name, everything[name], recorded.files.get(name))
        if name == MANIFEST:
            state = "changed" if state in ("not ours", "edited") else state
        elif state == "changed" and is_same_source:
            state = "covered"
        groups.setdefault(state, []).append(name)
    if strangers := groups.pop("not ours", []):
        raise InvalidInput(_in_the_way(output, name) for name in strangers)
    for name in sorted({*recorded.files} - {*everything}):
        old = read_text(output / name)
        if old is not None:
            groups.setdefault("stale" if sha256(old) == recorded.files[name] else "kept", []).append(name)
    return Plan(output, everything, recorded, source, **{group: tuple(names) for group, names in groups.items()})


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
            disk.replace_file(path := plan.output / MANIFEST, Manifest(entries).encode())
        for name in plan.to_write:
            if name != MANIFEST:
                disk.replace_file(path := plan.output / name, plan.files[name])
        for name in plan.stale:
            disk.remove_module(path := plan.output / name)
        for folder in sorted({folder for name in plan.stale for folder in folders(name)}, reverse=True):
            disk.remove_if_empty(plan.output / folder)
        disk.remove_drafts(path := plan.output / name for name in {**plan.recorded.files, **plan.files})
        if MANIFEST in plan.to_write:
            disk.replace_file(path := plan.output / MANIFEST, plan.files[MANIFEST])
    except OSError as error:
        raise InvalidInput([told(error, "cannot-write", place=path)]) from None


def states(plan: Plan) -> list[tuple[str, str]]:
    """The files that are not as they should be, by name, each with what it is.

    `new`: not generated yet; `missing`: generated before, but gone; `outdated`; `edited`: changed by hand;
    `leftover`: no longer generated; `edited-leftover`: that too, but changed by hand, so that it is not removed.
    """
    groups = {
        "new": plan.added,
        "missing": plan.missing,
        "outdated": plan.changed,
        "edited": (*plan.edited, *plan.covered),
        "leftover": plan.stale,
        "edited-leftover": plan.kept,
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
        if state != "edited-leftover"
        else _let_go(plan, name, "error", f"`{command}` lets go of it", "copy what you need, then delete it")
        for name, state in states(plan)
        for text in [_reason(plan, name) or texts.get(state)]
    )


def warnings(plan: Plan) -> tuple[Diagnostic, ...]:
    """What whoever has the plan carried out should know: the files that are not removed, though not generated."""
    hint = "delete it when you have what you need of it"
    return tuple(_let_go(plan, name, "warning", "it stays, and is yours", hint) for name in plan.kept)


def _let_go(plan: Plan, name: str, severity: Literal["error", "warning"], end: str, hint: str) -> Diagnostic:
    message = f"no longer generated, but not as it was written; {end}"
    file = (plan.output / name).as_posix()
    return Diagnostic("edited-leftover", message, file=file, hint=hint, severity=severity)


def _reason(plan: Plan, name: str) -> str | None:
    """Why a file is not as it should be, where that is more than its state."""
    if name in plan.covered:
        return "not what is generated, though the manifest has it so: edited by hand, or by another release of ruff"
    return _outdated(plan) if name == MANIFEST and name in plan.changed else None


def _outdated(plan: Plan) -> str:
    """Why the manifest is outdated: what the files were made of has changed, as far as it was recorded."""
    recorded = plan.recorded.source
    changed = "; ".join(manifest.differences(recorded, plan.source)) if recorded else ""
    return f"outdated, since this has changed: {changed}" if changed else "outdated"


def _state(path: Path, new: bytes, recorded: str | None) -> str:
    old = read_text(path)
    if old is None:
        return "added" if recorded is None else "missing"
    if old == new:
        return "unchanged"
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


def _no_folder(output: Path) -> Path | None:
    """What stands in the place of the output, or of a folder above it, and is no folder; links are followed here."""
    above = next((place for place in (output, *output.parents) if os.path.lexists(place)), None)
    return None if above is None or os.path.isdir(above) else above


def _blocked(output: Path, names: Iterable[str]) -> Iterator[Diagnostic]:
    """What stands where a file or folder of ours belongs and is neither."""
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
