"""How long what runs gets to end by itself when a connection over pipes ends."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

__all__ = ["GRACE", "in_time"]

GRACE: Final = 5.0
"""In seconds."""


async def in_time(awaited: Awaitable[object]) -> bool:
    """Wait for something no longer than that; returns whether it happened."""
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await awaited
            return True
    return False
