"""Reads the messages in which a side declares its capabilities, with the classes of the version that they are of."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias, cast

from pydantic import ValidationError
from pydantic_core import MISSING, from_json

from .capability_rules import Declaration, Name, Opening, Place, ProtocolRules, SideRules, VersionRules
from .codec import decode, encode
from .features import FeatureReader, attributes
from .model import Model
from .picklable import Picklable
from .problems import problems
from .versions import VersionModule

__all__ = ["Form", "InvalidMessage", "Message", "Versions", "member_at", "parsed", "pointer", "raw_member", "wire_keys"]

Message: TypeAlias = Model | Mapping[str, Any] | bytes | bytearray | str
"""Params or a result: a model, parsed JSON or JSON text."""

_SHOWN = 60
_LISTED = 5


class InvalidMessage(Picklable, ValueError):
    """A message in which a side declares its capabilities cannot be read: the text says what was expected and found."""

    version: str | None
    """Name of the version that it was read as; None if it names none."""
    problems: tuple[tuple[str, str], ...]
    """What is wrong: JSON pointers into the params or the result, and texts."""

    def __init__(self, message: str, version: str | None, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__(message)
        self.version = version
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Form:
    """The message in which one side of one version declares its capabilities."""

    version: str
    """Name of the version."""
    protocol_version: Any
    """What `protocolVersion` says for it on the wire."""
    method: str
    """The method of the message."""
    rules: SideRules
    """What the side may support."""
    declaration: Declaration
    """Where in the message its capabilities stand."""
    features: FeatureReader
    """Reads the features off the capabilities."""
    type_: type[Model]
    """Class of the message."""
    carried: type[Model] | None
    """What stands in the field that any message may carry."""
    says_version: tuple[str, ...]
    """The attributes that lead to where it names its version, if it does."""

    def is_of(self, method: str, message: Any, version: str | int | None) -> bool:
        """Whether a model of the class of this form is read as it: by what it says, or by what is given instead."""
        if method != self.method:
            return False
        if version is not None:
            return version == self.version
        said = message
        try:
            for name in self.says_version:
                said = said.__dict__[name]
        except (AttributeError, KeyError):
            return False
        return said.__class__ is self.protocol_version.__class__ and bool(said == self.protocol_version)


class Versions:
    """The versions of a protocol that this package holds, each loaded when it is first asked for."""

    def __init__(self, rules: ProtocolRules) -> None:
        self.rules = rules
        self._named: dict[object, dict[bool, str]] = {}
        for name, (_, protocol_version) in rules.held.items():
            self._named.setdefault(protocol_version, {})[name.endswith("-unstable")] = name
        self._rules: dict[str, VersionRules] = {}
        self._forms: dict[tuple[str, str], Form | None] = {}

    def rules_of(self, version: str) -> VersionRules:
        """The rules of a version that is held."""
        found = self._rules.get(version)
        if found is None:
            module = import_module(f".{self.rules.name}.rules.{self.rules.held[version][0]}", __package__)
            found = self._rules[version] = cast(VersionRules, module.RULES)
        return found

    def read(
        self, side: str, method: str, message: Message, version: str | int | None, unstable: bool
    ) -> tuple[Form, Model]:
        """The message in which a side declares its capabilities, and what its form is.

        Args:
            side: who sends it.
            method: whose params or result it is.
            message: the params or the result.
            version: which version it is of, by name or as on the wire; None for what the message says.
            unstable: whether to take the unstable schema of that version.

        Raises:
            InvalidMessage: it cannot be read.
            ValueError: this package does not hold the version that is given.
        """
        opening = self.rules.openings[side, method]
        given: Any = parsed(message, f"the {opening.part} of `{method}`")
        name = self._said(opening, method, given, unstable) if version is None else self._given(version, unstable)
        form = self._form(side, name)
        if form is None or form.method != method:
            raise self._of_another_kind(side, method, name, form)
        if isinstance(given, form.type_) or _carries(given, opening, form):
            return form, given
        try:
            return form, decode(form.type_, _as_json(given, opening.carrier))
        except ValidationError as error:
            raise self._invalid(opening, method, given, name, problems(error)) from error

    # --- which version ---

    def _given(self, version: str | int, unstable: bool) -> str:
        """The name of a version that the caller chose."""
        by_wire = {} if isinstance(version, bool) else self._named.get(version, {})
        stable = by_wire.get(False) or by_wire.get(True) or str(version)
        name = f"{stable.removesuffix('-unstable')}-unstable" if unstable else stable
        if name not in self.rules.held:
            raise ValueError(f"no {self.rules.title} {name} in this package, which holds {', '.join(self.rules.held)}")
        return name

    def _said(self, opening: Opening, method: str, message: Any, unstable: bool) -> str:
        """The name of the version that a message says it is of."""
        place = opening.version or ()
        value = member_at(message, place)
        named = None if isinstance(value, bool) or not isinstance(value, (int, float, str)) else self._named.get(value)
        if named is None:
            with_method = {version for versions in opening.keys.values() for version in versions}
            held = [str(said) for said, names in self._named.items() if not with_method.isdisjoint(names.values())]
            text = f"expected {'one of ' if len(held) > 1 else ''}{', '.join(held)}"
            raise self._invalid(opening, method, message, None, [(pointer(wire_keys(place)), text)])
        if len(named) == 1 and not unstable:
            return next(iter(named.values()))
        if unstable:
            return self._given(named.get(True) or named[False], unstable)
        # A model of the unstable schema is read as what it is.
        module = f"{__package__}.{self.rules.name}.{self.rules.held[named[True]][0]}."
        return named[type(message).__module__.startswith(module)]

    def _form(self, side: str, version: str) -> Form | None:
        try:
            return self._forms[side, version]
        except KeyError:
            form = self._forms[side, version] = self._make_form(side, version)
            return form

    def _make_form(self, side: str, version: str) -> Form | None:
        module_name, protocol_version = self.rules.held[version]
        rules = self.rules_of(version).sides[side]
        declaration = rules.declaration
        if declaration is None:
            return None
        opening = self.rules.openings[side, declaration.method]
        module = cast(VersionModule, import_module(f".{self.rules.name}.{module_name}", __package__))
        method = next(m for (name, _), m in module.METHODS.items() if name == declaration.method)
        type_: type[Model] = getattr(method, opening.part)
        carried: Any = None if opening.carrier is None else type_.model_fields[opening.carrier[1]].annotation
        features = FeatureReader(rules, declaration.capabilities)
        says_version = attributes(opening.version or ())
        return Form(version, protocol_version, method.name, rules, declaration, features, type_, carried, says_version)

    # --- what cannot be read ---

    def _of_another_kind(self, side: str, method: str, version: str, form: Form | None) -> InvalidMessage:
        title = f"{self.rules.title} {version}"
        text = f"{title} has no `{method}`"
        if form is not None:
            text += f": there, the {side} declares its capabilities in {form.declaration.said_in}"
        return InvalidMessage(text, version, (("", text),))

    def _invalid(
        self, opening: Opening, method: str, message: Any, version: str | None, found: list[tuple[str, str]]
    ) -> InvalidMessage:
        """The error for a message that is none of its kind or version."""
        message = _as_json(message, None)
        title = f"{self.rules.title} {version}" if version else self.rules.title
        text = f"expected the {opening.part} of `{method}` in {title}"
        if found_instead := self._instead(opening, message, version):
            text += f", found {found_instead}"
        lines = [f"{at or 'here'}: {line}, found {_found(message, at)}" for at, line in found[:_LISTED]]
        return InvalidMessage("; ".join([text, *lines]), version, tuple(found))

    def _instead(self, opening: Opening, message: Any, version: str | None) -> str | None:
        """What a message seems to be, if it is none of its kind or version."""
        whole = raw_member(message, "method", "method")
        if whole is not MISSING or raw_member(message, "jsonrpc", "jsonrpc") is not MISSING:
            named = "" if whole is MISSING else f" with method {_shown(whole)}"
            return f"a whole message{named} instead of its {opening.part}"
        for key, versions in opening.keys.items():
            if version and version not in versions and raw_member(message, key, "") is not MISSING:
                return f"`{key}`, which is of {self.rules.title} {' and '.join(versions)}"
        for (_, method), other in self.rules.openings.items() if version is None else ():
            if other.version not in (None, opening.version) and member_at(message, other.version) is not MISSING:
                return f"a version at {pointer(wire_keys(other.version))}, where `{method}` has it"
        return None


def raw_member(value: Any, wire: str, name: str) -> Any:
    """A member of parsed JSON or a model, by its name on the wire and in Python; MISSING where it is absent."""
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).get(wire, MISSING)
    try:
        found = value.__dict__.get(name, MISSING)
        if found is MISSING and value.__pydantic_extra__:
            return value.__pydantic_extra__.get(wire, MISSING)
    except AttributeError:  # no model
        return cast("Mapping[str, Any]", value).get(wire, MISSING) if isinstance(value, Mapping) else MISSING
    return found


def member_at(value: Any, place: Place | None) -> Any:
    """What stands at a place without arrays, the same way."""
    for name in place or ():
        if name is not None:
            value = raw_member(value, *name)
    return value


def pointer(keys: Iterable[str | int]) -> str:
    """The JSON pointer that leads along some keys."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def wire_keys(place: Place | None) -> list[str]:
    """The names on the wire that lead to a place without arrays."""
    return [name[0] for name in place or () if name is not None]


def _carries(message: Any, opening: Opening, form: Form) -> bool:
    return (
        opening.carrier is not None
        and form.carried is not None
        and isinstance(raw_member(message, *opening.carrier), form.carried)
    )


def parsed(message: Message, expected: str) -> Model | Mapping[str, Any]:
    """A message as a model or parsed JSON, be it what it may; `expected` says what it should be.

    Raises InvalidMessage for text that is no JSON.
    """
    if not isinstance(message, (bytes, bytearray, str)):
        return message
    data = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
    try:
        value: Mapping[str, Any] = from_json(data, allow_inf_nan=False)
    except ValueError as error:
        text = f"expected {expected}, found what is no JSON: {error}"
        raise InvalidMessage(text, None, (("", str(error)),)) from None
    return value


def _as_json(message: Model | Mapping[str, Any], carrier: Name | None) -> object:
    """A message as parsed JSON, or only the one field of it that counts."""
    value: object = from_json(encode(message)) if isinstance(message, Model) else message
    if carrier is None or not isinstance(value, Mapping):
        return value
    held = cast("Mapping[str, object]", value)
    return {key: held[key] for key in carrier[:1] if key in held}


def _found(value: Any, at: str) -> str:
    """What stands at a pointer, as a text says it."""
    for step in at.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(key) if isinstance(value, list) else key]
        except (LookupError, TypeError, ValueError):
            return "nothing"
    return _shown(value)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
