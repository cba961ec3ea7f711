"""What a connection takes from its peer at most."""

import re
from dataclasses import dataclass

__all__ = ["Limits"]

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a connection. A message beyond them is refused with an error; the connection lives on."""

    message_size: int = 64 * 1024 * 1024
    """The longest message, in bytes."""
    nesting: int = 128
    """How deep arrays and objects may be nested in a message; beyond 200 the JSON parser has a limit of its own."""
    requests: int = 16_384
    """How many requests of the peer may wait for their answers."""
    calls: int = 16_384
    """How many calls may wait for answers of the peer."""

    def exceeded(self, data: bytes) -> str | None:
        """What a message exceeds, as a text; None if it may be read."""
        if len(data) > self.message_size:
            return f"the message is longer than {self.message_size} bytes"
        # Brackets are counted first, which costs next to nothing and answers for most messages.
        if data.count(b"[") + data.count(b"{") > self.nesting and _is_deeper(data, self.nesting):
            return f"the message is nested deeper than {self.nesting} levels"
        return None


def _is_deeper(data: bytes, limit: int) -> bool:
    """Whether brackets are nested deeper than the limit. Of what is no JSON, anything may be said."""
    brackets = _STRING.sub(b"", data).translate(None, _NO_BRACKETS)
    for _ in range(limit):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)
