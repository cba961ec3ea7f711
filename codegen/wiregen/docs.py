"""The documentation tables: what we say about a protocol's definitions, fields, methods and features, in all versions.

The key of an entry is the name of a definition, method or feature. Keys of `fields` are wire names, dotted where they
lead into an inline object (`params._meta`); keys of `values` are the dotted path of the enumeration's field and the
value (`action.accept`), or the value where the definition is the enumeration; keys of `members` are the tag or title of
a member of a union that stands in the definition. `versions` overrides texts for some versions. The reserved key
`pages` holds the address of the specification by version, `default` texts of fields that mean the same wherever they
stand.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from wiregen import catalogue
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import pointer

Text: TypeAlias = Annotated[str, Field(min_length=1)]
Texts: TypeAlias = Mapping[str, Text]
Part: TypeAlias = Literal["doc", "page", "deprecated", "fields", "values", "members"]
Place: TypeAlias = tuple[str, ...]
"""The keys that lead to a text in the tables."""

PAGES: Final = "pages"
DEFAULT: Final = "default"


def _split(value: object) -> object:
    return tuple(value.split(",")) if isinstance(value, str) else value


Versions: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_split)]


class _Table:
    """A table of the file: a key that it does not have is an error."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


@dataclass(frozen=True, kw_only=True)
class Parts(_Table):
    """The parts of an entry, or those that are others in some versions."""

    doc: Text | None = None
    page: Text | None = None
    deprecated: Text | None = None
    fields: Texts = field(default_factory=dict[str, str])
    values: Texts = field(default_factory=dict[str, str])
    members: Texts = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class Entry(Parts):
    """What is said about one definition, method or feature.

    `doc` is its meaning, `page` the path of its page below the root of the specification, `deprecated` says since when
    and in favour of what.
    """

    versions: Mapping[Versions, Parts] = field(default_factory=dict[tuple[str, ...], Parts])


@dataclass(frozen=True, kw_only=True)
class Defaults(_Table):
    """Texts of fields that mean the same wherever they stand."""

    fields: Texts = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Slot:
    """One text that something needs: a part of an entry, and the key in it where the part is a table."""

    entry: str
    part: Part
    key: str = ""

    def place(self, *versions: str) -> Place:
        """Where the text stands, in the entry itself or in its override for some versions."""
        override = ("versions", ",".join(versions)) if versions else ()
        return (self.entry, *override, self.part, *((self.key,) if self.key else ()))


@dataclass(frozen=True, slots=True)
class Found:
    """A text and where it stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Docs:
    """The texts of one protocol; `file` is what diagnostics call the tables."""

    file: str
    entries: Mapping[str, Entry]
    pages: Texts
    defaults: Texts

    def find(self, slots: Iterable[Slot], version: str) -> Found | None:
        """The text for the first of some slots that has one in a version.

        That is the override's, else the entry's; a field of which nothing else is said has its default.
        """
        defaults: list[Found] = []
        for slot in slots:
            entry = self.entries.get(slot.entry, _EMPTY)
            for versions, override in entry.versions.items():
                if version in versions and (text := _text(override, slot)):
                    return Found(text, slot.place(*versions))
            if text := _text(entry, slot):
                return Found(text, slot.place())
            if slot.part == "fields" and slot.key in self.defaults:
                defaults.append(Found(self.defaults[slot.key], (DEFAULT, "fields", slot.key)))
        return next(iter(defaults), None)

    def text(self, version: str, *slots: Slot) -> str | None:
        """The text for the first of some slots that has one in a version, if any has."""
        found = self.find(slots, version)
        return None if found is None else found.text

    def page(self, entry: str, version: str) -> str | None:
        """The address of the page that specifies an entry in a version."""
        root, path = self.pages.get(version), self.text(version, Slot(entry, "page"))
        return f"{root}/{path}" if root and path else None

    def places(self) -> Iterator[Place]:
        """Where every text stands."""
        for version in self.pages:
            yield (PAGES, version)
        for key in self.defaults:
            yield (DEFAULT, "fields", key)
        for name, entry in self.entries.items():
            for versions, texts in ((), entry), *entry.versions.items():
                yield from (slot.place(*versions) for slot in _slots(name, texts))


def read(protocol: str) -> Docs:
    """The bundled tables of a protocol; raises `InvalidInput` for what they cannot hold."""
    file = catalogue.table_name(protocol, "docs").removesuffix(".toml")
    return parse(catalogue.read_table(protocol, "docs"), file)


def parse(tables: Mapping[str, Any], file: str) -> Docs:
    """The texts in parsed tables, which `file` names in diagnostics.

    Raises:
        InvalidInput: with every unknown key and every value that is no text.
    """
    entries = {name: table for name, table in tables.items() if name not in (PAGES, DEFAULT)}
    content = {PAGES: tables.get(PAGES, {}), DEFAULT: tables.get(DEFAULT, {}), "entries": entries}
    try:
        checked = _CONTENT.validate_python(content)
    except ValidationError as error:
        raise InvalidInput(_finding(details, file) for details in error.errors()) from None
    return Docs(file, checked.entries, checked.pages, checked.default.fields)


@dataclass(frozen=True, kw_only=True)
class _Content:
    """What the tables hold, entries apart from the reserved keys."""

    pages: Texts
    default: Defaults
    entries: Mapping[str, Entry]


_CONTENT: Final = TypeAdapter(_Content)
_EMPTY: Final = Entry()


def _finding(details: ErrorDetails, file: str) -> Diagnostic:
    kind, place = details["type"], details["loc"]
    if kind == "unexpected_keyword_argument":
        code, message, hint = "unknown-key", "there is no such key", f"the keys are {', '.join((*_PARTS, 'versions'))}"
    elif kind.startswith("string"):
        code, message, hint = "wrong-value", "this has to be a text", "write what there is to say, or remove the key"
    else:
        code, message, hint = "wrong-value", "this has to be a table", "write a table of texts"
    return Diagnostic(code, message, file, pointer(place[1:] if place[0] == "entries" else place), hint=hint)


def _text(texts: Parts, slot: Slot) -> str | None:
    held: str | Texts | None = getattr(texts, slot.part)
    return held.get(slot.key) if isinstance(held, Mapping) else held


_PARTS: Final[tuple[Part, ...]] = ("doc", "page", "deprecated", "fields", "values", "members")


def _slots(name: str, texts: Parts) -> Iterator[Slot]:
    for part in _PARTS:
        held: str | Texts | None = getattr(texts, part)
        if isinstance(held, Mapping):
            yield from (Slot(name, part, key) for key in held)
        elif held is not None:
            yield Slot(name, part)
