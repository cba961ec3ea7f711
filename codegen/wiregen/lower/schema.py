"""JSON Schema to declarations: what both dialects have in common.

A schema is first flattened, `allOf` and references merged, into the fields of one object and at most one union beside
them. An object with fields becomes a class; a union becomes an alias over its members, each a class of its own where it
is not a definition already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from wiregen import names
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.ir import (
    Alias,
    AnyValue,
    Array,
    Boolean,
    Declaration,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Number,
    ObjectType,
    Origin,
    Reference,
    String,
    Type,
    Union,
)
from wiregen.load import Document
from wiregen.lower.labels import constants, label_of, labels, tag_of
from wiregen.lower.merge import Conflict, intersect, merge_fields
from wiregen.lower.simplify import joined, without_null

Schema = Mapping[str, Any]

STRUCTURE = frozenset({"type", "properties", "required", "items", "additionalProperties", "const", "enum", "not"})
BRANCHES = ("anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class At:
    """Where a schema stands: a JSON pointer, and the declaration whose name inline objects take on.

    `origin` says where that is in terms of definitions and wire names.
    """

    pointer: str
    owner: str
    origin: Origin

    def __truediv__(self, key: str | int) -> At:
        return replace(self, pointer=f"{self.pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")

    def property(self, wire: str) -> At:
        """The place of a property of the object here."""
        origin = Origin(self.origin.definition, (*self.origin.path, wire))
        return replace(self / "properties" / wire, origin=origin)

    def declaring(self, name: str, schema: Schema, member: str | None = None) -> At:
        """This place as that of a declaration of its own; `member` is its tag or title if it is one of a union."""
        origin = replace(self.origin, member=member, merged=merged_definitions(schema))
        return replace(self, owner=name, origin=origin)


@dataclass(slots=True)
class Alternatives:
    """The union of a flattened object: where it stands, and its members as schemas, each with its place."""

    origin: Origin
    members: list[tuple[Schema, At]]
    exclusive: bool

    @property
    def schemas(self) -> list[Schema]:
        """The members without their places."""
        return [schema for schema, _ in self.members]


@dataclass(slots=True)
class Flat:
    """An object with everything merged into it."""

    fields: dict[str, Field] = field(default_factory=dict)
    alternatives: Alternatives | None = None
    extra: Type = field(default_factory=AnyValue)


Leniency = Callable[[Schema], Mapping[str, bool]]
"""What a dialect's own marks on a property say: `on_error`, `on_null`, `skip_invalid`."""


class Lowering:
    """The declarations of one document, as they come about."""

    def __init__(self, document: Document, leniency: Leniency) -> None:
        self.document = document
        self.leniency = leniency
        self.declarations: dict[str, Declaration] = {}
        self.diagnostics: list[Diagnostic] = []
        self._taken = frozenset(document.definitions)

    def run(self) -> dict[str, Declaration]:
        """All declarations; raises `InvalidInput` with everything that cannot be expressed."""
        for name in self.document.definitions:
            self._define(name)
        if self.diagnostics:
            raise InvalidInput(self.diagnostics)
        return self.declarations

    # --- definitions -------------------------------------------------------------------------------------------------

    def _define(self, name: str) -> None:
        at = self._definition_at(name)
        schema = self.document.definitions[name]
        description = schema.get("description")
        if self._is_object(schema):
            self._declare_object(name, self._flatten(schema, at), at, description)
        elif (members := branches(schema)) and any(self._is_inline_object(m) for m in members[1]):
            key, found = members
            self._declare_object(name, Flat(alternatives=alternatives(key, found, at)), at, description)
        else:
            self._declare(Alias(name, self._type(schema, at), at.origin, description), at)

    def _declare_object(self, name: str, flat: Flat, at: At, description: str | None) -> None:
        if flat.alternatives is None:
            fields = tuple(flat.fields.values())
            self._check_names(name, fields, at)
            self._declare(ObjectType(name, fields, flat.extra, at.origin, description), at)
            return
        found = flat.alternatives
        tag = tag_of(found.schemas)
        base = Flat(flat.fields, None, flat.extra)
        members = tuple(self._member(name, tag, base, schema, place) for schema, place in found.members)
        union = Union(members, exclusive=found.exclusive, labels=labels(found.schemas, found.origin))
        self._declare(Alias(name, union, at.origin, description), at)

    def _member(self, union: str, tag: str | None, base: Flat, schema: Schema, at: At) -> Type:
        """One member of a union; `base` are the fields that stand beside the union."""
        if not base.fields and (target := pure_reference(schema)) is not None:
            return Reference(target)
        if not self._is_object(self._target(schema)):
            if base.fields:
                self._report("unsupported-union", "a union beside properties has a member that is no object", at)
            return self._type(schema, at)
        label = label_of(schema, tag)
        if label is None:
            hint = "give it a title, a constant property, or a definition of its own"
            self._report("nameless-member", "a member of a union has nothing to be named by", at, hint)
            return AnyValue()
        name = self._named(at, names.member_name, union, label, self._taken)
        place = at.declaring(name, schema, label)
        merged = self._merge(self._flatten(schema, place), base, at)
        self._declare_object(name, merged, place, schema.get("description"))
        return Reference(name)

    def _declare(self, declaration: Declaration, at: At) -> None:
        other = self.declarations.setdefault(declaration.name, declaration)
        if other != declaration:
            hint = "rename one of the definitions, properties or titles that the names are made of"
            self._report("name-collision", f"two declarations need the name {declaration.name}", at, hint)

    def _check_names(self, name: str, fields: Iterable[Field], at: At) -> None:
        seen: dict[str, str] = {}
        for f in fields:
            other = seen.setdefault(f.name, f.wire)
            if other != f.wire:
                message = f"properties {other!r} and {f.wire!r} of {name} both need the Python name {f.name}"
                self._report("name-collision", message, at, "rename one of the properties")

    # --- objects -----------------------------------------------------------------------------------------------------

    def _is_object(self, schema: Schema) -> bool:
        """Whether a schema describes an object with declared fields, itself or by what it merges."""
        if schema.get("properties"):
            return True
        parts = schema.get("allOf", ())
        if len(parts) == 1 and pure_reference(schema) is not None:
            return False
        return any(self._is_object(self._target(part)) or branches(self._target(part)) is not None for part in parts)

    def _is_inline_object(self, schema: Schema) -> bool:
        return pure_reference(schema) is None and self._is_object(schema)

    def _target(self, schema: Schema) -> Schema:
        while (name := pure_reference(schema)) is not None:
            schema = self.document.definitions[name]
        return schema

    def _flatten(self, schema: Schema, at: At) -> Flat:
        """The object that a schema describes, with `allOf`, references and the union beside its properties merged."""
        target = pure_reference(schema)
        if target is not None:
            return self._flatten(self.document.definitions[target], self._definition_at(target))
        flat = Flat(self._own_fields(schema, at))
        extra = schema.get("additionalProperties", True)
        if isinstance(extra, Mapping) and extra:
            flat.extra = self._type(extra, at / "additionalProperties")
        for index, part in enumerate(schema.get("allOf", ())):
            flat = self._merge(flat, self._flatten(part, at / "allOf" / index), at)
        if (found := branches(schema)) is not None:
            flat = self._merge(flat, Flat(alternatives=alternatives(*found, at)), at)
        for wire, values in self._excluded(schema, at).items():
            known = flat.fields.get(wire)
            if known is None or not isinstance(known.type, String):
                self._report("unsupported-not", f"`not` speaks of {wire!r}, which is no string property here", at)
            else:
                flat.fields[wire] = replace(known, type=replace(known.type, excluded=values))
        return flat

    def _own_fields(self, schema: Schema, at: At) -> dict[str, Field]:
        required = schema.get("required", ())
        properties: Mapping[str, Any] = schema.get("properties", {})
        fields = {w: self._field(w, p, w in required, at.property(w)) for w, p in properties.items()}
        for wire in required:
            if wire not in fields and branches(schema) is None and "allOf" not in schema:
                message = f"required property {wire!r} is not declared"
                self._report("undeclared-required", message, at / "required", "declare it under properties")
        return fields

    def _merge(self, first: Flat, second: Flat, at: At) -> Flat:
        if first.alternatives and second.alternatives:
            self._report("unsupported-union", "two unions are merged into one object", at, "write out the members")
        try:
            fields = merge_fields(first.fields, second.fields)
            extra = intersect(first.extra, second.extra)
        except Conflict as conflict:
            self._report("unsupported-merge", str(conflict), at, "give the property one type")
            return first
        return Flat(fields, first.alternatives or second.alternatives, extra)

    def _excluded(self, schema: Schema, at: At) -> dict[str, tuple[str, ...]]:
        """Strings that `not` excludes, by property; the only use of `not` is to set an open member apart."""
        if "not" not in schema:
            return {}
        rejected = schema["not"]
        found: dict[str, list[str]] = {}
        for member in rejected.get("anyOf", [rejected]):
            tags = constants(member)
            if len(tags) != 1 or set(member.get("properties", ())) != set(tags):
                message = "`not` is understood only where it names constants of one required property"
                self._report("unsupported-not", message, at / "not")
                continue
            ((wire, value),) = tags.items()
            found.setdefault(wire, []).append(value)
        return {wire: tuple(values) for wire, values in found.items()}

    def _field(self, wire: str, schema: Schema, required: bool, at: At) -> Field:
        marks = self.leniency(schema)
        type_, nullable = without_null(self._type(schema, at, wire))
        if marks.get("skip_invalid"):
            if isinstance(type_, Array):
                type_ = replace(type_, skip_invalid=True)
            else:
                self._report("unsupported-leniency", "only the items of an array can be skipped", at)
        on_error, on_null = marks.get("on_error", False), marks.get("on_null", False)
        if required and (on_error or on_null) and not isinstance(type_, Array):
            message = "a required property that is no array has nothing to read a bad value as"
            self._report("unsupported-leniency", message, at, "make it optional or take the mark away")
        return Field(
            name=self._named(at, names.field_name, wire),
            wire=wire,
            type=type_,
            required=required,
            nullable=nullable,
            default=schema.get("default"),
            has_default="default" in schema,
            on_error=on_error,
            on_null=on_null,
            origin=at.origin,
            description=schema.get("description"),
        )

    # --- types -------------------------------------------------------------------------------------------------------

    def _type(self, schema: Schema, at: At, wire: str | None = None) -> Type:
        """The type that a schema describes where it stands; `wire` is the property that an inline object is named by."""
        target = pure_reference(schema)
        if target is not None:
            return Reference(target)
        if "const" in schema or "enum" in schema:
            return self._enumeration(schema, at)
        if self._is_inline_object(schema) or ("allOf" in schema and schema["allOf"]):
            return self._inline(schema, at, wire)
        if (found := branches(schema)) is not None:
            return self._union(*found, at, wire)
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return joined(self._of_kind(kind, schema, at, wire) for kind in kinds)
        return AnyValue() if kinds is None else self._of_kind(kinds, schema, at, wire)

    def _of_kind(self, kind: str, schema: Schema, at: At, wire: str | None) -> Type:
        match kind:
            case "null":
                return Null()
            case "boolean":
                return Boolean()
            case "string":
                return String(schema.get("minLength"), schema.get("maxLength"))
            case "integer":
                return Integer(schema.get("minimum"), schema.get("maximum"))
            case "number":
                return Number(schema.get("minimum"), schema.get("maximum"))
            case "array":
                item = self._type(schema.get("items", {}), at / "items", wire)
                return Array(item, schema.get("minItems"), schema.get("maxItems"))
            case _:
                value = schema.get("additionalProperties", True)
                if not isinstance(value, Mapping):
                    return Map(AnyValue())
                return Map(self._type(value, at / "additionalProperties", wire))

    def _inline(self, schema: Schema, at: At, wire: str | None) -> Type:
        if wire is None:
            hint = "move it to a definition of its own"
            self._report("nameless-object", "an object stands where nothing gives it a name", at, hint)
            return AnyValue()
        name = self._named(at, names.inline_name, at.owner, wire)
        place = at.declaring(name, schema)
        self._declare_object(name, self._flatten(schema, place), place, schema.get("description"))
        return Reference(name)

    def _union(self, key: str, members: list[Schema], at: At, wire: str | None) -> Type:
        if any(self._is_inline_object(member) for member in members) and wire is not None:
            name = self._named(at, names.inline_name, at.owner, wire)
            place = replace(at, owner=name)
            self._declare_object(name, Flat(alternatives=alternatives(key, members, place)), place, None)
            return Reference(name)
        types = [self._type(member, at / key / i, wire) for i, member in enumerate(members)]
        return joined(types, exclusive=key == "oneOf", labels=labels(members, at.origin))

    def _enumeration(self, schema: Schema, at: At) -> Type:
        values = [schema["const"]] if "const" in schema else list(schema["enum"])
        kinds = {type(value) for value in values}
        if kinds - {str} and kinds - {int} and kinds - {bool}:
            message = "the values of an enumeration are not all strings, all integers or all booleans"
            self._report("unsupported-enum", message, at, "use one kind of value")
            return AnyValue()
        description = schema.get("description") if len(values) == 1 else None
        return Enumeration(tuple(values), descriptions=((values[0], description),) if description else ())

    # --- reporting ---------------------------------------------------------------------------------------------------

    def _definition_at(self, name: str) -> At:
        return At(f"/{self.document.definitions_key}", name, Origin(name)) / name

    def _named(self, at: At, make: Callable[..., str], *args: Any) -> str:
        try:
            return make(*args)
        except names.UnusableName as error:
            self._report("unusable-name", str(error), at, "rename it")
            return "_"

    def _report(self, code: str, message: str, at: At, hint: str | None = None) -> None:
        found = Diagnostic(code, message, self.document.file, at.pointer, hint=hint)
        if found not in self.diagnostics:
            self.diagnostics.append(found)


# --- reading schemas -------------------------------------------------------------------------------------------------


def pure_reference(schema: Schema) -> str | None:
    """The definition that a schema stands for and adds nothing to, be it within an `allOf` of one."""
    if any(key in schema for key in (*STRUCTURE, *BRANCHES)):
        return None
    parts = schema.get("allOf", ())
    if len(parts) == 1 and "$ref" not in schema:
        return pure_reference(parts[0])
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else None


def merged_definitions(schema: Schema) -> tuple[str, ...]:
    """The definitions whose fields a schema takes over, as they are or among others."""
    targets = map(pure_reference, (schema, *schema.get("allOf", ())))
    return tuple(dict.fromkeys(target for target in targets if target is not None))


def alternatives(key: str, members: list[Schema], at: At) -> Alternatives:
    """The union that a keyword of the schema at a place makes."""
    return Alternatives(at.origin, [(member, at / key / i) for i, member in enumerate(members)], key == "oneOf")


def branches(schema: Schema) -> tuple[str, list[Schema]] | None:
    """The members of a schema's union, with the keyword that holds them."""
    for key in BRANCHES:
        if key in schema:
            return key, list(schema[key])
    return None
