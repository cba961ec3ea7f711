"""Jinja templates to text; what is wrong with a template is told with its file and line."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from jinja2 import (
    BaseLoader,
    Environment,
    StrictUndefined,
    TemplateNotFound,
    TemplatesNotFound,
    TemplateSyntaxError,
    meta,
)

from wiregen import catalogue, literals, misprints, style, templates
from wiregen.errors import Diagnostic, InvalidInput

MODELS: Final = "models/"
"""The folder of the templates that datamodel-code-generator renders."""


def render(template: str, /, **values: Any) -> str:
    """The Python code that a template gives; a value that it asks for and does not get is an error.

    Raises:
        InvalidInput: the template is broken, or one of the user's prints something else.
    """
    own = style.current().templates
    if own is None:
        return _bundled().get_template(template).render(**values)
    with reported():
        environment = _environment(own)
        text = environment.get_template(template).render(**values)
        misprints.parsed(text, _with_included(environment, template))
    return text


def _with_included(environment: Environment, template: str) -> list[str]:
    """A template and those that it prints as parts of its own."""
    found = {template: None}
    waiting = [template]
    while waiting:
        assert environment.loader is not None
        source, *_ = environment.loader.get_source(environment, waiting.pop())
        inner = [name for name in meta.find_referenced_templates(environment.parse(source)) if name is not None]
        waiting += [name for name in inner if name not in found]
        found |= dict.fromkeys(inner)
    return [*found]


@contextmanager
def models_folder() -> Generator[Path]:
    """A folder with the templates that datamodel-code-generator renders; errors in them are told as `render` does."""
    own = style.current().templates
    if own is None:
        yield catalogue.templates() / MODELS
        return
    with tempfile.TemporaryDirectory(prefix="wiregen-") as name:
        copies: dict[Path, Path] = {}
        for template, path in templates.files(own).items():
            if template.startswith(MODELS):
                copy = Path(name, template)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(_read(path), encoding="utf-8")
                copies[copy] = path
        with reported(copies):
            yield Path(name, MODELS)


@contextmanager
def reported(copies: Mapping[Path, Path] = MappingProxyType({})) -> Generator[None]:
    """Turns what a template of the user's raises into a diagnostic; `copies` are files that stand for others."""
    own = style.current().templates
    try:
        yield
    except InvalidInput:
        raise
    except Exception as error:
        files = {**{path: path for path in templates.files(own).values()}, **copies}
        place = next(((files[path], line) for path, line in _places(error) if path in files), None)
        if own is None or place is None or not place[0].is_relative_to(own):
            raise
        file, line = place
        message = f"the template cannot be rendered: {_reason(error)}"
        hint = "docs/templates.md says what each template gets"
        raise InvalidInput([Diagnostic("bad-template", message, file.as_posix(), line=line, hint=hint)]) from None


def _reason(error: Exception) -> str:
    if isinstance(error, TemplatesNotFound | TemplateNotFound):
        return f"there is no template {error.name!r}"
    return str(error).partition("\n")[0] or type(error).__name__


def _places(error: BaseException | None) -> Iterator[tuple[Path, int]]:
    """The files and lines where an error came up, innermost first, then those of what led to it."""
    while error is not None:
        if isinstance(error, TemplateSyntaxError) and error.filename:
            yield Path(error.filename), error.lineno
        found: list[tuple[Path, int]] = []
        step = error.__traceback__
        while step is not None:
            found.append((Path(step.tb_frame.f_code.co_filename), step.tb_lineno))
            step = step.tb_next
        yield from reversed(found)
        error = error.__cause__ or error.__context__


class _Loader(BaseLoader):
    """Finds the templates by name, and nothing else."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:  # noqa: ARG002
        if template not in self._files:
            raise TemplateNotFound(template)
        path = self._files[template]
        return _read(path), str(path), None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "save the file as UTF-8"
        raise InvalidInput([Diagnostic("not-utf8", f"not UTF-8: {error.reason}", path.as_posix(), hint=hint)]) from None
    except OSError as error:
        message, hint = f"cannot be read: {error.strerror or error}", "make the file readable"
        raise InvalidInput([Diagnostic("cannot-read", message, path.as_posix(), hint=hint)]) from None


@cache
def _bundled() -> Environment:
    return _environment(None)


def _environment(own: Path | None) -> Environment:
    environment = Environment(
        loader=_Loader(templates.files(own)),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["literal"] = literals.literal
    environment.filters["docstring"] = literals.docstring
    return environment
