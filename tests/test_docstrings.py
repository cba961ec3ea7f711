"""Docstrings in generated code: on everything public, and nothing but text whatever they say."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from schemas import document, obj

from wiregen import catalogue, pipeline
from wiregen.catalogue import Target
from wiregen.ir import ObjectType
from wiregen.literals import docstring
from wiregen.settings import Output
from wiregen.text import printable

PACKAGE = Path(__file__).resolve().parent.parent / "generated" / "wiretypes"
MODULES = sorted(PACKAGE.rglob("*.py"))

# --- what has one ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_everything_public_has_a_docstring(module: Path) -> None:
    tree = ast.parse(module.read_bytes())
    assert ast.get_docstring(tree)
    assert list(_bare(tree.body, _exported(tree))) == []


@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_every_declaration_of_a_version_has_a_docstring(target: Target) -> None:
    protocol, _ = pipeline.read(target)
    folder = PACKAGE / target.protocol / f"v{target.version.removeprefix('v').replace('-', '_')}"
    told = set(_told(ast.parse((folder / "models.py").read_bytes()).body))
    classes = [d for d in protocol.declarations.values() if isinstance(d, ObjectType)]
    fields = {f"{declaration.name}.{field.name}" for declaration in classes for field in declaration.fields}
    assert set(protocol.declarations) | fields == told


def test_the_package_was_found() -> None:
    assert len(MODULES) > 2 * len(catalogue.targets())


def _exported(tree: ast.Module) -> list[str]:
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name("__all__")], value):
                return list(ast.literal_eval(value))
            case _:
                continue
    return []


def _bare(body: list[ast.stmt], exported: list[str] | None, prefix: str = "") -> Iterator[str]:
    """Public classes and functions, exported names and public annotated attributes without a docstring."""
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name) if not name.startswith("_"):
                if not ast.get_docstring(node) and not _is_setter(node):
                    yield prefix + name
                if isinstance(node, ast.ClassDef):
                    yield from _bare(node.body, None, f"{prefix}{name}.")
            case ast.AnnAssign(ast.Name(name)) if _is_public(name, exported) and not _is_text(following):
                yield prefix + name
            case ast.If(body=inner):
                yield from _bare(inner, exported, prefix)
            case _:
                continue


def _is_setter(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is the second half of a property, which the first documents."""
    return any(isinstance(item, ast.Attribute) and item.attr == "setter" for item in node.decorator_list)


def _is_public(name: str, exported: list[str] | None) -> bool:
    return not name.startswith("_") if exported is None else name in exported


def _told(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    """Names of the classes, aliases and fields that have a docstring."""
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.ClassDef(name, body=inner):
                if ast.get_docstring(node):
                    yield name
                yield from _told(inner, f"{name}.")
            case ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]) if _is_text(following):
                yield prefix + name
            case ast.If(body=inner):
                yield from _told(inner)
            case _:
                continue


def _is_text(node: ast.stmt | None) -> bool:
    match node:
        case ast.Expr(ast.Constant(str(text))):
            return bool(text.strip())
        case _:
            return False


# --- how text becomes source -----------------------------------------------------------------------------------------

HOSTILE = [
    '"',
    '""',
    '"""',
    '""""""""',
    'ends with a quote"',
    'ends with three"""',
    "\\",
    "ends with a backslash\\",
    '\\"""',
    '\\\\"""',
    "\\N{DIGIT ONE} \\x41 \\u0041 {braces} %s {{ 7 * 7 }} {% raw %}",
    '"""\nimport os\nos.abort()\n"""',
    'text"""); __import__("os").abort(); ("""',
    "one\r\ntwo\rthree\x0bfour\x0cfive\u2028six\u2029seven\x85eight",
    "user \u202etxt.exe\u202c \u2066isolated\u2069 \u200b \ufeff \u00ad",
    "\x00\x1b[31mred\x07",
    "lone \ud800 surrogate",
    "# type: ignore  # noqa",
    "\u00e9\u4e2d\U0001f600",
    "",
    " \n\n\t ",
    "w" * 500,
    "a " * 500,
    '"\n- "item"\n- """\n\n* \\',
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("indent", [0, 4, 8])
def test_hostile_text_stays_text(text: str, indent: int) -> None:
    _assert_is_text(docstring(text, indent=indent), text, indent)


@given(st.text(st.sampled_from("\"\\'\n\r\t -*a{}#%\u202e\u2028\x00\x85\ud800")), st.sampled_from([0, 4]))
def test_any_text_stays_text(text: str, indent: int) -> None:
    _assert_is_text(docstring(text, indent=indent), text, indent)


def _assert_is_text(source: str, text: str, indent: int) -> None:
    head = "class A:\n" if indent else ""
    (node,) = ast.parse(f"{head}{' ' * indent}{source}\n").body
    if isinstance(node, ast.ClassDef):
        (node,) = node.body
    assert isinstance(node, ast.Expr)
    value = ast.literal_eval(node.value)
    assert isinstance(value, str)
    assert inspect.cleandoc(value).split() == printable(" ".join(text.split())).split()
    assert source.replace("\n", "").isprintable()


def test_text_is_wrapped_with_its_paragraphs_and_lists() -> None:
    word, address = "w" * 50, "https://example.com/" + "a-" * 60
    text = f"{word} {word} {word}\nend.\n\n- `a`: {word} {word} {word}\n- b\n  c\n\n{address}"
    assert docstring(text, indent=4) == "\n".join(
        [
            f'"""{word} {word}',
            f"    {word} end.",
            "",
            f"    - `a`: {word} {word}",
            f"      {word}",
            "    - b c",
            "",
            f"    {address}",
            '    """',
        ]
    )


@pytest.mark.parametrize("length", range(100, 121))
def test_no_line_is_too_long(length: int) -> None:
    for text in ("x" * (length // 2) + " " + "y" * (length - length // 2 - 1), "ab " * length):
        assert all(len(line) <= 116 for line in docstring(text, indent=4).splitlines()[:1])
        assert all(len(line) <= 120 for line in docstring(text, indent=4).splitlines())


def test_hostile_descriptions_stay_text_in_a_package(tmp_path: Path) -> None:
    told = {"description": 'x"""\nimport os\nos.abort()\n"""\\\u202e'}
    choice = {"oneOf": [{"const": '"""', "type": "string", **told}, {"const": "\\", "type": "string", **told}], **told}
    part = {
        "anyOf": [{"title": '`\n"""', "type": "string", **told}, {"title": "\\", "type": "integer", **told}],
        **told,
    }
    box = obj({"a": {"type": "string", **told}, "choice": choice, "part": part}, **told)
    schema = tmp_path / "schema.json"
    schema.write_bytes(document({"Box": box, "Choice": choice, "Part": part}))
    target = Target("acp", "v1")
    output = Output(folder=tmp_path / "wire", package="wire", versions=(target,), schemas={target: schema})
    models = pipeline.generate(output).files["acp/v1/models.py"]
    tree = ast.parse(models)
    assert {type(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.Call)} <= {ast.Call}
    assert set(_told(tree.body)) == {"Box", "Box.a", "Box.choice", "Box.part", "Choice", "Part"}
    assert "\u202e" not in models
