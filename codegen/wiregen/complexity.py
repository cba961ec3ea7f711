"""What the schemas of a document may cost: how many parts they may have, how deep they may nest, how far they unfold.

What a document is within these limits can be generated and imported in reasonable time, without running into Python's
own limits. They are an order of magnitude above what the protocols need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, count
from typing import Any

from wiregen.errors import Diagnostic
from wiregen.json_text import Limits, is_array, is_object, pointer
from wiregen.keywords import IN_PLACE_KEYWORDS, LIST_KEYWORDS, UNION_KEYWORDS, Steps, subschemas

_SIZES = ("maxItems", "maxLength", "minItems", "minLength")
_LARGEST_SIZE = 2**53
"""Beyond it, not every whole number is a JSON number; the validator's own limit is above."""


@dataclass(slots=True)
class _Union:
    """The number of members that are written out, and the definitions that may have some more."""

    members: int = 0
    refs: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class _Definition:
    """What one definition holds: `refs` are the definitions that it refers to, each with how deep in it.

    `in_place` are those that judge the same value, so that they are unfolded into it. `classes` is the number of
    classes that it makes; `unions` has, for each value that a union in it judges, what it is one of.
    """

    schemas: int = 0
    classes: int = 1
    depth: int = 0
    unions: dict[int, _Union] = field(default_factory=dict[int, _Union])
    refs: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    in_place: list[str] = field(default_factory=list[str])


def too_many_schemas(definitions: Mapping[str, Any], key: str, file: str, limits: Limits) -> Iterator[Diagnostic]:
    """The first definition with which there are so many schemas that no other check would end soon."""
    total = 0
    for name, schema in definitions.items():
        for _ in _walk(schema, ()):
            total += 1
            if total > limits.unfolded:
                message = f"up to here, there are more than {limits.unfolded} schemas"
                hint = "leave out what is not needed"
                yield Diagnostic("too-complex", message, file, pointer((key, name)), hint=hint)
                return


def findings(definitions: Mapping[str, Any], key: str, file: str, limits: Limits) -> Iterator[Diagnostic]:
    """What exceeds the limits in the definitions under the root keyword `key`.

    Their references resolve, and no definition leads back to itself at the same value.
    """
    graph: dict[str, _Definition] = {}
    for name, schema in definitions.items():
        graph[name] = _Definition()
        for part in _walk(schema, (key, name)):
            yield from too_many(part.schema, part.path, file, limits)
            yield from _too_large(part, file)
            _enter(graph[name], part, f"#/{key}/")
    checks = (_too_deep, _too_large_unfolded, _too_many_classes, _too_much_to_compare)
    for name, message, hint in chain.from_iterable(check(graph, limits) for check in checks):
        yield Diagnostic("too-complex", message, file, pointer((key, name)), hint=hint)


@dataclass(frozen=True, slots=True)
class _Part:
    """A schema in a definition: its place, how many schemas are around it, and which value it judges.

    Values are numbered; 0 is the one that the definition itself judges.
    """

    schema: Mapping[str, Any]
    path: Steps
    depth: int
    value: int


def _walk(schema: Any, path: Steps) -> Iterator[_Part]:
    waiting: list[tuple[Any, Steps, int, int]] = [(schema, path, 0, 0)]
    values = count(1)
    while waiting:
        found, path, depth, value = waiting.pop()
        if is_object(found):
            yield _Part(found, path, depth, value)
            for step, inner in reversed([*subschemas(found)]):
                judged = value if step[0] in IN_PLACE_KEYWORDS else next(values)
                waiting.append((inner, (*path, *step), depth + 1, judged))


def too_many(schema: Mapping[str, Any], path: Steps, file: str, limits: Limits) -> Iterator[Diagnostic]:
    """The keywords of a schema at `path`, and of no schema inside it, that have too many entries."""
    most = _most(limits)
    for keyword, held in schema.items():
        limit = most.get(keyword)
        if limit is not None and (is_object(held) or is_array(held)) and len(held) > limit:
            message = f"{keyword} has {len(held)} entries; the limit is {limit}"
            hint = "split it, or leave out what is not needed"
            yield Diagnostic("too-complex", message, file, pointer((*path, keyword)), hint=hint)


@cache
def _most(limits: Limits) -> Mapping[str, int]:
    return {
        "properties": limits.properties,
        "required": limits.properties,
        "enum": limits.values,
        **dict.fromkeys(("type", *LIST_KEYWORDS), limits.members),
    }


def _too_large(part: _Part, file: str) -> Iterator[Diagnostic]:
    for keyword in _SIZES:
        if part.schema.get(keyword, 0) > _LARGEST_SIZE:
            message, hint = f"{keyword} is larger than any size; the limit is {_LARGEST_SIZE}", "give a lower number"
            yield Diagnostic("number-out-of-range", message, file, pointer((*part.path, keyword)), hint=hint)


def _enter(definition: _Definition, part: _Part, prefix: str) -> None:
    definition.schemas += 1
    definition.classes += part.depth > 0 and bool(part.schema.get("properties"))
    definition.depth = max(definition.depth, part.depth)
    union = definition.unions.setdefault(part.value, _Union())
    union.members += sum(len(part.schema.get(keyword, ())) for keyword in UNION_KEYWORDS)
    if "$ref" in part.schema:
        target = str(part.schema["$ref"]).removeprefix(prefix)
        definition.refs.append((target, part.depth + 1))
        union.refs.append(target)
        if part.value == 0:
            definition.in_place.append(target)


def _too_deep(graph: Mapping[str, _Definition], limits: Limits) -> Iterator[tuple[str, str, str]]:
    """The first definition that leads too deep through others; a reference that closes a cycle leads no deeper."""
    depths: dict[str, int] = {}
    for name in _bottom_up({name: [target for target, _ in found.refs] for name, found in graph.items()}):
        through = [depth + depths.get(target, 0) for target, depth in graph[name].refs]
        depths[name] = max(graph[name].depth, *through, 0)
        if depths[name] > limits.nesting:
            message = f"schemas are nested deeper than {limits.nesting}, references included"
            yield name, message, "make the types that it consists of flatter"
            return


def _too_large_unfolded(graph: Mapping[str, _Definition], limits: Limits) -> Iterator[tuple[str, str, str]]:
    """The first definition with which, together with those before it, too much is unfolded."""
    unfolded: dict[str, int] = {}
    total = 0
    for name in _bottom_up({name: found.in_place for name, found in graph.items()}):
        unfolded[name] = graph[name].schemas + sum(unfolded[target] for target in graph[name].in_place)
        total += unfolded[name]
        if total > limits.unfolded:
            message = f"it refers to others so often that more than {limits.unfolded} schemas have to be unfolded"
            yield name, message, "refer to each definition fewer times under allOf, anyOf and oneOf"
            return


def _too_many_classes(graph: Mapping[str, _Definition], limits: Limits) -> Iterator[tuple[str, str, str]]:
    """The first definition with which, together with those before it, there are too many classes."""
    total = 0
    for name, found in graph.items():
        total += found.classes
        if total > limits.classes:
            message = f"up to here, more than {limits.classes} objects are declared, those inside others included"
            yield name, message, "give what is declared several times a definition of its own"
            return


def _too_much_to_compare(graph: Mapping[str, _Definition], limits: Limits) -> Iterator[tuple[str, str, str]]:
    """The first definition with whose unions too much is compared: each member of a union with each other."""
    members: dict[str, int] = {}
    total = 0
    for name in _bottom_up({name: found.in_place for name, found in graph.items()}):
        own = graph[name].unions.get(0, _Union())
        members[name] = own.members + sum(members[target] for target in own.refs)
    for name, found in graph.items():
        for union in found.unions.values():
            total += (union.members + sum(members[target] for target in union.refs)) ** 2 if union.members else 0
        if total > limits.comparisons:
            message = f"unions have so many members that more than {limits.comparisons} pairs of them are compared"
            yield name, message, "take unions apart, or leave out members that are not needed"
            return


def _bottom_up(graph: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Every name after those that it leads to, but for what closes a cycle."""
    entered: set[str] = set()
    for start in graph:
        path: list[tuple[str, Iterator[str]]] = []
        following: str | None = None if start in entered else start
        while following is not None or path:
            if following is not None:
                entered.add(following)
                path.append((following, iter(graph[following])))
            name, rest = path[-1]
            following = next((target for target in rest if target not in entered), None)
            if following is None:
                path.pop()
                yield name
