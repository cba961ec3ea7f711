"""One run of `wiregen generate`: what was asked for is done, and told."""

from pathlib import Path
from typing import Final

from wiregen import config, flags, report, run, trouble
from wiregen.errors import InvalidInput
from wiregen.flags import Request
from wiregen.paths import project_root
from wiregen.report import Report
from wiregen.resolve import resolve
from wiregen.terminal import Terminal

DONE: Final = 0
FINDINGS: Final = 1
BAD_INPUT: Final = 2


def perform(request: Request) -> int:
    """Does what was asked for, prints what there is to tell, and returns the exit code."""
    terminal = Terminal(quiet=request.quiet or request.format == "json")
    try:
        told = _run(request, terminal)
    except InvalidInput as error:
        told = Report(diagnostics=error.diagnostics, exit_code=BAD_INPUT)
    except Exception as error:
        if trouble.wants_traceback():
            raise
        told = Report(diagnostics=(trouble.unexpected(error),), exit_code=BAD_INPUT)
    finally:
        terminal.done()
    if request.format == "json":
        print(told.as_json())
    else:
        told.show(terminal)
    return told.exit_code


def _run(request: Request, terminal: Terminal) -> Report:
    given = request.settings()
    found = config.load(Path())
    outcomes = run.plan_all(resolve(found, given), full=request.full, on_step=terminal.step)
    if request.writes:
        run.apply_all(outcomes)
    mend = ["wiregen", "generate", *flags.words(given)]
    is_stale = not all(outcome.is_current for outcome in outcomes)
    return Report(
        outcomes=tuple(outcomes),
        diagnostics=(
            *(warning for outcome in outcomes for warning in outcome.warnings),
            *(report.findings(outcomes, mend) if request.check else report.warnings(outcomes)),
        ),
        exit_code=FINDINGS if is_stale and request.fails_when_stale else DONE,
        is_written=request.writes,
        diff_root=project_root(found.file.parent if found.file else Path()) if request.diff else None,
    )
