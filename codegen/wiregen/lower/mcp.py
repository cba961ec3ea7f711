"""The Model Context Protocol's dialect: what a TypeScript exporter writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from wiregen.ir import Declaration, Enumeration, Field, Method, ObjectType, Reference, String, Type, Union
from wiregen.load import Document
from wiregen.lower.schema import Lowering, pure_reference
from wiregen.lower.simplify import joined
from wiregen.lower.unions import Unions, decide_all

_SENDERS = ("client", "server")
_INPUT_REQUIRED = "InputRequiredResult"
_RESULT_TYPE = "resultType"


def lower(document: Document) -> tuple[dict[str, Declaration], tuple[Method, ...]]:
    """Declarations and methods of an MCP schema."""
    declarations = Lowering(document, lambda schema: {}).run()
    declarations = {name: _with_result_type(declaration) for name, declaration in declarations.items()}
    methods = _methods(document, declarations)
    decided = decide_all(declarations, _input_required)
    unions = Unions(declarations)
    return decided, tuple(replace(m, result=_decided(m.result, unions)) for m in methods)


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


def _methods(document: Document, declarations: Mapping[str, Declaration]) -> tuple[Method, ...]:
    methods = []
    for sender in _SENDERS:
        for kind in ("request", "notification"):
            for name in _members(document, f"{sender.capitalize()}{kind.capitalize()}"):
                methods.append(_method(name, kind, sender, declarations))  # type: ignore[arg-type]
    return tuple(method for method in methods if method is not None)


def _members(document: Document, union: str) -> list[str]:
    """The messages that a union of them names; where there is only one, the union may be that message itself."""
    schema = document.definitions.get(union, {})
    if "properties" in schema:
        return [union]
    names = [pure_reference(member) for member in schema.get("anyOf", [schema])]
    return [name for name in names if name is not None]


def _method(
    name: str, kind: Literal["request", "notification"], sender: str, declarations: Mapping[str, Declaration]
) -> Method | None:
    message = declarations[name]
    fields = {f.wire: f for f in message.fields} if isinstance(message, ObjectType) else {}
    method = fields.get("method")
    if method is None or not isinstance(method.type, Enumeration):
        return None
    params = fields["params"].type if "params" in fields else None
    result = _result(name.removesuffix("Request"), params, declarations) if kind == "request" else None
    return Method(str(method.type.values[0]), kind, sender, params, result)


def _result(stem: str, params: Type | None, declarations: Mapping[str, Declaration]) -> Type:
    """The result of a request: what its response definition says, else the result of its name, else an empty one."""
    response = declarations.get(f"{stem}ResultResponse")
    if isinstance(response, ObjectType):
        return next(f.type for f in response.fields if f.wire == "result")
    result = Reference(f"{stem}Result" if f"{stem}Result" in declarations else "EmptyResult")
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
