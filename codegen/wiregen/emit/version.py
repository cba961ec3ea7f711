"""The package of one version: its names, `TYPES` and `METHODS`."""

from __future__ import annotations

from dataclasses import dataclass

from wiregen.emit.annotations import Annotations, Imports, places
from wiregen.ir import Protocol
from wiregen.render import render


@dataclass(frozen=True, slots=True)
class PrintedMethod:
    """One method as the template prints it; `params` and `result` are source text."""

    name: str
    kind: str
    sender: str
    params: str
    result: str


def emit(protocol: Protocol, title: str) -> str:
    """Source of the version's package module; `title` is what to call the version."""
    names = frozenset(protocol.declarations)
    imports = Imports(names)
    annotations = Annotations(imports, names)
    methods = [
        PrintedMethod(
            method.name,
            method.kind,
            method.sender,
            "None" if method.params is None else annotations.type(method.params),
            "None" if method.result is None else annotations.type(method.result),
        )
        for method in protocol.methods
    ]
    used = {name: imports.need(name) for name in ("Any", "Final", "Mapping", "Method")}
    return render(
        "version.py.jinja2",
        protocol=protocol,
        title=title,
        methods=methods,
        imports=imports.sorted(),
        places=places(depth=3),
        used=used,
    )
