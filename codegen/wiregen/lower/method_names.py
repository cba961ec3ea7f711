"""Whether every method of a protocol can have a Python name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from wiregen import names
from wiregen.document import Document
from wiregen.errors import Diagnostic
from wiregen.ir import Method
from wiregen.json_text import is_object, pointer


def findings(document: Document, methods: Iterable[Method]) -> Iterator[Diagnostic]:
    """What is wrong with the names of methods: no Python name can be made of one, or two of a sender need the same."""
    taken: dict[tuple[str, str], str] = {}
    for sender, method in dict.fromkeys((method.sender, method.name) for method in methods):
        place = _place(document, method)
        try:
            name = names.method_name(method)
        except names.UnusableName as error:
            hint = "rename the method: letters, digits and underscores, no digit first"
            yield Diagnostic("unusable-name", str(error), document.file, place, hint=hint)
            continue
        other = taken.setdefault((sender, name), method)
        if other != method:
            message = f"the methods {other!r} and {method!r} both need the Python name {name}"
            yield Diagnostic("name-collision", message, document.file, place, hint="rename one of the methods")


def _place(document: Document, method: str) -> str:
    """The JSON pointer of the first definition that is a message of the method."""
    for name, schema in document.definitions.items():
        if method in (schema.get("x-method"), _constant(schema)):
            return pointer((document.definitions_key, name))
    return pointer((document.definitions_key,))


def _constant(schema: Any) -> Any:
    """The value that the property `method` of a schema has to have, if it is one."""
    properties = schema.get("properties", {})
    method = properties.get("method", {})
    return method.get("const") if is_object(method) else None
