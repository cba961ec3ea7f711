"""What it costs to bring a message through a connection into a handler, beside decoding it alone.

Of requests, the time counts until the handler runs; their answers do not. They are handled concurrently, so each has a
task of its own: what decoding and such a task cost together is measured too.
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
IN_A_TASK: Final = "decode_message and asyncio.create_task"
DELIVERED: Final = WIRETYPES

_AT_ONCE: Final = 100
_SIDES: Final = {"client": ("Agent", "Server"), "agent": ("Client",), "server": ("Client",)}
_OPENING: Final = ("initialize", "server/discover")
_INFO: Final = {"name": "n", "version": "1"}
_RESULTS: Final[dict[str, Any]] = {"session/prompt": {"stopReason": "end_turn"}, "tools/call": {"content": []}}

MEASURED: Final = [m for m in MESSAGES if m.part == "params" and m.method not in _OPENING and m.version != "2026-07-28"]
"""The messages of sessions that a handshake opens."""


def measure(*, quick: bool) -> list[Figure]:
    """Figures of each message: delivered, decoded alone, and requests decoded in a task."""
    return asyncio.run(_measure(rounds=5 if quick else 100))


def key(message: Message, contender: str) -> Key:
    """Where the figure of a message is found."""
    return Key(BENCHMARK, message.title, contender)


async def _measure(rounds: int) -> list[Figure]:
    figures: list[Figure] = []
    for message in MEASURED:
        arrivals = Arrivals()
        connection = await _open(message, arrivals)
        settle()
        values: dict[str, list[float]] = {DELIVERED: [], DECODED: [], IN_A_TASK: []}
        for _ in range(rounds + 1):
            values[DELIVERED].append(await _deliver(message, connection, arrivals))
            values[DECODED].append(_decode(message))
            values[IN_A_TASK].append(await _start_tasks(message, arrivals))
        await connection.close()
        if message.id is None:
            del values[IN_A_TASK]
        figures += (Figure(key(message, name), "seconds", tuple(taken[1:])) for name, taken in values.items())
    return figures


def _decode(message: Message) -> float:
    decode, whole, sender = load(message.protocol, message.version).decode_message, message.whole, message.sender
    start = process_time()
    for _ in range(_AT_ONCE):
        decode(whole, sender=sender)
    return (process_time() - start) / _AT_ONCE


async def _start_tasks(message: Message, arrivals: "Arrivals") -> float:
    decode, whole, sender = load(message.protocol, message.version).decode_message, message.whole, message.sender

    async def handle(_: object) -> None:
        await arrivals.note()

    arrivals.begin()
    start = process_time()
    tasks = [asyncio.create_task(handle(decode(whole, sender=sender))) for _ in range(_AT_ONCE)]
    spent = await arrivals.all_there() - start
    arrivals.release()
    await asyncio.wait(tasks)
    return spent / _AT_ONCE


async def _deliver(message: Message, connection: Any, arrivals: "Arrivals") -> float:
    """The time until the last of some messages is in its handler, for each of them."""
    mark = b'"id":%d' % (message.id or 0)
    messages = [message.whole.replace(mark, b'"id":%d' % number, 1) for number in range(1, _AT_ONCE + 1)]
    arrivals.begin()
    start = process_time()
    for data in messages:
        await connection.receive(data)
    spent = await arrivals.all_there() - start
    arrivals.release()
    await connection.drain()
    return spent / _AT_ONCE


class Arrivals:
    """Knows when the last of a round's messages was in its handler, and keeps the handlers waiting until then."""

    def begin(self) -> None:
        """Start a round."""
        self._last: float | None = None
        self._missing = _AT_ONCE
        self._end: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def all_there(self) -> float:
        """The time at which the last of them came."""
        while self._last is None:
            await asyncio.sleep(0)
        return self._last

    def release(self) -> None:
        """Let the handlers return."""
        self._end.set_result(None)

    def note(self) -> asyncio.Future[None]:
        """One more is there; it has to wait for what is returned."""
        self._missing -= 1
        if not self._missing:
            self._last = process_time()
        return self._end


async def _open(message: Message, arrivals: Arrivals) -> Any:
    """The connection that a message goes to, open, with handlers that note when they run."""
    module: Any = load(message.protocol, message.version)
    side = next(side for side in _SIDES[message.sender] if hasattr(module, f"{side}Handler"))
    other = next(name for name in ("Agent", "Server", "Client") if hasattr(module, f"{name}Handler") and name != side)

    async def handle(_self: object, _params: object) -> Any:
        end = arrivals.note()
        if message.id is None:
            return None
        await end
        return _RESULTS[message.method]

    receiving = _handler(module, side, {getattr(module, f"{side}Handler").role.methods[message.method]: handle})
    answering, client = (receiving, _handler(module, other, {}))[:: 1 if side != "Client" else -1]
    protocol = acp if message.protocol == "acp" else mcp
    connections: dict[str, Any] = {}
    is_open = False

    async def to_client(data: bytes) -> None:
        if not is_open:
            await connections["client"].receive(data)

    async def to_answering(data: bytes) -> None:
        await connections["answering"].receive(data)

    make = acp.AgentConnection if protocol is acp else mcp.ServerConnection
    connections["answering"] = make([answering], to_client)
    connections["client"] = protocol.ClientConnection([client], to_answering)
    await connections["client"].initialize()
    await asyncio.sleep(0)
    is_open = True  # from here on the client has sent nothing that could be answered
    return connections["client" if side == "Client" else "answering"]


def _handler(module: Any, side: str, members: dict[str, Any]) -> Any:
    base = getattr(module, f"{side}Handler")
    features = tuple(base.role.rules.sides[base.role.side].ways)
    return type("Handler", (base,), {"info": module.Implementation(**_INFO), "features": features, **members})
