"""Who is told what a run is at."""

from collections.abc import Callable
from typing import TypeAlias

OnStep: TypeAlias = Callable[[str], None]
"""Is told what is done next, before it is done."""


def tell_nobody(_step: str) -> None:
    """For runs that nobody watches."""
