"""Moved to wiregen.document: `wiregen.load` becomes the public function."""

from wiregen.document import DRAFT_07, DRAFT_2020_12, Document, parse, read

__all__ = ["DRAFT_07", "DRAFT_2020_12", "Document", "parse", "read"]
