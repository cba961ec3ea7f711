"""How the members of a union are told apart."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, Union, get_args

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import MISSING, CoreSchema, PydanticCustomError, SchemaValidator

from .annotations import ANY, SALVAGE, first_match
from .model import Model

__all__ = ["NotIn", "Tagged", "Untagged"]

Step: TypeAlias = Union[int, tuple[int, ...]]
"""Index of the member to try, or the indices of those among which the best match is taken."""

BEST = "best"
"""Metadata key of a best-match schema; its value is the same choice without salvage."""


class NotIn:
    """A string that is none of those given: the tag of the open member of a union."""

    def __init__(self, *known: str) -> None:
        tags = frozenset(known)

        def check(value: str) -> str:
            if value in tags:
                raise PydanticCustomError("known_tag", "The tag belongs to another member of the union")
            return value

        self.check = check

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return {
            "type": "function-after",
            "function": {"type": "no-info", "function": self.check},
            "schema": {"type": "str", "strict": True},
        }


class Untagged:
    """Members are tried in the order of the steps; with `exclusive`, a value that several members accept is an error."""

    def __init__(self, *steps: Step, exclusive: bool = False) -> None:
        self.steps = steps
        self.exclusive = exclusive

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return self._in_order(self.steps, get_args(source), handler)

    def _in_order(self, steps: tuple[Step, ...], members: tuple[Any, ...], handler: GetCoreSchemaHandler) -> Any:
        choices: list[Any] = []
        for step in steps:
            if isinstance(step, int):
                choices.append(handler.generate_schema(members[step]))
            else:
                choices.append(_best_match([members[i] for i in step], exclusive=self.exclusive))
        return choices[0] if len(choices) == 1 else first_match(choices)


class Tagged(Untagged):
    """A constant field picks the member; `rest` are tried when no tag fits.

    Args:
        wire: wire name of the field.
        tags: the steps to try for each value of the field.
        rest: the steps to try for any other value, and where the field is missing.
        attribute: the field's Python name, where it is not the wire name.
    """

    def __init__(
        self,
        wire: str,
        tags: Mapping[str, Step | tuple[Step, ...]],
        rest: tuple[Step, ...] = (),
        *,
        attribute: str | None = None,
    ) -> None:
        super().__init__(*rest)
        self.wire = wire
        self.tags = tags
        self.attribute = attribute

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        members = get_args(source) or (source,)
        built: dict[Any, Any] = {}
        choices: dict[str, Any] = {}
        for tag, steps in self.tags.items():
            if steps not in built:
                built[steps] = self._in_order(steps if isinstance(steps, tuple) else (steps,), members, handler)
            choices[tag] = built[steps]
        discriminator = [[self.wire]] if self.attribute is None else [[self.wire], [self.attribute]]
        tagged: Any = {
            "type": "tagged-union",
            "choices": choices,
            "discriminator": discriminator,
            "serialization": ANY,
        }
        if not self.steps:
            return tagged
        return first_match([tagged, self._in_order(self.steps, members, handler)])


def _best_match(members: list[Any], *, exclusive: bool) -> Any:
    def plain(choose: Callable[[Any], Any], **metadata: Any) -> Any:
        function = {"type": "no-info", "function": choose}
        return {"type": "function-plain", "function": function, "serialization": ANY, "metadata": metadata}

    best = _BestMatch(members, exclusive=exclusive)
    return plain(best.choose, **{BEST: plain(best.choose_without_salvage)})


class _BestMatch:
    """Of the members that accept a value, the one that declares most of its fields, then the first listed.

    A member that accepts the value as it is goes before one that has to salvage something.
    """

    def __init__(self, members: list[Any], *, exclusive: bool) -> None:
        self.members = members
        self.exclusive = exclusive
        self.classes = tuple(m for m in members if isinstance(m, type) and issubclass(m, Model))
        self.validators: list[SchemaValidator] | None = None
        self.salvaging: list[SchemaValidator] | None = None

    def choose(self, value: Any) -> Any:
        try:
            return self.choose_without_salvage(value)
        except ValidationError as error:
            if self.salvaging is None:
                self.salvaging = [SchemaValidator(_core_schema(m)) for m in self.members]
            try:
                return self._best(self.salvaging, value)
            except ValidationError:
                raise error from None

    def choose_without_salvage(self, value: Any) -> Any:
        if isinstance(value, self.classes):
            return value
        if self.validators is None:
            self.validators = [SchemaValidator(_without_salvage(_core_schema(m))) for m in self.members]
        return self._best(self.validators, value, exclusive=self.exclusive)

    def _best(self, validators: list[SchemaValidator], value: Any, *, exclusive: bool = False) -> Any:
        accepted: list[Any] = []
        errors: list[ValidationError] = []
        for validator in validators:
            try:
                accepted.append(validator.validate_python(value))
            except ValidationError as error:
                errors.append(error)
        if not accepted:
            # The fewest complaints come from the member that was meant.
            raise min(errors, key=lambda error: error.error_count())
        if exclusive and len(accepted) > 1:
            raise PydanticCustomError("one_of", "Only one member of the union may accept the value, several do")
        return max(accepted, key=_declared)


def _declared(value: Any) -> int:
    """How many fields of a value its class declares."""
    if not isinstance(value, Model):
        return 0
    return sum(v is not MISSING for v in value.__dict__.values())


def _core_schema(member: Any) -> Any:
    if isinstance(member, type) and issubclass(member, Model):
        if not member.__pydantic_complete__:
            member.model_rebuild()
        return member.__pydantic_core_schema__
    return TypeAdapter[Any](member).core_schema


def _without_salvage(schema: Any) -> Any:
    if isinstance(schema, (list, tuple)):
        return type(schema)(map(_without_salvage, schema))
    if not isinstance(schema, dict):
        return schema
    metadata = schema.get("metadata") or {}
    if BEST in metadata:
        return metadata[BEST]
    if SALVAGE in metadata:
        for key in metadata[SALVAGE]:
            schema = schema[key]
        return _without_salvage(schema)
    return {key: value if key in _DATA else _without_salvage(value) for key, value in schema.items()}


# Keys of core schemas whose values are no schemas.
_DATA = frozenset({"cls", "config", "default", "function", "metadata", "serialization", "expected"})
