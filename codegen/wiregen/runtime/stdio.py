"""Connections over pipes: one message a line, in UTF-8."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from . import grace
from .lines import Transported, receiving
from .outbox import Send
from .program import start
from .standard_streams import Input, Output

__all__ = ["connect", "serve"]

C = TypeVar("C", bound=Transported)


async def serve(connection: Callable[[Any, Send], Transported], handlers: Sequence[Any]) -> None:
    """Serve the peer at standard input and output until it closes its end; what runs then may end, for a few seconds.

    Standard output is for messages alone: `print` to standard error.

    Args:
        connection: makes the connection of its handlers, as the class `acp.AgentConnection` does.
        handlers: the handlers.
    """
    made = connection(handlers, Output(sys.stdout.fileno()).send)
    async with receiving(made, Input(sys.stdin.fileno()).read) as (reading, handing_over):
        await reading
        with suppress(TimeoutError):
            async with asyncio.timeout(grace.GRACE):
                await handing_over
                await made.drain()


@asynccontextmanager
async def connect(connection: Callable[[Any, Send], C], handlers: Sequence[Any], *command: str) -> AsyncGenerator[C]:
    """Start a program and connect to its standard input and output. Both end with the context.

    Once its input is closed, the program has a few seconds to end by itself, and so has what it has started that holds
    its output open. Then both are ended; on Windows the program alone.

    Args:
        connection: makes the connection of its handlers, as the class `acp.ClientConnection` does.
        handlers: the handlers.
        command: the program and its arguments.

    Raises:
        OSError: the program cannot be started.
        ValueError: the handlers are refused.
    """
    program = await start(command)
    try:
        made = connection(handlers, program.send)
        async with receiving(made, program.read):
            yield made
    finally:
        await program.end()
