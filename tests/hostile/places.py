"""Where a text can stand in a schema, and how its value shows in what is generated."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

Schema: TypeAlias = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
STRING: Schema = {"type": "string"}


class Package(Protocol):
    """What a generated package offers."""

    def decode(self, type_: object, data: object) -> Any: ...
    def encode(self, value: object, type_: object = None) -> bytes: ...


Check: TypeAlias = Callable[[Package, Any, str], None]
"""Gets the package, the module of the version and the text; raises if the text did not survive."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place for a text; `names` says of what Python names are made of it there."""

    name: str
    build: Callable[[str], Schema]
    check: Check | None = None
    protocol: str = "acp"
    names: Literal["field", "type", "other"] | None = None


def obj(properties: Schema, *required: str, **more: object) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), **more}


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def root(definitions: Schema, **more: object) -> Schema:
    wave = obj({}) | {"x-method": "wave", "x-side": "agent"}
    return {
        "$schema": DRAFT,
        "$defs": {"Target": obj({"text": STRING}), "WaveNotification": wave, **definitions},
        **more,
    }


def holder(schema: Schema) -> Schema:
    """A document with a schema as that of a property."""
    return root({"Holder": obj({"value": schema}, "value")})


def optional(schema: Schema) -> Schema:
    return root({"Holder": obj({"value": schema})})


def mcp_root(method: str, description: str = "A request.") -> Schema:
    request = obj({"method": {"const": method, "type": "string"}, "params": ref("Target")}, "method")
    definitions = {
        "Target": obj({"text": STRING}),
        "PingRequest": {**request, "description": description},
        "ClientRequest": {"anyOf": [ref("PingRequest")]},
        "EmptyResult": obj({}),
    }
    return {"$schema": DRAFT, "$defs": definitions}


# --- checks ----------------------------------------------------------------------------------------------------------


def same(package: Package, type_: object, value: object) -> Any:
    """The decoded value, after it was shown to encode to what it was."""
    decoded = package.decode(type_, json.dumps(value))
    assert json.loads(package.encode(decoded, type_)) == value
    return decoded


def refused(package: Package, type_: object, value: object) -> None:
    try:
        package.decode(type_, value)
    except ValueError:
        return
    raise AssertionError(f"{value!r} was accepted")


def is_constant(package: Package, version: Any, text: str) -> None:
    assert same(package, version.Holder, {"value": text}).value == text
    refused(package, version.Holder, {"value": text + "x"})
    assert package.encode(version.Holder(value=text))


def is_default(package: Package, version: Any, text: str) -> None:
    found = package.decode(version.Holder, {}).value
    assert found in (text, [text], {text: {text: 1}}), found


def is_property(package: Package, version: Any, text: str) -> None:
    decoded = same(package, version.Holder, {text: "a value"})
    model: Any = decoded.__class__
    assert "a value" in {getattr(decoded, name) for name in model.model_fields}
    refused(package, version.Holder, {text: 1})


def is_tag(package: Package, version: Any, text: str) -> None:
    decoded = same(package, version.Choice, {"kind": text, "one": 1})
    assert decoded.one == 1
    refused(package, version.Choice, {"kind": text, "one": "no number"})


def is_excluded(package: Package, version: Any, text: str) -> None:
    assert type(same(package, version.Choice, {"kind": text, "one": 1})) is not version.OtherChoice
    assert type(same(package, version.Choice, {"kind": text + "x"})) is version.OtherChoice


def is_method(_package: Package, version: Any, text: str) -> None:
    assert text in {method for method, _ in version.METHODS}


def is_docstring(_package: Package, version: Any, text: str) -> None:
    """Line ends and runs of spaces are those of the docstring, and what cannot be seen is spelt out."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))
    assert "".join((version.Holder.__doc__ or "").split()) == "".join(shown.split())


# --- places ----------------------------------------------------------------------------------------------------------


def members(first: Schema, second: Schema) -> Schema:
    return root({"Choice": {"oneOf": [first, second]}})


def tagged(text: str) -> Schema:
    one = obj({"kind": {"const": text}, "one": {"type": "integer"}}, "kind")
    return members(one, obj({"kind": {"const": "another"}}, "kind"))


def excluded(text: str) -> Schema:
    one = obj({"kind": {"const": text}, "one": {"type": "integer"}}, "kind", title="First")
    rejected = obj({"kind": {"const": text}}, "kind")
    return members(one, obj({"kind": STRING}, "kind", title="Other", **{"not": {"anyOf": [rejected]}}))


PLACES: tuple[Place, ...] = (
    Place("root title", lambda t: root({}, title=t)),
    Place("root description", lambda t: root({}, description=t)),
    Place("root id", lambda t: root({}, **{"$id": t})),
    Place("dialect", lambda t: root({}) | {"$schema": t}),
    Place("comment", lambda t: holder({**STRING, "$comment": t})),
    Place("definition title", lambda t: root({"Holder": obj({"a": STRING}, title=t)})),
    Place("definition description", lambda t: root({"Holder": obj({"a": STRING}, description=t)}), is_docstring),
    Place("alias description", lambda t: root({"Holder": {**STRING, "description": t}})),
    Place("property title", lambda t: holder({**STRING, "title": t})),
    Place("property description", lambda t: holder({**STRING, "description": t})),
    Place("value description", lambda t: holder({"oneOf": [{"const": "a", "description": t}, {"const": "b"}]})),
    Place("examples", lambda t: holder({**STRING, "examples": [t, {t: t}]})),
    Place(
        "extension value",
        lambda t: holder({**STRING, "x-note": t, "x-python-type": t, "x-python-import": {"module": t}}),
    ),
    Place("extension key", lambda t: holder({**STRING, f"x-{t}": t})),
    Place("constant", lambda t: holder({"const": t}), is_constant),
    Place("typed constant", lambda t: holder({"type": "string", "const": t}), is_constant),
    Place("value", lambda t: holder({"enum": [t, "another"]}), is_constant),
    Place("open value", lambda t: holder({"anyOf": [{"const": t}, {"const": "another"}, STRING]})),
    Place("constant of a map", lambda t: root({"Holder": {"type": "object", "additionalProperties": {"const": t}}})),
    Place("default", lambda t: optional({**STRING, "default": t}), is_default),
    Place("default in a list", lambda t: optional({"type": "array", "items": STRING, "default": [t]}), is_default),
    Place("default in an object", lambda t: optional({"type": "object", "default": {t: {t: 1}}}), is_default),
    Place("pattern", lambda t: holder({**STRING, "pattern": t})),
    Place("format", lambda t: holder({**STRING, "format": t})),
    Place("encoding", lambda t: holder({**STRING, "contentEncoding": t, "contentMediaType": t})),
    Place("type", lambda t: holder({"type": t})),
    Place("discriminator", lambda t: tagged("one") | {"discriminator": {"propertyName": t}}),
    Place(
        "inner discriminator",
        lambda t: root({"Choice": {**tagged("one")["$defs"]["Choice"], "discriminator": {"propertyName": t}}}),
    ),
    Place("tag", tagged, is_tag, names="other"),
    Place("excluded constant", excluded, is_excluded),
    Place(
        "member title",
        lambda t: members(obj({"a": STRING}, "a", title=t), obj({"b": STRING}, "b", title="Second")),
        names="other",
    ),
    Place(
        "method",
        lambda t: root({"SendNotification": obj({}) | {"x-method": t, "x-side": "agent"}}),
        is_method,
        names="other",
    ),
    Place(
        "request method",
        lambda t: root(
            {
                "SendRequest": obj({}) | {"x-method": t, "x-side": "client"},
                "SendResponse": obj({}) | {"x-method": t, "x-side": "client"},
            }
        ),
        is_method,
        names="other",
    ),
    Place("side", lambda t: root({"SendNotification": obj({}) | {"x-method": "send", "x-side": t}})),
    Place("mcp method", mcp_root, is_method, "mcp", names="other"),
    Place("mcp description", lambda t: mcp_root("ping", t), None, "mcp"),
    Place("property", lambda t: root({"Holder": obj({t: STRING})}), is_property, names="field"),
    Place("required property", lambda t: root({"Holder": obj({t: STRING}, t)}), is_property, names="field"),
    Place("inline object", lambda t: root({"Holder": obj({t: obj({"a": STRING})})}), None, names="field"),
    Place("constant property", lambda t: root({"Holder": obj({t: {"const": t}}, t)}), None, names="field"),
    Place("undeclared required", lambda t: root({"Holder": obj({"a": STRING}, t)})),
    Place("definition name", lambda t: root({t: obj({"a": STRING})}), None, names="type"),
    Place(
        "alias name", lambda t: root({t: STRING, "Holder": obj({"a": {"$ref": f"#/$defs/{t}"}})}), None, names="type"
    ),
    Place("reference", lambda t: holder({"$ref": t})),
    Place("reference to a name", lambda t: holder({"$ref": f"#/$defs/{t}"})),
    Place("keyword", lambda t: holder({**STRING, t: t})),
    Place("code keyword", lambda t: holder({**STRING, "customTypePath": t, "customBasePath": t})),
)

BY_NAME = {place.name: place for place in PLACES}
