"""The capability rules of a version as a table: for people as text or Markdown, for programs as JSON."""

import dataclasses
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from wiregen.bundled_rules import bundled_rules
from wiregen.catalogue import Target
from wiregen.rules import AnyGate, Declaration, Feature, FieldGate, MemberGate, MessageGate, Rules, ValueGate, pointer


@dataclass(frozen=True, slots=True)
class Row:
    """A capability, or what else gives a feature.

    `path` leads to it from the params or result in which `declared_by` declares it; it is None where nothing is
    declared. `marker` is `boolean`, `object`, `group`, `free`, `not empty`, `implied` or `baseline`.
    """

    declared_by: str
    feature: str | None
    path: str | None
    marker: str
    gates: tuple[AnyGate, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """All rules of a version."""

    target: Target
    rows: tuple[Row, ...]


_HEADER: Final = ("declared by", "feature", "path", "marker", "gates")


def table(target: Target) -> Table:
    """The table of a version; raises `InvalidInput` where the bundled rules are wrong."""
    return Table(target, tuple(_rows(bundled_rules(target.protocol).of(target.version))))


def as_text(tables: Iterable[Table]) -> str:
    """For a terminal: a line for each row, followed by a line for each of its gates."""
    lines: list[str] = []
    for one in tables:
        cells = [_cells(row) for row in one.rows]
        widths = [max(len(row[column]) for row in cells) for column in range(4)]
        lines += ["", str(one.target)] if lines else [str(one.target)]
        for row, texts in zip(one.rows, cells, strict=True):
            padded = (text.ljust(width) for text, width in zip(texts, widths, strict=True))
            lines.append("  ".join(["", *padded]).rstrip())
            lines += (f"      {_gate_text(gate)}" for gate in row.gates)
    return "\n".join(lines) + "\n"


def as_markdown(tables: Iterable[Table]) -> str:
    """A section with a table for each version."""
    lines: list[str] = []
    for one in tables:
        lines += ["", f"## {one.target}", ""] if lines else [f"## {one.target}", ""]
        lines += [_markdown_row(_HEADER), _markdown_row("---" for _ in _HEADER)]
        for row in one.rows:
            lines.append(_markdown_row((*_cells(row), "<br>".join(map(_gate_text, row.gates)))))
    return "\n".join(lines) + "\n"


def as_json(tables: Iterable[Table]) -> str:
    """An array of objects, one a version: `protocol`, `version` and `rows`, whose `gates` are as in the rules."""
    content = [
        {
            "protocol": one.target.protocol,
            "version": one.target.version,
            "rows": [
                {
                    **{field: getattr(row, field) for field in ("declared_by", "feature", "path", "marker")},
                    "gates": [_gate_object(gate) for gate in row.gates],
                }
                for row in one.rows
            ],
        }
        for one in tables
    ]
    return json.dumps(content, indent=2) + "\n"


# --- rows ---


def _rows(rules: Rules) -> Iterator[Row]:
    """Each way to a feature is a row; its gates stand in the first."""
    declarations = {entry.declared_by: entry for entry in rules.declarations}
    for feature in rules.features:
        gates = feature.gates
        for path, marker in _ways(feature, declarations[feature.declared_by]):
            yield Row(feature.declared_by, feature.name, path, marker, gates)
            gates = ()
    for kind, groupings in (("group", rules.groups), ("free", rules.free)):
        for grouping in groupings:
            root = declarations[grouping.declared_by].capabilities
            for names in grouping.paths:
                yield Row(grouping.declared_by, None, ".".join((*root, *names)), kind)


def _ways(feature: Feature, declaration: Declaration) -> Iterator[tuple[str | None, str]]:
    for capability in feature.declared:
        yield ".".join((*declaration.capabilities, *capability.path)), capability.marker
    for implied in feature.implied:
        if implied.not_empty is not None:
            yield ".".join(implied.not_empty), "not empty"
        else:
            unless = f" unless {', '.join(implied.unless)}" if implied.unless else ""
            yield None, f"implied by {', '.join(implied.by)}{unless}"
    if feature.baseline:
        yield None, "baseline"


# --- texts ---


def _cells(row: Row) -> tuple[str, str, str, str]:
    return row.declared_by, row.feature or "-", row.path or "-", row.marker


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _gate_text(gate: AnyGate) -> str:
    methods = ", ".join(gate.methods)
    match gate:
        case MessageGate():
            return f"{gate.kind} {methods} from the {gate.sender}"
        case MemberGate():
            what = f"{gate.tag} {', '.join(gate.members)}"
        case ValueGate():
            what = f"{', '.join(gate.values)}{' or nothing' if gate.when_absent else ''}"
        case FieldGate():
            what = {"present": "a value", "true": "true", "not-empty": "an item"}[gate.used]
    text = f"{what} at {pointer(*gate.at)} of the {gate.part} of {methods} from the {gate.sender}"
    if isinstance(gate, FieldGate) and gate.required:
        text += ", which has to be there"
    return f"{text} (warning)" if gate.severity == "warning" else text


def _gate_object(gate: AnyGate) -> dict[str, Any]:
    found = dataclasses.asdict(gate)
    del found["versions"]
    if not isinstance(gate, MessageGate):
        found["at"] = pointer(*gate.at)
    return found
