"""Our texts are our own: none shares eight words in a row with a description in the upstream schemas."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.resources import files
from typing import Any

import pytest
from fidelity.shared import SHARED

from wiregen import catalogue
from wiregen.docs import PAGES
from wiregen.json_text import is_array, is_object

RUN = 8
_ADDRESS = re.compile(r"\w+://\S+")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ARRAY = re.compile(r"\[[^\]]*\]")
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_WORD = re.compile(r"[A-Za-z0-9']+")

Runs = set[tuple[str, ...]]
Reading = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def upstream() -> list[dict[str, Any]]:
    """The upstream schemas."""
    found = [json.loads(file.read_bytes()) for file in sorted((SHARED / "upstream").rglob("*.json"))]
    if not found:
        pytest.skip("../shared/upstream is absent")
    assert len(found) >= len(catalogue.targets())
    return found


def test_no_text_repeats_upstream(upstream: list[dict[str, Any]]) -> None:
    ours = dict(_texts())
    assert len(ours) > 2000
    descriptions = {text for schema in upstream for text in _descriptions(schema)}
    for reading in _readings(frozenset(name for schema in upstream for name in _names(schema))):
        theirs = _runs(descriptions, reading)
        assert len(theirs) > 10_000
        repeated = {place: text for place, text in ours.items() if theirs & _runs([text], reading)}
        assert repeated == {}


def test_a_repeated_run_is_seen() -> None:
    theirs = "See https://a.b: one two three `x` four [five](https://a.b) six sessionId seven eight nine."
    repeated = "And one two three four five six seven eight nine."
    *others, without_code_and_names = _readings(frozenset({"sessionId", "x"}))
    assert _runs([theirs], without_code_and_names) & _runs([repeated], without_code_and_names)
    assert not any(_runs([theirs], reading) & _runs([repeated], reading) for reading in others[:1])
    assert all(_runs([theirs], reading) & _runs([theirs], reading) for reading in others)


def _readings(names: frozenset[str]) -> Iterator[Reading]:
    """Ways to read the words of a text: code spans and wire names as words, or as nothing; addresses never count."""
    lowered = frozenset(name.lower() for name in names)
    for drop_code in (False, True):
        for dropped in (frozenset[str](), lowered):
            yield partial(_words, dropped=dropped, drop_code=drop_code)


def _words(text: str, *, dropped: frozenset[str], drop_code: bool) -> list[str]:
    text = _ARRAY.sub(" ", _ADDRESS.sub(" ", _LINK.sub(r"\1", text)))
    if drop_code:
        text = _CODE.sub(" ", text)
    return [word for word in map(str.lower, _WORD.findall(text)) if word not in dropped]


def _runs(texts: Iterable[str], reading: Reading) -> Runs:
    found: Runs = set()
    for text in texts:
        words = reading(text)
        found.update(tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
    return found


def _texts() -> Iterator[tuple[str, str]]:
    """Every text of the tables and every docstring of the support modules, with its place."""
    for protocol in catalogue.PROTOCOLS:
        for name, table in catalogue.read_table(protocol, "docs").items():
            if name != PAGES:
                yield from _leaves(f"{protocol}/{name}", table)
    for module in files("wiregen.runtime").iterdir():
        if module.name.endswith(".py"):
            for node in ast.walk(ast.parse(module.read_bytes())):
                match node:
                    case ast.Expr(ast.Constant(str(text))):
                        yield f"{module.name}:{node.lineno}", text
                    case _:
                        continue


def _leaves(place: str, table: Any) -> Iterator[tuple[str, str]]:
    if isinstance(table, str):
        yield place, table
    else:
        for key, value in table.items():
            if key != "page":
                yield from _leaves(f"{place}/{key}", value)


def _descriptions(schema: object) -> Iterator[str]:
    if is_array(schema):
        for item in schema:
            yield from _descriptions(item)
    elif is_object(schema):
        for key, value in schema.items():
            if key == "description" and isinstance(value, str):
                yield value
            yield from _descriptions(value)


def _names(schema: object) -> Iterator[str]:
    """Names of definitions and properties, and values of constants."""
    if is_array(schema):
        for item in schema:
            yield from _names(item)
    elif is_object(schema):
        for key, value in schema.items():
            if key in ("properties", "$defs", "definitions") and is_object(value):
                yield from value
            if key == "const" and isinstance(value, str):
                yield value
            yield from _names(value)
