"""Attributes of a module that are loaded when they are first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_attributes"]


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """What to call `__getattr__` in a package.

    Args:
        package: the package's name.
        modules: the module that has each attribute, relative to the package. A module of that name is one as well.
    """

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(modules[name], package)
        value = getattr(module, name, module)
        setattr(sys.modules[package], name, value)
        return value

    return find
