"""Capability rules: what a peer may be asked, by version and by what it declared. Read from `capabilities.toml`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, StrictBool, TypeAdapter, ValidationError

from wiregen.errors import Diagnostic, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic_core import ErrorDetails

Side: TypeAlias = Literal["client", "agent", "server"]
Part: TypeAlias = Literal["params", "result"]

SIDES: Final[dict[str, tuple[Side, Side]]] = {"acp": ("client", "agent"), "mcp": ("client", "server")}
ANY_ITEM: Final = "*"
"""The segment of a place that stands for every item of an array."""


def _split_path(value: object) -> object:
    return tuple(value.split(".")) if isinstance(value, str) else value


def _split_pointer(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value and not value.startswith("/"):
        raise ValueError("a JSON pointer is empty or starts with '/'")
    return tuple(segment.replace("~1", "/").replace("~0", "~") for segment in value.split("/")[1:])


Name: TypeAlias = Annotated[str, Field(min_length=1)]
Names: TypeAlias = Annotated[tuple[Name, ...], Field(min_length=1)]
Path: TypeAlias = Annotated[tuple[Name, ...], BeforeValidator(_split_path), Field(min_length=1)]
Place: TypeAlias = Annotated[tuple[Name, ...], BeforeValidator(_split_pointer)]


class _Entry:
    """A table of the file: a key that it does not have is an error."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


@dataclass(frozen=True, kw_only=True)
class VersionedEntry(_Entry):
    """What holds in some versions."""

    versions: Names


@dataclass(frozen=True, kw_only=True)
class Declaration(VersionedEntry):
    """Where a side says what it supports: the message, and in it the places of three things."""

    declared_by: Side
    method: Name
    part: Part
    capabilities: Place
    info: Place
    version: Place | None = None


@dataclass(frozen=True, kw_only=True)
class Capability(VersionedEntry):
    """A capability that declares a feature: `boolean` when it is true, `object` when it is an object, also `{}`.

    A peer that declares it without the features in `requires` breaks the protocol.
    """

    path: Path
    marker: Literal["boolean", "object"]
    requires: tuple[Name, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Implication(VersionedEntry):
    """A feature given by something else: all of `by`, none of `unless`, something in the list at `not_empty`.

    The list stands in the message that declares the capabilities.
    """

    by: tuple[Name, ...] = ()
    unless: tuple[Name, ...] = ()
    not_empty: Place | None = None


@dataclass(frozen=True, kw_only=True)
class Gate(_Entry):
    """Something in messages that needs a feature. `sender` sends it: the request, the notification or the result.

    Without `versions` it holds wherever the feature has to be declared.
    """

    sender: Side
    methods: Names
    versions: Names | None = None
    severity: Literal["error", "warning"] = "error"


@dataclass(frozen=True, kw_only=True)
class MessageGate(Gate):
    """The message itself."""

    kind: Literal["request", "notification"]


@dataclass(frozen=True, kw_only=True)
class MemberGate(Gate):
    """Members of the union at a place, by their tag."""

    kind: Literal["member"]
    part: Part = "params"
    at: Place
    tag: Name
    members: Names


@dataclass(frozen=True, kw_only=True)
class ValueGate(Gate):
    """Values at a place. With `when_absent`, no value there is one of them."""

    kind: Literal["value"]
    part: Part = "params"
    at: Place
    values: Names
    when_absent: StrictBool = False


@dataclass(frozen=True, kw_only=True)
class FieldGate(Gate):
    """A field: `used` says what counts as using it; null never does.

    With `required`, a sender that supports the feature has to fill it in.
    """

    kind: Literal["field"]
    part: Part = "params"
    at: Place
    used: Literal["present", "true", "not-empty"] = "present"
    required: StrictBool = False


AnyGate: TypeAlias = MessageGate | MemberGate | ValueGate | FieldGate
PlacedGate: TypeAlias = MemberGate | ValueGate | FieldGate


@dataclass(frozen=True, kw_only=True)
class Feature(_Entry):
    """One thing that a peer may support, under one name for all versions.

    In a version where several features gate the same thing, any one of them allows it.
    """

    name: Name
    declared_by: Side
    declared: tuple[Capability, ...] = ()
    implied: tuple[Implication, ...] = ()
    baseline: tuple[Name, ...] = ()
    gates: tuple[Annotated[AnyGate, Field(discriminator="kind")], ...] = ()

    @property
    def declarable(self) -> tuple[str, ...]:
        """The versions in which a peer supports it only by declaring something."""
        return tuple(dict.fromkeys(v for way in (*self.declared, *self.implied) for v in way.versions))

    def gates_in(self, version: str) -> Iterator[tuple[int, AnyGate]]:
        """The gates that hold in a version, each with its index."""
        for index, gate in enumerate(self.gates):
            if version in (self.declarable if gate.versions is None else gate.versions):
                yield index, gate


@dataclass(frozen=True, kw_only=True)
class Grouping(VersionedEntry):
    """Capabilities that declare no feature: a group of others, or an open map of names."""

    declared_by: Side
    paths: Annotated[tuple[Path, ...], Field(min_length=1)]


@dataclass(frozen=True, kw_only=True)
class Embedding(VersionedEntry):
    """Requests of `sender` that travel in its results of `methods`, as the values of the map at a place."""

    sender: Side
    methods: Names
    at: Place


@dataclass(frozen=True, kw_only=True)
class Ungated(VersionedEntry):
    """Messages that need no feature."""

    sender: Side
    methods: Names


@dataclass(frozen=True, kw_only=True)
class Replacement(VersionedEntry):
    """What takes the place of a message that a version does not have: another one, perhaps a field of its params."""

    sender: Side
    method: Name
    by: Name
    at: Place | None = None


@dataclass(frozen=True, kw_only=True)
class Rules(_Entry):
    """All capability rules of a protocol, each list in the order of the file."""

    protocol: Literal["acp", "mcp"]
    declarations: tuple[Declaration, ...]
    features: tuple[Feature, ...]
    groups: tuple[Grouping, ...] = ()
    free: tuple[Grouping, ...] = ()
    embedded: tuple[Embedding, ...] = ()
    ungated: tuple[Ungated, ...] = ()
    replaced: tuple[Replacement, ...] = ()

    def feature_names(self, side: Side) -> tuple[str, ...]:
        """The names of all features that a side may support in some version, sorted."""
        return tuple(sorted(f.name for f in self.features if f.declared_by == side))

    def of(self, version: str) -> Rules:
        """The rules of one version: of each entry what holds there, with `versions` cut to it."""
        return replace(
            self,
            declarations=_only(self.declarations, version),
            features=tuple(
                replace(
                    feature,
                    declared=_only(feature.declared, version),
                    implied=_only(feature.implied, version),
                    baseline=tuple(v for v in feature.baseline if v == version),
                    gates=tuple(replace(gate, versions=(version,)) for _, gate in feature.gates_in(version)),
                )
                for feature in self.features
                if version in (*feature.declarable, *feature.baseline)
            ),
            groups=_only(self.groups, version),
            free=_only(self.free, version),
            embedded=_only(self.embedded, version),
            ungated=_only(self.ungated, version),
            replaced=_only(self.replaced, version),
        )


def read_rules(data: Mapping[str, object], file: str) -> Rules:
    """The rules in a parsed `capabilities.toml`, which `file` names in diagnostics.

    Raises InvalidInput with all unknown and missing keys and wrong values. What the rules say is checked elsewhere.
    """
    try:
        return _RULES.validate_python(data)
    except ValidationError as error:
        raise InvalidInput(_invalid(details, data, file) for details in error.errors()) from None


def pointer(*segments: str | int) -> str:
    """A JSON pointer."""
    return "".join("/" + str(segment).replace("~", "~0").replace("/", "~1") for segment in segments)


_RULES: Final = TypeAdapter(Rules)
_V = TypeVar("_V", bound=VersionedEntry)


def _only(entries: tuple[_V, ...], version: str) -> tuple[_V, ...]:
    return tuple(replace(entry, versions=(version,)) for entry in entries if version in entry.versions)


_TEXTS: Final = {
    "unexpected_keyword_argument": ("unknown-key", "there is no such key", "remove it, or correct its spelling"),
    "missing": ("missing-key", "this key is missing", "add it"),
    "tuple_type": ("wrong-value", "this has to be an array", None),
    "too_short": ("wrong-value", "this array needs an item", None),
    "string_too_short": ("wrong-value", "a name is not empty", None),
}


def _invalid(details: ErrorDetails, data: object, file: str) -> Diagnostic:
    code, message, hint = _TEXTS.get(details["type"], ("wrong-value", details["msg"], None))
    return Diagnostic(code, message, file, pointer(*_keys(details["loc"], data)), hint=hint)


def _keys(location: tuple[int | str, ...], data: Any) -> Iterator[int | str]:
    """The location without the labels of union members, which are no keys of the file."""
    for segment in location[:-1]:
        try:
            data = data[segment]
        except KeyError:
            continue
        yield segment
    yield location[-1]
