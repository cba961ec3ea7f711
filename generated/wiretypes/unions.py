"""How the members of a union are told apart."""

from collections.abc import Callable, Mapping
from typing import Any, LiteralString, TypeAlias, get_args

from pydantic import ConfigDict, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import MISSING, PydanticCustomError, to_jsonable_python

from .annotations import ANY, first_match
from .model import Model, is_model_class

__all__ = ["NotIn", "Tagged", "Untagged"]

Step: TypeAlias = int | tuple[int, ...]
"""Index of the member to try, or the indices of those among which the best match is taken."""

KNOWN_TAG: LiteralString = "The tag belongs to another member of the union"


class NotIn:
    """A string that is none of those given: the tag of the open member of a union."""

    def __init__(self, *known: str) -> None:
        tags = frozenset(known)

        def check(value: str) -> str:
            if value in tags:
                raise PydanticCustomError("known_tag", KNOWN_TAG)
            return value

        self.check = check

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return {
            "type": "function-after",
            "function": {"type": "no-info", "function": self.check},
            "schema": {"type": "str", "strict": True},
        }


class Untagged:
    """Members are tried in the order of the steps; with `exclusive`, a value that several accept is an error."""

    def __init__(self, *steps: Step, exclusive: bool = False) -> None:
        self.steps = steps
        self.exclusive = exclusive

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return self._in_order(self.steps, get_args(source), handler)

    def _in_order(
        self,
        steps: tuple[Step, ...],
        members: tuple[Any, ...],
        handler: GetCoreSchemaHandler,
        *,
        salvaging: Callable[[int], bool] = lambda _: True,
    ) -> Any:
        choices: list[Any] = []
        for step in steps:
            if isinstance(step, int):
                choices.append(handler.generate_schema(members[step]))
            else:
                may_salvage = {index for index, i in enumerate(step) if salvaging(i)}
                best = _BestMatch([members[i] for i in step], may_salvage, exclusive=self.exclusive)
                choices.append(best.schema())
        return choices[0] if len(choices) == 1 else first_match(choices)


class Tagged(Untagged):
    """A constant field picks the member; `rest` are tried when no tag fits.

    Args:
        wire: wire name of the field.
        tags: the steps to try for each value of the field.
        rest: the steps to try for any other value, and where the field is missing.
        final: a value whose tag is known is never one of `rest`.
        attribute: the field's Python name, where it is not the wire name.
    """

    def __init__(
        self,
        wire: str,
        tags: Mapping[str, Step | tuple[Step, ...]],
        rest: tuple[Step, ...] = (),
        *,
        final: bool = False,
        attribute: str | None = None,
    ) -> None:
        super().__init__(*rest)
        self.wire = wire
        self.tags = tags
        self.final = final
        self.attribute = attribute

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        members = get_args(source) or (source,)
        built: dict[Any, Any] = {}
        choices: dict[str, Any] = {}
        for tag, steps in self.tags.items():
            if steps not in built:
                every = steps if isinstance(steps, tuple) else (steps,)
                built[steps] = self._in_order(every, members, handler, salvaging=lambda i: i not in self.steps)
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
        rest = self._in_order(self.steps, members, handler)
        if self.final:
            function = {"type": "no-info", "function": self._refuse_known_tag}
            rest = {"type": "function-before", "function": function, "schema": rest, "serialization": ANY}
        return first_match([tagged, rest])

    def _refuse_known_tag(self, value: Any) -> Any:
        tag: object = value.get(self.wire) if value.__class__ is dict else None
        if isinstance(tag, str) and tag in self.tags:
            raise PydanticCustomError("known_tag", KNOWN_TAG)
        return value


class _BestMatch:
    """Of the members that accept a value, the one that declares most of its fields, then the first listed.

    A member that accepts the value as it is goes before one that has to salvage something; only some may do that.
    """

    def __init__(self, members: list[Any], may_salvage: set[int], *, exclusive: bool) -> None:
        self.members = members
        self.may_salvage = may_salvage
        self.exclusive = exclusive
        self.classes = tuple(filter(is_model_class, members))
        self.validators: list[Callable[[Any], Any]] = []

    def schema(self) -> Any:
        """The validator core's schema that calls this."""
        function = {"type": "no-info", "function": self.choose}
        return {"type": "function-plain", "function": function, "serialization": ANY}

    def choose(self, value: Any) -> Any:
        """The value as its best member reads it."""
        if isinstance(value, self.classes):
            return value
        if not self.validators:
            self.validators = [_validator(member) for member in self.members]
        as_it_is: list[Any] = []
        salvaged: list[Any] = []
        errors: list[ValidationError] = []
        for index, validate in enumerate(self.validators):
            try:
                read = validate(value)
            except ValidationError as error:
                errors.append(error)
                continue
            # What a member salvages does not come back.
            if to_jsonable_python(read) == value:
                as_it_is.append(read)
            elif index in self.may_salvage:
                salvaged.append(read)
        if self.exclusive and len(as_it_is) > 1:
            raise PydanticCustomError("one_of", "Only one member of the union may accept the value, several do")
        accepted = as_it_is or salvaged
        if accepted:
            return max(accepted, key=_declared)
        if errors:
            # The fewest wrong fields are those of the member that was meant.
            raise min(errors, key=_wrong_fields)
        raise PydanticCustomError("union", "No member of the union accepts the value")


def _wrong_fields(error: ValidationError) -> int:
    lines = error.errors(include_url=False, include_context=False, include_input=False)
    return len({line["loc"][:1] for line in lines})


def _declared(value: Any) -> int:
    """How many fields of a value its class declares."""
    if not isinstance(value, Model):
        return 0
    return sum(v is not MISSING for v in value.__dict__.values())


def _validator(member: Any) -> Callable[[Any], Any]:
    if is_model_class(member):
        if not member.__pydantic_complete__:
            member.model_rebuild()
        return member.__pydantic_validator__.validate_python
    return TypeAdapter[Any](member, config=ConfigDict(strict=True)).validator.validate_python
