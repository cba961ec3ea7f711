"""Tasks of the loop that runs."""

import asyncio
from collections.abc import Coroutine
from typing import Any

__all__ = ["FATAL", "Tasks"]

FATAL = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""What ends the program, or the task with its loop: nothing of it is to be answered."""


class Tasks:
    """Starts tasks without asking for the loop, and making up a name, each time: that takes longer than the task."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Have some work done by a task of its own."""
        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.get_running_loop()
        return self._loop.create_task(work, name=name)
