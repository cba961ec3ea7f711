"""Capability rules checked against the JSON Schema of each version that they name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from wiregen.errors import Diagnostic
from wiregen.rule_consistency import contradictions
from wiregen.rule_schema import Kind, Message, MessageSchema, Node
from wiregen.rules import (
    ANY_ITEM,
    SIDES,
    FieldGate,
    MemberGate,
    MessageGate,
    Part,
    Rules,
    Side,
    ValueGate,
    VersionedEntry,
    pointer,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wiregen.rules import AnyGate, Path, Place, PlacedGate

_E = TypeVar("_E", bound=VersionedEntry)

_KINDS: Final[tuple[Kind, Kind]] = ("request", "notification")
_FIELD_TYPES: Final = {"true": "boolean", "not-empty": "array"}
_MARKER_TYPES: Final = {"boolean": "boolean", "object": "object", "group": "object", "free": "object"}
_OF_A_NEWER_SCHEMA: Final = {
    "capability-without-rule": "it is read and written like any other field; no feature stands for it",
    "no-such-capability": "its feature counts as not declared",
    "wrong-marker": "its feature is read as in the bundled schema of this version",
}
"""What may be wrong with the rules for a schema that is not bundled, and what follows for who generates from it."""
_META: Final = "_meta"
"""Any object of either protocol may have it, so it is no capability."""


def check_rules(rules: Rules, schemas: Mapping[str, Node], file: str) -> tuple[Diagnostic, ...]:
    """What is wrong with the rules in `file`; `schemas` has the schema document of every version of the protocol."""
    if found := tuple(contradictions(rules, schemas.keys())):
        return tuple(replace(contradiction, file=file) for contradiction in found)
    versions: dict[Diagnostic, list[str]] = {}
    for version, schema in schemas.items():
        for finding in _VersionCheck(rules, version, schema).findings():
            versions.setdefault(finding, []).append(version)
    return tuple(_in_versions(finding, ", ".join(where), file) for finding, where in versions.items())


def check_newer_schema(rules: Rules, version: str, schema: Node, file: str) -> tuple[Diagnostic, ...]:
    """Warnings about a schema that is newer than the rules for `version`: capabilities that no rule fits.

    `rules` are good rules of `file`. Whatever else the schema has or lacks is generated as it is.
    """
    found = (
        finding for finding in _VersionCheck(rules, version, schema).findings() if finding.code in _OF_A_NEWER_SCHEMA
    )
    return tuple(
        replace(_in_versions(finding, version, file), severity="warning", hint=_OF_A_NEWER_SCHEMA[finding.code])
        for finding in found
    )


def _in_versions(finding: Diagnostic, versions: str, file: str) -> Diagnostic:
    return replace(finding, message=f"{versions}: {finding.message}", file=file)


class _VersionCheck:
    """The rules of one version and its schema; what it finds points into the file of rules."""

    def __init__(self, rules: Rules, version: str, schema: Node) -> None:
        self._rules = rules
        self._version = version
        self._schema = MessageSchema(rules.protocol, schema)
        self._sent = self._schema.messages()
        self._embedded: dict[tuple[str, Side, Kind], Message] = {}
        self._declarations = {entry.declared_by: (index, entry) for index, entry in self._here(rules.declarations)}

    def findings(self) -> Iterator[Diagnostic]:
        """All that is wrong. What has no rule has no pointer either."""
        yield from self._embeddings()
        for side in SIDES[self._rules.protocol]:
            yield from self._declaration(side)
        for index, feature in enumerate(self._rules.features):
            for number, gate in feature.gates_in(self._version):
                for method in gate.methods:
                    yield from self._gate(gate, method, pointer("features", index, "gates", number))
            for number, way in self._here(feature.implied):
                if way.not_empty is not None:
                    at = pointer("features", index, "implied", number, "not_empty")
                    yield from self._implying_list(way.not_empty, feature.declared_by, at)
        yield from self._ungated()
        yield from self._messages_without_rule()
        yield from self._replacements()

    def _embeddings(self) -> Iterator[Diagnostic]:
        """Collects the embedded requests, which count as messages in the checks that follow."""
        for index, entry in self._here(self._rules.embedded):
            at = pointer("embedded", index)
            for method in entry.methods:
                nodes = self._at(method, "result", entry.sender, entry.at, (f"{at}/methods", f"{at}/at"))
                if isinstance(nodes, Diagnostic):
                    yield nodes
                    continue
                requests = self._schema.embedded_requests(nodes)
                self._embedded |= {(request.method, entry.sender, request.kind): request for request in requests}
                if not requests:
                    yield Diagnostic(
                        "no-such-place",
                        f"no map of requests at {pointer(*entry.at)} of the result of {method!r}",
                        pointer=f"{at}/at",
                        hint="correct the place",
                    )

    # --- capabilities ---

    def _declaration(self, side: Side) -> Iterator[Diagnostic]:
        index, entry = self._declarations[side]
        at = pointer("declarations", index)
        for key, place in (("info", entry.info), ("version", entry.version), ("capabilities", entry.capabilities)):
            nodes = self._at(entry.method, entry.part, side, place or (), (f"{at}/method", f"{at}/{key}"))
            if isinstance(nodes, Diagnostic):
                yield nodes
            elif key == "capabilities":
                yield from self._capabilities(side, nodes)

    def _capabilities(self, side: Side, roots: tuple[Node, ...]) -> Iterator[Diagnostic]:
        markers: dict[Path, str] = {}
        for path, marker, at in self._ruled_capabilities(side):
            markers[path] = marker
            nodes = [node for root in roots for node in self._schema.at(root, path)]
            types = self._schema.types(nodes)
            if not nodes:
                yield Diagnostic(
                    "no-such-capability",
                    f"the {side} has no capability {'.'.join(path)!r}",
                    pointer=at,
                    hint="correct it",
                )
            elif _MARKER_TYPES[marker] not in types:
                yield Diagnostic(
                    "wrong-marker",
                    f"the {side} capability {'.'.join(path)!r} is no {_MARKER_TYPES[marker]} but {_listed(types)}",
                    pointer=at,
                    hint="give it the marker of its type",
                )
        yield from self._capabilities_without_rule(side, roots, markers)

    def _capabilities_without_rule(
        self, side: Side, roots: Iterable[Node], markers: Mapping[Path, str]
    ) -> Iterator[Diagnostic]:
        pending: list[tuple[Path, Node]] = [((name,), node) for name, node in self._schema.properties(roots).items()]
        for path, node in pending:
            if path[-1] == _META:
                continue
            if path not in markers:
                yield Diagnostic(
                    "capability-without-rule",
                    f"no rule for the {side} capability {'.'.join(path)!r}",
                    hint="say which feature it declares, or that it is a group",
                )
            elif markers[path] != "free":
                pending += [((*path, name), child) for name, child in self._schema.properties([node]).items()]

    def _ruled_capabilities(self, side: Side) -> Iterator[tuple[Path, str, str]]:
        """Path and marker of each capability that has a rule, and where the rule stands."""
        for index, feature in enumerate(self._rules.features):
            for number, capability in self._here(feature.declared):
                if feature.declared_by == side:
                    yield capability.path, capability.marker, pointer("features", index, "declared", number)
        for table, marker, entries in (("groups", "group", self._rules.groups), ("free", "free", self._rules.free)):
            for index, entry in self._here(entries):
                if entry.declared_by == side:
                    for number, path in enumerate(entry.paths):
                        yield path, marker, pointer(table, index, "paths", number)

    def _implying_list(self, place: Place, side: Side, at: str) -> Iterator[Diagnostic]:
        _, entry = self._declarations[side]
        nodes = self._at(entry.method, entry.part, side, (*place, ANY_ITEM), (at, at))
        if isinstance(nodes, Diagnostic):
            yield nodes

    # --- messages ---

    def _gate(self, gate: AnyGate, method: str, at: str) -> Iterator[Diagnostic]:
        if isinstance(gate, MessageGate):
            key = (method, gate.sender, gate.kind)
            if key not in self._sent and key not in self._embedded:
                yield _no_message(method, gate.kind, gate.sender, f"{at}/methods")
            return
        nodes = self._at(method, gate.part, gate.sender, gate.at, (f"{at}/methods", f"{at}/at"))
        if isinstance(nodes, Diagnostic):
            yield nodes
        else:
            yield from self._placed(gate, nodes, f"at {pointer(*gate.at)} of the {gate.part} of {method!r}", at)

    def _placed(self, gate: PlacedGate, nodes: tuple[Node, ...], where: str, at: str) -> Iterator[Diagnostic]:
        match gate:
            case MemberGate():
                tags = [tag for node in nodes for tag in self._schema.at(node, (gate.tag,))]
                yield from self._unknown_values(gate.members, tags, f"member with {gate.tag}", where, f"{at}/members")
            case ValueGate():
                yield from self._unknown_values(gate.values, nodes, "value", where, f"{at}/values")
            case FieldGate():
                types = self._schema.types(nodes)
                if _FIELD_TYPES.get(gate.used, "") not in {"", *types}:
                    yield Diagnostic(
                        "wrong-field-type",
                        f"what stands {where} is no {_FIELD_TYPES[gate.used]} but {_listed(types)}",
                        pointer=f"{at}/used",
                        hint="say `used` as the type of the field needs it",
                    )

    def _unknown_values(
        self, values: Iterable[str], nodes: Iterable[Node], what: str, where: str, at: str
    ) -> Iterator[Diagnostic]:
        known = self._schema.values(nodes)
        for value in values:
            if value not in known:
                yield Diagnostic(
                    "no-such-value", f"no {what} {value!r} {where}", pointer=at, hint=f"there are {_listed(known)}"
                )

    def _ungated(self) -> Iterator[Diagnostic]:
        gated = self._gated_messages()
        for index, entry in self._here(self._rules.ungated):
            at = pointer("ungated", index, "methods")
            for method in entry.methods:
                if self._params(method, entry.sender) is None:
                    yield _no_message(method, "message", entry.sender, at)
                elif (method, entry.sender) in gated:
                    yield Diagnostic(
                        "gated-and-ungated",
                        f"{method!r} of the {entry.sender} needs a feature and needs none",
                        pointer=at,
                        hint="drop it here, or drop its gate",
                    )

    def _messages_without_rule(self) -> Iterator[Diagnostic]:
        ungated = {(method, e.sender) for _, e in self._here(self._rules.ungated) for method in e.methods}
        ruled = self._gated_messages() | ungated
        for method, sender, kind in {**self._sent, **self._embedded}:
            if (method, sender) not in ruled:
                yield Diagnostic(
                    "message-without-rule",
                    f"no rule for the {kind} {method!r} of the {sender}",
                    hint="say which feature it needs, or list it as ungated",
                )

    def _gated_messages(self) -> set[tuple[str, Side]]:
        gates = (gate for feature in self._rules.features for _, gate in feature.gates_in(self._version))
        return {(method, gate.sender) for gate in gates if isinstance(gate, MessageGate) for method in gate.methods}

    def _replacements(self) -> Iterator[Diagnostic]:
        for index, entry in self._here(self._rules.replaced):
            at = pointer("replaced", index)
            if any((entry.method, entry.sender, kind) in self._sent for kind in _KINDS):
                yield Diagnostic(
                    "replaced-message-exists",
                    f"{entry.method!r} of the {entry.sender} exists, so nothing takes its place",
                    pointer=f"{at}/method",
                    hint="drop the version",
                )
            nodes = self._at(entry.by, "params", entry.sender, entry.at or (), (f"{at}/by", f"{at}/at"))
            if isinstance(nodes, Diagnostic):
                yield nodes

    # --- look-ups ---

    def _here(self, entries: Iterable[_E]) -> Iterator[tuple[int, _E]]:
        return ((index, entry) for index, entry in enumerate(entries) if self._version in entry.versions)

    def _params(self, method: str, sender: Side) -> Node | None:
        for messages in (self._sent, self._embedded):
            for kind in _KINDS:
                if message := messages.get((method, sender, kind)):
                    return message.params
        return None

    def _at(
        self, method: str, part: Part, sender: Side, place: Place, pointers: tuple[str, str]
    ) -> tuple[Node, ...] | Diagnostic:
        """The schemas at a place of what a side sends; `pointers` lead to where the rules name the method and place."""
        if part == "params":
            node = self._params(method, sender)
            missing = _no_message(method, "message", sender, pointers[0])
        else:
            client, other = SIDES[self._rules.protocol]
            asker = client if sender == other else other
            request = self._sent.get((method, asker, "request"))
            node = request.result if request else None
            missing = _no_message(method, "request", asker, pointers[0])
        if node is None:
            return missing
        return self._schema.at(node, place) or Diagnostic(
            "no-such-place",
            f"nothing at {pointer(*place)} of the {part} of {method!r}",
            pointer=pointers[1],
            hint="correct the place",
        )


def _no_message(method: str, kind: str, sender: Side, at: str) -> Diagnostic:
    return Diagnostic(
        "no-such-message",
        f"the {sender} sends no {kind} {method!r}",
        pointer=at,
        hint="correct the method, its sender or the versions",
    )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(sorted(map(str, values))) or "not described"
