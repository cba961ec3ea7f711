"""What a schema says of ids, batches and unknown methods, as the generator finds it."""

from dataclasses import replace

from wiregen import ir
from wiregen.emit.envelope import Envelope, find

ANY, STRING, INTEGER, NULL = ir.AnyValue(), ir.String(), ir.Integer(), ir.Null()
WAVE = ir.Method("wave", "request", "client", ir.Reference("WaveParams"), None)
NOTHING = Envelope(
    ids=("integer", "string"),
    error_ids=("integer", "null", "string"),
    request_params=ANY,
    notification_params=ANY,
    result=ANY,
    needs_params=(),
    batch=False,
)
"""What JSON-RPC says by itself."""


def message(name: str, *fields: ir.Field) -> ir.ObjectType:
    return ir.ObjectType(name, fields)


def field(wire: str, type_: ir.Type, *, required: bool = True, nullable: bool = False) -> ir.Field:
    return ir.Field(wire, wire, type_, required, nullable=nullable)


def union(*members: ir.Type) -> ir.Union:
    return ir.Union(members, rest=tuple(range(len(members))))


def alias(name: str, *members: ir.Type) -> ir.Alias:
    return ir.Alias(name, union(*members))


def found(*declarations: ir.Declaration) -> Envelope:
    held = {"WaveParams": message("WaveParams"), **{declaration.name: declaration for declaration in declarations}}
    return find(ir.Protocol("acp", "v1", 1, tuple(held), held, (WAVE,)))


def test_a_schema_without_messages_leaves_it_to_json_rpc() -> None:
    assert found() == NOTHING


def test_messages_of_each_side() -> None:
    any_value = ir.Alias("Ext", ANY)
    assert found(
        any_value,
        alias("RequestId", NULL, INTEGER, STRING),
        message(
            "ClientRequest",
            field("id", ir.Reference("RequestId")),
            field("method", STRING),
            field("params", union(ir.Reference("WaveParams"), ir.Reference("Ext")), required=False, nullable=True),
        ),
        alias("ClientResponse", ir.Reference("ClientResult"), ir.Reference("ClientError")),
        message("ClientResult", field("id", INTEGER), field("result", ir.Reference("Ext"))),
        message("ClientError", field("id", union(INTEGER, STRING), nullable=True), field("error", ANY)),
        message("ClientNotification", field("method", STRING), field("params", ir.Map(ANY))),
    ) == replace(NOTHING, ids=("integer", "null", "string"), notification_params=ir.Map(ANY))


def test_one_union_of_all_messages() -> None:
    params = ir.Map(ANY)
    assert found(
        alias(
            "JSONRPCMessage",
            ir.Reference("JSONRPCRequest"),
            ir.Reference("JSONRPCNotification"),
            ir.Array(ir.Reference("JSONRPCRequest")),
            union(ir.Reference("JSONRPCError"), ir.Reference("JSONRPCResponse")),
        ),
        message("ClientRequest", field("id", NULL), field("method", STRING)),
        message("JSONRPCRequest", field("id", STRING), field("method", STRING), field("params", params, nullable=True)),
        message("JSONRPCNotification", field("method", STRING)),
        message("JSONRPCError", field("id", ir.Number(), required=False), field("error", ANY)),
        message("JSONRPCResponse", field("id", STRING), field("result", ir.Reference("WaveParams"))),
    ) == Envelope(
        ids=("string",),
        error_ids=("absent", "integer"),
        request_params=union(params, NULL),
        notification_params=ANY,
        result=ir.Reference("WaveParams"),
        needs_params=(),
        batch=True,
    )


def test_params_that_a_message_requires_although_they_may_be_empty() -> None:
    wave = ir.Enumeration(("wave",))
    needed = message("WaveRequest", field("method", wave), field("params", ir.Reference("WaveParams")))
    assert found(needed).needs_params == ("wave",)
    full = message("WaveParams", field("hand", STRING))
    assert found(needed, full).needs_params == ()
    optional = replace(needed, fields=(needed.fields[0], replace(needed.fields[1], required=False)))
    assert found(optional).needs_params == ()


def test_a_union_of_itself_is_taken_apart_once() -> None:
    loop = alias("Loop", ir.Reference("Loop"), STRING)
    request = message(
        "ClientRequest", field("id", ir.Reference("Loop")), field("method", STRING), field("params", union(loop.type))
    )
    assert found(loop, alias("ClientResponse", ir.Reference("ClientResponse")), request).ids == ("string",)
