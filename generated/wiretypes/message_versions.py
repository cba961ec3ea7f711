"""What a version module offers that reads messages."""

from typing import Any, Protocol

from . import versions
from .jsonrpc import Message, Results

__all__ = ["VersionModule"]


class VersionModule(versions.VersionModule, Protocol):
    """A module that holds one version of one protocol."""

    def decode_message(self, data: object, *, sender: Any, results: Results | None = None) -> Message | list[Message]:
        """Read a JSON-RPC message, or a batch where the version has them; raises `MessageError`.

        The sender is one of those that `METHODS` names.
        """
        ...
