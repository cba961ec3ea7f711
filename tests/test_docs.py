"""Documentation tables: complete and without leftovers, read strictly, and laid over what a schema says itself."""

from collections.abc import Iterator
from typing import Any

import pytest
from schemas import NULL, STRING, constant, lowered, obj, ref
from typer.testing import CliRunner

from wiregen import catalogue, docs, docs_check, docs_cli, pipeline
from wiregen.catalogue import PROTOCOLS, Target
from wiregen.docs_attach import attach
from wiregen.emit.doc_text import declaration_text, field_text, method_text
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.ir import Alias, Array, Enumeration, Field, Map, ObjectType, Protocol, Type, Union

Tables = dict[str, Any]

# --- the bundled tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_bundled_tables_are_complete_and_hold_nothing_else(protocol: str) -> None:
    assert docs_check.check_bundled(protocol) == []


@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_everything_in_a_version_has_its_text(target: Target) -> None:
    protocol, _ = pipeline.read(target)
    bare = [name for name, declaration in protocol.declarations.items() if not declaration.description]
    bare += [f"{name}.{f.wire}" for name, f in _fields(protocol) if not f.description]
    bare += [f"{name}={value}" for name, type_ in _types(protocol) for value in _untold(type_)]
    bare += [method.name for method in protocol.methods if not (method.description and method.page)]
    assert bare == []
    assert all((method_text(method) or "").endswith(str(method.page)) for method in protocol.methods)
    assert protocol.page


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pages_lie_below_the_specification_of_their_version(protocol: str) -> None:
    for version in catalogue.versions(protocol):
        read, _ = pipeline.read(Target(protocol, version))
        pages = [told.page for told in (*read.declarations.values(), *read.methods) if told.page]
        assert pages
        assert all(page.startswith(f"{read.page}/") for page in pages)


def _fields(protocol: Protocol) -> Iterator[tuple[str, Field]]:
    for name, declaration in protocol.declarations.items():
        if isinstance(declaration, ObjectType):
            yield from ((name, field) for field in declaration.fields)


def _types(protocol: Protocol) -> Iterator[tuple[str, Type]]:
    for name, declaration in protocol.declarations.items():
        if isinstance(declaration, Alias):
            yield name, declaration.type
    yield from ((f"{name}.{field.wire}", field.type) for name, field in _fields(protocol))


def _untold(type_: Type) -> list[str | int | bool]:
    """The values of choices and the members of unions in a type of which nothing is said."""
    match type_:
        case Enumeration(values, descriptions=told) if len(values) > 1:
            return [value for value in values if value not in dict(told)]
        case Array(inner) | Map(inner):
            return _untold(inner)
        case Union(members):
            bare = [label.member or "" for label, text in type_.labels if not text]
            return bare + [value for member in members for value in _untold(member)]
        case _:
            return []


# --- what the check finds --------------------------------------------------------------------------------------------

DEFINITIONS = {
    "Shape": {
        "oneOf": [obj({"kind": constant("circle"), "r": STRING}, "kind"), obj({"kind": constant("dot")}, "kind")]
    },
    "Box": obj({"color": {"type": "string", "enum": ["red", "blue"]}, "inner": obj({"id": STRING})}),
}
COMPLETE: Tables = {
    "pages": {"v1": "https://example.com"},
    "default": {"fields": {"inner.id": "Default id."}},
    "Shape": {
        "doc": "A shape.",
        "page": "shapes",
        "fields": {"kind": "Its kind.", "r": "Its size."},
        "members": {"circle": "Round.", "dot": "Small."},
    },
    "Box": {
        "doc": "A box.",
        "fields": {"color": "Its colour.", "inner": "What is in it."},
        "values": {"color.red": "As fire.", "color.blue": "As the sea."},
    },
    "WaveNotification": {"doc": "Says hello."},
    "wave": {"doc": "Waves.", "page": "waving", "deprecated": "since v2."},
    "waving": {"doc": "The agent waves back."},
}


def check(tables: Tables) -> list[tuple[str, str]]:
    """Code and place of what is found in tables that serve one version with one feature."""
    read = docs.parse(tables, "docs")
    found = docs_check.check(read, [lowered(DEFINITIONS)], {"v1": ["waving"]})
    assert all(f.file == "docs" and f.message and f.hint for f in found)
    return [(f.code, f.pointer or "") for f in found]


def without(tables: Tables, *path: str) -> Tables:
    """Tables without what stands at a path."""
    head, *rest = path
    if not rest:
        return {key: value for key, value in tables.items() if key != head}
    return {**tables, head: without(tables[head], *rest)}


def test_complete_tables_pass() -> None:
    assert check(COMPLETE) == []


@pytest.mark.parametrize(
    "path",
    [
        ("Shape", "doc"),
        ("Shape", "fields", "kind"),
        ("Shape", "members", "dot"),
        ("Box", "fields", "inner"),
        ("Box", "values", "color.blue"),
        ("wave", "doc"),
        ("wave", "page"),
        ("waving", "doc"),
        ("pages", "v1"),
    ],
    ids="/".join,
)
def test_a_missing_text_is_found(path: tuple[str, ...]) -> None:
    assert check(without(COMPLETE, *path)) == [("undocumented", "/" + "/".join(path))]


def test_a_missing_default_is_found_where_it_is_needed() -> None:
    assert check(without(COMPLETE, "default")) == [("undocumented", "/Box/fields/inner.id")]


@pytest.mark.parametrize(
    "path",
    [
        ("Gone", "doc"),
        ("Box", "fields", "gone"),
        ("Box", "fields", "id"),
        ("Box", "values", "red"),
        ("Shape", "members", "square"),
        ("Shape", "versions", "v1", "fields", "gone"),
        ("default", "fields", "gone"),
        ("pages", "v0"),
    ],
    ids="/".join,
)
def test_a_text_that_matches_nothing_is_found(path: tuple[str, ...]) -> None:
    tables: Tables = {**COMPLETE}
    at = tables
    for key in path[:-1]:
        at[key] = at = {**at.get(key, {})}
    at[path[-1]] = "Text."
    assert check(tables) == [("unmatched-text", "/" + "/".join(path))]


def test_a_text_that_every_version_overrides_is_found() -> None:
    tables = {**COMPLETE, "Box": {**COMPLETE["Box"], "versions": {"v1": {"doc": "Another box."}}}}
    assert check(tables) == [("unmatched-text", "/Box/doc")]


def test_an_override_for_a_version_without_the_thing_is_found() -> None:
    tables = {**COMPLETE, "Box": {**COMPLETE["Box"], "versions": {"v1,v7": {"fields": {"color": "Its tint."}}}}}
    tables = without(tables, "Box", "fields", "color")
    assert check(tables) == [("unmatched-text", "/Box/versions/v1,v7")]


@pytest.mark.parametrize(
    ("tables", "code", "place"),
    [
        ({"Box": {"docs": "A box."}}, "unknown-key", "/Box/docs"),
        ({"Box": {"versions": {"v1,v2": {"versions": {}}}}}, "unknown-key", "/Box/versions/v1,v2/versions"),
        ({"default": {"values": {}}}, "unknown-key", "/default/values"),
        ({"Box": {"doc": 1}}, "wrong-value", "/Box/doc"),
        ({"Box": {"fields": {"a/b": ""}}}, "wrong-value", "/Box/fields/a~1b"),
        ({"Box": "A box."}, "wrong-value", "/Box"),
        ({"pages": {"v1": []}}, "wrong-value", "/pages/v1"),
    ],
)
def test_tables_are_read_strictly(tables: Tables, code: str, place: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        docs.parse(tables, "docs")
    (found,) = caught.value.diagnostics
    assert (found.code, found.pointer, found.file) == (code, place, "docs")


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_passes_the_bundled_tables() -> None:
    done = CliRunner().invoke(docs_cli.app, ["--check"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout


def test_the_command_shows_its_help_when_nothing_is_asked_for() -> None:
    done = CliRunner().invoke(docs_cli.app, [])
    assert done.exit_code == 2
    assert "--check" in done.stdout


def test_the_command_lists_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(protocol: str) -> list[Diagnostic]:
        return [Diagnostic("undocumented", f"nothing on {protocol}", "docs", "/A/doc")]

    monkeypatch.setattr(docs_check, "check_bundled", found)
    done = CliRunner().invoke(docs_cli.app, ["--check"])
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"docs#/A/doc: error[undocumented]: nothing on {p}" for p in PROTOCOLS]


def test_the_command_reports_tables_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: str) -> Tables:
        return {"A": {"text": "a"}}

    monkeypatch.setattr(catalogue, "read_table", refuse)
    done = CliRunner().invoke(docs_cli.app, ["--check"])
    assert done.exit_code == 2
    assert "error[" in done.stderr


# --- texts laid over a schema ----------------------------------------------------------------------------------------


def attached(definitions: dict[str, Any], tables: Tables) -> Protocol:
    """The IR of definitions with the texts of tables."""
    return attach(lowered(definitions), docs.parse(tables, "docs"))


def field_of(protocol: Protocol, name: str, wire: str) -> Field:
    """A field of a class."""
    return next(field for owner, field in _fields(protocol) if (owner, field.wire) == (name, wire))


def test_our_texts_go_before_those_of_the_schema_which_fill_in_the_rest() -> None:
    told = {"description": "Theirs."}
    box = obj({"a": {**STRING, **told}, "b": {**STRING, **told}}, **told)
    got = attached({"Box": box, "Bag": box}, {"Box": {"doc": "Ours.", "fields": {"a": "Ours."}}})
    assert got.declarations["Box"].description == "Ours."
    assert got.declarations["Bag"].description == "Theirs."
    assert [field_of(got, "Box", wire).description for wire in "ab"] == ["Ours.", "Theirs."]


def test_values_and_members_fall_back_on_the_schema_one_by_one() -> None:
    size = {"oneOf": [{**constant("s"), "description": "Theirs."}, {**constant("m"), "description": "Theirs."}]}
    part = {"anyOf": [{**STRING, "title": "T", "description": "Theirs."}, {**obj({}), "title": "O"}, NULL]}
    tables = {
        "Size": {"doc": "A size.", "values": {"m": "Ours."}},
        "Part": {"doc": "A part.", "members": {"O": "Ours."}},
    }
    got = attached({"Size": size, "Part": part}, tables)
    assert declaration_text(got.declarations["Size"]) == "A size.\n\n- `s`: Theirs.\n- `m`: Ours."
    assert declaration_text(got.declarations["Part"]) == "A part.\n\n- `T`: Theirs.\n- `O`: Ours."


def test_a_version_has_its_own_texts_where_they_differ() -> None:
    entry = {
        "doc": "For all.",
        "page": "all",
        "fields": {"a": "For all."},
        "versions": {"v0,v1": {"page": "v1", "fields": {"a": "For v1."}}, "v2": {"doc": "For v2."}},
    }
    got = attached({"Box": obj({"a": STRING})}, {"pages": {"v1": "https://example.com"}, "Box": entry})
    box = got.declarations["Box"]
    assert (box.description, box.page) == ("For all.", "https://example.com/v1")
    assert field_of(got, "Box", "a").description == "For v1."


def test_defaults_come_last() -> None:
    definitions = {
        "Base": obj({"id": STRING, "at": STRING}),
        "Box": {"allOf": [ref("Base")], **obj({"in": obj({"id": STRING})})},
    }
    fields = {"id": "An id.", "at": "A time.", "in.id": "An inner id."}
    got = attached(definitions, {"default": {"fields": fields}, "Base": {"fields": {"id": "Id of a base."}}})
    assert field_of(got, "Base", "id").description == "Id of a base."
    assert field_of(got, "Box", "id").description == "Id of a base."
    assert field_of(got, "Box", "at").description == "A time."
    assert field_of(got, "BoxIn", "id").description == "An inner id."


def test_a_definition_can_say_its_own_of_a_field_that_it_takes_over() -> None:
    definitions = {"Base": obj({"id": STRING}), "Box": {"allOf": [ref("Base")], **obj({"a": STRING})}}
    tables = {"Base": {"fields": {"id": "Id of a base."}}, "Box": {"fields": {"id": "Id of a box."}}}
    got = attached(definitions, tables)
    assert [field_of(got, name, "id").description for name in ("Base", "Box")] == ["Id of a base.", "Id of a box."]


def test_a_member_of_a_union_says_what_it_is_then_what_it_merges() -> None:
    member = {**obj({"kind": constant("circle")}, "kind"), "allOf": [ref("Circle")]}
    definitions = {"Circle": obj({"r": STRING}), "Shape": {"oneOf": [member, obj({"kind": constant("dot")}, "kind")]}}
    tables = {
        "pages": {"v1": "https://example.com"},
        "Circle": {"doc": "A circle.", "page": "circle", "deprecated": "since v1.", "fields": {"r": "Its radius."}},
        "Shape": {
            "doc": "A shape.",
            "fields": {"kind": "Its kind."},
            "members": {"circle": "Round.", "dot": "A circle."},
        },
    }
    got = attached(definitions, tables)
    expected = "Round.\n\nA circle.\n\nDeprecated since v1.\n\nSpecification: https://example.com/circle"
    assert declaration_text(got.declarations["CircleShape"]) == expected
    assert field_of(got, "CircleShape", "r").description == "Its radius."
    assert field_of(got, "CircleShape", "kind").description == "Its kind."
    assert declaration_text(got.declarations["Shape"]) == "A shape.\n\n- `circle`: Round.\n- `dot`: A circle."


def test_an_inline_object_is_what_its_field_says() -> None:
    box = obj({"in": {"type": "array", "items": obj({"kind": {"type": "string", "enum": ["a", "b"]}})}})
    fields = {"in": "What is in it.", "in.kind": "Which kind."}
    got = attached({"Box": box}, {"Box": {"fields": fields, "values": {"in.kind.a": "First.", "in.kind.b": "Second."}}})
    assert got.declarations["BoxIn"].description == "What is in it."
    assert field_text(field_of(got, "BoxIn", "kind")) == "Which kind.\n\n- `a`: First.\n- `b`: Second."


def test_a_constant_lists_no_values() -> None:
    got = attached({"Box": obj({"kind": {**constant("box"), "description": "Always `box`."}})}, {})
    assert field_text(field_of(got, "Box", "kind")) == "Always `box`."


def test_methods_have_text_and_page() -> None:
    tables = {"pages": {"v1": "https://example.com"}, "wave": {"doc": "Waves.", "page": "p", "deprecated": "since v2."}}
    (method,) = attached({}, tables).methods
    assert method_text(method) == "Waves.\n\nDeprecated since v2.\n\nSpecification: https://example.com/p"


def test_nothing_said_is_no_docstring() -> None:
    got = attached({"Box": obj({"a": STRING})}, {})
    assert declaration_text(got.declarations["Box"]) is None
    assert field_text(field_of(got, "Box", "a")) is None
    assert method_text(got.methods[0]) is None
