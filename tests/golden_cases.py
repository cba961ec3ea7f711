"""The cases of `tests/golden`, each a schema of its own, and what is generated from it."""

import tomllib
from functools import cache
from pathlib import Path

from schemas import version_modules

from wiregen.document import read
from wiregen.ir import Protocol
from wiregen.lower import lower

CASES = sorted(folder.parent for folder in Path(__file__).parent.glob("golden/*/schema.json"))


@cache
def lowered(case: Path) -> Protocol:
    options = tomllib.loads((case / "options.toml").read_text(encoding="utf-8"))
    return lower(read(case / "schema.json"), options["protocol"], options["version"])


@cache
def generated(case: Path) -> dict[str, str]:
    """The modules of a case's version, by file name."""
    return version_modules(lowered(case))
