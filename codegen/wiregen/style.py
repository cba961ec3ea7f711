"""How generated code is set: its line length, and whose templates print it. In force for all emitters of one run."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from wiregen.errors import Diagnostic, InvalidInput
from wiregen.settings import LINE_LENGTH


@dataclass(frozen=True, slots=True)
class Style:
    """The longest line, in characters, and the folder of the user's own templates, if there are any."""

    line_length: int = LINE_LENGTH
    templates: Path | None = None


_STYLE = ContextVar("style", default=Style())  # noqa: B039  (frozen)


def current() -> Style:
    """The style that is in force."""
    return _STYLE.get()


@contextmanager
def using(style: Style) -> Generator[None]:
    """Puts a style in force for a while."""
    token = _STYLE.set(style)
    try:
        yield
    finally:
        _STYLE.reset(token)


def misprint(message: str) -> InvalidInput:
    """What to raise where the printed code is not what it should be: by the user's templates, or else by our fault."""
    own = current().templates
    if own is not None:
        hint = "correct the templates in this folder; docs/templates.md says what each has to print"
        return InvalidInput([Diagnostic("bad-template", message, file=own.as_posix(), hint=hint)])
    hint = "this is a fault of wiregen; please report it with the schema"
    return InvalidInput([Diagnostic("internal", message, hint=hint)])
