"""Jinja templates to text."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from wiregen import catalogue, literals


@cache
def _environment(folder: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["literal"] = literals.literal
    environment.filters["docstring"] = literals.docstring
    return environment


def render(template: str, /, **values: Any) -> str:
    """The text that a template gives; a value that it asks for and does not get is an error."""
    return _environment(catalogue.templates()).get_template(template).render(**values)
