"""Generated code against that of a harmless twin: the same but for literals, and for names that are made of text."""

import ast
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

ALLOWED_MODULES = frozenset(
    {"__future__", "builtins", "collections.abc", "importlib", "pydantic", "types", "typing", "typing_extensions"}
)
"""Where generated modules import from, beside their own package."""


class Different(AssertionError):
    """The two are not the same code; the message says where."""


def compare(text: str, twin: str, made: frozenset[str]) -> None:
    """Raises `Different` unless `text` is the code of `twin`; `made` are the names that may stand for its names."""
    tree, other = ast.parse(text), ast.parse(twin)
    _check_imports(_imports(tree) - _imports(other), made)
    _check_annotations(tree)
    statements = _without_imports(tree), _without_imports(other)
    if len(statements[0]) != len(statements[1]):
        raise Different(f"{len(statements[0])} statements, not {len(statements[1])}")
    for ours, theirs in zip(*statements, strict=True):
        _Pair(made).compare(ours, theirs, ast.unparse(theirs).partition("\n")[0])


class _Pair:
    """Walks two statements side by side; a name of one stands for the same name of the other throughout.

    Between statements it may not: a class can have a field of a name that means something else outside.
    """

    def __init__(self, made: frozenset[str]) -> None:
        self._made = made
        self._theirs: dict[str, str] = {}
        self._ours: dict[str, str] = {}

    def compare(self, ours: Any, theirs: Any, place: str) -> None:
        if type(ours) is not type(theirs):
            raise Different(f"{place}: {ours!r} is not {theirs!r}")
        if isinstance(ours, list):
            pairs: Iterator[tuple[Any, Any]] = zip_longest(ours, theirs)  # pyright: ignore[reportUnknownArgumentType]
            for index, (one, other) in enumerate(pairs):
                self.compare(one, other, f"{place}[{index}]")
        elif isinstance(ours, ast.Constant):
            if type(ours.value) is not type(theirs.value):
                raise Different(f"{place}: {ours.value!r} is not {theirs.value!r}")
        elif isinstance(ours, ast.AST):
            for name in ours._fields:
                self.compare(getattr(ours, name), getattr(theirs, name), f"{place}.{name}")
        elif isinstance(ours, str):
            self._names(ours, theirs, place)
        elif ours != theirs:
            raise Different(f"{place}: {ours!r} is not {theirs!r}")

    def _names(self, ours: str, theirs: str, place: str) -> None:
        if "self" in (ours, theirs):  # a method may have the name of its parameter
            return
        if self._theirs.setdefault(ours, theirs) != theirs or self._ours.setdefault(theirs, ours) != ours:
            raise Different(f"{place}: {ours} does not stand for {theirs} everywhere")
        if ours != theirs and ours not in self._made:
            raise Different(f"{place}: nothing makes the name {ours}")


def _without_imports(tree: ast.Module) -> list[ast.stmt]:
    """The statements, without imports and without docstrings, of which one may be empty and so be missing."""

    class Remover(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
            is_docstring = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            return None if is_docstring else node

        def visit_Import(self, node: ast.Import) -> None:
            return

        def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
            return

        def visit_Pass(self, node: ast.Pass) -> None:
            return

    return list(Remover().visit(tree).body)


def _imports(tree: ast.Module) -> set[tuple[str, str, str | None]]:
    """What is imported: the module, the name, and what it is called here."""
    found: set[tuple[str, str, str | None]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {("." * node.level + (node.module or ""), alias.name, alias.asname) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {(alias.name, "", alias.asname) for alias in node.names}
    return found


def _check_imports(added: set[tuple[str, str, str | None]], made: frozenset[str]) -> None:
    """What the twin does not import is one of the supporting names, under another name."""
    for module, name, as_name in added:
        is_known = module in ALLOWED_MODULES or module.startswith(".")
        if not is_known or not name or as_name not in (None, *made):
            raise Different(f"from {module} import {name} as {as_name}")


def _check_annotations(tree: ast.Module) -> None:
    """Text in an annotation is code, unless it stands for itself: there it may only be a name."""
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(annotation=annotation):
                found = _texts(annotation)
            case ast.Call(ast.Name("TypeAliasType" | "_TypeAliasType"), [_, value]):
                found = _texts(value)
            case _:
                continue
        if bad := [text for text in found if not text.isidentifier()]:
            raise Different(f"an annotation holds the text {bad[0]!r}")


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    is_literal = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and "Literal" in node.value.id
    if not is_literal and not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)
