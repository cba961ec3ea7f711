"""What a dialect makes of a schema."""

from __future__ import annotations

from typing import NamedTuple

from wiregen.ir import Declaration, Method


class Lowered(NamedTuple):
    """Declarations by name, methods, and the requests that travel inside results."""

    declarations: dict[str, Declaration]
    methods: tuple[Method, ...]
    embedded: tuple[Method, ...] = ()
