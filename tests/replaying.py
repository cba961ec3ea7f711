"""Replays one side of a recorded session into a connection of ours, which plays the other side.

What the recorded peer sent goes into the connection. What the other side sent then is what ours has to send now: its
handlers answer what was recorded, and calls are made when the recording comes to them. Whatever turns out otherwise is
a `Difference`.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import wiretypes
from fidelity.json_values import JSON, same
from recordings import Members, Recording, Side, members
from wiretypes import CapabilityError, RpcError, acp, mcp

SECONDS = 5
"""The longest to wait for a message that our side has to send."""

ROLES = {("acp", "client"): "Client", ("acp", "server"): "Agent", ("mcp", "client"): "Client", ("mcp", "server"): "Server"}
CONNECTIONS: dict[tuple[str, Side], Any] = {
    ("acp", "client"): acp.ClientConnection,
    ("acp", "server"): acp.AgentConnection,
    ("mcp", "client"): mcp.ClientConnection,
    ("mcp", "server"): mcp.ServerConnection,
}
OTHER: dict[Side, Side] = {"client": "server", "server": "client"}
OPENINGS = ("initialize", "server/discover")
CANCELLATIONS = ("notifications/cancelled", "$/cancel_request")


@dataclass(frozen=True)
class Difference:
    """Something that our side does otherwise than the recorded one did."""

    what: str
    """What kind of difference it is."""
    method: str
    """The method it is about."""
    details: str


@dataclass
class Outbound:
    """What our side has sent."""

    waiting: list[Members] = field(default_factory=list)
    """Messages that nobody has taken yet."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, data: bytes) -> None:
        message = json.loads(data)
        self.waiting += message if isinstance(message, list) else [message]
        self.changed.set()

    async def take(self, wanted: Callable[[Members], bool]) -> Members | None:
        """The first message that is wanted; None if none is sent in time."""
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    for message in self.waiting:
                        if wanted(message):
                            self.waiting.remove(message)
                            return message
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            return None
