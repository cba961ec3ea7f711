"""The modules above the versions: the package, one module a protocol, and the support modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from wiregen import names
from wiregen.emit import capabilities, dispatch
from wiregen.ir import Protocol
from wiregen.parts import PARTS, left_out
from wiregen.render import render

TITLES = {"acp": "the Agent Client Protocol", "mcp": "the Model Context Protocol"}
SHORT_TITLES = {"acp": "ACP", "mcp": "MCP"}

_ERRORS = ("ConnectionClosed", "InvalidResult", "RpcError")
_EXPORTED = ("VERSIONS", "Method", "VersionModule", "decode", "encode", "load", "present", "problems")


def title(protocol: Protocol) -> str:
    """What to call a version in a sentence: `ACP v2`."""
    return f"{SHORT_TITLES[protocol.name]} {protocol.version}"


def emit(protocols: Sequence[Protocol], package: str, parts: Sequence[str] = tuple(PARTS)) -> dict[str, str]:
    """The files above the versions, by their path in the output.

    `package` is the dotted name to import them by, `parts` are the parts of the package and all that they need.
    """
    versions: dict[str, tuple[str, ...]] = {}
    for protocol in protocols:
        versions[protocol.name] = (*versions.get(protocol.name, ()), protocol.version)
    found = {f"{name}/__init__.py": _protocol(name, held, parts) for name, held in versions.items()}
    found["__init__.py"] = _package(versions, package, parts)
    return {**found, **_support_modules(parts), "py.typed": ""}


def _protocol(name: str, versions: Sequence[str], parts: Sequence[str]) -> str:
    modules = sorted(map(names.module_name, versions))
    lazy = capabilities.public_names(name) if "capabilities" in parts else {}
    if "dispatch" in parts:
        lazy = {**lazy, **dispatch.connection_names(name)}
    return render(
        "protocol.py.jinja2",
        protocol_title=TITLES[name][0].upper() + TITLES[name][1:],
        modules=modules,
        lazy=lazy,
        exported=sorted((*modules, *(name for offered in lazy.values() for name in offered))),
    )


def _support_modules(parts: Sequence[str]) -> dict[str, str]:
    """The modules that are the same in every output with these parts."""
    without = {f"{name}.py" for name in ("__init__", *left_out(parts))}
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in sorted(files("wiregen.runtime").iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".py") and entry.name not in without
    }


def _package(versions: Mapping[str, tuple[str, ...]], package: str, parts: Sequence[str]) -> str:
    errors = _ERRORS if "dispatch" in parts else ()
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
        errors=errors,
        version_module="message_versions" if "messages" in parts else "versions",
        exported=sorted((*_EXPORTED, *errors, *versions)),
    )
