"""What the tests of `decode_message` share: versions, texts of messages, and where data is at fault."""

import json
from typing import Any

import pytest
import wiretypes
from wiretypes import VersionModule, load
from wiretypes.jsonrpc import MessageError

VERSIONS = [(protocol, version) for protocol, held in wiretypes.VERSIONS.items() for version in held]
every_version = pytest.mark.parametrize(("protocol", "version"), VERSIONS)

DIFFERENT = [
    *(load("acp", version) for version in ("v1", "v2")),
    *(load("mcp", version) for version in ("2024-11-05", "2025-03-26", "2025-11-25", "2026-07-28")),
]
"""One version of each set of rules for messages."""
different_versions = pytest.mark.parametrize("module", DIFFERENT, ids=lambda module: module.VERSION)


def line(**members: object) -> bytes:
    """A message as text."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def fault(module: VersionModule, data: object, sender: str = "client", **options: Any) -> tuple[int, str]:
    """Code and pointer of the error that data leads to."""
    with pytest.raises(MessageError) as caught:
        module.decode_message(data, sender=sender, **options)
    return caught.value.code, caught.value.pointer
