"""The handlers and callers of one version: a class for each side that answers, and one for each side that is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wiregen import names
from wiregen.emit.annotations import Annotations, Imports, places
from wiregen.emit.doc_text import method_text
from wiregen.emit.rule_tables import declaring_type, type_at, version_rules
from wiregen.ir import Array, Field, Method, ObjectType, Protocol, Reference, Type, Union
from wiregen.render import render
from wiregen.rules import SIDES, Declaration, Rules, Side

_PING = "ping"
_OPENINGS = frozenset({"initialize", "server/discover"})
_PROGRESS = "notifications/progress"
_AUTH_METHODS = "authMethods"
_MODULES = ("callers", "models")
_OFFERED = ("ConnectionClosed", "InvalidResult", "Limits", "OutOfOrder", "RpcError", "TooManyCalls")


@dataclass(frozen=True, slots=True)
class PrintedMethod:
    """One method as the templates print it: `params` and `result` are annotations, `doc` is text.

    `answer` says what a handler does that does not override it; with `optional`, a caller may leave the params out.
    """

    wire: str
    name: str
    kind: str
    params: str | None
    optional: bool
    result: str | None
    doc: str
    answer: str
    embedded: bool


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """One side of a version as the templates print it: `methods` are those that it is sent.

    `info` and `auth_methods` are annotations, `progress` is that of the params by which the side reports progress.
    """

    side: Side
    name: str
    other: str
    methods: tuple[PrintedMethod, ...]
    message: str
    info: str
    needs_info: bool
    auth_methods: str | None
    progress: str | None


def public_names(protocol: str) -> dict[str, tuple[str, ...]]:
    """What the module of a version offers of this, by the submodule that it comes from."""
    sides = sorted(side.capitalize() for side in SIDES[protocol])
    return {f".{kind}s": tuple(f"{side}{kind.capitalize()}" for side in sides) for kind in ("caller", "handler")}


def connection_names(protocol: str) -> dict[str, tuple[str, ...]]:
    """What the module of a protocol offers of this, by the module that it comes from."""
    connections = (f"{side.capitalize()}Connection" for side in SIDES[protocol])
    return {".connections": tuple(sorted((*connections, *_OFFERED)))}


def emit_connections(protocols: Sequence[Protocol], title: str) -> dict[str, str]:
    """The module of a protocol's connections, by its path in the output; `protocols` are its versions."""
    name = protocols[0].name
    text = render(
        "connections.py.jinja2",
        protocol=name,
        title=title,
        answering=SIDES[name][1].capitalize(),
        modules=sorted(names.module_name(protocol.version) for protocol in protocols),
        exported=connection_names(name)[".connections"],
    )
    return {f"{name}/connections.py": text}


def emit(protocol: Protocol, rules: Rules, title: str) -> dict[str, str]:
    """The modules of one version, by their name in its folder; `title` is what to call the version."""
    printer = _Printer(protocol, rules, title)
    sides = [printer.side(side) for side in SIDES[protocol.name]]
    return {
        f"{module}.py": render(
            f"{module}.py.jinja2",
            protocol=protocol,
            version_module=names.module_name(protocol.version),
            title=title,
            sides=sides,
            used=printer.used,
            imports=printer.imports.sorted(),
            places=places(depth=3),
            exported=public_names(protocol.name)[f".{module}"],
        )
        for module in ("callers", "handlers")
    }


class _Printer:
    """Prints the sides of one version. Its models are called by way of their module, so that no name can clash."""

    def __init__(self, protocol: Protocol, rules: Rules, title: str) -> None:
        self.protocol = protocol
        self.title = title
        self._messages = (*protocol.methods, *protocol.embedded)
        self._rules = version_rules(rules, protocol)
        self._declarations = [entry for entry in rules.declarations if protocol.version in entry.versions]
        attributes = frozenset(names.method_name(method.name) for method in self._messages)
        self.used = {module: names.hidden(module, attributes) for module in _MODULES}
        self.imports = Imports(frozenset())
        self._known = frozenset(map(self._in_models, protocol.declarations))
        self._annotations = Annotations(self.imports, self._known, attributes)

    def side(self, side: Side) -> PrintedSide:
        """One side."""
        other = next(one for one in SIDES[self.protocol.name] if one != side)
        declaration = next((entry for entry in self._declarations if entry.declared_by == side), None)
        auth_methods = self._field(declaration, _AUTH_METHODS)
        reports = (method.params for method in self._messages if (method.name, method.sender) == (_PROGRESS, side))
        progress = next(reports, None)
        return PrintedSide(
            side=side,
            name=side.capitalize(),
            other=other.capitalize(),
            methods=tuple(self._method(method) for method in self._messages if method.sender == other),
            message=self._message(declaration),
            info=self._info(declaration),
            needs_info=self._needs_info(declaration),
            auth_methods=self._item(auth_methods),
            progress=None if progress is None else self._annotation(progress),
        )

    def _method(self, method: Method) -> PrintedMethod:
        return PrintedMethod(
            wire=method.name,
            name=names.method_name(method.name),
            kind=method.kind,
            params=None if method.params is None else self._annotation(method.params),
            optional=self._can_be_empty(method.params),
            result=None if method.result is None else self._annotation(method.result),
            doc=self._doc(method),
            answer=_answer(method),
            embedded=method in self.protocol.embedded,
        )

    def _can_be_empty(self, params: Type | None) -> bool:
        """Whether params can be made of nothing."""
        target = self._object(params)
        return target is not None and not any(field.required and field.initial is None for field in target.fields)

    # --- types ---

    def _annotation(self, type_: Type) -> str:
        return self._annotations.plain(self._with_module(type_), self._known)

    def _with_module(self, type_: Type) -> Type:
        match type_:
            case Reference(name):
                return Reference(self._in_models(name))
            case Array(item):
                return Array(self._with_module(item))
            case Union(members):
                return Union(tuple(map(self._with_module, members)), rest=type_.rest)
            case _:
                return type_

    def _in_models(self, name: str) -> str:
        return f"{self.used['models']}.{name}"

    def _object(self, type_: Type | None) -> ObjectType | None:
        name = type_at(self.protocol, type_, ())
        target = None if name is None else self.protocol.declarations[name]
        return target if isinstance(target, ObjectType) else None

    # --- what a side declares ---

    def _field(self, declaration: Declaration | None, wire: str) -> Field | None:
        """A field of the message in which a side declares what it is."""
        message = None if declaration is None else self._object(declaring_type(self.protocol, declaration))
        return next((field for field in message.fields if field.wire == wire), None) if message else None

    def _message(self, declaration: Declaration | None) -> str:
        type_ = declaration and declaring_type(self.protocol, declaration)
        return self._annotation(type_) if type_ else self.imports.need("Model")

    def _info(self, declaration: Declaration | None) -> str:
        name = declaration and type_at(self.protocol, declaring_type(self.protocol, declaration), declaration.info)
        return self._in_models(name) if name else self._annotations.need("Any")

    def _needs_info(self, declaration: Declaration | None) -> bool:
        place = () if declaration is None else declaration.info
        if declaration is None or len(place) != 1:
            return False
        field = self._field(declaration, place[0])
        return field is not None and field.required

    def _item(self, field: Field | None) -> str | None:
        return self._annotation(field.type.item) if field and isinstance(field.type, Array) else None

    # --- texts ---

    def _doc(self, method: Method) -> str:
        named = f"`{method.name}`, a {method.kind} of the {method.sender}. {self._capability(method)}"
        return method_text(method, named) or named

    def _capability(self, method: Method) -> str:
        rules = self._rules.messages.get((method.name, method.sender))
        if rules is None or rules.need is None:
            return "It needs no capability."
        ways = self._rules.sides[rules.need.side].ways
        features = " or ".join(f"`{feature}`" for feature in rules.need.features)
        texts = dict.fromkeys(ways[feature].text for feature in rules.need.features if feature in ways)
        declared = f"it declares by {' or '.join(texts)}" if texts else f"in {self.title} it always does"
        return f"The {rules.need.side} has to support {features}, which {declared}."


def _answer(method: Method) -> str:
    """How a handler answers that does not override a method."""
    if method.kind == "notification":
        return "ignore"
    if isinstance(method.result, Reference) and method.name == _PING:
        return "empty"
    if isinstance(method.result, Reference) and method.name in _OPENINGS:
        return "declare"
    return "refuse"
