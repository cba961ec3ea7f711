"""Moved to wiregen.pipeline (edit that one): `wiregen.generate` becomes the public function."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from wiregen import pipeline
from wiregen.catalogue import Target
from wiregen.pipeline import Generated, read
from wiregen.settings import Output

__all__ = ["Generated", "generate", "read"]


def generate(targets: Iterable[Target], schemas: Mapping[Target, Path] | None = None, *, package: str) -> Generated:
    return pipeline.generate(Output(folder=Path(package), package=package, versions=tuple(targets), schemas=schemas or {}))
