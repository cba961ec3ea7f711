"""The base class of all messages, and how it tells an absent field from a null one."""

from collections.abc import Callable, Iterator
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo
from pydantic_core import MISSING, ValidationError
from typing_extensions import TypeIs

from .annotations import Untyped

__all__ = ["CONSTANT", "UNSET", "Model", "admits_null", "constant", "is_model_class"]

UNSET: Any = MISSING
"""Default of a field that a message may leave out. It is stored, never read: reading the field gives its schema
default, or None."""

CONSTANT: Any = FieldInfo()
"""Default of a required field that the constructor fills in. On the wire it stays required."""


def constant(wire: str) -> Any:
    """The same for a field whose wire name does not follow from its Python name."""
    return Field(validation_alias=wire, serialization_alias=wire)


_NO_SCHEMAS = frozenset({"default", "expected", "metadata", "serialization"})
_LITERAL = type(Literal[""])
_DIRECTLY = (Any, object, None, type(None))
_UNIONS = (Union, UnionType)

_complete: Callable[[type["Model"]], None] | None = None


def complete_with(complete: Callable[[type["Model"]], None]) -> None:
    """Say how the validator of a class is built that is still deferred; the codec does when it is loaded."""
    global _complete  # noqa: PLW0603
    _complete = complete


def admits_null(annotation: Any) -> bool:
    """Whether a value of this annotation may be None."""
    annotation = getattr(annotation, "__value__", annotation)
    if annotation in _DIRECTLY:
        return True
    origin = get_origin(annotation)
    if origin is Annotated:
        return admits_null(annotation.__origin__)
    return origin in _UNIONS and any(map(admits_null, get_args(annotation)))


class _Optional:
    """Reads a stored `UNSET` as None and makes `del` store it again."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def absent(self, owner: "Model") -> Any:  # noqa: ARG002
        return None

    def __get__(self, instance: "Model | None", owner: Any = None) -> Any:
        # pydantic takes what a class attribute gives for the default of a subclass: give nothing.
        if instance is None:
            raise AttributeError(self.name)
        value = instance.__dict__[self.name]
        return self.absent(instance) if value is MISSING else value

    def __set__(self, instance: "Model", value: Any) -> None:
        vars(instance)[self.name] = value

    def __delete__(self, instance: "Model") -> None:
        vars(instance)[self.name] = MISSING


class _Defaulted(_Optional):
    """Reads a stored `UNSET` as the default that the schema gives, a fresh value each time."""

    __slots__ = ("default",)

    def __init__(self, name: str, default: Any) -> None:
        super().__init__(name)
        self.default: Any = default

    def absent(self, owner: "Model") -> Any:
        if self.default.__class__ not in (dict, list):
            return self.default
        from .codec import decode  # noqa: PLC0415  (the codec imports this module)

        annotation: Any = type(owner).__pydantic_fields__[self.name].annotation
        return decode(annotation, self.default)


_readers: dict[str, _Optional] = {}


def wire_name(name: str) -> str:
    """The wire name that a field of this Python name has unless it says otherwise."""
    if name == "meta":
        return "_meta"
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest)) if rest else head


class Model(BaseModel):
    """A message or a part of one.

    Fields that the schema does not know are kept, in `model_extra`. Deleting an optional field makes it absent;
    assigning None to it writes null where the schema allows null, and makes it absent where it does not. Assignment is
    not validated.
    """

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        validate_by_alias=True,
        validate_by_name=False,
        serialize_by_alias=True,
        defer_build=True,
        protected_namespaces=(),
        alias_generator=wire_name,
        ser_json_inf_nan="constants",
    )

    __constants__: ClassVar[dict[str, Any]] = {}
    """What the constructor fills in, by field name."""
    __defaults__: ClassVar[dict[str, Any]] = {}
    """What an absent field reads as, by field name, as JSON."""

    if not TYPE_CHECKING:
        __pydantic_extra__: dict[str, Untyped[Any]]

        def __init__(self, /, **data):
            __tracebackhide__ = True
            cls = self.__class__
            if not cls.__pydantic_complete__ and _complete is not None:
                _complete(cls)
            if constants := cls.__constants__:
                data = {**constants, **data}
            for name, value in data.items():
                if value is None and cls._null_is_absent(name):
                    data = {k: v for k, v in data.items() if v is not None or not cls._null_is_absent(k)}
                    break
            try:
                cls.__pydantic_validator__.validate_python(data, self_instance=self, by_alias=True, by_name=True)
            except ValidationError as error:
                error.validated_type = cls
                raise

        # Tells pydantic that decoding need not go through this method.
        __init__.__pydantic_base_init__ = True

        def __setattr__(self, name, value):
            if value is None and self._null_is_absent(name):
                value = MISSING
            super().__setattr__(name, value)

        # Where typing_extensions is older than 4.15, the sentinel can neither be copied nor pickled.
        def __deepcopy__(self, memo=None):
            memo = {} if memo is None else memo
            memo[id(MISSING)] = MISSING
            return super().__deepcopy__(memo)

        def __getstate__(self):
            state = super().__getstate__()
            return {**state, "__dict__": {k: v for k, v in state["__dict__"].items() if v is not MISSING}}

        def __setstate__(self, state):
            held = state["__dict__"]
            fields = self.__class__.__pydantic_fields__.items()
            values = {k: held.get(k, MISSING) for k, field in fields if k in held or field.default is MISSING}
            super().__setstate__({**state, "__dict__": values})

        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            schema = handler(source)
            # All that is wrong with the items of a small message could fill the memory.
            _fail_fast(schema.get("schema"))
            return schema

        @classmethod
        def __pydantic_init_subclass__(cls, **kwargs):
            constants = {}
            defaults = cls.__defaults__
            for name, field in cls.__pydantic_fields__.items():
                if field.default is MISSING:
                    if name in defaults:
                        reader = _Defaulted(name, defaults[name])
                    else:
                        reader = _readers.get(name)
                        if reader is None:
                            reader = _readers[name] = _Optional(name)
                    type.__setattr__(cls, name, reader)
                else:
                    annotation = field.annotation
                    if annotation.__class__ is _LITERAL and len(annotation.__args__) == 1:
                        constants[name] = annotation.__args__[0]
            if constants:
                cls.__constants__ = {**cls.__constants__, **constants}

        def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
            for key, value in super().__repr_args__():
                if value is not MISSING:
                    yield key, value

    @classmethod
    def _null_is_absent(cls, name: str) -> bool:
        """Whether None stands for absence: the field may be left out and its schema does not allow null."""
        field = cls.__pydantic_fields__.get(name)
        return field is not None and field.default is MISSING and not admits_null(field.annotation)


def _fail_fast(schema: Any) -> None:
    """Have lists and maps tell of no more than the first item that is wrong; other classes do that themselves."""
    if isinstance(schema, dict):
        parts = cast("dict[str, Any]", schema)
        kind = parts.get("type")
        if kind == "model":
            return
        if kind in ("list", "dict"):
            parts["fail_fast"] = True
        for name, part in parts.items():
            if name not in _NO_SCHEMAS:
                _fail_fast(part)
    elif isinstance(schema, (list, tuple)):
        for part in cast("list[Any]", schema):
            _fail_fast(part)


def is_model_class(type_: object) -> TypeIs[type[Model]]:
    """Whether a type is a message class."""
    return isinstance(type_, type) and issubclass(type_, Model)
