"""Exceptions that can be copied and pickled, as a pool of processes does."""

from typing import Any

__all__ = ["Picklable"]


class Picklable(Exception):
    """An exception that is copied by what it holds, whatever its class is called with."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _empty, (self.__class__, self.args), vars(self)


def _empty(cls: type[Exception], args: tuple[Any, ...]) -> Exception:
    return cls.__new__(cls, *args)
