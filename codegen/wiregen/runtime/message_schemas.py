"""Ordinary messages as schemas of the validator core, by which JSON becomes a typed message in one step."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

from pydantic_core import SchemaValidator

from .codec import core_schema
from .jsonrpc import Message, Notification, Request, Result
from .model import UNSET
from .versions import Method

__all__ = ["OrdinaryMessages"]

_VERSION = "2.0"
_JSONRPC: Any = {"type": "literal", "expected": [_VERSION]}
_IDS: dict[str, Any] = {
    "integer": {"type": "int", "strict": True},
    "null": {"type": "none"},
    "string": {"type": "str", "strict": True},
}
# Any object: nothing is made of what nobody asks for.
_OBJECT: Any = {"type": "typed-dict", "fields": {}, "extra_behavior": "ignore"}


class OrdinaryMessages:
    """The messages of one side that are known and have nothing odd about them; what is refused may still be a message.

    Methods are added when they are first met: building them all takes longer than most sessions need.
    """

    validator: SchemaValidator
    """Reads JSON as a request or notification; raises ValidationError for all that is not ordinary. Of a result it
    gives the members, `id` among them: what type the result has is known only then."""

    def __init__(self, id_kinds: Sequence[str]) -> None:
        choices = [_IDS[kind] for kind in _IDS if kind in id_kinds]
        self._id: Any = {"type": "union", "mode": "left_to_right", "choices": choices}
        # What has no method is found under the value of its `jsonrpc`.
        self._choices = {_VERSION: _members({"jsonrpc": _JSONRPC, "id": self._id, "result": _OBJECT})}
        self._definitions: dict[str, Any] = {}
        self._lock = Lock()
        self._build()

    def __contains__(self, method: Method) -> bool:
        return method.name in self._choices

    def add(self, method: Method, *, optional: bool) -> None:
        """Make a method known; with `optional`, its params may be left out. Threads may do so at once."""
        with self._lock:
            if method not in self:
                self._add(method, optional=optional)

    def _add(self, method: Method, *, optional: bool) -> None:
        params: Any = core_schema(method.params)
        if params["type"] == "definitions":
            # Several methods may bring the same.
            self._definitions |= {definition["ref"]: definition for definition in params["definitions"]}
            params = params["schema"]
        if optional:
            params = {"type": "default", "schema": params, "default": UNSET}
        members: dict[str, Any] = {"method": {"type": "literal", "expected": [method.name]}, "params": params}
        if method.kind == "request":
            self._choices[method.name] = _instance(Request, {"id": self._id, **members})
        else:
            self._choices[method.name] = _instance(Notification, members)
        self._build()

    def results(self, type_: Any) -> SchemaValidator:
        """What reads JSON as a response whose result is of a type."""
        return SchemaValidator(_instance(Result, {"id": self._id, "result": core_schema(type_)}))

    def _build(self) -> None:
        tagged: Any = {"type": "tagged-union", "discriminator": [["method"], ["jsonrpc"]], "choices": self._choices}
        definitions = list(self._definitions.values())
        self.validator = SchemaValidator({"type": "definitions", "schema": tagged, "definitions": definitions})


def _members(schemas: dict[str, Any]) -> Any:
    fields = {name: {"type": "typed-dict-field", "schema": schema} for name, schema in schemas.items()}
    return {"type": "typed-dict", "fields": fields, "extra_behavior": "forbid"}


def _instance(cls: type[Message], members: dict[str, Any]) -> Any:
    """Schema of an object with exactly these members, as an instance of a message class."""
    fields: list[Any] = [
        {"type": "dataclass-field", "name": "jsonrpc", "schema": _JSONRPC, "init_only": True},
        *({"type": "dataclass-field", "name": name, "schema": schema} for name, schema in members.items()),
    ]
    arguments = {
        "type": "dataclass-args",
        "dataclass_name": cls.__name__,
        "fields": fields,
        "collect_init_only": False,
        "extra_behavior": "forbid",
    }
    # What is not set has the value of the class: `extra` is None.
    return {"type": "dataclass", "cls": cls, "schema": arguments, "fields": list(members)}
