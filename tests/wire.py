"""Connections in memory: two of ours that talk to each other, or one whose peer is played by the test."""

import asyncio
import functools
import json
from collections.abc import Callable, Coroutine
from typing import Any, Generic, ParamSpec, Protocol, TypeAlias, TypedDict, TypeVar

from wiretypes.connection import OnViolation
from wiretypes.limits import Limits
from wiretypes.outbox import Send
from wiretypes.session import Enforcement

SECONDS = 20
"""How long a test may take."""

P = ParamSpec("P")
A_co = TypeVar("A_co", bound="Connection", covariant=True)
C_co = TypeVar("C_co", bound="Connection", covariant=True)

Json: TypeAlias = dict[str, Any]
"""A JSON object, as it is parsed."""


class Options(TypedDict, total=False):
    """The options that connections of all sides have."""

    capabilities: Enforcement
    limits: Limits
    on_violation: OnViolation


class Connection(Protocol):
    """What a transport uses of a connection."""

    async def receive(self, data: bytes) -> None: ...
    async def drain(self) -> None: ...
    async def close(self) -> None: ...


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that is a coroutine; no task may outlive it."""

    async def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async with asyncio.timeout(SECONDS):
            await test(*args, **kwargs)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left

    @functools.wraps(test)
    def in_a_loop(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(run(*args, **kwargs))

    return in_a_loop


async def idle() -> None:
    """Let everything go on that does not wait for the test."""
    for _ in range(50):
        await asyncio.sleep(0)


class Wire(Generic[C_co]):
    """A connection of ours; `sent` is what it has sent, parsed. Whoever wants it otherwise replaces `take`."""

    def __init__(self, make: Callable[[Send], C_co]) -> None:
        self.sent: list[Any] = []
        self.take: Send = self._note
        self.connection = make(self._send)

    async def _send(self, data: bytes) -> None:
        await self.take(data)

    async def _note(self, data: bytes) -> None:
        assert b"\n" not in data
        self.sent.append(json.loads(data))

    async def receive(self, message: object) -> None:
        """Have a message arrive: bytes as they are, anything else as JSON."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        await self.connection.receive(data)

    async def ask(self, message: object) -> list[Any]:
        """Have a request arrive, and return all that is sent until nothing goes on any more."""
        before = len(self.sent)
        await self.receive(message)
        await idle()
        return self.sent[before:]

    async def answers(self, message: object) -> Any:
        """The one message with which a request is answered."""
        (answer,) = await self.ask(message)
        return answer


class Pair(Generic[A_co, C_co]):
    """Two connections of ours that talk to each other; `log` has the messages, parsed, each with who sent it."""

    def __init__(
        self,
        answering: Callable[[Send], A_co],
        client: Callable[[Send], C_co],
    ) -> None:
        self.log: list[tuple[str, Any]] = []
        self.answering = answering(self._to_client)
        self.client = client(self._to_answering)

    async def _to_client(self, data: bytes) -> None:
        self.log.append(("answering", json.loads(data)))
        await self.client.receive(data)

    async def _to_answering(self, data: bytes) -> None:
        self.log.append(("client", json.loads(data)))
        await self.answering.receive(data)

    def sent(self, by: str, method: str) -> list[Any]:
        """The messages of one side with a method."""
        return [message for sender, message in self.log if sender == by and message.get("method") == method]

    async def close(self) -> None:
        """Close both."""
        await self.client.close()
        await self.answering.close()


def request(method: str, params: object = None, id_: object = 1) -> Json:
    """A request."""
    message: Json = {"jsonrpc": "2.0", "id": id_, "method": method}
    return message if params is None else {**message, "params": params}


def notification(method: str, params: object = None) -> Json:
    """A notification."""
    message: Json = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def result(value: object, id_: object = 1) -> Json:
    """The answer to a request that succeeded."""
    return {"jsonrpc": "2.0", "id": id_, "result": value}


def code(answer: Any) -> Any:
    """The code of an error answer."""
    return answer["error"]["code"]
