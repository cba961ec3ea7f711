"""JSON values as Python objects: what "the same" means, and how large one is."""

import json
from copy import deepcopy
from pathlib import Path
from typing import TypeAlias, cast

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"
Step: TypeAlias = "str | int"
Place: TypeAlias = tuple[Step, ...]


def same(left: JSON, right: JSON) -> bool:
    """Whether two values are equal as JSON: a boolean is no number, 1 equals 1.0, integers compare exactly."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(item, right[name]) for name, item in left.items())
        )
    if isinstance(left, list):
        return (
            isinstance(right, list)
            and len(left) == len(right)
            and all(same(one, other) for one, other in zip(left, right, strict=True))
        )
    return not isinstance(right, dict | list) and left == right


def text(value: JSON) -> str:
    """The value as compact JSON text, in which the size of a value is measured."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def at(value: JSON, place: Place) -> JSON:
    """The value that lies at a place."""
    for step in place:
        value = _container(value)[step]
    return value


def replaced(value: JSON, place: Place, item: JSON) -> JSON:
    """A copy of the value with another item at a place."""
    if not place:
        return item
    result = deepcopy(value)
    _container(at(result, place[:-1]))[place[-1]] = item
    return result


def _container(value: JSON) -> dict[Step, JSON]:
    """An array or an object, either seen as a mapping from steps."""
    return cast("dict[Step, JSON]", value)


def places(value: JSON, start: Place = ()) -> list[Place]:
    """Every place in the value, each before those inside it."""
    found = [start]
    if isinstance(value, dict):
        for name, item in value.items():
            found += places(item, (*start, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*start, index))
    return found


def read_lines(file: Path) -> list[dict[str, JSON]]:
    """The objects of a file that holds one JSON object a line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
