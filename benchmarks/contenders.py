"""How each contender reads a message from bytes and writes it: the quickest way that its public interface has."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from pydantic_core import from_json
from wiretypes import decode, encode, load

from benchmarks.messages import Message

WIRETYPES: Final = "wiretypes"
OFFICIAL: Final = "official package"
PLAIN: Final = "datamodel-code-generator"
JSON: Final = "json"
MSGSPEC: Final = "msgspec, untyped"


@dataclass(frozen=True, slots=True)
class Codec:
    """Reads params or a result from bytes, and writes what it read."""

    decode: Callable[[bytes], Any]
    encode: Callable[[Any], bytes]


def codecs(message: Message, plain: ModuleType) -> dict[str, Codec]:
    """The contenders that take a message; the others refuse it, or are not installed here."""
    found = {
        WIRETYPES: Codec(partial(decode, load(message.protocol, message.version).TYPES[message.definition]), encode),
        OFFICIAL: _acp_schema(message) if message.protocol == "acp" else _mcp_types(message),
        PLAIN: _models(plain, message, exclude_unset=True),
        JSON: Codec(json.loads, lambda value: json.dumps(value, separators=(",", ":")).encode()),
        MSGSPEC: _msgspec(),
    }
    return {name: codec for name, codec in found.items() if codec and _works(codec.decode, message.text)}


def readers(message: Message) -> dict[str, Callable[[], Any]]:
    """What types a message with its envelope, as a connection needs it, by contender."""
    decode_message: Any = load(message.protocol, message.version).decode_message
    whole, sender = message.whole, message.sender
    methods = {message.id: message.method} if message.id is not None else {}
    found: dict[str, Callable[[], Any]] = {
        WIRETYPES: lambda: decode_message(whole, sender=sender, results=methods),
        OFFICIAL: _acp_reader(message) if message.protocol == "acp" else _mcp_reader(message),
    }
    return {name: read for name, read in found.items() if _works(read)}


def _works(read: Callable[..., Any], *arguments: object) -> bool:
    try:
        read(*arguments)
    except (AttributeError, ValueError):
        return False
    return True


def _msgspec() -> Codec | None:
    if find_spec("msgspec") is None:
        return None
    untyped = import_module("msgspec.json")
    return Codec(untyped.decode, untyped.encode)


def _models(module: ModuleType, message: Message, **options: bool) -> Codec | None:
    model: Any = getattr(module, message.definition, None)
    if model is None:
        return None
    return Codec(model.model_validate_json, lambda value: value.model_dump_json(by_alias=True, **options).encode())


def _acp_schema(message: Message) -> Codec | None:
    return _models(import_module("acp.schema"), message, exclude_none=True, exclude_defaults=True)


def _acp_reader(message: Message) -> Callable[[], Any]:
    whole = message.whole
    model: Any = getattr(import_module("acp.schema"), message.definition, None)
    return lambda: model.model_validate(json.loads(whole)["params"])


def _mcp_types(message: Message) -> Codec:
    parse = _mcp_parser(message)
    part: Callable[[Any], Any] = (lambda value: value.params) if message.part == "params" else (lambda value: value)
    return Codec(
        lambda text: parse(message.method, message.version, from_json(text)),
        lambda value: part(value).model_dump_json(by_alias=True, exclude_none=True).encode(),
    )


def _mcp_reader(message: Message) -> Callable[[], Any]:
    parse = _mcp_parser(message)
    whole, method, version, part = message.whole, message.method, message.version, message.part
    read = import_module("mcp_types").jsonrpc_message_adapter.validate_json
    return lambda: parse(method, version, getattr(read(whole, by_name=False), part))


def _mcp_parser(message: Message) -> Callable[..., Any]:
    name = "parse_client_request" if message.part == "params" else "parse_server_result"
    parse: Callable[..., Any] = getattr(import_module("mcp_types.methods"), name)
    return parse
