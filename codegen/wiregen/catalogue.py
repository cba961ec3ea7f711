"""The bundled protocols: which versions there are, and where their schemas and tables lie."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wiregen.errors import Diagnostic, InvalidInput

_VERSIONS = {
    "acp": ("v1", "v1-unstable", "v2", "v2-unstable"),
    "mcp": ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"),
}
PROTOCOLS = tuple(_VERSIONS)


@dataclass(frozen=True, slots=True)
class Target:
    """One version of one protocol, written `acp@v2`."""

    protocol: str
    version: str

    def __str__(self) -> str:
        return f"{self.protocol}@{self.version}"


def versions(protocol: str) -> tuple[str, ...]:
    """The versions of `protocol`, oldest first; raises `InvalidInput` for an unknown protocol."""
    if protocol not in _VERSIONS:
        raise InvalidInput(
            [
                Diagnostic(
                    "unknown-protocol",
                    f"unknown protocol {protocol!r}",
                    hint=f"the known protocols are {', '.join(PROTOCOLS)}",
                )
            ]
        )
    return _VERSIONS[protocol]


def targets() -> tuple[Target, ...]:
    """Every bundled version in canonical order: by protocol, then oldest first."""
    return tuple(Target(protocol, version) for protocol in PROTOCOLS for version in _VERSIONS[protocol])


def parse_target(text: str) -> Target:
    """The target that `PROTOCOL@VERSION` names; raises `InvalidInput` that lists the known ones."""
    protocol, at, version = text.partition("@")
    if not at:
        raise InvalidInput(
            [
                Diagnostic(
                    "unknown-target",
                    f"{text!r} is not of the form PROTOCOL@VERSION",
                    hint=f"the known ones are {', '.join(map(str, targets()))}",
                )
            ]
        )
    target = Target(protocol, version)
    check_known(target)
    return target


def check_known(target: Target) -> None:
    """Raises `InvalidInput` that lists the known versions if there is no such one."""
    if target.version not in versions(target.protocol):
        raise InvalidInput(
            [
                Diagnostic(
                    "unknown-version",
                    f"unknown version {target.version!r} of {target.protocol}",
                    hint=f"the known versions are {', '.join(versions(target.protocol))}",
                )
            ]
        )


def schema_name(target: Target) -> str:
    """The name of the bundled schema, as diagnostics show it."""
    return f"schema/{target.protocol}/{target.version}/schema.json"


def read_schema(target: Target) -> tuple[bytes, str]:
    """The bundled schema of `target` and its name; raises `InvalidInput` if there is none."""
    check_known(target)
    name = schema_name(target)
    try:
        return (data_root() / name).read_bytes(), name
    except FileNotFoundError:
        hint = f"make it with `wiregen schema import {target} UPSTREAM_FILE`"
        raise InvalidInput([Diagnostic("missing-schema", f"{target} has no schema", file=name, hint=hint)]) from None


def table_name(protocol: str, table: str) -> str:
    """The name of a table of `protocol`, as diagnostics show it."""
    return f"schema/{protocol}/{table}.toml"


def read_table(protocol: str, table: str) -> dict[str, Any]:
    """The TOML table `errata`, `docs` or `capabilities` of `protocol`; empty if the protocol has none.

    A long table may be a folder of TOML files instead, which are read as one; each key stands in one of them.
    """
    name = table_name(protocol, table)
    folder = data_root() / name.removesuffix(".toml")
    merged = _read_toml(name)
    for file in sorted(folder.glob("*.toml")):
        part = _read_toml(f"schema/{protocol}/{table}/{file.name}")
        if twice := sorted(merged.keys() & part.keys()):
            raise InvalidInput(
                [
                    Diagnostic(
                        "duplicate-key",
                        f"{', '.join(twice)} stands in another file of this table too",
                        file=f"schema/{protocol}/{table}/{file.name}",
                        hint="keep one of them",
                    )
                ]
            )
        merged |= part
    return merged


def read_sources() -> dict[str, Any]:
    """The lock of the bundled schemas: where each comes from, by protocol and version."""
    return _read_toml(SOURCES)


SOURCES = "schema/sources.toml"


def templates() -> Path:
    """The folder of the bundled Jinja templates."""
    return data_root() / "templates"


def data_root() -> Path:
    """The folder that holds `schema` and `templates`: inside the installed package, or the root of a checkout."""
    package = Path(__file__).resolve().parent
    return package / "_data" if is_installed() else package.parent.parent


def is_installed() -> bool:
    """Whether the data belong to an installed package, which nobody may write to, and not to a checkout."""
    return (Path(__file__).resolve().parent / "_data").is_dir()


def _read_toml(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads((data_root() / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(
            [Diagnostic("not-toml", f"not TOML: {error}", file=name, hint="correct the syntax")]
        ) from None
