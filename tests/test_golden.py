"""Small schemas of our own, one a construct or naming rule: what is generated from each, and how that behaves.

A case is a folder with `schema.json`, `options.toml` (protocol and version), `instances.json` (values, what they decode
to and what is wrong with the bad ones) and `expected/`, the version's modules. The support modules beside them are the
same for every schema.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fidelity.json_values import same
from golden_cases import CASES, generated
from schemas import Package, import_package

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_generated_code_is_the_expected(case: Path, request: pytest.FixtureRequest) -> None:
    expected = case / "expected"
    made = generated(case)
    if request.config.getoption("--update-golden"):
        expected.mkdir(exist_ok=True)
        for stale in {file.name for file in expected.glob("*.py")} - made.keys():
            (expected / stale).unlink()
        for name, text in made.items():
            (expected / name).write_text(text, encoding="utf-8", newline="\n")
    assert {file.name: file.read_text(encoding="utf-8") for file in sorted(expected.glob("*.py"))} == made


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Package]:
    """The package of a case, imported once."""
    folder = tmp_path_factory.mktemp("golden")

    @cache
    def made(case: Path) -> Package:
        return import_package(generated(case), folder, f"golden_{case.name}")

    return made


def instances() -> Iterator[Any]:
    for case in CASES:
        for index, instance in enumerate(json.loads((case / "instances.json").read_text(encoding="utf-8"))):
            shown = instance["text"] if "text" in instance else json.dumps(instance["value"])
            yield pytest.param(case, instance, id=f"{case.name}-{index}-{instance['type']}-{shown[:40]}")


@pytest.mark.parametrize(("case", "instance"), list(instances()))
def test_instance(case: Path, instance: dict[str, Any], package: Callable[[Path], Package]) -> None:
    made = package(case)
    type_ = getattr(made.version, instance["type"])
    text = instance["text"] if "text" in instance else json.dumps(instance["value"])
    assert is_accepted(case, instance["type"], text) in (instance["valid"], None) or "encodes" in instance
    parsed = json.loads(text)
    for data in (text, text.encode(), *([] if isinstance(parsed, str) else [parsed])):
        if instance["valid"]:
            check_value(made, made.decode(type_, data), instance)
        else:
            check_problems(made, type_, data, instance)


def check_value(made: Package, value: object, instance: dict[str, Any]) -> None:
    if "class" in instance:
        assert type(value).__name__ == instance["class"]
    for name, expected in instance.get("reads", {}).items():
        found = getattr(value, name)
        assert same(json.loads(made.encode(found)), expected) or contains(json.loads(made.encode(found)), expected)
    encoded = json.loads(made.encode(value))
    if "text" in instance:
        assert encoded == json.loads(instance["text"])
    else:
        assert same(encoded, instance.get("encodes", instance["value"]))


def contains(found: object, expected: object) -> bool:
    return isinstance(found, dict) and isinstance(expected, dict) and expected.items() <= found.items()


def check_problems(made: Package, type_: object, data: object, instance: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        made.decode(type_, data)
    found = [pointer for pointer, _ in made.problems(caught.value)]
    assert found
    if "problems" in instance:
        assert found == instance["problems"]


def is_accepted(case: Path, name: str, text: str) -> bool | None:
    """What an independent validator says; None for a type that is no definition."""
    validator = validators(case).get(name)
    return None if validator is None else validator.is_valid(json.loads(text))


@cache
def validators(case: Path) -> dict[str, Any]:
    document = json.loads((case / "schema.json").read_text(encoding="utf-8"))
    found = jsonschema_rs.validator_map_for(document, validate_formats=False)
    key = "$defs" if "$defs" in document else "definitions"
    return {name: found[f"#/{key}/{name}"] for name in document[key]}
