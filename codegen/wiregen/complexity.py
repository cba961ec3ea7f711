"""What the schemas of a document may cost: how many parts they may have, how deep they may nest, how far they unfold.

What a document is within these limits can be generated and imported in reasonable time, without running into Python's
own limits. They are an order of magnitude above what the protocols need.
"""

from collections.abc import Iterator, Mapping
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
        for path, part, is_in_place in _walk(schema):
            yield from _too_many(part, (key, name, *path), file, limits)
            yield from _too_large(part, (key, name, *path), file)
            _enter(graph[name], part, len(path), f"#/{key}/", is_in_place=is_in_place)
    yield from _entangled(graph, key, file, limits)


def _walk(schema: Any) -> Iterator[tuple[Steps, Mapping[str, Any], bool]]:
    """The schemas in a definition, each with its path and whether it judges the definition's own value."""
    waiting: list[tuple[Steps, Any, bool]] = [((), schema, True)]
    while waiting:
        path, part, is_in_place = waiting.pop()
        if is_object(part):
            yield path, part, is_in_place
            inner = [((*path, *step), sub, is_in_place and step[0] in IN_PLACE_KEYWORDS) for step, sub in subschemas(part)]
            waiting.extend(reversed(inner))


def _too_many(part: Mapping[str, Any], path: Steps, file: str, limits: Limits) -> Iterator[Diagnostic]:
    counts = {"properties": limits.properties, "enum": limits.values, **dict.fromkeys(LIST_KEYWORDS, limits.members)}
    for keyword, limit in counts.items():
        held = part.get(keyword, ())
        if len(held) > limit:
            message = f"{keyword} has {len(held)} entries; the limit is {limit}"
            hint = "split it, or leave out what is not needed"
            yield Diagnostic("too-complex", message, file, pointer((*path, keyword)), hint=hint)


def _too_large(part: Mapping[str, Any], path: Steps, file: str) -> Iterator[Diagnostic]:
    for keyword in _SIZES:
        if part.get(keyword, 0) > _LARGEST_SIZE:
            message = f"{keyword} is larger than any size; the limit is {_LARGEST_SIZE}"
            yield Diagnostic("number-out-of-range", message, file, pointer((*path, keyword)), hint="give a lower number")


def _enter(definition: _Definition, part: Mapping[str, Any], depth: int, prefix: str, *, is_in_place: bool) -> None:
    definition.schemas += 1
    definition.depth = max(definition.depth, depth)
    if "$ref" in part:
        target = str(part["$ref"]).removeprefix(prefix)
        definition.refs.append((target, depth + 1))
        if is_in_place:
            definition.in_place.append(target)


def _entangled(graph: Mapping[str, _Definition], key: str, file: str, limits: Limits) -> Iterator[Diagnostic]:
    """Definitions that lead too deep, or unfold to too much, through others."""
    depths: dict[str, int] = {}
    unfolded: dict[str, int] = {}
    total = 0
    for name in _bottom_up(graph):
        definition = graph[name]
        through = (depth + depths.get(target, 0) for target, depth in definition.refs)
        depths[name] = max(definition.depth, *through) if definition.refs else definition.depth
        unfolded[name] = definition.schemas + sum(unfolded[target] for target in definition.in_place)
        total += unfolded[name]
        if depths[name] > limits.nesting:
            message = f"schemas are nested deeper than {limits.nesting}, references included"
            hint = "make the types that it consists of flatter"
            yield Diagnostic("too-complex", message, file, pointer((key, name)), hint=hint)
            return
        if total > limits.unfolded:
            message = f"this refers to others so often that it unfolds to more than {limits.unfolded} schemas"
            hint = "refer to each definition fewer times under allOf, anyOf and oneOf"
            yield Diagnostic("too-complex", message, file, pointer((key, name)), hint=hint)
            return


def _bottom_up(graph: Mapping[str, _Definition]) -> Iterator[str]:
    """Every definition after those that it refers to, but for references that close a cycle."""
    entered: set[str] = set()
    for start in graph:
        path: list[tuple[str, Iterator[tuple[str, int]]]] = []
        following: str | None = None if start in entered else start
        while following is not None or path:
            if following is not None:
                entered.add(following)
                path.append((following, iter(graph[following].refs)))
            name, rest = path[-1]
            following = next((target for target, _ in rest if target not in entered), None)
            if following is None:
                path.pop()
                yield name
