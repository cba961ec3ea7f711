"""What the schemas of a document may cost: how many parts they may have, how deep they may nest, how far they unfold.

What a document is within these limits can be generated and imported in reasonable time, without running into Python's
own limits. They are an order of magnitude above what the protocols need.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wiregen.errors import Diagnostic
from wiregen.json_text import Limits, is_object, pointer
from wiregen.keywords import IN_PLACE_KEYWORDS, LIST_KEYWORDS, Steps, subschemas

_SIZES = ("maxItems", "maxLength", "minItems", "minLength")
_LARGEST_SIZE = 2**53
"""Beyond it, not every whole number is a JSON number; the validator's own limit is above."""


@dataclass(slots=True)
class _Definition:
    """What one definition holds: `refs` are the definitions that it refers to, each with how deep in it.

    `in_place` are those that judge the same value, so that they are unfolded into it.
    """

    schemas: int = 0
    depth: int = 0
    refs: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    in_place: list[str] = field(default_factory=list[str])


def findings(definitions: Mapping[str, Any], key: str, file: str, limits: Limits) -> Iterator[Diagnostic]:
    """What exceeds the limits in the definitions under the root keyword `key`.

    Their references resolve, and no definition leads back to itself at the same value.
    """
    graph: dict[str, _Definition] = {}
    for name, schema in definitions.items():
        graph[name] = _Definition()
        for part in _walk(schema, (key, name)):
            yield from _too_many(part, file, limits)
            yield from _too_large(part, file)
            _enter(graph[name], part, f"#/{key}/")
    for name, message, hint in (*_too_deep(graph, limits), *_too_large_unfolded(graph, limits)):
        yield Diagnostic("too-complex", message, file, pointer((key, name)), hint=hint)


@dataclass(frozen=True, slots=True)
class _Part:
    """A schema in a definition: its place, how many schemas are around it, and whether it judges the same value."""

    schema: Mapping[str, Any]
    path: Steps
    depth: int
    is_in_place: bool


def _walk(schema: Any, path: Steps) -> Iterator[_Part]:
    waiting: list[tuple[Any, Steps, int, bool]] = [(schema, path, 0, True)]
    while waiting:
        found, path, depth, is_in_place = waiting.pop()
        if is_object(found):
            yield _Part(found, path, depth, is_in_place)
            for step, inner in reversed([*subschemas(found)]):
                waiting.append((inner, (*path, *step), depth + 1, is_in_place and step[0] in IN_PLACE_KEYWORDS))


def _too_many(part: _Part, file: str, limits: Limits) -> Iterator[Diagnostic]:
    counts = {"properties": limits.properties, "enum": limits.values, **dict.fromkeys(LIST_KEYWORDS, limits.members)}
    for keyword, limit in counts.items():
        held = part.schema.get(keyword, ())
        if len(held) > limit:
            message = f"{keyword} has {len(held)} entries; the limit is {limit}"
            hint = "split it, or leave out what is not needed"
            yield Diagnostic("too-complex", message, file, pointer((*part.path, keyword)), hint=hint)


def _too_large(part: _Part, file: str) -> Iterator[Diagnostic]:
    for keyword in _SIZES:
        if part.schema.get(keyword, 0) > _LARGEST_SIZE:
            message, hint = f"{keyword} is larger than any size; the limit is {_LARGEST_SIZE}", "give a lower number"
            yield Diagnostic("number-out-of-range", message, file, pointer((*part.path, keyword)), hint=hint)


def _enter(definition: _Definition, part: _Part, prefix: str) -> None:
    definition.schemas += 1
    definition.depth = max(definition.depth, part.depth)
    if "$ref" in part.schema:
        target = str(part.schema["$ref"]).removeprefix(prefix)
        definition.refs.append((target, part.depth + 1))
        if part.is_in_place:
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
