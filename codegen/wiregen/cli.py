"""The Typer app: its commands, each loaded when it is asked for."""

from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from wiregen import __version__

_EXIT_CODES: Final = (
    "Exit codes: 0 done; 1 findings, such as stale output under --check, or nobody reads on; "
    "2 bad usage or bad input; 130 interrupted."
)
_COMMANDS: Final = {
    "generate": ("wiregen.generate_cli", "generate"),
    "init": ("wiregen.init_cli", "init_"),
    "capabilities": ("wiregen.capabilities_cli", "capabilities"),
    "docs": ("wiregen.docs_cli", "app"),
    "schema": ("wiregen.schema_cli", "app"),
}
"""Where each command is defined: a Typer app, or a function."""


class _Commands(TyperGroup):
    """The commands, by name."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name]
        found: Any = getattr(import_module(module), attribute)
        if not isinstance(found, typer.Typer):
            app = typer.Typer(rich_markup_mode=None, add_completion=False)
            app.command(cmd_name, epilog=_EXIT_CODES)(found)
            found = app
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=_Commands,
    epilog=_EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"wiregen {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Typed message classes for ACP and MCP from their JSON Schemas."""
