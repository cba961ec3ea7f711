"""Schemas that would take all time or memory, or Python to its limits, are refused; those within the limits work."""

import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from schemas import STRING, Schema, constant, document, obj, ref

from wiregen import document as documents
from wiregen import pipeline
from wiregen.catalogue import Target
from wiregen.errors import InvalidInput
from wiregen.json_text import DEFAULT
from wiregen.lower import lower
from wiregen.progress import tell_nobody
from wiregen.settings import Output

_PATIENCE = 20.0
"""Seconds; each of these takes a tenth of that, where it once took minutes or did not end."""


def nested(levels: int, around: Callable[[Any], Any], inner: object = STRING) -> Any:
    for _ in range(levels):
        inner = around(inner)
    return inner


def chain(length: int, link: Callable[[Schema, int], Schema], end: Schema = STRING) -> dict[str, Schema]:
    """Definitions of which each refers to the next."""
    return {**{f"A{i}": link(ref(f"A{i + 1}"), i) for i in range(length)}, f"A{length}": end}


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def doubled(next_: Schema, index: int) -> Schema:
    return {"allOf": [next_, next_], "properties": {f"p{index}": STRING}}


def either(next_: Schema, index: int) -> Schema:
    return {"anyOf": [next_, next_, obj({"kind": constant(f"k{index}")}, "kind")]}


def linked_union(next_: Schema, index: int) -> Schema:
    one = obj({"kind": constant(f"a{index}"), "next": next_}, "kind", "next")
    return {"anyOf": [one, obj({"kind": constant(f"b{index}")}, "kind")]}


def union(members: int) -> Schema:
    return {"oneOf": [obj({"kind": constant(f"k{i}"), "x": STRING}, "kind") for i in range(members)]}


def sized_union(first: int, members: int) -> Schema:
    return {"anyOf": [{**STRING, "minLength": first, "maxLength": 1000 + i} for i in range(members)]}


def inline_objects(definitions: int, each: int) -> dict[str, Schema]:
    return {f"A{i}": obj({f"p{j}": obj({"a": STRING}) for j in range(each)}) for i in range(definitions)}


TOO_MUCH = [
    ("unfolds by doubling", "too-complex", chain(20, doubled, obj({"x": STRING}))),
    ("unfolds unions", "too-complex", chain(20, either, obj({"kind": constant("z")}, "kind"))),
    ("long chain of references", "too-complex", chain(1900, lambda next_, _: next_)),
    ("long chain of bases", "too-complex", chain(1900, lambda next_, i: {"allOf": [next_], **obj({f"p{i}": STRING})})),
    ("long chain of objects", "too-complex", chain(1900, lambda next_, _: obj({"next": next_}))),
    ("long chain of arrays", "too-complex", chain(1900, lambda next_, _: array(next_))),
    ("arrays in arrays", "too-complex", {"A": nested(90, array)}),
    ("maps in maps", "too-complex", {"A": nested(90, lambda inner: {"type": "object", "additionalProperties": inner})}),
    ("objects in objects", "too-complex", {"A": nested(90, lambda inner: obj({"a": inner}))}),
    ("unions in unions", "too-complex", {"A": nested(70, lambda inner: {"anyOf": [inner, {"not": STRING}]})}),
    ("brackets", "too-deep", {"A": {"default": nested(250, lambda inner: [inner])}}),
    ("definitions", "too-many-definitions", {f"A{i}": STRING for i in range(DEFAULT.definitions + 1)}),
    ("properties", "too-complex", {"A": obj({f"p{i}": STRING for i in range(DEFAULT.properties + 1)})}),
    ("members", "too-complex", {"A": union(DEFAULT.members + 1)}),
    ("values", "too-complex", {"A": {"enum": [f"v{i}" for i in range(DEFAULT.values + 1)]}}),
    ("required names", "too-complex", {"A": {**obj({}), "required": [f"r{i}" for i in range(40_000)]}}),
    ("schemas", "too-complex", {f"A{i}": obj({f"p{j}": {} for j in range(1000)}) for i in range(101)}),
    ("types", "too-complex", {"A": {"type": ["string"] * 100_000}}),
    ("objects", "too-complex", inline_objects(20, 400)),
    ("pairs of members", "too-complex", {f"A{i}": union(DEFAULT.members) for i in range(26)}),
    ("members of members", "too-complex", {"A": {"anyOf": [sized_union(i, 200) for i in range(200)]}}),
    (
        "members of definitions",
        "too-complex",
        {"A": {"anyOf": [ref(f"B{i}") for i in range(100)]}, **{f"B{i}": sized_union(i, 100) for i in range(100)}},
    ),
    ("text", "too-large", {"A": {**STRING, "description": "x" * DEFAULT.size}}),
    ("size of an array", "number-out-of-range", {"A": {**array(STRING), "maxItems": 10**300}}),
    ("length of a string", "number-out-of-range", {"A": {**STRING, "minLength": 1e300}}),
    ("digits", "number-out-of-range", {"A": {"default": 10**400}}),
]


@pytest.mark.parametrize(("code", "definitions"), [case[1:] for case in TOO_MUCH], ids=[case[0] for case in TOO_MUCH])
def test_too_much_is_refused(code: str, definitions: dict[str, Schema]) -> None:
    start = time.monotonic()
    with pytest.raises(InvalidInput) as caught:
        documents.parse(document(definitions), file="a.json")
    assert {found.code for found in caught.value.diagnostics} == {code}
    assert all(found.hint for found in caught.value.diagnostics)
    assert time.monotonic() - start < _PATIENCE


def imported(files: Mapping[str, str], folder: Path, name: str) -> Any:
    """A generated package, written below a folder and imported from there."""
    for path, text in files.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


MUCH: list[tuple[str, dict[str, Any], Any]] = [
    ("unfolds", chain(12, doubled, obj({"x": STRING})), {"x": "a", "p0": "b"}),
    ("references", chain(60, lambda next_, _: next_), "a"),
    ("bases", chain(20, lambda next_, i: {"allOf": [next_], **obj({f"p{i}": STRING})}, obj({"x": STRING})), {"x": "a"}),
    ("objects", chain(31, lambda next_, _: obj({"next": next_}), obj({})), nested(31, lambda v: {"next": v}, {})),
    ("arrays", chain(31, lambda next_, _: array(next_)), nested(31, lambda v: [v], "a")),
    ("arrays in arrays", {"A0": nested(63, array)}, nested(63, lambda v: [v], "a")),
    ("objects in objects", {"A0": nested(63, lambda inner: obj({"a": inner}))}, nested(63, lambda v: {"a": v}, "a")),
    ("unions", chain(21, linked_union, obj({"x": STRING})), {"kind": "b0"}),
    ("members", {"A0": union(DEFAULT.members)}, {"kind": "k150", "x": "a"}),
    ("properties", {"A0": obj({f"p{i}": STRING for i in range(DEFAULT.properties)})}, {"p999": "a"}),
    (
        "required",
        {
            "A0": {"allOf": [ref("A1")], **obj({}, *(f"p{i}" for i in range(DEFAULT.properties)))},
            "A1": obj({f"p{i}": STRING for i in range(DEFAULT.properties)}),
        },
        {f"p{i}": "a" for i in range(DEFAULT.properties)},
    ),
    ("unions in unions", {"A0": {"anyOf": [sized_union(i, 25) for i in range(25)]}}, "a" * 30),
    ("inline", inline_objects(2, 200), {"p7": {"a": "x"}}),
    ("values", {"A0": {"enum": [f"v{i}" for i in range(DEFAULT.values)]}}, "v19999"),
    ("nested default", {"A0": obj({"a": {"default": nested(180, lambda v: {"a": v}, 1)}})}, {}),
    ("whole sizes", {"A0": {**STRING, "minLength": 1.0, "maxLength": 2.0}}, "a"),
]


@pytest.mark.parametrize(("definitions", "value"), [case[1:] for case in MUCH], ids=[case[0] for case in MUCH])
def test_much_works(
    definitions: dict[str, Schema], value: object, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    start = time.monotonic()
    target = Target("acp", "v2")
    name = "much_" + request.node.callspec.id.replace(" ", "_")
    protocol = lower(documents.parse(document(definitions), file="a.json"), "acp", "v2")
    output = Output(folder=tmp_path / name, package=name, versions=(target,), emit=("models",))
    package = imported(pipeline.emit([protocol], output, tell_nobody), tmp_path, name)
    type_ = importlib.import_module(f"{name}.acp.v2").TYPES["A0"]
    assert json.loads(package.encode(package.decode(type_, json.dumps(value)), type_)) == value
    assert time.monotonic() - start < _PATIENCE
