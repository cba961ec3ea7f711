"""The generated package as the tests see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import wiretypes

VERSIONS = [(protocol, version) for protocol, versions in wiretypes.VERSIONS.items() for version in versions]


@dataclass(frozen=True, slots=True)
class Package:
    """The package with the types of one version, or others, under the names that the cases have."""

    types: Mapping[str, Any]

    @classmethod
    def of(cls, protocol: str, version: str) -> "Package":
        return cls(wiretypes.load(protocol, version).TYPES)

    def decode(self, type_: Any, data: Any) -> Any:
        return wiretypes.decode(type_, data)

    def encode(self, value: object, type_: object = None) -> bytes:
        return wiretypes.encode(value, type_)
