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
from wiregen.document import Document
from wiregen.errors import MOST, Diagnostic, InvalidInput, limited
from wiregen.ir import (
    Alias,
    AnyValue,
    Array,
    Boolean,
    Declaration,
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
    references,
)
from wiregen.json_text import is_object
from wiregen.lower.distinct import distinct, unions_in
from wiregen.lower.labels import label_of, labels, tag_of
from wiregen.lower.merge import Conflict, intersect, merge_extras, merge_fields
from wiregen.lower.reading import (
    Alternatives,
    At,
    Schema,
    alternatives,
    branches,
    conjuncts,
    enumeration,
    excluded,
    kinds_said,
    merged,
    pure_reference,
)
from wiregen.lower.simplify import joined, without_null


@dataclass(slots=True)
class Flat:
    """An object with everything merged into it."""

    fields: dict[str, Field] = field(default_factory=dict[str, Field])
    alternatives: Alternatives | None = None
    extra: Type = field(default_factory=AnyValue)
    required: dict[str, At] = field(default_factory=dict[str, At])
    """Properties that are required where they are not declared, with the place that says so."""

    @property
    def says_nothing(self) -> bool:
        """Whether every object is one."""
        return not self.fields and not self.required and self.alternatives is None and self.extra == AnyValue()


Leniency = Callable[[Schema], Mapping[str, bool]]
"""What a dialect's own marks on a property say: `on_error`, `on_null`, `skip_invalid`."""


class Lowering:
    """The declarations of one document, as they come about."""

    def __init__(self, document: Document, leniency: Leniency = lambda _: {}) -> None:
        self.document = document
        self.leniency = leniency
        self.declarations: dict[str, Declaration] = {}
        self.diagnostics: dict[Diagnostic, None] = {}
        self._taken = frozenset(document.definitions)

    def run(self) -> dict[str, Declaration]:
        """All declarations; raises `InvalidInput` with everything that cannot be expressed."""
        for name in self.document.definitions:
            self._define(name)
        if not self.diagnostics:
            self._check_exclusive()
        if self.diagnostics:
            raise InvalidInput(limited(self.diagnostics))
        return self.declarations

    def _check_exclusive(self) -> None:
        for declaration in self.declarations.values():
            for union in unions_in(declaration):
                if union.exclusive and distinct(union, self.declarations) != union:
                    message = f"two members of a oneOf in {declaration.name} are the same: no value is of exactly one"
                    origin = declaration.origin.definition if declaration.origin else declaration.name
                    self._report("unsupported-union", message, self._definition_at(origin), "remove one of them")

    # --- definitions -------------------------------------------------------------------------------------------------

    def _define(self, name: str) -> None:
        at = self._definition_at(name)
        schema = self.document.definitions[name]
        description = schema.get("description")
        _, members = branches(schema) or ("", [])
        if self._is_object(schema) or any(map(self._is_inline_object, members)):
            self._declare_object(name, self._flatten(schema, at), at, description)
        else:
            self._declare(Alias(name, self._type(schema, at), at.origin, description), at)

    def _declare_object(self, name: str, flat: Flat, at: At, description: str | None) -> None:
        if flat.alternatives is None:
            fields = tuple(self._with_required(flat).values())
            self._check_names(name, fields, at)
            self._declare(ObjectType(name, fields, flat.extra, at.origin, description), at)
            return
        found = flat.alternatives
        tag = tag_of(found.schemas)
        base = replace(flat, alternatives=None)
        members = tuple(self._member(name, tag, base, schema, place) for schema, place in found.members)
        union = joined(members, exclusive=found.exclusive, labels=labels(found.schemas, found.origin))
        self._declare(Alias(name, union, at.origin, description), at)

    def _member(self, union: str, tag: str | None, base: Flat, schema: Schema, at: At) -> Type:
        """One member of a union; `base` is what stands beside the union."""
        if base.says_nothing and (target := pure_reference(schema)) is not None:
            return Reference(target)
        is_object = self._is_object(self._target(schema)) if base.says_nothing else self._merges_objects(schema)
        if not is_object:
            if not base.says_nothing:
                hint = "declare the properties of each member in it, or give it a definition of its own"
                message = "a union beside properties has a member that declares none"
                self._report("unsupported-union", message, at, hint)
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
        if names.is_reserved(declaration.name):
            message = f"the generated module needs the name {declaration.name} itself"
            self._report("name-collision", message, at, "rename the definition, property or title that it comes from")
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
        for hidden in sorted(seen.keys() & {other for f in fields for other in references(f.type)}):
            message = f"property {seen[hidden]!r} of {name} hides the definition {hidden}, which {name} refers to"
            self._report("name-collision", message, at, "rename one of them")

    # --- objects -----------------------------------------------------------------------------------------------------

    def _is_object(self, schema: Schema) -> bool:
        """Whether a schema describes an object with declared fields, itself or by what it merges."""
        if isinstance(schema.get("type"), list):
            return False
        if schema.get("properties"):
            return True
        return pure_reference(schema) is None and any(map(self._merges_objects, merged(schema)))

    def _merges_objects(self, schema: Schema) -> bool:
        """Whether a schema, or a member of its union, describes an object with declared fields."""
        target = self._target(schema)
        found = branches(target)
        return self._is_object(target) or (found is not None and any(map(self._merges_objects, found[1])))

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
        flat = self._own(schema, at)
        extra = schema.get("additionalProperties", True)
        if is_object(extra) and extra:
            flat.extra = self._type(extra, at / "additionalProperties")
        for part, place in conjuncts(schema, at):
            flat = self._merge(flat, self._flatten(part, place), at)
        if (found := branches(schema)) is not None:
            flat = self._merge(flat, Flat(alternatives=alternatives(*found, at)), at)
        for wire, values in excluded(schema).items():
            known = flat.fields.get(wire)
            if known is None or not isinstance(known.type, String):
                message = f"`not` speaks of {wire!r}, which is no string property here"
                self._report("unsupported-not", message, at / "not", "declare it as a string in the same schema")
            else:
                flat.fields[wire] = replace(known, type=replace(known.type, excluded=(*known.type.excluded, *values)))
        return flat

    def _own(self, schema: Schema, at: At) -> Flat:
        required = dict.fromkeys(schema.get("required", ()), at / "required")
        properties: Mapping[str, Any] = schema.get("properties", {})
        fields = {w: self._field(w, p, w in required, at.property(w)) for w, p in properties.items()}
        return Flat(fields, required={wire: place for wire, place in required.items() if wire not in fields})

    def _with_required(self, flat: Flat) -> dict[str, Field]:
        """The fields of an object, those included that are required elsewhere than where they are declared."""
        again: dict[str, Field] = {}
        for wire, at in flat.required.items():
            if wire in flat.fields:
                again[wire] = Field(flat.fields[wire].name, wire, AnyValue(), required=True)
            else:
                self._report_undeclared(wire, at)
        return merge_fields(flat.fields, again)

    def _merge(self, first: Flat, second: Flat, at: At) -> Flat:
        if first.alternatives and second.alternatives:
            self._report("unsupported-union", "two unions are merged into one object", at, "write out the members")
        try:
            fields = merge_fields(first.fields, second.fields)
            extra = merge_extras(first.extra, first.fields, second.extra, second.fields)
        except Conflict as conflict:
            self._report("unsupported-merge", str(conflict), at, "give the property one type")
            return first
        required = {**first.required, **second.required}
        return Flat(fields, first.alternatives or second.alternatives, extra, required)

    def _field(self, wire: str, schema: Schema, required: bool, at: At) -> Field:
        marks = self.leniency(schema)
        type_, nullable = without_null(self._type(schema, at, wire))
        if marks.get("skip_invalid"):
            if isinstance(type_, Array):
                type_ = replace(type_, skip_invalid=True)
            else:
                self._report("unsupported-leniency", "only items of an array can be left out", at, "take the mark away")
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
        """The type that a schema describes where it stands; `wire` is the property that names an inline object."""
        target = pure_reference(schema)
        if target is not None:
            return Reference(target)
        if self._is_object(schema):
            return self._inline(schema, at, wire)
        type_ = self._own_type(schema, at, wire)
        try:
            for part, place in conjuncts(schema, at):
                type_ = intersect(type_, self._type(part, place, wire))
        except Conflict as conflict:
            self._report("unsupported-merge", str(conflict), at, "write out the type that is meant")
        return type_

    def _own_type(self, schema: Schema, at: At, wire: str | None) -> Type:
        if not schema.get("properties"):
            for name in schema.get("required", ()):
                self._report_undeclared(name, at / "required")
        if "const" in schema or "enum" in schema:
            return enumeration(schema)
        if (found := branches(schema)) is not None:
            return self._union(*found, at, wire)
        kinds = kinds_said(schema)
        return joined(self._of_kind(kind, schema, at, wire) for kind in kinds) if kinds else AnyValue()

    def _of_kind(self, kind: str, schema: Schema, at: At, wire: str | None) -> Type:
        match kind:
            case "null":
                return Null()
            case "boolean":
                return Boolean()
            case "string":
                return String(_size(schema, "minLength"), _size(schema, "maxLength"))
            case "integer":
                return Integer(schema.get("minimum"), schema.get("maximum"))
            case "number":
                return Number(schema.get("minimum"), schema.get("maximum"))
            case "array":
                item = self._type(schema.get("items", {}), at / "items", wire)
                return Array(item, _size(schema, "minItems"), _size(schema, "maxItems"))
            case _:
                if schema.get("properties"):
                    return self._inline(schema, at, wire)
                value = schema.get("additionalProperties", True)
                if not is_object(value):
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
        found = alternatives(key, members, at)
        if wire is not None and any(self._is_inline_object(member) for member in members):
            return self._named_union(found, at, wire)
        types = [self._type(member, place, wire) for member, place in found.members]
        return joined(types, exclusive=found.exclusive, labels=labels(members, at.origin))

    def _named_union(self, union: Alternatives, at: At, wire: str) -> Type:
        """A union that has to be named, as inline objects have their names from it; null is no member of what is."""
        rest = [(member, place) for member, place in union.members if member.get("type") != "null"]
        if len(rest) == 1:
            type_ = self._type(*rest[0], wire)
        else:
            name = self._named(at, names.inline_name, at.owner, wire)
            place = replace(at, owner=name)
            named = replace(union, members=[(member, replace(inner, owner=name)) for member, inner in rest])
            self._declare_object(name, Flat(alternatives=named), place, None)
            type_ = Reference(name)
        return type_ if len(rest) == len(union.members) else joined([type_, Null()])

    # --- reporting ---------------------------------------------------------------------------------------------------

    def _definition_at(self, name: str) -> At:
        return At(f"/{self.document.definitions_key}", name, Origin(name)) / name

    def _named(self, at: At, make: Callable[..., str], *args: Any) -> str:
        try:
            return make(*args)
        except names.UnusableName as error:
            self._report("unusable-name", str(error), at, "rename it")
            return "_"

    def _report_undeclared(self, wire: str, at: At) -> None:
        message = f"required property {wire!r} is not declared"
        self._report("undeclared-required", message, at, "declare it under properties")

    def _report(self, code: str, message: str, at: At, hint: str | None = None) -> None:
        self.diagnostics[Diagnostic(code, message, self.document.file, at.pointer, hint=hint)] = None
        if len(self.diagnostics) > MOST:
            raise InvalidInput(limited(self.diagnostics))


def _size(schema: Schema, keyword: str) -> int | None:
    """The number of a keyword that counts something: `3.0` is 3, as JSON Schema says."""
    return int(schema[keyword]) if keyword in schema else None
