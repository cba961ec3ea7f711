"""What a side declares that the schema lets through and that is surely a mistake."""

from collections.abc import Iterator, Set
from difflib import get_close_matches
from typing import Any

from .capability_rules import Place, ProtocolRules
from .declarations import Form, member_at, pointer, wire_keys
from .model import Model, wire_name

__all__ = ["peer_warnings"]

_NEAR = 0.8


def peer_warnings(rules: ProtocolRules, form: Form, side: str, message: Model, features: Set[str]) -> Iterator[str]:
    """The warnings about the message in which a side declares its capabilities."""
    title = f"{rules.title} {form.version}"
    keys = rules.openings[side, form.method].keys
    own = [key for key, versions in keys.items() if form.version in versions]
    elsewhere = _elsewhere(rules, form, side)
    for key in message.model_extra or ():
        if key in elsewhere:
            yield (
                f"/{key}: this key is of {rules.title} {' and '.join(elsewhere[key])}; {title} reads"
                f" {' and '.join(own)}, so it does not count"
            )
    yield from _misspelt(message, form.declaration.capabilities, {**elsewhere, **keys}.keys())
    for feature, required in form.rules.requires.items():
        for other in required:
            if feature in features and other not in features:
                way, missing = form.rules.ways[feature], form.rules.ways[other]
                yield f"`{way.path}` is declared without `{missing.path}`, which {title} requires with it"
    listed = member_at(message, (("supportedVersions", "supported_versions"),))
    if isinstance(listed, list) and form.protocol_version not in listed:
        yield f"/supportedVersions: {form.protocol_version} is not among them, so its requests are refused"


def _elsewhere(rules: ProtocolRules, form: Form, side: str) -> dict[str, list[str]]:
    """The keys under which other versions alone have what a side declares, each with those versions."""
    found: dict[str, list[str]] = {}
    openings = [opening for (one, _), opening in rules.openings.items() if one == side]
    for key, versions in (entry for opening in openings for entry in opening.keys.items()):
        found.setdefault(key, []).extend(versions)
    return {key: versions for key, versions in found.items() if form.version not in versions}


def _misspelt(message: Model, capabilities: Place, explained: Set[str]) -> Iterator[str]:
    """Keys that look like a known one: in the message, on the way to its capabilities, and in these."""
    yield from _near_misses(message, [], explained)
    for depth in range(1, len(capabilities) + 1):
        place = capabilities[:depth]
        yield from _near_misses(member_at(message, place), wire_keys(place))
    yield from _inside(member_at(message, capabilities), wire_keys(capabilities))


def _inside(value: Any, keys: list[str]) -> Iterator[str]:
    if isinstance(value, Model):
        for name, inner in value.__dict__.items():
            if isinstance(inner, Model):
                below = [*keys, _wire(type(value), name)]
                yield from _near_misses(inner, below)
                yield from _inside(inner, below)


def _near_misses(value: Any, keys: list[str], explained: Set[str] = frozenset()) -> Iterator[str]:
    if not isinstance(value, Model) or not value.model_extra:
        return
    known = {_plain(wire): wire for wire in (_wire(type(value), name) for name in type(value).model_fields)}
    for key in value.model_extra:
        if key not in explained and (near := get_close_matches(_plain(key), known, n=1, cutoff=_NEAR)):
            yield f"{pointer([*keys, key])}: there is no such key; `{known[near[0]]}` is the nearest"


def _wire(cls: type[Model], name: str) -> str:
    return str(cls.model_fields[name].validation_alias or wire_name(name))


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()
