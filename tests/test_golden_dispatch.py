"""Small schemas of our own, one a protocol: which handlers and callers are made of them."""

from pathlib import Path

import pytest

from wiregen.bundled_rules import bundled_rules
from wiregen.document import read
from wiregen.emit import dispatch
from wiregen.format import format_files
from wiregen.lower import lower

FOLDER = Path(__file__).parent / "golden_dispatch"


@pytest.mark.parametrize(("protocol", "version"), [("acp", "v2"), ("mcp", "2026-07-28")])
def test_handlers_and_callers(protocol: str, version: str, request: pytest.FixtureRequest) -> None:
    lowered = lower(read(FOLDER / protocol / "schema.json"), protocol, version)
    made = format_files(dispatch.emit(lowered, bundled_rules(protocol), "the case"))
    expected = FOLDER / protocol / "expected"
    if request.config.getoption("--update-golden"):
        expected.mkdir(exist_ok=True)
        for name, text in made.items():
            (expected / name).write_text(text, encoding="utf-8", newline="\n")
    assert {file.name: file.read_text(encoding="utf-8") for file in expected.glob("*.py")} == made
