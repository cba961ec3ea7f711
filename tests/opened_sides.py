"""One side of an open connection of each kind, whose peer is played by a test."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, Unpack

from wire import Json, Options, Wire, idle, notification, request, result
from wiretypes import acp, load, mcp
from wiretypes.acp import RpcError
from wiretypes.outbox import Send

ENVELOPE: Json = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}
Connection: TypeAlias = acp.AgentConnection | acp.ClientConnection | mcp.ServerConnection | mcp.ClientConnection
CONNECTIONS: Mapping[tuple[str, str], Callable[..., Connection]] = {
    ("acp", "agent"): acp.AgentConnection,
    ("acp", "client"): acp.ClientConnection,
    ("mcp", "server"): mcp.ServerConnection,
    ("mcp", "client"): mcp.ClientConnection,
}
INFO = {"name": "peer", "version": "1"}
DONE: Json = {"resultType": "complete", "done": True}
"""What `Faulty` answers."""


class Faulty:
    """Serves methods of the test's own in every way that a handler can, and hears notifications."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, object]] = []
        self.cancelled = 0
        self.released = asyncio.Event()

    async def extension_request(self, method: str, params: object) -> Json:
        if method == "test/raise":
            raise RuntimeError("a secret")
        if method == "test/refuse":
            raise RpcError(-31999, "refused", {"why": 1})
        if method == "test/hang":
            await self.hang()
        if method == "test/persist":
            with suppress(asyncio.CancelledError):
                await self.hang()
        return DONE

    async def extension_notification(self, method: str, params: object) -> None:
        self.heard.append((method, params))
        if method == "test/raise":
            raise RuntimeError("a secret")

    async def hang(self) -> None:
        """Wait until the test says so, or cancels."""
        try:
            await self.released.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@dataclass(frozen=True)
class Side:
    """One side of one version."""

    protocol: str
    version: str
    side: str
    has_null_errors: bool = True
    """Whether the error for a message without a readable id has null for it; else it has none."""
    has_batches: bool = False

    @property
    def name(self) -> str:
        return f"{self.protocol}-{self.version}-{self.side}"

    @property
    def answers_cancelled(self) -> bool:
        return self.protocol == "acp"

    def handler(self) -> Faulty:
        """A handler that serves what the test asks for."""
        module: Any = load(self.protocol, self.version)
        base = getattr(module, f"{self.side.capitalize()}Handler")
        info = module.Implementation(name="ours", version="1")
        made: Faulty = type("Handler", (Faulty, base), {"info": info})()
        return made

    async def open(self, **options: Unpack[Options]) -> "Opened":
        """An open connection; the options are those of its class."""
        handler = self.handler()
        reads = asyncio.Event()
        reads.set()

        def make(send: Send) -> Connection:
            async def send_when_read(data: bytes) -> None:
                await reads.wait()
                await send(data)

            return CONNECTIONS[self.protocol, self.side]([handler], send_when_read, **options)

        wire = Wire(make)
        await (self._answer_opening(wire) if self.side == "client" else self._open(wire))
        wire.sent.clear()
        return Opened(self, handler, wire, reads)

    async def _open(self, wire: Wire[Connection]) -> None:
        if self.version == "2026-07-28":
            await wire.receive(request("server/discover", ENVELOPE, "open"))
        else:
            await wire.receive(request("initialize", self._offer(), "open"))
        if self.protocol == "mcp" and self.version != "2026-07-28":
            await wire.receive(notification("notifications/initialized"))
        await idle()

    async def _answer_opening(self, wire: Wire[Connection]) -> None:
        connection = wire.connection
        assert isinstance(connection, acp.ClientConnection | mcp.ClientConnection)
        opening = asyncio.ensure_future(connection.initialize())
        await idle()
        await wire.receive(result(self._answer(), wire.sent[0]["id"]))
        await opening
        await idle()

    def _offer(self) -> Json:
        if self.protocol == "mcp":
            return {"protocolVersion": self.version, "capabilities": {}, "clientInfo": INFO}
        return {"protocolVersion": 1} if self.version == "v1" else {"protocolVersion": 2, "info": INFO}

    def _answer(self) -> Json:
        if self.protocol == "acp":
            return {"protocolVersion": 2, "info": INFO, "capabilities": {}}
        return {"protocolVersion": self.version, "capabilities": {}, "serverInfo": INFO}


@dataclass
class Opened:
    """An open connection and its handler; the peer reads what is sent as long as `reads` is set."""

    side: Side
    handler: Faulty
    wire: Wire[Connection]
    reads: asyncio.Event

    @property
    def connection(self) -> Connection:
        return self.wire.connection

    def request(self, what: str, id_: object) -> Json:
        """A request for one of the methods of `Faulty`."""
        return request(f"test/{what}", ENVELOPE if self.side.version == "2026-07-28" else {}, id_)

    def cancellation(self, id_: object) -> Json:
        method = "$/cancel_request" if self.side.protocol == "acp" else "notifications/cancelled"
        return notification(method, {"requestId": id_})

    async def lives(self) -> None:
        """Assert that the connection still answers, and close it."""
        assert await self.wire.answers(self.request("answer", "alive")) == result(DONE, "alive")
        await self.connection.close()


SIDES = (
    Side("acp", "v1", "agent"),
    Side("acp", "v2", "agent"),
    Side("acp", "v2", "client"),
    Side("mcp", "2025-03-26", "server", has_batches=True),
    Side("mcp", "2025-06-18", "server"),
    Side("mcp", "2025-11-25", "server", has_null_errors=False),
    Side("mcp", "2025-11-25", "client", has_null_errors=False),
    Side("mcp", "2026-07-28", "server", has_null_errors=False),
)
