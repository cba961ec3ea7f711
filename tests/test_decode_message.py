"""`decode_message` of every version: what it reads and what it keeps."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Literal, NamedTuple, assert_type

import pytest
import wiretypes
from fidelity.cases import Case, Judge
from fidelity.instances import FULL, MINIMAL, Maker, Recipe
from fidelity.json_values import JSON, same
from fidelity.mutations import Mutator
from fidelity.oracle import oracle
from fidelity.schema_methods import SENDERS, SchemaMethod, schema_methods
from message_cases import DIFFERENT, different_versions, every_version, fault, line
from test_reports import report
from wiretypes import VersionModule, encode, jsonrpc, message_decoder
from wiretypes.acp import v1, v2
from wiretypes.jsonrpc import UNSET, Error, ErrorResponse, Message, Notification, Request, Result
from wiretypes.mcp import v2024_11_05, v2025_03_26, v2025_11_25, v2026_07_28

# --- every method ----------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """Params or a result of a method, with what the schema says of it."""

    method: SchemaMethod
    case: Case


def parts(protocol: str, version: str, member: Literal["params", "result"]) -> Iterator[Part]:
    """Instances for every method that has such a member, and what mutations make of them."""
    judge, maker = Judge.of(oracle(protocol, version)), Maker(oracle(protocol, version))
    mutator = Mutator(oracle(protocol, version))
    for key, method in schema_methods(oracle(protocol, version)).items():
        pointer: str | None = getattr(method, member)
        if pointer is None:
            continue
        for recipe in (MINIMAL, FULL, Recipe(unknown=0.8)):
            value = maker.make(pointer, recipe, f"{version} {key} {member}").value
            for given_value in (value, mutator.mutate(value, Random(f"{version} {key}"))):
                yield Part(method, judge.case(pointer, given_value))


def call(method: SchemaMethod, id_: int, **members: JSON) -> dict[str, JSON]:
    """A message that calls a method."""
    message: dict[str, JSON] = {"jsonrpc": "2.0", "method": method.name, **members}
    return {**message, "id": id_} if method.kind == "request" else message


@every_version
def test_calls_of_every_method(protocol: str, version: str) -> None:
    module = wiretypes.load(protocol, version)
    for id_, part in enumerate(parts(protocol, version, "params")):
        if part.case.value is None:
            continue  # in ACP as good as none
        sent = call(part.method, id_, params=part.case.value)
        text = json.dumps(sent).encode()
        if part.case.refused:
            code, pointer = fault(module, text, part.method.sender)
            assert code == jsonrpc.INVALID_PARAMS
            assert leads_into(sent, pointer, "/params"), (pointer, sent)
            continue
        read = module.decode_message(text, sender=part.method.sender)
        type_ = module.METHODS[part.method.name, part.method.sender].params
        params = wiretypes.decode(type_, part.case.value)
        if part.method.kind == "request":
            assert read == Request(id_, part.method.name, params)
        else:
            assert read == Notification(part.method.name, params)
        assert same(json.loads(encode(read)), call(part.method, id_, params=part.case.expected))
        assert module.decode_message(sent, sender=part.method.sender) == read


@every_version
def test_results_of_every_request(protocol: str, version: str) -> None:
    module = wiretypes.load(protocol, version)
    for id_, part in enumerate(parts(protocol, version, "result")):
        sender = other(protocol, part.method.sender)
        sent: dict[str, JSON] = {"jsonrpc": "2.0", "id": id_, "result": part.case.value}
        type_ = module.METHODS[part.method.name, part.method.sender].result
        results = {id_: part.method.name}
        try:
            result = wiretypes.decode(type_, part.case.value)
        except ValueError:
            assert part.case.refused
            code, pointer = fault(module, json.dumps(sent), sender, results=results)
            assert code == jsonrpc.INVALID_REQUEST
            assert leads_into(sent, pointer, "/result"), (pointer, sent)
            continue
        read = module.decode_message(json.dumps(sent), sender=sender, results=results)
        assert read == Result(id_, result)
        assert same(json.loads(encode(read)), {**sent, "result": json.loads(encode(result))})
        assert module.decode_message(sent, sender=sender, results=results) == read


@every_version
def test_ordinary_messages_are_read_in_one_step(protocol: str, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, maker = wiretypes.load(protocol, version), Maker(oracle(protocol, version))
    for name, method in schema_methods(oracle(protocol, version)).items():
        assert method.params
        sent = call(method, 1, params=maker.make(method.params, FULL, f"{name}").value)
        module.decode_message(json.dumps(sent).encode(), sender=method.sender)
        with monkeypatch.context() as patched:
            patched.setattr(message_decoder, "finite", pytest.fail)
            module.decode_message(json.dumps(sent).encode(), sender=method.sender)
            if method.result:
                answer = {"jsonrpc": "2.0", "id": 1, "result": maker.make(method.result, FULL, f"{name}").value}
                sender = other(protocol, method.sender)
                module.decode_message(json.dumps(answer).encode(), sender=sender, results={1: method.name})


@every_version
def test_errors_of_every_side(protocol: str, version: str) -> None:
    module = wiretypes.load(protocol, version)
    for sender in SENDERS[protocol]:
        for error in (
            {"code": -32603, "message": "m"},
            {"code": 2**63, "message": "", "data": {"a": [1.5, None]}, "more": True},
            {"code": 1.0, "message": "m", "data": "d"},
        ):
            sent = {"jsonrpc": "2.0", "id": "a", "error": error}
            read = module.decode_message(json.dumps(sent).encode(), sender=sender)
            assert isinstance(read, ErrorResponse)
            assert (read.error.code, read.error.data) == (error["code"], error.get("data", UNSET))
            assert type(read.error.code) is int
            assert same(json.loads(encode(read)), json.loads(json.dumps(sent)))


@every_version
def test_params_are_left_out_where_the_schema_lets_them(protocol: str, version: str) -> None:
    module = wiretypes.load(protocol, version)
    judge = oracle(protocol, version)
    left_out = 0
    for (name, sender), method in schema_methods(judge).items():
        sent = call(method, 1)
        optional = method.params is not None and judge.accepts(method.params, {})
        if protocol == "mcp" and method.params is not None:
            definition = method.params.split("/")[2]
            optional = "params" not in judge.definitions[definition]["required"]
        for _ in range(2):
            if not optional:
                assert fault(module, json.dumps(sent).encode(), sender) == (jsonrpc.INVALID_PARAMS, "/params"), name
                continue
            left_out += 1
            read = module.decode_message(json.dumps(sent).encode(), sender=sender)
            assert read == (Request(1, name) if method.kind == "request" else Notification(name))
            assert same(json.loads(encode(read)), sent)
    assert left_out or version == "2026-07-28"


def leads_into(message: JSON, pointer: str, start: str) -> bool:
    """Whether a pointer leads to a place in a message, or to where a field is missing, and begins like another."""
    value: Any = message
    *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    for step in steps:
        value = value[int(step) if isinstance(value, list) else step]
    return pointer.startswith(start) and (isinstance(value, dict) or int(last) < len(value))


def other(protocol: str, sender: str) -> str:
    one, two = SENDERS[protocol]
    return two if sender == one else one


def test_type_checkers_know_what_is_read() -> None:
    assert_type(v2.decode_message(line(method="x"), sender="agent"), Request | Notification | Result | ErrorResponse)
    assert_type(v2025_03_26.decode_message(b"[]", sender="server"), Message | list[Message])
    modules: list[VersionModule] = [v1, v2, v2024_11_05, v2025_03_26]
    for module in modules:
        assert_type(module.decode_message(line(method="x"), sender="client"), Message | list[Message])
    pending: dict[int, str] = {}
    v2.decode_message(line(method="x"), sender="client", results=pending)
    v2.decode_message(line(method="x"), sender="client", results=pending.get)
    with pytest.raises(ValueError, match="agent or client"):
        v2.decode_message(line(method="x"), sender="server")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


# --- params ----------------------------------------------------------------------------------------------------------


@different_versions
@pytest.mark.parametrize("params", [[], [1], "a", 1, True])
def test_params_of_a_known_method_are_an_object(module: VersionModule, params: JSON) -> None:
    for name, sender in module.METHODS:
        sent = line(id=1, method=name, params=params)
        if module.METHODS[name, sender].kind == "notification":
            sent = line(method=name, params=params)
        assert fault(module, sent, sender) == (jsonrpc.INVALID_PARAMS, "/params")


@pytest.mark.parametrize("module", [v1, v2], ids=["v1", "v2"])
def test_null_params_are_as_good_as_none_in_acp(module: VersionModule) -> None:
    sent = line(id=1, method="session/list", params=None)
    for _ in range(2):
        read = module.decode_message(sent, sender="client")
        assert read == Request(1, "session/list", None)
        assert json.loads(encode(read)) == json.loads(sent)
        sent_prompt = line(id=1, method="session/prompt", params=None)
        assert fault(module, sent_prompt) == (jsonrpc.INVALID_PARAMS, "/params")


@pytest.mark.parametrize("method", ["ping", "x/y"])
@pytest.mark.parametrize("params", [None, [], "a", 1])
def test_params_are_an_object_in_mcp(method: str, params: JSON) -> None:
    for module in DIFFERENT:
        if module.PROTOCOL == "mcp":
            assert fault(module, line(id=1, method=method, params=params)) == (jsonrpc.INVALID_PARAMS, "/params")


def test_a_notification_without_params_where_its_message_requires_them() -> None:
    assert fault(v2025_11_25, line(method="notifications/cancelled")) == (jsonrpc.INVALID_PARAMS, "/params")
    read = v2025_11_25.decode_message(line(method="notifications/cancelled", params={}), sender="client")
    assert isinstance(read, Notification)


# --- what is not known -----------------------------------------------------------------------------------------------


@different_versions
@pytest.mark.parametrize("params", [{}, {"a": [1, 2.5, None, {"b": "c"}], "": 2**64}])
def test_unknown_methods_keep_parsed_json(module: VersionModule, params: JSON) -> None:
    for sent, expected in (
        (line(id=1, method="_vendor/x", params=params), Request(1, "_vendor/x", params)),
        (line(method="_vendor/x", params=params), Notification("_vendor/x", params)),
        (line(id=1, method="2.0"), Request(1, "2.0")),
        (line(method=""), Notification("")),
    ):
        read = module.decode_message(sent, sender="client")
        assert read == expected
        assert same(json.loads(encode(read)), json.loads(sent))


def test_a_method_of_the_other_side_or_kind_is_unknown() -> None:
    update = {"sessionId": 5}
    assert v2.decode_message(line(method="session/update", params=update), sender="client") == Notification(
        "session/update", update
    )
    assert v2.decode_message(line(id=1, method="session/update", params=update), sender="agent") == Request(
        1, "session/update", update
    )
    assert v2.decode_message(line(method="session/prompt", params=update), sender="client") == Notification(
        "session/prompt", update
    )
    assert fault(v2, line(method="session/update", params=update), "agent") == (-32602, "/params/sessionId")


def test_a_method_of_a_newer_version_is_unknown() -> None:
    sent = line(id=1, method="elicitation/create", params={"message": 5})
    assert v2024_11_05.decode_message(sent, sender="server") == Request(1, "elicitation/create", {"message": 5})
    assert fault(v2025_11_25, sent, "server")[0] == jsonrpc.INVALID_PARAMS


def test_unknown_members_come_back() -> None:
    for sent in (
        line(id=1, method="session/list", params={}, _trace="t", extra={"a": 1}, result=3),
        line(method="session/cancel", params={"sessionId": "s"}, extra=None, error=1),
        line(id=1, result={}, params=[1]),
        line(id=1, error={"code": 1, "message": "m", "trace": [1]}, more=True),
    ):
        read = v2.decode_message(sent, sender="client", results={1: "session/close"})
        assert read.extra
        assert same(json.loads(encode(read)), json.loads(sent))


# --- results ---------------------------------------------------------------------------------------------------------

CLOSED = line(id=3, result={"_meta": None})


def test_the_method_of_a_result_is_looked_up_by_its_id() -> None:
    asked: list[object] = []

    def method(id_: object) -> str | None:
        asked.append(id_)
        return "session/close"

    for results in (method, {3: "session/close"}, {3.0: "session/close"}.get):
        for data in (CLOSED, CLOSED.decode(), json.loads(CLOSED), CLOSED.replace(b"3", b"3.0")):
            read = v2.decode_message(data, sender="agent", results=results)
            assert isinstance(read, Result)
            assert isinstance(read.result, v2.CloseSessionResponse)
    assert asked == [3, 3, 3, 3]
    assert {type(id_) for id_ in asked} == {int}
    assert fault(v2, line(id=3, result=[]), "agent", results=method) == (jsonrpc.INVALID_REQUEST, "/result")
    assert len(asked) == 5


@pytest.mark.parametrize("results", [None, {}, {3: None}, {3: "x/y"}, {3: "session/update"}, {"3": "session/close"}])
def test_a_result_whose_method_is_not_known_keeps_parsed_json(results: Any) -> None:
    for data in (CLOSED, json.loads(CLOSED)):
        assert v2.decode_message(data, sender="agent", results=results) == Result(3, {"_meta": None})
    assert v2.decode_message(line(id=3, result=None), sender="agent", results=results) == Result(3, None)


def test_a_result_in_mcp_is_an_object() -> None:
    assert fault(v2025_11_25, line(id=1, result=None), "server") == (jsonrpc.INVALID_REQUEST, "/result")
    assert fault(v2025_11_25, line(id=1, result={"_meta": 1})) == (jsonrpc.INVALID_REQUEST, "/result/_meta")
    assert fault(v2026_07_28, line(id=1, result={})) == (jsonrpc.INVALID_REQUEST, "/result/resultType")
    read = v2026_07_28.decode_message(line(id=1, result={"resultType": "x", "a": 1}), sender="server")
    assert read == Result(1, {"resultType": "x", "a": 1})


def test_the_data_of_an_error_is_json_that_decodes() -> None:
    error = {"code": -32022, "message": "m", "data": {"requested": 3, "supported": [1, 2]}}
    match v2.decode_message(line(id=0, error=error), sender="agent"):
        case ErrorResponse(error=Error(code=jsonrpc.UNSUPPORTED_PROTOCOL_VERSION, data=data)):
            assert wiretypes.decode(v2.UnsupportedProtocolVersionErrorData, data).supported == [1, 2]
        case read:
            pytest.fail(repr(read))


# --- batches ---------------------------------------------------------------------------------------------------------


def test_a_batch_is_a_list_of_messages() -> None:
    calls: list[JSON] = [json.loads(line(id=1, method="ping")), json.loads(line(method="x", params={}))]
    answers: list[JSON] = [json.loads(line(id=1, result={})), json.loads(line(id=2, error={"code": 1, "message": "m"}))]
    for batch in (calls, answers, []):
        for data in (json.dumps(batch).encode(), json.dumps(batch), batch):
            read = v2025_03_26.decode_message(data, sender="client", results={1: "ping"})
            assert isinstance(read, list)
            assert json.loads(encode(read)) == batch
    read = v2025_03_26.decode_message(json.dumps(answers), sender="client", results={1: "ping"})
    assert isinstance(read, list)
    assert read[0] == Result(1, v2025_03_26.EmptyResult())


BAD_BATCHES: list[tuple[list[Any], int, str]] = [
    ([{"method": "x"}, 1], jsonrpc.INVALID_REQUEST, "/1"),
    ([[]], jsonrpc.INVALID_REQUEST, "/0"),
    ([{"method": "x"}, {"id": 1, "result": {}}], jsonrpc.INVALID_REQUEST, "/1"),
    ([{"id": 1, "result": {}}, {"id": 1, "result": {}}, {"method": "x"}], jsonrpc.INVALID_REQUEST, "/2"),
    ([{"method": "x"}, {"id": None, "method": "x"}], jsonrpc.INVALID_REQUEST, "/1/id"),
    ([{"id": 1, "method": "tools/call", "params": {"name": 1}}], jsonrpc.INVALID_PARAMS, "/0/params/name"),
    ([{"id": 1, "result": {"_meta": 1}}], jsonrpc.INVALID_REQUEST, "/0/result/_meta"),
]


@pytest.mark.parametrize(("items", "code", "pointer"), BAD_BATCHES)
def test_a_fault_in_a_batch_is_found_from_its_root(items: list[Any], code: int, pointer: str) -> None:
    batch: list[Any] = [{"jsonrpc": "2.0", **item} if isinstance(item, dict) else item for item in items]
    assert fault(v2025_03_26, json.dumps(batch).encode()) == (code, pointer)


@pytest.mark.parametrize("module", [module for module in DIFFERENT if module.VERSION != "2025-03-26"])
def test_no_other_version_has_batches(module: VersionModule) -> None:
    for text in (b"[]", b"[" + line(id=1, method="ping") + b"]"):
        assert fault(module, text) == (jsonrpc.INVALID_REQUEST, "")
    assert "JSONRPCBatchRequest" not in module.TYPES


# --- situations from reports -----------------------------------------------------------------------------------------


@report("01", {"received": {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 2, "agentCapabilities": {}}}})
def test_a_client_sees_the_version_that_the_agent_chose(given: dict[str, Any]) -> None:
    match v1.decode_message(given["received"], sender="agent", results={0: "initialize"}):
        case Result(0, v1.InitializeResponse(protocol_version=chosen)):
            assert chosen == 2
        case read:
            pytest.fail(repr(read))


@report(
    "02",
    {
        "received_variants": [{"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": n}} for n in ("1", True, -1)],
        "accepted_variant": {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1.0}},
    },
)
def test_only_an_integer_is_a_version(given: dict[str, Any]) -> None:
    for received in given["received_variants"]:
        found = fault(v1, json.dumps(received).encode(), "agent", results={0: "initialize"})
        assert found == (jsonrpc.INVALID_REQUEST, "/result/protocolVersion")
    accepted = json.dumps(given["accepted_variant"]).encode()
    read = v1.decode_message(accepted, sender="agent", results={0: "initialize"})
    assert isinstance(read, Result)
    assert isinstance(read.result, v1.InitializeResponse)
    assert read.result.protocol_version == 1


@report("18", {"jsonrpc": "2.0", "id": 2, "result": {"tools": [], "nextCursor": None}})
@pytest.mark.parametrize("module", [v2024_11_05, v2025_03_26, v2025_11_25])
def test_a_null_cursor_is_told_where_it_stands(module: VersionModule, given: dict[str, Any]) -> None:
    found = fault(module, json.dumps(given).encode(), "server", results={2: "tools/list"})
    assert found == (jsonrpc.INVALID_REQUEST, "/result/nextCursor")
    without: dict[str, Any] = {**given, "result": {"tools": []}}
    read = module.decode_message(json.dumps(without), sender="server", results={2: "tools/list"})
    assert json.loads(encode(read)) == without


def test_a_null_cursor_is_one_in_acp() -> None:
    sent = line(id=2, result={"sessions": [], "nextCursor": None})
    read = v2.decode_message(sent, sender="agent", results={2: "session/list"})
    assert json.loads(encode(read)) == json.loads(sent)
