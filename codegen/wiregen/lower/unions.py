"""How a reader tells the members of a union apart: by a tag, by order, or by the best match.

A member may be tried before another only where that cannot matter: no value fits both, or whenever the first accepts,
it declares at least as many of the value's fields and salvages nothing that the other would take as it is. Where
neither order is safe, the reader has to compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

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
    Reference,
    Step,
    String,
    Type,
    Union,
)
from wiregen.lower.distinct import distinct

Decide = Callable[[Union], Type]
OwnRule = Callable[[Union, "Unions"], Union | None]


def decide_all(declarations: Mapping[str, Declaration], own_rule: OwnRule | None = None) -> dict[str, Declaration]:
    """The declarations with every union decided; a dialect may decide some by a rule of its own."""
    unions = Unions(declarations)

    def decide(union: Union) -> Type:
        type_ = distinct(union, declarations)
        if not isinstance(type_, Union):
            return type_
        return (own_rule and own_rule(type_, unions)) or unions.decide(type_)

    return {name: _decided(declaration, decide) for name, declaration in declarations.items()}


def _decided(declaration: Declaration, decide: Decide) -> Declaration:
    """A declaration with the unions inside it decided, innermost first."""
    if isinstance(declaration, Alias):
        return replace(declaration, type=_decided_type(declaration.type, decide))
    fields = tuple(_decided_field(field, decide) for field in declaration.fields)
    return replace(declaration, fields=fields, extra=_decided_type(declaration.extra, decide))


def _decided_field(field: Field, decide: Decide) -> Field:
    type_ = _decided_type(field.type, decide)
    bad_unless = None if field.bad_unless is None else _decided_type(field.bad_unless, decide)
    is_same = type_ is field.type and bad_unless is field.bad_unless
    return field if is_same else replace(field, type=type_, bad_unless=bad_unless)


def _decided_type(type_: Type, decide: Decide) -> Type:
    match type_:
        case Union(members):
            return decide(replace(type_, members=tuple(_decided_type(member, decide) for member in members)))
        case Array(item) if (decided := _decided_type(item, decide)) is not item:
            return replace(type_, item=decided)
        case Map(value) if (decided := _decided_type(value, decide)) is not value:
            return replace(type_, value=decided)
        case _:
            return type_


class Unions:
    """Answers about the members of unions, over all declarations."""

    def __init__(self, declarations: Mapping[str, Declaration]) -> None:
        self.declarations = declarations
        self._salvages: dict[str, bool] = {}
        self._salvaging: dict[str, tuple[Field, ...]] = {}

    def decide(self, union: Union) -> Union:
        """The union with `tag`, `tagged`, `rest` and `exclusive` as its members ask for."""
        every = range(len(union.members))
        leaves = [tuple(self._leaves(member)) for member in union.members]
        exclusive = union.exclusive and not all(self._disjoint(leaves[i], leaves[j]) for i in every for j in range(i))
        if exclusive:
            return replace(union, rest=(tuple(every),))
        tag = self._tag(leaves)
        if tag is None:
            return replace(union, rest=self.order(union, tuple(every)), exclusive=False)
        tags = [_tags(member, tag) for member in leaves]
        untagged = tuple(i for i in every if tags[i] is None)
        tagged: list[tuple[str, tuple[Step, ...]]] = []
        for value in dict.fromkeys(v for member in tags for v in sorted(member or ())):
            group = tuple(i for i in every if value in (tags[i] or ()))
            rivals = tuple(i for i in untagged if not all(_excludes(leaf, tag, value) for leaf in leaves[i]))
            tagged.append((value, self._with_rivals(union, group, rivals, leaves)))
        # An unknown tag is the open member, whatever else might fit.
        is_open = {i: all(_is_open(leaf, tag) for leaf in leaves[i]) for i in untagged}
        first, others = (tuple(i for i in untagged if is_open[i] is wanted) for wanted in (True, False))
        rest = (*first, *self.order(union, others))
        final = any(self._type_salvages(leaf) for i in others for leaf in leaves[i])
        return replace(union, tag=tag, tagged=tuple(tagged), rest=rest, final=final, exclusive=False)

    def _with_rivals(
        self,
        union: Union,
        group: tuple[int, ...],
        rivals: tuple[int, ...],
        leaves: list[tuple[ObjectType | Type, ...]],
    ) -> tuple[Step, ...]:
        """The steps for one value of the tag: the members that have it, and those that take any value there.

        A rival that could salvage is compared with the group: it may only take a value as it is.
        """
        if any(self._type_salvages(leaf) for i in rivals for leaf in leaves[i]):
            return (group + rivals,)
        steps, mine = self.order(union, group + rivals), self.order(union, group)
        # Where all of the group goes before its rivals, these come with `rest`.
        return mine if steps[: len(mine)] == mine else steps

    def order(self, union: Union, indices: tuple[int, ...]) -> tuple[Step, ...]:
        """The members at `indices` as steps that are safe to try one after the other."""
        leaves = {i: tuple(self._leaves(union.members[i])) for i in indices}

        def safe(first: int, second: int) -> bool:
            listed = indices.index(first) < indices.index(second)
            return all(self._before(a, b, listed=listed) for a in leaves[first] for b in leaves[second])

        def required(index: int) -> int:
            return -min((len(_required(leaf)) for leaf in leaves[index]), default=0)

        for ordered in (indices, tuple(sorted(indices, key=required))):
            if all(safe(a, b) for k, a in enumerate(ordered) for b in ordered[k + 1 :]):
                return ordered
        unsafe = [i for i in indices if any(not safe(i, j) and not safe(j, i) for j in indices if j != i)]
        rivals = tuple(i for i in indices if i in unsafe or isinstance(leaves[i][0], ObjectType))
        others = tuple(i for i in indices if i not in rivals)
        return (rivals, *others) if rivals else others

    # --- what fits a member ------------------------------------------------------------------------------------------

    def _leaves(self, type_: Type, seen: frozenset[str] = frozenset()) -> Iterator[ObjectType | Type]:
        """The types that a member comes down to, references followed and unions dissolved."""
        match type_:
            case Reference(name) if name not in seen:
                declaration = self.declarations[name]
                if isinstance(declaration, ObjectType):
                    yield declaration
                else:
                    yield from self._leaves(declaration.type, seen | {name})
            case Union(members):
                for member in members:
                    yield from self._leaves(member, seen)
            case _:
                yield type_

    def _tag(self, leaves: list[tuple[ObjectType | Type, ...]]) -> str | None:
        """The property whose constants tell most members apart, if any does."""
        found: dict[str, set[frozenset[str]]] = {}
        for member in leaves:
            wires = [f.wire for leaf in member if isinstance(leaf, ObjectType) for f in leaf.fields]
            for wire in dict.fromkeys(wires):
                if tags := _tags(member, wire):
                    found.setdefault(wire, set()).add(tags)
        useful = [wire for wire, values in found.items() if len(values) > 1 or self._some_lack(leaves, wire)]
        return max(useful, key=lambda wire: len(frozenset[str]().union(*found[wire])), default=None)

    def _some_lack(self, leaves: list[tuple[ObjectType | Type, ...]], wire: str) -> bool:
        return any(_tags(m, wire) is None for m in leaves if any(isinstance(leaf, ObjectType) for leaf in m))

    def _disjoint(self, first: tuple[ObjectType | Type, ...], second: tuple[ObjectType | Type, ...]) -> bool:
        return all(self._apart(a, b) for a in first for b in second)

    def _apart(self, first: ObjectType | Type, second: ObjectType | Type) -> bool:
        """Whether no value fits both."""
        if not _kinds(first) & _kinds(second):
            return True
        if not (isinstance(first, ObjectType) and isinstance(second, ObjectType)):
            return False
        theirs = {f.wire: f for f in second.fields}
        return any(
            f.wire in theirs and (f.required or theirs[f.wire].required) and self._fields_apart(f, theirs[f.wire])
            for f in first.fields
        )

    def _fields_apart(self, first: Field, second: Field) -> bool:
        if first.nullable and second.nullable:
            return False
        if any(self._takes_as_absent(f, other) for f, other in ((first, second), (second, first))):
            return False
        ours, theirs = _strings(first), _strings(second)
        if isinstance(ours, frozenset) and isinstance(theirs, frozenset):
            return not ours & theirs
        for known, other in ((ours, second.type), (theirs, first.type)):
            if isinstance(known, frozenset) and isinstance(other, String):
                return known <= set(other.excluded)
        return not self._field_kinds(first) & self._field_kinds(second)

    def _takes_as_absent(self, field: Field, other: Field) -> bool:
        """Whether a field takes, as a bad value, something that another field accepts."""
        if not field.on_error:
            return False
        return field.bad_unless is None or not self._field_kinds(other) <= self._type_kinds(field.bad_unless)

    def _field_kinds(self, field: Field) -> set[str]:
        return self._type_kinds(field.type) | ({"null"} if field.nullable else set())

    def _type_kinds(self, type_: Type) -> set[str]:
        return set[str]().union(*(_kinds(leaf) for leaf in self._leaves(type_)))

    def _before(self, first: ObjectType | Type, second: ObjectType | Type, *, listed: bool) -> bool:
        """Whether `first` may be tried before `second`; `listed` says that the schema lists it before."""
        if self._apart(first, second):
            return True
        if not (isinstance(first, ObjectType) and isinstance(second, ObjectType)):
            # What is no class declares no field of a value.
            declares_more = isinstance(first, ObjectType) and bool(_required(first))
            declares_less = isinstance(second, ObjectType) and bool(second.fields)
            return (listed or declares_more) and not declares_less and not self._type_salvages(first)
        ours, theirs = {f.wire: f for f in first.fields}, {f.wire: f for f in second.fields}
        lead = len(_required(first) - theirs.keys()) - len(theirs.keys() - ours.keys())
        if lead < (0 if listed else 1):
            return False
        return all(f.wire in theirs and _same(f, theirs[f.wire]) for f in self._salvaging_fields(first))

    # --- salvage -----------------------------------------------------------------------------------------------------

    def _salvaging_fields(self, declaration: ObjectType) -> tuple[Field, ...]:
        if declaration.name not in self._salvaging:
            found = (f for f in declaration.fields if f.on_error or f.on_null or self._type_salvages(f.type))
            self._salvaging[declaration.name] = tuple(found)
        return self._salvaging[declaration.name]

    def _type_salvages(self, type_: ObjectType | Type) -> bool:
        """Whether reading a value of this type may change it."""
        match type_:
            case ObjectType(name):
                return self._name_salvages(name)
            case Reference(name):
                return self._name_salvages(name)
            case Array(item, skip_invalid=skip):
                return skip or self._type_salvages(item)
            case Map(value):
                return self._type_salvages(value)
            case Union(members):
                return any(map(self._type_salvages, members))
            case _:
                return False

    def _name_salvages(self, name: str) -> bool:
        if name not in self._salvages:
            self._salvages[name] = False  # what a cycle adds, its start has as well
            declaration = self.declarations[name]
            if isinstance(declaration, Alias):
                self._salvages[name] = self._type_salvages(declaration.type)
            else:
                self._salvages[name] = any(
                    f.on_error or f.on_null or self._type_salvages(f.type) for f in declaration.fields
                )
        return self._salvages[name]


def _same(first: Field, second: Field) -> bool:
    return (first.type, first.nullable, first.on_error, first.on_null) == (
        second.type,
        second.nullable,
        second.on_error,
        second.on_null,
    )


def _required(leaf: ObjectType | Type) -> set[str]:
    return {f.wire for f in leaf.fields if f.required} if isinstance(leaf, ObjectType) else set()


def _tags(leaves: tuple[ObjectType | Type, ...], wire: str) -> frozenset[str] | None:
    """The constants that a property must have in a member, if it must have one of some."""
    found: set[str] = set()
    for leaf in leaves:
        field = _field(leaf, wire)
        values = None if field is None or not field.required or field.nullable else _strings(field)
        if values is None:
            return None
        found |= values
    return frozenset(found)


def _field(leaf: ObjectType | Type, wire: str) -> Field | None:
    if not isinstance(leaf, ObjectType):
        return None
    return next((f for f in leaf.fields if f.wire == wire), None)


def _strings(field: Field) -> frozenset[str] | None:
    """The strings that a field is one of, if there are only some."""
    match field.type:
        case Enumeration(values, open=False) if all(isinstance(v, str) for v in values):
            return frozenset(v for v in values if isinstance(v, str))
        case _:
            return None


def _excludes(leaf: ObjectType | Type, wire: str, value: str) -> bool:
    """Whether a member takes any value of a property but those that other members have, this one among them."""
    field = _field(leaf, wire)
    return field is not None and isinstance(field.type, String) and value in field.type.excluded


def _is_open(leaf: ObjectType | Type, wire: str) -> bool:
    field = _field(leaf, wire)
    return field is not None and isinstance(field.type, String) and bool(field.type.excluded)


def _kinds(leaf: ObjectType | Type) -> set[str]:
    match leaf:
        case ObjectType() | Map():
            return {"object"}
        case Array():
            return {"array"}
        case String():
            return {"string"}
        case Integer() | Number():
            return {"number"}
        case Boolean():
            return {"boolean"}
        case Null():
            return {"null"}
        case Enumeration(values):
            return {{str: "string", int: "number", bool: "boolean"}[type(v)] for v in values}
        case AnyValue() | Reference() | Union():
            return {"object", "array", "string", "number", "boolean", "null"}
