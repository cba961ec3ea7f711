"""What a package says about capabilities: its tables of rules, and the peers of each protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from wiregen import names
from wiregen.docs import Docs, Slot
from wiregen.emit.rule_tables import declaring_type, protocol_rules, type_at, version_rules
from wiregen.ir import Protocol
from wiregen.render import render
from wiregen.rules import SIDES, Declaration, Place, Rules, Side
from wiregen.runtime import capability_rules as forms


@dataclass(frozen=True, slots=True)
class PrintedReader:
    """A class method that makes a peer from a message; `says_version` tells whether the message names its version."""

    name: str
    summary: str
    method: str
    argument: str
    says_version: bool


@dataclass(frozen=True, slots=True)
class PrintedPeer:
    """One side of a protocol as the template prints it; `capabilities` and `info` are annotations."""

    side: Side
    name: str
    features: tuple[str, ...]
    features_text: str
    capabilities: str
    info: str
    readers: tuple[PrintedReader, ...]


_READERS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("initialize", "params"): ("from_initialize", "The client that sent `initialize` with these params."),
    ("initialize", "result"): ("from_initialize", "The side that answered `initialize` with this result."),
    ("server/discover", "params"): (
        "from_request",
        "The client that sent a request with these params, whatever its method. Only their `_meta` is read.",
    ),
    ("server/discover", "result"): ("from_discover", "The server that answered `server/discover` with this result."),
}
"""What the class method is called that reads the params or the result of a method, and what it does."""

_PUBLIC = ("CapabilityError", "InvalidMessage", "Negotiated", "Violation")


def emit(protocols: Sequence[Protocol], rules: Rules, docs: Docs, title: str) -> dict[str, str]:
    """The modules of one protocol by their path in the output; `protocols` are its versions, `title` is its name."""
    name = rules.protocol
    found = {
        f"{name}/peers.py": _peers(protocols, rules, docs, title),
        f"{name}/rules/__init__.py": render(
            "protocol_rules.py.jinja2", title=title, rules=protocol_rules(rules, protocols, title)
        ),
    }
    for protocol in protocols:
        found[f"{name}/rules/{names.module_name(protocol.version)}.py"] = render(
            "rules.py.jinja2",
            title=f"{title} {protocol.version}",
            rules=version_rules(rules, protocol),
            forms=sorted(forms.__all__),
        )
    return found


def public_names(protocol: str) -> dict[str, tuple[str, ...]]:
    """What a protocol's module offers of this, by the module that it comes from."""
    negotiation = f"{protocol}_negotiation"
    offered: Iterable[str] = import_module(f"wiregen.runtime.{negotiation}").__all__
    of_sides = (f"{side.capitalize()}{kind}" for side in SIDES[protocol] for kind in ("Feature", "Peer"))
    return {f"..{negotiation}": tuple(sorted(offered)), ".peers": tuple(sorted((*_PUBLIC, *of_sides)))}


def _peers(protocols: Sequence[Protocol], rules: Rules, docs: Docs, title: str) -> str:
    held = {protocol.version: protocol for protocol in protocols}
    client, answering = (_peer(side, held, rules, docs) for side in SIDES[rules.protocol])
    return render(
        "peers.py.jinja2",
        title=title,
        modules=sorted(map(names.module_name, held)),
        wire_version="int" if all(isinstance(p.protocol_version, int) for p in protocols) else "str",
        client=client,
        answering=answering,
        exported=public_names(rules.protocol)[".peers"],
    )


def _peer(side: Side, held: Mapping[str, Protocol], rules: Rules, docs: Docs) -> PrintedPeer:
    declarations = [d for d in rules.declarations if d.declared_by == side and held.keys() & {*d.versions}]
    features = rules.feature_names(side)
    readers = {(entry.method, entry.part): entry.version is not None for entry in declarations}
    return PrintedPeer(
        side,
        side.capitalize(),
        features,
        _features_text(side, features, docs, list(held)[-1]),
        _annotation(held, declarations, "capabilities"),
        _annotation(held, declarations, "info"),
        tuple(PrintedReader(*_READERS[key], *key, says_version) for key, says_version in readers.items()),
    )


def _features_text(side: Side, features: Iterable[str], docs: Docs, version: str) -> str:
    texts = ((feature, docs.text(version, Slot(feature, "doc"))) for feature in features)
    return f"What a peer may support as the {side}.\n\n" + "\n".join(
        f"- `{feature}`: {text}" if text else f"- `{feature}`" for feature, text in texts
    )


def _annotation(held: Mapping[str, Protocol], declarations: Iterable[Declaration], key: str) -> str:
    """The union of the classes that the versions have at a place of the message in which a side declares something."""
    classes: dict[str, None] = {}
    for entry in declarations:
        place: Place = getattr(entry, key)
        for version in entry.versions:
            if version in held:
                name = type_at(held[version], declaring_type(held[version], entry), place)
                classes["object" if name is None else f"{names.module_name(version)}.{name}"] = None
    return " | ".join(classes)
