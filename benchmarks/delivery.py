"""What it costs to bring a message through a connection into a handler, beside decoding it alone.

Of requests, the time counts until the handler runs; their answers do not.
"""

import asyncio
from time import process_time
from typing import Any, Final

from wiretypes import acp, load, mcp

from benchmarks.contenders import WIRETYPES
from benchmarks.figures import Figure, Key
from benchmarks.measure import settle
from benchmarks.messages import MESSAGES, Message

BENCHMARK: Final = "delivery"
DECODED: Final = "decode_message"
DELIVERED: Final = WIRETYPES

_AT_ONCE: Final = 100
_SIDES: Final = {"client": ("Agent", "Server"), "agent": ("Client",), "server": ("Client",)}
_OPENING: Final = ("initialize", "server/discover")
_INFO: Final = {"name": "n", "version": "1"}

MEASURED: Final = [m for m in MESSAGES if m.part == "params" and m.method not in _OPENING and m.version != "2026-07-28"]
"""The messages of sessions that a handshake opens."""


def measure(*, quick: bool) -> list[Figure]:
    """Figures of each message: decoded alone, and delivered."""
    return asyncio.run(_measure(rounds=5 if quick else 60))


def keys(message: Message) -> tuple[Key, Key]:
    """Where the figures of a message are found: delivered, and decoded alone."""
    return Key(BENCHMARK, message.title, DELIVERED), Key(BENCHMARK, message.title, DECODED)


async def _measure(rounds: int) -> list[Figure]:
    settle()
    figures: list[Figure] = []
    for message in MEASURED:
        values = [(await _deliver(message), _decode(message)) for _ in range(rounds + 1)]
        figures += (
            Figure(key, "seconds", of_one[1:])
            for key, of_one in zip(keys(message), zip(*values, strict=True), strict=True)
        )
    return figures


def _decode(message: Message) -> float:
    decode, whole, sender = load(message.protocol, message.version).decode_message, message.whole, message.sender
    start = process_time()
    for _ in range(_AT_ONCE):
        decode(whole, sender=sender)
    return (process_time() - start) / _AT_ONCE


async def _deliver(message: Message) -> float:
    """The time until the last of some messages is in its handler, for each of them."""
    arrived = _Arrived()
    connection = await _open(message, arrived)
    mark = b'"id":%d' % (message.id or 0)
    messages = [message.whole.replace(mark, b'"id":%d' % number, 1) for number in range(_AT_ONCE + 1)]
    await connection.receive(messages.pop())  # what is built when it is first needed
    while not arrived.count:
        await asyncio.sleep(0)
    start = process_time()
    for data in messages:
        await connection.receive(data)
    while arrived.count <= _AT_ONCE:
        await asyncio.sleep(0)
    await connection.close()
    return (arrived.last - start) / _AT_ONCE


class _Arrived:
    """Counts the messages that are in their handlers, and knows when the last one was."""

    def __init__(self) -> None:
        self.count = 0
        self.last = 0.0
        self.never = asyncio.get_running_loop().create_future()

    def note(self) -> None:
        """One more."""
        self.count += 1
        if self.count == _AT_ONCE + 1:
            self.last = process_time()


async def _open(message: Message, arrived: _Arrived) -> Any:
    """The connection that a message goes to, open, with handlers that note when they run and never return."""
    module: Any = load(message.protocol, message.version)
    side = next(side for side in _SIDES[message.sender] if hasattr(module, f"{side}Handler"))
    other = next(name for name in ("Agent", "Server", "Client") if hasattr(module, f"{name}Handler") and name != side)

    async def handle(_self: object, _params: object) -> None:
        arrived.note()
        if message.id is not None:
            await arrived.never

    receiving = _handler(module, side, {getattr(module, f"{side}Handler").role.methods[message.method]: handle})
    answering, client = (receiving, _handler(module, other, {}))[:: 1 if side != "Client" else -1]
    protocol = acp if message.protocol == "acp" else mcp
    connections: dict[str, Any] = {}

    async def to_client(data: bytes) -> None:
        await connections["client"].receive(data)

    async def to_answering(data: bytes) -> None:
        await connections["answering"].receive(data)

    make = acp.AgentConnection if protocol is acp else mcp.ServerConnection
    connections["answering"] = make([answering], to_client)
    connections["client"] = protocol.ClientConnection([client], to_answering)
    await connections["client"].initialize()
    await asyncio.sleep(0)
    return connections["client" if side == "Client" else "answering"]


def _handler(module: Any, side: str, members: dict[str, Any]) -> Any:
    base = getattr(module, f"{side}Handler")
    features = tuple(base.role.rules.sides[base.role.side].ways)
    return type("Handler", (base,), {"info": module.Implementation(**_INFO), "features": features, **members})
