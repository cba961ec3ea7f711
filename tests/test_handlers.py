"""Handlers and callers: what is generated for every method, and what a handler declares."""

import inspect
import json
import subprocess
import sys
import typing
from collections.abc import Coroutine, Iterator
from types import ModuleType, UnionType
from typing import Annotated, TypeVar, Union, cast, get_args, get_origin

import pytest
from wiretypes import VERSIONS, Method, encode, load
from wiretypes.acp import v1, v2
from wiretypes.caller import Caller
from wiretypes.capability_rules import Need
from wiretypes.mcp import v2024_11_05, v2025_11_25, v2026_07_28
from wiretypes.model import Model
from wiretypes.rpc_errors import MethodNotFound
from wiretypes.served_versions import AnyHandler

from wiregen import names

H = TypeVar("H", bound=AnyHandler)
M = TypeVar("M", bound=Model)
T = TypeVar("T")

SIDES = {"acp": ("client", "agent"), "mcp": ("client", "server")}
ALL = [(protocol, version) for protocol, versions in VERSIONS.items() for version in versions]


def sent(protocol: str, version: str) -> Iterator[tuple[str, Method]]:
    """Every message, with the side that gets it."""
    for method in load(protocol, version).METHODS.values():
        yield next(side for side in SIDES[protocol] if side != method.sender), method


EVERY = [
    pytest.param(protocol, version, side, method, id=f"{protocol}-{version}-{side}-{method.name}")
    for protocol, version in ALL
    for side, method in sent(protocol, version)
]


def handler_class(protocol: str, version: str, side: str) -> type[AnyHandler]:
    found: type[AnyHandler] = getattr(load(protocol, version), f"{side.capitalize()}Handler")
    return found


def caller_class(protocol: str, version: str, side: str) -> type[Caller]:
    found: type[Caller] = getattr(load(protocol, version), f"{side.capitalize()}Caller")
    return found


def members(annotation: object) -> frozenset[object]:
    """What an annotation allows: the members of a union, or the type itself."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    is_union = get_origin(annotation) in (Union, UnionType)
    return frozenset(get_args(annotation)) if is_union else frozenset([annotation])


# --- what is generated -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("protocol", "version", "side", "method"), EVERY)
def test_every_method_is_handled(protocol: str, version: str, side: str, method: Method) -> None:
    handle = getattr(handler_class(protocol, version, side), names.method_name(method.name))
    hints = typing.get_type_hints(handle, include_extras=True)
    assert inspect.iscoroutinefunction(handle)
    assert list(inspect.signature(handle).parameters) == ["self", "params"]
    assert members(hints["params"]) == members(method.params)
    assert members(hints["return"]) == members(type(None) if method.result is None else method.result)
    assert f"`{method.name}`" in handle.__doc__
    assert "Specification: https://" in " ".join(handle.__doc__.split())


@pytest.mark.parametrize(("protocol", "version", "side", "method"), EVERY)
def test_every_method_can_be_called(protocol: str, version: str, side: str, method: Method) -> None:
    call = getattr(caller_class(protocol, version, side), names.method_name(method.name))
    hints = typing.get_type_hints(call, include_extras=True)
    assert inspect.iscoroutinefunction(call)
    parameters = inspect.signature(call).parameters
    assert members(hints["params"]) - {type(None)} == members(method.params)
    assert members(hints["return"]) == members(type(None) if method.result is None else method.result)
    assert (parameters["params"].default is None) == can_be_left_out(method.params)
    reports = ("notifications/progress", side) in load(protocol, version).METHODS
    assert ("on_progress" in parameters) == (reports and method.kind == "request")
    assert call.__doc__ == getattr(handler_class(protocol, version, side), call.__name__).__doc__


def can_be_left_out(params: object) -> bool:
    """Whether params can be made of nothing."""
    if not inspect.isclass(params):
        return False
    try:
        params()
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(("protocol", "version"), ALL)
def test_nothing_else_is_handled(protocol: str, version: str) -> None:
    for side in SIDES[protocol]:
        handler = handler_class(protocol, version, side)
        received = {method.name for receiver, method in sent(protocol, version) if receiver == side}
        embedded = {name for name, _ in handler.role.embedded}
        assert handler.role.methods.keys() == received | embedded
        assert embedded.isdisjoint(received)


def test_requests_inside_results_are_handled_too() -> None:
    client = v2026_07_28.ClientHandler
    assert {name for name, _ in client.role.embedded} == {"elicitation/create", "sampling/createMessage", "roots/list"}
    hints = typing.get_type_hints(client.elicitation_create)
    assert hints["params"] is v2026_07_28.ElicitRequestParams
    assert hints["return"] is v2026_07_28.ElicitResult


def test_names_that_handlers_and_callers_need_themselves() -> None:
    own = {
        name
        for cls in (v1.AgentHandler, v2025_11_25.ServerHandler, v1.ClientCaller, v2025_11_25.ServerCaller)
        for base in cls.__mro__[1:]
        for name in {**vars(base), **inspect.get_annotations(base)}
        if not name.startswith("_")
    }
    assert own == names.DISPATCH_ATTRIBUTES


@pytest.mark.parametrize("module", [v2, v2025_11_25], ids=lambda module: str(module.VERSION))
def test_version_modules_load_them_when_they_are_used(module: ModuleType) -> None:
    program = (
        "import importlib, sys\n"
        f"module = importlib.import_module({module.__name__!r})\n"
        "before = set(sys.modules)\n"
        "assert 'asyncio' not in before, 'asyncio'\n"
        "assert not {n for n in before if n.endswith(('.handlers', '.callers', '.rules', '.connection'))}\n"
        "module.ClientHandler, module.ClientCaller\n"
        "assert module.__name__ + '.handlers' in sys.modules\n"
        "assert 'asyncio' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)})


@pytest.mark.parametrize("module", [v2, v2025_11_25], ids=lambda module: str(module.VERSION))
def test_version_modules_have_nothing_else(module: ModuleType) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchHandler'"):
        _ = module.NoSuchHandler


# --- what a handler does that overrides nothing ----------------------------------------------------------------------


def run_alone(coroutine: Coroutine[object, None, T]) -> T:
    """What a coroutine returns that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    raise AssertionError("it waits")


@pytest.mark.parametrize(("protocol", "version", "side", "method"), EVERY)
def test_what_is_not_overridden(protocol: str, version: str, side: str, method: Method) -> None:
    handler = handler_class(protocol, version, side)()
    handle = getattr(handler, names.method_name(method.name))
    if method.kind == "notification":
        assert run_alone(handle(None)) is None
    elif method.name == "ping":
        assert encode(run_alone(handle(None))) == b"{}"
    elif method.name not in ("initialize", "server/discover"):
        with pytest.raises(MethodNotFound) as caught:
            run_alone(handle(None))
        assert (caught.value.code, caught.value.message) == (-32601, f"Method not found: {method.name}")


def test_extensions_are_not_found_and_ignored() -> None:
    handler = v2.AgentHandler()
    with pytest.raises(MethodNotFound, match="_vendor/x"):
        run_alone(handler.extension_request("_vendor/x", {}))
    assert run_alone(handler.extension_notification("_vendor/x", {})) is None


def test_before_a_connection_there_is_nothing_to_call() -> None:
    handler = v2.AgentHandler()
    with pytest.raises(RuntimeError, match="not settled"):
        _ = handler.negotiated
    assert not hasattr(handler, "peer")


# --- what it declares ------------------------------------------------------------------------------------------------


def handler_of(base: type[H], *overridden: str, **attributes: object) -> H:
    """An instance of a handler class that overrides some methods, and has some attributes."""

    async def handle(self: H, params: object) -> None: ...

    module = sys.modules[base.__module__.rpartition(".")[0]]
    info = module.Implementation(name="x", version="1")
    body = {base.role.methods[name]: handle for name in overridden}
    return cast("type[H]", type("Made", (base,), {"info": info, **body, **attributes}))()


def declared(handler: AnyHandler, type_: type[M]) -> M:
    """What a handler declares that serves no connection yet, in its own version."""
    role = handler.role
    message = handler.declared_in(role.rules, role.protocol.held[role.version][1], role.message)
    assert isinstance(message, type_)
    return message


def features(handler: AnyHandler) -> frozenset[str]:
    """The features that a peer reads out of what a handler declares."""
    peers = sys.modules[f"wiretypes.{handler.role.protocol.name}.peers"]
    peer = getattr(peers, f"{handler.role.side.capitalize()}Peer")
    message = declared(handler, Model)
    declaration = handler.role.rules.sides[handler.role.side].declaration
    assert declaration is not None
    method = declaration.method
    read = peer.from_initialize if method == "initialize" else getattr(peer, "from_request", None) or peer.from_discover
    found: frozenset[str] = read(message, version=handler.role.version).features
    return found


def gates() -> Iterator[tuple[str, tuple[str, str, str, str, Need]]]:
    """Messages that need something of the side that gets them."""
    for protocol, version in ALL:
        for side in SIDES[protocol]:
            role = handler_class(protocol, version, side).role
            for (method, sender), rules in role.rules.messages.items():
                need = rules.need
                if sender != side and need is not None and need.side == side and method in role.methods:
                    yield f"{version}-{side}-{method}", (protocol, version, side, method, need)


GATES = dict(gates())


@pytest.mark.parametrize(("protocol", "version", "side", "method", "need"), GATES.values(), ids=GATES)
def test_what_is_implemented_is_declared(protocol: str, version: str, side: str, method: str, need: Need) -> None:
    base = handler_class(protocol, version, side)
    handler = handler_of(base, method)
    feature = need.features[0]
    way = base.role.rules.sides[side].ways.get(feature)
    by_person = len(need.features) > 1 or (way is not None and way.path == "authMethods")
    assert (feature in features(handler)) != by_person
    reverse = [text for text in handler.problems() if text.startswith(f"`{method}` is implemented")]
    assert bool(reverse) == by_person


@pytest.mark.parametrize(("protocol", "version"), ALL)
def test_what_implements_nothing_declares_nothing(protocol: str, version: str) -> None:
    for side in SIDES[protocol]:
        handler = handler_of(handler_class(protocol, version, side))
        assert features(handler) == handler.role.rules.sides[side].baseline


@pytest.mark.parametrize(("protocol", "version"), ALL)
def test_a_person_can_declare_every_feature_that_has_a_marker(protocol: str, version: str) -> None:
    for side in SIDES[protocol]:
        base = handler_class(protocol, version, side)
        rules = base.role.rules.sides[side]
        for feature, way in rules.ways.items():
            if way.path != "authMethods":
                found = features(handler_of(base, features=(feature,)))
                assert feature in found
                assert set(rules.requires.get(feature, ())) <= found


def test_what_is_declared_is_written_as_the_version_does() -> None:
    prompts = ("prompt.image", "prompt.embedded_context")
    old = handler_of(v1.AgentHandler, "session/list", "session/load", features=prompts)
    assert encode(declared(old, v1.InitializeResponse).agent_capabilities) == (
        b'{"loadSession":true,"promptCapabilities":{"image":true,"embeddedContext":true},"sessionCapabilities":{"list":{}}}'
    )
    new = handler_of(v2.AgentHandler, "session/list", features=prompts)
    assert (
        encode(declared(new, v2.InitializeResponse).capabilities)
        == b'{"session":{"prompt":{"image":{},"embeddedContext":{}}}}'
    )
    server = handler_of(v2025_11_25.ServerHandler, "tools/list", features=("tools.list_changed",))
    assert encode(declared(server, v2025_11_25.InitializeResult).capabilities) == b'{"tools":{"listChanged":true}}'
    client = handler_of(v2025_11_25.ClientHandler, "elicitation/create")
    assert encode(declared(client, v2025_11_25.InitializeRequestParams).capabilities) == b'{"elicitation":{}}'


def test_a_server_without_a_handshake_says_who_it_is_beside_its_result() -> None:
    discovered = declared(handler_of(v2026_07_28.ServerHandler, "tools/call"), v2026_07_28.DiscoverResult)
    assert encode(discovered) == (
        b'{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}},"cacheScope":"private",'
        b'"capabilities":{"tools":{}},"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0}'
    )


def test_ways_to_sign_in_are_declared() -> None:
    method = v2.AgentAuthMethod(method_id="login", name="Log in")
    handler = handler_of(v2.AgentHandler, "auth/login", auth_methods=[method])
    assert declared(handler, v2.InitializeResponse).auth_methods == [method]
    assert "auth.login" in features(handler)


def test_an_overridden_attribute_of_an_instance_counts() -> None:
    async def prompt(params: v2.PromptRequest) -> v2.PromptResponse:
        raise AssertionError(params)

    handler = handler_of(v2.AgentHandler)
    handler.session_prompt = prompt  # type: ignore[method-assign]  # which is what counts here
    assert "session" in features(handler)


def test_mixins_and_subclasses_count() -> None:
    class Mixin:
        async def tools_list(self, params: v2025_11_25.PaginatedRequestParams) -> v2025_11_25.ListToolsResult:
            raise AssertionError

    class Server(Mixin, v2025_11_25.ServerHandler):
        info = v2025_11_25.Implementation(name="x", version="1")

    class Special(Server): ...

    assert features(Special()) == {"tools"}


@pytest.mark.parametrize(
    ("methods", "features", "modes"),
    [
        (("elicitation/create",), (), {}),
        (("elicitation/create", "notifications/elicitation/complete"), (), {"form": {}, "url": {}}),
        (("notifications/elicitation/complete",), (), {"url": {}}),
        (("elicitation/create",), ("elicitation.url",), {"url": {}}),
        (("elicitation/create", "notifications/elicitation/complete"), ("elicitation.url",), {"url": {}}),
        (("elicitation/create",), ("elicitation.form", "elicitation.url"), {"form": {}, "url": {}}),
    ],
)
def test_what_one_method_declares_takes_nothing_away(
    methods: tuple[str, ...], features: tuple[str, ...], modes: dict[str, object]
) -> None:
    handler = handler_of(v2025_11_25.ClientHandler, *methods, features=features)
    found = declared(handler, v2025_11_25.InitializeRequestParams).capabilities.elicitation
    assert json.loads(encode(found)) == modes


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(ValueError, match=r"Made.features: there is no 'prompt.imag'; the nearest are 'prompt.image'"):
        declared(handler_of(v2.AgentHandler, features=("prompt.imag",)), Model)
    unnamed = handler_of(v2.AgentHandler, info=None)
    with pytest.raises(ValueError, match=r"Made\.info is not set: ACP v2 wants it"):
        declared(unnamed, Model)
    assert unnamed.problems() == ("Made.info is not set: ACP v2 wants it",)
    assert handler_of(v1.AgentHandler, "session/new", "session/prompt", "session/cancel", info=None).problems() == ()


def test_problems() -> None:
    handler = handler_of(v1.ClientHandler, "terminal/create", features=("elicitation.url", "auth.terminal"))
    assert handler.problems() == (
        "`terminal` is declared, and `terminal/output` is not implemented",
        "`terminal` is declared, and `terminal/release` is not implemented",
        "`terminal` is declared, and `terminal/wait_for_exit` is not implemented",
        "`terminal` is declared, and `terminal/kill` is not implemented",
        "`elicitation.url` is declared, and `elicitation/create` is not implemented",
        "`elicitation.url` is declared, and `elicitation/complete` is not implemented",
    )
    assert handler_of(v1.ClientHandler, "elicitation/create").problems() == (
        "`elicitation/create` is implemented, and what it needs is not declared:"
        " `clientCapabilities.elicitation.form: {}` or `clientCapabilities.elicitation.url: {}`",
    )
    assert handler_of(v2024_11_05.ServerHandler, features=("completions", "tasks")).problems() == (
        "`tasks` is not declared in MCP 2024-11-05 by naming it",
    )
    assert handler_of(v2.AgentHandler, "auth/login").problems() == (
        "`auth/login` is implemented, and what it needs is not declared: a non-empty `authMethods`",
    )
