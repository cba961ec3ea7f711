"""IR types as Python annotations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil, floor

from wiregen import names
from wiregen.ir import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Number,
    Reference,
    Step,
    String,
    Type,
    Union,
)
from wiregen.literals import literal, string

_TYPING = ("TYPE_CHECKING", "Annotated", "Any", "ClassVar", "Final", "Literal", "Optional", "TypeAlias", "Union")
_MODULES = {
    "collections.abc": ("Mapping",),
    "builtins": ("bool", "dict", "float", "int", "list", "object", "str", "tuple"),
    "pydantic": ("Field",),
    "typing": _TYPING,
    "typing_extensions": ("TypeAliasType",),
    "annotations": (
        "BooleanLiteral",
        "DefaultOnError",
        "DefaultOnNull",
        "DefaultUnless",
        "EmptyOnError",
        "EmptyOnNull",
        "Integer",
        "IntegerLiteral",
        "IntegerRange",
        "Maybe",
        "Number",
        "NumberRange",
        "Open",
        "OpenInteger",
        "SkipInvalid",
        "Untyped",
    ),
    "jsonrpc": ("Message", "Results"),
    "lazy": ("lazy_attributes",),
    "message_decoder": ("Envelope", "MessageDecoders"),
    "model": ("CONSTANT", "UNSET", "Model", "constant"),
    "unions": ("NotIn", "Tagged", "Untagged"),
    "versions": ("Method",),
}
_HOME = {name: module for module, members in _MODULES.items() for name in members}


_OWN = ("annotations", "jsonrpc", "lazy", "message_decoder", "model", "unions", "versions")


def places(*, depth: int) -> dict[str, str]:
    """Where a module imports from: `depth` is how many folders it stands below the package's own modules, plus one."""
    return {module: "." * depth + module if module in _OWN else module for module in _MODULES}


@dataclass(frozen=True, slots=True)
class Import:
    """One name that a generated module needs from elsewhere; `module` is one of the package's own, or a library's."""

    module: str
    name: str
    as_name: str


@dataclass(slots=True)
class Imports:
    """The names that a module needs, as they are asked for; a name that the scope holds already gets `_` before it."""

    scope: frozenset[str]
    used: set[Import] = field(default_factory=set)

    def need(self, name: str, inner: frozenset[str] = frozenset()) -> str:
        """What to call one of the supporting names here; `inner` are the names of an inner scope."""
        as_name = names.hidden(name, self.scope, inner)
        module = _HOME[name]
        if module != "builtins" or as_name != name:
            self.used.add(Import(module, name, as_name))
        return as_name

    def sorted(self) -> list[Import]:
        """All that is needed, in a fixed order."""
        return sorted(self.used, key=lambda i: (i.module, i.name, i.as_name))


@dataclass(slots=True)
class Annotations:
    """Prints types for one place in a module: `inner` are the names of its class, `known` what is defined so far."""

    imports: Imports
    known: frozenset[str]
    inner: frozenset[str] = frozenset()

    def need(self, name: str) -> str:
        return self.imports.need(name, self.inner)

    def field(self, item: Field) -> str:
        """Annotation of a field, its leniency and absence included."""
        text = self.type(item.type)
        if item.nullable:
            text = self._nullable(text)
        array = item.required and isinstance(item.type, Array)
        if item.on_null:
            text = f"{self.need('EmptyOnNull' if array else 'DefaultOnNull')}[{text}]"
        if item.bad_unless is not None:
            text = f"{self.need('Annotated')}[{text}, {self.need('DefaultUnless')}({self.type(item.bad_unless)})]"
        elif item.on_error:
            text = f"{self.need('EmptyOnError' if array else 'DefaultOnError')}[{text}]"
        reads_none = not item.required and item.default is None
        if reads_none and not item.nullable and not isinstance(item.type, (AnyValue, Null)):
            text = f"{self.need('Maybe')}[{text}]"
        return text

    def type(self, type_: Type) -> str:
        """Annotation of a type where it stands by itself."""
        text = self._part(type_)
        return f"{self.need('Untyped')}[{text}]" if has_untyped(type_) else text

    def plain(self, type_: Type, names: frozenset[str]) -> str:
        """Annotation of a type for type checkers alone, all of whose names are known."""
        checker = Annotations(self.imports, names, self.inner)
        return checker._members(type_.members) if isinstance(type_, Union) else checker.type(type_)

    def _part(self, type_: Type) -> str:
        match type_:
            case AnyValue():
                return self.need("Any")
            case Null():
                return "None"
            case Boolean():
                return self.need("bool")
            case Reference(name):
                return name if name in self.known else string(name)
            case Map(value):
                return f"{self.need('dict')}[{self.need('str')}, {self._part(value)}]"
            case Array():
                return self._array(type_)
            case Enumeration():
                return self._enumeration(type_)
            case Union():
                return f"{self.need('Annotated')}[{self._members(type_.members)}, {self._choice(type_)}]"
            case String():
                return self._string(type_)
            case Integer(minimum, maximum) | Number(minimum, maximum):
                return self._number(type(type_).__name__, minimum, maximum)

    def _nullable(self, text: str) -> str:
        return f"{self.need('Optional')}[{text}]" if '"' in text[:1] else f"{text} | None"

    def _array(self, type_: Array) -> str:
        item = self._part(type_.item)
        if type_.skip_invalid:
            item = f"{self.need('SkipInvalid')}[{item}]"
        text = f"{self.need('list')}[{item}]"
        return self._constrained(text, type_.min_items, type_.max_items)

    def _string(self, type_: String) -> str:
        text = self.need("str")
        if type_.excluded:
            text = f"{self.need('Annotated')}[{text}, {self.need('NotIn')}({', '.join(map(string, type_.excluded))})]"
        return self._constrained(text, type_.min_length, type_.max_length)

    def _constrained(self, text: str, minimum: int | None, maximum: int | None) -> str:
        limits = {"min_length": minimum, "max_length": maximum}
        given = ", ".join(f"{key}={literal(value)}" for key, value in limits.items() if value is not None)
        return f"{self.need('Annotated')}[{text}, {self.need('Field')}({given})]" if given else text

    def _number(self, kind: str, minimum: float | None, maximum: float | None) -> str:
        if minimum is None and maximum is None:
            return self.need(kind)
        plain = self.need("int" if kind == "Integer" else "float")
        if kind == "Integer":
            minimum = None if minimum is None else ceil(minimum)
            maximum = None if maximum is None else floor(maximum)
        limits = {"minimum": minimum, "maximum": maximum}
        given = ", ".join(f"{key}={literal(value)}" for key, value in limits.items() if value is not None)
        return f"{self.need('Annotated')}[{plain}, {self.need(f'{kind}Range')}({given})]"

    def _enumeration(self, type_: Enumeration) -> str:
        text = f"{self.need('Literal')}[{', '.join(map(literal, type_.values))}]"
        kind = type(type_.values[0])
        if type_.open:
            return f"{self.need('OpenInteger' if kind is int else 'Open')}[{text}]"
        if kind is str:
            return text
        return f"{self.need('Annotated')}[{text}, {self.need('IntegerLiteral' if kind is int else 'BooleanLiteral')}()]"

    def _members(self, members: Iterable[Type]) -> str:
        texts = [self.type(member) for member in members]
        if any(text.startswith('"') for text in texts):
            return f"{self.need('Union')}[{', '.join(texts)}]"
        return " | ".join(texts)

    def _choice(self, union: Union) -> str:
        if union.tag is None:
            arguments = [*map(_step, union.rest), *(["exclusive=True"] if union.exclusive else [])]
            return f"{self.need('Untagged')}({', '.join(arguments)})"
        tags = ", ".join(f"{string(tag)}: {_steps(steps)}" for tag, steps in union.tagged)
        arguments = [string(union.tag), f"{{{tags}}}"]
        if union.rest:
            arguments.append(literal(union.rest))
        if union.final:
            arguments.append("final=True")
        attribute = names.field_name(union.tag)
        if attribute != union.tag:
            arguments.append(f"attribute={string(attribute)}")
        return f"{self.need('Tagged')}({', '.join(arguments)})"


def has_untyped(type_: Type) -> bool:
    """Whether a type has a part that may be any JSON."""
    match type_:
        case AnyValue():
            return True
        case Map(part) | Array(part):
            return has_untyped(part)
        case _:
            return False


def _steps(steps: tuple[Step, ...]) -> str:
    if len(steps) == 1 and isinstance(steps[0], int):
        return str(steps[0])
    return literal(steps)


def _step(step: Step) -> str:
    return str(step) if isinstance(step, int) else literal(step)
