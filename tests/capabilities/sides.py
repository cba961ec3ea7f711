"""The messages in which a side of a version declares its capabilities, made from the rules and the schema alone."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, overload

import wiretypes
from fidelity.instances import MINIMAL, Maker
from fidelity.json_values import JSON
from fidelity.oracle import oracle
from fidelity.schema_methods import schema_methods
from wiretypes import acp, mcp
from wiretypes.checks import Checker
from wiretypes.peers import Peer

from wiregen.bundled_rules import bundled_rules
from wiregen.rules import SIDES, Declaration, Feature, Path, Rules

Object: TypeAlias = dict[str, Any]
AnyPeer: TypeAlias = Peer[Any, Any, Any, Any]
"""One side of a version of any protocol; what it says of itself is up to the protocol."""
AnyNegotiated: TypeAlias = Checker[Any]
"""The two sides of a version of any protocol; which names the sides have is up to the protocol."""
VERSIONS = [(protocol, version) for protocol, versions in wiretypes.VERSIONS.items() for version in versions]
PEERS: Mapping[tuple[str, str], Any] = {
    ("acp", "client"): acp.ClientPeer,
    ("acp", "agent"): acp.AgentPeer,
    ("mcp", "client"): mcp.ClientPeer,
    ("mcp", "server"): mcp.ServerPeer,
}


@dataclass(frozen=True)
class Side:
    """One side of one version."""

    protocol: str
    version: str
    name: str

    @property
    def rules(self) -> Rules:
        """The rules of the version."""
        return rules_of(self.protocol, self.version)

    @property
    def features(self) -> list[Feature]:
        """What the side may support."""
        return [feature for feature in self.rules.features if feature.declared_by == self.name]

    @property
    def declaration(self) -> Declaration:
        """Where the side declares its capabilities."""
        return next(entry for entry in self.rules.declarations if entry.declared_by == self.name)

    @property
    def schema(self) -> str:
        """The pointer to the schema of the message in which it does so."""
        method = schema_methods(oracle(self.protocol, self.version))[self.declaration.method, "client"]
        pointer = getattr(method, self.declaration.part)
        assert isinstance(pointer, str)
        return pointer

    def message(self, capabilities: JSON, **members: JSON) -> Object:
        """That message with some capabilities, and otherwise nothing that it can do without."""
        made = deepcopy(smallest(self))
        put(made, self.declaration.capabilities, capabilities)
        return {**made, **members}

    def declaring(self, features: Collection[str]) -> Object:
        """The message that declares some features, by their own capabilities and nothing else."""
        capabilities: Object = {}
        members: Object = {}
        for feature in self.features:
            if feature.name in features:
                for way in feature.declared:
                    set_default(capabilities, way.path, True if way.marker == "boolean" else {})
                for implied in feature.implied:
                    if implied.not_empty is not None:
                        members[implied.not_empty[0]] = [auth_method(self.version)]
        return self.message(capabilities, **members)

    def read(self, message: object) -> AnyPeer:
        """The peer that a message makes."""
        peer = PEERS[self.protocol, self.name]
        read = "from_request" if self.name == "client" else "from_discover"
        if self.declaration.method == "initialize":
            read = "from_initialize"
        made: AnyPeer = getattr(peer, read)(message, version=self.version)
        return made

    @property
    def type_(self) -> Any:
        """The class of the message."""
        module = wiretypes.load(self.protocol, self.version)
        return getattr(module.METHODS[self.declaration.method, "client"], self.declaration.part)


def sides() -> list[Side]:
    """Both sides of every version."""
    return [Side(protocol, version, side) for protocol, version in VERSIONS for side in SIDES[protocol]]


def both(protocol: str, version: str) -> tuple[Side, Side]:
    """The client of a version, and the other side."""
    client, other = SIDES[protocol]
    return Side(protocol, version, client), Side(protocol, version, other)


@cache
def rules_of(protocol: str, version: str) -> Rules:
    """The rules of a version."""
    return bundled_rules(protocol).of(version)


@overload
def negotiated(
    protocol: Literal["acp"], version: str, client: Collection[str], other: Collection[str]
) -> acp.Negotiated: ...
@overload
def negotiated(
    protocol: Literal["mcp"], version: str, client: Collection[str], other: Collection[str]
) -> mcp.Negotiated: ...
@overload
def negotiated(protocol: str, version: str, client: Collection[str], other: Collection[str]) -> AnyNegotiated: ...
def negotiated(protocol: str, version: str, client: Collection[str], other: Collection[str]) -> AnyNegotiated:
    """The two sides of a version, each with what it declares."""
    asking, answering = (
        side.read(side.declaring(features))
        for side, features in zip(both(protocol, version), (client, other), strict=True)
    )
    if isinstance(answering, acp.AgentPeer):
        assert isinstance(asking, acp.ClientPeer)
        return acp.Negotiated(client=asking, agent=answering)
    assert isinstance(asking, mcp.ClientPeer)
    assert isinstance(answering, mcp.ServerPeer)
    return mcp.Negotiated(client=asking, server=answering)


def expected_features(side: Side, message: JSON) -> set[str]:
    """What a message declares, as the rules say it, read off the JSON that leniency leaves of it."""
    capabilities = at(message, side.declaration.capabilities)
    found: set[str] = set()
    for feature in side.features:
        for way in feature.declared:
            value = at(capabilities, way.path)
            if value is True if way.marker == "boolean" else isinstance(value, dict):
                found.add(feature.name)
    for feature in side.features:
        for implied in feature.implied:
            listed = implied.not_empty is None or bool(at(message, implied.not_empty))
            if listed and found.issuperset(implied.by) and found.isdisjoint(implied.unless):
                found.add(feature.name)
    return found | {feature.name for feature in side.features if feature.baseline}


def paths(side: Side) -> Iterator[Path]:
    """Every path in the capabilities that has a rule."""
    for feature in side.features:
        yield from (way.path for way in feature.declared)
    for grouping in (*side.rules.groups, *side.rules.free):
        if grouping.declared_by == side.name:
            yield from grouping.paths


# --- JSON ---


def at(value: JSON, path: Iterable[str]) -> JSON:
    """What stands at a path; None for nothing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def put(value: Object, path: Path, inner: JSON) -> None:
    """Puts something at a path, whatever stands there, with objects on the way."""
    for key in path[:-1]:
        value = value.setdefault(key, {})
    value[path[-1]] = inner


def set_default(value: Object, path: Path, inner: JSON) -> None:
    """Puts something at a path where nothing stands."""
    for key in path[:-1]:
        value = value.setdefault(key, {})
    value.setdefault(path[-1], inner)


@cache
def smallest(side: Side) -> Object:
    """The message with nothing that it can do without, and without capabilities that declare anything."""
    made = Maker(oracle(side.protocol, side.version)).make(side.schema, MINIMAL, str(side)).value
    assert isinstance(made, dict)
    if side.declaration.version is not None:
        module = wiretypes.load(side.protocol, side.version)
        put(made, side.declaration.version, module.PROTOCOL_VERSION)
    if "supportedVersions" in made:
        made["supportedVersions"] = [side.version]
    put(made, side.declaration.capabilities, {})
    return made


def auth_method(version: str) -> Object:
    """A way to sign in to an ACP agent."""
    if version.startswith("v1"):
        return {"id": "login", "name": "Login"}
    return {"type": "agent", "methodId": "login", "name": "Login"}
