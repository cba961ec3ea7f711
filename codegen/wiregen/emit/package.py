"""The modules above the versions: the package, one module a protocol, and the support modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from wiregen import names
from wiregen.ir import Protocol
from wiregen.render import render

TITLES = {"acp": "the Agent Client Protocol", "mcp": "the Model Context Protocol"}
SHORT_TITLES = {"acp": "ACP", "mcp": "MCP"}

_EXPORTED = ("VERSIONS", "Method", "VersionModule", "decode", "encode", "load", "present", "problems")


def title(protocol: Protocol) -> str:
    """What to call a version in a sentence: `ACP v2`."""
    return f"{SHORT_TITLES[protocol.name]} {protocol.version}"


def emit(protocols: Sequence[Protocol], package: str) -> dict[str, str]:
    """The files above the versions, by their path in the output; `package` is the dotted name to import them by."""
    versions: dict[str, tuple[str, ...]] = {}
    for protocol in protocols:
        versions[protocol.name] = (*versions.get(protocol.name, ()), protocol.version)
    found = {
        f"{name}/__init__.py": render(
            "protocol.py.jinja2",
            protocol_title=TITLES[name][0].upper() + TITLES[name][1:],
            modules=sorted(map(names.module_name, held)),
        )
        for name, held in versions.items()
    }
    found["__init__.py"] = _package(versions, package)
    return {**found, **support_modules(), "py.typed": ""}


def support_modules() -> dict[str, str]:
    """The modules that are the same in every output."""
    folder = files("wiregen.runtime")
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }


def _package(versions: Mapping[str, tuple[str, ...]], package: str) -> str:
    modules = [
        ((protocol, version), f".{protocol}.{names.module_name(version)}")
        for protocol, held in versions.items()
        for version in held
    ]
    return render(
        "package.py.jinja2",
        package=package,
        versions=versions,
        protocols=list(versions),
        protocol_titles=[TITLES[protocol] for protocol in versions],
        module_names=modules,
        exported=sorted((*_EXPORTED, *versions)),
    )
