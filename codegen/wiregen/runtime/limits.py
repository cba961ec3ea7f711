"""What a connection takes from its peer at most."""

import re
from dataclasses import dataclass, fields
from itertools import accumulate

from .codec import NESTING

__all__ = ["Limits"]

# One that does not end is matched too: it is looked at once, not from each of its quotes on.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_STEPS = {91: 1, 93: -1, 123: 1, 125: -1}  # [ and { go down, ] and } come up
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a connection. A message beyond them is refused with an error; the connection lives on."""

    message_size: int = 64 * 1024 * 1024
    """The longest message, in bytes."""
    nesting: int = NESTING
    """How deep arrays and objects may be nested in a message. It cannot be raised: the JSON parser goes no deeper."""
    requests: int = 16_384
    """How many requests of the peer may wait for their answers."""
    calls: int = 16_384
    """How many calls may wait for answers of the peer."""

    @property
    def harmless_size(self) -> int:
        """The longest message that is within the limits whatever it holds, in bytes."""
        return self.message_size if self.nesting >= NESTING else min(self.message_size, self.nesting)

    def __post_init__(self) -> None:
        """Raise `ValueError` for a bound that nothing would keep."""
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise ValueError(f"{field.name} is less than 1")

    def exceeded(self, data: bytes) -> str | None:
        """What a message exceeds, as a text; None if it may be read."""
        if len(data) > self.message_size:
            return f"the message is longer than {self.message_size} bytes"
        if self.nesting < NESTING and _is_deeper(data, self.nesting):
            return f"the message is nested deeper than {self.nesting} levels"
        return None


def _is_deeper(data: bytes, limit: int) -> bool:
    """Whether brackets are nested deeper than the limit. Of what is no JSON, anything may be said."""
    if data.count(b"[") + data.count(b"{") <= limit:
        return False
    brackets = _STRING.sub(b"", data).translate(None, _NO_BRACKETS)
    depth = 0
    for start in range(0, len(brackets), _CHUNK):
        depths = list(accumulate(map(_STEPS.__getitem__, brackets[start : start + _CHUNK]), initial=depth))
        if max(depths) > limit:
            return True
        depth = depths[-1]
    return False
