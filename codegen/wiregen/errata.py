"""Corrections of known faults in upstream schemas, each asserting the value that it replaces."""

import copy
from dataclasses import dataclass, replace
from typing import Any

from wiregen import catalogue
from wiregen.catalogue import Target
from wiregen.document import Document
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import is_array, is_object


@dataclass(frozen=True, slots=True)
class Erratum:
    """One correction: the value at `pointer` is `was` upstream and should be `now`.

    `table` is the name of the file in which the correction stands.
    """

    table: str
    versions: tuple[str, ...]
    pointer: str
    was: Any
    now: Any
    reason: str


_ABSENT = object()


def read(target: Target) -> tuple[Erratum, ...]:
    """The corrections for `target`, in the order of the table."""
    entries: list[dict[str, Any]] = catalogue.read_table(target.protocol, "errata").get("erratum", [])
    table = catalogue.table_name(target.protocol, "errata")
    return tuple(
        Erratum(table, tuple(entry["versions"]), entry["pointer"], entry["was"], entry["now"], entry["reason"])
        for entry in entries
        if target.version in entry["versions"]
    )


def apply(document: Document, errata: tuple[Erratum, ...], *, bundled: bool) -> tuple[Document, tuple[Diagnostic, ...]]:
    """`document` with `errata` applied, and warnings about those that do not fit.

    A bundled schema fits all of its errata or `InvalidInput` is
    raised. A schema that a user gives may already be right: where it holds another value than the fault, that value
    stays, with a warning; where it does not have the definition at all, there is nothing to correct.
    """
    root = copy.deepcopy(dict(document.root))
    findings: list[Diagnostic] = []
    for erratum in errata:
        holder, key = _locate(root, erratum.pointer)
        value = _ABSENT if holder is None else holder[key]
        if holder is not None and value == erratum.was:
            holder[key] = copy.deepcopy(erratum.now)
        elif bundled or _has_definition(document, erratum.pointer):
            findings.append(_outdated(document.file, erratum, value, bundled=bundled))
    if bundled and findings:
        raise InvalidInput(findings)
    corrected = replace(document, root=root, definitions=root[document.definitions_key])
    return corrected, tuple(findings)


def _outdated(file: str, erratum: Erratum, value: Any, *, bundled: bool) -> Diagnostic:
    if value is _ABSENT:
        what = "has moved"
    elif value == erratum.now:
        what = "has been corrected"
    else:
        what = "has changed"
    return Diagnostic(
        "erratum-outdated",
        f"the fault that {erratum.table} corrects here {what} upstream: expected {erratum.was!r}"
        + ("" if value is _ABSENT else f", found {value!r}"),
        file=file,
        pointer=erratum.pointer,
        hint=(
            f"remove the entry for this version from {erratum.table}, or renew it"
            if bundled
            else "nothing to do: the value of your file is used"
        ),
        severity="error" if bundled else "warning",
    )


def _has_definition(document: Document, pointer: str) -> bool:
    return pointer.split("/")[2] in document.definitions


def _locate(root: Any, pointer: str) -> tuple[Any, Any]:
    """The object or array that holds the value at `pointer`, and its key there; None if there is no such value."""
    holder: Any = None
    key: str | int | None = None
    value: Any = root
    for part in pointer.split("/")[1:]:
        holder = value
        key = _key(holder, part.replace("~1", "/").replace("~0", "~"))
        if key is None:
            return None, None
        value = holder[key]
    return holder, key


def _key(holder: Any, part: str) -> str | int | None:
    if is_array(holder):
        return int(part) if part.isdecimal() and int(part) < len(holder) else None
    return part if is_object(holder) and part in holder else None
