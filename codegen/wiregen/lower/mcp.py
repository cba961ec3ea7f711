"""The Model Context Protocol's dialect: what a TypeScript exporter writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal

from wiregen.document import Document
from wiregen.errors import Diagnostic, InvalidInput, limited
from wiregen.ir import Alias, Declaration, Enumeration, Field, Json, Method, ObjectType, Reference, String, Type, Union
from wiregen.json_text import pointer
from wiregen.lower.lowered import Lowered
from wiregen.lower.schema import Lowering
from wiregen.lower.simplify import joined
from wiregen.lower.unions import Unions, decide_all

_SENDERS = ("client", "server")
_KINDS: Final = ("request", "notification")
_INPUT_REQUIRED = "InputRequiredResult"
_RESULT_TYPE = "resultType"
_INPUT_REQUEST = "InputRequest"
_META = "_meta"
_PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
_CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def lower(document: Document, version: str) -> Lowered:
    """Declarations and methods of an MCP schema."""
    declarations = Lowering(document).run()
    declarations = {name: _with_result_type(declaration) for name, declaration in declarations.items()}
    declarations = {name: _with_request_meta(d, declarations, version) for name, d in declarations.items()}
    methods, embedded = _methods(document, declarations)
    decided = decide_all(declarations, _input_required)
    unions = Unions(declarations)
    return Lowered(decided, tuple(replace(m, result=_decided(m.result, unions)) for m in methods), embedded)


def protocol_version(version: str) -> str:
    """What `protocolVersion` says on the wire: the revision's date."""
    return version


def _with_result_type(declaration: Declaration) -> Declaration:
    """`resultType` is any string to the schema, but a result of one class has one value of it."""
    if not isinstance(declaration, ObjectType):
        return declaration
    value = "input_required" if declaration.name == _INPUT_REQUIRED else "complete"

    def with_value(field: Field) -> Field:
        is_tag = field.wire == _RESULT_TYPE and field.required and isinstance(field.type, String)
        return replace(field, initial=value) if is_tag else field

    return replace(declaration, fields=tuple(map(with_value, declaration.fields)))


def _with_request_meta(declaration: Declaration, declarations: Mapping[str, Declaration], version: str) -> Declaration:
    """What every request has to say of its version and its client: a constructor says the least that is valid."""
    if not isinstance(declaration, ObjectType):
        return declaration
    least: Mapping[str, Json] = {_PROTOCOL_VERSION: version, _CLIENT_CAPABILITIES: {}}

    def with_value(field: Field) -> Field:
        if field.required and field.wire in least:
            return replace(field, initial=least[field.wire])
        meta = declarations.get(field.type.name) if isinstance(field.type, Reference) else None
        required = {f.wire for f in meta.fields if f.required} if isinstance(meta, ObjectType) else set[str]()
        is_meta = field.wire == _META and field.required and required == least.keys()
        return replace(field, initial=dict(least)) if is_meta else field

    return replace(declaration, fields=tuple(map(with_value, declaration.fields)))


def _input_required(union: Union, unions: Unions) -> Union | None:
    """`resultType` decides between a result and a request for input, though the schema takes any string there."""
    first = Reference(_INPUT_REQUIRED)
    if first not in union.members or len(union.members) == 1:
        return None
    at = union.members.index(first)
    others = unions.order(union, tuple(i for i in range(len(union.members)) if i != at))
    return replace(union, tag=_RESULT_TYPE, tagged=(("input_required", (at,)),), rest=(*others, at), exclusive=False)


def _decided(type_: Type | None, unions: Unions) -> Type | None:
    return (_input_required(type_, unions) or unions.decide(type_)) if isinstance(type_, Union) else type_


class _Unclear(ValueError):
    """A message from which no method can be read; the text says why."""


def _methods(
    document: Document, declarations: Mapping[str, Declaration]
) -> tuple[tuple[Method, ...], tuple[Method, ...]]:
    """The methods, and the requests that a server sends inside results."""
    findings: list[Diagnostic] = []

    def found(union: str, kind: Literal["request", "notification"], sender: str) -> Iterator[Method]:
        for name in dict.fromkeys(_messages(union, declarations)):
            try:
                yield _method(name, kind, sender, declarations)
            except _Unclear as unclear:
                place = pointer([document.definitions_key, name if name in document.definitions else union])
                hint = "give its `method` a constant, and a request a result of its name"
                findings.append(Diagnostic("bad-method", str(unclear), document.file, place, hint=hint))

    methods = [
        method
        for sender in _SENDERS
        for kind in _KINDS
        for method in found(f"{sender.capitalize()}{kind.capitalize()}", kind, sender)
    ]
    embedded = [*found(_INPUT_REQUEST, "request", "server")]
    if findings:
        raise InvalidInput(limited(findings))
    return tuple(methods), tuple(embedded)


def _messages(name: str, declarations: Mapping[str, Declaration]) -> Iterator[str]:
    """The messages of a union of them, or the one message that it is."""
    match declarations.get(name):
        case Alias(_, Reference(other)):
            yield from _messages(other, declarations)
        case Alias(_, Union(members)):
            for member in members:
                yield from _messages(member.name, declarations) if isinstance(member, Reference) else (name,)
        case None:
            return
        case _:
            yield name


def _method(
    name: str, kind: Literal["request", "notification"], sender: str, declarations: Mapping[str, Declaration]
) -> Method:
    message = declarations[name]
    fields = {f.wire: f for f in message.fields} if isinstance(message, ObjectType) else {}
    method = fields.get("method")
    if method is None or not isinstance(method.type, Enumeration) or len(method.type.values) != 1:
        raise _Unclear(f"{name} is sent by the {sender} and has no property `method` with a constant")
    params = fields["params"].type if "params" in fields else None
    result = _result(name.removesuffix("Request"), params, declarations) if kind == "request" else None
    return Method(str(method.type.values[0]), kind, sender, params, result)


def _result(stem: str, params: Type | None, declarations: Mapping[str, Declaration]) -> Type:
    """The result of a request: what its response definition says, else the result of its name, else an empty one."""
    response = declarations.get(f"{stem}ResultResponse")
    if isinstance(response, ObjectType):
        result = next((f.type for f in response.fields if f.wire == "result"), None)
        if result is None:
            raise _Unclear(f"{stem}ResultResponse has no property `result`")
        return result
    name = f"{stem}Result" if f"{stem}Result" in declarations else "EmptyResult"
    if name not in declarations:
        raise _Unclear(f"there is no {stem}Result, and no EmptyResult to stand for it")
    result = Reference(name)
    if "CreateTaskResult" in declarations and _takes_task(params, declarations):
        return joined([result, Reference("CreateTaskResult")])
    return result


def _takes_task(params: Type | None, declarations: Mapping[str, Declaration]) -> bool:
    """Whether a request may ask to be run as a task, which is answered with the task."""
    match params:
        case Reference(name):
            declaration = declarations[name]
            if isinstance(declaration, ObjectType):
                return any(f.wire == "task" and f.type == Reference("TaskMetadata") for f in declaration.fields)
            return _takes_task(declaration.type, declarations)
        case Union(members):
            return any(_takes_task(member, declarations) for member in members)
        case _:
            return False
