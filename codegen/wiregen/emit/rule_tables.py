"""Capability rules as the tables that the generated package reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from wiregen import names
from wiregen.ir import ObjectType, Protocol, Reference, Type
from wiregen.rules import (
    ANY_ITEM,
    SIDES,
    AnyGate,
    Declaration,
    Feature,
    FieldGate,
    MemberGate,
    MessageGate,
    Path,
    Place,
    PlacedGate,
    Rules,
    Side,
    Ungated,
    ValueGate,
)
from wiregen.runtime import capability_rules as tables

Message = tuple[str, str]
"""A method and the side that sends the request or notification."""


def version_rules(rules: Rules, protocol: Protocol) -> tables.VersionRules:
    """The rules of the version that `protocol` is; what its schema does not have is left out."""
    here = rules.of(protocol.version)
    sides: dict[str, tables.SideRules] = {side: _side(here, protocol, side) for side in SIDES[rules.protocol]}
    return tables.VersionRules(sides, _messages(here, protocol), _replaced(here))


def protocol_rules(rules: Rules, protocols: Iterable[Protocol], title: str) -> tables.ProtocolRules:
    """What the versions in a package have in common; `title` is the protocol's name in a sentence."""
    held = {p.version: (names.module_name(p.version), p.protocol_version) for p in protocols}
    free = dict.fromkeys(path for entry in rules.free for path in entry.paths if len(path) == 1)
    extensions = _place(path[0] for path in reversed(free)) or _place(["_meta"])
    return tables.ProtocolRules(
        name=rules.protocol,
        title=title,
        held=held,
        features={side: frozenset(rules.feature_names(side)) for side in SIDES[rules.protocol]},
        openings=_openings(rules),
        extensions=tuple(name for name in extensions if name),
        method_versions=_method_versions(rules, protocols),
    )


def type_at(protocol: Protocol, type_: Type | None, place: Place) -> str | None:
    """The name of the object type at a place without arrays; None if there is none."""
    while isinstance(type_, Reference):
        declaration = protocol.declarations[type_.name]
        if isinstance(declaration, ObjectType):
            if not place:
                return declaration.name
            type_ = next((field.type for field in declaration.fields if field.wire == place[0]), None)
            place = place[1:]
        else:
            type_ = declaration.type
    return None


def declaring_type(protocol: Protocol, declaration: Declaration) -> Type | None:
    """The type of the params or result in which a side declares its capabilities."""
    return next((getattr(m, declaration.part) for m in protocol.methods if m.name == declaration.method), None)


# --- what a side declares ---


def _side(rules: Rules, protocol: Protocol, side: Side) -> tables.SideRules:
    declaration = next(entry for entry in rules.declarations if entry.declared_by == side)
    if type_at(protocol, declaring_type(protocol, declaration), declaration.capabilities) is None:
        return tables.SideRules()
    features = [feature for feature in rules.features if feature.declared_by == side]
    capabilities = {way.path: (f.name, way.marker == "boolean") for f in features for way in f.declared}
    return tables.SideRules(
        declaration=tables.Declaration(
            declaration.method, _place(declaration.capabilities), _place(declaration.info), _said_in(declaration)
        ),
        declared=_tree(capabilities, ()),
        implied=tuple(
            tables.Implied(feature.name, way.by, way.unless, None if way.not_empty is None else _name(way.not_empty[0]))
            for feature in features
            for way in feature.implied
        ),
        baseline=frozenset(feature.name for feature in features if feature.baseline),
        requires={f.name: way.requires for f in features for way in f.declared if way.requires},
        ways={f.name: way for f in features if (way := _way(f, features, declaration)) is not None},
    )


def _tree(capabilities: Mapping[Path, tuple[str, bool]], above: Path) -> tables.DeclaredTree:
    depth = len(above)
    inside = dict.fromkeys(path[depth] for path in capabilities if len(path) > depth and path[:depth] == above)
    tree: list[tuple[str, str | None, bool, tables.DeclaredTree]] = []
    for name in inside:
        feature, is_boolean = capabilities.get((*above, name), (None, False))
        tree.append((names.field_name(name), feature, is_boolean, _tree(capabilities, (*above, name))))
    return tuple(tree)


def _said_in(declaration: Declaration) -> str:
    if _carrier(declaration) is not None:
        return "each request"
    return f"the {declaration.part} of `{declaration.method}`"


def _carrier(declaration: Declaration) -> str | None:
    """The member that holds all that is declared, if there is one."""
    heads = {place[0] for place in (declaration.capabilities, declaration.info, declaration.version or ("",))}
    return heads.pop() if len(heads) == 1 else None


def _way(feature: Feature, features: list[Feature], declaration: Declaration) -> tables.Way | None:
    for capability in feature.declared:
        path = ".".join((*declaration.capabilities, *capability.path))
        return tables.Way(path, f"`{path}: {'true' if capability.marker == 'boolean' else '{}'}`")
    for implied in feature.implied:
        if implied.not_empty is not None:
            path = ".".join(implied.not_empty)
            return tables.Way(path, f"a non-empty `{path}`")
        return next(_way(other, features, declaration) for other in features if other.name in implied.by)
    return None


# --- what messages need ---


def _messages(rules: Rules, protocol: Protocol) -> dict[Message, tables.MessageRules]:
    sent = [(method.name, method.sender) for method in protocol.methods]
    embedding: dict[Message, Place] = {(m, entry.sender): entry.at for entry in rules.embedded for m in entry.methods}
    embedded = [
        (method, gate.sender)
        for gate in _gates(rules)
        if isinstance(gate, MessageGate) and any(entry.sender == gate.sender for entry in rules.embedded)
        for method in gate.methods
    ]
    found: dict[Message, tables.MessageRules] = {}
    for message in dict.fromkeys((*sent, *embedded)):
        name, sender = message
        answerer = _other(rules, sender)
        at = embedding.get((name, answerer))
        found[message] = tables.MessageRules(
            _message_need(rules, message),
            _placed(rules, name, sender, "params"),
            _placed(rules, name, answerer, "result"),
            () if at is None else (_place(at),),
        )
    return found


def _message_need(rules: Rules, message: Message) -> tables.Need | None:
    needs = [
        tables.Need(feature.declared_by, (feature.name,), gate.severity)
        for feature in rules.features
        for gate in feature.gates
        if isinstance(gate, MessageGate) and gate.sender == message[1] and message[0] in gate.methods
    ]
    return _any_of(needs) if needs else None


def _placed(rules: Rules, method: str, sender: str, part: str) -> tuple[tables.Gate, ...]:
    """The gates inside what a side sends, the outer ones first."""
    choices: dict[tuple[Place, str | None], dict[str, list[tables.Need]]] = {}
    absent: dict[Place, str] = {}
    fields: list[tables.FieldGate] = []
    for need, gate in _placed_gates(rules, method, sender, part):
        match gate:
            case FieldGate():
                fields.append(tables.FieldGate(_place(gate.at), need, gate.used, gate.required))
            case MemberGate():
                _add_needs(choices.setdefault((gate.at, gate.tag), {}), gate.members, need)
            case ValueGate():
                _add_needs(choices.setdefault((gate.at, None), {}), gate.values, need)
                if gate.when_absent:
                    absent[gate.at] = gate.values[0]
    merged = [
        tables.ChoiceGate(
            _place(at),
            {value: _any_of(needs) for value, needs in cases.items()},
            None if tag is None else _name(tag),
            absent.get(at) if tag is None else None,
        )
        for (at, tag), cases in choices.items()
    ]
    return tuple(sorted([*merged, *fields], key=lambda gate: len(gate.place)))


def _placed_gates(rules: Rules, method: str, sender: str, part: str) -> Iterator[tuple[tables.Need, PlacedGate]]:
    for feature in rules.features:
        for gate in feature.gates:
            if isinstance(gate, MessageGate) or method not in gate.methods:
                continue
            if (gate.sender, gate.part) == (sender, part):
                yield tables.Need(feature.declared_by, (feature.name,), gate.severity), gate


def _add_needs(cases: dict[str, list[tables.Need]], values: Iterable[str], need: tables.Need) -> None:
    for value in values:
        cases.setdefault(value, []).append(need)


def _any_of(needs: list[tables.Need]) -> tables.Need:
    return needs[0]._replace(features=tuple(feature for need in needs for feature in need.features))


def _replaced(rules: Rules) -> dict[Message, str]:
    return {
        (entry.method, entry.sender): f"`{entry.by}`" + (f" with `{'.'.join(entry.at)}`" if entry.at else "")
        for entry in rules.replaced
    }


# --- of all versions ---


def _openings(rules: Rules) -> dict[tuple[str, str], tables.Opening]:
    found: dict[tuple[str, str], tables.Opening] = {}
    for entry in rules.declarations:
        key = (entry.declared_by, entry.method)
        keys = dict(found[key].keys) if key in found else {}
        for place in (entry.capabilities, entry.info):
            keys[place[0]] = tuple(dict.fromkeys((*keys.get(place[0], ()), *entry.versions)))
        carrier = _carrier(entry)
        found[key] = tables.Opening(
            entry.part,
            None if entry.version is None else _place(entry.version),
            keys,
            None if carrier is None else _name(carrier),
        )
    return found


def _method_versions(rules: Rules, protocols: Iterable[Protocol]) -> dict[Message, tuple[str, ...]]:
    """The versions of each message, also those that the package does not hold."""
    found: dict[Message, dict[str, None]] = {}
    for version in dict.fromkeys(v for entry in rules.declarations for v in entry.versions):
        here = rules.of(version)
        messages = [gate for gate in _gates(here) if isinstance(gate, MessageGate)]
        entries: list[MessageGate | Ungated] = [*messages, *here.ungated]
        for entry in entries:
            for method in entry.methods:
                found.setdefault((method, entry.sender), {})[version] = None
    for protocol in protocols:
        for sent in protocol.methods:
            found.setdefault((sent.name, sent.sender), {})[protocol.version] = None
    return {message: tuple(versions) for message, versions in sorted(found.items())}


def _gates(rules: Rules) -> Iterator[AnyGate]:
    return (gate for feature in rules.features for gate in feature.gates)


def _other(rules: Rules, side: str) -> str:
    client, other = SIDES[rules.protocol]
    return other if side == client else client


def _name(wire: str) -> tables.Name:
    return wire, names.field_name(wire)


def _place(place: Iterable[str]) -> tables.Place:
    return tuple(None if segment == ANY_ITEM else _name(segment) for segment in place)
