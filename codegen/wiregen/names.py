"""The only place that invents a Python name."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection

# Public attributes of pydantic's BaseModel and of its class, which a field of that name would hide; a test compares
# them with pydantic's.
PYDANTIC_ATTRIBUTES = frozenset(
    [
        "construct",
        "copy",
        "dict",
        "from_orm",
        "json",
        "model_computed_fields",
        "model_config",
        "model_construct",
        "model_copy",
        "model_dump",
        "model_dump_json",
        "model_extra",
        "model_fields",
        "model_fields_set",
        "model_json_schema",
        "model_parametrized_name",
        "model_post_init",
        "model_rebuild",
        "model_validate",
        "model_validate_json",
        "model_validate_strings",
        "mro",
        "parse_file",
        "parse_obj",
        "parse_raw",
        "register",
        "schema",
        "schema_json",
        "update_forward_refs",
        "validate",
    ]
)

# Public attributes of handlers and callers, which a method of that name would hide; a test compares them.
DISPATCH_ATTRIBUTES = frozenset(
    {
        *("also", "auth_methods", "bind", "claim", "declaration", "declared_in", "declares", "extension_notification"),
        *("extension_request", "features", "info", "negotiated", "notify", "peer", "problems", "request", "role"),
    }
)

# What a version module holds beside its declarations.
MODULE_ATTRIBUTES = frozenset(
    {
        *("METHODS", "PROTOCOL", "PROTOCOL_VERSION", "TYPES", "VERSION", "_decoders", "decode_message", "models"),
        *("AgentCaller", "AgentHandler", "ClientCaller", "ClientHandler", "ServerCaller", "ServerHandler"),
        *("callers", "handlers"),
        "TYPE_CHECKING",  # which type checkers know by no other name
    }
)

_WORD_END = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[^0-9A-Za-z]+")


class UnusableName(ValueError):
    """Text from which no Python name can be made; the message says why."""


def field_name(wire: str) -> str:
    """Name of a field: snake_case of what follows the last `/` or `$` of its wire name."""
    words = [word.lower() for part in _parts(_tail(wire)) for word in _WORD_END.split(part)]
    return _usable("_".join(words), wire)


def class_name(text: str) -> str:
    """The part of a class name that a property, a tag or a title gives: PascalCase, inner capitals kept."""
    return _identifier("".join(part[0].upper() + part[1:] for part in _parts(_tail(text))), text)


def method_name(method: str) -> str:
    """Name of the Python method that stands for a protocol method: `session/prompt` is `session_prompt`."""
    words = [word.lower() for part in _parts(method) for word in _WORD_END.split(part)]
    name = _usable("_".join(words), method)
    return name + "_" if name in DISPATCH_ATTRIBUTES else name


def member_name(union: str, label: str, taken: frozenset[str]) -> str:
    """Name of a union's member that is no definition: `<Tag><Union>`, or `<Union><Tag>` where a definition has that."""
    part = class_name(label)
    return union + part if part + union in taken else part + union


def inline_name(owner: str, wire: str) -> str:
    """Name of an object that a property declares inline: `<Owner><Property>`."""
    return owner + class_name(wire)


def module_name(version: str) -> str:
    """Name of the module of a version: `2025-11-25` is `v2025_11_25`, `v1-unstable` is `v1_unstable`."""
    name = _SEPARATORS.sub("_", version)
    return name if name.startswith("v") else "v" + name


def wire_name(name: str) -> str:
    """The wire name that the generated package assumes for a field of this name; others are spelt out."""
    if name == "meta":
        return "_meta"
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))


def is_reserved(name: str) -> bool:
    """Whether a declaration cannot have this name: a version module, or Python in every class, needs it itself."""
    return name in MODULE_ATTRIBUTES or name.startswith("__")


def hidden(name: str, *scopes: Collection[str]) -> str:
    """A name that generated code needs itself, with `_` before it where a scope holds that name already."""
    if any(name in scope for scope in scopes):
        name = "_" + name
    while any(name in scope for scope in scopes):
        name += "_"  # a second one before it would make it private to a class
    return name


def _tail(text: str) -> str:
    return re.split(r"[/$]", text)[-1]


def _parts(text: str) -> list[str]:
    return [part for part in _SEPARATORS.split(text) if part]


def _identifier(name: str, text: str) -> str:
    if not name:
        raise UnusableName(f"{text!r} has no letter or digit to make a Python name of")
    if not name.isidentifier():
        raise UnusableName(f"{text!r} gives {name!r}, which is no Python identifier")
    return name


def _usable(name: str, text: str) -> str:
    _identifier(name, text)
    return name + "_" if keyword.iskeyword(name) or name in PYDANTIC_ATTRIBUTES else name
