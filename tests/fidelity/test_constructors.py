"""Every class of every version, built by its constructor with Python names, encodes to what the schema accepts."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest
import wiretypes
from pydantic import BaseModel
from wiretypes.model import Model

from .cases import RECIPES, instances
from .instances import Maker
from .json_values import JSON, same, text
from .messages import Message, Spot
from .oracle import oracle
from .package import VERSIONS

EACH = 6
"""How many values of a class are rebuilt."""


@pytest.mark.parametrize(("protocol", "version"), VERSIONS)
def test_constructors(protocol: str, version: str) -> None:
    rebuilt: Counter[type[BaseModel]] = Counter()
    wrong: dict[str, str] = {}
    for message in _messages(protocol, version):
        for spot in message.spots():
            class_ = type(spot.model)
            if rebuilt[class_] < EACH:
                rebuilt[class_] += 1
                for problem in _problems(message, spot):
                    example = f"in {message.definition} {text(message.given)}"
                    known = wrong.setdefault(f"{class_.__name__} {problem}", example)
                    wrong[f"{class_.__name__} {problem}"] = min(known, example, key=len)
    assert not wrong, "\n".join(f"{problem}, {example}" for problem, example in sorted(wrong.items()))
    never = sorted(class_.__name__ for class_ in _classes(protocol, version) - rebuilt.keys())
    assert not never, f"no instance of a definition holds one of {never}"


def _messages(protocol: str, version: str) -> Iterator[Message]:
    """Instances of every definition, decoded, without unknown fields but where any JSON may stand."""
    judge = oracle(protocol, version)
    recipes = [recipe for recipe in RECIPES if recipe.unknown == 0]
    for definition, instance, _ in instances(judge, Maker(judge), recipes):
        yield Message.decoded(judge, definition, instance.value)


def _classes(protocol: str, version: str) -> set[type[BaseModel]]:
    """The classes that the module of a version defines."""
    module = wiretypes.load(protocol, version)
    return {value for value in vars(module).values() if isinstance(value, type) and issubclass(value, BaseModel)}


def _problems(message: Message, spot: Spot) -> Iterator[str]:
    fields = spot.fields()
    written = message.written_with(spot, type(spot.model)(**fields))
    if not spot.model.model_extra and not same(written, message.given):
        yield f"rebuilt from all its fields encodes as {text(written)}"
    needed = {name: value for name, value in fields.items() if not _builds(spot, fields, without=name)}
    for name in needed:
        if name == "result_type" or _constant(spot.model, name):
            yield f"does not fill in {name}"
    smallest = type(spot.model)(**needed)
    yield from _refused(message, spot, "from its required fields", needed)
    for name in type(smallest).model_fields:
        if not wiretypes.present(smallest, name):
            yield from _refused(message, spot, f"with None for {name}", {**needed, name: None})


def _refused(message: Message, spot: Spot, how: str, fields: dict[str, Any]) -> Iterator[str]:
    try:
        written: JSON = message.written_with(spot, type(spot.model)(**fields))
    except ValueError as error:
        yield f"built {how} raises {' '.join(str(error).split())[:160]}"
        return
    if not message.accepts(written):
        yield f"built {how} encodes as {text(written)}, which the schema refuses"


def _builds(spot: Spot, fields: dict[str, Any], without: str) -> bool:
    try:
        type(spot.model)(**{name: value for name, value in fields.items() if name != without})
    except ValueError:
        return False
    return True


def _constant(model: Model, name: str) -> bool:
    annotation = type(model).model_fields[name].annotation
    return get_origin(annotation) is Literal and len(get_args(annotation)) == 1
