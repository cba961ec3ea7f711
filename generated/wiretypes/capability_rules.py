"""The forms of capability rules, as the generated tables hold them."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

__all__ = [
    "ChoiceGate",
    "Declaration",
    "DeclaredTree",
    "FieldGate",
    "Gate",
    "Implied",
    "MessageRules",
    "Name",
    "Need",
    "Opening",
    "Place",
    "ProtocolRules",
    "SideRules",
    "VersionRules",
    "Way",
]

Name: TypeAlias = tuple[str, str]
"""A field: its name on the wire and its Python name."""

Place: TypeAlias = tuple[Name | None, ...]
"""Where something stands in params or a result; None is every item of an array."""

DeclaredTree: TypeAlias = tuple[tuple[str, str | None, bool, "DeclaredTree"], ...]
"""Capabilities: Python name, the feature that each declares, whether it is a boolean, and those inside it."""


class Need(NamedTuple):
    """What has to be declared: any one of some features of a side."""

    side: str
    """The side that declares them."""
    features: tuple[str, ...]
    """Names of the features."""
    severity: Literal["error", "warning"] = "error"
    """`warning` where the protocol only advises it."""


class ChoiceGate(NamedTuple):
    """Values at a place, or members of a union there, that need something."""

    place: Place
    """Where the values stand."""
    cases: Mapping[str, Need]
    """What each of them needs."""
    tag: Name | None = None
    """The field that tells the members of the union apart; None for plain values."""
    absent: str | None = None
    """The value that no value there stands for; None if that stands for nothing."""


class FieldGate(NamedTuple):
    """A field that needs something."""

    place: Place
    """Where the field stands."""
    need: Need
    """What it needs."""
    used: Literal["present", "true", "not-empty"] = "present"
    """What counts as using it; null never does."""
    required: bool = False
    """Whether a sender that supports the feature has to fill it in."""


Gate: TypeAlias = ChoiceGate | FieldGate
"""Something in a message that needs something."""


class MessageRules(NamedTuple):
    """What a message needs, and what is inside it."""

    need: Need | None = None
    """What the message itself needs; None for nothing."""
    params: tuple[Gate, ...] = ()
    """What needs something in its params."""
    result: tuple[Gate, ...] = ()
    """What needs something in its result."""
    requests: tuple[Place, ...] = ()
    """The maps in its result that hold requests of the answering side."""


class Implied(NamedTuple):
    """A feature given by others, or by a list that is not empty."""

    feature: str
    """Name of the feature."""
    by: tuple[str, ...] = ()
    """Features that have to be there, all of them."""
    unless: tuple[str, ...] = ()
    """Features of which none may be there."""
    not_empty: Name | None = None
    """The list beside the capabilities that has to hold something; None if there is none."""


class Declaration(NamedTuple):
    """Where a side declares its capabilities and says what it is."""

    method: str
    """The message that declares them."""
    capabilities: Place
    """Where in it the capabilities stand."""
    info: Place
    """Where in it the side says what it is."""
    said_in: str
    """What to call that message in a text."""


class Way(NamedTuple):
    """How a feature is declared."""

    path: str
    """Where it is declared, from the message on."""
    text: str
    """The same, with what to put there."""


class SideRules(NamedTuple):
    """What a side of a version may support, and how it says so."""

    declaration: Declaration | None = None
    """Where the side declares its capabilities; None if it declares none."""
    declared: DeclaredTree = ()
    """The capabilities that declare features."""
    implied: tuple[Implied, ...] = ()
    """The features that something else gives."""
    baseline: frozenset[str] = frozenset()
    """The features that every peer has."""
    requires: Mapping[str, tuple[str, ...]] = {}
    """Features that have to be declared with one, by its name."""
    ways: Mapping[str, Way] = {}
    """How each feature is declared, by its name."""


class VersionRules(NamedTuple):
    """All rules of a version."""

    sides: Mapping[str, SideRules]
    """What each side may support."""
    messages: Mapping[tuple[str, str], MessageRules]
    """What messages need, by method and sender."""
    replaced: Mapping[tuple[str, str], str] = {}
    """What takes the place of a message that the version does not have, by method and sender."""


class Opening(NamedTuple):
    """A message in which a side declares its capabilities."""

    part: Literal["params", "result"]
    """The part of the message that holds all of it."""
    version: Place | None
    """Where it names the version; None if it does not."""
    keys: Mapping[str, tuple[str, ...]]
    """Its fields that hold capabilities and info, each with the versions that have them."""
    carrier: Name | None = None
    """The field that holds all of it and that any request of the side has; None if it has the message to itself."""


class ProtocolRules(NamedTuple):
    """What the versions of a protocol have in common."""

    name: str
    """`acp` or `mcp`."""
    title: str
    """What to call the protocol in a text."""
    held: Mapping[str, tuple[str, int | str]]
    """The versions of this package by name: the module, and the version on the wire."""
    features: Mapping[str, frozenset[str]]
    """Names of all features, by the side that may support them."""
    openings: Mapping[tuple[str, str], Opening]
    """The messages that declare capabilities, by side and method."""
    extensions: tuple[Name, ...]
    """Members of the capabilities in which a side advertises what the schema does not know."""
    method_versions: Mapping[tuple[str, str], tuple[str, ...]]
    """The versions that have each message, by method and sender."""
