"""What a side of a connection declares: the capabilities of what its handler implements, and what a person adds."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from pydantic_core import from_json

from .caller import Caller
from .capability_rules import DeclaredTree, Place, ProtocolRules, SideRules, VersionRules
from .codec import encode
from .features import FeatureReader
from .model import Model
from .versions import Method

__all__ = ["Declaring", "Role", "capabilities", "check", "declared", "overridden", "problems"]

M = TypeVar("M", bound=Model)


class Role(NamedTuple):
    """What a handler class is for: one side of one version."""

    version: str
    """Name of the version, as in `VERSIONS`."""
    side: str
    """The side that the handler answers for."""
    caller: type[Caller]
    """What calls the other side."""
    message: type[Model]
    """What the side declares itself in: params or a result."""
    protocol: ProtocolRules
    """What the capability rules of all versions have in common."""
    rules: VersionRules
    """The capability rules of the version."""
    methods: Mapping[str, str]
    """The handler's attributes by the method on the wire."""
    embedded: Mapping[tuple[str, str], Method] = {}
    """Those among the methods that are no messages but travel inside results, by method and sender."""


class Declaring(NamedTuple):
    """What a handler says of itself."""

    name: str
    """Name of its class."""
    role: Role
    """What it is for."""
    implemented: frozenset[str]
    """The methods that it overrides, by their name on the wire."""
    info: Any
    """What its side is; None if it does not say."""
    features: tuple[str, ...]
    """What a person says that it supports."""
    auth_methods: tuple[Any, ...]
    """How a user can sign in."""


def overridden(handler: object, role: Role) -> frozenset[str]:
    """The methods, by their name on the wire, that a handler implements itself."""
    base = next(cls for cls in type(handler).__mro__ if vars(cls).get("role") is role)
    return frozenset(
        method
        for method, attribute in role.methods.items()
        if getattr(getattr(handler, attribute), "__func__", None) is not getattr(base, attribute)
    )


def check(handler: Declaring) -> None:
    """Raise ValueError if a handler cannot declare itself."""
    role, name = handler.role, handler.name
    known = role.protocol.features[role.side]
    for feature in handler.features:
        if feature not in known:
            nearest = ", ".join(map(repr, get_close_matches(feature, known, cutoff=0)))
            raise ValueError(f"{name}.features: there is no {feature!r}; the nearest are {nearest}")
    declaration = role.rules.sides[role.side].declaration
    if declaration is None or handler.info is not None or len(declaration.info) > 1:
        return
    for place in declaration.info:
        if place is not None and role.message.model_fields[place[1]].is_required():
            raise ValueError(f"{name}.info is not set: {role.protocol.title} {role.version} wants it")


def declared(
    handler: Declaring,
    rules: VersionRules,
    protocol_version: int | str,
    type_: type[M],
    more: Mapping[str, Any],
) -> M:
    """The message in which a handler's side declares itself.

    Args:
        handler: the handler.
        rules: those of the version that is spoken, which may be older than the handler's.
        protocol_version: that version on the wire.
        type_: the class of the message.
        more: further fields, by Python name.
    """
    check(handler)
    role = handler.role
    side = rules.sides[role.side]
    values: dict[str, Any] = dict(more)
    if side.declaration is not None:
        opening = role.protocol.openings[role.side, side.declaration.method]
        if opening.version is not None:
            _put(values, opening.version, protocol_version)
        _put(values, side.declaration.capabilities, capabilities(side.declared, _wanted(handler, rules)))
        if handler.info is not None:
            # As JSON: the class may be that of a newer version.
            _put(values, side.declaration.info, from_json(encode(handler.info)))
    if handler.auth_methods:
        values["auth_methods"] = list(handler.auth_methods)
    return type_(**values)


def capabilities(tree: DeclaredTree, features: Collection[str]) -> dict[str, Any]:
    """The capabilities that declare some features, by Python name."""
    found: dict[str, Any] = {}
    for name, feature, is_boolean, inside in tree:
        below = capabilities(inside, features)
        if below:
            found[name] = below
        elif feature in features:
            found[name] = True if is_boolean else {}
    return found


def problems(handler: Declaring, message: Model) -> Iterator[str]:
    """What a handler declares, by the message in which it does, and does not implement; and the reverse."""
    role = handler.role
    rules, title = role.rules.sides[role.side], f"{role.protocol.title} {role.version}"
    features, implemented = _declared_by(rules, message), handler.implemented
    for (method, sender), message_rules in role.rules.messages.items():
        need = message_rules.need
        if need is None or sender == role.side or need.side != role.side:
            continue
        met = [feature for feature in need.features if feature in features]
        if met and method not in implemented:
            yield f"`{met[0]}` is declared, and `{method}` is not implemented"
        if not met and method in implemented:
            ways = " or ".join(rules.ways[feature].text for feature in need.features)
            yield f"`{method}` is implemented, and what it needs is not declared: {ways}"
    for feature in handler.features:
        if feature not in features:
            yield f"`{feature}` is not declared in {title} by naming it"


def _wanted(handler: Declaring, rules: VersionRules) -> set[str]:
    """The features that a handler is to declare: those of what it implements, and those that a person adds."""
    role, implemented = handler.role, handler.implemented
    side = rules.sides[role.side]
    wanted = set(handler.features)
    for (method, sender), message in rules.messages.items():
        need = message.need
        # What any one of several features allows, a person has to choose.
        if need and need.side == role.side != sender and len(need.features) == 1 and method in implemented:
            wanted.add(need.features[0])
    wanted = _closed(wanted, side)
    chosen = _closed(set(handler.features), side)
    for feature, by, unless, _ in side.implied:
        # What one method declares must not take away what another one does. A person may choose to do without it.
        if by and wanted.issuperset(by) and not wanted.isdisjoint(unless) and chosen.isdisjoint(unless):
            wanted.add(feature)
    return wanted


def _closed(features: set[str], side: SideRules) -> set[str]:
    """Features with those that have to be declared with them."""
    by = {implied.feature: implied.by for implied in side.implied}
    wanted = set(features)
    waiting = list(wanted)
    while waiting:
        feature = waiting.pop()
        more = {*side.requires.get(feature, ()), *by.get(feature, ())} - wanted
        wanted |= more
        waiting += more
    return wanted


def _declared_by(rules: SideRules, message: Model) -> frozenset[str]:
    if rules.declaration is None:
        return rules.baseline
    return FeatureReader(rules, rules.declaration.capabilities).read(message)


def _put(values: dict[str, Any], place: Place, value: Any) -> None:
    *above, last = (name[1] for name in place if name is not None)
    for name in above:
        values = values.setdefault(name, {})
    values[last] = value
