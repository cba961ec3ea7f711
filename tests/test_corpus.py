"""The messages of the specifications' pages, where they are present, under each definition that they stand for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fidelity.cases import Judge
from fidelity.counts import measure
from fidelity.json_values import JSON, read_lines
from fidelity.oracle import Oracle, oracle
from fidelity.package import Package
from fidelity.shared import material

corpus = pytest.mark.parametrize("file", material("corpus", "*.jsonl"))


@corpus
def test_corpus(file: Path) -> None:
    protocol, version = file.stem.split("-", 1)
    judge = Judge.of(oracle(protocol, version))
    cases = [judge.case(name, value) for row in read_lines(file) for name, value in _values(judge.oracle, row)]
    tally = measure(Package.of(protocol, version), cases)
    assert not tally.failed, tally.report()
    assert tally.total["kept"] > 50


@corpus
def test_the_corpus_agrees_with_the_oracle(file: Path) -> None:
    protocol, version = file.stem.split("-", 1)
    judge = oracle(protocol, version)
    for row in read_lines(file):
        accepted = all(judge.accepts(name, value) for name, value in _values(judge, row))
        assert accepted == row["schema_valid"], row


def _values(judge: Oracle, row: dict[str, Any]) -> Iterator[tuple[str, JSON]]:
    """What a row holds under each of its definitions: the whole message, or its params, result or error."""
    message: dict[str, JSON] = row["message"]
    for pointer in row["definition"]:
        # Others are `<root>`, which is no type, and remarks.
        if pointer.startswith(f"#/{judge.root}/"):
            name = pointer.rsplit("/", 1)[1]
            whole = row["kind"] == "object" or (judge.protocol == "mcp" and _is_message(judge, name))
            yield name, message if whole else _content(message)


def _is_message(judge: Oracle, name: str) -> bool:
    return bool({"jsonrpc", "method"} & judge.definitions[name].get("properties", {}).keys())


def _content(message: dict[str, JSON]) -> JSON:
    return next((message[key] for key in ("params", "result", "error") if key in message), None)
