"""JSON text to a value, strictly, and where in the text a value stands."""

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeGuard

from wiregen.errors import MOST, Diagnostic, InvalidInput, limited
from wiregen.text import printable

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{},:]|[^\s\[\]{},:"]++', re.DOTALL)
_MAX_INTEGER_DIGITS = 308


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may cost.

    `size` in bytes, `depth` in nested objects and arrays of the text; `definitions` by number, `classes` with the
    objects inside them; of one schema, the `properties`, the `members` of a union or conjunction and the `values` of an
    enumeration, by number; `nesting` of schemas, through references too; `unfolded` is the number of schemas when
    references under `allOf`, `anyOf` and `oneOf` are replaced by what they stand for; `comparisons` the number of pairs
    of members, over all unions. docs/generate.md tells users.
    """

    size: int = 16 * 2**20
    depth: int = 200
    definitions: int = 2_000
    classes: int = 5_000
    properties: int = 1_000
    members: int = 200
    values: int = 20_000
    nesting: int = 64
    unfolded: int = 100_000
    comparisons: int = 1_000_000


DEFAULT = Limits()


def pointer(parts: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of `parts`, with what cannot be printed shown as an escape."""
    return "".join("/" + printable(str(part).replace("~", "~0").replace("/", "~1")) for part in parts)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def decode(data: bytes, *, file: str, limits: Limits = DEFAULT) -> Any:
    """The value of UTF-8 JSON text; a byte order mark is skipped.

    Refuses, as `InvalidInput`: text over the size or depth limit, text that is not UTF-8 or not JSON, a key that an
    object has twice, a lone surrogate, and numbers that no double holds (NaN and Infinity among them).
    """
    if len(data) > limits.size:
        message = f"the file is larger than {limits.size} bytes"
        hint = "split the schema or leave out what is not needed"
        raise InvalidInput([Diagnostic("too-large", message, file=file, hint=hint)])
    text = _text(data, file)
    if _depth(text) > limits.depth:
        raise InvalidInput([_too_deep(text, file, limits)])
    value, has_duplicates = _parse(text, file)
    duplicates = _duplicates(text, file) if has_duplicates else ()
    if findings := limited(chain(duplicates, _unusable_values(value, file))):
        raise InvalidInput(with_lines(findings, text))
    return value


def with_lines(diagnostics: Iterable[Diagnostic], text: str) -> list[Diagnostic]:
    """`diagnostics` with the line of `text` on which the value of each pointer begins."""
    diagnostics = list(diagnostics)
    wanted = {d.pointer for d in diagnostics if d.line is None and d.pointer is not None}
    lines = _Places(text, wanted).lines if wanted else {}
    return [d if d.line or d.pointer is None else replace(d, line=lines.get(d.pointer)) for d in diagnostics]


def _text(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8"
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInput(
            [Diagnostic("not-utf8", message, file=file, line=line, hint="save the file as UTF-8")]
        ) from None


def _depth(text: str) -> int:
    depth = deepest = 0
    for match in _STRUCTURE.finditer(text):
        if match[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif match[0] in "]}":
            depth -= 1
    return deepest


def _too_deep(text: str, file: str, limits: Limits) -> Diagnostic:
    places = _Places(text, depth=limits.depth)
    return Diagnostic(
        "too-deep",
        f"objects and arrays are nested deeper than {limits.depth}",
        file=file,
        pointer=places.too_deep,
        line=places.line,
        hint="move inner schemas into definitions and refer to them with $ref",
    )


def _parse(text: str, file: str) -> tuple[Any, bool]:
    has_duplicates = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal has_duplicates
        result = dict(items)
        has_duplicates = has_duplicates or len(result) < len(items)
        return result

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=_integer), has_duplicates
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} (column {error.colno})"
        hint = "correct the syntax at this line"
        raise InvalidInput([Diagnostic("not-json", message, file=file, line=error.lineno, hint=hint)]) from None


def _integer(digits: str) -> int | float:
    """Python refuses to read very long integers; they become infinity here and are reported with their place."""
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else math.inf


def _duplicates(text: str, file: str) -> Iterator[Diagnostic]:
    for place, line in _Places(text).duplicates:
        yield Diagnostic(
            "duplicate-key",
            "the object has this key more than once",
            file=file,
            pointer=place,
            line=line,
            hint="keep one of them",
        )


def _unusable_values(root: Any, file: str) -> Iterator[Diagnostic]:
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(root, ())]
    while waiting:
        value, path = waiting.pop()
        if is_object(value):
            for key in value:
                if _has_surrogate(key):
                    yield _surrogate(file, (*path, key), "key")
            waiting.extend((inner, (*path, key)) for key, inner in reversed(value.items()))
        elif is_array(value):
            waiting.extend((value[index], (*path, index)) for index in reversed(range(len(value))))
        elif isinstance(value, str):
            if _has_surrogate(value):
                yield _surrogate(file, path, "string")
        elif isinstance(value, float) and not math.isfinite(value):
            yield Diagnostic(
                "number-out-of-range",
                "NaN, Infinity or a number that is too large for JSON",
                file=file,
                pointer=pointer(path),
                hint="use a number that a double can hold",
            )


def _surrogate(file: str, path: tuple[str | int, ...], what: str) -> Diagnostic:
    return Diagnostic(
        "lone-surrogate",
        f"the {what} holds half of a surrogate pair, which is no character",
        file=file,
        pointer=pointer(path),
        hint="write both halves, or remove the \\ud800 to \\udfff escape",
    )


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


@dataclass(slots=True)
class _Container:
    """An object or array that is open at some point of the text; an array has no keys."""

    path: str
    keys: set[str] | None
    index: int = 0
    awaits_key: bool = True


class _Places:
    """Where in a JSON text values begin, token by token and without recursion.

    `lines` maps the pointers that are `wanted` to lines, `duplicates` lists pointer and line of keys that an object has
    already, `too_deep` is the pointer of the first container beyond the depth, where the walk ends, and `line` the line
    that it got to. It ends too where there is nothing left to find. Text that is not JSON is walked as far as it makes
    sense.
    """

    def __init__(self, text: str, wanted: Collection[str] = (), *, depth: int | None = None) -> None:
        self.lines: dict[str, int] = {}
        self.duplicates: list[tuple[str, int]] = []
        self.too_deep = ""
        self.line = 1
        self._wanted = wanted
        self._stack: list[_Container] = []
        self._place = ""
        end = 0
        for match in _TOKEN.finditer(text):
            self.line += text.count("\n", end, match.start())
            end = match.start()
            token = match[0]
            if token in "[{" and len(self._stack) == depth:
                self.too_deep = self._place
                return
            self._take(token)
            if (wanted and len(self.lines) == len(wanted)) or len(self.duplicates) > MOST:
                return

    def _take(self, token: str) -> None:
        top = self._stack[-1] if self._stack else None
        if token in "[{":
            self._found()
            self._stack.append(_Container(self._place, set() if token == "{" else None))
            self._place += "/0"
        elif token in "]}":
            del self._stack[-1:]
        elif token == "," and top:
            top.index += 1
            top.awaits_key = True
            self._place = f"{top.path}/{top.index}"
        elif token not in ",:":
            if top and top.keys is not None and top.awaits_key:
                self._take_key(token, top, top.keys)
            self._found()

    def _found(self) -> None:
        if self._place in self._wanted:
            self.lines.setdefault(self._place, self.line)

    def _take_key(self, token: str, top: _Container, keys: set[str]) -> None:
        key = _unquote(token)
        self._place = top.path + pointer([key])
        if key in keys:
            self.duplicates.append((self._place, self.line))
        keys.add(key)
        top.awaits_key = False


def _unquote(token: str) -> str:
    if "\\" not in token and len(token) > 1:
        return token[1:-1]
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token
