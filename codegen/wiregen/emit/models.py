"""Message classes and aliases of one version, printed by datamodel-code-generator with our own templates.

It gets a schema with no more than the kind of each declaration, and beside it what to print. Whatever it would do by
itself, renaming above all, shows when its output is compared with what was asked for.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from wiregen import misprints, names
from wiregen.emit.annotations import Annotations, Imports, places
from wiregen.emit.doc_text import declaration_text, field_text
from wiregen.emit.order import Graph
from wiregen.ir import Alias, AnyValue, Enumeration, Field, ObjectType, Protocol, Reference, Union
from wiregen.literals import docstring, literal, string
from wiregen.render import models_folder, render
from wiregen.text import shortened

# The generator renames what clashes with its own imports: no name that it is given can.
_PREFIX = "T_"
# All that it has to know of a declaration is its kind: the templates get the rest as data.
_CLASS: dict[str, Any] = {"type": "object", "properties": {}}
_ALIAS = {"type": "string"}
_ALIAS_TEMPLATE = "models/TypeAliasType.jinja2"
_TEMPLATES = {"class": "models/pydantic_v2/BaseModel.jinja2"}
"""Which template prints a declaration, by its kind."""

Shape = tuple[str, tuple[str, ...]]
"""The name of what is declared, and the fields of a class."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One declaration as the templates print it: every string is source text."""

    name: str
    kind: str
    doc: str | None
    fields: tuple[PrintedField, ...] = ()
    base: str = ""
    extras: tuple[str, ...] = ()
    expression: str = ""
    checked: str = ""


@dataclass(frozen=True, slots=True)
class PrintedField:
    """One field of a class as the templates print it."""

    name: str
    annotation: str
    default: str | None
    doc: str | None


class Printer:
    """Prints the modules of several versions in one style; what versions have in common is generated once."""

    def __init__(self) -> None:
        self._texts: dict[Printed, str] = {}

    def emit(self, protocol: Protocol, title: str) -> str:
        """Source of the module with the classes and aliases of a version; `title` is what to call the version."""
        scope = frozenset(protocol.declarations)
        graph = Graph(protocol.declarations)
        imports = Imports(scope)
        known: frozenset[str] = frozenset()
        printed: list[Printed] = []
        for declaration in graph.in_order():
            if isinstance(declaration, Alias):
                printed.append(_alias(declaration, Annotations(imports, known), scope, graph))
            else:
                printed.append(_class(declaration, imports, known))
            known |= {declaration.name}
        if missing := [item for item in printed if item not in self._texts]:
            self._texts |= zip(missing, _generate(missing), strict=True)
        return render(
            "models.py.jinja2",
            title=title,
            imports=imports.sorted(),
            places=places(depth=3),
            body="\n\n\n".join(self._texts[item] for item in printed),
            exported=sorted(scope),
        )


def _class(declaration: ObjectType, imports: Imports, known: frozenset[str]) -> Printed:
    inner = frozenset(field.name for field in declaration.fields)
    annotations = Annotations(imports, known, inner)
    constants = {f.name: f.initial for f in declaration.fields if f.initial is not None and not _is_literal(f)}
    defaults = {f.name: f.default for f in declaration.fields if not f.required and f.default is not None}
    extras = tuple(
        f"{name}: {annotations.need('ClassVar')}[{annotations.need('dict')}"
        f"[{annotations.need('str')}, {annotations.need('Any')}]] = {literal(dict(values))}"
        for name, values in (("__constants__", constants), ("__defaults__", defaults))
        if values
    )
    if not isinstance(declaration.extra, AnyValue):
        value = annotations.type(declaration.extra)
        annotations.need("TYPE_CHECKING")
        declared = f"__pydantic_extra__: {annotations.need('dict')}[{annotations.need('str')}, {value}]"
        extras += (f"if not TYPE_CHECKING:\n        {declared}",)
    fields = tuple(
        PrintedField(f.name, annotations.field(f), _default(f, annotations), _doc(field_text(f), 4))
        for f in declaration.fields
    )
    base = imports.need("Model")
    return Printed(declaration.name, "class", _doc(declaration_text(declaration), 4), fields, base, extras)


def _is_literal(field: Field) -> bool:
    """Whether the runtime reads the constant off the annotation."""
    return isinstance(field.type, (Enumeration, Reference)) and not isinstance(field.initial, dict)


def _default(field: Field, annotations: Annotations) -> str | None:
    regular = names.wire_name(field.name) == field.wire
    wire = string(field.wire)
    if field.initial is not None:
        return annotations.need("CONSTANT") if regular else f"{annotations.need('constant')}({wire})"
    if regular:
        return None if field.required else annotations.need("UNSET")
    default = "" if field.required else f"default={annotations.need('UNSET')}, "
    return f"{annotations.need('Field')}({default}validation_alias={wire}, serialization_alias={wire})"


def _alias(alias: Alias, annotations: Annotations, scope: frozenset[str], graph: Graph) -> Printed:
    name, doc = alias.name, _doc(declaration_text(alias), 0)
    if graph.is_any_json(name):
        # The validator core takes any JSON fast, and slowly what spells it out.
        return _recursive(alias, annotations, scope, annotations.type(AnyValue()))
    expression = annotations.type(alias.type)
    if not isinstance(alias.type, Union) and not graph.is_recursive(name):
        return Printed(name, "alias", doc, base=annotations.need("TypeAlias"), expression=expression)
    named = f"{annotations.need('TypeAliasType')}({string(name)}, {expression})"
    if graph.is_recursive_alias(name):
        return _recursive(alias, annotations, scope, named)
    return Printed(name, "named", doc, expression=named)


def _recursive(alias: Alias, annotations: Annotations, scope: frozenset[str], expression: str) -> Printed:
    """An alias that type checkers have to see otherwise than it is at run time, as its definition holds itself."""
    checked = string(annotations.plain(alias.type, scope))
    doc, base = _doc(declaration_text(alias), 4), annotations.need("TypeAlias")
    annotations.need("TYPE_CHECKING")
    return Printed(alias.name, "recursive", doc, base=base, expression=expression, checked=checked)


def _doc(text: str | None, indent: int) -> str | None:
    return docstring(text, indent=indent) if text else None


def _generate(printed: list[Printed]) -> list[str]:
    """The source of each declaration, as datamodel-code-generator prints it."""
    # Imported here: it takes half a second, which a run that has nothing to do does not spend.
    from datamodel_code_generator import InputFileType, generate  # noqa: PLC0415
    from datamodel_code_generator.enums import DataModelType  # noqa: PLC0415
    from datamodel_code_generator.format import PythonVersion  # noqa: PLC0415

    definitions: dict[str, Any] = {}
    templates: dict[str, Any] = {}
    for item in printed:
        key = _PREFIX + item.name
        definitions[key] = _CLASS if item.kind == "class" else _ALIAS
        templates[f"#/$defs/{key}"] = {"declaration": item}
    with models_folder() as templates_folder:
        source = generate(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions},
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_311,
            custom_template_dir=templates_folder,
            extra_template_data=templates,  # type: ignore[arg-type]
            custom_class_name_generator=lambda name: name,
            formatters=[],
            use_type_alias=True,
            skip_root_model=True,
            disable_timestamp=True,
            disable_future_imports=True,
            allow_remote_refs=False,
            strict_refs=True,
        )
    return _declarations(str(source), printed)


def _declarations(source: str, printed: list[Printed]) -> list[str]:
    """The declarations in what was generated, after they have been compared with those that were asked for."""
    printers = tuple(dict.fromkeys(_TEMPLATES.get(item.kind, _ALIAS_TEMPLATE) for item in printed))
    tree = misprints.parsed(source, printers)
    lines = source.split("\n")
    end = 0
    found: list[tuple[Shape, int]] = []
    texts: list[str] = []
    for node in tree.body:
        text = "\n".join(lines[end : node.end_lineno]).strip("\n")
        end = node.end_lineno or end
        shapes = [] if isinstance(node, (ast.Import, ast.ImportFrom)) else _shapes(node)
        if shapes:
            texts.append(text)
        elif texts:
            texts[-1] += f"\n{text}"
        found += [(shape, node.lineno) for shape in shapes]
    for got, item in zip_longest(found, printed):
        wanted = item and (item.name, tuple(f.name for f in item.fields))
        if wanted is None or got is None or got[0] != wanted:
            what, line = (_shown(got[0]), lines[got[1] - 1]) if got else ("nothing", "")
            asked = _shown(wanted) if wanted else "nothing"
            kinds = (_TEMPLATES.get(item.kind, _ALIAS_TEMPLATE),) if item else printers
            raise misprints.misprint(f"{what} is printed where {asked} is asked for", kinds, line)
    if len(texts) != len(printed):
        raise misprints.misprint("two declarations are printed as one statement", printers)
    return texts


def _shown(shape: Shape) -> str:
    name, fields = shape
    return f"{name} with the fields {', '.join(fields)}" if fields else name


def _shapes(node: ast.stmt) -> list[Shape]:
    """Names of what a statement declares, with the fields of a class."""
    match node:
        case ast.ClassDef(name, body=body):
            fields = [s.target.id for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
            return [(name, tuple(field for field in fields if not field.startswith("__")))]
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return [(name, ())]
        case ast.If(body=body):
            return [shape for inner in body for shape in _shapes(inner)]
        case ast.Expr(ast.Constant(str())):
            return []
        case _:
            return [(f"the statement {shortened(ast.unparse(node), 100)!r}", ())]
