"""Generates typed message classes for ACP and MCP from their JSON Schemas.

What a program needs is here: `generate` makes packages in memory, `load` gives one protocol version as data. Each name
is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wiregen.catalogue import Target
    from wiregen.errors import Diagnostic, InvalidInput
    from wiregen.ir import Protocol
    from wiregen.library import Result, generate, load, read_config
    from wiregen.settings import Config, Output

__all__ = [
    "Config",
    "Diagnostic",
    "InvalidInput",
    "Output",
    "Protocol",
    "Result",
    "Target",
    "generate",
    "load",
    "read_config",
]

__version__ = "0.1.0"

_HOME = {
    "Config": "settings",
    "Diagnostic": "errors",
    "InvalidInput": "errors",
    "Output": "settings",
    "Protocol": "ir",
    "Target": "catalogue",
}

if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"wiregen.{_HOME.get(name, 'library')}"), name)
